"""API routes for leagues."""

from datetime import UTC, datetime
from typing import Annotated, Any

from litestar import Response, delete, get, patch, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter

from parlour.protocol.errors import RequestError
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
    Reason,
)
from parlour.protocol.records import Account
from parlour.protocol.reports import tell
from parlour.server.api.app import AnyRequest
from parlour.server.api.lookups import MOST_ID, found_game, page_of, read_cursor
from parlour.server.api.requests import BODY, TOKEN, After, Id, Limit, Routes, address, refusals, with_token
from parlour.server.leagues.counter import LeagueCounter
from parlour.server.leagues.export import csv_of
from parlour.server.leagues.new_leagues import (
    check_deadline,
    check_wanted,
    checked_entry,
    checked_league,
    drawn_code,
    hash_of,
)
from parlour.server.leagues.views import LeagueView
from parlour.server.ops.administration import Administration
from parlour.server.venue import Premises
from parlour.store.league_values import ENDED, StoredEntry, StoredLeague

CURSOR = r"^[0-9]{1,15}\.[0-9a-f]{1,64}$"
READ = (400, 401, 403, 404, 503)
EITHER = [{}, *TOKEN]
"""With a token or without."""

Full = Annotated[bool, QueryParameter(description="With all names and results; only for administrators")]


class LeagueRoutes(Routes):
    """Administrators open and run leagues, accounts enter them, and everybody sees how they stand."""

    def __init__(self, premises: Premises, administration: Administration) -> None:
        self._store, self._arena = premises.store, premises.arena
        self._door, self._tries = premises.doorkeeper, premises.tries
        self._administration = administration
        self._leagues, self._schedule = self._store.leagues, self._store.schedule
        self._counts = LeagueCounter(self._store)

    @get("/leagues", responses=refusals(400, 404, 503))
    async def leagues(
        self,
        which: Annotated[LeagueState | None, QueryParameter(name="state")] = None,
        name: Annotated[str | None, QueryParameter(name="game", max_length=40)] = None,
        before: Annotated[str | None, QueryParameter(pattern=CURSOR, max_length=90)] = None,
        limit: Limit = 50,
    ) -> LeaguePage:
        """Leagues, newest first."""
        if name is not None:
            found_game(name)
        found = await self._leagues.some(state=which, game=name, before=read_cursor(before), limit=limit + 1)
        shown, more = page_of(found, limit)
        counts = await self._leagues.counts([league.id for league in shown])
        return LeaguePage(tuple(LeagueView(league).info(counts[league.id]) for league in shown), more)

    @get("/leagues/{league:str}", responses=refusals(400, 404, 503))
    async def one_league(self, league: Id) -> LeagueInfo:
        """One league."""
        return await self._info(await self._found(league))

    @get("/leagues/{league:str}/records", responses=refusals(400, 404, 503))
    async def records(self, league: Id, after: After = 0, limit: Limit = 50) -> LeagueRecords:
        """The acts of administrators and of the server on a league, oldest first."""
        view, entries = LeagueView(await self._found(league)), await self._entries(league)
        found = await self._leagues.records(league, after, limit + 1)
        shown = tuple(view.record(record, entries) for _, record in found[:limit])
        return LeagueRecords(shown, found[limit - 1][0] if len(found) > limit else None)

    @get("/leagues/{league:str}/standings", security=EITHER, responses=refusals(*READ))
    async def standings(self, request: AnyRequest, league: Id, full: Full = False) -> LeagueStandings:
        """The table of a league. Names and results may be hidden until it is over."""
        return await self._standings(await self._seen(request, league, full))

    @get("/leagues/{league:str}/matches", security=EITHER, responses=refusals(*READ))
    async def league_matches(
        self,
        request: AnyRequest,
        league: Id,
        after: After = 0,
        limit: Limit = 50,
        full: Full = False,
    ) -> LeagueMatches:
        """The matches that have been drawn, in the order of the schedule."""
        view, entries = await self._seen(request, league, full), await self._entries(league)
        slots = await self._leagues.slots(league, after, limit + 1)
        shown = tuple(view.match(slot, entries) for slot in slots[:limit])
        return LeagueMatches(shown, slots[limit - 1].n if len(slots) > limit else None)

    @get("/leagues/{league:str}/entries", security=EITHER, responses=refusals(*READ))
    async def entries(self, request: AnyRequest, league: Id, full: Full = False) -> list[LeagueEntry]:
        """All entries, in the order of their names."""
        view = await self._seen(request, league, full)
        return view.entries(await self._leagues.entries(league))

    @get("/leagues/{league:str}/entry", **with_token(400, 404))
    async def own_entry(self, request: AnyRequest, league: Id) -> OwnEntry:
        """Your own entry."""
        own = (await self._allowed(request, "play")).account
        found = await self._found(league)
        return _own(found, await self._entry(found, own), own)

    @post("/leagues/{league:str}/entry", **with_token(*BODY, 404, 409, 429))
    async def enter(self, request: AnyRequest, league: Id, data: JSONBody[NewEntry | None] = None) -> OwnEntry:
        """Enter a league before its deadline: with a client of yours, or a command that the host offers; alone, as
        a new team, or in a team."""
        own = (await self._allowed(request, "play")).account
        wanted = data or NewEntry()
        # wrong codes are counted, because a code could be guessed; right ones are not, because a whole class may join
        # its teams from one address
        keys = () if wanted.code is None else (f"league {own.id}", f"league {address(request)}")
        for key in keys:
            self._tries.count(key)
        entry = await self._entered(await self._found(league), own, wanted)
        for key in keys:
            self._tries.forgive(key)
        return entry

    async def _entered(self, league: StoredLeague, account: Account, wanted: NewEntry) -> OwnEntry:
        if account.password is None:
            raise RequestError(403, "guest", "guests cannot enter a league; create an account")
        check_wanted(league, wanted)
        code = None
        if wanted.code is not None:
            await self._leagues.join_team(league.id, hash_of(wanted.code), account.id, league.team_size)
        else:
            code = drawn_code() if wanted.team is not None else None
            entry = await checked_entry(self._store, self._arena.dealer, league, account, wanted, code)
            await self._leagues.enter(entry, account.id)
        tell("league entered", league=league.id, account=account.id)
        return _own(league, await self._entry(league, account), account, code)

    @delete("/leagues/{league:str}/entry", status_code=204, security=TOKEN, responses=refusals(*READ, 409))
    async def withdraw(self, request: AnyRequest, league: Id) -> None:
        """Withdraw your entry, or leave the team of another account."""
        own = (await self._allowed(request, "play")).account
        found = await self._found(league)
        entry = await self._entry(found, own)
        _must_go_on(found)
        if entry.owner == own.id:
            await self._leagues.take_out(league, entry.id, "withdrawn", "withdrawn by its owner", None)
        else:
            await self._leagues.leave(league, entry.id, own.id)
        tell("league left", league=league, account=own.id)
        self._wake()

    @post("/leagues/{league:str}/entry/code", status_code=200, security=TOKEN, responses=refusals(*READ, 409, 429))
    async def new_code(self, request: AnyRequest, league: Id) -> OwnEntry:
        """A new invitation code for your team. The old one is not valid any more."""
        own = (await self._allowed(request, "play")).account
        self._tries.count(f"league {own.id}")
        found = await self._found(league)
        entry = await self._entry(found, own)
        if entry.owner != own.id or entry.code_hash is None:
            raise RequestError(403, "not_yours", "only the account that has made a team can renew its code")
        code = drawn_code()
        await self._leagues.set_code(entry.id, hash_of(code))
        return _own(found, entry, own, code)

    @get("/leagues/{league:str}/table", **with_token(400, 404))
    async def next_table(self, request: AnyRequest, league: Id) -> NextTable:
        """Where your entry plays now."""
        own = (await self._allowed(request, "play")).account
        found = await self._found(league)
        entry, arena = await self._entry(found, own), self._arena
        matches = [match for match, entries in await self._schedule.playing(league) if entry.id in entries]
        here = [match for match in matches if match in arena.open or match in arena.playing]
        return NextTable(found.state, here[-1] if here else None, found.game)

    @post("/leagues", **with_token(*BODY, 404, 409))
    async def new_league(self, request: AnyRequest, data: JSONBody[NewLeague]) -> LeagueInfo:
        """Open a league, for administrators."""
        by = await self._admin(request)
        opened, house = checked_league(self._arena.dealer, data)
        await self._leagues.add(opened, house, by)
        tell("league", league=opened.id, game=opened.game)
        return await self._info(await self._found(opened.id))

    @patch("/leagues/{league:str}", **with_token(*BODY, 404, 409))
    async def change(self, request: AnyRequest, league: Id, data: JSONBody[LeagueTimes]) -> LeagueInfo:
        """Change the times of a league, for administrators."""
        by, found = await self._admin(request), await self._found(league)
        changes: dict[str, Any] = {}
        if data.deadline_ms is not None:
            check_deadline(data.deadline_ms)
            changes["deadline_ms"] = data.deadline_ms
        if data.freeze_ms is not None or data.unfreeze:
            if data.unfreeze and data.freeze_ms is not None:
                raise RequestError(400, "bad_request", "unfreeze: not together with freeze_ms")
            changes["freeze_ms"] = data.freeze_ms
        if changes and not await self._leagues.change(league, by, _changes(found, changes), **changes):
            words = "the league has ended" if found.state in ENDED else "the deadline for entries has passed"
            raise RequestError(409, "too_late", words)
        self._wake()
        return await self._info(await self._found(league))

    @post("/leagues/{league:str}/cancel", status_code=200, **with_token(*BODY, 404, 409))
    async def cancel(self, request: AnyRequest, league: Id, data: JSONBody[Reason]) -> LeagueInfo:
        """Cancel a league, for administrators. Its running matches are stopped."""
        by, found = await self._admin(request), await self._found(league)
        if not await self._schedule.end(league, "cancelled", data.why, by):
            raise RequestError(409, found.state, f"the league is {found.state} already")
        await self._administration.carry_out()
        tell("league cancelled", league=league, why=data.why)
        return await self._info(await self._found(league))

    @get(
        "/leagues/{league:str}/export.csv",
        media_type="text/csv",
        security=TOKEN,
        responses={200: ResponseSpec(str, media_type="text/csv", description="Lines of CSV"), **refusals(*READ)},
    )
    async def export(self, request: AnyRequest, league: Id) -> Response[bytes]:
        """The standings with one line per account, for grades; for administrators."""
        view = await self._seen(request, league, full=True)
        entries = view.entries(await self._leagues.entries(league))
        return Response(
            csv_of(entries, (await self._standings(view)).standings),
            media_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="league-{league}.csv"'},
        )

    @post("/leagues/{league:str}/matches/{n:int}/cancel", status_code=200, **with_token(*BODY, 404, 409))
    async def cancel_match(
        self, request: AnyRequest, league: Id, n: FromPath[int], data: JSONBody[Reason]
    ) -> LeagueMatch:
        """Cancel a match, for administrators. It counts for nobody, and is stopped if it is running."""
        by = await self._admin(request)
        await self._found(league)
        await self._schedule.cancel_slot(league, _number(n), data.why, by)
        await self._administration.carry_out()
        self._wake()
        return await self._match(league, n)

    @post("/leagues/{league:str}/matches/{n:int}/rerun", status_code=200, **with_token(*BODY, 404, 409))
    async def rerun(self, request: AnyRequest, league: Id, n: FromPath[int], data: JSONBody[Reason]) -> LeagueMatch:
        """Play a match again, for administrators. Its result so far does not count any more."""
        by = await self._admin(request)
        await self._found(league)
        await self._schedule.rerun(league, _number(n), data.why, by)
        self._wake()
        return await self._match(league, n)

    @delete("/leagues/{league:str}/entries/{entry:str}", **with_token(*BODY, 404, 409))
    async def remove(self, request: AnyRequest, league: Id, entry: Id, data: JSONBody[Reason]) -> None:
        """Remove an entry from a league, for administrators."""
        by = await self._admin(request)
        _must_go_on(await self._found(league))
        if not await self._leagues.take_out(league, entry, "removed", data.why, by):
            raise RequestError(404, "no_such_entry", "no entry with that id takes part in the league")
        self._wake()

    async def _admin(self, request: AnyRequest) -> int:
        """The account of an administrator."""
        return (await self._allowed(request, "admin")).account.id

    async def _seen(self, request: AnyRequest, id: str, full: bool) -> LeagueView:
        """A league as somebody may see it. Only an administrator may ask for everything."""
        if full:
            await self._admin(request)
        return LeagueView(await self._found(id), full)

    async def _found(self, id: str) -> StoredLeague:
        league = await self._leagues.one(id)
        if league is None:
            raise RequestError(404, "no_such_league", "there is no such league")
        return league

    async def _info(self, league: StoredLeague) -> LeagueInfo:
        return LeagueView(league).info((await self._leagues.counts([league.id]))[league.id])

    async def _standings(self, view: LeagueView) -> LeagueStandings:
        league = view.league
        figures = await self._counts.figures(league, view.before_ms)
        return LeagueStandings(
            await self._info(league), view.standings(await self._leagues.entries(league.id), figures)
        )

    async def _entries(self, id: str) -> dict[str, StoredEntry]:
        """All entries of a league, by id."""
        return {entry.id: entry for entry in await self._leagues.entries(id)}

    async def _entry(self, league: StoredLeague, account: Account) -> StoredEntry:
        """The entry of an account."""
        for entry in await self._leagues.entries(league.id):
            if any(member.account == account.id for member in entry.members):
                return entry
        raise RequestError(404, "not_entered", "you have not entered this league")

    async def _match(self, id: str, n: int) -> LeagueMatch:
        entries = await self._entries(id)
        [slot] = await self._leagues.slots(id, n - 1, 1)
        return LeagueView(await self._found(id)).match(slot, entries)

    def _wake(self) -> None:
        """Have the runner look at the leagues, because a change may allow new matches."""
        self._arena.arranged.changed()


def _own(league: StoredLeague, entry: StoredEntry, account: Account, code: str | None = None) -> OwnEntry:
    plays_as = entry.alias if league.anonymous else entry.name
    shown = LeagueView(league).entry(entry, own=True)
    return OwnEntry(league.id, shown, entry.owner == account.id, plays_as, code)


def _must_go_on(league: StoredLeague) -> None:
    """RequestError if the league has ended."""
    if league.state in ENDED:
        raise RequestError(409, league.state, f"the league is {league.state}")


def _number(n: int) -> int:
    if not 0 < n < MOST_ID:
        raise RequestError(404, "no_such_match", "the league has no match of that number")
    return n


def _changes(league: StoredLeague, changes: dict[str, Any]) -> str:
    """The changes in words, for the record."""
    names = {"deadline_ms": "deadline", "freeze_ms": "freeze"}
    told = [f"{names[key]} from {_moment(getattr(league, key))} to {_moment(ms)}" for key, ms in changes.items()]
    return "; ".join(told)


def _moment(ms: int | None) -> str:
    if ms is None:
        return "never"
    return datetime.fromtimestamp(min(ms, MOST_TIME_MS - 1) / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
