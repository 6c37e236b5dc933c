"""Let clients join the games of a room, one at a time, or return to their seats."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from parlour.core import Seat
from parlour.games.colorfight.wire import (
    MAP_FULL,
    NAME_TAKEN,
    NO_LATE_JOIN,
    NOT_RUNNING,
    WRONG_JOIN_KEY,
    Refused,
    Register,
)
from parlour.players.player_specs import LocalSpec, Spec
from parlour.players.remote import RemotePlayer
from parlour.players.terms import CannotPlay
from parlour.protocol.records import Account, StoredSeat
from parlour.referee.player import Player
from parlour.store.passwords import hashed_in_thread
from parlour.tables.seat_keeper import Occupant
from parlour.tables.stored_tables import stored_chair
from parlour.venues.colorfight.room_game import Member, RoomGame
from parlour.venues.colorfight.room_keys import Guesses, Key
from parlour.venues.colorfight.room_refusals import NO_GAME, RoomRefused
from parlour.venues.colorfight.stored_rooms import KeptRooms

T = TypeVar("T")


class Admission:
    """Admits clients to the current game of a room, which `now` returns, or raises Refused."""

    def __init__(self, keeping: KeptRooms, key: Key, guesses: Guesses, now: Callable[[], RoomGame]) -> None:
        self._keeping = keeping
        self._key = key
        self._guesses = guesses
        self._now = now
        self._joining = asyncio.Lock()
        """Held while a player takes the next seat."""
        self.coming: set[asyncio.Task[Any]] = set()
        """Joins under way."""

    async def register(self, said: Register, address: str = "") -> tuple[RoomGame, int]:
        """The uid of a user of the channels, new or old, and the game that is played now; or Refused."""
        await self.unlock(said.join_key, address)
        return await self._uninterrupted(self._register(said, address))

    async def unlock(self, join_key: str, address: str) -> None:
        """Refused if this is not the key of the room, which is to be checked before `seat`."""
        if not await self._key.fits(join_key, address):
            raise Refused(WRONG_JOIN_KEY)

    async def seat(self, player: RemotePlayer, name: str, owner: Account | None) -> Seat:
        """Seat a client of another protocol in the current game under that name, or at the seat that its owner has; or
        Refused. Its key must have been checked. It is disconnected after the end of the game."""
        return await self._uninterrupted(self._let_in(player, name, owner))

    async def bot(self, game: RoomGame, spec: Spec) -> None:
        """Start a bot of the room and seat it; CannotPlay if that fails."""
        player, sitting = await game.starter.come(spec, len(game.match.names))
        kind = "bot" if isinstance(spec, LocalSpec) else "command"
        try:
            async with self._joining:
                row = StoredSeat(len(game.match.names), kind, spec.name, None, sitting.name, "")
                await self._join(game, player, row, None)
        except Refused:
            raise CannotPlay(f"there is no seat for {spec.name}") from None

    async def _uninterrupted(self, work: Coroutine[Any, Any, T]) -> T:
        """Finish the join even if the client disconnects."""
        task = asyncio.ensure_future(work)
        self.coming.add(task)
        task.add_done_callback(self._on_joined)
        return await asyncio.shield(task)

    def _on_joined(self, task: "asyncio.Task[Any]") -> None:
        self.coming.discard(task)
        if not task.cancelled():
            task.exception()  # marks it as retrieved: the client may have disconnected

    async def _register(self, said: Register, address: str) -> tuple[RoomGame, int]:
        """Check the password, which is slow, before taking the lock for the join."""
        game, name = self._now(), said.username
        if (user := game.users.get(name)) is not None:
            if not await self._guesses.fits(f"{address} {name}", said.password, user.hash):
                raise Refused(NAME_TAKEN)
            return game, user.seat + 1
        owner, secret = await self._keeping.owner(name), None
        if owner is not None:
            if not await self._guesses.owns(address, said.password, owner):
                raise Refused(NAME_TAKEN)
            await self._keeping.let_in(owner, said.password)
        else:
            if name not in game.match.names:  # else the same user may be registering over another socket
                self._admit(game, name)
            secret = await hashed_in_thread(said.password)
        async with self._joining:
            game = self._now()
            if name not in game.users:
                return game, await self._seated(game, Member(), name, owner, secret) + 1
        return await self._register(said, address)

    async def _let_in(self, player: RemotePlayer, name: str, owner: Account | None) -> Seat:
        async with self._joining:
            game = self._now()
            if game.match.end is not None:
                raise Refused(NOT_RUNNING)
            return await self._seated(game, player, name, owner)

    async def _seated(
        self, game: RoomGame, player: Member | RemotePlayer, name: str, owner: Account | None, secret: str | None = None
    ) -> Seat:
        """The seat that the owner already has in the game, or a new one. `secret` is the hash of the password of a
        user without an account."""
        account = None if owner is None else owner.id
        if account is not None and (own := game.seats.seat_of(account)) is not None:
            game.take(own, player)
            return own
        self._admit(game, name)
        row = StoredSeat(len(game.match.names), "joined", "", account, name, "", secret=secret)
        await self._join(game, player, row, player)
        return row.seat

    async def _join(self, game: RoomGame, player: Player, row: StoredSeat, owner: Occupant | None) -> None:
        """Store the seat, then join: a crash loses no seat that a client was told of. `owner`: the player, unless it is
        a bot of the room."""
        chair = stored_chair(row)
        chair.occupant = owner
        store = self._keeping.store
        if not await store.join(game.id, row) or not await game.join(chair, player):
            if len(game.match.names) == row.seat:  # if the shell stopped during the join, its line may be stored
                await store.drop_seats(game.id, row.seat)
            if game.match.end is None and game.running.has_stopped:
                raise RoomRefused(*NO_GAME)
            raise Refused(MAP_FULL if game.match.end is None else NOT_RUNNING)
        game.came(row)

    def _admit(self, game: RoomGame, name: str) -> None:
        """Refused if a new player of that name may not join; checks in the order of RULES 10.3."""
        config, match = game.config, game.match
        if name in match.names:
            raise Refused(NAME_TAKEN)
        if match.end is not None:
            raise Refused(NOT_RUNNING)
        if game.runs and not config.allow_join_after_start:
            raise Refused(NO_LATE_JOIN)
        if len(match.names) >= config.most:
            raise Refused(MAP_FULL)
