"""Rooms of ColorfightII that outlive the server: games are resumed, and users return to their seats.

A user's seat is stored before the user joins, and the join is stored before the user is told the uid. So every uid that
a client was told is valid after a crash; a stored seat without a join is removed.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.exc import NoResultFound

from parlour.core import BadOptions
from parlour.games.colorfight.values import Options
from parlour.games.colorfight.wire import NAME_TAKEN, Refused
from parlour.players.play import Played
from parlour.players.starter import Starter
from parlour.players.terms import Terms
from parlour.protocol.errors import RequestError
from parlour.protocol.records import Account, StoredMatch, now_ms
from parlour.protocol.reports import tell, tell_bug
from parlour.referee.known_rules import UnknownRules
from parlour.referee.log import Log, done
from parlour.referee.match import Match, Out
from parlour.referee.replay import resume
from parlour.referee.transcript import BadTranscript, new_seed
from parlour.server.accounts import let_in
from parlour.store.match_log import StoredLog
from parlour.store.store import NameTaken, Store, StoredRoom
from parlour.tables.arena import Arena
from parlour.tables.house import HousePlan, NextMatch, RecordedLog
from parlour.tables.stored_tables import check_begun, stored_table
from parlour.venues.colorfight.room_config import CONFIGS, PUBLIC, Config
from parlour.venues.colorfight.room_game import GAME, RoomGame, new_id, new_match
from parlour.venues.colorfight.room_refusals import SAME_NAME, RoomRefused

UNREADABLE = (BadTranscript, BadOptions, KeyError, ValueError, NoResultFound, msgspec.MsgspecError)
"""Errors of a stored game that cannot be resumed."""


class RoomRecord(Struct, frozen=True):
    """A room as it is stored; its password and its key are hashes."""

    name: str
    config: Config
    """The config of the next game."""
    admin: str | None = None
    """The password for starting, restarting and deleting the room; None: there is none."""
    join_key: str = ""
    """The key for joining; empty: there is none."""
    owner: int | None = None
    """The account that needs no password."""


class KeptRooms:
    """Creates or resumes rooms and their games, and stores them in an arena, where spectators can watch them."""

    def __init__(self, arena: Arena, store: Store, plan: HousePlan | None = None) -> None:
        """`plan` is that of a host: where seeds come from, and results go to."""
        self._arena = arena
        self.store = store
        self._plan = plan
        self.is_host = plan is not None
        """Whether games end with the server, and their countdown does not wait for a client."""
        self._unknown: dict[str, UnknownRules] = {}
        """By room, the setting that this release lacks."""

    async def records(self, wanted: Mapping[str, Config]) -> dict[str, RoomRecord]:
        """All rooms by name: the wanted ones first, then the others of the store. Wanted rooms that are missing there
        are added."""
        records = {name: RoomRecord(name, config) for name, config in wanted.items()}
        stored = {room.name: room for room in await self.store.rooms()}
        for name in records.keys() - stored.keys():
            await self.open(records[name])
        for name, room in stored.items():
            records[name] = RoomRecord(name, self._config(room, wanted[PUBLIC]), room.admin, room.join_key, room.owner)
        return records

    def _config(self, room: StoredRoom, public: Config) -> Config:
        """The config of a stored room, or a default if it is unreadable. A room with settings of another release stays
        closed."""
        try:
            return _read(room.config)
        except UnknownRules as e:
            self._arena.broken.append(f"room {room.name}: {e.why}")
            tell("room not resumed", logging.WARNING, room=room.name, why=e.why)
            self._unknown[room.name] = e
            return CONFIGS["default"]
        except msgspec.MsgspecError as e:
            self._arena.broken.append(f"room {room.name}: {e}")
            return public if room.name == PUBLIC else CONFIGS["default"]

    async def open(self, new: RoomRecord) -> None:
        """Store a new room."""
        room = StoredRoom(new.name, _written(new.config), new.admin, new.join_key, None, now_ms(), new.owner)
        try:
            await self.store.add_room(room)
        except NameTaken:
            raise RoomRefused(*SAME_NAME) from None

    # Games

    async def game(self, room: str, config: Config, before: str | None) -> RoomGame:
        """The next game of a room: an unfinished one, or a new one. `before` is the shown id of the last game."""
        stored = await self._unfinished(room)
        if (unknown := self._unknown.get(room)) is not None:
            if stored is not None:
                self._arena.leave_unresumed(stored, unknown)
            raise unknown
        game = None if stored is None else await self._resumed(stored, config)
        if game is None:
            game = await self._new_game(room, config, before)
        self._arena.playing[game.id] = game
        return game

    async def _unfinished(self, name: str) -> StoredMatch | None:
        room = await self.store.room(name)
        match = None if room is None or room.match is None else await self.store.match(room.match)
        return match if match is not None and match.state == "running" else None

    async def _resumed(self, stored: StoredMatch, config: Config) -> RoomGame | None:
        """Resume a stored game. If it is unreadable, mark it as void; then None."""
        try:
            return await self._rebuilt_game(stored, config)
        except UnknownRules as e:
            self._arena.leave_unresumed(stored, e)
            raise
        except UNREADABLE as e:
            self._arena.broken.append(f"{stored.id}: {e}")
            await self.store.change_match(stored.id, state="void", ended_ms=now_ms())
            return None

    async def _rebuilt_game(self, stored: StoredMatch, config: Config) -> RoomGame:
        seed, lines = await self.store.seed(stored.id), await self.store.lines(stored.id)
        past: list[Out] = []
        match: Match[object]
        if lines:  # there may be thousands: do not block the event loop
            check_begun(GAME, lines[0])
            now = asyncio.get_running_loop().time()
            match, begun = await asyncio.to_thread(resume, GAME, lines, seed, now, past=past)
        else:  # no client was told of the game yet
            match, begun = new_match(config, seed), None
        come = len(match.names)
        if [seat.name for seat in stored.seats[:come]] != match.names:
            raise ValueError("its seats are not taken by those who joined")
        await self.store.drop_seats(stored.id, come)
        how = replace(config, options=match.options)
        game = RoomGame(str(stored.created_ms), how, seed, stored.seats[:come])
        return self._begun(game, match, StoredLog(self.store, match, len(lines)), begun, past)

    async def _new_game(self, room: str, config: Config, before: str | None) -> RoomGame:
        next = NextMatch(new_seed()) if self._plan is None else self._plan.new_match()
        match = new_match(config, next.seed)
        game = RoomGame(new_id(before), config, next.seed, told=next.watch)
        row = replace(stored_table(game, None), state="running", waits_until_ms=None, created_ms=int(game.shown))
        await self.store.begin_game(room, _written(config), row, game.seed)
        stored = StoredLog(self.store, match)
        return self._begun(game, match, stored if next.log is None else RecordedLog(next.log, stored))

    def _begun(
        self, game: RoomGame, match: Match[object], log: Log, begun: Out | None = None, past: Sequence[Out] = ()
    ) -> RoomGame:
        """Begin the match of a game, or resume it with the output `begun` after `past`."""
        self._arena.equip(game)
        terms = Terms(game=GAME, options=game.config.options, dropped=self._arena.dropped)
        game.begin(match, log, Starter(terms, game.seed), past)
        game.begun = begun
        return game

    async def end(self, room: str, game: RoomGame) -> None:
        """Store the end of a game, and tell the host."""
        await done(game.log.end(game.match))
        self._arena.retries.forget(f"room {room}")
        if self._plan is not None and game.match.end is not None:
            self._plan.ended(Played(game.match, game.match.end, {}, {}))

    def leave(self, game: RoomGame) -> None:
        """Release a game that is no longer played, whether it has ended or not."""
        self._arena.playing.pop(game.id, None)

    def trouble(self, room: str, error: Exception) -> float:
        """The seconds to wait before a room continues after this error. A host is told, and the error raised again."""
        if self._plan is not None:
            self._plan.failed(error)
            raise error
        self._arena.broken.append(f"room {room}: {type(error).__name__}: {error}")
        tell_bug("room", error, room=room)
        return self._arena.retries.failed(f"room {room}")

    # Users

    async def owner(self, name: str) -> Account | None:
        """The account of that name, if it has a password. Refused if the name only looks like an account's. A host has
        no accounts."""
        if self._plan is not None:
            return None
        account = await self.store.account(name)
        if account is not None and account.password is not None:
            return account
        if await self.store.people.holder(name) is not None:
            raise Refused(NAME_TAKEN)
        return None

    async def let_in(self, owner: Account, password: str) -> None:
        """Log in an account that has given the right password. Refused if it is banned or has another password now."""
        try:
            await let_in(self.store, owner, password)
        except RequestError as e:
            raise Refused("This account is banned" if e.code == "banned" else NAME_TAKEN) from None


def _read(text: str) -> Config:
    """The config of a stored room; UnknownRules if another release stored a setting that this one lacks."""
    said = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
    if unknown := sorted(said.keys() - set(Config.__struct_fields__)):
        raise UnknownRules(f"setting {', '.join(unknown)}, which this release does not have")
    try:
        msgspec.json.decode(said.get("options", b"{}"), type=Options)
    except msgspec.MsgspecError as e:
        raise UnknownRules(f"options: {e}") from None
    return msgspec.json.decode(text, type=Config)


def _written(config: Config) -> str:
    return msgspec.json.encode(config).decode()
