"""The channels of ColorfightII: two sockets and a few calls, at the root as in the source text, and room by room."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from litestar import Request, Router, WebSocket, get, post, websocket
from litestar.exceptions import WebSocketDisconnect

from parlour.games.colorfight.wire import NOT_JOINED, Refused, Register, Reply, decode, done, read, refused
from parlour.server.pace import Pace
from parlour.server.room import SIZE_OF_TODAY, Form, Game, Room
from parlour.server.rooms import Rooms

SEND_S = 10.0
"""Who does not take a message for so long is let go."""


class Actor:
    """One connection to an action channel: it says who it is, and then what it wants."""

    def __init__(self, room: Room, early: bool) -> None:
        self._room = room
        self._early = early
        self._game: Game | None = None
        self._uid = 0

    async def answer(self, text: str) -> Reply:
        """One reply for each message, whatever it was."""
        try:
            said = read(text)
            if isinstance(said, Register):
                self._game, self._uid = await self._room.register(said)
                return done(uid=self._uid)
            if self._game is None or self._game is not self._room.game:
                raise Refused(NOT_JOINED)
            await self._room.command(self._game, self._uid, said, self._early)
            return done()
        except Refused as e:
            return refused(e.words)


async def act(socket: WebSocket[Any, Any, Any], room: Room | None, early: bool) -> None:
    """Until the client goes, or sends what is no text."""
    await socket.accept()
    if room is not None:
        actor, pace = Actor(room, early), Pace()
        with room.visited():
            while (text := await _received(socket)) is not None:
                await pace.keep()
                if not await _sent(socket, msgspec.json.encode(await actor.answer(text)).decode()):
                    return
    await _closed(socket)


async def show(socket: WebSocket[Any, Any, Any], room: Room | None, form: Form) -> None:
    """Until the client goes, or does not read any more. What it says is heard, but means nothing."""
    await socket.accept()
    if room is not None and (form == "source" or _is_of_today(room)):
        with room.visited():
            tasks = [asyncio.create_task(_show(socket, room, form)), asyncio.create_task(_hear(socket))]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
    await _closed(socket)


def _is_of_today(room: Room) -> bool:
    options = room.config.options
    return (options.width, options.height) == SIZE_OF_TODAY


async def _show(socket: WebSocket[Any, Any, Any], room: Room, form: Form) -> None:
    async for frame in room.frames(form):
        if not await _sent(socket, frame):
            return


async def _hear(socket: WebSocket[Any, Any, Any]) -> None:
    pace = Pace()
    while await _received(socket) is not None:
        await pace.keep()


async def _received(socket: WebSocket[Any, Any, Any]) -> str | None:
    """A text; None: the client has gone, or has sent something else."""
    try:
        event: Any = await socket.receive()
    except (WebSocketDisconnect, RuntimeError):
        return None
    text: str | None = event.get("text")
    return text


async def _sent(socket: WebSocket[Any, Any, Any], text: str) -> bool:
    """Whether the client has taken it in time."""
    try:
        async with asyncio.timeout(SEND_S):
            await socket.send_data(text, mode="text")
    except (TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
        return False
    return True


async def _closed(socket: WebSocket[Any, Any, Any]) -> None:
    with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
        async with asyncio.timeout(SEND_S):
            await socket.close(code=1000)


Call = Callable[[dict[str, Any]], Awaitable[None]]


async def _called(request: Request[Any, Any, Any], call: Call) -> Reply:
    """Whatever goes wrong is said in the answer, which is always 200."""
    try:
        said = decode(await request.body())
        if not isinstance(said, dict):
            raise Refused("This is not a valid json")
        await call(said)
        return done()
    except Refused as e:
        return refused(e.words)


def channels(rooms: Rooms) -> Router:
    """All routes of the game's own."""

    @websocket("/game_channel")
    async def game_channel(socket: WebSocket[Any, Any, Any]) -> None:
        await show(socket, rooms.public, "source")

    @websocket("/action_channel")
    async def action_channel(socket: WebSocket[Any, Any, Any]) -> None:
        await act(socket, rooms.public, early=True)

    @websocket("/gameroom/{room:str}/game_channel")
    async def room_game_channel(socket: WebSocket[Any, Any, Any], room: str) -> None:
        await show(socket, rooms.get(room), "compact")

    @websocket("/gameroom/{room:str}/action_channel")
    async def room_action_channel(socket: WebSocket[Any, Any, Any], room: str) -> None:
        await act(socket, rooms.get(room), early=False)

    @get("/get_gameroom_list")
    async def get_gameroom_list() -> list[dict[str, Any]]:
        return rooms.listed()

    @post("/creategameroom", status_code=200)
    async def creategameroom(request: Request[Any, Any, Any]) -> Reply:
        return await _called(request, rooms.create)

    @post("/deletegameroom", status_code=200)
    async def deletegameroom(request: Request[Any, Any, Any]) -> Reply:
        return await _called(request, rooms.delete)

    @post("/restart", status_code=200)
    async def restart(request: Request[Any, Any, Any]) -> Reply:
        return await _called(request, rooms.restart)

    @post("/start", status_code=200)
    async def start(request: Request[Any, Any, Any]) -> Reply:
        return await _called(request, rooms.start)

    handlers = [game_channel, action_channel, room_game_channel, room_action_channel, get_gameroom_list]
    return Router("/", route_handlers=[*handlers, creategameroom, deletegameroom, restart, start])
