"""All rooms of ColorfightII: create, start, restart and delete them."""

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
"""How long to wait for the first game of a room."""
IDLE_S = 600.0
"""A room without clients for this long is deleted."""

NO_ROOM = "No such room"
NOT_NOW = "Not now, try again later"
NOT_ALLOWED = "You are not allowed to do this"
SAME_ID = "Same id exists"
TOO_MANY_ROOMS = "Max room number reached"


class Rooms:
    """The rooms by name. The public room and the standing rooms always exist."""

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
        """`house` are the rules of rooms created over HTTP; None: those of the public room."""
        self._house = house or config.options
        self._standing = {PUBLIC, *standing}
        self._keeping = keeping
        self._admin = hashed(admin_password) if admin_password else None
        self._most = most
        self._ended = ended
        """Called with every game that has ended."""
        self._guesses = Guesses(tries, logins)
        self._checking = asyncio.Semaphore(2)
        self._changing = asyncio.Lock()
        """Held while rooms are created and deleted, so that the store agrees with them."""
        self._closing = False
        """Whether rooms are no longer created, and idle ones no longer deleted."""
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
        """The room list of current clients, without rooms that they cannot play in."""
        await self._forget_idle()
        return [_listed(room) for room in self._rooms.values() if room.config.is_of_today]

    async def until(self, event: Coroutine[Any, Any, object]) -> None:
        """Wait for an event, or raise the error that stops a room, such as CannotPlay."""
        waiting = asyncio.ensure_future(event)
        either: list[asyncio.Future[Any]] = [self._trouble, waiting]
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if self._trouble.done():
                self._trouble.result()
        finally:
            waiting.cancel()

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
        self._trouble.cancel()

    def open(self, name: str, config: Config, admin: str | None = None, join_key: str = "") -> Room:
        """Start a room that is already stored; its secrets are hashes."""
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
        """Wait until all rooms that can have a game have one."""
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
            self._must_have_place(name)  # again, under the lock
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
            if self._rooms.get(room.name) is not room:  # deleted in the meantime
                raise Refused(NO_ROOM)
            if self._closing or not await self._close(room):
                raise Refused(NOT_NOW)

    async def _close(self, room: Room) -> bool:
        """Delete a room; False if its game could not be ended, and the room stays."""
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
        """Restart a room, as requested by current clients or as in the source text, which has only one room."""
        if "gameroom_id" in said:
            name, fields = _text(said, "gameroom_id"), said.get("config")
            if not isinstance(fields, dict):
                raise Refused("You need to specify config")
        else:
            name, fields = PUBLIC, {field: value for field, value in said.items() if field != "admin_password"}
        room = await self._administered(said, name, address)
        room.restart(changed(room.config, fields))

    async def _administered(self, said: Mapping[str, Any], name: str, address: str) -> Room:
        """The room, if the request has its password or that of the server."""
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
        if self._rooms.get(name) is not room:  # deleted in the meantime
            raise Refused(NO_ROOM)
        if room.not_resumed is not None:
            raise Refused(room.not_resumed)
        return room

    def _stands(self, playing: "asyncio.Task[None]") -> None:
        """Keep the error of a room that has stopped, for `until`."""
        trouble = None if playing.cancelled() else playing.exception()
        if trouble is not None and not self._trouble.done():
            self._trouble.set_exception(trouble)
            self._trouble.exception()  # marks it as retrieved: there may be no `until` to raise it

    async def _forget_idle(self) -> None:
        async with self._changing:
            for room in [*self._rooms.values()]:
                idle = room.not_resumed is None and room.idle_s() > IDLE_S
                if room.name not in self._standing and idle and not self._closing:
                    await self._close(room)


async def _begun(rooms: list[Room]) -> None:
    await asyncio.gather(*map(_has_begun, rooms))


async def _has_begun(room: Room) -> None:
    """Wait until a room has had a game or is closed."""
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
