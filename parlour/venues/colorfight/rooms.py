"""All rooms of ColorfightII: create, start, restart and delete them."""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Mapping
from typing import Any

from msgspec import Struct

from parlour.games.colorfight.values import Options
from parlour.games.colorfight.wire import Refused
from parlour.players.player_specs import Spec
from parlour.protocol.records import Account
from parlour.server.accounts import Attempts
from parlour.server.net.login_limits import LoginLimits
from parlour.store.passwords import hashed_soon
from parlour.venues.colorfight.room import Room
from parlour.venues.colorfight.room_config import PUBLIC, Config, changed, check_name, for_new_room
from parlour.venues.colorfight.room_keys import Guesses
from parlour.venues.colorfight.room_limits import RoomLimits
from parlour.venues.colorfight.room_refusals import (
    RoomRefused,
    no_room,
    no_room_named,
    not_allowed,
    not_now,
    same_name,
    too_many_rooms,
)
from parlour.venues.colorfight.room_rights import Requester, RoomRights
from parlour.venues.colorfight.stored_rooms import KeptRooms

MOST_ROOMS = 15
BEGUN_S = 60.0
"""How long to wait for the first game of a room."""
IDLE_S = 600.0
"""A room without clients for this long is deleted."""


class WantedRoom(Struct, frozen=True, kw_only=True):
    """A request for a new room."""

    name: str
    config: object = "default"
    """The name of the config that `fields` changes."""
    fields: Mapping[str, Any] = {}
    password: str = ""
    """The password for administering the room; empty: none."""
    join_key: str = ""
    """The key for joining; empty: none."""
    owner: Account | None = None
    """The account that may administer the room without a password."""
    address: str = ""


class Rooms:
    """The rooms by name. The public room and the standing rooms always exist."""

    def __init__(
        self,
        config: Config,
        keeping: KeptRooms,
        *,
        bots: tuple[Spec, ...] = (),
        admin_password: str | None = None,
        most: int = MOST_ROOMS,
        tries: Attempts | None = None,
        logins: LoginLimits | None = None,
        house: Options | None = None,
        standing: Collection[str] = (),
        limits: RoomLimits | None = None,
    ) -> None:
        """`house` are the rules of rooms created over HTTP; None: those of the public room."""
        self.house = house or config.options
        """The options that new rooms take from the server."""
        self._standing = {PUBLIC, *standing}
        self._keeping = keeping
        self.most = most
        """How many rooms there may be."""
        self._limits = limits or RoomLimits()
        self._guesses = Guesses(tries, logins)
        self.rights = RoomRights(admin_password, self._guesses)
        self._changing = asyncio.Lock()
        """Held while rooms are created and deleted, so that the store agrees with them."""
        self._closing = False
        """Whether rooms are no longer created, and idle ones no longer deleted."""
        self._rooms: dict[str, Room] = {}
        self._bots = bots
        self.open(PUBLIC, config)

    def get(self, name: str) -> Room | None:
        return self._rooms.get(name)

    @property
    def public(self) -> Room:
        return self._rooms[PUBLIC]

    def all(self) -> list[Room]:
        """All rooms, the oldest first."""
        return [*self._rooms.values()]

    def is_standing(self, room: Room) -> bool:
        """Whether the room always exists."""
        return room.name in self._standing

    async def listed(self) -> list[dict[str, Any]]:
        """The room list of current clients, without rooms that they cannot play in."""
        await self.forget_idle()
        return [_listed(room) for room in self._rooms.values() if room.config.is_of_today]

    async def close(self) -> None:
        """Close all rooms. Games that are not over end as they stand."""
        await self._stop(Room.close)

    async def park(self) -> None:
        """Stop all rooms. Their games can be resumed."""
        await self._stop(Room.park)

    async def _stop(self, how: Callable[[Room], Coroutine[Any, Any, None]]) -> None:
        """Stop all rooms, after any that is being created or deleted."""
        self._closing = True
        async with self._changing:
            for room in [*self._rooms.values()]:
                await how(room)

    def open(
        self, name: str, config: Config, admin: str | None = None, join_key: str = "", owner: int | None = None
    ) -> Room:
        """Start a room that is already stored; its secrets are hashes."""
        room = Room(
            name,
            config,
            self._keeping,
            bots=self._bots if name == PUBLIC else (),
            admin=admin,
            join_key=join_key,
            owner=owner,
            guesses=self._guesses,
        )
        self._rooms[name] = room
        room.playing.add_done_callback(_retrieve)
        return room

    async def begun(self) -> None:
        """Wait until all rooms that can have a game have one."""
        await _begun([*self._rooms.values()])

    # For administrators: all of these raise Refused

    async def create(self, wanted: WantedRoom) -> Room:
        """Create a room, and wait until its first game begins."""
        await self.check_new(wanted)
        config = for_new_room(wanted.config, wanted.fields, self.house)
        if wanted.config == "official" and not wanted.password and wanted.owner is None:
            raise Refused("You need to specify admin_password")  # nobody could start it
        admin = await self._hashed(wanted.password) if wanted.password else None
        key = await self._hashed(wanted.join_key) if wanted.join_key else ""
        owner = None if wanted.owner is None else wanted.owner.id
        async with self._changing:
            self._must_have_place(wanted)  # again, under the lock
            await self._keeping.open(wanted.name, config, admin, key, owner)
            room = self.open(wanted.name, config, admin, key, owner)
            if wanted.owner is not None:
                self._limits.add(room, wanted.owner, wanted.address)
        await _begun([room])
        return room

    async def check_new(self, wanted: WantedRoom) -> None:
        """Check whether there may be a room of this name now."""
        check_name(wanted.name)
        await self.forget_idle()
        self._must_have_place(wanted)

    def _must_have_place(self, wanted: WantedRoom) -> None:
        if self._closing:
            raise not_now()
        if wanted.name in self._rooms:
            raise same_name()
        if wanted.owner is not None:
            self._limits.check(wanted.owner, wanted.address, self._rooms.values())
        if len(self._rooms) >= self.most:
            raise too_many_rooms()

    async def _hashed(self, password: str) -> str:
        async with self.rights.checking:
            return await hashed_soon(password)

    async def delete(self, name: str, by: Requester) -> None:
        room = await self.administered(name, by)
        if self.is_standing(room):
            raise not_allowed()
        async with self._changing:
            if self._rooms.get(room.name) is not room:  # deleted in the meantime
                raise no_room()
            if self._closing or not await self._close(room):
                raise not_now()

    async def _close(self, room: Room) -> bool:
        """Delete a room; False if its game could not be ended, and the room stays. It also stays if the store fails."""
        del self._rooms[room.name]
        await room.close()
        is_deleted = False
        try:
            if room.has_ended:
                await self._keeping.close(room.name)
                is_deleted = True
        finally:
            if not is_deleted and not self._closing:
                self.open(room.name, room.config, room.admin, room.join_key, room.owner)
        return room.has_ended

    async def start(self, name: str, by: Requester) -> None:
        (await self.administered(name, by)).start()

    async def restart(self, name: str, by: Requester, fields: Mapping[str, Any]) -> Room:
        """End the game of a room and begin another, with these settings changed."""
        room = await self.administered(name, by)
        room.restart(changed(room.config, fields))
        return room

    async def administered(self, name: str, by: Requester) -> Room:
        """The room, if this requester may administer it."""
        if not name:
            raise no_room_named()
        room = self._rooms.get(name)
        if room is None:
            raise no_room()
        await self.rights.check(room, by)
        if self._rooms.get(name) is not room:  # deleted in the meantime
            raise no_room()
        if room.not_resumed is not None:
            raise RoomRefused(409, "not_resumed", room.not_resumed)
        return room

    async def forget_idle(self) -> None:
        """Delete rooms that no client has visited for some time."""
        async with self._changing:
            for room in [*self._rooms.values()]:
                idle = room.not_resumed is None and room.idle_s() > IDLE_S
                if not self.is_standing(room) and idle and not self._closing:
                    await self._close(room)


def _retrieve(playing: "asyncio.Task[None]") -> None:
    """Mark the error of a room that has stopped as retrieved. The host was told of it."""
    if not playing.cancelled():
        playing.exception()


async def _begun(rooms: list[Room]) -> None:
    await asyncio.gather(*map(_has_begun, rooms))


async def _has_begun(room: Room) -> None:
    """Wait until a room has had a game or is closed."""
    begun = asyncio.ensure_future(room.begun.wait())
    try:
        await asyncio.wait([begun, room.playing], timeout=BEGUN_S, return_when=asyncio.FIRST_COMPLETED)
    finally:
        begun.cancel()


def _listed(room: Room) -> dict[str, Any]:
    game = room.game
    config = room.config if game is None else game.config
    return {
        "name": room.name,
        "player_number": 0 if game is None else len(game.match.names),
        "max_player": config.most,
        "turn": 0 if game is None else game.state.turn,
        "max_turn": config.options.max_turn,
        "rank": False,
        "ruleset": config.options.ruleset,
    }
