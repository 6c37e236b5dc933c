"""The HTTP API of an arena for leagues and ratings, with typed values."""

import math
import time
from collections.abc import Iterator
from urllib.parse import quote

from parlour.client.api import ArenaApi, Refused, path_word, query
from parlour.protocol.league_forms import (
    LeagueEntry,
    LeagueInfo,
    LeagueMatch,
    LeagueMatches,
    LeaguePage,
    LeagueRecord,
    LeagueRecords,
    LeagueStandings,
    LeagueState,
    LeagueTimes,
    NewEntry,
    NewLeague,
    NextTable,
    OwnEntry,
    Reason,
)
from parlour.protocol.rating_forms import PlayerRatings, RatedKind, RatingPage, RatingRow

ASK_S = 1.0
"""Pause between questions for the next table."""
PATIENCE_S = 600.0
"""How long an arena may be away while a league is played."""
PASSING = ("unreachable", "no_arena", "store_failed", "closing", "parked", "bug", "too_many_tries", "too_many")
"""Codes of failures that may pass by themselves."""


class LeagueApi(ArenaApi):
    """The API for leagues. All methods block, and may raise Refused."""

    def leagues(self, most: int, state: LeagueState | None = None, game: str | None = None) -> list[LeagueInfo]:
        """At most this many, newest first."""
        return self._listed("/leagues", LeaguePage, lambda page: page.leagues, "before", most, state=state, game=game)

    def league(self, id: str) -> LeagueInfo:
        """One league."""
        return self._asked("GET", _path(id), LeagueInfo)

    def standings(self, id: str, *, full: bool = False) -> LeagueStandings:
        """The table of a league; `full`: with all names and results, for administrators."""
        return self._asked("GET", f"{_path(id)}/standings?{query(full=full)}", LeagueStandings)

    def league_matches(self, id: str, *, full: bool = False) -> list[LeagueMatch]:
        """All matches that have been drawn."""
        path = f"{_path(id)}/matches"
        return self._listed(path, LeagueMatches, lambda page: page.matches, "after", math.inf, full=full)

    def entries(self, id: str, *, full: bool = False) -> list[LeagueEntry]:
        """All entries."""
        return self._asked("GET", f"{_path(id)}/entries?{query(full=full)}", list[LeagueEntry])

    def records(self, id: str) -> list[LeagueRecord]:
        """The acts on a league, oldest first."""
        return self._listed(f"{_path(id)}/records", LeagueRecords, lambda page: page.records, "after", math.inf)

    # For entrants

    def own_entry(self, id: str) -> OwnEntry:
        """Your own entry."""
        return self._asked("GET", f"{_path(id)}/entry", OwnEntry)

    def enter(self, id: str, wanted: NewEntry) -> OwnEntry:
        """Enter a league."""
        return self._asked("POST", f"{_path(id)}/entry", OwnEntry, wanted)

    def withdraw(self, id: str) -> None:
        """Withdraw your entry, or leave a team."""
        self._sent("DELETE", f"{_path(id)}/entry")

    def new_code(self, id: str) -> OwnEntry:
        """A new invitation code for your team."""
        return self._asked("POST", f"{_path(id)}/entry/code", OwnEntry)

    def next_table(self, id: str) -> NextTable:
        """Where your entry plays now."""
        return self._asked("GET", f"{_path(id)}/table", NextTable)

    # For administrators

    def new_league(self, wanted: NewLeague) -> LeagueInfo:
        """Open a league."""
        return self._asked("POST", "/leagues", LeagueInfo, wanted)

    def change_league(self, id: str, times: LeagueTimes) -> LeagueInfo:
        """Change the times of a league."""
        return self._asked("PATCH", _path(id), LeagueInfo, times)

    def cancel_league(self, id: str, why: str) -> LeagueInfo:
        """Cancel a league."""
        return self._asked("POST", f"{_path(id)}/cancel", LeagueInfo, Reason(why))

    def cancel_match(self, id: str, n: int, why: str) -> LeagueMatch:
        """Cancel a match of the schedule."""
        return self._asked("POST", f"{_path(id)}/matches/{n}/cancel", LeagueMatch, Reason(why))

    def rerun(self, id: str, n: int, why: str) -> LeagueMatch:
        """Have a match of the schedule played again."""
        return self._asked("POST", f"{_path(id)}/matches/{n}/rerun", LeagueMatch, Reason(why))

    def remove(self, id: str, entry: str, why: str) -> None:
        """Remove an entry."""
        self._sent("DELETE", f"{_path(id)}/entries/{path_word(entry)}", Reason(why))

    def export(self, id: str) -> bytes:
        """The standings as CSV."""
        return self._sent("GET", f"{_path(id)}/export.csv", kind="text/csv")

    # Ratings

    def ratings(self, game: str, most: int) -> list[RatingRow]:
        """The leaderboard of a game, best first."""
        return self._listed("/ratings", RatingPage, lambda page: page.rows, "after", most, game=game)

    def ratings_of(self, name: str, kind: RatedKind = "account") -> PlayerRatings:
        """The ratings of one player in all games, with their history."""
        return self._asked("GET", f"/ratings/{quote(name, safe='')}?{query(kind=kind)}", PlayerRatings)


def tables_of(api: LeagueApi, league: str, seen: set[str]) -> Iterator[NextTable]:
    """The tables at which an entry plays, one after the other, until the league has ended. Wait for each one.

    A table is added to `seen`; if the caller removes it, the table is returned again while its match is played. If the
    arena is away for a while, it is asked again."""
    patient_until = time.monotonic() + PATIENCE_S
    while True:
        try:
            found = api.next_table(league)
        except Refused as e:
            if e.code not in PASSING or time.monotonic() > patient_until:
                raise
        else:
            patient_until = time.monotonic() + PATIENCE_S
            if found.state in ("over", "cancelled"):
                return
            if found.table is not None and found.table not in seen:
                seen.add(found.table)
                yield found
                patient_until = time.monotonic() + PATIENCE_S
                if found.table in seen:
                    continue
        time.sleep(ASK_S)


def _path(id: str) -> str:
    try:
        return f"/leagues/{path_word(id)}"
    except Refused:
        raise Refused("no_such_league", "there is no such league") from None
