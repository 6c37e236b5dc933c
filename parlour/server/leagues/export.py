"""The standings of a league as CSV, one line per account, for grades."""

import csv
import io
from collections.abc import Sequence

from parlour.core.quoting import spreadsheet_cell
from parlour.protocol.league_forms import LeagueEntry, LeagueStanding

FIGURES = ("points", "mean", "matches", "wins", "faults", "absences")
COLUMNS = ("rank", "account", "entry", "kind", "state", *FIGURES, "alias")


def csv_of(entries: Sequence[LeagueEntry], standings: Sequence[LeagueStanding]) -> bytes:
    """A line for every account of every entry, in the order of the standings."""
    known = {entry.id: entry for entry in entries}
    out = io.StringIO()
    written = csv.writer(out, lineterminator="\n")
    written.writerow(COLUMNS)
    for row in standings:
        entry = known[row.entry]
        for account in entry.accounts or ("",):
            written.writerow(map(spreadsheet_cell, _row(row, entry, account)))
    return out.getvalue().encode()


def _row(row: LeagueStanding, entry: LeagueEntry, account: str) -> tuple[object, ...]:
    rank = "" if row.rank is None else row.rank
    figures = (f"{row.points:.4f}", f"{row.mean:.4f}", row.matches, f"{row.wins:.4f}", row.faults, row.absences)
    return (rank, account, row.name, entry.kind, row.state, *figures, row.alias or "")
