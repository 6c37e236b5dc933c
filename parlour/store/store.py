"""What an arena keeps: accounts, tokens, tables, matches, transcripts and results."""

import time
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from parlour.core import Seat
from parlour.store.database import Database, opened
from parlour.store.schema import accounts, lines, matches, seats, seeds, tokens
from parlour.store.writer import Writer

MatchState: TypeAlias = Literal["open", "running", "over", "void", "dropped"]
"""A table is open until its match begins; it is dropped if none does."""
FINISHED: tuple[MatchState, ...] = ("over", "void", "dropped")
MOST_ASKED = 500
"""How many matches' seats are read at once."""


class NameTaken(Exception):
    """There is an account of that name."""


class IsFinished(Exception):
    """The match has another end already, and finished matches never change."""


class Account(Struct, frozen=True):
    id: int
    name: str
    password: str | None
    """The hash; None for a guest."""
    admin: bool
    created_ms: int


class Token(Struct, frozen=True):
    """What is kept of a token: never the token itself."""

    id: int
    account: Account
    scopes: frozenset[str]
    label: str
    created_ms: int
    revoked: bool


class StoredSeat(Struct, frozen=True):
    seat: Seat
    kind: str
    spec: str
    account: int | None
    name: str | None
    salt: str | None
    score: int | None = None
    rank: int | None = None


class StoredMatch(Struct, frozen=True):
    """A table or a match, without its seed and its lines."""

    id: str
    game: str
    state: MatchState
    terms: str
    """JSON: what it is played under."""
    owner: int | None
    key_hash: str | None
    waits_until_ms: int | None
    created_ms: int
    ended_ms: int | None
    seats: tuple[StoredSeat, ...]


def now_ms() -> int:
    return int(time.time() * 1000)


class Store:
    """All of it goes through here."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.writer = Writer(database)

    @classmethod
    async def open(cls, url: str) -> "Store":
        """Open a store, and bring its tables up to date."""
        return cls(await opened(url))

    async def close(self) -> None:
        await self.writer.close()
        await self._database.close()

    async def ready(self) -> None:
        """Raise whatever is wrong with the database."""
        async with self._database.read() as connection:
            await connection.execute(select(func.count()).select_from(tokens).where(tokens.c.id < 0))

    # Accounts

    async def add_account(self, name: str, password: str | None, *, admin: bool = False) -> Account:
        """A password comes hashed; NameTaken, if it is."""
        row: dict[str, Any] = {"name": name, "password": password, "admin": admin, "created_ms": now_ms()}
        try:
            async with self._database.write() as connection:
                added = await connection.execute(insert(accounts).values(row).returning(accounts.c.id))
                return Account(added.scalar_one(), **row)
        except IntegrityError:
            raise NameTaken(name) from None

    async def account(self, name: str) -> Account | None:
        async with self._database.read() as connection:
            row = (await connection.execute(select(accounts).where(accounts.c.name == name))).first()
        return None if row is None else Account(*row)

    async def accounts(self, after: int = 0, limit: int = 100) -> list[Account]:
        query = select(accounts).where(accounts.c.id > after).order_by(accounts.c.id).limit(limit)
        async with self._database.read() as connection:
            return [Account(*row) for row in await connection.execute(query)]

    async def guests(self, ids: Iterable[int]) -> set[int]:
        """Those of them who have no password, and so nothing but their tokens."""
        query = select(accounts.c.id).where(accounts.c.id.in_([*ids]), accounts.c.password.is_(None))
        async with self._database.read() as connection:
            return {*await connection.scalars(query)}

    async def change_account(self, id: int, **changes: Any) -> None:
        async with self._database.write() as connection:
            await connection.execute(update(accounts).where(accounts.c.id == id).values(changes))

    # Tokens

    async def add_token(self, account: Account, hash: str, scopes: Sequence[str], label: str) -> Token:
        row: dict[str, Any] = {
            "account": account.id,
            "hash": hash,
            "scopes": " ".join(sorted(scopes)),
            "label": label,
            "created_ms": now_ms(),
            "revoked": False,
        }
        async with self._database.write() as connection:
            added = await connection.execute(insert(tokens).values(row).returning(tokens.c.id))
            id = added.scalar_one()
        return Token(id, account, frozenset(scopes), label, row["created_ms"], False)

    async def token(self, hash: str) -> Token | None:
        """By its hash, revoked or not."""
        query = select(tokens, accounts).join(accounts, tokens.c.account == accounts.c.id).where(tokens.c.hash == hash)
        async with self._database.read() as connection:
            row = (await connection.execute(query)).first()
        return None if row is None else _token(row)

    async def tokens_of(self, account: int) -> list[Token]:
        query = select(tokens, accounts).join(accounts, tokens.c.account == accounts.c.id)
        query = query.where(tokens.c.account == account).order_by(tokens.c.id)
        async with self._database.read() as connection:
            return [_token(row) for row in await connection.execute(query)]

    async def revoke(self, account: int, token: int) -> bool:
        """Whether there was such a token."""
        query = update(tokens).where(tokens.c.id == token, tokens.c.account == account).values(revoked=True)
        async with self._database.write() as connection:
            return bool((await connection.execute(query)).rowcount)

    # Tables and matches

    async def add_match(self, match: StoredMatch, seed: bytes) -> None:
        """A table that is open to players."""
        row = {field: getattr(match, field) for field in match.__struct_fields__ if field != "seats"}
        async with self._database.write() as connection:
            await connection.execute(insert(matches).values(row))
            await connection.execute(insert(seeds).values(match=match.id, seed=seed))
            await connection.execute(insert(seats), [_seat_row(match.id, seat) for seat in match.seats])

    async def sit(self, match: str, seat: Seat, account: int | None, name: str, salt: str) -> None:
        """Somebody has taken a seat."""
        await self._change_seat(match, seat, account=account, name=name, salt=salt)

    async def stand_up(self, match: str, seat: Seat) -> None:
        """The seat is free again."""
        await self._change_seat(match, seat, account=None, name=None, salt=None)

    async def _change_seat(self, match: str, seat: Seat, **changes: Any) -> None:
        query = update(seats).where(seats.c.match == match, seats.c.seat == seat).values(changes)
        async with self._database.write() as connection:
            await connection.execute(query)

    async def begin_match(self, id: str, those: Sequence[StoredSeat]) -> None:
        """The table is a match now, and these are its seats; those that nobody took are gone."""
        async with self._database.write() as connection:
            await connection.execute(delete(seats).where(seats.c.match == id))
            await connection.execute(insert(seats), [_seat_row(id, seat) for seat in those])
            await connection.execute(update(matches).where(matches.c.id == id).values(state="running"))

    async def change_match(self, id: str, **changes: Any) -> None:
        async with self._database.write() as connection:
            await connection.execute(update(matches).where(matches.c.id == id).values(changes))

    async def end_match(
        self, id: str, state: MatchState, results: Mapping[Seat, tuple[int, int]], names: Sequence[str]
    ) -> None:
        """Scores and ranks by seat; who joined later has no seat yet, and gets one. Done twice, it is done once."""
        async with self._database.write() as connection:
            if await self._has_ended_so(connection, id, state, results):
                return
            known = set(await connection.scalars(select(seats.c.seat).where(seats.c.match == id)))
            late = [seat for seat in range(len(names)) if seat not in known]
            if late:
                rows = [_seat_row(id, StoredSeat(seat, "joined", "", None, names[seat], "")) for seat in late]
                await connection.execute(insert(seats), rows)
            for seat, (score, rank) in results.items():
                query = update(seats).where(seats.c.match == id, seats.c.seat == seat)
                await connection.execute(query.values(score=score, rank=rank))
            await connection.execute(update(matches).where(matches.c.id == id).values(state=state, ended_ms=now_ms()))

    async def _has_ended_so(
        self, connection: AsyncConnection, id: str, state: MatchState, results: Mapping[Seat, tuple[int, int]]
    ) -> bool:
        """Whether nothing is left to do; IsFinished, if it has ended otherwise."""
        before = await connection.scalar(select(matches.c.state).where(matches.c.id == id).with_for_update())
        if before not in FINISHED:
            return False
        query = select(seats.c.seat, seats.c.score, seats.c.rank).where(seats.c.match == id)
        kept = {row.seat: (row.score, row.rank) for row in await connection.execute(query) if row.rank is not None}
        if (before, kept) != (state, dict(results)):
            raise IsFinished(f"{id} has ended already, and otherwise")
        return True

    async def match(self, id: str) -> StoredMatch | None:
        found = await self._matches(select(matches).where(matches.c.id == id))
        return found[0] if found else None

    async def matches(
        self,
        *,
        game: str | None = None,
        states: Sequence[MatchState] = (),
        before_ms: int | None = None,
        limit: int = 50,
    ) -> list[StoredMatch]:
        """The newest first."""
        query = select(matches).order_by(matches.c.created_ms.desc(), matches.c.id).limit(limit)
        if game is not None:
            query = query.where(matches.c.game == game)
        if states:
            query = query.where(matches.c.state.in_(states))
        if before_ms is not None:
            query = query.where(matches.c.created_ms < before_ms)
        return await self._matches(query)

    async def count_matches(self) -> int:
        async with self._database.read() as connection:
            return await connection.scalar(select(func.count()).select_from(matches)) or 0

    async def each_match(self, at_once: int = 100) -> AsyncIterator[StoredMatch]:
        """All of them, by id, a few read at a time."""
        last = ""
        while some := await self._matches(
            select(matches).where(matches.c.id > last).order_by(matches.c.id).limit(at_once)
        ):
            for match in some:
                yield match
            last = some[-1].id

    async def unfinished(self) -> list[StoredMatch]:
        """What an arena goes on with when it is started."""
        states = ("open", "running")
        return await self._matches(select(matches).where(matches.c.state.in_(states)).order_by(matches.c.created_ms))

    async def _matches(self, query: Any) -> list[StoredMatch]:
        async with self._database.read() as connection:
            rows = list(await connection.execute(query))
            found: dict[str, list[StoredSeat]] = {row.id: [] for row in rows}
            for first in range(0, len(rows), MOST_ASKED):
                some = [row.id for row in rows[first : first + MOST_ASKED]]
                for match, *seat in await connection.execute(_seats_of(some)):
                    found[match].append(StoredSeat(*seat))
        return [StoredMatch(**row._mapping, seats=tuple(found[row.id])) for row in rows]

    async def seed(self, match: str) -> bytes:
        async with self._database.read() as connection:
            seed: bytes = (await connection.execute(select(seeds.c.seed).where(seeds.c.match == match))).scalar_one()
        return bytes(seed)

    async def numbers(self, match: str) -> list[int]:
        """Of its lines, as they are keyed."""
        async with self._database.read() as connection:
            return [*await connection.scalars(select(lines.c.n).where(lines.c.match == match).order_by(lines.c.n))]

    async def lines(self, match: str, first: int = 0, limit: int | None = None) -> list[bytes]:
        query = select(lines.c.raw).where(lines.c.match == match, lines.c.n >= first).order_by(lines.c.n).limit(limit)
        async with self._database.read() as connection:
            return [bytes(raw) for raw in await connection.scalars(query)]


def _seats_of(ids: Sequence[str]) -> Any:
    return select(seats).where(seats.c.match.in_(ids)).order_by(seats.c.match, seats.c.seat)


def _token(row: Row[Any]) -> Token:
    own: tuple[Any, ...] = tuple(row)[: len(tokens.c)]
    account: tuple[Any, ...] = tuple(row)[len(tokens.c) :]
    id, _, _, scopes, label, created_ms, revoked = own
    return Token(id, Account(*account), frozenset(scopes.split()), label, created_ms, revoked)


def _seat_row(match: str, seat: StoredSeat) -> dict[str, Any]:
    return {"match": match, **{field: getattr(seat, field) for field in seat.__struct_fields__}}
