"""A bot that first builds a deck it can draw completely every turn, then buys provinces, often two at once."""

from collections import Counter
from collections.abc import Iterator

from mypy_extensions import mypyc_attr

from parlour.core import Dice, Event, Seat
from parlour.games.dominion.bots import CLEAN_UP, Answer, keep_the_best, money_of
from parlour.games.dominion.cards import CARDS
from parlour.games.dominion.values import AnswerAttack, Buy, Gained, Play, TakeTurn, Trashed, View

TERMINALS = ("militia", "remodel", "smithy")
"""Cards that use up an action and give none, so each needs a village."""
JUNK = ("province", "duchy", "estate", "curse", "copper")
"""Cards to discard with a cellar: even a copper is worth less than a card from a good deck."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Builder:
    """Counts points from public events, and so knows whether it would win if the game ended now."""

    def __init__(self) -> None:
        self._points: Counter[Seat] = Counter()
        """Points gained since the start, when all seats are equal."""

    def event(self, seen: Event) -> None:
        match seen:
            case Gained(seat=seat, card=card):
                self._points[seat] += CARDS[card].points
            case Trashed(seat=seat, card=card):
                self._points[seat] -= CARDS[card].points

    def __call__(self, view: View, ask: TakeTurn | AnswerAttack, dice: Dice) -> Answer:
        if isinstance(ask, AnswerAttack):
            return keep_the_best(view, ask)
        if ask.actions and (play := next_play(view, ask.actions)):
            return play
        return Buy(tuple(self._shopping(view, ask.buys))) if ask.buys else CLEAN_UP

    def _shopping(self, view: View, buys: int) -> Iterator[str]:
        """The best affordable card for each buy, but none that ends the game unless the bot wins."""
        supply, owned, money, points = view.supply.copy(), Counter(view.owned), money_of(view), 0
        for _ in range(buys):
            for card in wishes(supply, owned):
                cost, more = CARDS[card].cost, points + CARDS[card].points
                if supply.get(card) and cost <= money and (not ends(supply, card) or self._wins(view, more)):
                    supply[card] -= 1
                    owned[card] += 1
                    money, points = money - cost, more
                    yield card
                    break

    def _wins(self, view: View, more: int) -> bool:
        """Whether this many more points win; fewer turns break a tie."""
        merits = [(self._points[seat], -area.turns) for seat, area in enumerate(view.areas)]
        points, turns = merits.pop(view.turn)
        return (points + more, turns) >= max(merits)


def ends(supply: dict[str, int], card: str) -> bool:
    """Whether taking this card from the supply ends the game."""
    empty = [kind for kind, left in supply.items() if left == (kind == card)]
    return "province" in empty or len(empty) >= 3


def wishes(supply: dict[str, int], owned: Counter[str]) -> Iterator[str]:
    """Cards to buy, best first. Provinces wait for the first gold: before that they only clog the deck."""
    if supply["province"] <= 3:
        yield from ("province", "duchy", "estate")
    else:
        if owned["gold"]:
            yield "province"
        yield from parts(owned)
        yield "gold"


def parts(owned: Counter[str]) -> Iterator[str]:
    """Cards that the deck still needs, most urgent first."""
    terminals = sum(owned[card] for card in TERMINALS)
    plan = (
        ("militia", 1),  # leaves the others with three cards every turn
        ("remodel", 1),  # turns estates into parts, and later gold into provinces
        ("market", 3),
        ("village", terminals),  # without it the next smithy could not be played
        ("smithy", 5),
        ("village", 9),  # better than silver, which draws nothing
        ("cellar", 1),
    )
    for card, most in plan:
        if owned[card] < most:
            yield card


def next_play(view: View, actions: int) -> Play | None:
    """First cards that give actions, then smithies to draw more of them; the last action is for an attack."""
    hand, me = view.hand, view.areas[view.turn]
    unseen, provinces = me.deck + me.discard, view.supply["province"]
    for card in ("village", "market"):
        if card in hand:
            return Play(card)
    junk = [card for card in hand if card in JUNK][:unseen]
    if "cellar" in hand and junk:
        return Play("cellar", discard=tuple(junk))
    if "smithy" in hand and unseen and (actions > 1 or "militia" not in hand):
        return Play("smithy")
    if "militia" in hand:
        return Play("militia")
    if "remodel" in hand and "gold" in hand and provinces > 1:
        return Play("remodel", trash="gold", gain="province")
    if "remodel" in hand and "estate" in hand and provinces > 3:
        for card in parts(Counter(view.owned)):
            if view.supply.get(card) and CARDS[card].cost <= 4 and not ends(view.supply, card):
                return Play("remodel", trash="estate", gain=card)
    return None
