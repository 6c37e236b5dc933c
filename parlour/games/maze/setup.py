"""Fresh boards, and checks of prepared positions."""

import re
from collections.abc import Sequence

from parlour.core import BadOptions, Dice, Sitting
from parlour.games.maze.board import Board, Cell, Gems, fixed
from parlour.games.maze.tiles import COLOURS, GLYPHS, PAIRS, SHAPES
from parlour.games.maze.values import Options, Prepared, Spot

SHADE = re.compile("[0-9A-F]{6}")

FAR = 1_000_000
"""Limit for rows and columns in prepared positions."""

SERVED = range(2, 7)
"""Numbers of players in a fresh game (RULES 2.1)."""
SEATS = range(33)
"""0 if players sign up later; a prepared position may have more players than a fresh game."""


def fresh_board(options: Options, dice: Dice) -> Board:
    """Random connectors and distinct treasures (RULES 2.2)."""
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
    """Raise BadOptions if the position cannot be played (RULES 2.5)."""
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
            raise BadOptions(f"unknown colour {player.colour!r}: {', '.join(COLOURS)}, or six hexadecimal digits")
    for goal in start.goals:
        near(goal)
    if start.last is not None and not 0 <= start.last[0] < FAR:
        raise BadOptions(f"the last slide is of line {start.last[0]}")


def on_board(spot: Spot, rows: int, columns: int) -> None:
    if not (0 <= spot[0] < rows and 0 <= spot[1] < columns):
        raise BadOptions(f"row {spot[0]}, column {spot[1]} is not on the board")


def near(spot: Spot) -> None:
    """Raise BadOptions if the spot is outside the limits; it may be off the board."""
    if not (0 <= spot[0] < FAR and 0 <= spot[1] < FAR):
        raise BadOptions(f"row {spot[0]}, column {spot[1]}: both must be from 0 to {FAR - 1}")


def colour(number: int) -> str:
    """Named colours first, then computed ones."""
    return COLOURS[number] if number < len(COLOURS) else f"{number * 0x30507 % 0x1000000:06X}"


def resolve(options: Options, players: Sequence[Sitting]) -> Options:
    """Check that the board has enough homes; no option depends on the players."""
    homes = len(fixed(options.rows, options.columns))
    if homes < SERVED[0]:
        raise BadOptions(f"a board of {options.rows} by {options.columns} has {homes} homes; at least 2 are needed")
    return options


def bound(seats: int, options: Options) -> int:
    """Each player joins, is set up, takes a turn per round and may get a goal after it, and hears the end."""
    most = max(seats, SERVED[-1])
    return most * (2 * options.round_cap + 3) + 1


def cell(at: Spot, rows: int, columns: int) -> Cell:
    """The cell number; negative for homes and goals that are off the board."""
    row, column = at
    return row * columns + column if 0 <= row < rows and 0 <= column < columns else -1 - row * FAR - column


def spot(cell: Cell, columns: int) -> Spot:
    return divmod(cell, columns) if cell >= 0 else divmod(-1 - cell, FAR)
