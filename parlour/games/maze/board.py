"""The board as bit sets: for each side, the cells open there. Sliding and walking are a few integer operations.

Cell i is in row i // columns and column i % columns; a set of cells has bit i set for each of its cells.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal, TypeAlias

from mypy_extensions import mypyc_attr

from parlour.core import Comparable
from parlour.games.maze.tiles import EAST, NORTH, SIDES, SOUTH, WEST, turned

Cell: TypeAlias = int
Cells: TypeAlias = int
Gems: TypeAlias = tuple[str, str]
Direction: TypeAlias = Literal["LEFT", "RIGHT", "UP", "DOWN"]

OPPOSITE: dict[Direction, Direction] = {"LEFT": "RIGHT", "RIGHT": "LEFT", "UP": "DOWN", "DOWN": "UP"}


class Line:
    """A row or column and a direction. `cells` runs from the tile that is pushed off to the gap at the other end."""

    __slots__ = ("cells", "mask", "shift")

    def __init__(self, cells: tuple[Cell, ...]) -> None:
        self.cells = cells
        self.mask: Cells = sum(1 << cell for cell in cells)
        self.shift = cells[0] - cells[1] if len(cells) > 1 else 0
        """The change of a tile's cell number when the line slides."""


@cache
def line(rows: int, columns: int, index: int, direction: Direction) -> Line:
    if direction in ("LEFT", "RIGHT"):
        cells = [index * columns + column for column in range(columns)]
    else:
        cells = [row * columns + index for row in range(rows)]
    if direction in ("RIGHT", "DOWN"):
        cells.reverse()
    return Line(tuple(cells))


@cache
def slides(rows: int, columns: int) -> tuple[tuple[int, Direction], ...]:
    """All slides (RULES 1.4): even rows to the left and right, then even columns up and down."""
    across: list[tuple[int, Direction]] = [(row, to) for row in range(0, rows, 2) for to in ("LEFT", "RIGHT")]
    return (*across, *[(column, to) for column in range(0, columns, 2) for to in ("UP", "DOWN")])


@cache
def fixed(rows: int, columns: int) -> tuple[Cell, ...]:
    """The tiles that never move."""
    return tuple(row * columns + column for row in range(1, rows, 2) for column in range(1, columns, 2))


@cache
def not_last_column(rows: int, columns: int) -> Cells:
    """Cells that have a neighbour to the right."""
    return sum(1 << row * columns + column for row in range(rows) for column in range(columns - 1))


def members(cells: Cells) -> Iterator[Cell]:
    """The cells of a set, lowest first."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


@mypyc_attr(allow_interpreted_subclasses=True)
class Board(Comparable):
    __slots__ = ("columns", "east", "gems", "north", "rows", "south", "spare", "spare_gems", "west")

    def __init__(
        self, rows: int, columns: int, shapes: Sequence[int], gems: Sequence[Gems], spare: int, spare_gems: Gems
    ) -> None:
        self.rows = rows
        self.columns = columns
        self.north, self.east, self.south, self.west = (
            sum(1 << cell for cell, shape in enumerate(shapes) if shape & side) for side in SIDES
        )
        self.gems = list(gems)
        self.spare = spare
        self.spare_gems = spare_gems

    def shape(self, cell: Cell) -> int:
        """The open sides of the tile."""
        return (
            (self.north >> cell & 1) * NORTH
            | (self.east >> cell & 1) * EAST
            | (self.south >> cell & 1) * SOUTH
            | (self.west >> cell & 1) * WEST
        )

    def slide(self, index: int, direction: Direction, degrees: int) -> None:
        """Push a line by one tile and put the turned spare into the gap (RULES 3.2)."""
        along = line(self.rows, self.columns, index, direction)
        off, gap = along.cells[0], along.cells[-1]
        pushed, pushed_gems = self.shape(off), self.gems[off]
        self.north, self.east, self.south, self.west = with_tile(slid(self, along), gap, turned(self.spare, degrees))
        for to, source in zip(along.cells, along.cells[1:], strict=False):
            self.gems[to] = self.gems[source]
        self.gems[gap] = self.spare_gems
        self.spare, self.spare_gems = pushed, pushed_gems

    def reachable(self, start: Cell) -> Cells:
        """The cells connected with `start`, itself included (RULES 1.5)."""
        return reach(1 << start, (self.north, self.east, self.south, self.west), self.rows, self.columns)

    def copy(self) -> "Board":
        twin = Board.__new__(Board)
        twin.rows, twin.columns, twin.gems = self.rows, self.columns, self.gems[:]
        twin.north, twin.east, twin.south, twin.west = self.north, self.east, self.south, self.west
        twin.spare, twin.spare_gems = self.spare, self.spare_gems
        return twin


Sides: TypeAlias = tuple[Cells, Cells, Cells, Cells]
"""The cells open to the north, east, south and west."""


def slid(board: Board, along: Line) -> Sides:
    """The open sides after a push, with an empty gap."""
    mask, shift = along.mask, along.shift
    rest, moving = ~mask, mask & ~(1 << along.cells[0])  # without the tile that is pushed off
    north, east, south, west = board.north, board.east, board.south, board.west
    if shift > 0:
        return (
            north & rest | (north & moving) << shift,
            east & rest | (east & moving) << shift,
            south & rest | (south & moving) << shift,
            west & rest | (west & moving) << shift,
        )
    shift = -shift
    return (
        north & rest | (north & moving) >> shift,
        east & rest | (east & moving) >> shift,
        south & rest | (south & moving) >> shift,
        west & rest | (west & moving) >> shift,
    )


def with_tile(sides: Sides, cell: Cell, shape: int) -> Sides:
    """Add a tile in an empty cell."""
    north, east, south, west = sides
    return (
        north | (shape & NORTH) << cell,
        east | (shape >> 1 & 1) << cell,
        south | (shape >> 2 & 1) << cell,
        west | (shape >> 3) << cell,
    )


def reach(cells: Cells, sides: Sides, rows: int, columns: int) -> Cells:
    """All cells connected with these."""
    north, east, south, west = sides
    down = south & north >> columns  # cells connected with the one below
    right = east & west >> 1 & not_last_column(rows, columns)
    while True:
        grown = cells | (cells & down) << columns | cells >> columns & down | (cells & right) << 1 | cells >> 1 & right
        if grown == cells:
            return cells
        cells = grown


def carried(cell: Cell, along: Line) -> Cell:
    """The cell of an avatar after a push: it moves with its tile, or to the inserted tile (RULES 3.4)."""
    if not along.mask >> cell & 1:
        return cell
    return along.cells[-1] if cell == along.cells[0] else cell + along.shift
