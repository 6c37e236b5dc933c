"""Show a recorded match to one seat, to a spectator, or for all seats side by side."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from parlour.cli.common import UserError
from parlour.cli.match_screen import board_table, colour, painted, troubles
from parlour.core import GONE, By, Event, Seat
from parlour.referee.fault_words import cost_in_words
from parlour.referee.fingerprint import fingerprint_of
from parlour.referee.match import Match, Out
from parlour.referee.replay import Step
from parlour.referee.transcript import End, Line, Reveal, read_record


def check_audience(lines: Sequence[bytes], seat: Seat | None, everything: bool) -> None:
    """UserError if there is no such seat, or the match cannot be shown for all seats."""
    seats = len(fingerprint_of(lines).players)
    if seat is not None and not 0 <= seat < seats:
        raise UserError(f"--seat {seat}: " + (f"there are seats 0 to {seats - 1}" if seats else "nobody has joined"))
    if everything and seat is not None:
        raise UserError("--all shows all seats, and --seat one; choose")
    if everything and not isinstance(read_record(lines[-1], len(lines)), End | Reveal):
        raise UserError("--all is for a match that is over: until then each seat's view is its own")


def check_move(lines: Sequence[bytes], number: int) -> None:
    """UserError if the match has fewer moves."""
    moves = sum(isinstance(read_record(raw, place), Line) for place, raw in enumerate(lines, start=1))
    if number > moves:
        raise UserError(f"--at {number}: the match has {moves} moves")


def audience(match: Match[Any], seat: Seat | None) -> By:
    """The seat, once it is taken; before that, a spectator."""
    return seat if seat is not None and seat < len(match.names) else None


def told_to_all(step: Step) -> Iterator[RenderableType]:
    """All faults and findings, then what each seat was told: once if all were told the same, otherwise side by side."""
    match, record, out = step.match, step.record, step.out
    if isinstance(record, Line) and record.by is not None and record.fault == GONE:
        price = cost_in_words(match.action(record))
        yield Text(f"  {match.names[record.by]}: {GONE.kind}, {GONE.words} ({price})", "red")
    yield from troubles(match, out)
    told = [_events(match, out, seat) for seat in range(len(match.names))]
    if all(each == told[0] for each in told):
        yield from told[0] if told else ()
        return
    table = Table(box=SIMPLE_HEAD, expand=True)
    for seat, name in enumerate(match.names):
        table.add_column(Text(name, colour(seat)), ratio=1, overflow="fold")
    table.add_row(*(Text("\n").join(each) for each in told))
    yield table


def _events(match: Match[Any], out: Out, seat: Seat) -> list[Text]:
    seen = [notice for notice in out.to(seat) if isinstance(notice, Event)]
    return [
        painted(line, match.names) for event in seen for line in match.game.words.say(event, match.names).splitlines()
    ]


def boards(match: Match[Any]) -> RenderableType:
    """The table as each seat sees it, side by side as far as the terminal is wide enough."""
    seen = [match.game.words.board(match.state.view(seat), match.names) for seat in range(len(match.names))]
    return Columns(
        [
            Group(Text(f"seen by {name}", f"bold {colour(seat)}"), board_table(board, min_width=0))
            for seat, (name, board) in enumerate(zip(match.names, seen, strict=True))
        ],
        padding=(0, 2),
    )
