"""Maze as numbers: a move is two indexes, first the slide and the turn of the spare tile, then the cell to walk to."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from parlour.core import Draft, Encoding, IndexRun, Part, Seat
from parlour.games.maze.board import Cells, members, slides
from parlour.games.maze.setup import cell
from parlour.games.maze.strategies import PASS, board_of, move, place, ways
from parlour.games.maze.tiles import DEGREES, SHAPES, SIDES, turned, turns
from parlour.games.maze.values import Hear, Move, Options, Pass, SetUp, Spot, TakeTurn, View

MOST_TREASURES = 250
NOWHERE = (-1, -1)

Ways = Mapping[int, Cells]
"""By index of a slide and turn, the cells that can be reached after it."""


class MazeEncoding(Encoding):
    """The same for all options but the size of the board."""

    version = 0
    omits = (
        "Gems and colours are not shown: no rule depends on them.",
        "Turns of the spare tile that put the same tile on the board are one: the smallest.",
        "There is no history: the goals of the others follow from nothing but their moves.",
    )
    dtype = "int32"
    most_indexes = 2

    def __init__(self, seats: int, options: Options) -> None:
        self._seats, self._rows, self._columns = seats, options.rows, options.columns
        cells = options.rows * options.columns
        self._rounds = options.round_cap
        self._slides = slides(options.rows, options.columns)
        self._pushes = len(self._slides) * len(DEGREES)
        furthest = max(options.rows, options.columns) - 1
        others = "by seat, oneself first"
        self.parts = (
            Part("north", cells, 1, "1 for each tile that is open to the north, row by row"),
            Part("east", cells, 1, "the same to the east"),
            Part("south", cells, 1, "the same to the south"),
            Part("west", cells, 1, "the same to the west"),
            Part("spare", 4, 1, "the open sides of the spare tile: north, east, south, west"),
            Part("here", seats, 1, f"1 for each player that has not left, {others}"),
            Part("places", 2 * seats, furthest, f"row and column of each avatar, {others}"),
            Part("homes", 2 * seats, furthest, f"row and column of each home, {others}"),
            Part("turns", seats, seats, f"after how many turns each acts, {others}; {seats} if it has left"),
            Part("goal", 2, furthest, "row and column of the own goal; -1 if there is none", low=-1),
            Part("going home", 1, 1, "1 if the own goal is the own home, and the last"),
            Part("treasures", 1, MOST_TREASURES, "own treasures"),
            Part("last", len(self._slides), 1, "1 for the last slide, which must not be undone"),
            Part("round", 1, options.round_cap, "the round, from 1"),
            Part("rounds", 1, options.round_cap, "the number of rounds at most"),
            Part("passed", 1, seats, "passes in this round"),
            Part("chosen", self._pushes, 1, "1 for the slide and turn that were chosen first"),
        )
        self.choices = (
            IndexRun("pass", 1, "pass"),
            IndexRun("slide", self._pushes, f"slides {named(self._slides)}; each with the turns 0, 90, 180, 270"),
            IndexRun("cell", cells, "the cell to walk to, row by row; it completes the move"),
        )
        self._at = self.starts()
        self._first_cell = 1 + self._pushes
        self._known: tuple[View, Ways] | None = None

    def observe(
        self, seat: Seat, view: View, ask: TakeTurn | SetUp | Hear | None, draft: Draft = ()
    ) -> NDArray[np.int32]:
        row, at = np.zeros(self.size, np.int32), self._at
        shapes = np.array([SHAPES[glyph] for line in view.tiles for glyph in line], np.int32)
        row[: at["spare"]] = np.concatenate([shapes & side > 0 for side in SIDES])
        row[at["spare"] : at["here"]] = [SHAPES[view.spare] & side > 0 for side in SIDES]
        self._show_players(row, seat, view)
        row[at["goal"] : at["going home"]] = self._goal(view)
        row[at["going home"]] = view.going_home
        row[at["treasures"]] = min(view.treasures, MOST_TREASURES)
        if view.last in self._slides:
            row[at["last"] + self._slides.index(view.last)] = 1
        row[at["round"] : at["chosen"]] = view.round, self._rounds, view.passed
        if draft:
            row[at["chosen"] + draft[0] - 1] = 1
        return row

    def _show_players(self, row: NDArray[np.int32], seat: Seat, view: View) -> None:
        at = self._at
        for number in range(self._seats):
            other = (seat + number) % self._seats
            avatar = view.avatars[other]
            row[at["here"] + number] = avatar.here
            row[at["places"] + 2 * number : at["places"] + 2 * number + 2] = avatar.at
            row[at["homes"] + 2 * number : at["homes"] + 2 * number + 2] = avatar.home
            row[at["turns"] + number] = view.order.index(other) if other in view.order else self._seats

    def _goal(self, view: View) -> Spot:
        return NOWHERE if view.goal is None or cell(view.goal, self._rows, self._columns) < 0 else view.goal

    def mask(self, seat: Seat, view: View, ask: TakeTurn | SetUp | Hear | None, draft: Draft = ()) -> NDArray[np.int8]:
        mask = np.zeros(self.actions, np.int8)
        if isinstance(ask, TakeTurn):
            possible = self._ways(seat, view)
            if draft:
                mask[[self._first_cell + to for to in members(possible[draft[0]])]] = 1
            else:
                mask[[0, *possible]] = 1
        return mask

    def _ways(self, seat: Seat, view: View) -> Ways:
        """Kept for the second index, which is chosen from the same view."""
        if self._known is None or self._known[0] is not view:
            at = place(view.avatars[seat].at, view)
            numbers = {slide: number for number, slide in enumerate(self._slides)}
            found = {
                1 + numbers[slide] * len(DEGREES) + DEGREES.index(degrees): cells
                for slide, degrees, cells in ways(board_of(view), at, view.last)
                if cells
            }
            self._known = view, found
        return self._known[1]

    def action(self, index: int, seat: Seat, view: View, ask: TakeTurn, draft: Draft = ()) -> Move | Pass | None:
        if not draft:
            return None if index else PASS
        slide, turn = divmod(draft[0] - 1, len(DEGREES))
        return move(self._slides[slide], DEGREES[turn], index - self._first_cell, self._columns)

    def indexes(self, action: Move | Pass, seat: Seat, view: View, ask: TakeTurn) -> Draft | None:
        if isinstance(action, Pass):
            return (0,)
        shape = turned(SHAPES[view.spare], action.degrees)
        degrees = next(degrees for degrees, other in turns(SHAPES[view.spare]) if other == shape)
        slide = self._slides.index((action.index, action.direction))
        first = 1 + slide * len(DEGREES) + DEGREES.index(degrees)
        return first, self._first_cell + action.row * self._columns + action.column


def named(slides: tuple[tuple[int, str], ...]) -> str:
    return ", ".join(f"{line} {direction}" for line, direction in slides)
