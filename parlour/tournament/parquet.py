"""Write the matches and decisions of a tournament as Parquet and as CSV.

Equal results give equal files, except `timings.parquet`. The schema is in docs/tournaments.md.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
from pyarrow import parquet

from parlour.core.quoting import spreadsheet_cell
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
SINGULAR = {"players": "player", "ranks": "rank", "scores": "score", "faults": "faults", "left": "left"}
"""The names of the CSV columns for a list, without the number of the seat that follows."""
FOREIGN = {"player", "void"}
"""Columns with texts that are not ours."""
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


_TABLES: dict[str, tuple[Any, Callable[[TournamentPlan, Sequence[Outcome]], Columns]]] = {
    "matches": (MATCHES, _matches),
    "decisions": (DECISIONS, _decisions),
    "timings": (TIMINGS, _timings),
}


class TableWriter:
    """Writes one table, as Parquet and perhaps as CSV."""

    def __init__(self, folder: Path, name: str, width: int | None, stack: ExitStack) -> None:
        """With a width, the table is also written as CSV, in which a list has that many columns."""
        self._schema, self._columns_of = _TABLES[name]
        self._parquet = stack.enter_context(parquet.ParquetWriter(_new(folder, f"{name}.parquet"), self._schema))
        self._csv, self._width = None, width
        if width is not None:
            file = stack.enter_context(_new(folder, f"{name}.csv").open("w", newline="", encoding="utf-8"))
            self._csv = csv.writer(file)
            self._csv.writerow([name for field in self._schema for name in self._names(field)])

    def _names(self, field: Any) -> list[str]:
        """The columns of the CSV that a column of the table becomes."""
        if not pa.types.is_list(field.type):
            return [field.name]
        return [f"{SINGULAR[field.name]}_{seat}" for seat in range(self._width or 0)]

    def write(self, plan: TournamentPlan, outcomes: Sequence[Outcome]) -> None:
        """Write some more matches."""
        columns = self._columns_of(plan, outcomes)
        self._parquet.write_table(pa.table(columns, schema=self._schema))
        if self._csv is not None:
            self._csv.writerows(zip(*self._flat(columns), strict=True))

    def _flat(self, columns: Columns) -> Iterator[list[Any]]:
        """The columns, with one for each seat in place of a column of lists."""
        for field in self._schema:
            cells = columns[field.name]
            if pa.types.is_list(field.type):
                for seat in range(self._width or 0):
                    yield [spreadsheet_cell(each[seat]) if each and seat < len(each) else None for each in cells]
            elif field.name in FOREIGN:
                yield list(map(spreadsheet_cell, cells))
            else:
                yield cells


def write_tables(folder: Path, plan: TournamentPlan, outcomes: Iterable[Outcome], as_csv: bool = False) -> None:
    """Write all Parquet files, and perhaps the same as CSV. They replace older ones only when they are complete."""
    waiting = iter(outcomes)
    with ExitStack() as stack:
        writers = [TableWriter(folder, name, plan.seats if as_csv else None, stack) for name in _TABLES]
        while group := list(islice(waiting, GROUP)):
            for writer in writers:
                writer.write(plan, group)
    for name in _TABLES:
        for kind in ("parquet", "csv") if as_csv else ("parquet",):
            _new(folder, f"{name}.{kind}").replace(folder / f"{name}.{kind}")


def _new(folder: Path, name: str) -> Path:
    return folder / f".{name}.new"
