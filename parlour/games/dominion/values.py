"""The vocabulary of Dominion: what players do, are asked and see, and the house rules."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from parlour.core import Ask, By, Event, Public, Seat, Value
from parlour.core.values import rule

MOST_LETTERS = 32
Card: TypeAlias = Annotated[str, Meta(max_length=MOST_LETTERS)]
"""A card by its lower-case name; whether there is one of that name is for the rules."""

MOST_CARDS = 1000
Cards: TypeAlias = Annotated[tuple[Card, ...], Meta(max_length=MOST_CARDS)]

MOST_BYTES = 2 * MOST_CARDS * (MOST_LETTERS + 4)
"""The longest action as JSON: a buy with two full lists. A name has two quotes and a comma, and one byte is to spare,
so that whatever else fits into a message of 64 KiB fits in here, too."""

Silence: TypeAlias = Literal["forfeit", "end_turn"]


class Options(Value, frozen=True, kw_only=True):
    """House rules. RULES.md says what each value does and why the default is what it is."""

    turn_cap: Annotated[int, Meta(ge=1, le=500), rule("How many turns each player has at most.")] = 500
    top_discard_from: Annotated[
        Literal["hand", "hand_or_played"], rule("Which cards may be put on top of the discard pile when cleaning up.")
    ] = "hand"
    on_silence: Annotated[
        Silence | Annotated[tuple[Silence, ...], Meta(max_length=4)] | None,
        rule("What silence on one's own turn costs, for all or by seat. If not set: as the seat's protocol has it."),
    ] = None
    militia_on_leave: Annotated[
        Literal["spare", "finish"], rule("Whether victims still to be asked discard if the attacker leaves.")
    ] = "spare"


# Actions


class Play(Value, frozen=True, omit_defaults=True):
    """Play an action card, with all that its effect leaves to you."""

    card: Card
    discard: Cards = ()
    """Cellar: what to discard, in order."""
    trash: Card | None = None
    """Mine, Remodel: which card of your hand."""
    gain: Card | None = None
    """Mine, Remodel, Workshop: which card of the supply."""


class Buy(Value, frozen=True, omit_defaults=True):
    """Play treasures, then buy cards with them. There is one such step in a turn."""

    cards: Cards = ()
    treasures: Cards | None = None
    """None: all that are in hand."""


class CleanUp(Value, frozen=True, omit_defaults=True):
    """End your turn; `top` is the card of your hand that shall lie uppermost on your discard pile."""

    top: Card | None = None


class Discard(Value, frozen=True):
    """Bear an attack: discard these, the last of them uppermost."""

    cards: Cards


class Reveal(Value, frozen=True, omit_defaults=True):
    """Show a reaction from your hand: the attack has no effect on you."""

    card: Card = "moat"


class Waste(Value, frozen=True):
    """The price of an action that cannot be: one action is lost, and the card stays in hand."""


class EndTurn(Value, frozen=True):
    """The price of an answer that is none: the turn is cleaned up as it stands."""


class AnyDiscard(Value, frozen=True):
    """The price of silence or nonsense under attack: what to discard is drawn."""


Action: TypeAlias = Play | Buy | CleanUp | Discard | Reveal | Waste | EndTurn | AnyDiscard


# Asks


class TakeTurn(Ask[Play | Buy | CleanUp], frozen=True, kw_only=True):
    """Play an action, buy, or clean up. It is asked again until the turn is cleaned up."""

    actions: int
    buys: int
    money: int
    """From actions; treasures are played with the buy."""


class AnswerAttack(Ask[Discard | Reveal], frozen=True, kw_only=True):
    """Discard so many cards, or show a reaction."""

    card: str
    discard: int


# Events


class TurnBegan(Public, frozen=True):
    seat: Seat
    turn: int
    """The seat's own turns, counted from 1."""


class Played(Public, frozen=True):
    """Cards went from hand to the table: an action, or all treasures of a buy."""

    seat: Seat
    cards: tuple[str, ...]


class Gained(Public, frozen=True, omit_defaults=True):
    """A card left the supply, for the discard pile or for the hand."""

    seat: Seat
    card: str
    bought: bool = False
    to_hand: bool = False


class Trashed(Public, frozen=True):
    seat: Seat
    card: str


class Drew(Event, frozen=True, omit_defaults=True):
    """Which cards, only the seat itself sees."""

    seat: Seat
    count: int
    cards: tuple[str, ...] = ()

    def seen_by(self, who: By) -> "Drew":
        return self if who == self.seat else Drew(self.seat, self.count)


class Discarded(Event, frozen=True, omit_defaults=True):
    """Cards went from hand to the discard pile; all but its top only the seat itself sees."""

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
    """Shown from hand, and kept."""

    seat: Seat
    card: str


class Wasted(Public, frozen=True):
    """An action was lost."""

    seat: Seat


class CutShort(Public, frozen=True):
    """A buy was followed up to an entry that cannot be; that one and all after it were ignored."""

    seat: Seat
    what: Literal["treasures", "cards"]
    at: int
    """Which entry, counted from 0."""


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
    """What everybody sees of a seat: how many cards are where, and what lies uppermost."""

    turns: int
    """Begun so far."""
    hand: int
    deck: int
    discard: int
    top: str | None
    """The top of the discard pile; None if there is none."""
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
    """Own, in the order in which it came."""
    played: tuple[str, ...]
    """This turn's, in order."""
    gained: tuple[str, ...]
    """This turn's, bought ones included."""
    bought: tuple[str, ...]
    attacked: Seat | None
    """Who is to answer an attack."""
    supply: dict[str, int]
    trash: tuple[str, ...]
    owned: dict[str, int]
    """All own cards, wherever they are."""
    areas: tuple[Area, ...]
    """By seat."""
    over: bool
