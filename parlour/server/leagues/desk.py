"""What administrators, entrants and the audience ask of leagues."""

import secrets
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from msgspec.structs import replace

from parlour.core.values import why_not_a_name
from parlour.players.player_specs import ModelSpec
from parlour.protocol.errors import RequestError
from parlour.protocol.forms import Plan, TableTerms
from parlour.protocol.league_forms import (
    MOST_TIME_MS,
    LeagueEntry,
    LeagueInfo,
    LeagueMatch,
    LeagueMatches,
    LeaguePage,
    LeagueRecords,
    LeagueStandings,
    LeagueState,
    LeagueTimes,
    NewEntry,
    NewLeague,
    NextTable,
    OwnEntry,
)
from parlour.protocol.records import Account, now_ms
from parlour.protocol.reports import tell
from parlour.server.api.lookups import MOST_ID, found_game, page_of, read_cursor
from parlour.server.leagues.counter import LeagueCounter
from parlour.server.leagues.draw import most_entries
from parlour.server.leagues.pseudonyms import new_alias
from parlour.server.leagues.views import LeagueView
from parlour.server.reserved_names import why_refused_soon
from parlour.store.league_values import ENDED, StoredEntry, StoredLeague, json_text
from parlour.store.leagues import Entering
from parlour.store.name_skeletons import keys_soon
from parlour.store.store import Store
from parlour.tables.arena import Arena
from parlour.tables.seat_keeper import Chair


class LeagueDesk:
    """Answers the requests of the API."""

    def __init__(
        self, store: Store, arena: Arena, wake: Callable[[], None], carry_out: Callable[[], Awaitable[None]]
    ) -> None:
        """`wake` is called after changes. `carry_out` stops the matches that are to be stopped."""
        self._store = store
        self._leagues = store.leagues
        self._schedule = store.schedule
        self._counts = LeagueCounter(store)
        self._arena = arena
        self._wake = wake
        self._carry_out = carry_out

    # Everybody

    async def page(self, state: LeagueState | None, game: str | None, before: str | None, limit: int) -> LeaguePage:
        """Leagues, newest first."""
        if game is not None:
            found_game(game)
        found = await self._leagues.some(state=state, game=game, before=read_cursor(before), limit=limit + 1)
        shown, more = page_of(found, limit)
        counts = await self._leagues.counts([league.id for league in shown])
        return LeaguePage(tuple(LeagueView(league).info(counts[league.id]) for league in shown), more)

    async def info(self, id: str) -> LeagueInfo:
        """One league."""
        return await self._info(await self._found(id))

    async def records(self, id: str, after: int, limit: int) -> LeagueRecords:
        """What was done to a league."""
        league = await self._found(id)
        entries = {entry.id: entry for entry in await self._leagues.entries(id)}
        found = await self._leagues.records(id, after, limit + 1)
        shown = tuple(LeagueView(league).record(record, entries) for _, record in found[:limit])
        return LeagueRecords(shown, found[limit - 1][0] if len(found) > limit else None)

    async def standings(self, id: str, *, full: bool = False) -> LeagueStandings:
        """The table of a league."""
        league = await self._found(id)
        view = LeagueView(league, full)
        figures = await self._counts.figures(league, view.before_ms)
        return LeagueStandings(await self._info(league), view.standings(await self._leagues.entries(id), figures))

    async def matches(self, id: str, after: int, limit: int, *, full: bool = False) -> LeagueMatches:
        """Part of the schedule."""
        view = LeagueView(await self._found(id), full)
        entries = {entry.id: entry for entry in await self._leagues.entries(id)}
        slots = await self._leagues.slots(id, after, limit + 1)
        shown = tuple(view.match(slot, entries) for slot in slots[:limit])
        return LeagueMatches(shown, slots[limit - 1].n if len(slots) > limit else None)

    async def entries(self, id: str, *, full: bool = False) -> list[LeagueEntry]:
        """All entries."""
        return LeagueView(await self._found(id), full).entries(await self._leagues.entries(id))

    # Entrants

    async def own_entry(self, id: str, account: Account) -> OwnEntry:
        """The entry of an account."""
        league = await self._found(id)
        return _own(league, await self._entry(league, account), account)

    async def enter(self, id: str, account: Account, wanted: NewEntry) -> OwnEntry:
        """Enter a league, alone or in a team."""
        league = await self._found(id)
        if account.password is None:
            raise RequestError(403, "guest", "guests cannot enter a league; create an account")
        _check_wanted(league, wanted)
        code = None
        if wanted.code is not None:
            await self._leagues.join_team(id, _hash(wanted.code), account.id, league.team_size)
        else:
            code = secrets.token_urlsafe(12) if wanted.team is not None else None
            await self._leagues.enter(await self._new_entry(league, account, wanted, code), account.id)
        tell("league entered", league=id, account=account.id)
        return replace(_own(league, await self._entry(league, account), account), code=code)

    async def withdraw(self, id: str, account: Account) -> None:
        """Withdraw an entry, or leave the team of another account."""
        league = await self._found(id)
        entry = await self._entry(league, account)
        if league.state in ENDED:
            raise RequestError(409, league.state, f"the league is {league.state}")
        if entry.owner == account.id:
            await self._leagues.take_out(id, entry.id, "withdrawn", "withdrawn by its owner", None)
        else:
            await self._leagues.leave(id, entry.id, account.id)
        tell("league left", league=id, account=account.id)
        self._wake()

    async def new_code(self, id: str, account: Account) -> OwnEntry:
        """A new invitation code."""
        league = await self._found(id)
        entry = await self._entry(league, account)
        if entry.owner != account.id or entry.code_hash is None:
            raise RequestError(403, "not_yours", "only the account that has made a team can renew its code")
        code = secrets.token_urlsafe(12)
        await self._leagues.set_code(entry.id, _hash(code))
        return replace(_own(league, entry, account), code=code)

    async def next_table(self, id: str, account: Account) -> NextTable:
        """Where an account plays now."""
        league = await self._found(id)
        entry = await self._entry(league, account)
        found = None
        for match, entries in await self._schedule.playing(id):
            if entry.id in entries and (match in self._arena.open or match in self._arena.playing):
                found = match
        return NextTable(league.state, found, league.game)

    # Administrators

    async def create(self, wanted: NewLeague, by: int) -> LeagueInfo:
        """Open a league."""
        league, house = self._new_league(wanted)
        await self._leagues.add(league, house, by)
        tell("league", league=league.id, game=league.game)
        return await self.info(league.id)

    async def change(self, id: str, times: LeagueTimes, by: int) -> LeagueInfo:
        """Change the times of a league."""
        league = await self._found(id)
        changes: dict[str, Any] = {}
        if times.deadline_ms is not None:
            _check_deadline(times.deadline_ms)
            changes["deadline_ms"] = times.deadline_ms
        if times.freeze_ms is not None or times.unfreeze:
            if times.unfreeze and times.freeze_ms is not None:
                raise RequestError(400, "bad_request", "unfreeze: not together with freeze_ms")
            changes["freeze_ms"] = times.freeze_ms
        if changes and not await self._leagues.change(id, by, _changes(league, changes), **changes):
            words = "the league has ended" if league.state in ENDED else "the deadline for entries has passed"
            raise RequestError(409, "too_late", words)
        self._wake()
        return await self.info(id)

    async def cancel(self, id: str, why: str, by: int) -> LeagueInfo:
        """Cancel a league."""
        league = await self._found(id)
        if not await self._schedule.end(id, "cancelled", why, by):
            raise RequestError(409, league.state, f"the league is {league.state} already")
        await self._carry_out()
        tell("league cancelled", league=id, why=why)
        return await self.info(id)

    async def cancel_match(self, id: str, n: int, why: str, by: int) -> LeagueMatch:
        """Cancel a match."""
        await self._found(id)
        await self._schedule.cancel_slot(id, _number(n), why, by)
        await self._carry_out()
        self._wake()
        return await self._match(id, n)

    async def rerun(self, id: str, n: int, why: str, by: int) -> LeagueMatch:
        """Have a match played again."""
        await self._found(id)
        await self._schedule.rerun(id, _number(n), why, by)
        self._wake()
        return await self._match(id, n)

    async def remove(self, id: str, entry: str, why: str, by: int) -> None:
        """Remove an entry."""
        league = await self._found(id)
        if league.state in ENDED:
            raise RequestError(409, league.state, f"the league is {league.state}")
        if not await self._leagues.take_out(id, entry, "removed", why, by):
            raise RequestError(404, "no_such_entry", "no entry with that id takes part in the league")
        self._wake()

    async def _found(self, id: str) -> StoredLeague:
        league = await self._leagues.one(id)
        if league is None:
            raise RequestError(404, "no_such_league", "there is no such league")
        return league

    async def _info(self, league: StoredLeague) -> LeagueInfo:
        return LeagueView(league).info((await self._leagues.counts([league.id]))[league.id])

    async def _entry(self, league: StoredLeague, account: Account) -> StoredEntry:
        for entry in await self._leagues.entries(league.id):
            if any(member.account == account.id for member in entry.members):
                return entry
        raise RequestError(404, "not_entered", "you have not entered this league")

    async def _match(self, id: str, n: int) -> LeagueMatch:
        entries = {entry.id: entry for entry in await self._leagues.entries(id)}
        [slot] = await self._leagues.slots(id, n - 1, 1)
        return LeagueView(await self._found(id)).match(slot, entries)

    async def _new_entry(self, league: StoredLeague, account: Account, wanted: NewEntry, code: str | None) -> Entering:
        spec = wanted.command or ""
        if spec:
            found = self._arena.dealer.spec(found_game(league.game), Plan("command", spec))
            if isinstance(found, ModelSpec):
                raise RequestError(403, "no_models", "models of the host play in leagues only if the host enters them")
        name_key = None if wanted.team is None else await self._team_key(wanted.team, account)
        taken = {entry.alias for entry in await self._leagues.entries(league.id)}
        return Entering(
            secrets.token_hex(6),
            league.id,
            "command" if spec else "client",
            spec,
            account.id,
            wanted.team or account.name,
            new_alias(taken),
            None if code is None else _hash(code),
            "in",
            None,
            name_key=name_key,
            most=most_entries(league.format, league.seats, league.deals, league.rounds),
        )

    async def _team_key(self, name: str, account: Account) -> str:
        """The skeleton of a team's name; RequestError if somebody else has the name."""
        if (why := why_not_a_name(name) or await why_refused_soon(name)) is not None:
            raise RequestError(409, "name_taken", f"team: {why}")
        if await self._store.people.holder(name) not in (None, account.id):
            raise RequestError(409, "name_taken", "team: another account has that name, or one that looks like it")
        return (await keys_soon(name.casefold()))[0]

    def _new_league(self, wanted: NewLeague) -> tuple[StoredLeague, list[StoredEntry]]:
        """The league and the players of its host; RequestError if there can be none."""
        game = found_game(wanted.game)
        if (why := why_not_a_name(wanted.name)) is not None:
            raise RequestError(400, "bad_name", f"name: {why}")
        seats = wanted.seats or max(2, game.table_seats()[0])
        own = wanted.terms
        terms = TableTerms(options=own.options, limit_s=own.limit_s, bank_s=own.bank_s)
        self._arena.dealer.check(game, terms, [Chair(Plan("open"))] * seats)
        for player in wanted.house:
            self._arena.dealer.spec(game, Plan(player.kind, player.spec))
        _check_deadline(wanted.deadline_ms)
        if wanted.format == "gauntlet" and not wanted.house:
            raise RequestError(400, "bad_house", "house: a gauntlet is against the first player of the host")
        most = most_entries(wanted.format, seats, wanted.deals, wanted.rounds)
        if most < max(seats, len(wanted.house)):
            raise RequestError(400, "too_many_matches", "deals: the league would have too many matches")
        league = StoredLeague(
            id=secrets.token_hex(6),
            name=wanted.name,
            game=game.name,
            format=wanted.format,
            state="open",
            seats=seats,
            deals=wanted.deals,
            rounds=wanted.rounds,
            terms=json_text(own),
            deadline_ms=wanted.deadline_ms,
            freeze_ms=wanted.freeze_ms,
            anonymous=wanted.anonymous,
            team_size=wanted.team_size,
            created_ms=now_ms(),
        )
        return league, _house(league, wanted)


def _house(league: StoredLeague, wanted: NewLeague) -> list[StoredEntry]:
    """The entries of the host. Those with the same player are numbered."""
    made: list[StoredEntry] = []
    for place, player in enumerate(wanted.house):
        before = sum(entry.spec == player.spec for entry in made)
        name = f"{player.spec[:58]} {before + 1}" if before else player.spec
        alias = new_alias({entry.alias for entry in made})
        id = secrets.token_hex(6)
        made.append(StoredEntry(id, league.id, player.kind, player.spec, None, name, alias, None, "in", place))
    return made


def _own(league: StoredLeague, entry: StoredEntry, account: Account) -> OwnEntry:
    plays_as = entry.alias if league.anonymous else entry.name
    shown = LeagueView(league).entry(entry, own=True)
    return OwnEntry(league.id, shown, entry.owner == account.id, plays_as)


def _check_wanted(league: StoredLeague, wanted: NewEntry) -> None:
    if wanted.code is not None and (wanted.team is not None or wanted.command is not None):
        raise RequestError(400, "bad_request", "code: not together with team or command, which the team has already")
    if league.team_size == 1 and (wanted.team is not None or wanted.code is not None):
        raise RequestError(409, "no_teams", "this league has no teams")


def _check_deadline(deadline_ms: int) -> None:
    if deadline_ms <= now_ms():
        raise RequestError(400, "bad_deadline", "deadline_ms: must be in the future")


def _changes(league: StoredLeague, changes: dict[str, Any]) -> str:
    """The changes in words, for the record."""
    names = {"deadline_ms": "deadline", "freeze_ms": "freeze"}
    told = [f"{names[key]} from {_moment(getattr(league, key))} to {_moment(ms)}" for key, ms in changes.items()]
    return "; ".join(told)


def _moment(ms: int | None) -> str:
    if ms is None:
        return "never"
    return datetime.fromtimestamp(min(ms, MOST_TIME_MS - 1) / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def _number(n: int) -> int:
    if not 0 < n < MOST_ID:
        raise RequestError(404, "no_such_match", "the league has no match of that number")
    return n


def _hash(code: str) -> str:
    """Codes are long and random, so a fast hash is safe."""
    return sha256(code.encode()).hexdigest()
