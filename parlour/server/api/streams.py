"""Watch over WebSocket, and by server-sent events."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import Annotated, Any

import msgspec
from litestar import Router, get, websocket
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, QueryParameter
from litestar.response import ServerSentEvent
from sqlalchemy.exc import SQLAlchemyError

from parlour.protocol.errors import RequestError
from parlour.protocol.feed import FeedMessage
from parlour.protocol.seat_log import SeatLogMessage
from parlour.protocol.v1 import ErrorMessage, PlayerHello
from parlour.server.accounts import Doorkeeper
from parlour.server.api.app import AnyRequest, tell_failure
from parlour.server.api.requests import REFUSING, Id, Routes, address, bearer, refusals, with_token
from parlour.server.api.spectators import Messages, Slow, Watching
from parlour.server.net.play_sockets import PATHS
from parlour.server.net.websockets import Socket, closed, received, sent
from parlour.server.ops.logs import tell_refused
from parlour.server.ops.metrics import Metrics
from parlour.server.settings import Settings
from parlour.tables.arena import Arena
from parlour.transports.tcp import TOO_SLOW

EVENTS = "text/event-stream"


def _events_of(messages: Any, words: str) -> dict[int, ResponseSpec]:
    """The response of a route that sends these messages."""
    words = f"A stream of events. {words}"
    return {200: ResponseSpec(messages, media_type=EVENTS, generate_examples=False, description=words)}


SENT = _events_of(FeedMessage, "With `full`, the data of each is one of these messages")
LOGGED = _events_of(SeatLogMessage, "The data of each is one of these messages")
Full = Annotated[bool, QueryParameter(description="Whether to send numbered events in words, and each new view")]

encode = msgspec.json.encode
_hello = msgspec.json.Decoder(PlayerHello)


def streams(arena: Arena, doorkeeper: Doorkeeper, settings: Settings, metrics: Metrics) -> Router:
    """`/watch/MATCH` sends what spectators may see, `/watch/MATCH/me` what the client's own seat may see."""
    watching = WatchStreams(Watching(arena, doorkeeper, settings, metrics), settings, metrics)
    return Router("/", route_handlers=[play, *watching.routes()])


@websocket([*PATHS])
async def play(socket: Socket) -> None:
    """Never called, because the web server opens these WebSockets itself. A plain request is answered 405."""


class WatchStreams(Routes):
    """Watch over WebSocket, and as server-sent events."""

    def __init__(self, watching: Watching, limits: Settings, metrics: Metrics) -> None:
        self._watching = watching
        self._limits = limits
        self._metrics = metrics

    @websocket("/watch/{match:str}")
    async def watch(self, socket: Socket, match: FromPath[str]) -> None:
        await self._show(socket, lambda _: self._watching.public(match, _full(socket)), is_public=True)

    @websocket("/watch/{match:str}/me")
    async def watch_seat(self, socket: Socket, match: FromPath[str]) -> None:
        await self._show(socket, lambda token: self._watching.seat(match, token, _full(socket)))

    @websocket("/watch/{match:str}/messages")
    async def watch_log(self, socket: Socket, match: FromPath[str]) -> None:
        await self._show(socket, lambda token: self._watching.log(match, token))

    async def _show(
        self, socket: Socket, find: Callable[[str], Awaitable[Messages]], *, is_public: bool = False
    ) -> None:
        """Show messages. Unless they are public, `find` needs a token, which is in the header or the first message."""
        await socket.accept()
        try:
            token = "" if is_public else bearer(socket) or await _told_token(socket, self._limits.hello_s)
            messages = await find(token)
        except RequestError as e:
            if e.status in REFUSING:
                tell_refused(self._metrics, e.code, e.words, "watch", address(socket), e.name)
            await _refused(socket, e.code, e.words)
            return
        except (SQLAlchemyError, OSError) as e:
            await _refused(socket, *tell_failure(e))
            return
        with self._metrics.connections.labels("watch").track_inprogress():
            if await _shown(socket, messages):
                await closed(socket)
            else:
                await closed(socket, TOO_SLOW, "slow")

    @get(
        "/api/matches/{match:str}/events",
        media_type=EVENTS,
        responses={**SENT, **refusals(400, 404, 409, 503)},
    )
    async def events(self, match: Id, full: Full = False) -> ServerSentEvent:
        """Events of a match that spectators may see, from now on."""
        return self._stream(await self._watching.public(match, full))

    @get("/api/matches/{match:str}/events/me", media_type=EVENTS, **with_token(400, 404, 409, more=SENT))
    async def own_events(self, request: AnyRequest, match: Id, full: Full = False) -> ServerSentEvent:
        """Events of a match that your seat may see, from now on."""
        return self._stream(await self._watching.seat(match, bearer(request), full))

    @get("/api/matches/{match:str}/messages/live", media_type=EVENTS, **with_token(400, 404, more=LOGGED))
    async def live_messages(self, request: AnyRequest, match: Id) -> ServerSentEvent:
        """The last messages of the client at your seat, and then each new one, with its stderr and notes."""
        return self._stream(await self._watching.log(match, bearer(request)))

    def _stream(self, messages: Messages) -> ServerSentEvent:
        async def told() -> AsyncIterator[dict[str, Any]]:
            with suppress(Slow), self._metrics.connections.labels("events").track_inprogress():
                async for message in messages:
                    yield {"data": message.decode()}

        return ServerSentEvent(told())


def _full(socket: Socket) -> bool:
    """Whether the client wants the full feed."""
    said = socket.query_params.get("full", "false")
    if said not in ("true", "false"):
        raise RequestError(400, "bad_request", "full is true or false")
    return said == "true"


async def _told_token(socket: Socket, within_s: float) -> str:
    """The token from a hello message, because browsers cannot send a header with a WebSocket."""
    try:
        async with asyncio.timeout(within_s):
            said = _hello.decode((await received(socket) or "").encode("utf-8", "surrogatepass"))
    except (TimeoutError, msgspec.MsgspecError, ValueError, RecursionError):
        return ""
    return said.token if isinstance(said.token, str) else ""


async def _shown(socket: Socket, messages: Messages) -> bool:
    """Send all messages while the client is connected; False if it reads too slowly."""
    showing, gone = asyncio.ensure_future(_sent(socket, messages)), asyncio.ensure_future(_gone(socket))
    try:
        await asyncio.wait([showing, gone], return_when=asyncio.FIRST_COMPLETED)
        return not showing.done() or showing.result()
    finally:
        showing.cancel()
        gone.cancel()
        await asyncio.gather(showing, gone, return_exceptions=True)


async def _sent(socket: Socket, messages: Messages) -> bool:
    try:
        async for message in messages:
            if not await sent(socket, message.decode()):
                return False
    except Slow:
        return False
    finally:
        await messages.aclose()
    return True


async def _gone(socket: Socket) -> None:
    """Return when the client has gone; its messages are ignored."""
    while await received(socket) is not None:
        pass


async def _refused(socket: Socket, code: str, words: str) -> None:
    await sent(socket, encode(ErrorMessage(code, words)).decode())
    await closed(socket)
