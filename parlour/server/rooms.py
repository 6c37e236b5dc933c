"""All rooms of ColorfightII, and who may make, start, restart and delete them."""

import asyncio
import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from parlour.games.colorfight.values import Options
from parlour.games.colorfight.wire import Refused
from parlour.players.accounts import fits, hashed
from parlour.players.host import NewTable
from parlour.players.load import Spec
from parlour.referee.match import Match
from parlour.server.room import Config, Room

PUBLIC = "public"
MOST_ROOMS = 15
IDLE_S = 600.0
"""A room that nobody has been in for so long makes room for others."""
MOST_DESCRIPTION = 500

NO_ROOM = "No such room"
NOT_ALLOWED = "You are not allowed to do this"

CONFIGS: Mapping[str, Config] = {
    "default": Config(),
    "constant-run": Config(first_round_time=10.0, finish_time=20.0),
    "official": Config(first_round_time="never", allow_join_after_start=False),
    "rank_2": Config(options=Options(max_turn=300), max_player=2, first_round_time="full"),
    "rank_4": Config(options=Options(max_turn=400), max_player=4, first_round_time="full"),
    "rank_8": Config(options=Options(max_turn=500), max_player=8, first_round_time="full"),
    "duel": Config(max_player=2, first_round_time="full"),
    "test-run": Config(options=Options(max_turn=200, round_time=0.2), finish_time=5.0),
}
"""By name, how a new room may be run."""


def _within(low: float, high: float) -> Callable[[Any], bool]:
    return lambda value: _is_number(value) and low <= value <= high


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


FIELDS: Mapping[str, Callable[[Any], bool]] = {
    "max_turn": lambda value: isinstance(value, int) and _within(200, 2000)(value),
    "round_time": _within(0.2, 20),
    "first_round_time": lambda value: value in ("full", "never") or _within(0, 60)(value),
    "finish_time": _within(0, 60),
    "max_player": lambda value: value in (2, 4, 8) and isinstance(value, int),
    "allow_join_after_start": lambda value: isinstance(value, bool),
    "allow_manual_mode": lambda value: isinstance(value, bool),
    "replay_enable": lambda value: value in ("always", "never", "end"),
    "room_description": lambda value: isinstance(value, str) and len(value) <= MOST_DESCRIPTION,
}
"""What may be set over HTTP, and to what (RULES 10.9)."""


def changed(config: Config, fields: Mapping[str, Any]) -> Config:
    """All of it, or Refused and nothing."""
    for name, value in fields.items():
        if name not in FIELDS:
            raise Refused(f"Invalid field {name[:40]}")
        if not FIELDS[name](value):
            raise Refused(f"{name} value invalid")
    rules = {name: value for name, value in fields.items() if name in Options.__struct_fields__}
    if "round_time" in rules:
        rules["round_time"] = float(rules["round_time"])
    others = {name: value for name, value in fields.items() if name not in rules}
    return replace(config, options=replace(config.options, **rules), **others)


class Rooms:
    """By name. One of them is public, and always there."""

    def __init__(
        self,
        config: Config,
        new_table: NewTable,
        *,
        bots: tuple[Spec, ...] = (),
        admin_password: str | None = None,
        ended: Callable[[Match[Any]], None] = lambda match: None,
    ) -> None:
        self._new_table = new_table
        self._admin = None if not admin_password else hashed(admin_password)
        self._ended = ended
        self._checking = asyncio.Semaphore(2)
        self._rooms: dict[str, Room] = {}
        self._open(Room(PUBLIC, config, new_table, bots=bots))

    def get(self, name: str) -> Room | None:
        return self._rooms.get(name)

    @property
    def public(self) -> Room:
        return self._rooms[PUBLIC]

    def listed(self) -> list[dict[str, Any]]:
        """For whoever looks for a room."""
        return [_listed(room) for room in self._rooms.values()]

    async def close(self) -> None:
        for room in [*self._rooms.values()]:
            await room.close()

    # Over HTTP: all of these raise Refused

    async def create(self, said: Mapping[str, Any]) -> None:
        name = _text(said, "gameroom_id")
        if not name:
            raise Refused("You need to specify room id")
        if not re.fullmatch(r"[0-9A-Za-z._-]{1,64}", name):
            raise Refused("You have illegal special characters in you gameroom id")
        if name in self._rooms:
            raise Refused("Same id exists")
        await self._forget_idle()
        if len(self._rooms) >= MOST_ROOMS:
            raise Refused("Max room number reached")
        wanted, password = said.get("config", "default"), _text(said, "admin_password")
        if not isinstance(wanted, str) or wanted not in CONFIGS:
            raise Refused("config value invalid")
        if wanted == "official" and not password:
            raise Refused("You need to specify admin_password")
        admin = await asyncio.to_thread(hashed, password) if password else None
        if name in self._rooms:  # meanwhile
            raise Refused("Same id exists")
        self._open(Room(name, CONFIGS[wanted], self._new_table, admin=admin, join_key=_text(said, "join_key")))

    async def delete(self, said: Mapping[str, Any]) -> None:
        room = await self._administered(said, _text(said, "gameroom_id"))
        if room is self.public:
            raise Refused(NOT_ALLOWED)
        self._rooms.pop(room.name, None)
        await room.close()

    async def start(self, said: Mapping[str, Any]) -> None:
        (await self._administered(said, _text(said, "gameroom_id"))).start()

    async def restart(self, said: Mapping[str, Any]) -> None:
        """In today's form, or in the source's, which knows one room and gives the settings as they are."""
        if "gameroom_id" in said:
            name, fields = _text(said, "gameroom_id"), said.get("config")
            if not isinstance(fields, dict):
                raise Refused("You need to specify config")
        else:
            name, fields = PUBLIC, {field: value for field, value in said.items() if field != "admin_password"}
        room = await self._administered(said, name)
        room.restart(changed(room.config, fields))

    async def _administered(self, said: Mapping[str, Any], name: str) -> Room:
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
            for hash in hashes:
                if await asyncio.to_thread(fits, _text(said, "admin_password"), hash):
                    return room
        raise Refused("Wrong password")

    def _open(self, room: Room) -> None:
        room.ended = self._ended
        self._rooms[room.name] = room

    async def _forget_idle(self) -> None:
        for room in [*self._rooms.values()]:
            if room is not self.public and room.idle_s() > IDLE_S:
                del self._rooms[room.name]
                await room.close()


def _text(said: Mapping[str, Any], field: str) -> str:
    value = said.get(field, "")
    if not isinstance(value, str) or len(value) > 200:
        raise Refused(f"{field} value invalid")
    return value


def _listed(room: Room) -> dict[str, Any]:
    game, config = room.game, room.config
    return {
        "name": room.name,
        "player_number": 0 if game is None else len(game.match.names),
        "max_player": config.most,
        "turn": 0 if game is None else game.state.turn,
        "max_turn": config.options.max_turn,
        "rank": False,
    }


OF_ROOMS = tuple(name for name in Config.__struct_fields__ if name != "options")
"""What a host can set besides the options of the game."""


def set_by_host(config: Config, fields: Mapping[str, Any]) -> Config:
    """The same for whoever runs the server, who may also choose the map and the rules; Refused as over HTTP."""
    rules = {name: value for name, value in fields.items() if name in Options.__struct_fields__ and name not in FIELDS}
    try:
        options = msgspec.convert({**msgspec.to_builtins(config.options), **rules}, Options)
    except msgspec.ValidationError as e:
        raise Refused(str(e)) from None
    others = {name: value for name, value in fields.items() if name not in rules}
    return changed(replace(config, options=options), others)
