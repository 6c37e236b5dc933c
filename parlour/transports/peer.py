"""A peer at the other end of a stream of messages, with bounded buffers in both directions."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Protocol, TypeAlias

from parlour.transports.framing import Framing
from parlour.transports.limits import MOST_EARLY, UNSENT_BYTES
from parlour.transports.lines import LineSplitter

PAUSES_S = (*[0.0] * 10, *[0.001] * 10, *[0.05] * 100)
"""Pauses while waiting for a peer to read what it was sent."""


class ByteWriter(Protocol):
    """The part of an asyncio transport that sends."""

    def write(self, data: bytes) -> None: ...
    def get_write_buffer_size(self) -> int: ...
    def is_closing(self) -> bool: ...


Heard: TypeAlias = Callable[[bytes | None], None]
"""Called with each message; None stands for one that was too long."""

Ended: TypeAlias = Callable[[str], None]
"""Called once when the connection ends, with the reason: dead or flood."""

Exceeded: TypeAlias = Callable[[str, str], None]
"""Called when a client exceeds a limit, with a code and words. Without words it has been disconnected already."""


class Peer:
    """Base class for child processes and sockets."""

    way: str = ""
    """The name of the transport and protocol, for administrators."""

    def __init__(self, framing: Framing | None = None) -> None:
        self._heard: Heard = nothing
        self._ended: Ended = nothing
        self._early: list[bytes | None] = []
        self._framing = framing or LineSplitter()
        self._writer: ByteWriter | None = None
        self.gone: str | None = None
        """Why the connection ended, if it has."""
        self.exceeded: Exceeded = nothing

    @property
    def is_here(self) -> bool:
        return self.gone is None

    def listen(self, heard: Heard, ended: Ended) -> None:
        """Deliver messages from now on, buffered ones first."""
        self._heard, self._ended = heard, ended
        while self._early and self._heard is heard:
            heard(self._early.pop(0))
        if self.gone is not None and self._ended is ended:
            ended(self.gone)

    def hold(self) -> None:
        """Stop delivering; messages are buffered until the next `listen`."""
        self._heard, self._ended = nothing, nothing

    def send(self, messages: Iterable[bytes]) -> None:
        """Send messages; a peer that has stopped reading is disconnected."""
        writer = self._writer
        if writer is None or writer.is_closing() or self.gone is not None:
            return
        data = b"".join(map(self._framing.wrap, messages))
        if data:
            writer.write(data)
            if writer.get_write_buffer_size() > UNSENT_BYTES:
                self.exceeded("slow", "")
                self.drop("dead")

    @property
    def has_unsent(self) -> bool:
        """Whether this process still buffers data for the peer."""
        return self._writer is not None and self._writer.get_write_buffer_size() > 0

    async def all_sent(self) -> bool:
        """Wait until the operating system has all data and would deliver it even if this process were killed. False if
        the peer is gone or has stopped reading."""
        for pause_s in PAUSES_S:
            if self.gone is not None or not self.has_unsent:
                break
            await asyncio.sleep(pause_s)
        return self.gone is None and not self.has_unsent

    def drop(self, why: str) -> None:
        """Disconnect at once. Every reason except `dead` is a limit that the client has exceeded."""
        if self.gone is None:
            self.gone = why
            if why != "dead":
                self.exceeded(why, "")
            self.abort()
            self._ended(why)

    def disconnect(self, why: str) -> None:
        """Disconnect after sending buffered data."""
        if self.gone is None:
            self.hang_up()
            self.gone = why
            self._ended(why)

    def abort(self) -> None:
        """Close the connection at once."""

    def hang_up(self) -> None:
        """Close the connection after sending buffered data."""
        self.abort()

    async def close(self) -> None:
        """Send buffered data, then close."""
        self.hang_up()

    def receive(self, message: bytes | None) -> None:
        """Handle an incoming message. Before `listen`, messages are buffered up to a limit."""
        if self.gone is not None:
            return
        if self._heard is nothing:
            self._early.append(message)
            if sum(len(early or b"") + 256 for early in self._early) > MOST_EARLY:
                self.drop("flood")
        else:
            self._heard(message)


def nothing(*_: object) -> None:
    """Placeholder until `listen` is called, and for a peer that nobody waits for."""
