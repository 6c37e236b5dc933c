"""Two strategies that look at the board and their goal alone, and a random one."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

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

PASS = Pass()

Ranked = Callable[[Cell, int, int], Sequence[Cell]]
"""From a goal and the size of the board to all cells, the best first."""


def board_of(view: View) -> Board:
    shapes = [SHAPES[glyph] for row in view.tiles for glyph in row]
    return Board(view.rows, view.columns, shapes, view.gems, SHAPES[view.spare], view.spare_gems)


def ways(board: Board, at: Cell, last: Slide | None) -> Iterator[tuple[Slide, int, Cells]]:
    """Each slide and turn of the spare, in the order in which they are tried, and where one can then go."""
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
    """Riemann: the goal, then all from the top left on."""
    first = [goal] if goal >= 0 else []
    return [*first, *(tile for tile in range(rows * columns) if tile != goal)]


@cache
def nearest_first(goal: Cell, rows: int, columns: int) -> Sequence[Cell]:
    """Euclid: by distance to the goal, then row by row."""
    row, column = spot(goal, columns)
    return sorted(range(rows * columns), key=lambda tile: (tile // columns - row) ** 2 + (tile % columns - column) ** 2)


def choose(board: Board, at: Cell, goal: Cell, last: Slide | None, ranked: Ranked) -> Move | Pass:
    """The best cell that any slide makes reachable, by the first that does (RULES 8)."""
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
    """What `choose` says to whoever has this view."""
    assert view.goal is not None
    at, _ = own(view)
    return choose(board_of(view), at, cell(view.goal, view.rows, view.columns), view.last, ranked)


def own(view: View) -> tuple[Cell, Cell]:
    """Where one is, and where one wants to go."""
    assert view.seat is not None and view.goal is not None
    return place(view.avatars[view.seat].at, view), place(view.goal, view)


def place(at: Spot, view: View) -> Cell:
    """The cell there. For a place off the board it is one beyond the last, which is in no set of cells."""
    number = cell(at, view.rows, view.columns)
    return number if number >= 0 else view.rows * view.columns


riemann = strategy(row_by_row)
euclid = strategy(nearest_first)


def random(view: View, ask: SetUp | TakeTurn | Hear, dice: Dice) -> Move | Pass | Ack:
    """Any slide, then anywhere it lets one go; now and then a pass."""
    if not isinstance(ask, TakeTurn):
        return Ack()
    at, _ = own(view)
    could = [way for way in ways(board_of(view), at, view.last) if way[2]]
    if not could or not dice.below(20):
        return PASS
    slide, degrees, cells = dice.pick(could)
    return move(slide, degrees, dice.pick(list(members(cells))), view.columns)
