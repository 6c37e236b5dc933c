"""Leagues, entries, slots and records as they are stored, and rows converted to them."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from parlour.protocol.league_forms import EntryKind, EntryState, LeagueFormat, LeagueState, SlotState

SETTLED: tuple[SlotState, ...] = ("over", "void", "missed", "walkover", "cancelled")
"""The states of slots that are not played any more, unless an administrator orders a rerun."""
PLAYED: tuple[SlotState, ...] = ("waiting", "running")
"""The states of slots that have a table or a match now."""
UNSETTLED: tuple[SlotState, ...] = ("planned", *PLAYED)
ENDED: tuple[LeagueState, ...] = ("over", "cancelled")


class StoredLeague(Struct, frozen=True):
    """A league."""

    id: str
    name: str
    game: str
    format: LeagueFormat
    state: LeagueState
    seats: int
    deals: int
    rounds: int
    terms: str
    """JSON."""
    deadline_ms: int
    freeze_ms: int | None
    anonymous: bool
    team_size: int
    created_ms: int
    started_ms: int | None = None
    ended_ms: int | None = None
    why: str | None = None


class LeagueCounts(Struct, frozen=True):
    """How many entries take part, how many matches are drawn, and how many of those are settled."""

    entries: int = 0
    matches: int = 0
    settled: int = 0


class LeagueMember(Struct, frozen=True):
    """An account of an entry."""

    account: int
    name: str
    is_active: bool
    """Neither banned nor deleted."""


class StoredEntry(Struct, frozen=True):
    """An entry of a league."""

    id: str
    league: str
    kind: EntryKind
    spec: str
    owner: int | None
    name: str
    """Of the team, the account, or the player of the host."""
    alias: str
    code_hash: str | None
    state: EntryState
    place: int | None
    members: tuple[LeagueMember, ...] = ()

    @property
    def takes_part(self) -> bool:
        return self.state == "in"

    @property
    def accounts(self) -> frozenset[int]:
        """The accounts that can play for it."""
        return frozenset(member.account for member in self.members if member.is_active)


class SeatResult(Struct, frozen=True, array_like=True):
    """The result at a seat of a match."""

    rank: int
    score: int | None
    faults: int


class Slot(Struct, frozen=True):
    """A match of the schedule."""

    league: str
    n: int
    round: int
    state: SlotState
    attempt: int
    voids: int
    match: str | None
    entries: tuple[str, ...]
    """By seat."""
    absent: tuple[int, ...] = ()
    """Seats whose players were absent when the match began."""
    results: tuple[SeatResult, ...] | None = None
    """By seat; None: it has no result."""
    settled_ms: int | None = None

    @property
    def is_settled(self) -> bool:
        return self.state in SETTLED

    @classmethod
    def of(cls, row: Sequence[Any]) -> "Slot":
        """The slot of a row of the store."""
        league, n, round, state, attempt, voids, match, entries, absent, results, settled_ms = row
        told = (entries_in(entries), _SEATS.decode(absent), None if results is None else _RESULTS.decode(results))
        return cls(league, n, round, state, attempt, voids, match, *told, settled_ms)

    def row(self) -> dict[str, Any]:
        """The row of the slot."""
        lists = {name: json_text(getattr(self, name)) for name in ("entries", "absent")}
        return {**asdict(self), **lists, "results": None if self.results is None else json_text(self.results)}


def json_text(value: Any) -> str:
    """A value as stored JSON."""
    return msgspec.json.encode(value).decode()


entries_in = msgspec.json.Decoder(tuple[str, ...]).decode
"""Reads the ids of entries from stored JSON."""
_SEATS = msgspec.json.Decoder(tuple[int, ...])
_RESULTS = msgspec.json.Decoder(tuple[SeatResult, ...])
