"""The values of tradeCraft: options, actions, asks, events and the view."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from parlour.core import Ask, By, Event, Public, Seat, Value
from parlour.core.values import rule
from parlour.games.tradecraft.amounts import MOST_KINDS, Amount, Written

MOST_TEXT = 2000
MOST_TURNS = 100

Text: TypeAlias = Annotated[str, Meta(max_length=MOST_TEXT)]
"""A message from one player to another."""

MOST_LETTERS = 80
Name: TypeAlias = Annotated[str, Meta(max_length=MOST_LETTERS)]
"""An item's name, with or without the prefix. The rules check whether it exists."""

Things: TypeAlias = Annotated[dict[Name, Amount], Meta(max_length=MOST_KINDS)]
"""Items in a player's message."""

MOST_BYTES = 2 * MOST_KINDS * (MOST_LETTERS + 30) + 6 * MOST_TEXT
"""Size of the largest valid action as JSON: a proposal with MOST_KINDS items on both sides, and a text of characters
that JSON escapes. An amount has at most 25 bytes, and the punctuation of an item four."""

Decision: TypeAlias = Literal["accept", "reject"]
Phase: TypeAlias = Literal["propose", "decide", "craft", "over"]
Turns: TypeAlias = Annotated[int, Meta(ge=1, le=MOST_TURNS)]
Few: TypeAlias = Annotated[int, Meta(ge=1, le=12)]


class Options(Value, frozen=True, kw_only=True):
    """House rules. RULES.md explains the values and the reasons for the defaults."""

    max_turn: Annotated[Turns, rule("Number of turns if nobody wins. A given problem may set its own.")] = 15
    whole_batches: Annotated[bool, rule("Whether recipes are crafted in whole batches only.")] = False
    order: Annotated[Literal["seats", "drawn"], rule("The order in which players propose.")] = "seats"
    max_invalid_proposals: Annotated[
        int, Meta(ge=1, le=1000), rule("How many invalid proposals a turn allows; the last one forfeits the proposal.")
    ] = 10
    max_checks: Annotated[int, Meta(ge=1, le=500), rule("How often a player may check a recipe in a turn.")] = 200
    least_depth: Annotated[Few, rule("Crafting steps to a target in generated problems, at least.")] = 1
    most_depth: Annotated[Few, rule("Crafting steps to a target in generated problems, at most.")] = 4
    least_kinds: Annotated[Few, rule("Kinds of items in a generated first hand, at least.")] = 3
    most_kinds: Annotated[Few, rule("Kinds of items in a generated first hand, at most.")] = 5
    decoys: Annotated[int, Meta(ge=0, le=12), rule("Kinds in a generated hand that nobody can use.")] = 1
    max_amount: Annotated[int, Meta(ge=1, le=999), rule("The most items of a kind in a generated first hand.")] = 18
    fair: Annotated[bool, rule("Whether generated targets can all be reached together, not just one by one.")] = True


class Problem(Value, frozen=True):
    """The first hand and the target of each seat."""

    hands: tuple[dict[str, int], ...]
    targets: tuple[dict[str, int], ...]
    max_turn: Turns | None = None


# Actions


class Propose(Value, frozen=True, omit_defaults=True):
    """Offer items for other items. Either side may be empty."""

    partner: Seat
    offer: Things = {}
    """Items of your hand, in whole numbers."""
    request: Things = {}
    """Items of the partner's hand, in whole numbers."""
    message: Text = ""
    """Only the partner sees it."""


class Decide(Value, frozen=True, omit_defaults=True):
    """Accept or reject a proposal."""

    decision: Decision
    message: Text = ""
    """Only the proposer sees it."""


class Check(Value, frozen=True):
    """Check whether this can be crafted now. If so, it can be applied."""

    input: Things
    """Items of your hand: the ingredients, and exactly the fuel that a furnace needs."""
    output: Things
    """The product, in the amount that these ingredients make."""


class Apply(Value, frozen=True):
    """Craft what was checked last."""


class Done(Value, frozen=True):
    """Craft no more in this turn."""


class Forgo(Value, frozen=True):
    """The price of silence or of too many invalid proposals: an empty proposal that is rejected."""


Action: TypeAlias = Propose | Decide | Check | Apply | Done | Forgo


# Asks


class MakeProposal(Ask[Propose], frozen=True, kw_only=True):
    """It is your turn to propose a trade."""

    turn: int


class DecideProposal(Ask[Decide], frozen=True, kw_only=True):
    """Accept or reject the proposal to you."""

    turn: int


class CraftItems(Ask[Check | Apply | Done], frozen=True, kw_only=True):
    """Check, apply, or be done. You are asked again until you are done."""

    turn: int
    checks: int
    """Checks left in this turn."""
    ready: bool
    """Whether a checked recipe can be applied."""


# Events


class TurnBegan(Public, frozen=True):
    turn: int
    proposer: Seat


class Proposed(Event, frozen=True, omit_defaults=True):
    """A proposal. All but the two players see only that there is one."""

    proposer: Seat
    partner: Seat | None = None
    offer: Written = {}
    request: Written = {}
    message: str = ""

    def seen_by(self, who: By) -> "Proposed":
        return self if who is not None and who in (self.proposer, self.partner) else Proposed(self.proposer)


class Answered(Event, frozen=True):
    """The partner's message to the proposer, sent before the decision is shown. Only these two see it."""

    proposer: Seat
    partner: Seat
    message: str

    def seen_by(self, who: By) -> "Answered | None":
        return self if who in (self.proposer, self.partner) else None


class Accepted(Public, frozen=True):
    """A proposal was accepted, and the items were exchanged."""

    proposer: Seat
    partner: Seat
    offer: Written
    request: Written


class Rejected(Public, frozen=True):
    proposer: Seat


class HandsShown(Public, frozen=True):
    """All hands by seat: after a trade, and at the end of a turn."""

    hands: tuple[Written, ...]


class Checked(Event, frozen=True):
    """The verdict on a recipe. Only its seat sees it."""

    seat: Seat
    input: Written
    output: Written
    code: Literal[0, 1, 2]
    """0: can be applied. 1: not a recipe. 2: a recipe, but the hand does not have enough."""
    recipe: str | None
    reason: str
    """The error; empty for code 0."""
    returns: Written
    """Containers that are returned."""

    def seen_by(self, who: By) -> "Checked | None":
        return self if who == self.seat else None


class Applied(Event, frozen=True):
    """Something was crafted. Only its seat sees it."""

    seat: Seat
    input: Written
    output: Written
    returns: Written
    hand: Written
    """The seat's hand afterwards."""

    def seen_by(self, who: By) -> "Applied | None":
        return self if who == self.seat else None


class Finished(Event, frozen=True, omit_defaults=True):
    """A seat is done crafting. Until the turn ends, only the seat itself sees its hand."""

    seat: Seat
    hand: Written | None = None

    def seen_by(self, who: By) -> "Finished":
        return self if who == self.seat else Finished(self.seat)


class Left(Public, frozen=True):
    """A player has left for good. The seat is played by defaults from now on."""

    seat: Seat
    why: str


class Decided(Public, frozen=True):
    """The game is over, and all targets are shown."""

    winners: tuple[Seat, ...]
    why: Literal["win", "turns", "nobody", "time"]
    targets: tuple[Written, ...]


Happening: TypeAlias = (
    TurnBegan | Proposed | Answered | Accepted | Rejected | HandsShown | Checked | Applied | Finished | Left | Decided
)


class Batch(Value, frozen=True):
    """Input, output and returned containers of a craft."""

    input: Written
    output: Written
    returns: Written


class View(Value, frozen=True, kw_only=True):
    """The table as one seat or a spectator sees it."""

    seat: Seat | None
    phase: Phase
    turn: int
    max_turn: int
    order: tuple[Seat, ...]
    """The order in which seats propose."""
    proposer: Seat
    """The proposer of this turn."""
    whole_batches: bool
    hands: tuple[Written, ...]
    """By seat, as last shown to all."""
    hand: Written
    """Your current hand. While you craft it may differ from the public one."""
    target: Written
    """Your target."""
    proposal: Proposed | None
    """The open proposal, as far as you may see it."""
    checked: Batch | None
    """Your checked recipe, ready to be applied."""
    checks: int
    """Your checks left in this turn."""
    done: tuple[Seat, ...]
    """Seats that are done crafting in this turn."""
    gone: tuple[Seat, ...]
    """Seats that have left, as far as announced."""
    targets: tuple[Written, ...] | None
    """All targets, once the game is over."""
    winners: tuple[Seat, ...] | None
    """None while the game goes on."""
    history: tuple[Happening, ...]
    """The newest events that you have seen. In a crafting phase your own come first, then the seats that are done."""
