"""Sets tables for the tests: boards drawn with glyphs, moves in words, a referee's room, and a plain board."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from parlour.core import Close, Dice, Event, Join, Leave, Sitting, Stop, Table
from parlour.games.maze import GAME
from parlour.games.maze.board import Board, Direction, Gems
from parlour.games.maze.rules import State
from parlour.games.maze.tiles import PAIRS, SHAPES
from parlour.games.maze.values import Ack, Action, Move, Options, Pass, Placed, Prepared, Slide, Spot
from parlour.games.maze.view import tiles
from parlour.referee.match import Match, Out
from parlour.referee.transcript import Limits, Line, header, read_record

SEED = b"a seed"
COLOURS = ("red", "blue", "green", "white", "black", "pink", "purple", "orange", "yellow")
ACK, PASS = Ack(), Pass()


# Boards from glyphs


def crosses(rows: int, columns: int) -> str:
    """A board on which every tile is connected with its neighbours, however it slides."""
    return " ".join(["┼" * columns] * rows)


def gems(count: int) -> tuple[Gems, ...]:
    """A different treasure for each of so many tiles."""
    return PAIRS[:count]


def drawn(rows: str, spare: str = "┼") -> Board:
    """Rows of glyphs with a blank between them."""
    glyphs = rows.split()
    shapes = [SHAPES[glyph] for row in glyphs for glyph in row]
    treasures = gems(len(shapes) + 1)
    return Board(len(glyphs), len(glyphs[0]), shapes, treasures[:-1], SHAPES[spare], treasures[-1])


def drawing(board: Board) -> str:
    return " ".join(tiles(board))


def spots(words: str) -> list[Spot]:
    """Such as "1,1 3,5"."""
    pairs = [spot.split(",") for spot in words.split()]
    return [(int(row), int(column)) for row, column in pairs]


# Tables


def position(
    rows: str,
    homes: str,
    goals: str,
    at: str = "",
    spare: str = "┼",
    queue: str = "",
    last: Slide | None = None,
) -> Prepared:
    """Homes, goals and places by seat; everybody stands at home if nothing is said."""
    placed = [
        Placed(at, home, goal, colour)
        for at, home, goal, colour in zip(spots(at or homes), spots(homes), spots(goals), COLOURS, strict=False)
    ]
    assert len(placed) == len(spots(homes)) == len(spots(goals)), "as many homes as goals"
    tiles = tuple(rows.split())
    treasures = gems(len("".join(tiles)) + 1)
    turns = tuple(reversed(placed))  # the last to sign up has the first entry
    return Prepared(tiles, treasures[:-1], spare, treasures[-1], turns, last, tuple(spots(queue)))


def table(
    rows: str,
    homes: str,
    goals: str,
    at: str = "",
    spare: str = "┼",
    queue: str = "",
    last: Slide | None = None,
    **options: Any,
) -> State:
    """Everybody is set up, and the first round begins."""
    start = position(rows, homes, goals, at, spare, queue, last)
    state = State.new(len(start.players), Options(**options), start, Dice(SEED))
    for seat in range(len(start.players)):
        state.play(seat, ACK)
    return state


def fresh(seats: int, seed: bytes = b"a table", **options: Any) -> State:
    return State.new(seats, Options(**options), None, Dice(seed))


def play(state: State, *moves: str) -> list[Event]:
    """Do what the words say; returns what happened.

    Such as "1 slides row 0 left to 1,1", "1 slides column 2 up turning 90 to 1,1", "1 passes", "1 hears" (an answer to
    a set-up, or to the end), "1 leaves", "Ada signs up", "the table closes" or "time is up".
    """
    events: list[Event] = []
    for words in moves:
        by, action = read(words)
        events += state.play(by, action)
    return events


def read(words: str) -> tuple[int | None, Action | Table]:
    match words.split():
        case ["time", "is", "up"]:
            return None, Stop()
        case ["the", "table", "closes"]:
            return None, Close()
        case [name, "signs", "up"]:
            return None, Join(name)
        case [seat, "leaves"]:
            return None, Leave(int(seat), "quit")
        case [seat, "passes"]:
            return int(seat), PASS
        case [seat, "hears"]:
            return int(seat), ACK
        case [seat, "slides", *move]:
            return int(seat), moving(" ".join(move))
    raise ValueError(f"not a move: {words}")


DIRECTIONS: Mapping[str, Direction] = {"left": "LEFT", "right": "RIGHT", "up": "UP", "down": "DOWN"}


def moving(words: str) -> Move:
    """Such as "row 0 left to 1,1" or "column 2 up turning 90 to 1,1"."""
    match words.split():
        case ["row" | "column" as what, index, to, "to", spot]:
            degrees = "0"
        case ["row" | "column" as what, index, to, "turning", degrees, "to", spot]:
            pass
        case _:
            raise ValueError(f"not a move: {words}")
    assert (what == "row") == (to in ("left", "right")), "rows go left and right"
    [(row, column)] = spots(spot)
    return Move(int(index), DIRECTIONS[to], int(degrees), row, column)


def places(state: State) -> list[Spot]:
    """Where everybody stands, by seat."""
    return [avatar.at for avatar in state.view(None).avatars]


def asked(state: State) -> list[int | None]:
    return list(state.asks())


# The referee's room


class Room:
    """A referee, and players who say whatever the tests like. The clock is turned by hand."""

    def __init__(
        self,
        start: Prepared | None,
        seats: int | None = None,
        limits: Limits | None = None,
        set_up: bool = True,
        eager: bool = True,
        **options: Any,
    ) -> None:
        count = seats if seats is not None else len(start.players) if start else 0
        players = [Sitting(name) for name in "abcdefghi"[:count]]
        head = header(GAME, players, SEED, options=Options(**options), start=start, limits=limits, eager=eager)
        self.match: Match[Action] = Match(GAME, head, SEED)
        self.lines: list[bytes] = []
        """The transcript."""
        self.took(self.match.begin(0.0))
        for seat in range(count if set_up else 0):
            self.says(seat, ACK)

    @property
    def state(self) -> State:
        state = self.match.state
        assert isinstance(state, State)
        return state

    def took(self, out: Out) -> Out:
        self.lines += out.lines
        return out

    def says(self, seat: int, said: Any, now: float = 0.0, n: int | None = None) -> Out:
        """An action or a BadMessage; words are a move."""
        if isinstance(said, str):
            _, said = read(f"{seat} {said}")
        return self.took(self.match.answer(seat, said, now, n))

    def happens(self, act: Table) -> Out:
        return self.took(self.match.table(act, 0.0))

    def leaves(self, seat: int) -> Out:
        return self.happens(Leave(seat, "quit"))

    def waits(self, now: float) -> Out:
        """So late it is now, and nobody has said anything."""
        return self.took(self.match.expire(now))

    @property
    def asked(self) -> dict[int, str]:
        """The seats that are asked, and the kinds of their asks."""
        return {seat: type(open.ask).__name__ for seat, open in self.match.open.items()}


def recorded(out: Out) -> Line:
    """The one line that an input left in the transcript, apart from an end."""
    record = read_record(out.lines[0], 1)
    assert isinstance(record, Line)
    return record


def price(out: Out) -> tuple[str, str, Any]:
    """Of a fault, as it is recorded: its kind and code, and what was played instead."""
    record = recorded(out)
    assert record.fault is not None and record.by is None
    return record.fault.kind, record.fault.code, json.loads(bytes(record.do))


def cost(seat: int, code: str) -> dict[str, Any]:
    """The seat."""
    return {"type": "Leave", "seat": seat, "why": code}


# Boards done the plain way, to hold the fast way to


UP, RIGHT, DOWN, LEFT = (-1, 0), (0, 1), (1, 0), (0, -1)

OPEN: Mapping[str, set[Spot]] = {
    "│": {UP, DOWN},
    "─": {RIGHT, LEFT},
    "└": {UP, RIGHT},
    "┌": {RIGHT, DOWN},
    "┐": {DOWN, LEFT},
    "┘": {UP, LEFT},
    "┬": {RIGHT, DOWN, LEFT},
    "├": {UP, RIGHT, DOWN},
    "┴": {UP, RIGHT, LEFT},
    "┤": {UP, DOWN, LEFT},
    "┼": {UP, RIGHT, DOWN, LEFT},
}

NEXT = {"│": "─", "─": "│", "└": "┘", "┘": "┐", "┐": "┌", "┌": "└"} | {"┴": "┤", "┤": "┬", "┬": "├", "├": "┴", "┼": "┼"}
"""A quarter turn counter-clockwise."""


class Plain:
    """A board as a list of lists of glyph and treasure."""

    def __init__(self, grid: Sequence[Sequence[tuple[str, Gems]]], spare: tuple[str, Gems]) -> None:
        self.grid = [list(row) for row in grid]
        self.spare = spare
        self.rows, self.columns = len(grid), len(grid[0])

    def slide(self, index: int, direction: Direction, degrees: int) -> None:
        glyph, treasure = self.spare
        for _ in range(degrees // 90):
            glyph = NEXT[glyph]
        line = self.grid[index] if direction in ("LEFT", "RIGHT") else [row[index] for row in self.grid]
        if direction in ("LEFT", "UP"):
            self.spare, *line = *line, (glyph, treasure)
        else:
            *line, self.spare = (glyph, treasure), *line
        if direction in ("LEFT", "RIGHT"):
            self.grid[index] = line
        else:
            for row, tile in zip(self.grid, line, strict=True):
                row[index] = tile

    def carried(self, at: Spot, index: int, direction: Direction) -> Spot:
        row, column = at
        match direction:
            case "LEFT" if row == index:
                column = (column - 1) % self.columns
            case "RIGHT" if row == index:
                column = (column + 1) % self.columns
            case "UP" if column == index:
                row = (row - 1) % self.rows
            case "DOWN" if column == index:
                row = (row + 1) % self.rows
        return row, column

    def reachable(self, start: Spot) -> set[Spot]:
        seen, edge = {start}, [start]
        while edge:
            row, column = edge.pop()
            for down, right in self.open(row, column):
                to = row + down, column + right
                if to not in seen and (-down, -right) in self.open(*to):
                    seen.add(to)
                    edge.append(to)
        return seen

    def open(self, row: int, column: int) -> set[Spot]:
        """To which sides a tile is open; none beyond the edge."""
        on_board = 0 <= row < self.rows and 0 <= column < self.columns
        return OPEN[self.grid[row][column][0]] if on_board else set()

    def copy(self) -> "Plain":
        return Plain(self.grid, self.spare)


def plain(board: Board) -> Plain:
    """The same board, read through what everybody is shown of it."""
    glyphs = tiles(board)
    grid = [
        [(glyph, board.gems[row * board.columns + column]) for column, glyph in enumerate(line)]
        for row, line in enumerate(glyphs)
    ]
    [spare] = [glyph for glyph, shape in SHAPES.items() if shape == board.spare]
    return Plain(grid, (spare, board.spare_gems))


SIZES = [(2, 2), (4, 2), (2, 4), (2, 9), (9, 2), (3, 3), (3, 5), (5, 3), (6, 7), (7, 7), (12, 12), (2, 3), (3, 2)]


@st.composite
def boards(draw: st.DrawFn, sizes: Sequence[tuple[int, int]] = SIZES) -> Board:
    """Of any glyphs, or of few, so that some boards have wide ways and others have hardly any."""
    rows, columns = draw(st.sampled_from(sizes))
    glyphs = draw(st.sampled_from(["".join(OPEN), "".join(OPEN), "│─", "└┘┐┌", "│─┐", "┬├┴┤┼"]))
    line = draw(st.text(glyphs, min_size=rows * columns, max_size=rows * columns))
    lines = [line[start : start + columns] for start in range(0, len(line), columns)]
    return drawn(" ".join(lines), draw(st.sampled_from(glyphs)))
