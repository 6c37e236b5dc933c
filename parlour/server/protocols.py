"""Connections as the web server has them, made so that who floods, dawdles or does not read is held up alone."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import CloseCode, Frame

from parlour.server.pace import Pace

MOST_CONNECTIONS = 800
"""Below the thousand files that a process may usually have open."""
REQUEST_S = 15.0
"""A connection without a request for so long is dropped."""
MOST_LOOKS = 4
"""A request may take so many times as long: there are clients that wait for an answer on purpose."""
FAREWELL_S = 5.0
"""How long what is left may take, once we are done with a client."""
BITE = 4096
"""Bytes that are taken in at once. The smallest messages have six of them, and each costs us a hundred times more."""
FRAMES_BURST, FRAMES_A_SECOND = 500, 1000.0
MOST_PARTS = 1000
"""Of one message: empty ones would be within any limit on its size."""


class Http(H11Protocol):
    """Before it asks for anything, and between its requests, a client has not forever."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as the class above has it
        super().connection_made(transport)
        if len(self.connections) > MOST_CONNECTIONS:
            transport.abort()
        else:
            self.loop.call_later(REQUEST_S, self._look, None, MOST_LOOKS)

    def _look(self, seen: RequestResponseCycle | None, patience: int) -> None:
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return
        cycle = self.cycle
        busy = cycle is not None and not cycle.response_complete
        if cycle is seen and not (busy and patience):
            self.transport.abort()
        else:
            self.loop.call_later(REQUEST_S, self._look, cycle, patience - 1 if cycle is seen else MOST_LOOKS)


class WebSocket(WebSocketsSansIOProtocol):
    """Takes in what comes bite by bite: the rest waits until the app has seen the last, and its pace allows it."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._pace = Pace(FRAMES_BURST, FRAMES_A_SECOND)
        self._left = bytearray()
        self._resting: asyncio.TimerHandle | None = None
        self._pongs = b""

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
        rest_s = self._pace.rest_s(len(self.conn.events))
        super().handle_events()
        if rest_s:
            self._resting = self.loop.call_later(rest_s, self._rested)

    def _rested(self) -> None:
        self._resting = None
        self._eat()

    async def receive(self) -> Any:
        message = await super().receive()
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
