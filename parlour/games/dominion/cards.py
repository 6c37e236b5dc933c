"""What is printed on the cards: a table of facts, and beside it a short function for each effect that needs one.

Numbers in comments are those of RULES.md. A new card is one row and, if it does more than count, one function.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from parlour.core import IllegalAction, Seat, Value
from parlour.games.dominion.values import Play

# Steps: an effect is a list of these. They are plain data, so a state can be copied and stored in the middle of one.


class Drawing(Value, frozen=True):
    seat: Seat
    count: int


class Discarding(Value, frozen=True):
    seat: Seat
    cards: tuple[str, ...]


class Trashing(Value, frozen=True):
    seat: Seat
    card: str


class Gaining(Value, frozen=True):
    seat: Seat
    card: str
    to_hand: bool = False


class Bonus(Value, frozen=True):
    """For whoever's turn it is."""

    actions: int = 0
    buys: int = 0
    money: int = 0


class Attack(Value, frozen=True):
    """The one step that asks: the victim discards down to so many cards, or shows a reaction."""

    victim: Seat
    card: str
    keep: int


Step: TypeAlias = Drawing | Discarding | Trashing | Gaining | Bonus | Attack


# Effects


class Moment(Struct, frozen=True):
    """All that an effect may look at."""

    play: Play
    seat: Seat
    hand: Sequence[str]
    """Without the card that is played."""
    supply: dict[str, int]
    others: Sequence[Seat]
    """In the order of their turns."""


Effect: TypeAlias = Callable[[Moment], list[Step]]
"""The steps that a card takes; or IllegalAction, if the player's choices cannot be."""


def cellar(at: Moment) -> list[Step]:
    """Discard, left to right, whatever is really held; then draw as many (RULES 4.4)."""
    cards = held(at.play.discard, at.hand)
    return [Discarding(at.seat, tuple(cards)), Drawing(at.seat, len(cards))] if cards else []


def militia(at: Moment) -> list[Step]:
    """RULES 5.1."""
    return [Attack(victim, "militia", keep=3) for victim in at.others]


def mine(at: Moment) -> list[Step]:
    """RULES 4.5."""
    return exchange(at, TREASURES, more=3, to_hand=True)


def remodel(at: Moment) -> list[Step]:
    """RULES 4.6."""
    return exchange(at, CARDS, more=2, to_hand=False)


def exchange(at: Moment, kinds: Collection[str], more: int, to_hand: bool) -> list[Step]:
    """Trash a card for one that costs a little more; if there is none to be had, trash it for nothing."""
    trash, gain = at.play.trash, at.play.gain
    if trash is None or trash not in at.hand or trash not in kinds:
        raise cannot(at, f"to trash {named(trash)}: it must be in your hand, and of the right kind")
    candidates = available(at, kinds, CARDS[trash].cost + more)
    if not candidates:
        return [Trashing(at.seat, trash)]
    if gain not in candidates:
        raise cannot(at, f"to gain {named(gain)} for {trash}: there is {', '.join(candidates)}")
    return [Trashing(at.seat, trash), Gaining(at.seat, gain, to_hand)]


def workshop(at: Moment) -> list[Step]:
    """RULES 4.7."""
    gain, candidates = at.play.gain, available(at, CARDS, 4)
    if gain not in candidates:
        raise cannot(at, f"to gain {named(gain)}: there is {', '.join(candidates) or 'nothing'}")
    return [Gaining(at.seat, gain)]


def held(named: Sequence[str], hand: Sequence[str]) -> list[str]:
    """What is named, left to right, up to the first card that is not there or not so often."""
    left, found = list(hand), []
    for card in named:
        if card not in left:
            break
        left.remove(card)
        found.append(card)
    return found


def available(at: Moment, kinds: Collection[str], most: int) -> list[str]:
    """What the supply has for so much."""
    return [card for card in kinds if at.supply[card] and CARDS[card].cost <= most]


def cannot(at: Moment, why: str) -> IllegalAction:
    return IllegalAction("bad_choice", f"play {at.play.card}, {why}")


def named(card: str | None) -> str:
    return "nothing" if card is None else repr(card)


# The table


class Printed(Struct, frozen=True, kw_only=True):
    """The face of a card."""

    cost: int
    kind: Literal["curse", "treasure", "victory", "action"]
    worth: int = 0
    points: int = 0
    cards: int = 0
    bonus: Bonus | None = None
    effect: Effect | None = None
    choices: tuple[Literal["discard", "trash", "gain"], ...] = ()
    """What the effect leaves to the player: fields of Play."""
    reaction: bool = False
    """Whether it may be shown from hand when its holder is attacked."""


CARDS: dict[str, Printed] = {
    "curse": Printed(cost=0, kind="curse", points=-1),
    "copper": Printed(cost=0, kind="treasure", worth=1),
    "silver": Printed(cost=3, kind="treasure", worth=2),
    "gold": Printed(cost=6, kind="treasure", worth=3),
    "estate": Printed(cost=2, kind="victory", points=1),
    "duchy": Printed(cost=5, kind="victory", points=3),
    "province": Printed(cost=8, kind="victory", points=6),
    "cellar": Printed(cost=2, kind="action", bonus=Bonus(actions=1), effect=cellar, choices=("discard",)),
    "market": Printed(cost=5, kind="action", cards=1, bonus=Bonus(actions=1, buys=1, money=1)),
    "militia": Printed(cost=4, kind="action", bonus=Bonus(money=2), effect=militia),
    "mine": Printed(cost=5, kind="action", effect=mine, choices=("trash", "gain")),
    "moat": Printed(cost=2, kind="action", cards=2, reaction=True),
    "remodel": Printed(cost=4, kind="action", effect=remodel, choices=("trash", "gain")),
    "smithy": Printed(cost=4, kind="action", cards=3),
    "village": Printed(cost=3, kind="action", cards=1, bonus=Bonus(actions=2)),
    "woodcutter": Printed(cost=3, kind="action", bonus=Bonus(buys=1, money=2)),
    "workshop": Printed(cost=3, kind="action", effect=workshop, choices=("gain",)),
}
"""In the order in which a supply is written down."""

TREASURES = tuple(card for card, face in CARDS.items() if face.kind == "treasure")
KINGDOM = tuple(card for card, face in CARDS.items() if face.kind == "action")
WORTH = {card: face.worth for card, face in CARDS.items() if face.kind == "treasure"}
