"""ColorfightII's rooms in an arena, also for clients of protocol 1."""

from collections.abc import Sequence

from litestar import Router

from parlour.core import Sitting
from parlour.games.colorfight.wire import Refused
from parlour.players.remote import RemotePlayer
from parlour.protocol.errors import RequestError
from parlour.protocol.forms import Plan
from parlour.protocol.records import Account
from parlour.referee.transcript import Header
from parlour.server.venue import OpenVenue, Premises
from parlour.venues.colorfight.channels import channels
from parlour.venues.colorfight.room import Room
from parlour.venues.colorfight.room_api import RoomRoutes
from parlour.venues.colorfight.room_config import CONFIGS
from parlour.venues.colorfight.room_game import GAME
from parlour.venues.colorfight.room_limits import RoomLimits
from parlour.venues.colorfight.rooms import Rooms
from parlour.venues.colorfight.settings import RoomSettings
from parlour.venues.colorfight.stored_rooms import kept_rooms


class OpenRooms(OpenVenue):
    """All rooms of an arena."""

    def __init__(self, rooms: Rooms, premises: Premises) -> None:
        self.rooms = rooms
        self._premises = premises

    def routes(self) -> Sequence[Router]:
        return (channels(self.rooms), api_routes(self._premises, self.rooms))

    def table(self, id: str | None) -> "RoomTable | None":
        room = self.rooms.public if id is None else self.rooms.get(id)
        return None if room is None else RoomTable(room)

    def addresses(self, web: str, socket: str) -> Sequence[str]:
        return (f"{socket}/game_channel and /action_channel; rooms at /gameroom/NAME",)

    async def park(self) -> None:
        await self.rooms.park()


class RoomTable:
    """A room, for a client of protocol 1."""

    def __init__(self, room: Room) -> None:
        self._room = room

    def header(self) -> Header:
        if self._room.not_resumed is not None:
            raise RequestError(409, "not_resumed", self._room.not_resumed)
        if (game := self._room.game) is None:
            raise RequestError(503, "parked", "the room has no game now; try again later")
        return game.match.header

    async def check(self, sitting: Sitting, address: str) -> None:
        try:
            await self._room.unlock(str(sitting.about.get("join_key", "")), address)
        except Refused as e:
            raise _not_admitted(e) from None

    async def seat(self, player: RemotePlayer, name: str, account: Account) -> None:
        try:
            await self._room.seat(player, name, account)
        except Refused as e:
            raise _not_admitted(e) from None


def _not_admitted(refused: Refused) -> RequestError:
    return RequestError(409, "not_admitted", refused.words)


async def open_rooms(section: RoomSettings, premises: Premises) -> OpenRooms | None:
    """Open the rooms of the store, whose games are resumed, and those of the settings; None if there are to be none."""
    if not section.rooms:
        return None
    arena = premises.arena
    plans = [Plan("bot" if name in GAME.hosting.bots else "command", name) for name in section.room_bots]
    rooms = await kept_rooms(
        arena,
        premises.store,
        CONFIGS["constant-run"],
        bots=[arena.dealer.spec(GAME, plan) for plan in plans],
        admin_password=section.admin_password,
        most=section.rooms,
        tries=premises.tries,
        ruleset=section.room_ruleset,
        standing=section.room_configs(),
        logins=premises.logins,
        limits=RoomLimits(section.rooms_per_account, section.rooms_per_guest),
    )
    return OpenRooms(rooms, premises)


def api_routes(premises: Premises, rooms: Rooms | None = None) -> Router:
    """The routes under /api; without rooms they can only be described."""

    def found() -> Rooms:
        assert rooms is not None, "the rooms are not open"
        return rooms

    return RoomRoutes(premises, found).router()
