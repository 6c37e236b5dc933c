"""The JSON forms of the course: boards, states, moves."""

import json
from collections.abc import Iterator
from typing import Any, TypeAlias

from parlour.games.maze.board import Gems
from parlour.games.maze.setup import check
from parlour.games.maze.strategies import PASS
from parlour.games.maze.tiles import DEGREES, GEMS, SHAPES
from parlour.games.maze.values import Move, Pass, Placed, Prepared, Slide, Spot, View

Json: TypeAlias = Any

DIRECTIONS = ("LEFT", "RIGHT", "UP", "DOWN")


class BadForm(ValueError):
    """JSON that does not have the expected form."""


# Writing


def coordinate(at: Spot) -> dict[str, int]:
    return {"row#": at[0], "column#": at[1]}


def state(view: View) -> dict[str, Json]:
    """The public form; the viewer is the first player in it (RULES 10.6)."""
    columns = view.columns
    rows = range(0, len(view.gems), columns)
    first, second = view.spare_gems
    return {
        "board": {
            "connectors": [list(row) for row in view.tiles],
            "treasures": [view.gems[start : start + columns] for start in rows],
        },
        "spare": {"tilekey": view.spare, "1-image": first, "2-image": second},
        "plmt": [_player(view, seat) for seat in own_first(view)],
        "last": view.last,
    }


def own_first(view: View) -> tuple[int, ...]:
    """The turn order, starting with the viewer."""
    order = view.order
    if view.seat not in order:
        return order
    place = order.index(view.seat)
    return order[place:] + order[:place]


def _player(view: View, seat: int) -> dict[str, Json]:
    avatar = view.avatars[seat]
    return {"current": coordinate(avatar.at), "home": coordinate(avatar.home), "color": avatar.colour}


def choice(move: Move | Pass) -> Json:
    if isinstance(move, Pass):
        return "PASS"
    return [move.index, move.direction, move.degrees, coordinate((move.row, move.column))]


# Reading


def read_choice(said: Json) -> Move | Pass:
    """Check only the form; the rules check the move."""
    if said == "PASS":
        return PASS
    match said:
        case [int() as index, ("LEFT" | "RIGHT" | "UP" | "DOWN") as direction, int() as degrees, dict() as to]:
            row, column = read_coordinate(to)
            if not isinstance(index, bool) and not isinstance(degrees, bool) and degrees in DEGREES:
                return Move(_bounded(index), direction, degrees, _bounded(row), _bounded(column))
    raise BadForm('a choice is "PASS" or [index, direction, degree, coordinate]')


def read_coordinate(said: Json) -> Spot:
    match said:
        case {"row#": int() as row, "column#": int() as column} if len(said) == 2:
            if not isinstance(row, bool) and not isinstance(column, bool) and row >= 0 and column >= 0:
                return row, column
    raise BadForm('a coordinate is {"row#": N, "column#": N}')


def read_slide(said: Json) -> Slide | None:
    match said:
        case None:
            return None
        case [int() as index, ("LEFT" | "RIGHT" | "UP" | "DOWN") as direction] if not isinstance(index, bool):
            return index, direction
    raise BadForm("an action is null or [index, direction]")


def read_board(said: Json) -> tuple[tuple[str, ...], tuple[Gems, ...]]:
    """Rows of connectors, and the treasures row by row."""
    match said:
        case {"connectors": list() as connectors, "treasures": list() as treasures}:
            rows = tuple([_connectors(row) for row in connectors])
            gems = [_gems(pair) for row in treasures for pair in _list(row)]
            lengths = [len(row) for row in rows]
            if rows and lengths == [len(_list(row)) for row in treasures] and len(set(lengths)) == 1:
                return rows, tuple(gems)
    raise BadForm("a board has connectors and treasures, in two rectangles of the same size")


def read_state(said: Json, goals: bool) -> Prepared:
    """Read a public state or, with `goals`, a referee's state. In a public one every goal is the player's home."""
    match said:
        case {"board": board, "spare": spare, "plmt": list() as players, "last": last}:
            tiles, gems = read_board(board)
            glyph, spare_gems = _tile(spare)
            placed = tuple([_placed(player, goals) for player in players])
            queue = tuple([read_coordinate(goal) for goal in _list(said.get("goals", []))])
            prepared = Prepared(tiles, gems, glyph, spare_gems, placed, read_slide(last), queue)
            check(prepared)
            return prepared
    raise BadForm("a state has board, spare, plmt and last")


def _placed(said: Json, goals: bool) -> Placed:
    match said:
        case {"current": current, "home": home, "color": str() as colour}:
            goal = said.get("goto") if goals else home
            return Placed(read_coordinate(current), read_coordinate(home), read_coordinate(goal), colour)
    raise BadForm("a player has current, home and color, and goto for the referee")


def _tile(said: Json) -> tuple[str, Gems]:
    match said:
        case {"tilekey": str() as glyph, "1-image": first, "2-image": second} if glyph in SHAPES:
            return glyph, _gems([first, second])
    raise BadForm("a tile has tilekey, 1-image and 2-image")


def _connectors(said: Json) -> str:
    glyphs = _list(said)
    if not glyphs or any(not isinstance(glyph, str) or glyph not in SHAPES for glyph in glyphs):
        raise BadForm("a connector is one of " + " ".join(SHAPES))
    return "".join(glyphs)


def _gems(said: Json) -> Gems:
    match said:
        case [str() as first, str() as second] if first in GEMS and second in GEMS:
            return first, second
    raise BadForm("a treasure is a pair of gems")


def _list(said: Json) -> list[Json]:
    if not isinstance(said, list):
        raise BadForm("not a list")
    return said


def _bounded(number: int) -> int:
    """Limit a number to what a Move can hold; it is off the board in any case."""
    return max(-1_000_000, min(number, 1_000_000))


def prepare(text: str) -> Prepared:
    """Read the text of a single referee's state."""
    match list(values(text)):
        case [said]:
            return read_state(said, goals=True)
    raise BadForm("there must be one JSON value, a referee's state")


def values(text: str) -> Iterator[Json]:
    """The JSON values in a text, with or without white space between them."""
    decoder, rest = json.JSONDecoder(), text.lstrip()
    while rest:
        try:
            value, end = decoder.raw_decode(rest)
        except (ValueError, RecursionError) as e:
            raise BadForm(f"not JSON: {e}") from None
        yield value
        rest = rest[end:].lstrip()
