"""Many games of simple bots against figures that were measured with simulators written apart from these rules.

A figure of ours may be off by so many standard errors of both measurements, and by half a unit of the last digit that
was noted down. That this is not too much is shown with rules that are wrong on purpose.
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

GAMES = 1600
ERRORS = 4


class Line(NamedTuple):
    """What was measured of some players, the first of them at seat 0 unless seats alternate."""

    players: Sequence[Bot]
    wins: Sequence[float]
    """Won alone, by player; what is missing from 1 are ties."""
    turns: float
    """Of seat 0."""
    unit: float = 0.01
    """The last digit of `turns`."""
    scores: Sequence[float] = ()
    alternate: bool = False
    games: int = 20_000


def shopper(action: str, most: int, duchies: bool = False) -> Bot:
    shopping = bots.late_green if duchies else bots.naive
    return bots.shopper(bots.with_actions(shopping, action, most), action)


NAIVE = Line((bots.money,) * 2, (0.240, 0.428), 17.37, scores=(27.6, 26.4))
SMITHY = Line((bots.money, bots.smithy), (0.126, 0.603), 16.42, alternate=True)
MILITIA = Line((bots.money, bots.militia), (0.163, 0.566), 18.2, unit=0.1, alternate=True)
LINES = {
    "naive": NAIVE,
    "smithy": SMITHY,
    "militia": MILITIA,
    "three naive": Line((bots.money,) * 3, (0.278, 0.215, 0.267), 17.5, unit=0.1, games=10_000),
    "four naive": Line((bots.money,) * 4, (0.237, 0.189, 0.161, 0.185), 15.2, unit=0.1, games=10_000),
    "three with duchies": Line((bots.bigmoney,) * 3, (0.349, 0.289, 0.254), 17.9, unit=0.1, games=10_000),
    "four with duchies": Line((bots.bigmoney,) * 4, (0.268, 0.213, 0.192, 0.181), 15.4, unit=0.1, games=10_000),
    "duchies": Line((bots.bigmoney,) * 2, (0.516, 0.420), 19.56, scores=(36.8, 35.5)),
    # These from a second simulator, which also repeats the naive lines above; the two are not quite of one mind here.
    "duchies again": Line((bots.bigmoney,) * 2, (0.509, 0.413), 19.37, scores=(37.2, 35.9)),
    "naive and duchies": Line((bots.money, bots.bigmoney), (0.163, 0.806), 17.93, alternate=True),
    "duchies and smithy": Line(
        (bots.bigmoney, shopper("smithy", 1, duchies=True)), (0.238, 0.705), 18.86, alternate=True
    ),
    "duchies and two militias": Line(
        (bots.bigmoney, shopper("militia", 2, duchies=True)), (0.196, 0.754), 20.89, alternate=True
    ),
}


@pytest.mark.parametrize("line", LINES.values(), ids=LINES)
def test_games_come_out_as_measured(line: Line) -> None:
    assert not misfits(line, GAMES)


def misfits(line: Line, games: int) -> list[str]:
    """All in which our games differ from what was measured."""
    endings = play_many(line.players, games, rotate=line.alternate)
    everybody = range(len(line.players))
    found = [differs(f"{player} wins", alone(endings, player), line.wins[player], 0.001, line) for player in everybody]
    ties = [float(len(ending.winners) > 1) for ending in endings]
    found.append(differs("ties", ties, 1 - sum(line.wins), 0.003, line))
    found.append(differs("turns", [ending.first_turns for ending in endings], line.turns, line.unit, line))
    for player, score in enumerate(line.scores):
        found.append(differs(f"{player} scores", [ending.scores[player] for ending in endings], score, 0.1, line))
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


@pytest.mark.parametrize(
    ("bot", "turns"),
    [
        (bots.money, (8.71, 11.74, 14.36, 16.81)),
        (bots.smithy, (6.84, 9.81, 12.46, 14.91)),
        (shopper("smithy", 2), (7.24, 10.06, 12.56, 14.91)),
        (bots.militia, (8.71, 11.72, 14.33, 16.76)),
    ],
    ids=["naive", "smithy", "two smithies", "militia"],
)
def test_how_soon_provinces_come_when_nobody_disturbs(bot: Bot, turns: Sequence[float]) -> None:
    provinces = []
    for game in range(800):
        onlooker = Onlooker()
        play_out((onlooker, bot), f"alone {game}")
        provinces.append(onlooker.provinces)
    for ours, theirs in zip(zip(*provinces, strict=True), turns, strict=False):
        assert not differs("a province comes", ours, theirs, 0.01, NAIVE)


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


# Wrong rules are noticed, even in fewer games

FEWER = 600


def test_no_tie_break_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(State, "result", with_turns(lambda turns: [0 for _ in turns]))
    assert misfits(NAIVE, FEWER)


def test_a_tie_break_the_wrong_way_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(State, "result", with_turns(lambda turns: [-turn for turn in turns]))
    assert misfits(NAIVE, FEWER)


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
    assert not misfits(line, FEWER)
    monkeypatch.setitem(CARDS, card, replace(CARDS[card], **face))
    assert misfits(line, FEWER)


def test_a_turn_more_for_the_others_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in games that end only when all have had the same number of turns."""
    next_turn = State._next_turn

    def wrong(state: State, events: list[Event]) -> None:
        if state.turn == state.seats - 1 or state.supply["province"]:
            next_turn(state, events)
        else:
            state._begin_turn(state.turn + 1, events)

    monkeypatch.setattr(State, "_next_turn", wrong)
    assert misfits(NAIVE, FEWER)


def test_cards_that_are_only_cut_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def cut(dice: Dice, cards: list[Any]) -> None:
        place = dice.below(len(cards))
        cards[:] = cards[place:] + cards[:place]

    monkeypatch.setattr(Dice, "shuffle", cut)
    assert unequal_openings_differ(FEWER)
