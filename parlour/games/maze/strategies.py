"""The strategies `riemann` and `euclid`, which see only the board and their goal, and the bot `random`."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final

from parlour.core import Dice
from parlour.games.maze.board import (
    OPPOSITE,
    Board,
    Cell,
    Cells,
    carried,
    line,
    members,
    reach,
    slid,
    slides,
    with_tile,
)
from parlour.games.maze.setup import cell, spot
from parlour.games.maze.tiles import SHAPES, turns
from parlour.games.maze.values import Ack, Hear, Move, Pass, SetUp, Slide, Spot, TakeTurn, View

PASS: Final = Pass()

Ranked = Callable[[Cell, int, int], Sequence[Cell]]
"""From a goal and the size of the board to all cells, best first."""


def board_of(view: View) -> Board:
    shapes = [SHAPES[glyph] for row in view.tiles for glyph in row]
    return Board(view.rows, view.columns, shapes, view.gems, SHAPES[view.spare], view.spare_gems)


def ways(board: Board, at: Cell, last: Slide | None) -> Iterator[tuple[Slide, int, Cells]]:
    """Each legal slide and turn of the spare in the order of RULES 8, and the cells an avatar at `at` can walk to."""
    rows, columns, spare = board.rows, board.columns, turns(board.spare)
    for slide in slides(rows, columns):
        index, direction = slide
        if last == (index, OPPOSITE[direction]):
            continue
        along = line(rows, columns, index, direction)
        pushed, gap, here = slid(board, along), along.cells[-1], 1 << carried(at, along)
        for degrees, shape in spare:
            yield slide, degrees, reach(here, with_tile(pushed, gap, shape), rows, columns) & ~here


@cache
def row_by_row(goal: Cell, rows: int, columns: int) -> Sequence[Cell]:
    """Riemann: the goal, then all others from the top left."""
    first = [goal] if goal >= 0 else []
    return [*first, *(tile for tile in range(rows * columns) if tile != goal)]


@cache
def nearest_first(goal: Cell, rows: int, columns: int) -> Sequence[Cell]:
    """Euclid: by distance to the goal, then row by row."""
    row, column = spot(goal, columns)
    return sorted(range(rows * columns), key=lambda tile: (tile // columns - row) ** 2 + (tile % columns - column) ** 2)


def choose(board: Board, at: Cell, goal: Cell, last: Slide | None, ranked: Ranked) -> Move | Pass:
    """The best reachable cell, with the first slide that reaches it (RULES 8)."""
    seen, first = 0, []
    there = 1 << goal if goal >= 0 else 0
    for slide, degrees, cells in ways(board, at, last):
        if cells & there:
            return move(slide, degrees, goal, board.columns)
        if fresh := cells & ~seen:
            seen |= fresh
            first.append((slide, degrees, fresh))
    for tile in ranked(goal, board.rows, board.columns) if seen else ():
        for slide, degrees, fresh in first:
            if fresh >> tile & 1:
                return move(slide, degrees, tile, board.columns)
    return PASS


def move(slide: Slide, degrees: int, to: Cell, columns: int) -> Move:
    return Move(*slide, degrees, *divmod(to, columns))


def strategy(ranked: Ranked) -> Callable[[View, Any, Dice], Move | Pass | Ack]:
    def bot(view: View, ask: SetUp | TakeTurn | Hear, dice: Dice) -> Move | Pass | Ack:
        if not isinstance(ask, TakeTurn):
            return Ack()
        return towards_goal(view, ranked)

    return bot


def towards_goal(view: View, ranked: Ranked) -> Move | Pass:
    assert view.goal is not None
    at, _ = own(view)
    return choose(board_of(view), at, cell(view.goal, view.rows, view.columns), view.last, ranked)


def own(view: View) -> tuple[Cell, Cell]:
    """The viewer's position and goal."""
    assert view.seat is not None and view.goal is not None
    return place(view.avatars[view.seat].at, view), place(view.goal, view)


def place(at: Spot, view: View) -> Cell:
    """The cell; for a spot off the board one beyond the last cell, which is in no set."""
    number = cell(at, view.rows, view.columns)
    return number if number >= 0 else view.rows * view.columns


riemann = strategy(row_by_row)
euclid = strategy(nearest_first)


def random(view: View, ask: SetUp | TakeTurn | Hear, dice: Dice) -> Move | Pass | Ack:
    """A random slide, then a random reachable cell; sometimes a pass (RULES 8.6)."""
    if not isinstance(ask, TakeTurn):
        return Ack()
    at, _ = own(view)
    possible = [way for way in ways(board_of(view), at, view.last) if way[2]]
    if not possible or not dice.below(20):
        return PASS
    slide, degrees, cells = dice.pick(possible)
    return move(slide, degrees, dice.pick(list(members(cells))), view.columns)
