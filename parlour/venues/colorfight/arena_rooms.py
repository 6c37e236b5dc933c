"""ColorfightII's rooms in an arena, also for clients of protocol 1."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from litestar import Router
from msgspec.structs import replace

from parlour.core import Sitting
from parlour.games.colorfight.values import Ruleset
from parlour.games.colorfight.wire import Refused
from parlour.players.player_specs import Spec
from parlour.players.remote import RemotePlayer
from parlour.protocol.errors import RequestError
from parlour.protocol.forms import Plan
from parlour.protocol.records import Account
from parlour.referee.transcript import Header
from parlour.server.venue import OpenVenue, Premises
from parlour.store.store import Store
from parlour.tables.arena import Arena
from parlour.tables.house import HousePlan
from parlour.venues.colorfight.channels import channels
from parlour.venues.colorfight.room import Room
from parlour.venues.colorfight.room_api import RoomRoutes
from parlour.venues.colorfight.room_config import CONFIGS, PUBLIC, Config, set_by_host
from parlour.venues.colorfight.room_game import GAME
from parlour.venues.colorfight.room_keys import Guesses
from parlour.venues.colorfight.room_refusals import RoomRefused
from parlour.venues.colorfight.rooms import Rooms
from parlour.venues.colorfight.settings import MOST_ROOMS, RoomSettings
from parlour.venues.colorfight.stored_rooms import KeptRooms


class OpenRooms(OpenVenue):
    """All rooms of an arena or of a host."""

    def __init__(self, rooms: Rooms, premises: Premises) -> None:
        self.rooms = rooms
        self._premises = premises

    def routes(self) -> Sequence[Router]:
        return (channels(self.rooms), RoomRoutes(self._premises, self.rooms).router())

    def table(self, id: str | None) -> "RoomTable | None":
        room = self.rooms.public if id is None else self.rooms.get(id)
        return None if room is None else RoomTable(room)

    def addresses(self, web: str, socket: str) -> Sequence[str]:
        if self._premises.plan is None:
            return (f"{socket}/game_channel and /action_channel; rooms at /gameroom/NAME",)
        lines = [f"as the source text has it: {socket}/game_channel, /action_channel"]
        if self.rooms.public.config.is_of_today:
            lines.append(f"for current clients:       {socket}/gameroom/{PUBLIC}")
        return lines

    async def park(self) -> None:
        await self.rooms.stop()


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
        with _refusals():
            await self._room.admission.unlock(str(sitting.about.get("join_key", "")), address)

    async def seat(self, player: RemotePlayer, name: str, account: Account) -> None:
        with _refusals():
            await self._room.admission.seat(player, name, account)


@contextmanager
def _refusals() -> Iterator[None]:
    """Report refusals as clients of protocol 1 know them."""
    try:
        yield
    except RoomRefused as e:
        raise RequestError(e.status, e.code, e.detail) from None
    except (Refused, RequestError) as e:
        raise RequestError(409, "not_admitted", e.words) from None


async def open_rooms(section: RoomSettings, premises: Premises) -> OpenRooms | None:
    """Open the rooms of the store, whose games are resumed, and those of the settings; None if there are to be none."""
    if not section.rooms:
        return None
    arena, store, plan = premises.arena, premises.store, premises.plan
    if plan is not None:
        most = 1 if plan.is_once else MOST_ROOMS
        section = RoomSettings(rooms=most, admin_password=plan.admin_password)
        rooms = await kept_rooms(arena, store, set_by_host(plan.settings), section, bots=plan.specs, plan=plan)
    else:
        seats = [Plan("bot" if name in GAME.hosting.bots else "command", name) for name in section.room_bots]
        bots, guesses = [arena.dealer.spec(GAME, seat) for seat in seats], Guesses(premises.tries, premises.logins)
        rooms = await kept_rooms(arena, store, CONFIGS["constant-run"], section, guesses, bots)
    return OpenRooms(rooms, premises)


async def kept_rooms(
    arena: Arena,
    store: Store,
    config: Config,
    section: RoomSettings,
    guesses: Guesses | None = None,
    bots: Sequence[Spec] = (),
    plan: HousePlan | None = None,
) -> Rooms:
    """Open all rooms of the store and resume their games. A store without a public room gets one with this config.

    The configs of standing rooms are not read from the store. `guesses` limits wrong passwords and keys. `plan`: see
    KeptRooms. The arena must have started.
    """
    keeping, config = KeptRooms(arena, store, plan), _with_ruleset(config, section.room_ruleset)
    rooms = Rooms(section, keeping, guesses or Guesses(), config.options, bots)
    standing = section.room_configs()
    for name, record in (await keeping.records({PUBLIC: config, **standing})).items():
        known = _with_ruleset(record.config, section.room_ruleset) if name == PUBLIC else record.config
        rooms.open(replace(record, config=standing.get(name, known)))
    await asyncio.gather(*(room.has_begun() for room in rooms.all()))
    return rooms


def _with_ruleset(config: Config, ruleset: Ruleset | None) -> Config:
    return config if ruleset is None else replace(config, options=replace(config.options, ruleset=ruleset))
