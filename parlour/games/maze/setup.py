"""A fresh board, and positions that are given."""

import re
from collections.abc import Sequence

from parlour.core import BadOptions, Dice, Sitting
from parlour.games.maze.board import Board, Cell, Gems, fixed
from parlour.games.maze.tiles import COLOURS, GLYPHS, PAIRS, SHAPES
from parlour.games.maze.values import Options, Prepared, Spot

SHADE = re.compile("[0-9A-F]{6}")

FAR = 1_000_000
"""Rows and columns of given positions are below this."""

SERVED = range(2, 7)
"""How many play a fresh game (RULES 2.1)."""
SEATS = range(33)
"""0: all sign up later; a prepared position may have any number of players."""


def fresh_board(options: Options, dice: Dice) -> Board:
    """Any connectors, and no treasure twice, the spare's included (RULES 2.2)."""
    tiles = options.rows * options.columns + 1
    shapes = [dice.pick(tuple(GLYPHS)) for _ in range(tiles)]
    gems = fresh_gems(tiles, dice)
    return Board(options.rows, options.columns, shapes[:-1], gems[:-1], shapes[-1], gems[-1])


def fresh_gems(count: int, dice: Dice) -> list[Gems]:
    chosen: dict[Gems, None] = {}
    while len(chosen) < count:
        chosen[dice.pick(PAIRS)] = None
    return list(chosen)


def prepared_board(start: Prepared) -> Board:
    shapes = [SHAPES[glyph] for row in start.tiles for glyph in row]
    rows, columns = len(start.tiles), len(start.tiles[0])
    return Board(rows, columns, shapes, start.gems, SHAPES[start.spare], start.spare_gems)


def check(start: Prepared) -> None:
    """BadOptions if no game begins so. Homes, goals and the last slide are taken as they are (RULES 2.5)."""
    rows, columns = len(start.tiles), len(start.tiles[0]) if start.tiles else 0
    if not rows or not columns or any(len(row) != columns for row in start.tiles):
        raise BadOptions("the board is not a rectangle of tiles")
    if any(glyph not in SHAPES for row in start.tiles for glyph in row) or start.spare not in SHAPES:
        raise BadOptions("a connector is one of " + " ".join(SHAPES))
    if len(start.gems) != rows * columns:
        raise BadOptions(f"there are {len(start.gems)} treasures for {rows * columns} tiles")
    for player in start.players:
        on_board(player.at, rows, columns)
        near(player.home)
        near(player.goal)
        if player.colour not in COLOURS and not SHADE.fullmatch(player.colour):
            raise BadOptions(f"{player.colour!r} is no colour: {', '.join(COLOURS)}, or six hexadecimal digits")
    for goal in start.goals:
        near(goal)
    if start.last is not None and not 0 <= start.last[0] < FAR:
        raise BadOptions(f"the last slide is of line {start.last[0]}")


def on_board(spot: Spot, rows: int, columns: int) -> None:
    if not (0 <= spot[0] < rows and 0 <= spot[1] < columns):
        raise BadOptions(f"row {spot[0]}, column {spot[1]} is not on the board")


def near(spot: Spot) -> None:
    """It may be off the board, but not as far as that."""
    if not (0 <= spot[0] < FAR and 0 <= spot[1] < FAR):
        raise BadOptions(f"row {spot[0]}, column {spot[1]} is no place near any board")


def colour(number: int) -> str:
    """Names first, then shades."""
    return COLOURS[number] if number < len(COLOURS) else f"{number * 0x30507 % 0x1000000:06X}"


def resolve(options: Options, players: Sequence[Sitting]) -> Options:
    """Nothing depends on who sits down, but there must be homes for a game."""
    homes = len(fixed(options.rows, options.columns))
    if homes < SERVED[0]:
        raise BadOptions(f"a board of {options.rows} by {options.columns} has {homes} homes, and two are needed")
    return options


def bound(seats: int, options: Options) -> int:
    """Every player signs up, is set up, takes a turn a round, may be given a goal after it, and hears the end."""
    most = max(seats, SERVED[-1])
    return most * (2 * options.round_cap + 3) + 1


def cell(at: Spot, rows: int, columns: int) -> Cell:
    """Homes and goals of given positions may be off the board; such a place has a negative number."""
    row, column = at
    return row * columns + column if 0 <= row < rows and 0 <= column < columns else -1 - row * FAR - column


def spot(cell: Cell, columns: int) -> Spot:
    return divmod(cell, columns) if cell >= 0 else divmod(-1 - cell, FAR)
