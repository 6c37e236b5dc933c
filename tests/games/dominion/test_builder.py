"""The builder beats all simpler bots, sends nothing that cannot be, and ends no game that it would lose."""

from collections.abc import Sequence
from math import sqrt
from statistics import fmean

import pytest

from parlour.core import Dice, Event, Place
from parlour.games.dominion import bots, builder
from parlour.games.dominion.builder import Builder
from parlour.games.dominion.rules import State
from parlour.games.dominion.values import Buy, CutShort, Gained, Options, Play, Wasted
from tests.games.dominion.simulate import Bot, play_many, play_out

GAMES = 96


class Careful(Builder):
    """Whatever it sends is carried out to the letter, or the test fails."""

    def sit(self, place: Place) -> None:
        super().__init__()
        self._seat = place.seat

    def event(self, seen: Event) -> None:
        assert not (isinstance(seen, CutShort | Wasted) and seen.seat == self._seat)
        super().event(seen)


def win_share(one: Bot, other: Bot, seats: int, games: int) -> float:
    """Of one against all others, going round the seats."""
    return fmean(ending.share(0) for ending in play_many((one, *(other,) * (seats - 1)), games))


FIGURES = {
    "random": (bots.random, (1.00, 1.00, 0.99)),
    "money": (bots.money, (0.99, 0.97, 0.92)),
    "militia": (bots.militia, (0.93, 0.87, 0.68)),
    "smithy": (bots.smithy, (0.89, 0.83, 0.53)),
    "bigmoney": (bots.bigmoney, (0.94, 0.95, 0.88)),
    "bigsmithy": (bots.bigsmithy, (0.75, 0.75, 0.42)),
    "bigmilitia": (bots.bigmilitia, (0.76, 0.70, 0.55)),
}
"""What it won with 2, 3 and 4 seats in 2400, 1200 and 1200 games, give or take 0.014 at most."""


QUICK = ("bigmoney", "bigsmithy")
"""The bots that it is compared with in every run; the others are for `make slow`."""


@pytest.mark.parametrize(
    ("other", "figures"),
    [pytest.param(*FIGURES[name], id=name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in FIGURES],
)
def test_wins_as_much_as_it_did(other: Bot, figures: Sequence[float]) -> None:
    """Give or take three standard errors; every floor is above what is due to an equal."""
    for seats, figure in enumerate(figures, 2):
        floor = figure - 0.01 - 3 * sqrt(figure * (1 - figure) / GAMES)
        assert win_share(Careful(), other, seats, GAMES) >= floor > 1 / seats, f"{seats} seats"


def strength() -> float:
    """What it wins from the best of the others: 0.65, give or take 0.02."""
    return fmean(
        win_share(Careful(), other, seats, GAMES) for other in (bots.bigsmithy, bots.bigmilitia) for seats in (2, 3, 4)
    )


@pytest.mark.slow
def test_a_worse_builder_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here one that keeps its coppers from the cellar, which makes 0.50."""
    assert strength() > 0.58
    monkeypatch.setattr(builder, "JUNK", ("province", "duchy", "estate", "curse"))
    assert strength() < 0.58


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize(
    "other", [Careful, lambda: bots.random, lambda: bots.bigsmithy], ids=["itself", "random", "smithy"]
)
def test_ends_no_game_that_it_loses(other: Bot, seats: int) -> None:
    for game in range(60):
        players = [Careful() if seat == game % seats else other() for seat in range(seats)]
        state = play_out(players, f"ends {game}")
        result = state.result()
        assert result is not None
        assert result.ranks[state.turn] == 1 or not isinstance(players[state.turn], Builder), f"game {game}"


# Positions


def last_turn(gold: int, lead: int, **supply: int) -> tuple[State, Builder]:
    """Seat 0 has so much gold in hand, and one more duchy than the other for each of its lead."""
    state, bot = State.new(2, Options(), None, Dice(b"last turn")), Builder()
    state.supply.update(supply)
    state.holdings[0].hand = ["gold"] * gold
    state.holdings[0].owned["gold"] = gold
    for _ in range(abs(lead)):
        bot.event(Gained(0 if lead > 0 else 1, "duchy"))
    return state, bot


def decision(state: State, bot: Builder) -> Play | Buy:
    answer = bot(state.view(0), state.asks()[0], Dice(b""))
    assert isinstance(answer, Play | Buy)
    return answer


@pytest.mark.parametrize(("lead", "bought"), [(1, "province"), (-1, "province"), (-2, "duchy"), (-3, "duchy")])
def test_the_last_province_is_bought_only_to_win(lead: int, bought: str) -> None:
    """With two duchies less the province makes it a tie, which goes to the other for having had fewer turns."""
    assert decision(*last_turn(3, lead, province=1)) == Buy((bought,))


@pytest.mark.parametrize(("lead", "bought"), [(0, ("estate",)), (-1, ())])
def test_neither_is_the_last_card_of_a_third_pile(lead: int, bought: tuple[str, ...]) -> None:
    assert decision(*last_turn(1, lead, province=3, duchy=0, curse=0, estate=1)) == Buy(bought)


def test_a_remodel_does_not_end_the_game_either() -> None:
    state, bot = last_turn(0, 0, curse=0, moat=0, village=1, smithy=1, cellar=1)
    state.holdings[0].hand = ["remodel", "estate"]
    state.holdings[0].owned = {"remodel": 1, "estate": 1, "militia": 1}
    assert decision(state, bot) == Buy(())


def test_gold_becomes_a_province() -> None:
    state, bot = last_turn(1, 0)
    state.holdings[0].hand += ["remodel"]
    assert decision(state, bot) == Play("remodel", trash="gold", gain="province")
