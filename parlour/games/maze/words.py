"""Events and views in words, and actions from words, for people."""

from collections.abc import Sequence

from parlour.core import Board, Event, IllegalAction, Seat
from parlour.games.maze.rules import check_move
from parlour.games.maze.strategies import board_of, own
from parlour.games.maze.tiles import EAST, SHAPES
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
    Spot,
    TakeTurn,
    View,
)

WHY = {
    "home": "a player came home",
    "passes": "everybody passed",
    "rounds": "the last round is over",
    "nobody": "nobody is left",
    "time": "time is up",
}


def say(event: Event, names: Sequence[str]) -> str:
    match event:
        case Joined(name=name):
            return f"  {name} signs up"
        case GoalGiven(seat=seat, goal=goal, home=home):
            return f"  {names[seat]} must go {'home to' if home else 'to'} {at(goal)}"
        case Began(order=order):
            return f"The game begins: {', '.join(names[seat] for seat in order)}"
        case Moved(seat=seat, index=index, direction=direction, degrees=degrees, to=to):
            what = "row" if direction in ("LEFT", "RIGHT") else "column"
            turn = f", turns the spare by {degrees}" if degrees else ""
            return f"  {names[seat]} slides {what} {index} {direction.lower()}{turn} and goes to {at(to)}"
        case Passed(seat=seat):
            return f"  {names[seat]} passes"
        case Left(seat=seat, why=why):
            return f"  {names[seat]} has left ({why})"
        case Decided(winners=winners, why=why):
            return f"{WHY[why].capitalize()}: {' and '.join(names[seat] for seat in winners) or 'nobody'} won"
        case _:
            raise TypeError(f"not an event of Maze: {event!r}")


def at(spot: Spot) -> str:
    return f"{spot[0]},{spot[1]}"


def board(view: View, names: Sequence[str]) -> Board:
    """A table of the seats, with the board drawn below."""
    heading = {
        "registration": "Players sign up",
        "setup": "Players get their goals",
        "end": "The game is decided",
        "over": "The game is over",
    }.get(view.phase, f"Round {view.round}: {names[view.order[0]] if view.order else 'nobody'} to move")
    rows = tuple(
        (names[seat], avatar.colour, at(avatar.at), at(avatar.home), "" if avatar.here else "gone")
        for seat, avatar in enumerate(view.avatars)
    )
    return Board(heading, ("player", "colour", "at", "home", ""), rows, "\n".join([*drawn(view), *_own(view)]))


def part(view: View) -> str:
    """`Sign-up`, `Setup`, `Round 9`, `End`."""
    return {"registration": "Sign-up", "setup": "Setup", "play": f"Round {view.round}"}.get(view.phase, "End")


def to_act(view: View) -> tuple[Seat, ...]:
    """The next seat to move. It does not show whether another seat has yet to acknowledge a new goal, in secret."""
    return view.order[:1] if view.phase == "play" else ()


def drawn(view: View) -> list[str]:
    """The board with row and column numbers; avatars are shown by seat, the own goal as a star."""
    marks = {avatar.at: str(seat) for seat, avatar in enumerate(view.avatars) if avatar.here}
    if view.goal is not None:
        marks.setdefault(view.goal, "*")
    lines = ["   " + "".join(f"{column:<3}" for column in range(view.columns))]
    for row, glyphs in enumerate(view.tiles):
        cells = [_wide(glyph) + marks.get((row, column), " ") for column, glyph in enumerate(glyphs)]
        lines.append(f"{row:<3}" + "".join(cells))
    return [*lines, f"spare {view.spare}"]


def _wide(glyph: str) -> str:
    """The connector, extended to the right if it is open there."""
    return glyph + ("─" if SHAPES[glyph] & EAST else " ")


def _own(view: View) -> list[str]:
    if view.goal is None:
        return []
    what = "Go home to" if view.going_home else "Your goal is"
    return [f"{what} {at(view.goal)}; you have {view.treasures} treasures"]


def hint(ask: SetUp | TakeTurn | Hear) -> str:
    return "INDEX left|right|up|down DEGREES ROW COLUMN, such as 2 left 90 3 4; or pass"


def hear(text: str, view: View, ask: SetUp | TakeTurn | Hear) -> Action | str | None:
    """Read `2 left 90 3 4` or `pass`; None for anything else, or the reason why the move is illegal."""
    if not isinstance(ask, TakeTurn):
        return Ack()
    match text.lower().replace(",", " ").split():
        case ["pass"]:
            return Pass()
        case [index, ("left" | "right" | "up" | "down") as to, degrees, row, column]:
            numbers = [index, degrees, row, column]
            if all(number.isdecimal() and len(number) < 5 for number in numbers):
                direction = {"left": "LEFT", "right": "RIGHT", "up": "UP", "down": "DOWN"}[to]
                move = Move(int(index), direction, int(degrees), int(row), int(column))  # type: ignore[arg-type]
                try:
                    check_move(board_of(view), own(view)[0], view.last, move)
                except IllegalAction as e:
                    return e.words
                return move
    return None


def standing(views: Sequence[View]) -> list[int]:
    """The treasures of each seat, from its own view."""
    return [view.treasures for view in views]
