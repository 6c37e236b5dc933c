"""A fresh board, and positions that are given."""

import re
from collections.abc import Sequence

from parlour.core import BadOptions, Dice, Sitting
from parlour.games.maze.board import Board, Cell, Gems, fixed, slides
from parlour.games.maze.tiles import COLOURS, GLYPHS, PAIRS, SHAPES
from parlour.games.maze.values import Options, Prepared, Spot

SHADE = re.compile("[0-9A-F]{6}")

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


def check(start: Prepared, strict: bool = True) -> None:
    """BadOptions if no game begins so; strictly, homes and goals are on tiles that never move (RULES 2.5)."""
    rows, columns = len(start.tiles), len(start.tiles[0]) if start.tiles else 0
    if not rows or not columns or any(len(row) != columns for row in start.tiles):
        raise BadOptions("the board is not a rectangle of tiles")
    if any(glyph not in SHAPES for row in start.tiles for glyph in row) or start.spare not in SHAPES:
        raise BadOptions("a connector is one of " + " ".join(SHAPES))
    if len(start.gems) != rows * columns:
        raise BadOptions(f"there are {len(start.gems)} treasures for {rows * columns} tiles")
    still = fixed(rows, columns)
    for player in start.players:
        for spot in (player.at, player.home, player.goal):
            on_board(spot, rows, columns)
        for what, spot in (("home", player.home), ("goal", player.goal)):
            if strict and spot[0] * columns + spot[1] not in still:
                raise BadOptions(f"the {what} of {player.colour} is not on a tile that never moves")
    if len({player.colour for player in start.players}) < len(start.players):
        raise BadOptions("two players have the same colour")
    for player in start.players:
        if player.colour not in COLOURS and not SHADE.fullmatch(player.colour):
            raise BadOptions(f"{player.colour!r} is no colour: {', '.join(COLOURS)}, or six hexadecimal digits")
    for goal in start.goals:
        on_board(goal, rows, columns)
        if goal[0] * columns + goal[1] not in still:
            raise BadOptions("a goal in the queue is not on a tile that never moves")
    if start.last is not None and start.last not in slides(rows, columns):
        raise BadOptions("the last slide is none of this board")


def on_board(spot: Spot, rows: int, columns: int) -> None:
    if not (0 <= spot[0] < rows and 0 <= spot[1] < columns):
        raise BadOptions(f"row {spot[0]}, column {spot[1]} is not on the board")


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


def spot(cell: Cell, columns: int) -> Spot:
    return divmod(cell, columns)
