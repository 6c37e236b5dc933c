"""Write the matches and decisions of a tournament as Parquet, and the matches as CSV.

Equal results give equal files, except `timings.parquet`. The schema is in docs/tournaments.md.
"""

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
from pyarrow import parquet

from parlour.tournament.plan import TournamentPlan
from parlour.tournament.playing import NULL, Outcome

GROUP = 2000
"""Matches in a row group; so many are in memory at a time."""

Columns: TypeAlias = dict[str, list[Any]]

MATCHES = pa.schema(
    [
        ("match", pa.int64()),
        ("round", pa.int32()),
        ("deal", pa.int64()),
        ("lineup", pa.int32()),
        ("seating", pa.int32()),
        ("players", pa.list_(pa.string())),
        ("ranks", pa.list_(pa.int32())),
        ("scores", pa.list_(pa.float64())),
        ("faults", pa.list_(pa.int32())),
        ("left", pa.list_(pa.string())),
        ("void", pa.string()),
    ]
)
DECISIONS = pa.schema(
    [
        ("match", pa.int64()),
        ("seat", pa.int8()),
        ("player", pa.string()),
        ("ask", pa.int32()),
        ("action", pa.string()),
        ("fault", pa.string()),
        ("refused", pa.string()),
    ]
)
TIMINGS = pa.schema([("match", pa.int64()), ("seat", pa.int8()), ("ask", pa.int32()), ("seconds", pa.float64())])


def match_row(plan: TournamentPlan, outcome: Outcome) -> list[Any]:
    """A row of `matches.parquet`."""
    result, seats = outcome.result, range(len(outcome.result.players))
    return [
        result.match,
        outcome.round,
        result.deal,
        result.lineup,
        outcome.seating,
        [plan.players[player].name for player in result.players],
        list(result.ranks) or None,
        list(result.scores) or None,
        list(result.faults) or [0 for _ in seats],
        [outcome.left.get(seat) for seat in seats],
        outcome.void or None,
    ]


def _matches(plan: TournamentPlan, outcomes: Sequence[Outcome]) -> Columns:
    rows = [match_row(plan, outcome) for outcome in outcomes]
    return dict(zip(MATCHES.names, map(list, zip(*rows, strict=True)), strict=True))


def _decisions(plan: TournamentPlan, outcomes: Sequence[Outcome]) -> Columns:
    columns: Columns = {name: [] for name in DECISIONS.names}
    for outcome in outcomes:
        made = outcome.decisions
        names = [plan.players[player].name for player in outcome.result.players]
        columns["match"] += [outcome.result.match] * len(made.seat)
        columns["seat"] += made.seat
        columns["player"] += [names[seat] for seat in made.seat]
        columns["ask"] += made.ask
        columns["action"] += [None if action == NULL else str(action, "utf-8") for action in map(bytes, made.action)]
        rows = range(len(made.seat))
        columns["fault"] += [made.fault.get(row) for row in rows] if made.fault else [None] * len(rows)
        refused = {row: str(bytes(said), "utf-8") for row, said in made.refused.items()}
        columns["refused"] += [refused.get(row) for row in rows]
    return columns


def _timings(plan: TournamentPlan, outcomes: Sequence[Outcome]) -> Columns:
    """The seconds of every decision, then of the whole match, which has no seat and no ask."""
    columns: Columns = {name: [] for name in TIMINGS.names}
    for outcome in outcomes:
        columns["match"] += [outcome.result.match] * (len(outcome.micros) + 1)
        columns["seat"] += [*outcome.decisions.seat, None]
        columns["ask"] += [*outcome.decisions.ask, None]
        columns["seconds"] += [*(micros / 1e6 for micros in outcome.micros), outcome.took]
    return columns


_FILES: dict[str, tuple[Any, Callable[[TournamentPlan, Sequence[Outcome]], Columns]]] = {
    "matches.parquet": (MATCHES, _matches),
    "decisions.parquet": (DECISIONS, _decisions),
    "timings.parquet": (TIMINGS, _timings),
}


def write_parquet(folder: Path, plan: TournamentPlan, outcomes: Iterator[Outcome]) -> None:
    """Write all Parquet files. They replace older ones only when they are complete."""
    with ExitStack() as stack:
        writers = [
            (stack.enter_context(parquet.ParquetWriter(_new(folder, name), schema)), schema, columns)
            for name, (schema, columns) in _FILES.items()
        ]
        while group := list(islice(outcomes, GROUP)):
            for writer, schema, columns in writers:
                writer.write_table(pa.table(columns(plan, group), schema=schema))
    for name in _FILES:
        _new(folder, name).replace(folder / name)


def write_csv(folder: Path, plan: TournamentPlan, outcomes: Iterator[Outcome]) -> None:
    """Write the matches as CSV; a list has a column for each seat, such as `rank_0`."""
    by_seat = {"players": "player", "ranks": "rank", "scores": "score", "faults": "faults", "left": "left"}
    with _new(folder, "matches.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        header = [
            [f"{by_seat[name]}_{seat}" for seat in range(plan.seats)] if name in by_seat else [name]
            for name in MATCHES.names
        ]
        writer.writerow([name for names in header for name in names])
        for outcome in outcomes:
            row = zip(MATCHES.names, match_row(plan, outcome), strict=True)
            cells = [(cell or [None] * plan.seats) if name in by_seat else [cell] for name, cell in row]
            writer.writerow([cell for each in cells for cell in each])
    _new(folder, "matches.csv").replace(folder / "matches.csv")


def _new(folder: Path, name: str) -> Path:
    return folder / f".{name}.new"
