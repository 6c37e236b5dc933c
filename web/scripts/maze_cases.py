"""Write random positions of Maze with what the rules make of them, for the tests of the page's own rules.

python web/scripts/maze_cases.py web/src/tables/maze/cases.json
"""

import json
import random
import sys
from pathlib import Path
from typing import Any

from parlour.core import IllegalAction
from parlour.games.maze.board import Board, carried, line, members, slides
from parlour.games.maze.rules import check_move
from parlour.games.maze.tiles import DEGREES, GEMS, GLYPHS, PAIRS
from parlour.games.maze.values import Move
from parlour.games.maze.view import tiles

SEED = 7
COUNT = 200
SIZES = range(2, 8)


def cases() -> dict[str, Any]:
    chance = random.Random(SEED)
    return {"gems": GEMS, "cases": [case(chance) for _ in range(COUNT)]}


def case(chance: random.Random) -> dict[str, Any]:
    """A position, a slide that may undo the last one, and a destination that may be illegal."""
    rows, columns = chance.choice(SIZES), chance.choice(SIZES)
    board = random_board(rows, columns, chance)
    at, to = chance.randrange(rows * columns), chance.randrange(rows * columns)
    last = chance.choice([None, *slides(rows, columns)])
    index, direction = chance.choice(slides(rows, columns))
    degrees = chance.choice(DEGREES)
    position = {"tiles": tiles(board), "spare": GLYPHS[board.spare], "last": last, "at": at}
    move = Move(index, direction, degrees, *divmod(to, columns))
    code = legality(board, at, last, move)
    board.slide(index, direction, degrees)
    stands = carried(at, line(rows, columns, index, direction))
    return {
        **position,
        "slide": [index, direction, degrees],
        "to": to,
        "illegal": code,
        "after": tiles(board),
        "pushed": GLYPHS[board.spare],
        "stands": stands,
        "reachable": list(members(board.reachable(stands))),
    }


def random_board(rows: int, columns: int, chance: random.Random) -> Board:
    shapes = [chance.choice(tuple(GLYPHS)) for _ in range(rows * columns + 1)]
    gems = chance.sample(PAIRS, rows * columns + 1)
    return Board(rows, columns, shapes[:-1], gems[:-1], shapes[-1], gems[-1])


def legality(board: Board, at: int, last: Any, move: Move) -> str | None:
    """The referee's code for an illegal move; None if it is legal."""
    try:
        check_move(board, at, last, move)
    except IllegalAction as e:
        return e.code
    return None


def text() -> str:
    """One case per line."""
    made = cases()
    lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in made["cases"])
    return f'{{"gems": {json.dumps(made["gems"])},\n"cases": [\n{lines}\n]}}\n'


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(text())
