"""Playing and watching over WebSocket, and watching as server-sent events."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing, contextmanager, suppress
from typing import Any

import msgspec
from litestar import Request, Router, get, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath
from litestar.response import ServerSentEvent

from parlour.core import Asked, Event, Over, Refused, Seat
from parlour.games import NAMES, game
from parlour.referee.match import Out
from parlour.server.api import Id, bearer, refusals
from parlour.server.arena import Arena, Trouble
from parlour.server.logs import tell
from parlour.server.metrics import Metrics
from parlour.server.pace import Pace, Quiet
from parlour.server.playing import Feed, Playing
from parlour.server.settings import Settings
from parlour.server.sockets import SEND_S, Socket, closed, received, sent
from parlour.server.ways import Ways, is_too_deep
from parlour.transports.v1 import V1, ErrorMessage, PlayerHello
from parlour.transports.websocket import WebSocketPeer

EVENTS = "text/event-stream"
TOO_SLOW = 1013
"""How a WebSocket is closed whose client does not keep up; it may try again later."""

encode = msgspec.json.encode
_hello = msgspec.json.Decoder(PlayerHello)


class Caller(WebSocketPeer):
    """A player over WebSocket, who is held to the limits."""

    def __init__(self, limits: Settings, metrics: Metrics) -> None:
        super().__init__()
        self._limits = limits
        self._metrics = metrics
        self.quiet = Quiet(limits.idle_s, lambda: self.end("idle", "nothing was said for too long"))
        self.slow = False

    def send(self, messages: Any) -> None:
        self.quiet.touch()
        super().send(messages)
        if self._size > self._limits.unsent_bytes and self.gone is None:
            self.slow = True
            self._dropped("slow")
            self.drop("dead")

    def end(self, why: str, words: str) -> None:
        """Let it go with a word; its seat stays its own."""
        self._dropped(why)
        super().send([encode(ErrorMessage(why, words))])
        self._ends.set()
        self._more.set()

    def _dropped(self, why: str) -> None:
        self._metrics.dropped.labels(why).inc()
        tell("dropped", way="websocket", why=why)


class SeatFeed(Feed):
    """What one seat may see of a match."""

    def __init__(self, seat: Seat) -> None:
        super().__init__()
        self._seat = seat

    def take(self, out: Out) -> None:
        for notice in out.to(self._seat):
            if isinstance(notice, Event):
                self._send(encode({"type": "event", "event": notice}))
            elif isinstance(notice, Asked):
                self._send(encode({"type": "ask", "id": notice.n, "ask": notice.ask}))
            elif isinstance(notice, Refused):
                self._send(encode({"type": "fault", "id": notice.n, "fault": notice.fault, "cost": notice.cost}))
            elif isinstance(notice, Over):
                self._send(encode({"type": "over", "end": notice.end, "head": notice.head}))


class Feeds(Feed):
    """What everybody may see, and beside it what those seats may see whose owners watch."""

    def __init__(self, public: Feed) -> None:
        super().__init__()
        self._public = public
        self._seats: dict[Seat, SeatFeed] = {}

    def of(self, seat: Seat) -> Feed:
        return self._seats.setdefault(seat, SeatFeed(seat))

    def take(self, out: Out) -> None:
        for feed in (self._public, *self._seats.values()):
            feed.take(out)

    def end(self) -> None:
        for feed in (self._public, *self._seats.values()):
            feed.end()

    def messages(self, first: bytes) -> AsyncIterator[bytes]:
        return self._public.messages(first)


def seat_messages(playing: Playing, seat: Seat) -> AsyncIterator[bytes]:
    """A match as one of its seats may see it, and what that is asked."""
    if not isinstance(playing.feed, Feeds):
        playing.feed = Feeds(playing.feed)
    match = playing.match
    again = match.asked_again(seat)
    asks = [{"id": asked.n, "ask": asked.ask} for asked in again if isinstance(asked, Asked)]
    view = {"type": "view", "seat": seat, "players": match.names, "view": match.state.view(seat), "asks": asks}
    return playing.feed.of(seat).messages(encode(view))


class Slow(Exception):
    """Who watches does not keep up."""


async def paced(messages: AsyncIterator[bytes], delay_s: float, most: int) -> AsyncGenerator[bytes, None]:
    """The same, each so much later; Slow, if so many are due that nobody has taken."""
    time, more, waiting = asyncio.get_running_loop().time, asyncio.Event(), deque[tuple[float, bytes]]()

    async def fill() -> None:
        try:
            async for message in messages:
                if len(waiting) >= most and waiting[most - 1][0] <= time():
                    raise Slow
                waiting.append((time() + delay_s, message))
                more.set()
        finally:
            await _done_with(messages)

    filling = asyncio.ensure_future(fill())
    filling.add_done_callback(lambda _: more.set())
    try:
        while waiting or not filling.done():
            if filling.done():
                filling.result()
            if waiting and (early_s := waiting[0][0] - time()) <= 0:
                yield waiting.popleft()[1]
                continue
            more.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(early_s if waiting else None):
                    await more.wait()
        filling.result()
    finally:
        filling.cancel()
        await asyncio.gather(filling, return_exceptions=True)


class Watching:
    """Who watches, and how much later than the players."""

    def __init__(self, arena: Arena, ways: Ways, settings: Settings, metrics: Metrics) -> None:
        self._arena = arena
        self._ways = ways
        self._settings = settings
        self._metrics = metrics
        self._watchers: Counter[str] = Counter()

    async def seat(self, match: str, token: str | None) -> AsyncIterator[bytes]:
        """For who has a seat: all that this may see, at once."""
        playing, seat = await self._ways.seat(match, token)
        return self._counted(playing, seat)

    def public(self, match: str) -> AsyncIterator[bytes]:
        playing = self._arena.playing.get(match)
        if playing is None:
            raise Trouble(404, "not_playing", "there is no such match under way")
        return self._counted(playing, None)

    def _counted(self, playing: Playing, seat: Seat | None) -> AsyncIterator[bytes]:
        if self._watchers[playing.id] >= self._settings.watchers_per_match:
            raise Trouble(503, "too_many", "too many watch this match")
        return self._messages(playing, seat)

    async def _messages(self, playing: Playing, seat: Seat | None) -> AsyncIterator[bytes]:
        messages = playing.feed.messages(playing.seen()) if seat is None else seat_messages(playing, seat)
        delay_s = self._settings.watch_delay_s if seat is None else 0.0
        with self._counting(playing.id):
            try:
                async with aclosing(paced(messages, delay_s, self._settings.watch_queue)) as later:
                    async for message in later:
                        yield message
            except Slow:
                self._metrics.dropped.labels("slow").inc()
                tell("dropped", match=playing.id, way="watch", why="slow")
                raise

    @contextmanager
    def _counting(self, match: str) -> Iterator[None]:
        self._watchers[match] += 1
        try:
            yield
        finally:
            self._watchers[match] -= 1
            if not self._watchers[match]:
                del self._watchers[match]


def plays(arena: Arena, ways: Ways, settings: Settings | None = None, metrics: Metrics | None = None) -> Router:
    """Protocol 1 at `/play/GAME` and `/play/GAME/TABLE`; a match as everybody may see it at `/watch/MATCH`, and as
    one's own seat may at `/watch/MATCH/me`."""
    limits, figures = settings or Settings(), metrics or Metrics()
    watching = Watching(arena, ways, limits, figures)

    async def play(socket: Socket, name: str, table: str | None) -> None:
        await socket.accept()
        if name not in NAMES:
            await _refused(socket, "no_such_game", "there is no such game")
            return
        peer, pace = Caller(limits, figures), Pace(2 * limits.messages_a_second, limits.messages_a_second)

        async def hear() -> str | None:
            while True:
                await pace.keep()
                text = await received(socket)
                peer.quiet.touch()
                raw = (text or "").encode("utf-8", "surrogatepass")
                if len(raw) > limits.message_bytes:
                    peer.took(None)
                elif is_too_deep(raw, limits.message_depth):
                    peer.end("too_deep", f"at most {limits.message_depth} levels")
                    await asyncio.Event().wait()  # until the rest is sent
                else:
                    return text

        async def tell_it(text: str) -> None:
            if not await sent(socket, text):
                peer.drop("dead")

        address = "" if socket.client is None else socket.client.host
        arena.run(ways.welcome(peer, game(name), V1(game(name)), table, bearer(socket), address))
        try:
            with figures.connections.labels("websocket").track_inprogress():
                await peer.run(hear, tell_it)
        finally:
            peer.quiet.stop()
        await (_closed(socket, TOO_SLOW, "slow") if peer.slow else closed(socket))

    @websocket("/play/{name:str}")
    async def play_next(socket: Socket, name: FromPath[str]) -> None:
        await play(socket, name, None)

    @websocket("/play/{name:str}/{table:str}")
    async def play_there(socket: Socket, name: FromPath[str], table: FromPath[str]) -> None:
        await play(socket, name, table)

    async def show(socket: Socket, messages: AsyncIterator[bytes]) -> None:
        with figures.connections.labels("watch").track_inprogress():
            if await _shown(socket, messages):
                await closed(socket)
            else:
                await _closed(socket, TOO_SLOW, "slow")

    @websocket("/watch/{match:str}")
    async def watch(socket: Socket, match: FromPath[str]) -> None:
        await socket.accept()
        try:
            messages = watching.public(match)
        except Trouble as e:
            await _refused(socket, e.code, e.words)
            return
        await show(socket, messages)

    @websocket("/watch/{match:str}/me")
    async def watch_seat(socket: Socket, match: FromPath[str]) -> None:
        await socket.accept()
        try:
            token = bearer(socket) or await _told_token(socket, limits.hello_s)
            messages = await watching.seat(match, token)
        except Trouble as e:
            await _refused(socket, e.code, e.words)
            return
        await show(socket, messages)

    def stream(messages: AsyncIterator[bytes]) -> ServerSentEvent:
        async def told() -> AsyncIterator[dict[str, Any]]:
            with suppress(Slow), figures.connections.labels("events").track_inprogress():
                async for message in messages:
                    yield {"data": message.decode()}

        return ServerSentEvent(told())

    @get("/api/matches/{match:str}/events", sync_to_thread=False, media_type=EVENTS, responses=refusals(400, 404, 503))
    def events(match: Id) -> ServerSentEvent:
        """A match as everybody may see it, from now on."""
        return stream(watching.public(match))

    @get(
        "/api/matches/{match:str}/events/me",
        media_type=EVENTS,
        responses=refusals(400, 401, 403, 404, 503),
        security=[{"token": []}],
    )
    async def own_events(request: Request[Any, Any, Any], match: Id) -> ServerSentEvent:
        """A match as one's own seat may see it, from now on."""
        return stream(await watching.seat(match, bearer(request)))

    return Router("/", route_handlers=[play_next, play_there, watch, watch_seat, events, own_events])


async def _told_token(socket: Socket, within_s: float) -> str:
    """Browsers cannot send a header: the token may come in a hello, as for playing."""
    try:
        async with asyncio.timeout(within_s):
            said = _hello.decode((await received(socket) or "").encode("utf-8", "surrogatepass"))
    except (TimeoutError, msgspec.MsgspecError, ValueError, RecursionError):
        return ""
    return said.token if isinstance(said.token, str) else ""


async def _shown(socket: Socket, messages: AsyncIterator[bytes]) -> bool:
    """Send all of them, as long as the client is there; whether it has kept up."""
    showing, gone = asyncio.ensure_future(_sent(socket, messages)), asyncio.ensure_future(_gone(socket))
    try:
        await asyncio.wait([showing, gone], return_when=asyncio.FIRST_COMPLETED)
        return not showing.done() or showing.result()
    finally:
        showing.cancel()
        gone.cancel()
        await asyncio.gather(showing, gone, return_exceptions=True)


async def _sent(socket: Socket, messages: AsyncIterator[bytes]) -> bool:
    try:
        async for message in messages:
            if not await sent(socket, message.decode()):
                return False
    except Slow:
        return False
    finally:
        await _done_with(messages)
    return True


async def _done_with(messages: AsyncIterator[bytes]) -> None:
    if isinstance(messages, AsyncGenerator):
        await messages.aclose()


async def _gone(socket: Socket) -> None:
    """Return when the client has gone; whatever a watcher says is of no interest."""
    while await received(socket) is not None:
        pass


async def _refused(socket: Socket, code: str, words: str) -> None:
    await sent(socket, encode(ErrorMessage(code, words)).decode())
    await closed(socket)


async def _closed(socket: Socket, code: int, why: str) -> None:
    with suppress(TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
        async with asyncio.timeout(SEND_S):
            await socket.close(code=code, reason=why)
