"""Answer the course's test cases: JSON values in, one JSON value out."""

from typing import Any

from parlour.games.maze.board import carried, line, members
from parlour.games.maze.forms import (
    DIRECTIONS,
    BadForm,
    Json,
    choice,
    coordinate,
    read_board,
    read_coordinate,
    read_state,
)
from parlour.games.maze.setup import cell, near, on_board, prepared_board, spot
from parlour.games.maze.strategies import choose, nearest_first, row_by_row
from parlour.games.maze.tiles import DEGREES
from parlour.games.maze.values import Prepared

STRATEGIES = {"Riemann": row_by_row, "Euclid": nearest_first}


def reachable(values: list[Json]) -> Json:
    """Board, coordinate: the cells connected with it."""
    match values:
        case [said_board, said_start]:
            tiles, gems = read_board(said_board)
            board = prepared_board(Prepared(tiles, gems, "┼", gems[0], ()))
            row, column = read_coordinate(said_start)
            on_board((row, column), board.rows, board.columns)
            cells = board.reachable(row * board.columns + column)
            return [coordinate(spot(tile, board.columns)) for tile in members(cells)]
    raise BadForm("give a board and a coordinate")


def slide(values: list[Json]) -> Json:
    """State, index, direction, degree: the cells the first player can reach after the slide, its own included."""
    match values:
        case [said_state, int() as index, str() as direction, int() as degrees]:
            prepared = read_state(said_state, goals=False)
            board = prepared_board(prepared)
            lines = board.rows if direction in ("LEFT", "RIGHT") else board.columns
            if isinstance(index, bool) or isinstance(degrees, bool):
                raise BadForm("true and false are not numbers")
            if direction not in DIRECTIONS or degrees not in DEGREES or index % 2 or not 0 <= index < lines:
                raise BadForm(f"{index} {direction} {degrees} is not a slide of this board")
            if not prepared.players:
                raise BadForm("there is no player")
            board.slide(index, direction, degrees)  # type: ignore[arg-type]  # checked above
            row, column = prepared.players[0].at
            along = line(board.rows, board.columns, index, direction)
            at = carried(row * board.columns + column, along)
            return [coordinate(spot(tile, board.columns)) for tile in members(board.reachable(at))]
    raise BadForm("give a state, an index, a direction and a degree")


def choose_move(values: list[Json]) -> Json:
    """Strategy, state, goal: the first player's move."""
    match values:
        case [str() as name, said_state, said_goal] if name in STRATEGIES:
            prepared = read_state(said_state, goals=False)
            board = prepared_board(prepared)
            if not prepared.players:
                raise BadForm("there is no player")
            goal = read_coordinate(said_goal)
            near(goal)
            at = cell(prepared.players[0].at, board.rows, board.columns)
            to = cell(goal, board.rows, board.columns)
            return choice(choose(board, at, to, prepared.last, STRATEGIES[name]))
    raise BadForm('give "Riemann" or "Euclid", a state and a goal')


CHECKS: dict[str, Any] = {"reachable": reachable, "slide": slide, "choice": choose_move}
