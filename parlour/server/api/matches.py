"""API routes for games, tables and matches."""

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any

import msgspec
from litestar import Response, delete, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec.structs import replace

from parlour import plugins
from parlour.core import Game
from parlour.protocol.errors import RequestError
from parlour.protocol.forms import (
    CreatedTable,
    GameInfo,
    Guide,
    Joining,
    MatchInfo,
    MatchState,
    NewTable,
    Page,
    PlayedBy,
    Proof,
    Queueing,
    Seated,
    SeatInfo,
    SigningKey,
    TableTerms,
)
from parlour.protocol.records import StoredMatch
from parlour.protocol.reports import tell
from parlour.protocol.seat_log import OwnMatch, OwnMatches
from parlour.protocol.v1 import schema
from parlour.server.api.app import AnyRequest
from parlour.server.api.forms import Index
from parlour.server.api.lookups import check_resumed, found_game, found_match, page_of, read_cursor, stored_transcript
from parlour.server.api.rematches import Rematches
from parlour.server.api.requests import BODY, Id, Limit, Routes, address, bearer, refusals, with_token
from parlour.server.api.seat_owners import SeatOwners
from parlour.server.api.table_chat import check_terms
from parlour.server.api.table_limits import TableLimits, longest_wait_s
from parlour.server.joining import take_seat
from parlour.server.venue import Premises
from parlour.tables.arena import Arena
from parlour.tables.signed_ends import Ends
from parlour.tables.stored_tables import table_terms
from parlour.tables.table import Table

Before = Annotated[str | None, QueryParameter(pattern=r"^[0-9]{1,15}\.[0-9A-Za-z._-]{1,64}$", max_length=90)]


@cache
def _schema(name: str) -> dict[str, Any]:
    """Cached, because it is slow and anybody can request it."""
    return schema(plugins.game(name))


class GameRoutes(Routes):
    """Routes for games, and for the server itself."""

    def __init__(self, premises: Premises) -> None:
        self._arena = premises.arena
        self._has_chat = premises.settings.chat

    @get("/")
    async def index(self) -> Index:
        """The paths of the API."""
        return Index(chat=self._has_chat)

    @get("/games")
    async def games(self) -> list[GameInfo]:
        """All games."""
        return [_info(game) for game in plugins.games()]

    @get("/games/{name:str}/schema", responses=refusals(400, 404))
    async def game_schema(self, name: Id) -> dict[str, Any]:
        """JSON Schema of protocol 1 for this game."""
        found_game(name)
        return _schema(name)

    @get("/games/{name:str}/guide", responses=refusals(400, 404))
    async def guide(self, name: Id) -> Guide:
        """The rules of this game for people, as simple Markdown."""
        game = found_game(name)
        if not game.words.guide:
            raise RequestError(404, "no_guide", f"{game.title} has no guide")
        return Guide(game.name, game.title, game.words.guide)

    @get("/key")
    async def key(self) -> SigningKey:
        """The public key that checks this server's signatures."""
        return SigningKey(_ends(self._arena).signer.public_key)


class TableRoutes(Routes):
    """Routes for tables and matches."""

    def __init__(self, premises: Premises, limits: TableLimits, owners: SeatOwners) -> None:
        self._store, self._arena, self._door = premises.store, premises.arena, premises.doorkeeper
        self._tries = premises.tries
        self._limits = limits
        self._owners = owners
        self._rematches = Rematches(premises.arena, premises.client_desk, limits)
        self._has_chat = premises.settings.chat

    @post("/tables", **with_token(*BODY, 404, 409))
    async def new_table(self, request: AnyRequest, data: JSONBody[NewTable]) -> CreatedTable:
        """Create a table."""
        own = await self._allowed(request, "host")
        check_terms(data.terms, is_allowed=self._has_chat)
        terms = replace(data.terms, wait_s=min(data.terms.wait_s, longest_wait_s(own.account)))
        async with self._limits.creating(own.account, address(request)) as count:
            table, key = await self._arena.create(data.game, data.seats, terms, own.account)
            count(table.id)
        tell("table", match=table.id, game=data.game)
        return CreatedTable(self._match(await found_match(self._store, table.id)), key)

    @delete("/tables/{table:str}", **with_token(400, 404, 409))
    async def drop(self, request: AnyRequest, table: Id) -> None:
        """Cancel an open table: your own, or any for administrators."""
        own = await self._door.valid_token(bearer(request))
        stored = await self._store.match(table)
        check_resumed(self._arena, table)
        if stored is None or table not in self._arena.open:
            raise RequestError(404, "no_such_table", "there is no open table of that name")
        mine = "host" in own.scopes and stored.owner == own.account.id
        if not mine and "admin" not in own.scopes:
            raise RequestError(403, "not_yours", "the table belongs to another account")
        await self._arena.drop(table)
        tell("table dropped", match=table)

    @post("/tables/{table:str}/join", status_code=200, **with_token(*BODY, 404, 409, 429))
    async def join(self, request: AnyRequest, table: Id, data: JSONBody[Joining | None] = None) -> Seated:
        """Take a seat. Then connect to play."""
        own = await self._allowed(request, "play")
        self._tries.count(f"join {own.account.id}")
        return await take_seat(self._arena, table, own, data or Joining())

    @post("/queue/{name:str}", status_code=200, **with_token(*BODY, 404, 409, 429))
    async def queue(self, request: AnyRequest, name: Id, data: JSONBody[Queueing | None] = None) -> Seated:
        """Take a seat at the next table of a game."""
        own = await self._allowed(request, "play")
        self._tries.count(f"join {own.account.id}")
        wanted, holder = data or Queueing(), object()
        table = await self._arena.quick(name, holder, wanted.seats)
        try:
            return await take_seat(self._arena, table.id, own, wanted, holder)
        finally:  # the seat was reserved until now
            table.seats.release(holder)

    @post("/matches/{match:str}/rematch", status_code=200, **with_token(*BODY, 404, 409, 429))
    async def rematch(self, request: AnyRequest, match: Id, data: JSONBody[Joining | None] = None) -> Seated:
        """Take your seat at the rematch of a finished match in which you had a seat. The first call opens it."""
        own = await self._allowed(request, "play")
        self._tries.count(f"join {own.account.id}")
        before = await found_match(self._store, match)
        return await self._rematches.take_seat(before, own, data or Joining(), address(request))

    @get("/matches", responses=refusals(400, 503))
    async def matches(
        self,
        name: Annotated[str | None, QueryParameter(name="game", max_length=40)] = None,
        which: Annotated[MatchState | None, QueryParameter(name="state")] = None,
        players: Annotated[PlayedBy | None, QueryParameter()] = None,
        room: Annotated[str | None, QueryParameter(max_length=64)] = None,
        before: Before = None,
        limit: Limit = 50,
    ) -> Page:
        """Tables and matches, newest first."""
        states = [which] if which else []
        page, last = await self._page(before, limit, game=name, states=states, players=players, room=room)
        hidden = await self._store.leagues.hidden([match.id for match in page if match.league is not None])
        return Page(tuple(self._match(match, is_hidden=match.id in hidden) for match in page), last)

    @get("/matches/{match:str}", responses=refusals(400, 404, 503))
    async def one_match(self, match: Id) -> MatchInfo:
        """A table or a match, with its signature after its end."""
        stored = await found_match(self._store, match)
        if stored.league is not None and await self._store.leagues.hidden([match]):
            return self._match(stored, is_hidden=True)
        return replace(self._match(stored), proof=await self._proof(stored))

    @get("/matches/{match:str}/transcript", media_type="application/x-ndjson", responses=refusals(400, 404, 409, 503))
    async def transcript(self, match: Id) -> Response[bytes]:
        """The whole transcript, after the end of the match."""
        lines = await stored_transcript(self._store, match)
        return Response(b"".join(line + b"\n" for line in lines), media_type="application/x-ndjson")

    @get("/me/matches", **with_token(400))
    async def own_matches(self, request: AnyRequest, before: Before = None, limit: Limit = 50) -> OwnMatches:
        """Tables and matches at which you have or had a seat, newest first."""
        own = await self._allowed(request, "play")
        page, last = await self._page(before, limit, account=own.account.id)
        return OwnMatches(tuple(self._own_match(each, own.account.id) for each in page), last)

    def _own_match(self, stored: StoredMatch, account: int) -> OwnMatch:
        seat = stored.seat_of(account)
        assert seat is not None, "only matches with a seat of the account are listed"
        return OwnMatch(self._match(stored), seat.seat, self._owners.is_connected(stored.id, seat.seat), seat.faults)

    async def _page(self, before: str | None, limit: int, **which: Any) -> tuple[Sequence[StoredMatch], str | None]:
        """A page of the matches that `Store.matches` finds, and the cursor of the next one."""
        return page_of(await self._store.matches(before=read_cursor(before), limit=limit + 1, **which), limit)

    async def _proof(self, stored: StoredMatch) -> Proof | None:
        """The signed end. None before the end is stored, because the head of a running match is secret."""
        ended = await _ends(self._arena).of(stored.id) if stored.is_over else None
        if ended is None or ended.over.signed is None:
            return None
        signed = ended.over.signed
        return Proof(ended.header, ended.over.head, signed.signature, signed.public_key)

    def _match(self, stored: StoredMatch, *, is_hidden: bool = False) -> MatchInfo:
        table: Table | None = self._arena.open.get(stored.id)
        playing = self._arena.playing.get(stored.id)
        commit = table.commit if table is not None else playing.match.header.commit if playing is not None else None
        seats = [SeatInfo(seat.seat, seat.kind, seat.name, seat.score, seat.rank) for seat in stored.seats]
        seats = [replace(seat, score=None, rank=None) for seat in seats] if is_hidden else seats
        left = self._arena.not_resumed.get(stored.id)
        return MatchInfo(
            stored.id,
            stored.game,
            stored.state,
            commit,
            _terms(stored),
            tuple(seats),
            stored.created_ms,
            stored.ended_ms,
            None if left is None else left.why,
            rematch=stored.rematch,
        )


def _ends(arena: Arena) -> Ends:
    assert arena.ends is not None, "the arena must be started before it is served"
    return arena.ends


def _info(game: Game[Any]) -> GameInfo:
    seats, hosting = game.table_seats(), game.hosting
    return GameInfo(
        game.name,
        game.title,
        game.summary,
        game.rules.version,
        seats[0],
        seats[-1],
        tuple(hosting.bots),
        strengths=dict(hosting.strengths),
        house_bot=hosting.house_bot,
        seating=hosting.seating,
        limit_s=hosting.limit_s,
        short=None if hosting.short is None else _changed(hosting.short, game.rules.options()),
        has_guide=bool(game.words.guide),
    )


def _changed(options: Any, usual: Any) -> dict[str, Any]:
    """The options that differ from the usual ones."""
    before = msgspec.to_builtins(usual)
    return {name: value for name, value in msgspec.to_builtins(options).items() if value != before[name]}


def _terms(stored: StoredMatch) -> TableTerms:
    try:
        return table_terms(stored)
    except msgspec.MsgspecError:  # written by another release
        return TableTerms()
