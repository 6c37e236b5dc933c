"""All rooms of ColorfightII, and who may make, start, restart and delete them."""

import asyncio
from collections.abc import Callable, Collection, Coroutine, Mapping
from typing import Any

from parlour.games.colorfight.values import Options
from parlour.games.colorfight.wire import Refused
from parlour.players.player_specs import Spec
from parlour.referee.match import Match
from parlour.server.accounts import Attempts
from parlour.server.net.login_limits import LoginLimits
from parlour.store.passwords import hashed, hashed_soon
from parlour.venues.colorfight.room import Room
from parlour.venues.colorfight.room_config import Config, changed, check_name, for_new_room
from parlour.venues.colorfight.room_keys import Guesses
from parlour.venues.colorfight.room_log import Keeping

PUBLIC = "public"
MOST_ROOMS = 15
BEGUN_S = 60.0
"""How long a server waits for its rooms when it starts."""
IDLE_S = 600.0
"""A room that nobody has been in for so long makes room for others."""

NO_ROOM = "No such room"
NOT_NOW = "Not now, try again later"
NOT_ALLOWED = "You are not allowed to do this"
SAME_ID = "Same id exists"
TOO_MANY_ROOMS = "Max room number reached"


class Rooms:
    """By name. One of them is public, and always there; so are those that are standing."""

    def __init__(
        self,
        config: Config,
        keeping: Keeping,
        *,
        bots: tuple[Spec, ...] = (),
        admin_password: str | None = None,
        most: int = MOST_ROOMS,
        tries: Attempts | None = None,
        logins: LoginLimits | None = None,
        ended: Callable[[Match[Any]], None] = lambda match: None,
        house: Options | None = None,
        standing: Collection[str] = (),
    ) -> None:
        """`house` are the rules of rooms that are created over HTTP; None: those of the public room."""
        self._house = house or config.options
        self._standing = {PUBLIC, *standing}
        self._keeping = keeping
        self._admin = hashed(admin_password) if admin_password else None
        self._most = most
        self._ended = ended
        """Told of every game that has ended."""
        self._guesses = Guesses(tries, logins)
        self._checking = asyncio.Semaphore(2)
        self._changing = asyncio.Lock()
        """Held while rooms are made and go, so that what is kept of them agrees."""
        self._closing = False
        """Whether none is made any more, and none goes by itself."""
        self._trouble: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._rooms: dict[str, Room] = {}
        self._bots = bots
        self.open(PUBLIC, config)

    def get(self, name: str) -> Room | None:
        return self._rooms.get(name)

    @property
    def public(self) -> Room:
        return self._rooms[PUBLIC]

    async def listed(self) -> list[dict[str, Any]]:
        """For today's clients, if they look for a room."""
        await self._forget_idle()
        return [_listed(room) for room in self._rooms.values() if room.config.is_of_today]

    async def until(self, event: Coroutine[Any, Any, object]) -> None:
        """Wait for something else; but whatever keeps a room from going on, such as CannotPlay, is raised."""
        waiting = asyncio.ensure_future(event)
        either: list[asyncio.Future[Any]] = [self._trouble, waiting]
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if self._trouble.done():
                self._trouble.result()
        finally:
            waiting.cancel()

    async def close(self) -> None:
        """All games that are not over end as they stand."""
        await self._stop(Room.close)

    async def park(self) -> None:
        """All games stay as they are, to be gone on with."""
        await self._stop(Room.park)

    async def _stop(self, how: Callable[[Room], Coroutine[Any, Any, None]]) -> None:
        """Who is just making a room, or deleting one, comes to an end with that first."""
        self._closing = True
        async with self._changing:
            for room in [*self._rooms.values()]:
                await how(room)
        self._trouble.cancel()

    def open(self, name: str, config: Config, admin: str | None = None, join_key: str = "") -> Room:
        """A room that is kept, if any are; its secrets are hashes."""
        room = Room(
            name,
            config,
            self._keeping,
            bots=self._bots if name == PUBLIC else (),
            admin=admin,
            join_key=join_key,
            guesses=self._guesses,
            ended=self._ended,
        )
        self._rooms[name] = room
        room.playing.add_done_callback(self._stands)
        return room

    async def begun(self) -> None:
        """Wait until all rooms have a game; but not for one that cannot have any now."""
        await _begun([*self._rooms.values()])

    # Over HTTP: all of these raise Refused

    async def create(self, said: Mapping[str, Any]) -> None:
        name = _text(said, "gameroom_id")
        check_name(name)
        await self._forget_idle()
        self._must_have_place(name)
        wanted, password, key = said.get("config", "default"), _text(said, "admin_password"), _text(said, "join_key")
        fields = {"ruleset": said["ruleset"]} if "ruleset" in said else {}
        config = for_new_room(wanted, fields, self._house)
        if wanted == "official" and not password:
            raise Refused("You need to specify admin_password")
        admin = await self._hashed(password) if password else None
        key = await self._hashed(key) if key else ""
        async with self._changing:
            self._must_have_place(name)  # still
            await self._keeping.open(name, config, admin, key)
            room = self.open(name, config, admin, key)
        await _begun([room])

    def _must_have_place(self, name: str) -> None:
        if self._closing:
            raise Refused(NOT_NOW)
        if name in self._rooms:
            raise Refused(SAME_ID)
        if len(self._rooms) >= self._most:
            raise Refused(TOO_MANY_ROOMS)

    async def _hashed(self, password: str) -> str:
        async with self._checking:
            return await hashed_soon(password)

    async def delete(self, said: Mapping[str, Any], address: str) -> None:
        room = await self._administered(said, _text(said, "gameroom_id"), address)
        if room.name in self._standing:
            raise Refused(NOT_ALLOWED)
        async with self._changing:
            if self._rooms.get(room.name) is not room:  # any more
                raise Refused(NO_ROOM)
            if self._closing or not await self._close(room):
                raise Refused(NOT_NOW)

    async def _close(self, room: Room) -> bool:
        """For good; False: its game could not be ended, and so both go on, with the next server if this one stops."""
        del self._rooms[room.name]
        await room.close()
        if room.has_ended:
            await self._keeping.close(room.name)
        elif not self._closing:
            self.open(room.name, room.config, room.admin, room.join_key)
        return room.has_ended

    async def start(self, said: Mapping[str, Any], address: str) -> None:
        (await self._administered(said, _text(said, "gameroom_id"), address)).start()

    async def restart(self, said: Mapping[str, Any], address: str) -> None:
        """In today's form, or in the source's, which knows one room and gives the settings as they are."""
        if "gameroom_id" in said:
            name, fields = _text(said, "gameroom_id"), said.get("config")
            if not isinstance(fields, dict):
                raise Refused("You need to specify config")
        else:
            name, fields = PUBLIC, {field: value for field, value in said.items() if field != "admin_password"}
        room = await self._administered(said, name, address)
        room.restart(changed(room.config, fields))

    async def _administered(self, said: Mapping[str, Any], name: str, address: str) -> Room:
        """The room, if the password is its own or that of the whole server."""
        if not name:
            raise Refused("You need to specify room id")
        room = self._rooms.get(name)
        if room is None:
            raise Refused(NO_ROOM)
        hashes = [hash for hash in (room.admin, self._admin) if hash is not None]
        if not hashes:
            raise Refused(NOT_ALLOWED)
        async with self._checking:
            right = await self._guesses.fits(f"admin {address}", _text(said, "admin_password"), *hashes)
        if not right:
            raise Refused("Wrong password")
        if self._rooms.get(name) is not room:  # any more
            raise Refused(NO_ROOM)
        if room.not_resumed is not None:
            raise Refused(room.not_resumed)
        return room

    def _stands(self, playing: "asyncio.Task[None]") -> None:
        """A room plays no more."""
        trouble = None if playing.cancelled() else playing.exception()
        if trouble is not None and not self._trouble.done():
            self._trouble.set_exception(trouble)
            self._trouble.exception()  # and if nobody waits to be told, so be it

    async def _forget_idle(self) -> None:
        async with self._changing:
            for room in [*self._rooms.values()]:
                idle = room.not_resumed is None and room.idle_s() > IDLE_S
                if room.name not in self._standing and idle and not self._closing:
                    await self._close(room)


async def _begun(rooms: list[Room]) -> None:
    await asyncio.gather(*map(_has_begun, rooms))


async def _has_begun(room: Room) -> None:
    """Or is closed before that."""
    begun = asyncio.ensure_future(room.begun.wait())
    try:
        await asyncio.wait([begun, room.playing], timeout=BEGUN_S, return_when=asyncio.FIRST_COMPLETED)
    finally:
        begun.cancel()


def _text(said: Mapping[str, Any], field: str) -> str:
    value = said.get(field, "")
    if not isinstance(value, str) or len(value) > 200:
        raise Refused(f"{field} value invalid")
    return value


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
