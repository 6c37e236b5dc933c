"""Options, actions, asks, events and the view of Dominion."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from parlour.core import Ask, By, Event, Public, Seat, Value, legacy
from parlour.core.values import rule

MOST_LETTERS = 32
Card: TypeAlias = Annotated[str, Meta(max_length=MOST_LETTERS)]
"""The lower-case name of a card; the rules check whether it exists."""

MOST_CARDS = 1000
Cards: TypeAlias = Annotated[tuple[Card, ...], Meta(max_length=MOST_CARDS)]

MOST_BYTES = 2 * MOST_CARDS * (MOST_LETTERS + 4)
"""The size of the longest action as JSON: a buy with two full lists. A name needs two quotes and a comma; one more byte
leaves room for every other action that fits into a message of 64 KiB."""

Silence: TypeAlias = Literal["forfeit", "end_turn"]


FIRST_GAME = (
    "cellar",
    "market",
    "militia",
    "mine",
    "moat",
    "remodel",
    "smithy",
    "village",
    "woodcutter",
    "workshop",
)
"""The action cards of a match whose host chooses no others."""


class Options(Value, frozen=True, kw_only=True):
    """House rules. RULES.md explains each value and the reason for its default."""

    turn_cap: Annotated[int, Meta(ge=1, le=500), rule("Maximum number of turns per player.")] = 500
    top_discard_from: Annotated[
        Literal["hand", "hand_or_played"], rule("Which cards may be placed on top of the discard pile at clean-up.")
    ] = "hand"
    on_silence: Annotated[
        Silence | Annotated[tuple[Silence, ...], Meta(max_length=4)] | None,
        rule("What a timeout on the player's own turn costs, for all or by seat. If not set: by the seat's protocol."),
    ] = None
    militia_on_leave: Annotated[
        Literal["spare", "finish"], rule("Whether victims not yet asked must still discard if the attacker leaves.")
    ] = "spare"
    kingdom: Annotated[
        Annotated[tuple[str, ...], Meta(min_length=1, max_length=20)],
        rule("The action cards in the supply."),
        legacy(FIRST_GAME),
    ] = FIRST_GAME


# Actions


class Play(Value, frozen=True, omit_defaults=True):
    """Play an action card, with the choices that its effect needs."""

    card: Card
    """An action card of your hand."""
    discard: Cards = ()
    """Cellar: the cards to discard, in order."""
    trash: Card | None = None
    """Mine, Remodel: which card of your hand."""
    gain: Card | None = None
    """Mine, Remodel, Workshop: which card of the supply."""


class Buy(Value, frozen=True, omit_defaults=True):
    """Play treasures, then buy cards with them; once per turn."""

    cards: Cards = ()
    """Cards of the supply, in the order in which you buy them."""
    treasures: Cards | None = None
    """Treasures of your hand, in order. None: all of them."""


class CleanUp(Value, frozen=True, omit_defaults=True):
    """End your turn; `top` is the card of your hand to place on top of your discard pile."""

    top: Card | None = None
    """A card of your hand. None: the one that comes last anyway."""


class Discard(Value, frozen=True):
    """Answer an attack: discard these cards, the last one on top."""

    cards: Cards
    """Cards of your hand."""


class Reveal(Value, frozen=True, omit_defaults=True):
    """Reveal a reaction from your hand: the attack has no effect on you."""

    card: Card = "moat"


class Waste(Value, frozen=True):
    """The price of an impossible action: one action is lost, and the card stays in hand."""


class EndTurn(Value, frozen=True):
    """The price of an unusable answer: the turn is cleaned up and ends."""


class AnyDiscard(Value, frozen=True):
    """The price of a fault under attack: the cards to discard are drawn at random."""


Action: TypeAlias = Play | Buy | CleanUp | Discard | Reveal | Waste | EndTurn | AnyDiscard


# Asks


class TakeTurn(Ask[Play | Buy | CleanUp], frozen=True, kw_only=True):
    """Play an action, buy, or clean up; repeated until the seat cleans up."""

    actions: int
    buys: int
    money: int
    """From actions; treasures are played with the buy."""


class AnswerAttack(Ask[Discard | Reveal], frozen=True, kw_only=True):
    """Discard this many cards, or reveal a reaction."""

    card: str
    discard: int


# Events


class TurnBegan(Public, frozen=True):
    seat: Seat
    turn: int
    """The seat's own turns, counted from 1."""


class Played(Public, frozen=True):
    """Cards were played: an action, or all treasures of a buy."""

    seat: Seat
    cards: tuple[str, ...]


class Gained(Public, frozen=True, omit_defaults=True):
    """A card moved from the supply to the discard pile or the hand."""

    seat: Seat
    card: str
    bought: bool = False
    to_hand: bool = False


class Trashed(Public, frozen=True):
    seat: Seat
    card: str


class Drew(Event, frozen=True, omit_defaults=True):
    """Only the seat itself sees which cards."""

    seat: Seat
    count: int
    cards: tuple[str, ...] = ()

    def seen_by(self, who: By) -> "Drew":
        return self if who == self.seat else Drew(self.seat, self.count)


class Discarded(Event, frozen=True, omit_defaults=True):
    """Cards moved from the hand to the discard pile; others see only the top."""

    seat: Seat
    count: int
    top: str
    cards: tuple[str, ...] = ()

    def seen_by(self, who: By) -> "Discarded":
        return self if who == self.seat else Discarded(self.seat, self.count, self.top)


class Shuffled(Public, frozen=True):
    """The discard pile became the deck."""

    seat: Seat


class Revealed(Public, frozen=True):
    """The seat revealed a card and keeps it."""

    seat: Seat
    card: str


class Wasted(Public, frozen=True):
    """An action was lost."""

    seat: Seat


class CutShort(Public, frozen=True):
    """A buy stopped at an impossible entry; that one and all after it were ignored."""

    seat: Seat
    what: Literal["treasures", "cards"]
    at: int
    """The index of the entry."""


class CleanedUp(Public, frozen=True):
    """The turn is over; hand and played cards are discarded."""

    seat: Seat
    played: tuple[str, ...]
    top: str | None
    """The new top of the discard pile; None if nothing was discarded."""


class Left(Public, frozen=True):
    seat: Seat
    why: str


class Area(Value, frozen=True):
    """The public part of a seat: numbers of cards, and the top of its discard pile."""

    turns: int
    """Turns begun."""
    hand: int
    deck: int
    discard: int
    top: str | None
    """The top of the discard pile; None if it is empty."""
    gone: bool


class View(Value, frozen=True):
    """The table as one seat, or a spectator, may see it."""

    seat: Seat | None
    turn: Seat
    """Whose turn it is."""
    actions: int
    buys: int
    money: int
    """From actions; treasures are played with the buy."""
    hand: tuple[str, ...]
    """Own hand, in the order drawn."""
    played: tuple[str, ...]
    """Cards played this turn, in order."""
    gained: tuple[str, ...]
    """Cards gained this turn, bought ones included."""
    bought: tuple[str, ...]
    attacked: Seat | None
    """The seat that must answer an attack."""
    supply: dict[str, int]
    trash: tuple[str, ...]
    owned: dict[str, int]
    """All own cards, wherever they are."""
    areas: tuple[Area, ...]
    """By seat."""
    over: bool
