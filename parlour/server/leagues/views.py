"""Show leagues in the forms of the API, without the names and results that are hidden from the viewer."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from parlour.protocol.league_forms import (
    LeagueEntry,
    LeagueInfo,
    LeagueMatch,
    LeagueRecord,
    LeagueSeat,
    LeagueStanding,
    SlotState,
)
from parlour.protocol.records import now_ms
from parlour.server.leagues.draw import terms_of
from parlour.server.leagues.table import EntryFigures, TablePlace, ranks_of, table
from parlour.store.league_values import ENDED, LeagueCounts, Slot, StoredEntry, StoredLeague


class LeagueView(Struct, frozen=True):
    """A league as somebody may see it."""

    league: StoredLeague
    full: bool = False
    """Whether nothing is hidden."""

    @property
    def is_masked(self) -> bool:
        """Whether pseudonyms stand for names."""
        return self.league.anonymous and self.league.state not in ENDED and not self.full

    @property
    def is_frozen(self) -> bool:
        """Whether new results are hidden."""
        return self.before_ms is not None and now_ms() >= self.before_ms

    def hides(self, slot: Slot) -> bool:
        """Whether the result of a match is hidden. What was settled after the freeze stays hidden even if the clock is
        set back."""
        if self.before_ms is None:
            return False
        at_ms = now_ms() if slot.settled_ms is None else slot.settled_ms
        return at_ms >= self.before_ms

    def name(self, entry: StoredEntry) -> str:
        return entry.alias if self.is_masked else entry.name

    def alias(self, entry: StoredEntry) -> str | None:
        return entry.alias if self.league.anonymous and not self.is_masked else None

    def entry(self, entry: StoredEntry, *, own: bool = False) -> LeagueEntry:
        """An entry; `own`: for one of its accounts."""
        accounts = tuple(member.name for member in entry.members) if self.full or own else None
        name = entry.name if own else self.name(entry)
        alias = entry.alias if own and self.league.anonymous else self.alias(entry)
        return LeagueEntry(entry.id, name, entry.kind, entry.state, alias, accounts)

    def entries(self, entries: Iterable[StoredEntry]) -> list[LeagueEntry]:
        """In the order of the names that are shown, so that the order tells nothing."""
        return sorted(map(self.entry, entries), key=lambda entry: (entry.name.casefold(), entry.id))

    def match(self, slot: Slot, entries: dict[str, StoredEntry]) -> LeagueMatch:
        """A match of the schedule."""
        hidden = self.hides(slot)
        results = None if hidden else slot.results
        ranks = None if results is None else ranks_of(slot, results)
        seats = tuple(
            LeagueSeat(
                id,
                self.name(entries[id]),
                None if results is None else results[seat].score,
                None if ranks is None else ranks[seat],
                not hidden and seat in slot.absent,
            )
            for seat, id in enumerate(slot.entries)
        )
        match = None if hidden else slot.match
        state: SlotState = "over" if hidden and slot.state == "missed" else slot.state
        return LeagueMatch(slot.n, slot.round + 1, state, match, slot.attempt, seats, hidden)

    @property
    def before_ms(self) -> int | None:
        """Before when a match must have been settled to be counted; None: all are."""
        return None if self.full or self.league.state in ENDED else self.league.freeze_ms

    def standings(
        self, entries: Sequence[StoredEntry], figures: Mapping[str, EntryFigures]
    ) -> tuple[LeagueStanding, ...]:
        """The table, from what the matches count that are not hidden. Entries with the same rank are in the order of
        their names."""
        rows = map(self._standing, table(self.league.format, entries, figures))
        return tuple(sorted(rows, key=lambda row: (row.rank is None, row.rank or 0, row.name.casefold(), row.entry)))

    def _standing(self, place: TablePlace) -> LeagueStanding:
        entry, own = place.entry, place.figures
        figures = (own.points, own.mean, own.matches, own.wins, own.faults, own.absences)
        return LeagueStanding(place.rank, entry.id, self.name(entry), self.alias(entry), *figures, entry.state)

    def record(self, record: LeagueRecord, entries: dict[str, StoredEntry]) -> LeagueRecord:
        """A record with the name of its entry. The match is not named while its result may be hidden."""
        entry = entries.get(record.entry or "")
        match = None if self.is_frozen else record.match
        return replace(record, match=match, entry=None if entry is None else self.name(entry))

    def info(self, counts: LeagueCounts) -> LeagueInfo:
        """The fields that are stored have the same names there."""
        shown = {"terms": terms_of(self.league), "is_frozen": self.is_frozen, "is_masked": self.is_masked}
        return msgspec.convert(asdict(self.league) | asdict(counts) | shown, LeagueInfo)
