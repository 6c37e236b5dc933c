"""The strategies, held to a slow and literal reading of their rules; and that no bot ever makes an illegal move."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from parlour.core import Dice, Result, Sitting
from parlour.games.maze import GAME, strategies
from parlour.games.maze.board import OPPOSITE, Board, Direction, slides
from parlour.games.maze.rules import State
from parlour.games.maze.strategies import choose, nearest_first, row_by_row
from parlour.games.maze.tiles import DEGREES
from parlour.games.maze.values import Ack, Decided, Hear, Move, Options, Pass, SetUp, Slide, Spot, TakeTurn
from parlour.referee.driver import drive
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match
from parlour.referee.transcript import Line, header, read_record
from tests.games.maze.tables import ACK, PASS, SEED, Plain, boards, crosses, fresh, moving, plain, play, table

FIVE = crosses(5, 5)

Order: TypeAlias = Callable[[Spot, int, int], list[Spot]]


# The literal reading


def riemann_order(goal: Spot, rows: int, columns: int) -> list[Spot]:  # RULES 8.1
    """The goal, then row by row from the top, each from left to right."""
    tiles = [(row, column) for row in range(rows) for column in range(columns)]
    return [goal] + [tile for tile in tiles if tile != goal]


def euclid_order(goal: Spot, rows: int, columns: int) -> list[Spot]:  # RULES 8.1, 8.2
    """The goal, then from the nearest to the farthest, ties by row and then by column."""

    def key(tile: Spot) -> tuple[int, int, int]:
        row, column = tile
        return (row - goal[0]) ** 2 + (column - goal[1]) ** 2, row, column

    return [goal, *sorted((tile for tile in riemann_order(goal, rows, columns) if tile != goal), key=key)]


def tried(rows: int, columns: int, last: Slide | None) -> Iterator[Slide]:  # RULES 8.3
    """Rows left and right, then columns up and down; none that undoes the last."""
    directions: tuple[Direction, ...]
    for lines, directions in ((rows, ("LEFT", "RIGHT")), (columns, ("UP", "DOWN"))):
        for index in range(0, lines, 2):
            for direction in directions:
                if last is None or last[0] != index or {last[1], direction} not in ({"LEFT", "RIGHT"}, {"UP", "DOWN"}):
                    yield index, direction


def literally(board: Plain, at: Spot, goal: Spot, last: Slide | None, order: Order) -> Move | Pass:  # RULES 8.5
    ways = []
    for (index, direction), degrees in product(tried(board.rows, board.columns, last), DEGREES):
        after, here = board.copy(), board.carried(at, index, direction)
        after.slide(index, direction, degrees)
        ways.append((index, direction, degrees, after.reachable(here) - {here}))
    for candidate in order(goal, board.rows, board.columns):
        for index, direction, degrees, reached in ways:
            if candidate in reached:
                return Move(index, direction, degrees, *candidate)
    return PASS


# Against it


class Task(Struct, frozen=True):
    """A board, where one stands, where one wants to go, and the last slide."""

    board: Board
    at: Spot
    goal: Spot
    last: Slide | None

    def cell(self, spot: Spot) -> int:
        return spot[0] * self.board.columns + spot[1]


@st.composite
def tasks(draw: st.DrawFn, sizes: list[tuple[int, int]]) -> Task:
    board = draw(boards(sizes))
    spots = st.tuples(st.integers(0, board.rows - 1), st.integers(0, board.columns - 1))
    at, goal = draw(spots), draw(spots)
    last = draw(st.none() | st.sampled_from(slides(board.rows, board.columns)))
    return Task(board, at, goal, last)


SMALL = [(2, 2), (4, 2), (2, 4), (3, 3), (3, 5), (5, 3), (2, 7), (4, 4), (1, 4), (4, 1), (1, 1)]
USUAL = [(7, 7), (5, 7), (6, 7), (11, 12)]


def agree(task: Task) -> None:
    before = task.board.copy()
    for ranked, order in ((row_by_row, riemann_order), (nearest_first, euclid_order)):
        chosen = choose(task.board, task.cell(task.at), task.cell(task.goal), task.last, ranked)
        assert chosen == literally(plain(task.board), task.at, task.goal, task.last, order)
    assert task.board == before  # looking is not touching


@settings(max_examples=300)
@given(tasks(SMALL))
def test_both_choose_as_the_rules_say_on_small_boards(task: Task) -> None:  # RULES 8
    agree(task)


@settings(max_examples=50)
@given(tasks(USUAL))
def test_both_choose_as_the_rules_say_on_usual_boards(task: Task) -> None:  # RULES 8
    agree(task)


@pytest.mark.parametrize("goal", [(0, 0), (1, 3), (2, 2), (4, 6)])
def test_the_order_of_candidates(goal: Spot) -> None:  # RULES 8.1, 8.2
    cell = goal[0] * 7 + goal[1]
    for ranked, order in ((row_by_row, riemann_order), (nearest_first, euclid_order)):
        assert [divmod(cell, 7) for cell in ranked(cell, 5, 7)] == order(goal, 5, 7)


def test_the_nearest_on_a_small_board() -> None:  # RULES 8.1, 8.2
    nearest = [divmod(cell, 3) for cell in nearest_first(4, 3, 3)]
    assert nearest == [(1, 1), (0, 1), (1, 0), (1, 2), (2, 1), (0, 0), (0, 2), (2, 0), (2, 2)]
    farther = [divmod(cell, 4) for cell in nearest_first(7, 2, 4)]
    assert farther == [(1, 3), (0, 3), (1, 2), (0, 2), (1, 1), (0, 1), (1, 0), (0, 0)]


def decisions(state: State) -> tuple[Any, Any]:
    """What riemann and euclid would do now."""
    [(seat, ask)] = state.asks().items()
    view, dice = state.view(seat), Dice(SEED)
    return strategies.riemann(view, ask, dice), strategies.euclid(view, ask, dice)


def both(words: str) -> tuple[Move, Move]:
    return moving(words), moving(words)


def test_the_goal_by_the_first_slide_that_will_do() -> None:  # RULES 8.1, 8.3, 8.4
    assert decisions(table(FIVE, homes="1,1", goals="3,3")) == both("row 0 left to 3,3")


def test_a_slide_that_would_undo_is_left_out() -> None:  # RULES 8.3
    for last, words in [
        ((0, "RIGHT"), "row 0 right to 3,3"),
        ((0, "LEFT"), "row 0 left to 3,3"),
        ((0, "DOWN"), "row 0 left to 3,3"),
    ]:
        assert decisions(table(FIVE, homes="1,1", goals="3,3", last=last)) == both(words)  # type: ignore[arg-type]


def test_the_turn_that_opens_the_way() -> None:  # RULES 8.4
    # From 1,0 one comes to 0,1 only if at 0,0 between them a tile is open down and right, and the next to the left.
    state = table("─││ │││ │││", homes="1,1", goals="1,1", at="1,0", spare="┘")
    state.players[0].goal = 1
    assert decisions(state) == both("row 0 right turning 180 to 0,1")


def test_with_the_goal_out_of_reach_they_part() -> None:  # RULES 8.1
    # Up and down column 1 only, and the goal is at 3,3.
    state = table("│││││ " * 5, homes="1,1", goals="3,3", at="1,1", spare="│")
    assert decisions(state) == (moving("row 0 left to 0,1"), moving("row 0 left to 3,1"))


def test_ties_go_by_row_then_by_column() -> None:  # RULES 8.2
    # The goal is the tile one stands on, so a neighbour has to do, and all four are as near.
    assert decisions(table(FIVE, homes="3,3", goals="3,3"))[1] == moving("row 0 left to 2,3")
    assert decisions(table("│││││ " * 5, homes="3,3", goals="3,3", spare="│"))[1] == moving("row 0 left to 2,3")
    assert decisions(table("───── " * 5, homes="3,3", goals="3,3", spare="│")) == (
        moving("row 0 left to 3,0"),
        moving("row 0 left to 3,2"),
    )


def test_never_where_one_stands_after_the_slide() -> None:  # RULES 8.5
    # At 0,0 with the goal 0,1: pushing row 0 to the right carries one there, which is no walk.
    state = table("│││ │││ │││", homes="1,1", goals="1,1", at="0,0", spare="│")
    state.players[0].goal = 1
    assert decisions(state) == both("column 0 up to 0,0")


def test_back_to_where_one_was_if_one_was_carried_away() -> None:  # RULES 3.5, 8.5
    state = table(crosses(3, 3), homes="1,1", goals="1,1", at="0,0")
    state.players[0].goal = 0
    assert decisions(state) == both("row 0 left to 0,0")


def test_they_pass_when_nothing_is_to_be_done() -> None:  # RULES 3.1, 8.5
    state = table("│││ │─│ │││", homes="1,1", goals="1,1", spare="│")
    assert decisions(state) == (PASS, PASS)
    assert strategies.random(state.view(0), TakeTurn(), Dice(SEED)) == PASS


def test_a_move_that_only_the_undo_would_make_is_a_pass() -> None:  # RULES 8.3, 8.5
    rows = "└││ │─│ │││"  # column 0 down brings the corner beside 1,1
    state = table(rows, homes="1,1", goals="1,1", spare="│")
    assert decisions(state) == (moving("column 0 down to 0,0"), moving("column 0 down to 1,0"))
    assert decisions(table(rows, homes="1,1", goals="1,1", spare="│", last=(0, "UP"))) == (PASS, PASS)


@pytest.mark.parametrize("bot", GAME.hosting.bots.values())
def test_set_up_and_end_are_heard(bot: Any) -> None:  # RULES 6.2
    view = fresh(2).view(0)
    bot = bot() if isinstance(bot, type) else bot
    assert bot(view, SetUp(goal=(1, 1), whole=True), Dice(SEED)) == Ack()
    assert bot(view, Hear(won=True), Dice(SEED)) == Ack()


def test_they_go_for_their_own_goal_from_their_own_place() -> None:  # RULES 8
    state = table(FIVE, homes="1,1 3,3", goals="1,3 3,1", at="1,1 1,1")
    assert decisions(state) == both("row 0 left to 3,1")
    play(state, "1 passes")
    assert decisions(state) == both("row 0 left to 1,3")


def test_they_do_not_see_the_dice() -> None:  # RULES 8
    state = fresh(4)
    for seat in range(4):
        state.play(seat, ACK)
    for bot in (strategies.riemann, strategies.euclid):
        assert len({bot(state.view(3), TakeTurn(), Dice(bytes([n]))) for n in range(5)}) == 1


def test_the_random_one_goes_everywhere_and_sometimes_passes() -> None:  # RULES 8.6
    state = table("┼┼ ┼┼", homes="1,1", goals="1,1")
    chosen = [strategies.random(state.view(0), TakeTurn(), Dice(bytes([n, k]))) for n in range(8) for k in range(200)]
    moves = {(move.index, move.direction, move.row, move.column) for move in chosen if isinstance(move, Move)}
    assert {move[:2] for move in moves} == set(slides(2, 2)) and {move[2:] for move in moves} == {
        (0, 0),
        (0, 1),
        (1, 0),
    }
    assert 40 < chosen.count(PASS) < 130  # 80 on the average


# Whole games


def played(names: list[str], seed: bytes, options: Options) -> tuple[Match[Any], list[bytes]]:
    """A whole match, and its transcript."""
    match: Match[Any] = Match(GAME, header(GAME, [Sitting(name) for name in names], seed, options=options), seed)
    lines: list[bytes] = []
    drive(match, [GAME.hosting.bots[name] for name in names], MemoryLog(lines))
    return match, lines


@pytest.mark.parametrize("bots", ["riemann euclid", "euclid random euclid", "random random random", "riemann random"])
@pytest.mark.parametrize("size", [(7, 7), (3, 5), (2, 4), (6, 5), (9, 2)])
def test_no_bot_ever_makes_an_illegal_move(bots: str, size: tuple[int, int]) -> None:  # RULES 3, 8
    rows, columns = size
    names = bots.split()[: (rows // 2) * (columns // 2)]
    options = Options(rows=rows, columns=columns, goals_per_player=2, round_cap=40)
    for number in range(3):
        match, lines = played(names, f"{bots} {size} {number}".encode(), options)
        assert isinstance(match.end, Result) and match.gone == {} and min(match.end.ranks) == 1
        records = [read_record(raw, n) for n, raw in enumerate(lines, start=1)]
        assert not any(record.fault for record in records if isinstance(record, Line))
        assert len(lines) <= GAME.rules.bound(len(names), options) + 2


def test_two_who_know_the_way_come_home() -> None:  # RULES 4, 5.1
    ends = []
    for number in range(8):
        state = fresh(2, seed=bytes([number]), rows=5, columns=5)
        while state.result() is None:
            seat, ask = next(iter(state.asks().items()))
            assert seat is not None
            bot = GAME.hosting.bots["euclid" if seat else "riemann"]
            events = state.play(seat, bot(state.view(seat), ask, Dice(SEED)))
            ends += [event.why for event in events if isinstance(event, Decided)]
    assert len(ends) == 8 and ends.count("home") > 4


@settings(max_examples=30)
@given(st.integers(0, 1 << 30))
def test_every_choice_of_theirs_is_legal(number: int) -> None:  # RULES 8.5
    state = fresh(3, seed=str(number).encode(), rows=2 + number % 5, columns=6 + number % 7)
    for turn in range(20):
        if state.view(None).phase in ("end", "over"):
            break
        seat, ask = next(iter(state.asks().items()))
        bot = list(GAME.hosting.bots.values())[(turn + number) % 3]
        state.play(seat, bot(state.view(seat), ask, Dice(bytes([turn]))))


def test_the_literal_reading_skips_what_the_board_calls_the_opposite() -> None:  # RULES 3.6, 8.3
    for last in slides(5, 7):
        left_out = set(slides(5, 7)) - set(tried(5, 7, last))
        assert left_out == {(last[0], OPPOSITE[last[1]])}
    assert tuple(tried(5, 7, None)) == slides(5, 7)
