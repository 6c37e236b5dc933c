"""The HTTP API of an arena: games, accounts, tokens, tables and matches, as typed values in and out."""

from typing import Annotated, Any, Literal

import msgspec
from litestar import Request, Response, Router, delete, get, post
from litestar.params import FromPath, JSONBody, PathParameter, QueryParameter
from msgspec import Meta, Struct

from parlour.core.values import Name, Salt
from parlour.games import NAMES, game
from parlour.server.arena import Arena, Kind, OpenTable, Plan, TableTerms, Trouble
from parlour.server.auth import Attempts, Doorkeeper, Scope
from parlour.store.store import MatchState, StoredMatch, Token
from parlour.transports.v1 import schema

Password = Annotated[str, Meta(min_length=8, max_length=200)]
Label = Annotated[str, Meta(max_length=64)]
Id = Annotated[str, PathParameter(max_length=64)]


# Values


class GameInfo(Struct, frozen=True):
    name: str
    title: str
    summary: str
    version: int
    fewest: int
    most: int
    bots: tuple[str, ...]


class AccountInfo(Struct, frozen=True):
    id: int
    name: str
    guest: bool
    admin: bool
    scopes: tuple[str, ...]


class WithToken(Struct, frozen=True):
    """A token is told once; keep it."""

    account: str
    token: str
    scopes: tuple[str, ...]


class TokenInfo(Struct, frozen=True):
    id: int
    label: str
    scopes: tuple[str, ...]
    created_ms: int
    revoked: bool


class NewGuest(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name | None = None


class Login(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    password: Password
    label: Label = ""


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=3)]
    label: Label = ""


class NewTable(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[tuple[Plan, ...], Meta(min_length=1, max_length=64)]
    terms: TableTerms = TableTerms()


class Joining(Struct, frozen=True, forbid_unknown_fields=True):
    salt: Salt = ""
    key: Annotated[str, Meta(max_length=64)] = ""


class SeatInfo(Struct, frozen=True):
    seat: int
    kind: Kind | Literal["joined"]
    name: str | None
    """None: nobody has it yet."""
    score: int | None = None
    rank: int | None = None


class MatchInfo(Struct, frozen=True):
    """A table or a match."""

    id: str
    game: str
    state: MatchState
    commit: str | None
    """SHA-256 of the seed, told from the first moment on; None, where only the transcript has it."""
    terms: TableTerms
    seats: tuple[SeatInfo, ...]
    created_ms: int
    ended_ms: int | None


class CreatedTable(Struct, frozen=True):
    table: MatchInfo
    key: str | None
    """What lets others have the invited seats; told once."""


class Seated(Struct, frozen=True):
    table: str
    seat: int
    commit: str


class Page(Struct, frozen=True):
    matches: tuple[MatchInfo, ...]
    next: int | None
    """Give this as `before_ms` for those that are older."""


class Problem(Struct, frozen=True):
    """What went wrong, as RFC 9457 has it."""

    type: str
    title: str
    status: int
    detail: str
    code: str


def problem(status: int, code: str, words: str) -> Response[Problem]:
    body = Problem("about:blank", code.replace("_", " "), status, words, code)
    return Response(body, status_code=status, media_type="application/problem+json")


def on_trouble(request: Request[Any, Any, Any], trouble: Trouble) -> Response[Problem]:
    return problem(trouble.status, trouble.code, trouble.words)


def bearer(request: Request[Any, Any, Any]) -> str | None:
    """The token of a request."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


class Api:
    """The routes, and what they are answered from."""

    def __init__(self, arena: Arena, doorkeeper: Doorkeeper, log_ins: Attempts) -> None:
        self._arena = arena
        self._store = arena.store
        self._door = doorkeeper
        self._log_ins = log_ins

    def router(self) -> Router:
        arena, store, door = self._arena, self._store, self._door

        @get("/games")
        async def games() -> list[GameInfo]:
            """All games."""
            return [_game(name) for name in NAMES]

        @get("/games/{name:str}/schema")
        async def game_schema(name: Id) -> dict[str, Any]:
            """JSON Schema of protocol 1 as this game fills it."""
            if name not in NAMES:
                raise Trouble(404, "no_such_game", "there is no such game")
            return schema(game(name))

        @post("/guests")
        async def new_guest(request: Request[Any, Any, Any], data: JSONBody[NewGuest]) -> WithToken:
            """A name and a token for who has no account."""
            self._log_ins.count(address(request))
            account, token = await door.guest(data.name)
            return WithToken(account.name, token, ("play",))

        @post("/accounts")
        async def new_account(request: Request[Any, Any, Any], data: JSONBody[Login]) -> WithToken:
            """A name of one's own."""
            self._log_ins.count(address(request))
            account = await door.register(data.name, data.password)
            return WithToken(account.name, await door.new_token(account, SCOPES, data.label), SCOPES)

        @post("/login", status_code=200)
        async def log_in(request: Request[Any, Any, Any], data: JSONBody[Login]) -> WithToken:
            """A new token for who has an account."""
            self._log_ins.count(address(request))
            account = await door.log_in(data.name, data.password)
            scopes: tuple[Scope, ...] = (*SCOPES, "admin") if account.admin else SCOPES
            return WithToken(account.name, await door.new_token(account, scopes, data.label), scopes)

        @get("/me")
        async def me(request: Request[Any, Any, Any]) -> AccountInfo:
            """Who one is."""
            return _account(await door.who(bearer(request)))

        @get("/tokens")
        async def tokens(request: Request[Any, Any, Any]) -> list[TokenInfo]:
            """One's own tokens."""
            own = await door.who(bearer(request))
            return [
                TokenInfo(token.id, token.label, tuple(sorted(token.scopes)), token.created_ms, token.revoked)
                for token in await store.tokens_of(own.account.id)
            ]

        @post("/tokens")
        async def new_token(request: Request[Any, Any, Any], data: JSONBody[NewToken]) -> WithToken:
            """A further token, which can do no more than the one it is asked for with."""
            own = await door.who(bearer(request))
            if not own.scopes.issuperset(data.scopes):
                raise Trouble(403, "scope_needed", "a token cannot give more than it has")
            token = await door.new_token(own.account, data.scopes, data.label)
            return WithToken(own.account.name, token, tuple(sorted(data.scopes)))

        @delete("/tokens/{token_id:int}", status_code=204)
        async def revoke(request: Request[Any, Any, Any], token_id: FromPath[int]) -> None:
            """End one of one's own tokens."""
            own = await door.who(bearer(request))
            if not 0 < token_id < 2**31 or not await store.revoke(own.account.id, token_id):
                raise Trouble(404, "no_such_token", "you have no such token")

        @post("/tables")
        async def new_table(request: Request[Any, Any, Any], data: JSONBody[NewTable]) -> CreatedTable:
            """Set up a table."""
            own = await door.allowed(bearer(request), "host")
            table, key = await arena.create(data.game, data.seats, data.terms, own.account)
            stored = await store.match(table.id)
            assert stored is not None
            return CreatedTable(self._match(stored), key)

        @post("/tables/{table:str}/join", status_code=200)
        async def join(request: Request[Any, Any, Any], table: Id, data: JSONBody[Joining]) -> Seated:
            """Take a seat; then connect to play."""
            own = await door.allowed(bearer(request), "play")
            self._log_ins.count(f"join {own.account.id}")
            return await self._join(table, own, data)

        @post("/queue/{name:str}", status_code=200)
        async def queue(request: Request[Any, Any, Any], name: Id, data: JSONBody[Joining]) -> Seated:
            """Take a seat at the next table of a game."""
            own = await door.allowed(bearer(request), "play")
            self._log_ins.count(f"join {own.account.id}")
            return await self._join((await arena.quick(name)).id, own, data)

        @get("/matches")
        async def matches(
            name: Annotated[str | None, QueryParameter(name="game", max_length=40)] = None,
            which: Annotated[MatchState | None, QueryParameter(name="state")] = None,
            before_ms: Annotated[int | None, QueryParameter(ge=0, le=2**62)] = None,
            limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
        ) -> Page:
            """Tables and matches, the newest first."""
            found = await store.matches(game=name, states=[which] if which else (), before_ms=before_ms, limit=limit)
            older = found[-1].created_ms if len(found) == limit else None
            return Page(tuple(map(self._match, found)), older)

        @get("/matches/{match:str}")
        async def one_match(match: Id) -> MatchInfo:
            """One of them."""
            return self._match(await self._found(match))

        @get("/matches/{match:str}/transcript", media_type="application/x-ndjson")
        async def transcript(match: Id) -> Response[bytes]:
            """The whole record with its proof, once the match is over."""
            stored = await self._found(match)
            if stored.state not in ("over", "void"):
                raise Trouble(409, "not_over", "a transcript is public when the match is over")
            lines = await store.lines(stored.id)
            return Response(b"".join(line + b"\n" for line in lines), media_type="application/x-ndjson")

        handlers = [games, game_schema, new_guest, new_account, log_in, me, tokens, new_token, revoke, new_table]
        return Router("/api", route_handlers=[*handlers, join, queue, matches, one_match, transcript])

    async def _join(self, table: str, own: Token, data: JSONBody[Joining]) -> Seated:
        found, seat = await self._arena.sit(table, own.account, salt=data.salt, key=data.key)
        await self._arena.begin_if_full(found)
        return Seated(found.id, seat, found.commit)

    async def _found(self, id: str) -> StoredMatch:
        stored = await self._store.match(id)
        if stored is None:
            raise Trouble(404, "no_such_match", "there is no such match")
        return stored

    def _match(self, stored: StoredMatch) -> MatchInfo:
        table: OpenTable | None = self._arena.open.get(stored.id)
        playing = self._arena.playing.get(stored.id)
        commit = table.commit if table is not None else playing.match.header.commit if playing is not None else None
        seats = [
            SeatInfo(seat.seat, seat.kind, seat.name, seat.score, seat.rank)  # type: ignore[arg-type]
            for seat in stored.seats
        ]
        terms = msgspec.json.decode(stored.terms, type=TableTerms)
        return MatchInfo(
            stored.id, stored.game, stored.state, commit, terms, tuple(seats), stored.created_ms, stored.ended_ms
        )


SCOPES: tuple[Scope, ...] = ("play", "host")


def address(request: Request[Any, Any, Any]) -> str:
    return "" if request.client is None else request.client.host


def _game(name: str) -> GameInfo:
    rules = game(name)
    seats = rules.served or rules.seats
    return GameInfo(name, rules.title, rules.summary, rules.version, seats[0], seats[-1], tuple(rules.bots))


def _account(token: Token) -> AccountInfo:
    own = token.account
    return AccountInfo(own.id, own.name, own.password is None, own.admin, tuple(sorted(token.scopes)))
