"""Build the view of a seat or a spectator."""

from typing import TYPE_CHECKING

from parlour.core import By
from parlour.games.maze.board import Board
from parlour.games.maze.setup import spot
from parlour.games.maze.tiles import GLYPHS
from parlour.games.maze.values import Avatar, View

if TYPE_CHECKING:
    from parlour.games.maze.rules import State


def view(state: "State", who: By) -> View:
    """RULES 7. The queue and the others' goals and treasures are secret."""
    board = state.board
    own = None if who is None else state.players[who]
    columns = board.columns
    return View(
        seat=who,
        phase=state.phase,
        rows=board.rows,
        columns=columns,
        tiles=tiles(board),
        gems=tuple(board.gems),
        spare=GLYPHS[board.spare],
        spare_gems=board.spare_gems,
        avatars=tuple([Avatar(p.colour, spot(p.at, columns), spot(p.home, columns), p.here) for p in state.players]),
        order=tuple(state.order()),
        last=state.last,
        round=state.round,
        turn=state.turn,
        passed=len(state.passed),
        goal=None if who is None else state.known_goal(who),
        going_home=own is not None and own.going_home,
        treasures=0 if own is None else own.treasures,
        winners=None if state.winners is None else tuple(state.winners),
    )


def tiles(board: Board) -> tuple[str, ...]:
    """One string of connectors per row."""
    glyphs = "".join([GLYPHS[board.shape(cell)] for cell in range(board.rows * board.columns)])
    return tuple([glyphs[start : start + board.columns] for start in range(0, len(glyphs), board.columns)])
