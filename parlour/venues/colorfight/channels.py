"""The channels of ColorfightII: two WebSockets and some HTTP calls, at the root as in the source text and per room."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any

import msgspec
from litestar import Request, Router, get, post, websocket
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler

from parlour.games.colorfight.wire import NOT_JOINED, Refused, Register, Reply, decode, done, read, refused
from parlour.protocol.errors import RequestError
from parlour.server.api.requests import address
from parlour.server.net.websockets import Socket, closed, heard, received, sent
from parlour.transports.rate_limits import Pace
from parlour.venues.colorfight import room_calls
from parlour.venues.colorfight.room import Room, dropped
from parlour.venues.colorfight.room_game import Form, RoomGame
from parlour.venues.colorfight.rooms import Rooms

HEAVY = 16 * 1024
"""A message counts once more against the rate limit for every this many characters."""
REGISTERS_BURST, REGISTERS_A_SECOND = 20, 1.0
"""The rate limit of registering, which hashes a password."""
CALLS = {
    "/creategameroom": room_calls.create,
    "/deletegameroom": room_calls.delete,
    "/restart": room_calls.restart,
    "/start": room_calls.start,
}
"""HTTP calls. Each takes the rooms, the body of the request, and the client's address."""


class Actor:
    """One connection to an action channel, which registers a user and then sends commands."""

    def __init__(self, room: Room, early: bool, address: str = "") -> None:
        self._room = room
        self._address = address
        self._early = early
        self._game: RoomGame | None = None
        self._uid = 0
        self._registering = Pace(REGISTERS_BURST, REGISTERS_A_SECOND)

    async def answer(self, text: str) -> Reply:
        """The reply to a message; every message has exactly one."""
        try:
            said = read(text)
            if isinstance(said, Register):
                await self._registering.keep()
                self._game, self._uid = await self._room.admission.register(said, self._address)
                return done(uid=self._uid)
            if self._game is None or self._game is not self._room.game:
                raise Refused(NOT_JOINED)
            await self._room.command(self._game, self._uid, said, self._early)
            return done()
        except (Refused, RequestError) as e:
            return refused(e.words)


async def act(socket: Socket, room: Room | None, early: bool) -> None:
    """Serve an action channel until the client disconnects or sends binary data, or the room closes."""
    await socket.accept()
    if room is not None:
        with room.visited():
            await _first(_talk(socket, Actor(room, early, address(socket))), room.closing.wait())
    await closed(socket)


async def _talk(socket: Socket, actor: Actor) -> None:
    pace = Pace()
    while (text := await received(socket)) is not None:
        await pace.keep(1 + len(text) // HEAVY)
        if not await sent(socket, msgspec.json.encode(await actor.answer(text)).decode()):
            return


async def show(socket: Socket, room: Room | None, form: Form) -> None:
    """Send frames until the client disconnects or stops reading. Its messages are ignored."""
    await socket.accept()
    if room is not None:
        with room.visited():
            await _first(_show(socket, room, form), _hear(socket))
    await closed(socket)


async def _show(socket: Socket, room: Room, form: Form) -> None:
    async for frame in room.frames(form):
        if not await sent(socket, frame):
            return


async def _hear(socket: Socket) -> None:
    pace = Pace()
    while await heard(socket) is not None:
        await pace.keep()


async def _first(*works: Coroutine[Any, Any, object]) -> None:
    """Wait until one of these is done, and cancel the others."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        await dropped(tasks)


def _room(rooms: Rooms, socket: Socket) -> Room | None:
    """The room of a socket; None if there is none, or if current clients do not support its map."""
    room = rooms.get(socket.path_params["room"])
    return room if room is not None and room.config.is_of_today else None


def channels(rooms: Rooms) -> Router:
    """All routes of the game's own protocol."""

    @get("/get_gameroom_list")
    async def get_gameroom_list() -> list[dict[str, Any]]:
        return await rooms.listed()

    calls = [_call(path, partial(call, rooms)) for path, call in CALLS.items()]
    return Router("/", route_handlers=[*_sockets(rooms), get_gameroom_list, *calls], include_in_schema=False)


def _sockets(rooms: Rooms) -> list[WebsocketRouteHandler]:
    @websocket("/game_channel")
    async def game_channel(socket: Socket) -> None:
        await show(socket, rooms.public, "source")

    @websocket("/action_channel")
    async def action_channel(socket: Socket) -> None:
        await act(socket, rooms.public, early=True)

    @websocket("/gameroom/{room:str}/game_channel")
    async def room_game_channel(socket: Socket) -> None:
        await show(socket, _room(rooms, socket), "compact")

    @websocket("/gameroom/{room:str}/action_channel")
    async def room_action_channel(socket: Socket) -> None:
        await act(socket, _room(rooms, socket), early=False)

    return [game_channel, action_channel, room_game_channel, room_action_channel]


def _call(path: str, call: Callable[[dict[str, Any], str], Awaitable[None]]) -> HTTPRouteHandler:
    @post(path, status_code=200)
    async def called(request: Request[Any, Any, Any]) -> Reply:
        """Answer an HTTP call. Refusals are in the body; the status is always 200."""
        try:
            said = decode(await request.body())
            if not isinstance(said, dict):
                raise Refused("This is not a valid json")
            await call(said, address(request))
            return done()
        except (Refused, RequestError) as e:
            return refused(e.words)

    return called
