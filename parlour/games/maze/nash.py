"""A strategy that estimates the other players' goals and tries to block them."""

from collections.abc import Iterator

from mypy_extensions import mypyc_attr

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

NOT_NEARER, NOT_REACHED = 0.05, 0.01
"""Factors for the probability of a goal if the player could have moved nearer to it, or onto it, but did not."""
NOT_THERE = 0.4
"""Worth of a move that does not reach the own goal; one that does is worth 1."""
TREASURE_HARM = 0.8
"""Harm of another player's treasure; a player who comes home does harm 1."""
CERTAINTY = 0.6
"""Factor for the certainty about the board after each slide of another player."""
USUAL = 0.75
"""Probability that a goal can be reached on an unknown board."""
LOOKAHEAD = 2
"""Number of following players to consider."""
PATIENCE = 20
"""Rounds after which it sometimes plays like euclid, because two that block each other would never stop."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Nash:
    """Estimates goals from moves; prefers to be near its own goal while the others are far from theirs."""

    asked_all = True  # to see the board before the first move

    def __init__(self) -> None:
        self._before: View | None = None
        self._moves: list[Moved] = []
        """Moves since `_before`."""
        self._guesses: dict[Seat, dict[Cell, float]] = {}
        """By seat, the probability of each tile to be its goal."""
        self._then_home = True
        """Whether each seat goes home after its first treasure."""

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

    # The goals of the others

    def _learn(self, view: View) -> None:
        """Replay the moves since the last call and update the guesses."""
        before, self._before = self._before or view, view
        still, columns = fixed(view.rows, view.columns), view.columns
        homes = [place(avatar.home, view) for avatar in view.avatars]
        for seat, home in enumerate(homes):
            self._guesses.setdefault(seat, {goal: float(goal != home) / len(still) for goal in still})
        board, last, at = board_of(before), before.last, [cell(avatar.at, columns) for avatar in before.avatars]
        for moved in self._moves:
            seat, to = moved.seat, cell(moved.to, columns)
            reachable = union(cells for _, _, cells in ways(board, at[seat], last))
            self._guesses[seat] = self._guess(self._guesses[seat], reachable, to, homes[seat], view)
            last = (moved.index, moved.direction)
            along = line(view.rows, columns, *last)
            board.slide(*last, moved.degrees)
            at = [carried(each, along) for each in at]
            at[seat] = to
        self._moves.clear()

    def _guess(self, old: dict[Cell, float], reachable: Cells, to: Cell, home: Cell, view: View) -> dict[Cell, float]:
        """A player who avoids a tile hardly has it as a goal; one who reached a tile may have a new goal."""
        new = {}
        for goal, likely in old.items():
            ranked = nearest_first(goal, view.rows, view.columns)
            nearest = next((each for each in ranked if reachable >> each & 1), to)
            avoided = distance(goal, to, view.columns) > distance(goal, nearest, view.columns)
            new[goal] = likely * ((NOT_REACHED if nearest == goal else NOT_NEARER) if avoided else 1)
        if to in new:
            arrived, new[to] = new[to], 0.0
            further = [home] if self._then_home and home in new else list(new)
            for goal in further:
                new[goal] += arrived / len(further)
        total = sum(new.values()) or 1.0
        return {goal: likely / total for goal, likely in new.items()}

    # The choice of a move

    def _best(self, view: View) -> Move | Pass:
        """Prefer moves to the own goal, unless they open the way for another player."""
        assert view.seat is not None
        (at, goal), board = own(view), board_of(view)
        home = place(view.avatars[view.seat].home, view)
        possible = [way for way in ways(board, at, view.last) if way[2]]
        there = [(slide, degrees, 1 << goal) for slide, degrees, cells in possible if cells >> goal & 1]
        if there and view.going_home:
            return move(*there[0][:2], goal, view.columns)
        best: Move | Pass = PASS
        most = 0.0
        for stage, candidates, next_goal in ((1.0, there, home), (NOT_THERE, possible, goal)):
            if 2 * stage <= most:
                break  # no candidate can be better
            tries = []
            for slide, degrees, cells in candidates:
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
        """From 0 to 1: high if the following players can hardly reach their likely goals. Stops early below `least`."""
        assert view.seat is not None
        along, turn = line(view.rows, view.columns, *slide), view.order.index(view.seat)
        safety = certainty = 1.0
        for seat in (view.order[turn + 1 :] + view.order[:turn])[:LOOKAHEAD]:
            avatar, likely = view.avatars[seat], self._guesses[seat]
            home = place(avatar.home, view)
            at = carried(cell(avatar.at, view.columns), along)
            reachable = union(cells for _, cells in after_pushes(board, at, slide, True))
            for goal, chance in likely.items():
                reached = certainty * (reachable >> goal & 1) + (1 - certainty) * USUAL
                harm = 1.0 if goal == home else TREASURE_HARM / (len(view.order) - 1)
                safety *= 1 - 0.97 * harm * chance * reached
            certainty *= CERTAINTY
            if safety < least:
                break
        return safety


def stand(board: Board, cells: Cells, goal: Cell, last: Slide) -> tuple[Cell, int]:
    """The cell from which most next slides open a way to the goal, and the number of those slides."""
    roads = []
    for along, come in after_pushes(board, goal, last, False):
        moved = come & along.mask & ~(1 << along.cells[-1])
        moved = moved >> along.shift if along.shift > 0 else moved << -along.shift
        roads.append(come & ~along.mask | moved | (come >> along.cells[-1] & 1) << along.cells[0])
    counted = [
        (sum([road >> at & 1 for road in roads]), -distance(goal, at, board.columns), at) for at in members(cells)
    ]
    most, _, at = max(counted, default=(0, 0, 0))
    return at, most


def after_pushes(board: Board, at: Cell, last: Slide, carries: bool) -> Iterator[tuple[Line, Cells]]:
    """Every legal next slide, and the cells then connected with `at`.

    With `carries`, an avatar at `at` moves with its tile and every turn of the spare is tried. Without, for speed, the
    spare counts as open to all sides.
    """
    for index, direction in slides(board.rows, board.columns):
        if last == (index, OPPOSITE[direction]):
            continue
        along = line(board.rows, board.columns, index, direction)
        pushed, gap = slid(board, along), along.cells[-1]
        here = 1 << (carried(at, along) if carries else at)
        found = reach(here, with_tile(pushed, gap, SHAPES["┼"]), board.rows, board.columns)
        if carries and found >> gap & 1:  # otherwise the inserted tile makes no difference
            tiles = (with_tile(pushed, gap, shape) for _, shape in turns(board.spare))
            found = union(reach(here, sides, board.rows, board.columns) for sides in tiles)
        yield along, found & ~here


def union(sets: Iterator[Cells]) -> Cells:
    whole = 0
    for cells in sets:
        whole |= cells
    return whole


def cell(at: Spot, columns: int) -> Cell:
    return at[0] * columns + at[1]


def distance(goal: Cell, at: Cell, columns: int) -> int:
    """Squared."""
    (row, column), (to_row, to_column) = divmod(at, columns), divmod(goal, columns)
    return (row - to_row) ** 2 + (column - to_column) ** 2
