"""Protocol classes for uvicorn. A client that floods, stalls or does not read slows down only itself."""

import asyncio
import re
from collections.abc import Callable, Collection, Iterable
from email.utils import formatdate
from functools import partial
from http import HTTPStatus
from typing import Any, TypeAlias

import h11
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.datastructures import Headers
from websockets.frames import CloseCode, Frame
from websockets.http11 import MAX_LINE_LENGTH, MAX_NUM_HEADERS, Request, Response
from websockets.server import ServerProtocol
from websockets.typing import StatusLike
from websockets.utils import accept_key

from parlour.server.net.addresses import counted_address
from parlour.server.net.middleware import SECURITY_HEADERS, problem_body
from parlour.server.net.occupancy import Occupancy
from parlour.server.net.proxy_limits import HEADERS, ProxyClients, refusal
from parlour.server.ops.logs import tell_dropped
from parlour.server.ops.metrics import Metrics
from parlour.server.settings import Settings
from parlour.transports.limits import (
    BITE,
    FAREWELL_S,
    FRAMES_A_SECOND,
    FRAMES_BURST,
    MOST_AHEAD,
    MOST_LOOKS,
    MOST_PARTS,
    PROXY_SPARE,
    REQUEST_S,
)
from parlour.transports.rate_limits import AddressBuckets, TokenBucket
from parlour.transports.tcp import SocketPeer

_PLAIN = (b"upgrade", b"keep-alive, upgrade")
"""The usual values of the header `Connection` in a WebSocket handshake."""
_KEY = re.compile(rb"[A-Za-z0-9+/]{21}[AQgw]==")
"""Sixteen bytes in base64."""
_BODY = problem_body(400, "bad_request", "this is not HTTP")
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
"""The answer to a request that cannot be parsed. It bypasses the parser, whose state is unknown."""


class Flow(FlowControl):
    """Flow control that does not resume reading while too many requests are buffered."""

    has_plenty = False

    def resume_reading(self) -> None:
        if not self.has_plenty:
            super().resume_reading()


class Http(H11Protocol):
    """HTTP with limits by address, timeouts for idle connections, and a limit on pipelined requests."""

    _idle_timer: asyncio.TimerHandle
    on_lost: Callable[[], None]
    """Called when the connection has ended, also if it has become a WebSocket."""

    def __init__(self, gate: "Gate", *parts: Any) -> None:
        super().__init__(*parts)
        self._gate = gate

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as the class above has it
        super().connection_made(transport)
        self.flow: Flow = Flow(transport)
        self._idle_timer = self.loop.call_later(REQUEST_S, self._check_idle, None, MOST_LOOKS)
        if not self._gate.enter(self):
            self.transport.abort()
        elif delay_s := self._gate.delay_s(self):
            self.loop.call_soon(self.flow.pause_reading)  # early releases of Python 3.11 begin to read after this call
            self.loop.call_later(delay_s, self.flow.resume_reading)

    def connection_lost(self, exc: Exception | None) -> None:
        self.on_lost()
        self._idle_timer.cancel()  # the timer would keep this object alive
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._limit_pipelined()

    def on_response_complete(self) -> None:
        """Delay the next request of a client that sends too fast."""
        if (delay_s := self._gate.delay_s(self)) and not self.transport.is_closing():
            self.flow.pause_reading()
            self.loop.call_later(delay_s, self._next_request)
        else:
            self._next_request()

    def _next_request(self) -> None:
        self._limit_pipelined()
        super().on_response_complete()

    def send_400_response(self, msg: str) -> None:
        """Answer bytes that are not HTTP, unless a response has begun. The app is told that its client has gone."""
        started = self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete
        if not started and not self.transport.is_closing():
            self.transport.write(NOT_HTTP)
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        self.transport.close()

    def _limit_pipelined(self) -> None:
        """Limit the buffered bytes of pipelined requests."""
        left, _ = self.conn.trailing_data
        self.flow.has_plenty = len(left) > MOST_AHEAD

    @property
    def is_busy(self) -> bool:
        """Whether a request is not answered yet."""
        return self.cycle is not None and not self.cycle.response_complete

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection of a player to its peer, and any other WebSocket to the app."""
        open = self._gate.find_peer(self.scope["path"])
        if open is None or _is_unreadable(event, self.headers):
            super().handle_websocket_upgrade(event)
            self._idle_timer.cancel()
            socket = self.transport.get_protocol()
            assert isinstance(socket, WebSocket)
            socket.on_lost = self.on_lost
            return
        response = self._accept(event)
        if response.status_code == 101:
            own = [b"%b: %b\r\n" % header for header in (*self.server_state.default_headers, *SECURITY_HEADERS)]
            self._admit(open, b"".join([response.serialize()[:-2], *own, b"\r\n"]))
        else:
            self._answer(response)

    def _accept(self, event: h11.Request) -> Response:
        """Check a handshake. The library checks it only if something in it is unusual."""
        told, lines = dict(self.headers), Headers()
        key = told.get(b"sec-websocket-key", b"")
        is_plain = len(told) == len(self.headers) and told[b"connection"].lower() in _PLAIN and event.method == b"GET"
        is_plain = is_plain and told.get(b"sec-websocket-version") == b"13" and b"sec-websocket-protocol" not in told
        if is_plain and _KEY.fullmatch(key):
            lines["Upgrade"], lines["Connection"] = "websocket", "Upgrade"
            lines["Sec-WebSocket-Accept"] = accept_key(key.decode())
            return Response(101, "Switching Protocols", lines)
        for name, value in self.headers:
            lines[name.decode("latin-1")] = value.decode("latin-1")
        response = Handshake().accept(Request(event.target.decode("ascii"), lines, event.method.decode("ascii")))
        if response.status_code == 101:
            del response.headers["Date"]
        return response

    def _admit(self, open: "OpenPeer", response: bytes) -> None:
        """Accept a WebSocket, or refuse it if its proxy's client has too many."""
        if self.client is None or not self._gate.is_proxy(self):
            self._switch(open(address_of(self), token_in(self.headers)), response)
            return
        clients = self._gate.clients
        address = clients.forwarded(self.client[0], self.headers)
        if (status := clients.enter(address)) is not None:
            self._answer(_refused(status))
            return
        peer = open(address, token_in(self.headers))
        peer.on_lost.append(partial(clients.leave, address))
        self._switch(peer, response, clients.delay_s(address))

    def _answer(self, response: Response) -> None:
        """Answer the last request of this connection."""
        self.transport.write(response.serialize())
        self.transport.close()

    def _switch(self, peer: SocketPeer, response: bytes, delay_s: float = 0.0) -> None:
        """Hand the connection to the peer, and begin to read after the delay."""
        self.connections.discard(self)
        self._idle_timer.cancel()
        DirectWebSocket(peer, self)
        self.transport.set_protocol(peer)
        if delay_s:
            self.transport.pause_reading()
            self.loop.call_later(delay_s, self._begin, peer, response)
        else:
            self._begin(peer, response)

    def _begin(self, peer: SocketPeer, response: bytes) -> None:
        """Begin to read, even if reading was paused because of a request before."""
        if peer.gone is not None:
            return
        self.transport.resume_reading()
        peer.begin(self.transport, response)
        if left := self.conn.trailing_data[0]:
            peer.data_received(left)

    def _check_idle(self, seen: RequestResponseCycle | None, patience: int) -> None:
        """Close the connection if it is idle for too long. A streamed response has no time limit while its client
        reads."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return
        cycle = self.cycle
        if cycle is not None and cycle.response_started and not self.flow.write_paused:
            patience = MOST_LOOKS
        if cycle is seen and not (self.is_busy and patience):
            self.transport.abort()
        else:
            patience = patience - 1 if cycle is seen else MOST_LOOKS
            self._idle_timer = self.loop.call_later(REQUEST_S, self._check_idle, cycle, patience)


class Handshake(ServerProtocol):
    """A WebSocket handshake whose rejection has the same headers as every other response."""

    def reject(self, status: StatusLike, text: str) -> Response:
        response = super().reject(status, text)
        for name, value in SECURITY_HEADERS:
            response.headers[name.decode()] = value.decode()
        return response


class WebSocket(WebSocketsSansIOProtocol):
    """Parses incoming bytes in small pieces, each after the app has read the last one and the rate limit allows it."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.conn = Handshake(
            extensions=self.conn.available_extensions, max_size=self.config.ws_max_size, logger=self.logger
        )
        self._bucket = TokenBucket(FRAMES_BURST, FRAMES_A_SECOND)
        self._left = bytearray()
        self._paused: asyncio.TimerHandle | None = None
        self.is_busy = False
        """Whether the client has sent a message."""
        self._pongs = b""
        self.on_lost: Callable[[], None]

    def connection_lost(self, exc: Exception | None) -> None:
        self.on_lost()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._left += data
        self._parse()

    def _parse(self) -> None:
        while self._left and not self._paused and not self.read_paused and not self.transport.is_closing():
            bite = bytes(self._left[:BITE])
            del self._left[:BITE]
            super().data_received(bite)
        if self.transport.is_closing():
            self._left.clear()
        elif self._left or self._paused:
            self.transport.pause_reading()
        elif not self.read_paused:
            self.transport.resume_reading()

    def handle_events(self) -> None:
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self._refuse_unread()
            return
        delay_s = self._bucket.delay_s(len(self.conn.events))
        super().handle_events()
        if delay_s:
            self._paused = self.loop.call_later(delay_s, self._resume)

    def _refuse_unread(self) -> None:
        """Answer a handshake that cannot be parsed, such as one with too many headers; the base class does not."""
        self.handshake_initiated = self.handshake_complete = self.close_sent = True
        self.transport.write(b"".join(self.conn.data_to_send()) or NOT_HTTP)
        self.transport.close()

    def _resume(self) -> None:
        self._paused = None
        self._parse()

    async def receive(self) -> Any:
        message = await super().receive()
        self.is_busy = self.is_busy or message["type"] == "websocket.receive"
        self._parse()
        return message

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.close":  # so that the client's close frame is read
            self._parse()

    def handle_ping(self) -> None:
        """A client that does not read its pongs gets only the last one."""
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


class DirectWebSocket:
    """A WebSocket that the app does not see: its peer is the transport's protocol."""

    def __init__(self, peer: SocketPeer, http: Http) -> None:
        self.peer = peer
        self.client = http.client
        self.transport = http.transport
        connections: set[Any] = http.connections
        connections.add(self)
        peer.on_lost += [partial(connections.discard, self), http.on_lost]

    @property
    def is_busy(self) -> bool:
        """Whether the client has sent a message."""
        return self.peer.has_spoken

    def shutdown(self) -> None:
        """Called by the server when it stops."""
        self.peer.shut_down()


Connection: TypeAlias = Http | WebSocket | DirectWebSocket

OpenPeer: TypeAlias = Callable[[str, str | None], SocketPeer]
"""Creates the peer of a new client from its address and token."""
FindPeer: TypeAlias = Callable[[str], OpenPeer | None]
"""How to open the peer that serves WebSockets of a path; None: the app serves them."""


class Gate:
    """The limits on connections to the web server, by address."""

    def __init__(self, settings: Settings, metrics: Metrics, clients: ProxyClients, find_peer: FindPeer) -> None:
        self._settings = settings
        self._metrics = metrics
        self.clients = clients
        """Counts the clients of proxies, by their requests. All other clients are counted by their connections."""
        self.find_peer = find_peer
        self._counts = Occupancy(), Occupancy()
        """The connections: those of clients, and those of proxies, which may have more than their clients use,
        so that refused clients get an answer."""
        self._buckets = AddressBuckets(settings.requests_a_second)

    def is_proxy(self, connection: Connection) -> bool:
        return connection.client is not None and connection.client[0] in self.clients.trusted_hosts

    def enter(self, new: Http) -> bool:
        """Count a new connection until it ends; False if there are too many."""
        is_proxy, address = self.is_proxy(new), address_of(new)
        counts, most = self._counts[is_proxy], self._settings.connections * (PROXY_SPARE if is_proxy else 1)
        has_room = counts.total < most or self._make_room(new, counts)
        counts.add(address)
        new.on_lost = partial(counts.remove, address)
        if has_room and (is_proxy or counts.of(address) <= self._settings.connections_per_address):
            return True
        tell_dropped(self._metrics, "web", "too_many", address)
        return False

    def delay_s(self, connection: Http) -> float:
        """How long a client has to wait because it sends too fast. A proxy has many clients, and need not wait."""
        return 0.0 if self.is_proxy(connection) else self._buckets.of(address_of(connection)).delay_s()

    def _make_room(self, new: Http, counts: Occupancy) -> bool:
        """Close an idle connection of the busiest address; False if there is none, or the new one has that address."""
        most = counts.busiest()
        if counts.of(address_of(new)) >= counts.of(most):
            return False
        is_proxy = self.is_proxy(new)
        others = [other for other in new.connections if isinstance(other, Connection) and address_of(other) == most]
        silent = [other for other in others if not other.is_busy and self.is_proxy(other) == is_proxy]
        if silent:
            min(silent, key=lambda other: not isinstance(other, Http)).transport.abort()
        return bool(silent)


def address_of(connection: Connection) -> str:
    """The address that the connection is counted by."""
    return counted_address(connection.client[0]) if connection.client else ""


def token_in(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """The token in the header of a request."""
    told = next((value for name, value in headers if name == b"authorization"), b"")
    scheme, _, token = told.decode("latin-1").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _refused(status: int) -> Response:
    """The answer to a WebSocket of a client that has too many."""
    body = refusal(status)
    headers = Headers(
        [
            *((name.decode(), value.decode()) for name, value in (*HEADERS, *SECURITY_HEADERS)),
            ("Date", formatdate(usegmt=True)),
            ("Connection", "close"),
            ("Content-Length", str(len(body))),
        ]
    )
    return Response(status, HTTPStatus(status).phrase, headers, body)


def _is_unreadable(request: h11.Request, headers: Collection[tuple[bytes, bytes]]) -> bool:
    """Whether the library cannot read a handshake, so that it is left to the library to say why."""
    if len(headers) > MAX_NUM_HEADERS or len(request.target) + len(request.method) + 12 > MAX_LINE_LENGTH:
        return True
    return any(
        len(name) + len(value) + 4 > MAX_LINE_LENGTH
        or name == b"transfer-encoding"
        or (name == b"content-length" and value != b"0")
        for name, value in headers
    )
