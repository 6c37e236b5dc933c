"""The cards: a table of their numbers, and a function for each effect.

A new card is one row of `CARDS` and, if it does more than add cards, actions, buys or money, one function.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from parlour.core import IllegalAction, Seat, Value
from parlour.games.dominion.values import Play

# Steps: an effect is a list of these. They are plain data, so a state can be copied and stored during an effect.


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
    """Added to the counters of the current turn."""

    actions: int = 0
    buys: int = 0
    money: int = 0


class Attack(Value, frozen=True):
    """The only step that asks a seat: the victim discards down to `keep` cards, or reveals a reaction."""

    victim: Seat
    card: str
    keep: int


Step: TypeAlias = Drawing | Discarding | Trashing | Gaining | Bonus | Attack


# Effects


class Moment(Struct, frozen=True):
    """The input of an effect."""

    play: Play
    seat: Seat
    hand: Sequence[str]
    """Without the played card."""
    supply: dict[str, int]
    others: Sequence[Seat]
    """In turn order."""


Effect: TypeAlias = Callable[[Moment], list[Step]]
"""Returns the steps of a card; raises IllegalAction if the player's choices are impossible."""


def cellar(at: Moment) -> list[Step]:
    """RULES 4.4."""
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
    """Trash a card and gain one that costs at most `more` more; if none is available, only trash."""
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
    """The named cards, left to right, up to the first that the hand does not have."""
    left, found = list(hand), []
    for card in named:
        if card not in left:
            break
        left.remove(card)
        found.append(card)
    return found


def available(at: Moment, kinds: Collection[str], most: int) -> list[str]:
    """The cards in the supply that cost at most this."""
    return [card for card in kinds if at.supply.get(card) and CARDS[card].cost <= most]


def cannot(at: Moment, why: str) -> IllegalAction:
    return IllegalAction("bad_choice", f"play {at.play.card}, {why}")


def named(card: str | None) -> str:
    return "nothing" if card is None else repr(card)


# The table


class Printed(Struct, frozen=True, kw_only=True):
    cost: int
    kind: Literal["curse", "treasure", "victory", "action"]
    worth: int = 0
    points: int = 0
    cards: int = 0
    bonus: Bonus | None = None
    effect: Effect | None = None
    choices: tuple[Literal["discard", "trash", "gain"], ...] = ()
    """The fields of Play that the effect reads."""
    reaction: bool = False
    """Whether an attacked player may reveal it from the hand."""


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
"""In the order in which the supply is listed (RULES 1.1)."""

TREASURES = tuple(card for card, face in CARDS.items() if face.kind == "treasure")
KINGDOM = tuple(card for card, face in CARDS.items() if face.kind == "action")
WORTH = {card: face.worth for card, face in CARDS.items() if face.kind == "treasure"}
