"""Show matches on a terminal: events scroll by, and the table stays below them."""

import queue
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from parlour.cli.tables import table_of
from parlour.core import AnswerRefused, Board, By, Event, Fault, Finding, Game, Result, Seat, Void
from parlour.referee.fault_words import fault_in_words
from parlour.referee.match import Match, Out

COLOURS = ("cyan", "magenta", "yellow", "green", "blue", "red")


def colour(seat: Seat) -> str:
    return COLOURS[seat % len(COLOURS)]


def painted(text: str, names: Sequence[str]) -> Text:
    """The text, with every name in the colour of its seat."""
    line = Text(text, style="" if text.startswith(" ") else "bold")
    for seat in sorted(range(len(names)), key=lambda seat: len(names[seat])):
        line.highlight_words([names[seat]], colour(seat))
    return line


def board_table(board: Board, min_width: int = 60) -> Table:
    table = Table(title=board.heading, title_justify="left", title_style="bold", min_width=min_width)
    table.caption, table.caption_justify, table.caption_style = board.footer or None, "left", ""
    for place, column in enumerate(board.columns):
        table.add_column(column, justify="left" if place in (0, 3) else "right")
    for seat, row in enumerate(board.rows):
        table.add_row(Text(row[0], colour(seat)), *row[1:])
    return table


def result_table(game: Game[Any], match: str, names: Sequence[str], end: Result | Void) -> RenderableType:
    if isinstance(end, Void):
        void = Text(f"The match is void: {end.code}, {end.words}", "bold red")
        return void if game.words.explain is None else Group(void, Text(f"  {own_fault(game, match, end)}", "dim red"))
    table = table_of(">rank", "player", ">score", title="Result", min_width=44)
    for seat in sorted(range(len(names)), key=lambda seat: end.ranks[seat]):
        best = "bold " if end.ranks[seat] == 1 else ""
        table.add_row(str(end.ranks[seat]), Text(names[seat], best + colour(seat)), str(end.scores[seat]))
    return table


def fault_lines(refused: AnswerRefused, match: Match[Any]) -> list[Text]:
    """A fault, with all details for the host."""
    fault, seat = refused.fault, refused.seat
    lines = [Text(f"  {fault_in_words(refused, match.names)}", "red")]
    if match.game.words.explain is not None and fault.kind != "unasked":
        explained = match.game.words.explain(
            fault, match.header.match, seat, refused.cost, refused.attempt, refused.view
        )
        lines.append(Text(f"    {explained}", "dim red"))
    return lines


def own_fault(game: Game[Any], match: str, fault: Fault | Void) -> str:
    """A fault of the referee, in the terms of the rule book if it has any."""
    if game.words.explain is None:
        return f"{fault.code}: {fault.words}"
    return game.words.explain(fault, match, -1, None, 0, None)


def host_news(match: Match[Any], out: Out) -> list[Text]:
    """All faults and findings, and what spectators are told."""
    return [*troubles(match, out), *news(match, out, None)]


def troubles(match: Match[Any], out: Out) -> list[Text]:
    """All faults of seats, and all findings of the game's own audits."""
    lines = []
    for notice in out.notices:
        if isinstance(notice, AnswerRefused):
            lines += fault_lines(notice, match)
        elif isinstance(notice, Finding):
            lines += finding_lines(match, notice)
    return lines


def finding_lines(match: Match[Any], finding: Finding) -> list[Text]:
    found = own_fault(match.game, match.header.match, finding.fault)
    return [Text(match.game.words.say(finding, match.names), "red"), Text(f"    {found}", "dim red")]


def news(match: Match[Any], out: Out, who: By) -> list[Text]:
    """The messages to a seat or a spectator, in words."""
    game, names = match.game, match.names
    lines = []
    for notice in out.to(who):
        if isinstance(notice, Event):
            lines += [painted(line, names) for line in game.words.say(notice, names).splitlines()]
        elif isinstance(notice, AnswerRefused):
            lines += fault_lines(notice, match)
    return lines


def opening(match: Match[Any], who: By) -> Text:
    """The first position, which no event describes."""
    game, names, view = match.game, match.names, match.state.view(who)
    more = [] if game.words.opening is None else game.words.opening(view, names).splitlines()
    return Text("\n").join(
        [Text(game.words.board(view, names).heading, "bold"), *(painted(line, names) for line in more)]
    )


class Stage:
    """Shows a match while it is played, in a thread of its own, so that players never wait for the display."""

    def __init__(self, console: Console, pace_s: float) -> None:
        self._console = console
        self._pace_s = pace_s
        self._begun = False
        self._stopped = threading.Event()
        self._done = threading.Event()
        self._frames: queue.SimpleQueue[tuple[list[Text], Table] | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, daemon=True).start()

    def __call__(self, match: Match[Any], out: Out) -> None:
        lines = [opening(match, None)] if not self._begun else []
        self._begun = True
        lines += host_news(match, out)
        if lines:
            board = match.game.words.board(match.state.view(None), match.names)
            self._frames.put((lines, board_table(board)))

    def __enter__(self) -> "Stage":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Show the rest of the match. After an error, stop at once and restore the terminal."""
        self._frames.put(None)
        try:
            if kind is None:
                self._done.wait()  # Thread.join, once interrupted, takes the thread for ended
        finally:
            self._stopped.set()
            self._done.wait(1.0)

    def _run(self) -> None:
        try:
            self._show()
        finally:
            self._done.set()

    def _show(self) -> None:
        if not self._console.is_terminal:
            for lines, _ in self._shown():
                for line in lines:
                    self._console.print(line)
            return
        with Live(console=self._console, transient=True, auto_refresh=False) as live:
            for lines, table in self._shown():
                for line in lines:
                    live.console.print(line)
                    live.update(Group("", table), refresh=True)
                    if self._stopped.wait(self._pace_s):
                        return

    def _shown(self) -> Iterator[tuple[list[Text], Table]]:
        while (frame := self._frames.get()) is not None and not self._stopped.is_set():
            yield frame
