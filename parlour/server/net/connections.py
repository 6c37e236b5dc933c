"""Connections as the web server has them, made so that who floods, dawdles or does not read is held up alone."""

import asyncio
from collections import Counter
from collections.abc import Iterable
from typing import Any

from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame
from websockets.http11 import Response
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.typing import StatusLike

from parlour.server.net.addresses import counted_address
from parlour.server.net.middleware import SECURITY_HEADERS
from parlour.server.net.rate_limits import Pace

MOST_CONNECTIONS = 800
"""Below the thousand files that a process may usually have open."""
REQUEST_S = 15.0
"""A connection without a request for so long is dropped."""
MOST_LOOKS = 4
"""A request may take so many times as long: there are clients that wait for an answer on purpose."""
FAREWELL_S = 5.0
"""How long what is left may take, once we are done with a client."""
MOST_AHEAD = 64 * 1024
"""Bytes of requests that are read before those before them are answered; one more read may come on top."""
BITE = 4096
"""Bytes that are taken in at once. The smallest messages have six of them, and each costs us a hundred times more."""
FRAMES_BURST, FRAMES_A_SECOND = 500, 1000.0
MOST_PARTS = 1000
"""Of one message: empty ones would be within any limit on its size."""
AT_ONCE = "parlour.at_once"
"""The extension of ASGI by which an app sends texts without waiting."""


_BODY = b'{"type":"about:blank","title":"bad request","status":400,"detail":"this is not HTTP","code":"bad_request"}'
NOT_HTTP = b"\r\n".join(
    [
        b"HTTP/1.1 400 Bad Request",
        b"content-type: application/problem+json",
        b"content-length: %d" % len(_BODY),
        b"connection: close",
        *(b"%s: %s" % header for header in SECURITY_HEADERS),
        b"",
        _BODY,
    ]
)
"""The answer to a request that cannot be read. It does not go through the parser, whose state may be anything."""


class Flow(FlowControl):
    """Does not read on while there is plenty to do, whatever the app waits for."""

    has_plenty = False

    def resume_reading(self) -> None:
        if not self.has_plenty:
            super().resume_reading()


class Http(H11Protocol):
    """Before it asks for anything, and between its requests, a client has not forever."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as the class above has it
        super().connection_made(transport)
        self.flow: Flow = Flow(transport)
        most = self.most_connections()
        if len(self.connections) > most and len(self.rivals()) > most and not self._make_room():
            self.refuse("too_many")
        else:
            self.loop.call_later(REQUEST_S, self._look, None, MOST_LOOKS)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._see_what_is_left()

    def on_response_complete(self) -> None:
        self._see_what_is_left()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer what is not HTTP, unless an answer is under way; the app hears that its client has gone."""
        started = self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete
        if not started and not self.transport.is_closing():
            self.transport.write(NOT_HTTP)
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()

    def _see_what_is_left(self) -> None:
        """Requests that were sent without waiting for answers are kept, but not any number of them."""
        left, _ = self.conn.trailing_data
        self.flow.has_plenty = len(left) > MOST_AHEAD

    def refuse(self, why: str) -> None:
        """There is no room for this connection."""
        self.transport.abort()

    def most_connections(self) -> int:
        return MOST_CONNECTIONS

    def rivals(self) -> "list[Http | WebSocket]":
        """The connections that share the room with this one, which is one of them."""
        return [each for each in self.connections if isinstance(each, Http | WebSocket)]

    @property
    def is_busy(self) -> bool:
        """Whether something is asked that is not answered yet."""
        return self.cycle is not None and not self.cycle.response_complete

    def _make_room(self) -> bool:
        """Whether somebody could be let go who says nothing, where most come from; which is not where this one does."""
        others = [other for other in self.rivals() if other is not self]
        came = Counter(map(address_of, others))
        most = max(came, key=came.__getitem__, default="")
        if came[address_of(self)] >= came[most]:
            return False
        silent = [other for other in others if address_of(other) == most and not other.is_busy]
        if silent:
            min(silent, key=lambda other: isinstance(other, WebSocket)).transport.abort()
        return bool(silent)

    def _look(self, seen: RequestResponseCycle | None, patience: int) -> None:
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return
        cycle = self.cycle
        if cycle is seen and not (self.is_busy and patience):
            self.transport.abort()
        else:
            self.loop.call_later(REQUEST_S, self._look, cycle, patience - 1 if cycle is seen else MOST_LOOKS)


class Handshake(ServerProtocol):
    """A handshake whose refusal has the same headers as every other response."""

    def reject(self, status: StatusLike, text: str) -> Response:
        response = super().reject(status, text)
        for name, value in SECURITY_HEADERS:
            response.headers[name.decode()] = value.decode()
        return response


class WebSocket(WebSocketsSansIOProtocol):
    """Takes in what comes bite by bite: the rest waits until the app has seen the last, and its pace allows it."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.conn = Handshake(
            extensions=self.conn.available_extensions, max_size=self.config.ws_max_size, logger=self.logger
        )
        self._pace = Pace(FRAMES_BURST, FRAMES_A_SECOND)
        self._left = bytearray()
        self._resting: asyncio.TimerHandle | None = None
        self.is_busy = False
        """Whether it has ever said anything."""
        self._pongs = b""

    async def run_asgi(self) -> None:
        self.scope["extensions"][AT_ONCE] = {"send": self.send_at_once}
        await super().run_asgi()

    def send_at_once(self, texts: Iterable[bytes]) -> bool:
        """Send texts in one go; nothing, and False, if the client does not keep up, or is gone."""
        is_open = self.handshake_complete and self.conn.state is State.OPEN and not self.transport.is_closing()
        if not is_open or not self.writable.is_set() or self.conn.extensions:
            return False
        self.transport.write(b"".join([part for text in texts for part in (_head(len(text)), text)]))
        return True

    def data_received(self, data: bytes) -> None:
        self._left += data
        self._eat()

    def _eat(self) -> None:
        while self._left and not self._resting and not self.read_paused and not self.transport.is_closing():
            bite = bytes(self._left[:BITE])
            del self._left[:BITE]
            super().data_received(bite)
        if self.transport.is_closing():
            self._left.clear()
        elif self._left or self._resting:
            self.transport.pause_reading()
        elif not self.read_paused:
            self.transport.resume_reading()

    def handle_events(self) -> None:
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self._refuse_unread()
            return
        rest_s = self._pace.rest_s(len(self.conn.events))
        super().handle_events()
        if rest_s:
            self._resting = self.loop.call_later(rest_s, self._rested)

    def _refuse_unread(self) -> None:
        """Answer a handshake that could not be read, such as one with too many headers; the class above is silent."""
        self.handshake_initiated = self.handshake_complete = self.close_sent = True
        self.transport.write(b"".join(self.conn.data_to_send()) or NOT_HTTP)
        self.transport.close()

    def _rested(self) -> None:
        self._resting = None
        self._eat()

    async def receive(self) -> Any:
        message = await super().receive()
        self.is_busy = self.is_busy or message["type"] == "websocket.receive"
        self._eat()
        return message

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.close":  # which wants to be answered
            self._eat()

    def handle_ping(self) -> None:
        """Who does not take its pongs gets only the last."""
        pongs = b"".join(self.conn.data_to_send())
        if not pongs:
            return
        if self.writable.is_set():
            self.transport.write(pongs)
        else:
            self._pongs = pongs

    def resume_writing(self) -> None:
        super().resume_writing()
        pongs, self._pongs = self._pongs, b""
        if pongs and not self.transport.is_closing():
            self.transport.write(pongs)

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) < MOST_PARTS or event.fin:
            super().handle_cont(event)
        elif not self.close_sent:
            self.conn.fail(CloseCode.MESSAGE_TOO_BIG, "too many parts")
            self.handle_parser_exception()

    def on_task_complete(self, task: "asyncio.Task[None]") -> None:
        super().on_task_complete(task)
        if not self.disconnected:
            self.loop.call_later(FAREWELL_S, self.transport.abort)


def address_of(connection: Http | WebSocket) -> str:
    """The address that the connection is counted by."""
    return counted_address(connection.client[0]) if connection.client else ""


def _head(size: int) -> bytes:
    """What a text begins with that is one frame."""
    if size < 126:
        return bytes((0x81, size))
    return b"\x81\x7e" + size.to_bytes(2, "big") if size < 65536 else b"\x81\x7f" + size.to_bytes(8, "big")
