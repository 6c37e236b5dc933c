"""ColorfightII's rooms in an arena, also for clients of protocol 1."""

from collections.abc import Mapping, Sequence

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
from parlour.server.accounts import Attempts
from parlour.server.net.login_limits import LoginLimits
from parlour.server.venue import OpenVenue, Premises
from parlour.store.store import Store, StoredRoom
from parlour.tables.arena import Arena
from parlour.tables.house import HousePlan
from parlour.venues.colorfight.channels import channels
from parlour.venues.colorfight.room import Room
from parlour.venues.colorfight.room_api import RoomRoutes
from parlour.venues.colorfight.room_config import CONFIGS, PUBLIC, Config, set_by_host
from parlour.venues.colorfight.room_game import GAME
from parlour.venues.colorfight.room_limits import RoomLimits
from parlour.venues.colorfight.rooms import MOST_ROOMS, Rooms
from parlour.venues.colorfight.settings import RoomSettings
from parlour.venues.colorfight.stored_rooms import KeptRooms


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


class HostedRooms(OpenRooms):
    """All rooms of a host. Their games end with it."""

    def addresses(self, web: str, socket: str) -> Sequence[str]:
        lines = [f"as the source text has it: {socket}/game_channel, /action_channel"]
        if self.rooms.public.config.is_of_today:
            lines.append(f"for current clients:       {socket}/gameroom/{PUBLIC}")
        return lines

    async def park(self) -> None:
        await self.rooms.close()


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
    arena, plan = premises.arena, premises.plan
    if plan is not None:
        return HostedRooms(await _hosted_rooms(arena, premises.store, plan), premises)
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


async def _hosted_rooms(arena: Arena, store: Store, plan: HousePlan) -> Rooms:
    return await kept_rooms(
        arena,
        store,
        set_by_host(plan.settings),
        bots=plan.specs,
        admin_password=plan.admin_password,
        most=1 if plan.is_once else MOST_ROOMS,
        plan=plan,
    )


async def kept_rooms(
    arena: Arena,
    store: Store,
    config: Config,
    *,
    bots: Sequence[Spec] = (),
    admin_password: str | None = None,
    most: int = MOST_ROOMS,
    tries: Attempts | None = None,
    logins: LoginLimits | None = None,
    ruleset: Ruleset | None = None,
    standing: Mapping[str, Config] = {},
    limits: RoomLimits | None = None,
    plan: HousePlan | None = None,
) -> Rooms:
    """Open all rooms of the store and resume their games. A store without a public room gets one with this config.

    `ruleset` is that of the next games of the public room and of new rooms; None: unchanged. `standing` are rooms that
    are added if the store does not have them; their configs are not read from the store. `tries` counts wrong passwords
    and keys by address, `logins` wrong passwords by account. `plan`: see KeptRooms. The arena must have started.
    """
    keeping = KeptRooms(arena, store, plan)
    config = _with_ruleset(config, ruleset)
    stored = await keeping.stored({PUBLIC: config, **standing})
    public = stored.pop(PUBLIC)[1] if PUBLIC in stored else config
    rooms = Rooms(
        _with_ruleset(public, ruleset),
        keeping,
        bots=tuple(bots),
        admin_password=admin_password,
        most=most,
        tries=tries,
        logins=logins,
        house=config.options,
        standing=[*standing],
        limits=limits,
    )
    _open_rooms(rooms, standing, stored)
    await rooms.begun()
    return rooms


def _open_rooms(rooms: Rooms, standing: Mapping[str, Config], stored: dict[str, tuple[StoredRoom, Config]]) -> None:
    for name, how in standing.items():
        kept = stored.pop(name, None)
        rooms.open(name, how, *(() if kept is None else (kept[0].admin, kept[0].join_key, kept[0].owner)))
    for room, how in stored.values():
        rooms.open(room.name, how, room.admin, room.join_key, room.owner)


def _with_ruleset(config: Config, ruleset: Ruleset | None) -> Config:
    return config if ruleset is None else replace(config, options=replace(config.options, ruleset=ruleset))


def api_routes(premises: Premises, rooms: Rooms | None = None) -> Router:
    """The routes under /api; without rooms they can only be described."""

    def found() -> Rooms:
        assert rooms is not None, "the rooms are not open"
        return rooms

    return RoomRoutes(premises, found).router()
