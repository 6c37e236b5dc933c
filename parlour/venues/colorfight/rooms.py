"""All rooms of ColorfightII: create, start, restart and delete them."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from parlour.games.colorfight.values import Options
from parlour.games.colorfight.wire import Refused
from parlour.players.player_specs import Spec
from parlour.protocol.records import Account
from parlour.server.net.addresses import counted_address
from parlour.store.passwords import hashed_in_thread
from parlour.venues.colorfight.room import Room
from parlour.venues.colorfight.room_config import PUBLIC, changed, check_name, for_new_room
from parlour.venues.colorfight.room_keys import Guesses
from parlour.venues.colorfight.room_refusals import (
    NO_ROOM,
    NO_ROOM_NAMED,
    NOT_ALLOWED,
    NOT_NOW,
    SAME_NAME,
    TOO_MANY_ROOMS,
    RoomRefused,
)
from parlour.venues.colorfight.room_rights import Requester, RoomRights
from parlour.venues.colorfight.settings import RoomSettings
from parlour.venues.colorfight.stored_rooms import KeptRooms, RoomRecord

EMPTY_S = 600.0
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
        section: RoomSettings,
        keeping: KeptRooms,
        guesses: Guesses,
        house: Options,
        bots: Sequence[Spec] = (),
    ) -> None:
        self.house = house
        """The options that rooms created over HTTP take from the server."""
        self._standing = {PUBLIC, *section.standing_rooms}
        self._keeping = keeping
        self.most = section.rooms
        """How many rooms there may be."""
        self._section = section
        self._guesses = guesses
        self.rights = RoomRights(section.admin_password, guesses)
        self._changing = asyncio.Lock()
        """Held while rooms are created and deleted, so that the store agrees with them."""
        self._closing = False
        """Whether rooms are no longer created, and idle ones no longer deleted."""
        self._rooms: dict[str, Room] = {}
        self._bots = tuple(bots)

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

    async def stop(self) -> None:
        """Stop all rooms, after any that is being created or deleted. Games of a host end as they stand; others can be
        resumed."""
        self._closing = True
        async with self._changing:
            for room in self.all():
                await (room.close() if self._keeping.is_host else room.park())

    def open(self, record: RoomRecord) -> Room:
        """Start a room that is already stored."""
        bots = self._bots if record.name == PUBLIC else ()
        room = self._rooms[record.name] = Room(record, self._keeping, self._guesses, bots)
        return room

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
        record = RoomRecord(wanted.name, config, admin, key, owner)
        async with self._changing:
            self._must_have_place(wanted)  # again, under the lock
            await self._keeping.open(record)
            room = self.open(record)
            if wanted.owner is not None and wanted.owner.password is None:
                room.guest_address = counted_address(wanted.address)
        await room.has_begun()
        return room

    async def check_new(self, wanted: WantedRoom) -> None:
        """Check whether there may be a room of this name now."""
        check_name(wanted.name)
        await self.forget_idle()
        self._must_have_place(wanted)

    def _must_have_place(self, wanted: WantedRoom) -> None:
        if self._closing:
            raise RoomRefused(*NOT_NOW)
        if wanted.name in self._rooms:
            raise RoomRefused(*SAME_NAME)
        if wanted.owner is not None:
            self._check_share(wanted.owner, wanted.address)
        if len(self._rooms) >= self.most:
            raise RoomRefused(*TOO_MANY_ROOMS)

    def _check_share(self, owner: Account, address: str) -> None:
        """Refused if the account may not create another room. Rooms that public clients create belong to nobody and are
        not counted here."""
        is_guest, per_account = owner.password is None, self._section.rooms_per_account
        most = self._section.rooms_per_guest if is_guest else per_account
        if not most:
            raise RoomRefused(403, "scope_needed", "guests may not create rooms here")
        rooms = self._rooms.values()
        if sum(room.record.owner == owner.id for room in rooms) >= most:
            words = f"you have {most} room{'s' if most > 1 else ''}; delete one first"
            raise RoomRefused(409, "too_many_rooms", words)
        if is_guest and sum(room.guest_address == counted_address(address) for room in rooms) >= per_account:
            raise RoomRefused(409, "too_many_rooms", f"guests at your address have {per_account} rooms")

    async def _hashed(self, password: str) -> str:
        async with self.rights.checking:
            return await hashed_in_thread(password)

    async def delete(self, name: str, by: Requester) -> None:
        room = await self.administered(name, by)
        if self.is_standing(room):
            raise RoomRefused(*NOT_ALLOWED)
        async with self._changing:
            if self._rooms.get(room.name) is not room:  # deleted in the meantime
                raise RoomRefused(*NO_ROOM)
            if self._closing or not await self._close(room):
                raise RoomRefused(*NOT_NOW)

    async def _close(self, room: Room) -> bool:
        """Delete a room; False if its game could not be ended, and the room stays. It also stays if the store fails."""
        del self._rooms[room.name]
        await room.close()
        is_deleted = False
        try:
            if room.has_ended:
                await self._keeping.store.delete_room(room.name)
                is_deleted = True
        finally:
            if not is_deleted and not self._closing:
                self.open(room.record)
        return room.has_ended

    async def restart(self, name: str, by: Requester, fields: Mapping[str, Any]) -> Room:
        """End the game of a room and begin another, with these settings changed."""
        room = await self.administered(name, by)
        room.restart(changed(room.config, fields))
        return room

    async def administered(self, name: str, by: Requester) -> Room:
        """The room, if this requester may administer it."""
        if not name:
            raise RoomRefused(*NO_ROOM_NAMED)
        room = self._rooms.get(name)
        if room is None:
            raise RoomRefused(*NO_ROOM)
        await self.rights.check(room, by)
        if self._rooms.get(name) is not room:  # deleted in the meantime
            raise RoomRefused(*NO_ROOM)
        if room.not_resumed is not None:
            raise RoomRefused(409, "not_resumed", room.not_resumed)
        return room

    async def forget_idle(self) -> None:
        """Delete rooms that no client has visited for some time."""
        async with self._changing:
            for room in [*self._rooms.values()]:
                idle = room.not_resumed is None and room.idle_s() > EMPTY_S
                if not self.is_standing(room) and idle and not self._closing:
                    await self._close(room)


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
