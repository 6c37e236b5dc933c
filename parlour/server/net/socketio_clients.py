"""A small interface to Socket.IO clients, which also protects the library from hostile input."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Collection, Iterable
from functools import partial
from typing import Any, TypeAlias
from urllib.parse import parse_qs

import engineio
import msgspec
import socketio
from litestar.enums import HttpMethod, ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from parlour.players.session import Errors, Session
from parlour.server.net.bodies import read_body, replayed
from parlour.server.net.browser_origins import PAGE, is_allowed, with_page
from parlour.server.net.middleware import answer
from parlour.transports.depth import is_too_deep
from parlour.transports.limits import CONNECT_S, MESSAGE_BYTES, MOST_POSTED, MOST_SESSIONS, PATIENCE_S, VALUE_DEPTH
from parlour.transports.peer import Peer
from parlour.transports.rate_limits import TokenBucket
from parlour.transports.stream import JsonSplitter

PATH = "/socket.io/"
UNREADABLE = "unreadable"
"""The name given to an event that cannot be read."""

Said: TypeAlias = dict[str, Any]
CloseSocket: TypeAlias = Callable[[Any, bool], None]
"""Closes a connection of the library: at once, or after the client has fetched its events."""

_log = logging.getLogger("parlour.clients")
_log.setLevel(logging.ERROR)
_log.addFilter(lambda record: record.exc_info is not None)  # log our own bugs, not errors of clients
_POSTED = re.compile(r"[13]|4[0-3].*", re.DOTALL)
"""Allowed packets: close, pong, and the messages connect, disconnect, event and ack."""
_SENT = re.compile(r"[135]|2probe|4[0-3].*", re.DOTALL)
"""The same over a WebSocket, plus the packets that upgrade from polling."""


class EventWriter:
    """Hands packets to a connection of the library, and estimates the bytes that the client has not fetched yet."""

    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self._unsent = 0

    def write(self, data: bytes) -> None:
        self._unsent = len(data) + self.get_write_buffer_size()
        self._socket.queue.put_nowait(engineio.packet.Packet(engineio.packet.MESSAGE, data=data.decode()))

    def get_write_buffer_size(self) -> int:
        return 0 if self._socket.queue.empty() else self._unsent

    def is_closing(self) -> bool:
        return bool(self._socket.closed)


class EventPeer(Peer):
    """A client of the library. Each message is an event."""

    def __init__(self, socket: Any, leave: CloseSocket) -> None:
        super().__init__(JsonSplitter())
        self._writer = EventWriter(socket)
        self._socket = socket
        self._close_session = leave

    def send(self, messages: Iterable[bytes]) -> None:
        for message in messages:
            super().send([message])

    def abort(self) -> None:
        self._close_session(self._socket, True)

    def hang_up(self) -> None:
        self._close_session(self._socket, False)


class EventClient(Session):
    """A connected client of Socket.IO."""

    def __init__(self, peer: Peer, address: str = "", page: str = "", errors: Errors | None = None) -> None:
        """`page` is the cookie of its browser."""
        super().__init__(peer, "socket.io", address, errors)
        self.page = page
        self.bucket = TokenBucket()


OnConnection: TypeAlias = Callable[[EventClient], None]
"""Called when a client has connected or disconnected."""
OnEvent: TypeAlias = Callable[[EventClient, str, Said], Awaitable[None]]
IsKnown: TypeAlias = Callable[[EventClient], bool]
"""Whether a client has introduced itself."""


class Clients:
    """All Socket.IO clients. Receives their events."""

    def __init__(
        self,
        came: OnConnection,
        heard: OnEvent,
        lost: OnConnection,
        known: IsKnown,
        errors: Errors,
        origins: Collection[str] = (),
    ) -> None:
        """`origins`: other servers whose pages may connect."""
        self._came, self._heard, self._lost, self._known, self._errors = came, heard, lost, known, errors
        self.here: dict[str, EventClient] = {}
        """The connected clients, by the name that the library gives them."""
        self._leaving: set[asyncio.Task[None]] = set()
        self._io = _EventServer(
            async_mode="asgi",
            async_handlers=False,  # handle events in the order in which they were sent
            always_connect=True,  # confirm the connection before events are sent
            max_http_buffer_size=MESSAGE_BYTES,
            ping_timeout=PATIENCE_S,
            cors_allowed_origins=lambda origin, environment: is_allowed(origin, environment, origins),
            serializer=_Packet,
            logger=_log,
            engineio_logger=_log,
        )
        self._connected = self._io.eio.handlers["connect"]
        self._io.eio.on("connect", self._on_session)
        self._io.on("connect", self._on_connect)
        self._io.on("disconnect", self._on_disconnect)
        self._io.on("*", self._on_event)

    async def close(self) -> None:
        """Disconnect all clients. Call it before the web server stops, which would wait for them."""
        for socket in [*self._io.eio.sockets.values()]:
            await _close_socket(socket, abort=False)
        await asyncio.gather(*self._leaving)
        await self._io.shutdown()

    async def _on_session(self, session: str, environment: Any) -> Any:
        """A new session, whose client has not sent its connect packet yet."""
        asyncio.get_running_loop().call_later(CONNECT_S, self._close_unconnected, session)
        socket = self._io.eio.sockets[session]
        socket.poll = partial(_poll, socket)
        return await self._connected(session, environment)

    def _close_unconnected(self, session: str) -> None:
        silent = self._io.manager.sid_from_eio_sid(session, "/") is None
        if silent and (socket := self._io.eio.sockets.pop(session, None)) is not None:
            self._close_session(socket, True)

    def _close_session(self, socket: Any, abort: bool) -> None:
        task = asyncio.ensure_future(_close_socket(socket, abort=abort))
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)

    async def _on_connect(self, sid: str, environment: Any, *_: Any) -> None:
        socket = self._io.eio.sockets.get(self._io.manager.eio_sid_from_sid(sid, "/"))
        if socket is not None:
            scope = environment["asgi.scope"]
            address, _port = scope.get("client") or ("", 0)
            peer = EventPeer(socket, self._close_session)
            client = self.here[sid] = EventClient(peer, address, scope.get(PAGE, ""), self._errors)
            self._came(client)

    async def _on_disconnect(self, sid: str, *_: Any) -> None:
        if (client := self.here.pop(sid, None)) is not None:
            client.peer.gone = "dead"
            self._lost(client)

    async def _on_event(self, event: str, sid: str, said: Any = None, *_: Any) -> None:
        """Handle an event; data that is not an object is read as an empty object."""
        if (client := self.here.get(sid)) is not None:
            await client.bucket.wait()
            if client.is_here:  # the client may have disconnected meanwhile
                await self._heard(client, event, said if isinstance(said, dict) else {})

    # Requests

    def app(self, other: ASGIApp) -> ASGIApp:
        """Serve Socket.IO at its usual path, and `other` everywhere else."""
        inner: ASGIApp = socketio.ASGIApp(self._io, other_asgi_app=other)

        async def outer(scope: Scope, receive: Receive, send: Send) -> None:
            if not f"{scope.get('path', '')}/".startswith(PATH):
                await inner(scope, receive, send)
                return
            scope, send = with_page(scope, send)
            if (status := await self._refusal(scope)) is not None:
                await answer(scope, send, status)
            elif scope["type"] == ScopeType.WEBSOCKET:
                await inner(scope, _only_packets(receive), send)
            elif scope["method"] != HttpMethod.POST:
                await inner(scope, receive, send)
            elif (body := await _posted(receive)) is None:
                await answer(scope, send, 400)
            else:
                await inner(scope, replayed(body, receive), send)

        return outer

    async def _refusal(self, scope: Scope) -> int | None:
        """The status to refuse with; None if the session exists or a new one is allowed."""
        try:
            said = parse_qs(scope["query_string"].decode("ascii"), errors="strict").get("sid", [""])[0]
        except ValueError:  # not UTF-8, or too many fields
            return 400
        if not said:
            return None if await self._has_room() else 503
        socket = self._io.eio.sockets.get(said)
        return 400 if socket is None or socket.closed else None

    async def _has_room(self) -> bool:
        """Check the limit of sessions. If it is reached, drop the oldest unidentified session."""
        sessions = self._io.eio.sockets
        if len(sessions) < MOST_SESSIONS:
            return True
        for session, socket in sessions.items():
            client = self.here.get(self._io.manager.sid_from_eio_sid(session, "/"))
            if socket.closed or client is None or not self._known(client):
                del sessions[session]
                await _close_socket(socket)
                return True
        return False


async def _close_socket(socket: Any, *, abort: bool = True) -> None:
    """Close a session, with `abort` without a message, and end the task that sends to it."""
    await socket.close(wait=False, abort=abort)
    await socket.queue.put(None)


async def _poll(socket: Any) -> list[Any]:
    """The packets for the next response, as the library takes them from its queue, but no more than its own clients
    read from a response."""
    try:
        packets = [await asyncio.wait_for(socket.queue.get(), socket.server.ping_interval + socket.server.ping_timeout)]
    except (TimeoutError, asyncio.CancelledError):
        raise engineio.exceptions.QueueEmpty from None
    socket.queue.task_done()
    while packets[-1] is not None and len(packets) < MOST_POSTED and not socket.queue.empty():
        packets.append(socket.queue.get_nowait())
        socket.queue.task_done()
    if packets[-1] is None and len(packets) > 1:
        socket.queue.put_nowait(None)  # the end, for the next call
    return [packet for packet in packets if packet is not None]


class _EventServer(socketio.AsyncServer):  # type: ignore[misc]  # the library has no types
    """The library's server. It forgets a client that disconnects while it is being connected, and then looks for it."""

    async def _handle_connect(self, eio_sid: str, namespace: str, data: Any) -> None:
        try:
            await super()._handle_connect(eio_sid, namespace, data)
        except KeyError:
            if eio_sid in self.environ:
                raise


class _Json:
    """The JSON module for the library; stricter than the standard one."""

    @staticmethod
    def loads(text: str) -> Any:
        if is_too_deep(text.encode(), VALUE_DEPTH):
            raise ValueError("too deep")
        return msgspec.json.decode(text)

    @staticmethod
    def dumps(value: Any, **_: Any) -> str:
        return msgspec.json.encode(value).decode()


class _Packet(socketio.packet.Packet):  # type: ignore[misc]  # the library has no types
    """A packet of Socket.IO. One that cannot be read becomes an UNREADABLE event.

    Packets with binary attachments are not supported, because the client would decide how many to buffer.
    """

    uses_binary_events = False
    json = _Json

    def decode(self, encoded_packet: Any) -> int:
        try:
            parts = super().decode(encoded_packet)
        except (ValueError, TypeError, RecursionError):
            parts = -1
        if parts or not self._makes_sense():
            self.packet_type, self.namespace, self.id, self.data = socketio.packet.EVENT, None, None, [UNREADABLE]
        return 0

    def _makes_sense(self) -> bool:
        if self.packet_type in (socketio.packet.CONNECT, socketio.packet.DISCONNECT, socketio.packet.ACK):
            return True
        match self.data:
            case [str() as event, *_] if event not in ("*", "connect", "disconnect"):
                return bool(self.packet_type == socketio.packet.EVENT)
        return False


def packed(event: str, body: Any) -> bytes:
    """An event as a packet."""
    packet: str = _Packet(socketio.packet.EVENT, data=[event, body]).encode()
    return packet.encode()


def _only_packets(receive: Receive) -> Receive:
    """Treat anything that is not an allowed packet as a disconnect."""

    async def checked() -> Any:
        message: Any = await receive()
        if message["type"] == "websocket.receive" and not _SENT.fullmatch(message.get("text") or ""):
            return {"type": "websocket.disconnect", "code": 1002}
        return message

    return checked


async def _posted(receive: Receive) -> bytes | None:
    """The body of a polling client's request; None if it is not made of allowed packets."""
    if (body := await read_body(receive, MESSAGE_BYTES)) is None or len(body) > MESSAGE_BYTES:
        return None
    try:
        packets = body.decode().split("\x1e")
    except UnicodeDecodeError:
        return None
    return body if len(packets) <= MOST_POSTED and all(map(_POSTED.fullmatch, packets)) else None
