"""Positions that are given are taken as they are (RULES 2.5): what no generated game has, and how it is played."""

import json
from typing import Any

import msgspec
import pytest

from parlour.commands.maze_check import played
from parlour.core import Dice, Join, Leave, Result, Sitting
from parlour.games import game
from parlour.games.maze.check import choose_move, slide
from parlour.games.maze.forms import Json, prepare, read_state
from parlour.games.maze.observer import referee_state
from parlour.games.maze.rules import State
from parlour.games.maze.source import Source
from parlour.games.maze.values import Ack, Decided, Options, Pass, Prepared, TakeTurn
from parlour.referee.driver import drive
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match
from parlour.referee.replay import verify
from parlour.referee.transcript import header
from tests.games.maze.tables import SEED, crosses, play, position, table

FIVE = crosses(5, 5)
MAZE = game("maze")

ODD: dict[str, Prepared] = {
    "homes and goals on tiles that move": position(FIVE, "0,0 2,3", "4,4 1,2"),
    "homes off the board": position(FIVE, "0,6 9,9", "1,3 3,1", at="1,1 3,3"),
    "goals off the board": position(FIVE, "1,1 3,3", "0,6 7,2"),
    "queued goals off the board": position(FIVE, "1,1 3,3", "1,3 3,1", queue="0,6 2,2 99,99"),
    "an odd last slide": position(FIVE, "1,1 3,3", "1,3 3,1", last=(1, "LEFT")),
    "a last slide off the board": position(FIVE, "1,1 3,3", "1,3 3,1", last=(8, "UP")),
    "a board without fixed tiles": position(crosses(1, 4), "0,0 0,3", "0,3 0,0", queue="0,1"),
}
PLAIN = position(FIVE, "1,1 3,3", "1,3 3,1")
ODD["equal colours"] = msgspec.structs.replace(
    PLAIN, players=tuple(msgspec.structs.replace(player, colour="red") for player in PLAIN.players)
)

each = pytest.mark.parametrize("start", ODD.values(), ids=ODD.keys())


def form(start: Prepared) -> Json:
    """What a referee's state looks like in a file."""
    return json.loads(json.dumps(referee_state(State.new(len(start.players), Options(), start, Dice(SEED)))))


@each
def test_read_and_written_as_they_are(start: Prepared) -> None:
    assert prepare(json.dumps(form(start))) == start
    assert read_state(form(start), goals=False).players[0].home == start.players[0].home


@each
@pytest.mark.parametrize("bot", MAZE.hosting.bots)
def test_every_bot_plays_from_them_and_the_transcript_holds(start: Prepared, bot: str) -> None:
    players = [Sitting("a"), Sitting("b")]
    match: Match[Any] = Match(MAZE, header(MAZE, players, SEED, options=Options(round_cap=30), start=start), SEED)
    lines: list[bytes] = []
    bots = [MAZE.hosting.bots[bot]() if bot == "nash" else MAZE.hosting.bots[bot] for _ in players]
    end = drive(match, bots, MemoryLog(lines))
    assert isinstance(end, Result) and not match.gone
    assert verify(b"".join(line + b"\n" for line in [*lines, match.reveal()]), game).holds == "yes"


@each
def test_nobody_learns_more_of_them(start: Prepared) -> None:
    state = State.new(2, Options(), start, Dice(SEED))
    for seat in (0, 1):
        state.play(seat, Ack())
    for seat in (0, 1):
        twin = state.redeal(seat, Dice(b"another"))
        assert twin.view(seat) == state.view(seat) and twin.asks() == state.asks()


@each
def test_the_course_s_test_programs_take_them(start: Prepared) -> None:
    assert choose_move(["Euclid", form(start), {"row#": 0, "column#": 9}]) != "PASS"
    assert slide([form(start), 0, "LEFT", 0])


@pytest.mark.parametrize("kind", ["homes and goals on tiles that move", "equal colours", "an odd last slide"])
def test_games_of_the_course_s_test_programs(kind: str) -> None:
    assert played([[["a", "Euclid"], ["b", "Riemann"]], form(ODD[kind])], True) == [["a"], []]


def test_a_goal_off_the_board_is_never_reached() -> None:
    """Were rows to run on, 0,6 would be 1,1."""
    state = table(FIVE, "1,3 3,3", "0,6 3,1", at="1,3 3,3")
    play(state, "1 passes", "0 slides row 4 left to 1,1")
    assert state.view(0).goal == (0, 6) and state.view(0).treasures == 0


def test_a_home_off_the_board_is_never_reached() -> None:
    state = table(FIVE, "0,6 3,3", "1,3 3,1", at="3,3 3,3")
    play(state, "1 passes", "0 slides row 4 left to 1,3", "0 hears", "1 passes")
    assert state.view(0).goal == (0, 6) and state.view(0).going_home
    play(state, "0 slides row 4 left to 1,1")
    assert state.winners is None and state.view(None).avatars[0].home == (0, 6)


def test_the_distance_to_a_goal_off_the_board_counts() -> None:
    """Were rows to run on, 0,9 would be 1,4, and nearer than the other's goal."""
    state = table(FIVE, "1,1 1,1", "0,9 3,3", at="1,3 1,3")
    [_, _, decided] = play(state, "1 passes", "0 passes")
    assert decided == Decided((1,), "passes")


def test_a_goal_stays_where_it_is_when_its_tile_slides() -> None:
    state = table(FIVE, "1,1 3,3", "0,2 3,1")
    play(state, "1 passes", "0 slides row 0 left to 0,2")
    assert state.view(0).treasures == 1


def test_a_goal_under_one_s_feet_can_be_reached_in_one_move_if_it_slides() -> None:  # RULES 4.5
    state = table(FIVE, "1,1 3,3", "0,2 3,1", at="0,2 3,3")
    play(state, "1 passes", "0 slides row 0 left to 0,2")
    assert state.view(0).treasures == 1


def test_euclid_goes_towards_a_goal_off_the_board() -> None:  # RULES 8.1
    given = form(position(FIVE, "1,1 3,3", "1,3 3,1"))
    assert choose_move(["Euclid", given, {"row#": 2, "column#": 9}]) == [0, "LEFT", 0, {"row#": 2, "column#": 4}]
    assert choose_move(["Riemann", given, {"row#": 2, "column#": 9}]) == [0, "LEFT", 0, {"row#": 0, "column#": 0}]


def test_equal_colours_are_told_apart_by_their_places() -> None:
    state = State.new(0, Options(), ODD["equal colours"], Dice(SEED))
    for name in ("a", "b"):
        state.play(None, Join(name))
    assert [avatar.at for avatar in state.view(None).avatars] == [(1, 1), (3, 3)]
    state.play(None, Leave(0, "quit"))
    state.play(None, Join("c"))
    assert [avatar.at for avatar in state.view(None).avatars[1:]] == [(3, 3), (1, 1)]


def test_for_a_goal_off_the_board_the_treasure_of_the_spare_is_told() -> None:  # RULES 9.6
    state = table(FIVE, "1,1 3,3", "0,6 1,1")
    told = [json.loads(Source()._registration(state.view(seat)))["body"]["treasure"] for seat in (0, 1)]
    assert told == [list(state.board.spare_gems), list(state.board.gems[6])]


def test_turns_after_an_odd_last_slide() -> None:
    state = State.new(2, Options(), ODD["an odd last slide"], Dice(SEED))
    for seat in (0, 1):
        state.play(seat, Ack())
    assert state.asks() == {1: TakeTurn()} and state.view(0).last == (1, "LEFT")
    state.play(1, Pass())
