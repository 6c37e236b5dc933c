"""The strategy that thinks about the others: it is better than those that do not, and guesses where they go."""

from typing import Any

import pytest

from parlour.core import Dice, Place, Result, Sitting
from parlour.games import game
from parlour.games.maze.nash import Nash, cell
from parlour.games.maze.strategies import board_of, euclid, random, riemann, ways
from parlour.games.maze.values import Ack, Options, SetUp, TakeTurn, View
from parlour.referee.driver import drive
from parlour.referee.match import Match
from parlour.referee.transcript import header

MAZE = game("maze")


def played(bots: list[Any], number: int, options: Options | None = None) -> tuple[Result, Match[Any]]:
    seed = f"nash {number}".encode()
    sittings = [Sitting(f"player {seat}") for seat in range(len(bots))]
    match: Match[Any] = Match(MAZE, header(MAZE, sittings, seed, options=options), seed)
    end = drive(match, bots)
    assert isinstance(end, Result)
    return end, match


def share(against: Any, seats: int, games: int) -> float:
    """Of all wins, with its seat rotated and every deal played from every seat; a tie is shared."""
    won = 0.0
    for number in range(games):
        seat = number % seats
        bots = [against] * seats
        bots[seat] = Nash()
        end, match = played(bots, number // seats)
        assert not match.gone, "somebody made an illegal move"
        won += (end.ranks[seat] == 1) / end.ranks.count(1)
    return won / games


@pytest.mark.parametrize(
    ("against", "seats", "games", "least"),
    [(euclid, 2, 60, 0.65), (riemann, 2, 30, 0.65), (random, 2, 10, 0.95), (euclid, 3, 60, 0.42)],
    ids=["euclid", "riemann", "random", "two of euclid"],
)
def test_it_is_better_than_those_that_do_not_think_of_others(
    against: Any, seats: int, games: int, least: float
) -> None:
    assert share(against, seats, games) >= least


@pytest.mark.parametrize(
    "options",
    [Options(goals_per_player=3), Options(extra_goals=4), Options(rows=4, columns=9), Options(rows=12, columns=5)],
    ids=["three goals each", "extra goals", "4 by 9", "12 by 5"],
)
def test_it_plays_every_kind_of_game_without_a_fault(options: Options) -> None:
    for number in range(2):
        _, match = played([Nash(), euclid, Nash(), random], number, options)
        assert not match.gone


def seated(number: int) -> tuple[Any, Nash]:
    """A state of two players with our bot at seat 0, who moves second, and has seen the board."""
    state = MAZE.rules.new(2, Options(), None, Dice(f"nash {number}".encode()))
    bot = Nash()
    bot.sit(Place("maze", "m", 0, ("nash", "other"), Options(), ""))
    view, ask = state.view(0), state.asks()[0]
    assert isinstance(view, View) and isinstance(ask, SetUp) and bot(view, ask, Dice(b"")) == Ack()
    for seat in (0, 1):
        state.play(seat, Ack())
    return state, bot


def test_a_player_that_has_walked_to_a_treasure_is_thought_to_go_home() -> None:
    arrived = 0
    for number in range(30):
        state, bot = seated(number)
        goal = state.players[1].goal
        for event in state.play(1, euclid(state.view(1), TakeTurn(), Dice(b""))):
            bot.event(event)
        if state.players[1].at != goal:
            continue
        arrived += 1
        state.play(1, Ack())
        bot(state.view(0), TakeTurn(), Dice(b""))
        likely = bot._guesses[1]
        assert likely[state.players[1].home] == max(likely.values()) and likely[goal] == 0
    assert arrived > 10


def test_where_somebody_could_have_gone_and_did_not_is_hardly_the_goal() -> None:
    shunned = 0
    for number in range(10):
        state, bot = seated(number)
        view = state.view(1)
        home, could = cell(view.avatars[1].home, 7), 0
        for _, _, cells in ways(board_of(view), home, None):
            could |= cells
        for event in state.play(1, euclid(view, TakeTurn(), Dice(b""))):
            bot.event(event)
        bot(state.view(0), TakeTurn(), Dice(b""))
        for tile, likely in bot._guesses[1].items():
            if could >> tile & 1 and tile not in (home, state.players[1].at):
                shunned += 1
                assert likely < 0.02
    assert shunned > 20
