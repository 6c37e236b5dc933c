"""Read the tables, rooms and matches of one account, for its owner."""

from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, select

from parlour.protocol.forms import MatchState
from parlour.store.schema import matches, rooms, seats
from parlour.store.transactions import StorePart, reads


class HostedTable(Struct, frozen=True):
    """A table that the account created, and the match that it became."""

    id: str
    game: str
    state: MatchState
    terms: dict[str, Any]
    """Its options and limits."""
    created_ms: int
    ended_ms: int | None


class PlayedMatch(Struct, frozen=True):
    """A table or match at which the account has or had a seat."""

    id: str
    game: str
    state: MatchState
    created_ms: int
    ended_ms: int | None
    seat: int
    name: str | None
    """The name under which the account played."""
    salt: str | None
    score: int | None
    rank: int | None


class HostedRoom(Struct, frozen=True):
    """A room that the account created and administers."""

    name: str
    settings: dict[str, Any]
    created_ms: int


class AccountData(StorePart):
    """Reads the tables, rooms and matches that belong to an account."""

    @reads
    def of(self, connection: Connection, account: int) -> tuple[list[HostedTable], list[PlayedMatch]]:
        """All tables that the account created, and all matches at which it has or had a seat; oldest first."""
        m, s = matches.c, seats.c
        hosted = select(m.id, m.game, m.state, m.terms, m.created_ms, m.ended_ms).where(m.owner == account)
        played = select(m.id, m.game, m.state, m.created_ms, m.ended_ms, s.seat, s.name, s.salt, s.score, s.rank)
        played = played.join_from(matches, seats, s.match == m.id).where(s.account == account)
        tables = connection.execute(hosted.order_by(m.created_ms, m.id))
        return (
            [
                HostedTable(id, game, state, msgspec.json.decode(terms), *when)
                for id, game, state, terms, *when in tables
            ],
            [PlayedMatch(**row._mapping) for row in connection.execute(played.order_by(m.created_ms, m.id, s.seat))],
        )

    async def rooms_of(self, account: int) -> list[HostedRoom]:
        """All rooms that belong to the account, oldest first."""
        r = rooms.c
        query = select(r.name, r.config, r.created_ms).where(r.owner == account).order_by(r.created_ms, r.name)
        rows = await self._database.rows(query)
        return [HostedRoom(name, msgspec.json.decode(config), ms) for name, config, ms in rows]
