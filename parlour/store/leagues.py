"""Leagues in the store: the changes of administrators and entrants, and everything that is read."""

import hmac
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Connection, delete, func, insert, select, update

from parlour.protocol.errors import RequestError
from parlour.protocol.league_forms import LeagueRecord, RecordKind
from parlour.protocol.records import now_ms
from parlour.store.league_schema import league_entries, league_members, league_records, league_slots, leagues
from parlour.store.league_values import ENDED, SETTLED, LeagueCounts, LeagueMember, Slot, StoredEntry, StoredLeague
from parlour.store.schema import accounts
from parlour.store.schema import matches as stored_matches
from parlour.store.transactions import StorePart, reads, writes


class Entering(StoredEntry, frozen=True, kw_only=True):
    """A new entry with its owner, for a league whose deadline has not passed."""

    name_key: str | None = None
    """The skeleton of a team's name; None: the entry has the name of its account."""
    most: int
    """How many entries the league may have."""


class OwnLeague(Struct, frozen=True):
    """An entry of an account in a league."""

    league: str
    name: str
    """The name of the league."""
    kind: str
    command: str
    team: str | None
    alias: str
    state: str
    is_owner: bool
    entered_ms: int


class LeagueStore(StorePart):
    """All access to leagues, except the play of their matches."""

    # Leagues

    @writes
    def add(self, connection: Connection, league: StoredLeague, house: Sequence[StoredEntry], by: int) -> None:
        """Add a league with the players that its host enters."""
        connection.execute(insert(leagues), asdict(league))
        for entry in house:
            connection.execute(insert(league_entries), _entry_row(entry, entry.name, None))
        note(connection, league.id, "created", "the league was created", by=by)

    async def one(self, id: str) -> StoredLeague | None:
        rows = await self._database.rows(select(leagues).where(leagues.c.id == id))
        return StoredLeague(*rows[0]) if rows else None

    async def some(
        self, *, state: str | None, game: str | None, before: tuple[int, str] | None, limit: int
    ) -> list[StoredLeague]:
        """Newest first; those after a pair of time and id."""
        c = leagues.c
        query = select(leagues).order_by(c.created_ms.desc(), c.id.desc()).limit(limit)
        if state is not None:
            query = query.where(c.state == state)
        if game is not None:
            query = query.where(c.game == game)
        if before is not None:
            query = query.where((c.created_ms < before[0]) | ((c.created_ms == before[0]) & (c.id < before[1])))
        return [StoredLeague(*row) for row in await self._database.rows(query)]

    async def unfinished(self) -> list[StoredLeague]:
        """Leagues that are open or running, oldest first."""
        query = select(leagues).where(leagues.c.state.not_in(ENDED)).order_by(leagues.c.created_ms, leagues.c.id)
        return [StoredLeague(*row) for row in await self._database.rows(query)]

    @reads
    def counts(self, connection: Connection, ids: Sequence[str]) -> Mapping[str, LeagueCounts]:
        """By league."""

        def grouped(table: Any, *where: Any) -> dict[str, int]:
            query = select(table.c.league, func.count()).where(table.c.league.in_(ids), *where).group_by(table.c.league)
            return {row[0]: row[1] for row in connection.execute(query)}

        entries = grouped(league_entries, league_entries.c.state == "in")
        drawn, settled = grouped(league_slots), grouped(league_slots, league_slots.c.state.in_(SETTLED))
        return {id: LeagueCounts(entries.get(id, 0), drawn.get(id, 0), settled.get(id, 0)) for id in ids}

    @writes
    def change(self, connection: Connection, /, id: str, by: int, why: str, **changes: Any) -> bool:
        """Change the times of a league that has not ended; False if it has. A new deadline only before the old one."""
        query = update(leagues).where(leagues.c.id == id, leagues.c.state.not_in(ENDED))
        if "deadline_ms" in changes:
            query = query.where(leagues.c.state == "open", leagues.c.deadline_ms > now_ms())
        if not connection.execute(query.values(**changes)).rowcount:
            return False
        note(connection, id, "changed", why, by=by)
        return True

    async def hidden(self, matches: Sequence[str]) -> set[str]:
        """Those finished matches whose results are hidden, because they ended after the freeze of their league."""
        m, g = stored_matches.c, leagues.c
        query = select(m.id).join_from(stored_matches, leagues, g.id == m.league)
        query = query.where(m.id.in_(matches), g.state.not_in(ENDED), m.ended_ms >= g.freeze_ms)
        return {*await self._database.values(query)}

    # Entries

    @reads
    def entries(self, connection: Connection, league: str) -> list[StoredEntry]:
        """All entries with their accounts, oldest first."""
        m, e, a = league_members.c, league_entries.c, accounts.c
        members: dict[str, list[LeagueMember]] = defaultdict(list)
        found: Any = select(m.entry, m.account, a.name, a.state).join_from(league_members, accounts, a.id == m.account)
        for entry, account, name, state in connection.execute(
            found.where(m.league == league).order_by(m.created_ms, m.account)
        ):
            members[entry].append(LeagueMember(account, name, state == "active"))
        name = func.coalesce(e.name, a.name, e.spec).label("name")
        columns = (e.id, e.league, e.kind, e.spec, e.owner, name, e.alias, e.code_hash, e.state, e.place)
        query: Any = select(*columns).join_from(league_entries, accounts, a.id == e.owner, isouter=True)
        rows = connection.execute(query.where(e.league == league).order_by(e.created_ms, e.id))
        return [StoredEntry(**row._mapping, members=tuple(members[row.id])) for row in rows]

    async def of_account(self, account: int) -> list[OwnLeague]:
        """The entries of an account, oldest first."""
        e, m = league_entries.c, league_members.c
        columns = (m.league, leagues.c.name, e.kind, e.spec, e.name, e.alias, e.state, e.owner == account)
        query: Any = select(*columns, m.created_ms).join_from(league_members, league_entries, e.id == m.entry)
        query = query.join(leagues, leagues.c.id == m.league).where(m.account == account)
        rows = await self._database.rows(query.order_by(m.created_ms, m.league))
        return [OwnLeague(*row) for row in rows]

    @writes
    def enter(self, connection: Connection, entry: Entering, account: int) -> None:
        """Add an entry of an account; RequestError if that is not possible now."""
        _check_open(connection, entry.league)
        _check_member(connection, entry.league, account)
        c = league_entries.c
        here = select(func.count()).select_from(league_entries).where(c.league == entry.league, c.state == "in")
        if (connection.scalar(here) or 0) >= entry.most:
            raise RequestError(409, "league_full", f"the league has {entry.most} entries, and cannot have more")
        named = select(c.id).where(c.league == entry.league, c.name_key == entry.name_key)
        if entry.name_key is not None and connection.scalar(named) is not None:
            raise RequestError(409, "name_taken", "a team of this league has that name, or one that looks like it")
        own_name = None if entry.name_key is None else entry.name
        connection.execute(insert(league_entries), _entry_row(entry, own_name, entry.name_key))
        _add_member(connection, entry.league, entry.id, account)

    @writes
    def join_team(self, connection: Connection, league: str, code_hash: str, account: int, team_size: int) -> None:
        """Join the team with this invitation code; RequestError if that is not possible now."""
        _check_open(connection, league)
        _check_member(connection, league, account)
        c = league_entries.c
        teams = select(c.id, c.code_hash).where(c.league == league, c.state == "in", c.code_hash.is_not(None))
        fitting = [id for id, hash in connection.execute(teams) if hmac.compare_digest(hash, code_hash)]
        if not fitting:
            raise RequestError(403, "wrong_code", "no team of this league has that invitation code")
        here = select(func.count()).select_from(league_members).where(league_members.c.entry == fitting[0])
        if (connection.scalar(here) or 0) >= team_size:
            raise RequestError(409, "team_full", f"the team has {team_size} accounts, and cannot have more")
        _add_member(connection, league, fitting[0], account)

    @writes
    def set_code(self, connection: Connection, entry: str, code_hash: str) -> None:
        """Give a team a new invitation code."""
        connection.execute(update(league_entries).where(league_entries.c.id == entry).values(code_hash=code_hash))

    @writes
    def leave(self, connection: Connection, league: str, entry: str, account: int) -> None:
        """Remove an account from the team of another one."""
        m = league_members.c
        own = (m.league == league, m.entry == entry, m.account == account)
        connection.execute(delete(league_members).where(*own))

    @writes
    def take_out(
        self, connection: Connection, league: str, entry: str, kind: RecordKind, why: str, by: int | None
    ) -> bool:
        """Withdraw or remove an entry; False if it does not take part. Before the start it is as if it had never been,
        except for the record."""
        return take_out(connection, league, entry, kind, why, by=by)

    # Schedule and records

    async def slots(self, league: str, after: int = 0, limit: int | None = None) -> list[Slot]:
        """In order."""
        c = league_slots.c
        query = select(league_slots).where(c.league == league, c.n > after).order_by(c.n).limit(limit)
        return [Slot.of(row) for row in await self._database.rows(query)]

    async def settled_mark(self, league: str, before_ms: int | None) -> tuple[Any, ...]:
        """Changes when a match is settled, or when the result of one that was settled is taken back."""
        c = league_slots.c
        sums = (func.count(), func.sum(c.attempt), func.sum(c.settled_ms), func.count(c.results))
        [row] = await self._database.rows(_settled(select(*sums), league, before_ms))
        return tuple(row)

    async def settled_rows(self, league: str, before_ms: int | None) -> Sequence[Sequence[Any]]:
        """The rows of settled slots, for `Slot.of`; if a time is given, only those that were settled before it."""
        return await self._database.rows(_settled(select(league_slots), league, before_ms).order_by(league_slots.c.n))

    async def records(self, league: str, after: int, limit: int) -> list[tuple[int, LeagueRecord]]:
        """Those with a higher id, oldest first, with their ids. They have the ids of entries in place of names."""
        r = league_records.c
        columns = (r.id, r.at_ms, r.kind, accounts.c.name, r.n, r.match, r.entry, r.why)
        query: Any = select(*columns).join_from(league_records, accounts, accounts.c.id == r.by, isouter=True)
        query = query.where(r.league == league, r.id > after).order_by(r.id).limit(limit)
        return [(id, LeagueRecord(*told)) for id, *told in await self._database.rows(query)]


def _settled(query: Any, league: str, before_ms: int | None) -> Any:
    """Only the settled slots of a league."""
    c = league_slots.c
    query = query.where(c.league == league, c.settled_ms.is_not(None))
    return query if before_ms is None else query.where(c.settled_ms < before_ms)


def note(
    connection: Connection,
    league: str,
    kind: RecordKind,
    why: str,
    *,
    by: int | None = None,
    n: int | None = None,
    match: str | None = None,
    entry: str | None = None,
) -> None:
    """Add a record in the transaction of the change."""
    row = {"league": league, "at_ms": now_ms(), "kind": kind, "by": by, "n": n, "match": match, "entry": entry}
    connection.execute(insert(league_records), {**row, "why": why})


def take_out(
    connection: Connection, league: str, entry: str, kind: RecordKind, why: str, *, by: int | None = None
) -> bool:
    """`LeagueStore.take_out` in the transaction of another change."""
    c, m = league_entries.c, league_members.c
    started = select(leagues.c.state).where(leagues.c.id == league)
    if connection.scalar(started) == "open":
        connection.execute(delete(league_members).where(m.entry == entry, m.league == league))
        gone = connection.execute(delete(league_entries).where(c.id == entry, c.league == league)).rowcount
    else:
        whom = update(league_entries).where(c.id == entry, c.league == league, c.state == "in")
        gone = connection.execute(whom.values(state="removed" if kind == "removed" else "withdrawn")).rowcount
    if gone:
        note(connection, league, kind, why, by=by, entry=entry)
    return bool(gone)


def leave_leagues(connection: Connection, account: int) -> None:
    """Take a deleted account out of all leagues that have not ended. A team goes on with its other accounts."""
    m, e = league_members.c, league_entries.c
    query: Any = select(e.id, e.league, e.owner).join_from(league_members, league_entries, e.id == m.entry)
    query = query.join(leagues, leagues.c.id == e.league).where(m.account == account, leagues.c.state.not_in(ENDED))
    for entry, league, owner in connection.execute(query).all():
        others = select(m.account).where(m.entry == entry, m.account != account).order_by(m.created_ms, m.account)
        heir = connection.scalar(others.limit(1))
        if heir is None:
            take_out(connection, league, entry, "withdrawn", "its account was deleted")
            continue
        connection.execute(delete(league_members).where(m.entry == entry, m.account == account))
        if owner == account:
            connection.execute(update(league_entries).where(e.id == entry).values(owner=heir))


def _entry_row(entry: StoredEntry, name: str | None, name_key: str | None) -> dict[str, Any]:
    row = {**asdict(entry), "name": name, "name_key": name_key, "created_ms": now_ms()}
    return {column.name: row[column.name] for column in league_entries.c}


def _add_member(connection: Connection, league: str, entry: str, account: int) -> None:
    row = {"league": league, "account": account, "entry": entry, "created_ms": now_ms()}
    connection.execute(insert(league_members), row)


def _check_open(connection: Connection, league: str) -> None:
    """RequestError if the deadline for entries has passed."""
    query = select(leagues.c.state, leagues.c.deadline_ms).where(leagues.c.id == league).with_for_update()
    state, deadline_ms = connection.execute(query).one()
    if state != "open" or deadline_ms <= now_ms():
        raise RequestError(409, "too_late", "the deadline for entries has passed")


def _check_member(connection: Connection, league: str, account: int) -> None:
    """RequestError if the account has entered already, or may not enter."""
    m = league_members.c
    if connection.scalar(select(m.entry).where(m.league == league, m.account == account)) is not None:
        raise RequestError(409, "entered", "you have entered this league already; withdraw first to enter otherwise")
    state = select(accounts.c.state).where(accounts.c.id == account).with_for_update(read=True)
    if connection.scalar(state) != "active":
        raise RequestError(403, "banned", "this account is banned")
