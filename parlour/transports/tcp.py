"""Peers over TCP, with or without TLS. The framing tells lines, JSON values and WebSocket frames apart."""

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeAlias, cast

from parlour.transports.depth import is_too_deep
from parlour.transports.framing import Framing
from parlour.transports.limits import (
    BITE,
    FAREWELL_S,
    FRAMES_A_SECOND,
    FRAMES_BURST,
    LINGER_S,
    MOST_DROPPED,
    UNSENT_BYTES,
    MessageLimits,
)
from parlour.transports.peer import Peer, nothing
from parlour.transports.rate_limits import IdleTimeout, TokenBucket

MOST_TOGETHER = 64 * 1024
FRAMES_AT_ONCE = BITE // 6
"""Frames that are counted together. The smallest has six bytes."""
NORMAL, RESTARTS, TOO_SLOW = 1000, 1012, 1013
"""Close codes of WebSocket. A client that read too slowly may retry later."""


class SocketPeer(Peer, asyncio.Protocol):
    """A client that has connected to us."""

    def __init__(
        self, framing: Framing | None = None, limits: MessageLimits | None = None, made: "Made" = nothing
    ) -> None:
        super().__init__(framing)
        self._made = made
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._unsent: list[bytes] = []
        self._size = 0
        self._preamble = b""
        self._limits = limits
        self._most_unsent = UNSENT_BYTES if limits is None else limits.unsent_bytes
        self._bucket = None if limits is None else TokenBucket(2 * limits.messages_a_second, limits.messages_a_second)
        self._frames_bucket: TokenBucket | None = None
        self._extra = 0
        """Frames that were read and are not counted yet."""
        self._idle_timeout: IdleTimeout | None = None
        self._paused: asyncio.TimerHandle | None = None
        """Set while nothing is read, because the client sends too fast."""
        self._cutting: asyncio.TimerHandle | None = None
        self._is_leaving = False
        """Whether the last bytes have been sent."""
        self._is_full = False
        """Whether the client does not read what it is sent."""
        self._stalling: asyncio.TimerHandle | None = None
        self._held = b""
        """The answers that wait until the client reads."""
        self.has_spoken = False
        """Whether the client has sent a message."""
        self.on_lost: list[Callable[[], None]] = []
        """Called when the connection has ended."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = self._writer = cast(asyncio.Transport, transport)
        if self.gone is not None:  # refused before it was connected
            self._transport.abort()
        elif self._limits is not None:
            self._idle_timeout = IdleTimeout(
                self._limits.idle_s, lambda: self.exceeded("idle", "nothing was said for too long")
            )
        self._made(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_leaving = True
        for timer in (self._idle_timeout, self._paused, self._stalling, self._cutting):
            if timer is not None:
                timer.cancel()
        self.drop("dead")
        for told in self.on_lost:
            told()
        self.on_lost.clear()  # no cycle of references is left for the garbage collector
        self.exceeded = nothing

    def eof_received(self) -> None:
        self._close_after(LINGER_S)
        self.drop("dead")

    @property
    def is_here(self) -> bool:
        return self.gone is None and not self._is_leaving and self._transport is not None

    @property
    def host(self) -> str:
        """The address that the client comes from."""
        found = None if self._transport is None else self._transport.get_extra_info("peername")
        return str((found or ("",))[0])

    # Receiving

    def data_received(self, data: bytes) -> None:
        """Read messages; if the client sends too fast, pause reading."""
        framing, now = self._framing, self._loop.time()
        while True:
            messages = framing.feed(data)
            if messages:
                self._take_all(messages, now)
            if framing.dropped > MOST_DROPPED:
                self.drop("flood")
            if framing.needs_care:
                self._answer_frames(framing)
            if self._bucket is not None and (delay_s := self._delay_s(len(messages), framing.extra, now)):
                self._pause_reading(delay_s)
                return
            if not framing.has_more:
                return
            data = b""

    def _delay_s(self, messages: int, extra: int, now: float) -> float:
        """How long to wait before more is read. After our goodbye, messages are only frames."""
        if self._is_leaving:
            messages, extra = 0, messages + extra
        delay_s = self._bucket.delay_s(messages, now) if messages and self._bucket is not None else 0.0
        self._extra += extra
        if not self._extra or (self._extra < FRAMES_AT_ONCE and self._framing.has_more):
            return delay_s
        if self._frames_bucket is None:
            self._frames_bucket = TokenBucket(FRAMES_BURST, FRAMES_A_SECOND)
        extra, self._extra = self._extra, 0
        return max(delay_s, self._frames_bucket.delay_s(extra, now))

    def _take_all(self, messages: list[bytes | None], now: float) -> None:
        """Pass messages on. A ping is no message, and does not restart the idle timeout."""
        self.has_spoken = True
        if self._idle_timeout is not None:
            self._idle_timeout.since = now
        most = None if self._limits is None else self._limits.message_depth
        for message in messages:
            if self._is_leaving:
                return
            if most is not None and message is not None and is_too_deep(message, most):
                self.exceeded("too_deep", f"at most {most} levels")
            else:
                self.receive(message)

    def _answer_frames(self, framing: Framing) -> None:
        """Answer frames that are no messages."""
        if self._preamble:
            self.flush()
        if framing.answers and self._transport is not None and not self._transport.is_closing():
            if self._is_full and not framing.is_over:
                self._held = framing.answers  # later answers replace earlier ones
            else:
                self._transport.write(framing.answers)
        if framing.is_over:
            self._close_after(FAREWELL_S)
        if framing.is_over or framing.is_unreadable:
            self.drop("dead")

    def _pause_reading(self, delay_s: float) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.pause_reading()
            self._paused = self._loop.call_later(delay_s, self._resume_reading)

    def _resume_reading(self) -> None:
        self._paused = None
        if self._framing.has_more:
            self.data_received(b"")
        if self._paused is None and self._transport is not None and not self._transport.is_closing():
            self._transport.resume_reading()

    # Sending

    def send(self, messages: Iterable[bytes]) -> None:
        """Collect messages and send them together at the end of this loop iteration, or earlier if they are many."""
        if self.gone is not None or self._is_leaving:
            return
        if not self._unsent:
            self._loop.call_soon(self.flush)
        for message in messages:
            self._unsent.append(message)
            self._size += len(message)
        if self._size > MOST_TOGETHER:
            self.flush()

    def begin(self, transport: asyncio.Transport, preamble: bytes) -> None:
        """Take over a connection. These bytes are sent first, together with the first messages."""
        self._preamble = preamble
        self.connection_made(transport)
        self._loop.call_soon(self.flush)

    @property
    def has_unsent(self) -> bool:
        return bool(self._unsent or self._preamble) or super().has_unsent

    def flush(self) -> None:
        """Send the collected messages; a client that has stopped reading is disconnected."""
        messages, self._unsent, self._size = self._unsent, [], 0
        transport = self._transport
        if not (messages or self._preamble) or transport is None or self._is_leaving or transport.is_closing():
            return
        if self._idle_timeout is not None:
            self._idle_timeout.since = self._loop.time()
        data = b"".join(map(self._framing.wrap, messages))
        if self._preamble:
            data, self._preamble = self._preamble + data, b""
        transport.write(data)
        if transport.get_write_buffer_size() > self._most_unsent:
            self.exceeded("slow", "")
            self._leave(transport.abort, TOO_SLOW, "slow")
            self.drop("dead")
        elif self._is_full and self._stalling is None and self._framing.stall_s is not None:
            self._stalling = self._loop.call_later(self._framing.stall_s, self.drop, "dead")

    def pause_writing(self) -> None:
        self._is_full = True

    def resume_writing(self) -> None:
        self._is_full = False
        if self._stalling is not None:
            self._stalling.cancel()
            self._stalling = None
        held, self._held = self._held, b""
        if held and self._transport is not None and not self._transport.is_closing():
            self._transport.write(held)

    # The end

    def abort(self) -> None:
        if self._transport is not None:
            self._leave(self._transport.abort)

    def hang_up(self) -> None:
        self.flush()
        self._leave(partial(self._close_after, LINGER_S))

    def shut_down(self) -> None:
        """Disconnect, because the server stops. The client's goodbye is not waited for."""
        self._leave(nothing, RESTARTS)
        self._close_after(LINGER_S)

    def _leave(self, end: Callable[[], None], code: int = NORMAL, reason: str = "") -> None:
        """Send the goodbye of the protocol and wait for the client's; without one, end the connection."""
        if self._is_leaving or self._transport is None:
            return
        if self._preamble:
            self._unsent.clear()
            self.flush()
        self._is_leaving = True
        goodbye = b"" if self._transport.is_closing() else self._framing.goodbye(code, reason)
        if not goodbye:
            end()
            return
        self._transport.write(goodbye)
        self._cut_after(FAREWELL_S)
        self._loop.call_soon(self.drop, "dead")
        if self._paused is not None:  # so that the client's goodbye is read
            self._paused.cancel()
            self._resume_reading()

    def _close_after(self, most_s: float) -> None:
        """Close the connection when buffered data is sent, or cut it when that takes too long."""
        self._is_leaving = True
        if self._transport is not None:
            self._transport.close()
            self._cut_after(most_s)

    def _cut_after(self, seconds: float) -> None:
        if self._cutting is None and self._transport is not None:
            self._cutting = self._loop.call_later(seconds, self._transport.abort)


Made: TypeAlias = Callable[[SocketPeer], None]
"""Called with a peer whose connection has begun."""
