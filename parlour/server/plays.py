"""Playing and watching over WebSocket, and watching as server-sent events."""

from collections.abc import AsyncIterator
from typing import Any

from litestar import Router, get, websocket
from litestar.params import FromPath
from litestar.response import ServerSentEvent

from parlour.games import NAMES, game
from parlour.server.arena import Arena, Trouble
from parlour.server.pace import Pace
from parlour.server.sockets import Socket, closed, received, sent
from parlour.server.ways import Ways
from parlour.transports.v1 import V1
from parlour.transports.websocket import WebSocketPeer


def plays(arena: Arena, ways: Ways) -> Router:
    """Protocol 1 at `/play/GAME` and `/play/GAME/TABLE`; a match as everybody may see it at `/watch/MATCH`."""

    async def play(socket: Socket, name: str, table: str | None) -> None:
        await socket.accept()
        if name not in NAMES:
            await closed(socket)
            return
        peer, pace = WebSocketPeer(), Pace()

        async def hear() -> str | None:
            await pace.keep()
            return await received(socket)

        async def tell(text: str) -> None:
            if not await sent(socket, text):
                peer.drop("dead")

        arena.run(ways.welcome(peer, game(name), V1(game(name)), table, _bearer(socket)))
        await peer.run(hear, tell)
        await closed(socket)

    @websocket("/play/{name:str}")
    async def play_next(socket: Socket, name: FromPath[str]) -> None:
        await play(socket, name, None)

    @websocket("/play/{name:str}/{table:str}")
    async def play_there(socket: Socket, name: FromPath[str], table: FromPath[str]) -> None:
        await play(socket, name, table)

    @websocket("/watch/{match:str}")
    async def watch(socket: Socket, match: FromPath[str]) -> None:
        await socket.accept()
        playing = arena.playing.get(match)
        if playing is not None:
            async for message in playing.feed.messages(playing.seen()):
                if not await sent(socket, message.decode()):
                    return
        await closed(socket)

    @get("/api/matches/{match:str}/events", sync_to_thread=False)
    def events(match: FromPath[str]) -> ServerSentEvent:
        """A match as everybody may see it, from now on."""
        playing = arena.playing.get(match)
        if playing is None:
            raise Trouble(404, "not_playing", "there is no such match under way")

        async def told() -> AsyncIterator[dict[str, Any]]:
            async for message in playing.feed.messages(playing.seen()):
                yield {"data": message.decode()}

        return ServerSentEvent(told())

    return Router("/", route_handlers=[play_next, play_there, watch, events])


def _bearer(socket: Socket) -> str | None:
    scheme, _, token = socket.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None
