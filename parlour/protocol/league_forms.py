"""The forms of the HTTP API for leagues, which server and client share."""

from typing import Annotated, Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta, Struct

from parlour.core.values import Name
from parlour.protocol.forms import documented

LeagueFormat: TypeAlias = Literal["round-robin", "swiss", "gauntlet", "knock-out"]
LeagueState: TypeAlias = Literal["open", "running", "over", "cancelled"]
EntryKind: TypeAlias = Literal["client", "command", "bot"]
EntryState: TypeAlias = Literal["in", "withdrawn", "removed"]
SlotState: TypeAlias = Literal["planned", "waiting", "running", "over", "void", "missed", "walkover", "cancelled"]
RecordKind: TypeAlias = Literal[
    "created", "changed", "started", "over", "cancelled", "withdrawn", "removed", "match cancelled", "match rerun"
]

MOST_TIME_MS = 253_402_300_800_000
"""The year 10000, after which many programs cannot show a date."""
Moment = Annotated[int, Meta(ge=0, lt=MOST_TIME_MS)]
"""Milliseconds since 1970."""
Why = Annotated[
    str, Meta(min_length=1, max_length=300, pattern=r"^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$")
]
"""A reason, in one line."""


class HousePlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """A player that the host enters: a built-in bot, or a command of the settings."""

    kind: Literal["bot", "command"]
    spec: Annotated[str, Meta(min_length=1, max_length=64)]


class LeagueTerms(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How the matches of a league are played."""

    options: dict[str, Any] = {}
    """House rules of the game, by name."""
    limit_s: Annotated[float, Meta(gt=0, le=3600)] | None = None
    """Time limit for an answer; null: the game's default."""
    bank_s: Annotated[float, Meta(ge=0, le=3600)] = 0.0
    """Extra time for the whole match."""
    grace_s: Annotated[float, Meta(gt=0, le=3600)] = 60.0
    """How long a match waits for an entrant that is not connected. After that it begins without it."""


class NewLeague(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A request for a league."""

    name: Name
    game: Annotated[str, Meta(max_length=40)]
    format: LeagueFormat = "round-robin"
    seats: Annotated[int, Meta(ge=2, le=64)] | None = None
    """The seats of every match; null: as few as the game allows, at least 2."""
    deals: Annotated[int, Meta(ge=1, le=1000)] = 1
    """Matches of every line-up; of swiss and knock-out in every round. Each has a deal of its own."""
    rounds: Annotated[int, Meta(ge=1, le=100)] = 3
    """The rounds of a Swiss league. Other formats ignore it."""
    terms: LeagueTerms = msgspec.field(default_factory=LeagueTerms)
    deadline_ms: Moment
    """Until when accounts can enter. The matches begin then."""
    freeze_ms: Moment | None = None
    """From when on results are hidden from the audience until the league is over; null: never."""
    anonymous: bool = False
    """Whether entrants have pseudonyms until the league is over."""
    team_size: Annotated[int, Meta(ge=1, le=16)] = 1
    """How many accounts may share an entry. With 1 there are no teams."""
    house: Annotated[tuple[HousePlayer, ...], Meta(max_length=16)] = ()
    """Players that the host enters. A gauntlet is against the first of them."""


class LeagueTimes(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """New times of a league. What is left out stays as it is."""

    deadline_ms: Moment | None = None
    """Only before the deadline."""
    freeze_ms: Moment | None = None
    unfreeze: bool = False
    """Whether results are not hidden any more."""


class LeagueInfo(Struct, frozen=True):
    """A league, as everybody sees it."""

    id: str
    name: str
    game: str
    format: Annotated[str, documented(*get_args(LeagueFormat))]
    state: Annotated[str, documented(*get_args(LeagueState))]
    """open: accounts can enter. running: its matches are played. cancelled: it is never played, or not to its end."""
    seats: int
    deals: int
    rounds: int
    terms: LeagueTerms
    deadline_ms: int
    freeze_ms: int | None
    is_frozen: bool
    """Whether results after `freeze_ms` are hidden now."""
    anonymous: bool
    is_masked: bool
    """Whether pseudonyms stand for names now."""
    team_size: int
    entries: int
    """How many entries take part."""
    matches: int
    """How many matches have been drawn so far. The later rounds of swiss and knock-out are drawn one by one."""
    settled: int
    """How many of them are over, or will not be played."""
    created_ms: int
    started_ms: int | None
    ended_ms: int | None
    why: str | None
    """Why it was cancelled."""


class LeaguePage(Struct, frozen=True):
    """Part of the list of leagues, newest first."""

    leagues: tuple[LeagueInfo, ...]
    next: str | None
    """The value of `before` for the next page."""


class LeagueEntry(Struct, frozen=True):
    """An entry, as everybody sees it."""

    id: str
    name: str
    """The name of the account or team; a pseudonym while the league is masked."""
    kind: Annotated[str, documented(*get_args(EntryKind))]
    state: Annotated[str, documented(*get_args(EntryState))]
    alias: str | None = None
    """The pseudonym of an entry whose name is shown."""
    accounts: tuple[str, ...] | None = None
    """The names of its accounts, for administrators and for the accounts themselves."""


class LeagueStanding(Struct, frozen=True):
    """The results of an entry so far."""

    rank: int | None
    """From 1; equal entries share a rank. null: the entry was withdrawn or removed."""
    entry: str
    name: str
    alias: str | None
    points: float
    """The sum over its matches. Of a match: the share of the others that are ranked after it; a tie counts half."""
    mean: float
    """The points by match, by which entries are ranked; in a knock-out, those that reached the same round."""
    matches: int
    wins: float
    """First places. Players that share one have an equal part of it."""
    faults: int
    absences: int
    """Matches that began without it, or not at all because nobody came."""
    state: Annotated[str, documented(*get_args(EntryState))]


class LeagueStandings(Struct, frozen=True):
    """The table of a league."""

    league: LeagueInfo
    standings: tuple[LeagueStanding, ...]


class LeagueSeat(Struct, frozen=True):
    """An entry at a seat of a match."""

    entry: str
    name: str
    score: int | None
    """null: the match has no result, or it is hidden."""
    rank: int | None
    """As the league counts it: absent players come after all others."""
    absent: bool
    """Whether the match began without its player."""


class LeagueMatch(Struct, frozen=True):
    """A match of the schedule."""

    n: int
    """Its number in the schedule, from 1."""
    round: int
    """From 1."""
    state: Annotated[str, documented(*get_args(SlotState))]
    """waiting: its table waits for players. void: it counts for nobody. missed: nobody came. walkover: an entrant had
    withdrawn. cancelled: by an administrator."""
    match: str | None
    """The table or match of the last attempt; null also while its result is hidden."""
    attempt: int
    """From 1; higher after a rerun."""
    seats: tuple[LeagueSeat, ...]
    is_hidden: bool
    """Whether its result is hidden until the league is over."""


class LeagueMatches(Struct, frozen=True):
    """Part of the schedule, in its order."""

    matches: tuple[LeagueMatch, ...]
    next: int | None
    """The value of `after` for the next page."""


class LeagueRecord(Struct, frozen=True):
    """Something that somebody has done to a league."""

    at_ms: int
    kind: Annotated[str, documented(*get_args(RecordKind))]
    by: str | None
    """The administrator; null: the server itself, or an entrant."""
    n: int | None
    """The number of the match in the schedule, if it is about one."""
    match: str | None
    """The match that was cancelled or is played again."""
    entry: str | None
    """The name of the entry, if it is about one."""
    why: str


class LeagueRecords(Struct, frozen=True):
    """Part of the records of a league, oldest first."""

    records: tuple[LeagueRecord, ...]
    next: int | None
    """The value of `after` for the next page."""


class NewEntry(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A request to enter a league: alone, as a new team, or in a team whose invitation code you have."""

    command: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    """A command that the host offers; null: a client of yours connects for every match."""
    team: Name | None = None
    """The name of a new team."""
    code: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    """The invitation code of a team."""


class OwnEntry(Struct, frozen=True):
    """Your own entry."""

    league: str
    entry: LeagueEntry
    owner: bool
    """Whether you have made the entry, and may withdraw it."""
    plays_as: str
    """The name at the seats of its matches."""
    code: str | None = None
    """The invitation code of a new team, or a new one of your team. It is shown only once."""


class NextTable(Struct, frozen=True):
    """Where your entry plays now."""

    state: Annotated[str, documented(*get_args(LeagueState))]
    table: str | None
    """Connect to this table or match with your token; null: there is none yet. Ask again."""
    game: str


class Reason(Struct, frozen=True, forbid_unknown_fields=True):
    """Why an administrator does something. It is shown in the record of the league."""

    why: Why
