"""Maze as text, for language models: rules, views, questions and events; and answers from text."""

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

from parlour.core import Event, Seat, TextForm
from parlour.core.answer_forms import AnswerField, AnswerForm, schema_of, written
from parlour.core.answer_reading import read_answer
from parlour.core.answer_values import one_of, whole
from parlour.core.quoting import one_line, player, players, sentence
from parlour.games.maze.board import OPPOSITE, members, slides
from parlour.games.maze.strategies import board_of, move, nearest_first, own, ways
from parlour.games.maze.tiles import DEGREES
from parlour.games.maze.values import (
    Ack,
    Action,
    Began,
    Decided,
    GoalGiven,
    Hear,
    Joined,
    Left,
    Move,
    Moved,
    Pass,
    Passed,
    SetUp,
    Slide,
    TakeTurn,
    View,
)
from parlour.games.maze.words import WHY, at

MOST_SIDE = 21
"""Rows and columns of the board that are shown, around the reader. Usual boards are shown whole."""
MOST_MOVES = 24
"""Possible moves that are listed, those nearest to the goal first."""
DIRECTIONS = ("LEFT", "RIGHT", "UP", "DOWN")
PHASES = {
    "registration": "Players sign up.",
    "setup": "Players get their goals.",
    "end": "The game is decided.",
    "over": "The game is over.",
}


# Views


def view(view: View, names: Sequence[str]) -> str:
    lines = [PHASES.get(view.phase) or _round(view, names), *_board(view), f"Spare tile: {view.spare}"]
    if view.last is not None:
        lines.append(f"Last push: {_push(view.last)}. So {_push(_undone(view.last))} is forbidden now.")
    lines += ["Players:", *(_row(view, seat, names) for seat in range(len(view.avatars)))]
    if view.goal is not None:
        home = " It is your home and your last goal." if view.going_home else ""
        lines.append(f"Your goal: {at(view.goal)}.{home} Your treasures: {view.treasures}.")
    if view.winners is not None:
        lines.append(f"Winners: {players(names, view.winners, view.seat)}.")
    return "\n".join(lines)


def _round(view: View, names: Sequence[str]) -> str:
    passes = f" Passes in this round: {view.passed}." if view.passed else ""
    return f"Round {view.round}, {view.turn} turns taken. Order from now on: {_order(view, names)}.{passes}"


def _order(view: View, names: Sequence[str]) -> str:
    return players(names, view.order, view.seat)


def _push(slide: Slide) -> str:
    """`row 2 LEFT`."""
    return f"{'row' if slide[1] in ('LEFT', 'RIGHT') else 'column'} {slide[0]} {slide[1]}"


def _undone(last: Slide) -> Slide:
    return last[0], OPPOSITE[last[1]]


def _board(view: View) -> list[str]:
    """The board with numbers of rows and columns; of large boards the part around the reader."""
    middle = view.avatars[view.seat].at if view.seat is not None else (view.rows // 2, view.columns // 2)
    rows, columns = _shown(middle[0], view.rows), _shown(middle[1], view.columns)
    whole = len(rows) == view.rows and len(columns) == view.columns
    part = "" if whole else f"; rows {rows[0]}-{rows[-1]} and columns {columns[0]}-{columns[-1]} are shown"
    numbers = " ".join(f"{column:>2}" for column in columns)
    drawn = [f"{row:>2}  " + "  ".join(view.tiles[row][column] for column in columns) for row in rows]
    return [f"Board of {view.rows} rows and {view.columns} columns{part}:", f"  {numbers}", *drawn]


def _shown(middle: int, size: int) -> range:
    first = max(0, min(middle - MOST_SIDE // 2, size - MOST_SIDE))
    return range(first, min(size, first + MOST_SIDE))


def _row(view: View, seat: Seat, names: Sequence[str]) -> str:
    avatar = view.avatars[seat]
    you = " (you)" if seat == view.seat else ""
    where = f"at {at(avatar.at)}, home {at(avatar.home)}" if avatar.here else "has left"
    return f"- {player(names, seat)}{you}: {where}"


# Events


def event(event: Event, names: Sequence[str], reader: Seat | None) -> str:
    return sentence(_told(event, names, reader))


def _told(event: Event, names: Sequence[str], reader: Seat | None) -> str:
    def who(seat: Seat) -> str:
        return player(names, seat, reader)

    match event:
        case Joined(seat=seat):
            return f"{who(seat)} signed up"
        case GoalGiven(seat=seat, goal=goal, home=home, treasures=treasures):
            what = "your home, the last goal" if home else "a goal"
            whose = "you got" if seat == reader else f"{who(seat)} got"
            return f"{whose} {what}: {at(goal)}. Treasures so far: {treasures}"
        case Began(order=order):
            return f"the game began; order of turns: {players(names, order, reader)}"
        case Moved(seat=seat, index=index, direction=direction, degrees=degrees, to=to):
            turned = f", turned the spare by {degrees}," if degrees else ""
            return f"{who(seat)} pushed {_push((index, direction))}{turned} and walked to {at(to)}"
        case Passed(seat=seat):
            return f"{who(seat)} passed"
        case Left(seat=seat, why=why):
            return f"{who(seat)} left for good ({one_line(why)})"
        case Decided(winners=winners, why=why):
            return f"{WHY[why]}. Winners: {players(names, winners, reader)}"
    raise TypeError(f"not an event of Maze: {event!r}")


# Asks


def ask(ask: SetUp | TakeTurn | Hear, view: View, names: Sequence[str]) -> str:
    match ask:
        case SetUp(goal=goal):
            return f"There is nothing to decide: your goal is {at(goal)}.\nWrite: ok"
        case Hear(won=won):
            return f"There is nothing to decide: you have {'won' if won else 'not won'}.\nWrite: ok"
    found = list(moves(view))
    if not found:
        return "Your decision: pass. No other move is possible.\nWrite: pass"
    return "\n".join(["Your decision: move or pass.", *_candidates(found, view), "Or write: pass"])


def moves(view: View) -> Iterator[Move]:
    """For each place that can be reached one possible move, those nearest to the goal first."""
    board, (here, goal) = board_of(view), own(view)
    first: dict[int, Move] = {}
    for slide, degrees, cells in ways(board, here, view.last):
        for cell in members(cells):
            if cell not in first:
                first[cell] = move(slide, degrees, cell, view.columns)
    yield from (first[cell] for cell in nearest_first(goal, view.rows, view.columns) if cell in first)


def _candidates(found: Sequence[Move], view: View) -> list[str]:
    best = found[0]
    reaches = (best.row, best.column) == view.goal
    lines = ["Your goal can be reached with this move." if reaches else "No move ends on your goal now."]
    lines.append(
        f"{len(found)} places can be reached. For each, one possible move"
        f"{f'; the {MOST_MOVES} nearest to your goal' if len(found) > MOST_MOVES else ', nearest to your goal first'}:"
    )
    return [*lines, *(f"- {in_words(move)}" for move in found[:MOST_MOVES])]


def in_words(move: Move) -> str:
    """`move 2 LEFT 90 3 4`."""
    return f"move {move.index} {move.direction} {move.degrees} {move.row} {move.column}"


# Answers

_INT = r"-?\d{1,7}(?:\.0+)?"
_WORDS = re.compile(
    rf"(?:(?P<kind>row|column|col) )?(?P<index>{_INT})[ ,]+(?:to the )?(?P<direction>left|right|up|down)[ ,;]+"
    rf"(?:and )?(?:(?:turn|turning|turned|rotate|rotating|rotated)(?: the)?(?: spare)?(?: tile)?(?: by)? )?"
    rf"(?P<degrees>{_INT})(?: ?(?:degrees|°))?(?: counter-?clockwise)?[ ,;]+"
    rf"(?:and |then )*(?:(?:go|walk|move|end)(?: to| at| on)? |to )?"
    rf"\(?(?:row )?(?P<row>{_INT}),? ?(?:column |col )?(?P<column>(?<=[ ,]){_INT})\)?",
    re.IGNORECASE,
)
BARE = re.compile(rf"{_INT}[ ,]+(?:left|right|up|down)[ ,]+{_INT}[ ,]+{_INT}[ ,]+{_INT}", re.IGNORECASE)


def forms(ask: SetUp | TakeTurn | Hear, view: View) -> list[AnswerForm]:
    if not isinstance(ask, TakeTurn):
        return [AnswerForm(name="ok", make=Ack, example="ok", aliases=("ack", "okay"), words=_nothing)]
    example = next(moves(view), None)
    going = AnswerForm(
        name="move",
        make=Move,
        example="move 0 LEFT 0 1 1" if example is None else in_words(example),
        fields=(
            AnswerField("index", whole, _number(_lines(view), "For move: the row or column to push.")),
            AnswerField("direction", one_of(DIRECTIONS), {"type": "string", "enum": list(DIRECTIONS)}),
            AnswerField("degrees", whole, _number(DEGREES, "For move: turns the spare counter-clockwise first.")),
            AnswerField("row", whole, _place(view.rows, "row")),
            AnswerField("column", whole, _place(view.columns, "column")),
        ),
        aliases=("slide", "push"),
        words=_move,
        offered=example is not None,
        bare=BARE,
    )
    return [going, AnswerForm(name="pass", make=Pass, example="pass", words=_nothing)]


def _lines(view: View) -> Sequence[int]:
    return sorted({index for index, _ in slides(view.rows, view.columns)})


def _number(values: Sequence[int], about: str) -> dict[str, object]:
    return {"type": "integer", "enum": list(values), "description": about}


def _place(size: int, what: str) -> dict[str, object]:
    words = f"For move: the {what} to which you walk."
    return {"type": "integer", "minimum": 0, "maximum": size - 1, "description": words}


def _move(rest: str) -> Mapping[str, object] | None:
    found = _WORDS.fullmatch(" ".join(rest.split())) if len(rest) <= MOST_WORDS else None
    if found is None:
        return None
    said = found.groupdict()
    kind = said.pop("kind")
    across = said["direction"].lower() in ("left", "right")
    return said if kind is None or across == (kind.lower() == "row") else None


MOST_WORDS = 200
"""Letters after `move`."""


def _nothing(rest: str) -> Mapping[str, object] | None:
    return None if rest else {}


def schema(ask: Any, view: View, names: Sequence[str]) -> Mapping[str, object]:
    return schema_of(forms(ask, view))


def parse(text: str, ask: Any, view: View, names: Sequence[str]) -> Action:
    action: Action = read_answer(text, forms(ask, view))
    return action


def render(action: Action, names: Sequence[str]) -> str:
    match action:
        case Move(index=index, direction=direction, degrees=degrees, row=row, column=column):
            fields = {"index": index, "direction": direction, "degrees": degrees, "row": row, "column": column}
            return written("move", fields)
        case Pass():
            return written("pass", {})
        case Ack():
            return written("ok", {})


TEXT = TextForm(
    rules=files(__package__).joinpath("text.md").read_text(encoding="utf-8"),
    view=view,
    event=event,
    ask=ask,
    schema=schema,
    render=render,
    parse=parse,
)
