"""The vocabulary of tradeCraft: what players do, are asked and see, and the house rules."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from parlour.core import Ask, By, Event, Public, Seat, Value
from parlour.core.values import rule
from parlour.games.tradecraft.amounts import MOST_KINDS, Amount, Written

MOST_TEXT = 2000
MOST_TURNS = 100

Text: TypeAlias = Annotated[str, Meta(max_length=MOST_TEXT)]
"""What players write to each other."""

MOST_LETTERS = 80
Name: TypeAlias = Annotated[str, Meta(max_length=MOST_LETTERS)]
"""An item by its name, with or without the prefix; whether there is one of that name is for the rules."""

Things: TypeAlias = Annotated[dict[Name, Amount], Meta(max_length=MOST_KINDS)]
"""Items as a player names them."""

MOST_BYTES = 2 * MOST_KINDS * (MOST_LETTERS + 30) + 6 * MOST_TEXT
"""The longest action as JSON of which everything can be read: a proposal with as many items as possible on both sides,
and a text of characters that JSON escapes. An amount has at most 25 bytes, and an item four more for its signs."""

Decision: TypeAlias = Literal["accept", "reject"]
Phase: TypeAlias = Literal["propose", "decide", "craft", "over"]
Turns: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_TURNS)]
Few: TypeAlias = Annotated[int, Meta(ge=1, le=12)]


class Options(Value, frozen=True, kw_only=True):
    """House rules. RULES.md says what each value does and why the default is what it is."""

    max_turn: Annotated[Turns, rule("How many turns are played if nobody wins. A given problem may say otherwise.")] = (
        15
    )
    whole_batches: Annotated[bool, rule("Whether a recipe is crafted a whole number of times only.")] = False
    order: Annotated[Literal["seats", "drawn"], rule("The order in which players propose.")] = "seats"
    max_invalid_proposals: Annotated[
        int, Meta(ge=1, le=1000), rule("How many proposals of a turn may be refused; the last one ends the proposing.")
    ] = 10
    max_checks: Annotated[int, Meta(ge=1, le=500), rule("How often a player may check a recipe in a turn.")] = 200
    least_depth: Annotated[Few, rule("Crafting steps to a target in generated problems, at least.")] = 1
    most_depth: Annotated[Few, rule("Crafting steps to a target in generated problems, at most.")] = 4
    least_kinds: Annotated[Few, rule("Kinds of items in a generated first hand, at least.")] = 3
    most_kinds: Annotated[Few, rule("Kinds of items in a generated first hand, at most.")] = 5
    decoys: Annotated[int, Meta(ge=0, le=12), rule("Kinds of a generated hand that are of no use to anybody.")] = 1
    max_amount: Annotated[int, Meta(ge=1, le=999), rule("The most items of a kind in a generated first hand.")] = 18
    fair: Annotated[bool, rule("Whether generated targets can all be reached together, not just one by one.")] = True


class Problem(Value, frozen=True):
    """What everybody holds at the start and wants to have in the end, by seat."""

    hands: tuple[dict[str, int], ...]
    targets: tuple[dict[str, int], ...]
    max_turn: Turns | None = None


# Actions


class Propose(Value, frozen=True, omit_defaults=True):
    """Offer something for something else. Both may be nothing."""

    partner: Seat
    offer: Things = {}
    request: Things = {}
    message: Text = ""
    """For the partner's eyes alone."""


class Decide(Value, frozen=True, omit_defaults=True):
    """Take what is offered, or leave it."""

    decision: Decision
    message: Text = ""
    """For the proposer's eyes alone."""


class Check(Value, frozen=True):
    """Ask whether this can be crafted now. If so, it may be applied."""

    input: Things
    output: Things


class Apply(Value, frozen=True):
    """Craft what was checked last."""


class Done(Value, frozen=True):
    """Craft no more in this turn."""


class Forgo(Value, frozen=True):
    """The price of silence, or of too many refused proposals: an empty one, that is rejected."""


Action: TypeAlias = Propose | Decide | Check | Apply | Done | Forgo


# Asks


class MakeProposal(Ask[Propose], frozen=True, kw_only=True):
    """It is your turn to propose a trade."""

    turn: int


class DecideProposal(Ask[Decide], frozen=True, kw_only=True):
    """Accept what is proposed to you, or reject it."""

    turn: int


class CraftItems(Ask[Check | Apply | Done], frozen=True, kw_only=True):
    """Check, apply, or be done. It is asked again until you are done."""

    turn: int
    checks: int
    """How many are left in this turn."""
    ready: bool
    """Whether a checked recipe waits to be applied."""


# Events


class TurnBegan(Public, frozen=True):
    turn: int
    proposer: Seat


class Proposed(Event, frozen=True, omit_defaults=True):
    """To others than the two it is only known that something was proposed."""

    proposer: Seat
    partner: Seat | None = None
    offer: Written = {}
    request: Written = {}
    message: str = ""

    def seen_by(self, who: By) -> "Proposed":
        return self if who is not None and who in (self.proposer, self.partner) else Proposed(self.proposer)


class Answered(Event, frozen=True):
    """The partner's words to the proposer, before anybody knows the decision. To these two alone."""

    proposer: Seat
    partner: Seat
    message: str

    def seen_by(self, who: By) -> "Answered | None":
        return self if who in (self.proposer, self.partner) else None


class Accepted(Public, frozen=True):
    """The items have changed hands."""

    proposer: Seat
    partner: Seat
    offer: Written
    request: Written


class Rejected(Public, frozen=True):
    proposer: Seat


class HandsShown(Public, frozen=True):
    """What everybody holds, by seat: after a trade, and at the end of a turn."""

    hands: tuple[Written, ...]


class Checked(Event, frozen=True):
    """The verdict on a recipe. To its seat alone."""

    seat: Seat
    input: Written
    output: Written
    code: Literal[0, 1, 2]
    """0: can be applied. 1: not a recipe. 2: a recipe, but the hand is too small for it."""
    recipe: str | None
    reason: str
    """What is wrong; nothing, if nothing is."""
    returns: Written
    """Containers that come back."""

    def seen_by(self, who: By) -> "Checked | None":
        return self if who == self.seat else None


class Applied(Event, frozen=True):
    """Something was crafted. To its seat alone."""

    seat: Seat
    input: Written
    output: Written
    returns: Written
    hand: Written
    """What the seat holds now."""

    def seen_by(self, who: By) -> "Applied | None":
        return self if who == self.seat else None


class Finished(Event, frozen=True, omit_defaults=True):
    """Somebody is done with crafting. What it holds, only the seat itself sees before the turn ends."""

    seat: Seat
    hand: Written | None = None

    def seen_by(self, who: By) -> "Finished":
        return self if who == self.seat else Finished(self.seat)


class Left(Public, frozen=True):
    """Gone for good. What comes to the seat is answered by default from now on."""

    seat: Seat
    why: str


class Decided(Public, frozen=True):
    """The game is over, and everybody's target is known."""

    winners: tuple[Seat, ...]
    why: Literal["win", "turns", "nobody", "time"]
    targets: tuple[Written, ...]


Happening: TypeAlias = (
    TurnBegan | Proposed | Answered | Accepted | Rejected | HandsShown | Checked | Applied | Finished | Left | Decided
)


class Batch(Value, frozen=True):
    """What goes in, what comes out, and which containers come back."""

    input: Written
    output: Written
    returns: Written


class View(Value, frozen=True, kw_only=True):
    """The table as one seat, or a spectator, may see it."""

    seat: Seat | None
    phase: Phase
    turn: int
    max_turn: int
    order: tuple[Seat, ...]
    """In which the seats propose."""
    proposer: Seat
    """Of this turn."""
    whole_batches: bool
    hands: tuple[Written, ...]
    """By seat, as they were shown last."""
    hand: Written
    """Own, as it is now: while you craft it may differ from what others have seen."""
    target: Written
    """Own."""
    proposal: Proposed | None
    """What is to be decided, as far as it is known here."""
    checked: Batch | None
    """Own: what may be applied."""
    checks: int
    """Own: how many are left in this turn."""
    done: tuple[Seat, ...]
    """Who has finished crafting in this turn."""
    gone: tuple[Seat, ...]
    """Who has left, as far as it is known."""
    targets: tuple[Written, ...] | None
    """Everybody's, once the game is over."""
    winners: tuple[Seat, ...] | None
    """None while the game goes on."""
    history: tuple[Happening, ...]
    """What was told here, the newest of it; within a crafting phase own steps first, then who was done by then."""
