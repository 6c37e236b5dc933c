"""API routes for leagues."""

from typing import Annotated

from litestar import Response, delete, get, patch, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, JSONBody, QueryParameter

from parlour.protocol.league_forms import (
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
from parlour.server.accounts import Attempts, Doorkeeper
from parlour.server.api.app import AnyRequest
from parlour.server.api.requests import BODY, TOKEN, After, Id, Limit, Routes, address, refusals, with_token
from parlour.server.leagues.desk import LeagueDesk
from parlour.server.leagues.export import csv_of

CURSOR = r"^[0-9]{1,15}\.[0-9a-f]{1,64}$"
READ = (400, 401, 403, 404, 503)
EITHER = [{}, *TOKEN]
"""With a token or without."""

Full = Annotated[bool, QueryParameter(description="With all names and results; only for administrators")]


class LeagueRoutes(Routes):
    """Administrators open and run leagues, accounts enter them, and everybody sees how they stand."""

    def __init__(self, desk: LeagueDesk, doorkeeper: Doorkeeper, tries: Attempts) -> None:
        self._desk = desk
        self._door = doorkeeper
        self._tries = tries

    @get("/leagues", responses=refusals(400, 404, 503))
    async def leagues(
        self,
        which: Annotated[LeagueState | None, QueryParameter(name="state")] = None,
        name: Annotated[str | None, QueryParameter(name="game", max_length=40)] = None,
        before: Annotated[str | None, QueryParameter(pattern=CURSOR, max_length=90)] = None,
        limit: Limit = 50,
    ) -> LeaguePage:
        """Leagues, newest first."""
        return await self._desk.page(which, name, before, limit)

    @get("/leagues/{league:str}", responses=refusals(400, 404, 503))
    async def one_league(self, league: Id) -> LeagueInfo:
        """One league."""
        return await self._desk.info(league)

    @get("/leagues/{league:str}/records", responses=refusals(400, 404, 503))
    async def records(self, league: Id, after: After = 0, limit: Limit = 50) -> LeagueRecords:
        """What administrators and the server itself have done to a league, oldest first."""
        return await self._desk.records(league, after, limit)

    @get("/leagues/{league:str}/standings", security=EITHER, responses=refusals(*READ))
    async def standings(self, request: AnyRequest, league: Id, full: Full = False) -> LeagueStandings:
        """The table of a league. Names and results may be hidden until it is over."""
        return await self._desk.standings(league, full=await self._may_see(request, full))

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
        return await self._desk.matches(league, after, limit, full=await self._may_see(request, full))

    @get("/leagues/{league:str}/entries", security=EITHER, responses=refusals(*READ))
    async def entries(self, request: AnyRequest, league: Id, full: Full = False) -> list[LeagueEntry]:
        """All entries, in the order of their names."""
        return await self._desk.entries(league, full=await self._may_see(request, full))

    @get("/leagues/{league:str}/entry", **with_token(400, 404))
    async def own_entry(self, request: AnyRequest, league: Id) -> OwnEntry:
        """Your own entry."""
        return await self._desk.own_entry(league, (await self._allowed(request, "play")).account)

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
        entry = await self._desk.enter(league, own, wanted)
        for key in keys:
            self._tries.forgive(key)
        return entry

    @delete("/leagues/{league:str}/entry", status_code=204, security=TOKEN, responses=refusals(*READ, 409))
    async def withdraw(self, request: AnyRequest, league: Id) -> None:
        """Withdraw your entry, or leave the team of another account."""
        await self._desk.withdraw(league, (await self._allowed(request, "play")).account)

    @post("/leagues/{league:str}/entry/code", status_code=200, security=TOKEN, responses=refusals(*READ, 409, 429))
    async def new_code(self, request: AnyRequest, league: Id) -> OwnEntry:
        """A new invitation code for your team. The old one is not valid any more."""
        own = (await self._allowed(request, "play")).account
        self._tries.count(f"league {own.id}")
        return await self._desk.new_code(league, own)

    @get("/leagues/{league:str}/table", **with_token(400, 404))
    async def next_table(self, request: AnyRequest, league: Id) -> NextTable:
        """Where your entry plays now."""
        return await self._desk.next_table(league, (await self._allowed(request, "play")).account)

    @post("/leagues", **with_token(*BODY, 404, 409))
    async def new_league(self, request: AnyRequest, data: JSONBody[NewLeague]) -> LeagueInfo:
        """Open a league, for administrators."""
        return await self._desk.create(data, await self._admin(request))

    @patch("/leagues/{league:str}", **with_token(*BODY, 404, 409))
    async def change(self, request: AnyRequest, league: Id, data: JSONBody[LeagueTimes]) -> LeagueInfo:
        """Change the times of a league, for administrators."""
        return await self._desk.change(league, data, await self._admin(request))

    @post("/leagues/{league:str}/cancel", status_code=200, **with_token(*BODY, 404, 409))
    async def cancel(self, request: AnyRequest, league: Id, data: JSONBody[Reason]) -> LeagueInfo:
        """Cancel a league, for administrators. Its running matches are stopped."""
        return await self._desk.cancel(league, data.why, await self._admin(request))

    @get(
        "/leagues/{league:str}/export.csv",
        media_type="text/csv",
        security=TOKEN,
        responses={200: ResponseSpec(str, media_type="text/csv", description="Lines of CSV"), **refusals(*READ)},
    )
    async def export(self, request: AnyRequest, league: Id) -> Response[bytes]:
        """The standings with one line per account, for grades; for administrators."""
        await self._admin(request)
        lines = csv_of(
            await self._desk.entries(league, full=True), (await self._desk.standings(league, full=True)).standings
        )
        return Response(
            lines,
            media_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="league-{league}.csv"'},
        )

    @post("/leagues/{league:str}/matches/{n:int}/cancel", status_code=200, **with_token(*BODY, 404, 409))
    async def cancel_match(
        self, request: AnyRequest, league: Id, n: FromPath[int], data: JSONBody[Reason]
    ) -> LeagueMatch:
        """Cancel a match, for administrators. It counts for nobody, and is stopped if it is running."""
        return await self._desk.cancel_match(league, n, data.why, await self._admin(request))

    @post("/leagues/{league:str}/matches/{n:int}/rerun", status_code=200, **with_token(*BODY, 404, 409))
    async def rerun(self, request: AnyRequest, league: Id, n: FromPath[int], data: JSONBody[Reason]) -> LeagueMatch:
        """Play a match again, for administrators. Its result so far does not count any more."""
        return await self._desk.rerun(league, n, data.why, await self._admin(request))

    @delete("/leagues/{league:str}/entries/{entry:str}", **with_token(*BODY, 404, 409))
    async def remove(self, request: AnyRequest, league: Id, entry: Id, data: JSONBody[Reason]) -> None:
        """Remove an entry from a league, for administrators."""
        await self._desk.remove(league, entry, data.why, await self._admin(request))

    async def _admin(self, request: AnyRequest) -> int:
        """The account of an administrator."""
        return (await self._allowed(request, "admin")).account.id

    async def _may_see(self, request: AnyRequest, full: bool) -> bool:
        """Whether nothing is hidden. Who asks for that must be an administrator."""
        if full:
            await self._admin(request)
        return full
