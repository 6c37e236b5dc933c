"""Many games of simple bots against figures that were measured with simulators written apart from these rules.

A figure of ours may be off by so many standard errors of both measurements, and by half a unit of the last digit that
was noted down. That this is not too much is shown with rules that are wrong on purpose. The long runs are `slow`.
"""

from collections.abc import Callable, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from parlour.core import Dice, Event, Result
from parlour.games.dominion import bots
from parlour.games.dominion.cards import CARDS
from parlour.games.dominion.rules import State
from parlour.games.dominion.values import AnswerAttack, CleanUp, Gained, Options, TakeTurn, TurnBegan, View
from tests.games.dominion.simulate import Bot, Ending, play_many, play_out

pytestmark = pytest.mark.timeout(900)  # the long runs take half a minute each, on a machine that is not busy

GAMES = 600
LONG_GAMES = 20_000
ERRORS = 4


class Line(NamedTuple):
    """What was measured of some players, the first of them at seat 0 unless seats alternate."""

    players: Sequence[Bot]
    wins: Sequence[float]
    """Won alone, by player; what is missing from 1 are ties."""
    turns: float | None = None
    """Of seat 0; None where they were not noted down."""
    unit: float = 0.01
    """The last digit of `turns`."""
    scores: Sequence[float] = ()
    alternate: bool = False
    games: int = 20_000
    score_unit: float = 0.1
    win_unit: float = 0.001


def shopper(action: str, most: int, duchies: bool = False) -> Bot:
    shopping = bots.late_green if duchies else bots.naive
    return bots.shopper(bots.with_actions(shopping, action, most), action)


NAIVE = Line((bots.money,) * 2, (0.240, 0.428), 17.37, scores=(27.6, 26.4))
SMITHY = Line((bots.money, bots.smithy), (0.126, 0.603), 16.42, alternate=True)
MILITIA = Line((bots.money, bots.militia), (0.163, 0.566), 18.2, unit=0.1, alternate=True)
DUCHIES = Line(
    (bots.bigmoney,) * 2,
    (0.5155, 0.4108),
    19.32,
    scores=(37.19, 35.79),
    games=40_000,
    score_unit=0.01,
    win_unit=0.0001,
)
LINES = {
    "naive": NAIVE,
    "smithy": SMITHY,
    "two smithies": Line((bots.money, shopper("smithy", 2)), (0.143, 0.602), alternate=True),
    "militia": MILITIA,
    "three naive": Line((bots.money,) * 3, (0.278, 0.215, 0.267), 17.5, unit=0.1, games=10_000),
    "four naive": Line((bots.money,) * 4, (0.237, 0.189, 0.161, 0.185), 15.2, unit=0.1, games=10_000),
    "three with duchies": Line((bots.bigmoney,) * 3, (0.349, 0.289, 0.254), 17.9, unit=0.1, games=10_000),
    "four with duchies": Line((bots.bigmoney,) * 4, (0.268, 0.213, 0.192, 0.181), 15.4, unit=0.1, games=10_000),
    "duchies": DUCHIES,
    "naive and duchies": Line((bots.money, bots.bigmoney), (0.165, 0.804), alternate=True),
    "duchies and smithy": Line((bots.bigmoney, bots.bigsmithy), (0.238, 0.705), 18.86, alternate=True),
    "duchies and two militias": Line((bots.bigmoney, bots.bigmilitia), (0.199, 0.752), 20.92, alternate=True),
    "two smithies and a militia": Line(
        (shopper("smithy", 2, duchies=True), shopper("militia", 1, duchies=True)), (0.527, 0.410), alternate=True
    ),
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_games_come_out_as_measured(line: Line) -> None:
    assert not misfits(line, GAMES)


@pytest.mark.slow
def test_with_duchies_it_takes_19_32_turns_and_not_19_56() -> None:
    """The second is for bots that buy nothing where the pile that they want is empty: see below."""
    endings = play_many(DUCHIES.players, 10_000, rotate=False)
    assert not misfits_in(endings, DUCHIES)
    assert differs("turns", [ending.first_turns for ending in endings], 19.56, 0.01, DUCHIES)


@pytest.mark.slow
@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_many_games_come_out_as_measured(line: Line) -> None:
    assert not misfits(line, max(LONG_GAMES, line.games))


def misfits(line: Line, games: int) -> list[str]:
    """All in which our games differ from what was measured."""
    return misfits_in(play_many(line.players, games, rotate=line.alternate), line)


def misfits_in(endings: Sequence[Ending], line: Line) -> list[str]:
    everybody = range(len(line.players))
    found = [
        differs(f"{player} wins", alone(endings, player), line.wins[player], line.win_unit, line)
        for player in everybody
    ]
    ties = [float(len(ending.winners) > 1) for ending in endings]
    found.append(differs("ties", ties, 1 - sum(line.wins), 3 * line.win_unit, line))
    if line.turns is not None:
        found.append(differs("turns", [ending.first_turns for ending in endings], line.turns, line.unit, line))
    for player, score in enumerate(line.scores):
        scored = [ending.scores[player] for ending in endings]
        found.append(differs(f"{player} scores", scored, score, line.score_unit, line))
    return [misfit for misfit in found if misfit]


def alone(endings: Sequence[Ending], player: int) -> list[float]:
    return [float(ending.winners == (player,)) for ending in endings]


def differs(what: str, ours: Sequence[float], theirs: float, unit: float, line: Line) -> str | None:
    """None if both can be the same, for all that two measurements can tell."""
    allowed = ERRORS * stdev(ours) * sqrt(1 / len(ours) + 1 / line.games) + unit / 2
    off = fmean(ours) - theirs
    return f"{what}: {fmean(ours):.3f}, not {theirs:.3f}" if abs(off) > allowed else None


# Alone


class Onlooker:
    """Does nothing, and notes in which of its own turns the other gains each province."""

    def __init__(self) -> None:
        self.turn = 0
        self.provinces: list[int] = []

    def event(self, seen: Event) -> None:
        match seen:
            case TurnBegan(turn=turn):
                self.turn = turn
            case Gained(card="province"):
                self.provinces.append(self.turn)

    def __call__(self, view: View, ask: TakeTurn | AnswerAttack, dice: Dice) -> Any:
        return bots.keep_the_best(view, ask) if isinstance(ask, AnswerAttack) else CleanUp()


ALONE: dict[str, tuple[Bot, Sequence[float]]] = {
    "naive": (bots.money, (8.71, 11.74, 14.36, 16.81)),
    "smithy": (bots.smithy, (6.84, 9.81, 12.46, 14.91)),
    "two smithies": (shopper("smithy", 2), (7.24, 10.06, 12.56, 14.91)),
    "militia": (bots.militia, (8.71, 11.72, 14.33, 16.76)),
}


@pytest.mark.parametrize(("bot", "turns"), ALONE.values(), ids=ALONE)
def test_how_soon_provinces_come_when_nobody_disturbs(bot: Bot, turns: Sequence[float]) -> None:
    assert not early_or_late(bot, turns, 400)


@pytest.mark.slow
@pytest.mark.parametrize(("bot", "turns"), ALONE.values(), ids=ALONE)
def test_how_soon_provinces_come_in_many_games(bot: Bot, turns: Sequence[float]) -> None:
    assert not early_or_late(bot, turns, LONG_GAMES)


def early_or_late(bot: Bot, turns: Sequence[float], games: int) -> list[str]:
    provinces = []
    for game in range(games):
        onlooker = Onlooker()
        play_out((onlooker, bot), f"alone {game}")
        provinces.append(onlooker.provinces)
    pairs = zip(zip(*provinces, strict=True), turns, strict=False)
    found = [differs("a province comes", ours, theirs, 0.01, NAIVE) for ours, theirs in pairs]
    return [misfit for misfit in found if misfit]


def test_one_opening_in_six_is_five_and_two() -> None:
    """Of ten cards three are no coppers: both hands are alike or nearly so, but if one hand has all three."""
    assert not unequal_openings_differ(6000)


def unequal_openings_differ(games: int) -> str | None:
    openings = [float(opening(game) in [(5, 2), (2, 5)]) for game in range(games)]
    exact = NAIVE._replace(games=10**9)
    return differs("five and two", openings, 1 / 6, 0, exact)


def opening(game: int) -> tuple[int, int]:
    """The money of seat 0 in its first two turns."""
    state = State.new(2, Options(), None, Dice(b"opening %d" % game))
    first = bots.money_of(state.view(0))
    state.play(0, CleanUp())
    return first, bots.money_of(state.view(0))


# Wrong rules are noticed in as many games


@pytest.mark.slow
def test_bots_that_buy_nothing_in_place_of_an_empty_pile_would_be_noticed() -> None:
    """They take a quarter of a turn longer, and win nearly as often."""

    def shopping(view: View, money: int) -> str | None:
        twin = replace(view, supply={**view.supply, "duchy": 1, "estate": 1})
        card = bots.late_green(twin, money)
        return card if card is None or view.supply[card] else None

    stubborn = DUCHIES._replace(players=(bots.shopper(shopping),) * 2)
    assert any(misfit.startswith("turns") for misfit in misfits(stubborn, LONG_GAMES))


def test_no_tie_break_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(State, "result", with_turns(lambda turns: [0 for _ in turns]))
    assert misfits(NAIVE, GAMES)


def test_a_tie_break_the_wrong_way_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(State, "result", with_turns(lambda turns: [-turn for turn in turns]))
    assert misfits(NAIVE, GAMES)


def with_turns(wrong: Callable[[list[int]], list[int]]) -> Callable[[State], Result | None]:
    right = State.result

    def result(state: State) -> Result | None:
        twin = state.copy()
        twin.turns = wrong(state.turns)
        return right(twin)

    return result


@pytest.mark.parametrize(
    ("card", "face", "line"), [("militia", {"effect": None}, MILITIA), ("smithy", {"cards": 2}, SMITHY)]
)
def test_a_weaker_card_would_be_noticed(
    card: str, face: dict[str, Any], line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not misfits(line, GAMES)
    monkeypatch.setitem(CARDS, card, replace(CARDS[card], **face))
    assert misfits(line, GAMES)


def test_a_turn_more_for_the_others_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in games that end only when all have had the same number of turns."""
    next_turn = State._next_turn

    def wrong(state: State, events: list[Event]) -> None:
        if state.turn == state.seats - 1 or state.supply["province"]:
            next_turn(state, events)
        else:
            state._begin_turn(state.turn + 1, events)

    monkeypatch.setattr(State, "_next_turn", wrong)
    assert misfits(NAIVE, GAMES)


def test_cards_that_are_only_cut_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def cut(dice: Dice, cards: list[Any]) -> None:
        place = dice.below(len(cards))
        cards[:] = cards[place:] + cards[:place]

    monkeypatch.setattr(Dice, "shuffle", cut)
    assert unequal_openings_differ(GAMES)
