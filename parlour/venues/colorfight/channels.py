"""The channels of ColorfightII: two WebSockets and some HTTP calls, at the root as in the source text and per room."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import Any

import msgspec
from litestar import Router, get, post, websocket
from litestar.handlers import HTTPRouteHandler
from sqlalchemy.exc import SQLAlchemyError

from parlour.games.colorfight.wire import Refused, Register, Reply, decode, done, read, refused
from parlour.protocol.errors import RequestError
from parlour.server.api.app import AnyRequest, tell_failure
from parlour.server.api.requests import address
from parlour.server.net.websockets import Socket, closed, heard, received, sent
from parlour.transports.limits import HEAVY, REGISTERS_A_SECOND, REGISTERS_BURST
from parlour.transports.rate_limits import TokenBucket
from parlour.venues.colorfight import room_calls
from parlour.venues.colorfight.room import Room, dropped
from parlour.venues.colorfight.room_game import Form
from parlour.venues.colorfight.rooms import Rooms

PLACES = ("", "/gameroom/{room:str}")
"""Where the channels are: at the root as in the source text, and in each room."""
CALLS = {
    "/creategameroom": room_calls.create,
    "/deletegameroom": room_calls.delete,
    "/restart": room_calls.restart,
    "/start": room_calls.start,
}
"""HTTP calls. Each takes the rooms, the body of the request, and the client's address."""


async def act(socket: Socket, room: Room | None, early: bool) -> None:
    """Serve an action channel until the client disconnects or sends binary data, or the room closes."""
    await socket.accept()
    if room is not None:
        with room.visited():
            await _first(_talk(socket, room, early), room.closing.wait())
    await closed(socket)


async def _talk(socket: Socket, room: Room, early: bool) -> None:
    """Answer every message of a client once. It registers a user, and then sends commands."""
    bucket, registering = TokenBucket(), TokenBucket(REGISTERS_BURST, REGISTERS_A_SECOND)
    game, uid = None, 0
    while (text := await received(socket)) is not None:
        await bucket.wait(1 + len(text) // HEAVY)
        try:
            said = read(text)
            if isinstance(said, Register):
                await registering.wait()
                game, uid = await room.admission.register(said, address(socket))
                reply = done(uid=uid)
            else:
                await room.command(game, uid, said, early)
                reply = done()
        except (Refused, RequestError) as e:
            reply = refused(e.words)
        except (SQLAlchemyError, OSError) as e:
            reply = refused(tell_failure(e)[1])
        if not await sent(socket, msgspec.json.encode(reply).decode()):
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
    bucket = TokenBucket()
    while await heard(socket) is not None:
        await bucket.wait()


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
    if _is_root(socket):
        return rooms.public
    room = rooms.get(socket.path_params["room"])
    return room if room is not None and room.config.is_of_today else None


def _is_root(socket: Socket) -> bool:
    """Whether it is a channel of the source text, which has only the public room."""
    return "room" not in socket.path_params


def channels(rooms: Rooms) -> Router:
    """All routes of the game's own protocol."""

    @websocket([f"{place}/game_channel" for place in PLACES])
    async def game_channel(socket: Socket) -> None:
        await show(socket, _room(rooms, socket), "source" if _is_root(socket) else "compact")

    @websocket([f"{place}/action_channel" for place in PLACES])
    async def action_channel(socket: Socket) -> None:
        await act(socket, _room(rooms, socket), early=_is_root(socket))

    @get("/get_gameroom_list")
    async def get_gameroom_list() -> list[dict[str, Any]]:
        return await rooms.listed()

    calls = [_call(path, partial(call, rooms)) for path, call in CALLS.items()]
    handlers = [game_channel, action_channel, get_gameroom_list, *calls]
    return Router("/", route_handlers=handlers, include_in_schema=False)


def _call(path: str, call: Callable[[dict[str, Any], str], Awaitable[None]]) -> HTTPRouteHandler:
    @post(path, status_code=200)
    async def called(request: AnyRequest) -> Reply:
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
