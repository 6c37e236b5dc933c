"""A tournament on the screen: progress and standings while it is played, and its results."""

import time
from collections.abc import Iterable
from typing import Any

import numpy as np
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from parlour.cli.tables import table_of
from parlour.tournament.journal import JournalEntry
from parlour.tournament.plan import TournamentPlan
from parlour.tournament.results import PlayerResult, Results
from parlour.tournament.schedules import Round

FRAME_S = 0.5
MOST_SHOWN = 20
"""Players in the live standings, and sentences after the end."""


class LiveScreen:
    """Shows progress, standings and matches per second on a terminal, and nothing elsewhere."""

    def __init__(
        self, console: Console, plan: TournamentPlan, total: int, done: Iterable[JournalEntry], hidden: bool = False
    ) -> None:
        self._hidden = hidden or not console.is_terminal
        self._plan = plan
        self._matches, self._wins, self._ranks, self._faults = np.zeros((4, len(plan.players)))
        self._void = 0
        self._played = 0
        self._began = self._drawn = time.monotonic()
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
        )
        kept = sum(map(self._count, done))
        self._task = self._progress.add_task(plan.format, total=total, completed=kept, rate="")
        self._live = Live(console=console, auto_refresh=False, transient=True)

    def __enter__(self) -> "LiveScreen":
        if not self._hidden:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.stop()

    def show(self, round: Round, entry: JournalEntry) -> None:
        """Count a finished match, and draw the screen twice a second."""
        self._played += self._count(entry)
        self._progress.advance(self._task)
        now = time.monotonic()
        if now - self._drawn >= FRAME_S and self._live.is_started:
            self._drawn = now
            rate = f"{self._played / (now - self._began):,.1f} matches/s"
            words = f"{self._plan.format}, round {round.number + 1}"
            self._progress.update(self._task, description=words, rate=rate)
            self._live.update(Group(self._progress, self._standings()), refresh=True)

    def _count(self, entry: JournalEntry) -> int:
        result = entry.result
        self._void += result.void
        if not result.void:
            players = np.array(result.players)
            self._matches[players] += 1
            self._wins[players] += np.equal(result.ranks, 1) / max(1, result.ranks.count(1))
            self._ranks[players] += result.ranks
            self._faults[players] += result.faults or 0
        return 1

    def _standings(self) -> Table:
        table = table_of("player", ">matches", ">win share", ">mean rank", ">faults", title_style="table.title")
        table.title, table.title_justify = f"{self._void} void" if self._void else None, "center"
        shares = self._wins / np.maximum(1, self._matches)
        for player in np.argsort(-shares, kind="stable")[:MOST_SHOWN]:
            count = max(1.0, self._matches[player])
            table.add_row(
                Text(self._plan.players[player].name),
                f"{self._matches[player]:.0f}",
                f"{shares[player]:.3f}",
                f"{self._ranks[player] / count:.2f}",
                f"{self._faults[player]:.0f}",
            )
        return table


def result_screen(results: Results) -> Group:
    """The final table, what it says, and what went wrong."""
    counts = results.counts
    parts: list[Any] = [_final_table(results)]
    if results.winner is not None:
        parts.append(Text(f"{results.winner} won the final", "bold"))
    parts += [Text(sentence) for sentence in results.sentences[:MOST_SHOWN]]
    if len(results.sentences) > MOST_SHOWN:
        parts.append(Text(f"and {len(results.sentences) - MOST_SHOWN} more pairs in results.json"))
    if results.duplicate is not None and results.duplicate.error_cut > 0:
        parts.append(Text(f"Duplicate play made the error {results.duplicate.error_cut:.0%} smaller"))
    if counts.void:
        why = f", the first (match {results.voids[0].match}): {results.voids[0].why}" if results.voids else ""
        parts.append(Text(f"{counts.void} matches are void{why}", "red"))
    for player in results.players:
        parts += _complaint(player)
    return Group(*parts)


def _final_table(results: Results) -> Table:
    title = f"{results.matches:,} matches, {results.tournament.format}"
    figures = (">rating (95%)", ">win share (95%)", ">mean place", ">mean score", ">faults")
    table = table_of("player", *figures, title=title)
    for player in results.players:
        rating, standing = player.rating, player.standing
        table.add_row(
            Text(player.name),
            f"{rating.estimate:+.0f} ({rating.low:+.0f} to {rating.high:+.0f})",
            f"{standing.win_share.estimate:.3f} ({standing.win_share.low:.3f}-{standing.win_share.high:.3f})",
            f"{standing.mean_place.estimate:.2f}",
            f"{standing.mean_score.estimate:.1f}",
            Text(str(player.counts.faults or "-"), "red" if player.counts.faults else ""),
        )
    return table


def _complaint(player: PlayerResult) -> list[Text]:
    """The first fault of a player, and how to see it."""
    first = player.first_fault
    if first is None:
        return []
    fault = first.fault
    said = f"; it wrote: {fault.stderr}" if fault.stderr else ""
    words = f"{player.name}: first fault in match {first.match}: {fault.kind} {fault.code}, {fault.words}{said}"
    return [Text(words, "red"), *([Text(f"  see it with `{first.command}`")] if first.command else [])]
