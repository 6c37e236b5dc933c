"""A strategy that thinks about where the others are going, and keeps them from it where it can."""

from collections.abc import Iterator

from parlour.core import Dice, Event, Place, Seat
from parlour.games.maze.board import (
    OPPOSITE,
    Board,
    Cell,
    Cells,
    Line,
    carried,
    fixed,
    line,
    members,
    reach,
    slid,
    slides,
    with_tile,
)
from parlour.games.maze.strategies import PASS, board_of, move, nearest_first, own, place, towards_goal, ways
from parlour.games.maze.tiles import SHAPES, turns
from parlour.games.maze.values import Ack, Hear, Move, Moved, Options, Pass, SetUp, Slide, Spot, TakeTurn, View

UNLIKELY, HARDLY = 0.05, 0.01
"""That somebody wants to go to a tile who could have gone nearer to it, or to it."""
BEHIND = 0.4
"""What it is worth not to be at the goal yet, if being there is worth 1."""
HINDERING = 0.8
"""How much it counts to keep another one from a treasure; from home, it counts in full."""
FADES = 0.6
"""How much of what one sees of the board is still so after somebody's slide."""
USUAL = 0.75
"""How often a goal can be reached on a board that is not known."""
AHEAD = 2
"""How many of those who come next are thought of."""
PATIENCE = 20
"""Rounds after which it is now and then as careless as euclid, for two who block each other would do so for ever."""


class Nash:
    """Guesses goals from how the others walk; goes where it is near its own and they are far from theirs."""

    asked_all = True  # so that it sees the board before anybody has moved

    def __init__(self) -> None:
        self._before: View | None = None
        self._moves: list[Moved] = []
        """What was done since that was seen."""
        self._guesses: dict[Seat, dict[Cell, float]] = {}
        """How likely everybody is to be on the way to each tile."""
        self._then_home = True

    def sit(self, place: Place) -> None:
        Nash.__init__(self)
        options = place.options
        self._then_home = not isinstance(options, Options) or options.goals_per_player + options.extra_goals == 1

    def event(self, seen: Event) -> None:
        if isinstance(seen, Moved):
            self._moves.append(seen)

    def __call__(self, view: View, ask: SetUp | TakeTurn | Hear, dice: Dice) -> Move | Pass | Ack:
        self._learn(view)
        if not isinstance(ask, TakeTurn):
            return Ack()
        in_circles = view.round > PATIENCE and not dice.below(4)
        return towards_goal(view, nearest_first) if in_circles else self._best(view)

    # What the others want

    def _learn(self, view: View) -> None:
        """Go once more through what was done since the last time."""
        before, self._before = self._before or view, view
        still, columns = fixed(view.rows, view.columns), view.columns
        homes = [place(avatar.home, view) for avatar in view.avatars]
        for seat, home in enumerate(homes):
            self._guesses.setdefault(seat, {goal: float(goal != home) / len(still) for goal in still})
        board, last, at = board_of(before), before.last, [cell(avatar.at, columns) for avatar in before.avatars]
        for moved in self._moves:
            seat, to = moved.seat, cell(moved.to, columns)
            could = sum_of(cells for _, _, cells in ways(board, at[seat], last))
            self._guesses[seat] = self._guess(self._guesses[seat], could, to, homes[seat], view)
            last = (moved.index, moved.direction)
            along = line(view.rows, columns, *last)
            board.slide(*last, moved.degrees)
            at = [carried(each, along) for each in at]
            at[seat] = to
        self._moves.clear()

    def _guess(self, old: dict[Cell, float], could: Cells, to: Cell, home: Cell, view: View) -> dict[Cell, float]:
        """Who stays away from a tile hardly wants to go there; who has come to one goes on from there."""
        new = {}
        for goal, likely in old.items():
            ranked = nearest_first(goal, view.rows, view.columns)
            nearest = next((each for each in ranked if could >> each & 1), to)
            shy = away(goal, to, view.columns) > away(goal, nearest, view.columns)
            new[goal] = likely * ((HARDLY if nearest == goal else UNLIKELY) if shy else 1)
        if to in new:
            arrived, new[to] = new[to], 0.0
            further = [home] if self._then_home and home in new else list(new)
            for goal in further:
                new[goal] += arrived / len(further)
        total = sum(new.values()) or 1.0
        return {goal: likely / total for goal, likely in new.items()}

    # What to do about it

    def _best(self, view: View) -> Move | Pass:
        """The own goal first, if that does not open the way for somebody else."""
        assert view.seat is not None
        (at, goal), board = own(view), board_of(view)
        home = place(view.avatars[view.seat].home, view)
        could = [way for way in ways(board, at, view.last) if way[2]]
        there = [(slide, degrees, 1 << goal) for slide, degrees, cells in could if cells >> goal & 1]
        if there and view.going_home:
            return move(*there[0][:2], goal, view.columns)
        best: Move | Pass = PASS
        most = 0.0
        for stage, some, next_goal in ((1.0, there, home), (BEHIND, could, goal)):
            if 2 * stage <= most:
                break  # none of them is worth as much
            tries = []
            for slide, degrees, cells in some:
                after = board.copy()
                after.slide(*slide, degrees)
                to, roads = stand(after, cells, next_goal, slide)
                tries.append((stage * (1 + roads / (roads + 3)), move(slide, degrees, to, view.columns), after))
            for worth, tried, after in sorted(tries, key=lambda tried: -tried[0]):
                if worth <= most:
                    break
                safe = self._safety(after, (tried.index, tried.direction), view, most / worth)
                if worth * safe > most:
                    best, most = tried, worth * safe
        return best

    def _safety(self, board: Board, slide: Slide, view: View, least: float) -> float:
        """The nearer to 1, the farther those who come next are from home, or from where they seem to want to go.

        Below `least` it is not asked how much below.
        """
        assert view.seat is not None
        along, turn = line(view.rows, view.columns, *slide), view.order.index(view.seat)
        safe = sure = 1.0
        for seat in (view.order[turn + 1 :] + view.order[:turn])[:AHEAD]:
            avatar, likely = view.avatars[seat], self._guesses[seat]
            home = place(avatar.home, view)
            at = carried(cell(avatar.at, view.columns), along)
            could = sum_of(cells for _, cells in after_pushes(board, at, slide, True))
            for goal, chance in likely.items():
                reached = sure * (could >> goal & 1) + (1 - sure) * USUAL
                harm = 1.0 if goal == home else HINDERING / (len(view.order) - 1)
                safe *= 1 - 0.97 * harm * chance * reached
            sure *= FADES
            if safe < least:
                break
        return safe


def stand(board: Board, cells: Cells, goal: Cell, last: Slide) -> tuple[Cell, int]:
    """Of these cells the one from which most lines, if pushed next, open a way to the goal, and how many do."""
    roads = []
    for along, come in after_pushes(board, goal, last, False):
        moved = come & along.mask & ~(1 << along.cells[-1])
        moved = moved >> along.shift if along.shift > 0 else moved << -along.shift
        roads.append(come & ~along.mask | moved | (come >> along.cells[-1] & 1) << along.cells[0])
    counted = [(sum([road >> at & 1 for road in roads]), -away(goal, at, board.columns), at) for at in members(cells)]
    most, _, at = max(counted, default=(0, 0, 0))
    return at, most


def after_pushes(board: Board, at: Cell, last: Slide, carries: bool) -> Iterator[tuple[Line, Cells]]:
    """Every line that may be pushed next, and what is then connected with a cell.

    With an avatar there, by any turn of the spare; otherwise, for speed, as if the spare were open to all sides.
    """
    for index, direction in slides(board.rows, board.columns):
        if last == (index, OPPOSITE[direction]):
            continue
        along = line(board.rows, board.columns, index, direction)
        pushed, gap = slid(board, along), along.cells[-1]
        here = 1 << (carried(at, along) if carries else at)
        found = reach(here, with_tile(pushed, gap, SHAPES["┼"]), board.rows, board.columns)
        if carries and found >> gap & 1:  # otherwise it makes no difference what is put in
            tiles = (with_tile(pushed, gap, shape) for _, shape in turns(board.spare))
            found = sum_of(reach(here, sides, board.rows, board.columns) for sides in tiles)
        yield along, found & ~here


def sum_of(sets: Iterator[Cells]) -> Cells:
    whole = 0
    for cells in sets:
        whole |= cells
    return whole


def cell(at: Spot, columns: int) -> Cell:
    return at[0] * columns + at[1]


def away(goal: Cell, at: Cell, columns: int) -> int:
    (row, column), (to_row, to_column) = divmod(at, columns), divmod(goal, columns)
    return (row - to_row) ** 2 + (column - to_column) ** 2
