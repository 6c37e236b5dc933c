"""Somebody at the other end of a stream of messages. What both directions may hold is bounded."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Protocol, TypeAlias

from parlour.transports.framing import Framing
from parlour.transports.lines import LineSplitter

MOST_UNSENT = 1024 * 1024
MOST_DROPPED = 1024 * 1024
MOST_EARLY = 256 * 1024
"""Bytes, and for each message a few more, that are kept for who is going to listen."""
PAUSES_S = (*[0.0] * 10, *[0.001] * 10, *[0.05] * 100)
"""How a peer is waited for that has not taken what it was sent."""


class Writer(Protocol):
    """The part of an asyncio transport that sends."""

    def write(self, data: bytes) -> None: ...
    def get_write_buffer_size(self) -> int: ...
    def is_closing(self) -> bool: ...


Heard: TypeAlias = Callable[[bytes | None], None]
"""Takes a line; None is one that was too long."""

Ended: TypeAlias = Callable[[str], None]
"""Told once why there will be no more lines: dead or flood."""


class Peer:
    """The half that child processes and sockets have in common."""

    def __init__(self, framing: Framing | None = None) -> None:
        self._heard: Heard = _nothing
        self._ended: Ended = _nothing
        self._early: list[bytes | None] = []
        self._framing = framing or LineSplitter()
        self._writer: Writer | None = None
        self.gone: str | None = None
        """Why it is gone, if it is."""

    def listen(self, heard: Heard, ended: Ended) -> None:
        """Hear lines from now on, those that came already first."""
        self._heard, self._ended = heard, ended
        while self._early and self._heard is heard:
            heard(self._early.pop(0))
        if self.gone is not None and self._ended is ended:
            ended(self.gone)

    def hold(self) -> None:
        """Nobody listens for a while; what comes is kept."""
        self._heard, self._ended = _nothing, _nothing

    def send(self, messages: Iterable[bytes]) -> None:
        """Send lines; a peer that has stopped reading is given up rather than waited for."""
        writer = self._writer
        if writer is None or writer.is_closing() or self.gone is not None:
            return
        data = b"".join(map(self._framing.wrap, messages))
        if data:
            writer.write(data)
            if writer.get_write_buffer_size() > MOST_UNSENT:
                self.drop("dead")

    @property
    def has_unsent(self) -> bool:
        """Whether something that was said is still in this process."""
        return self._writer is not None and self._writer.get_write_buffer_size() > 0

    async def all_sent(self) -> bool:
        """Wait until the system has all that was said, and would deliver it even if this process were killed; False if
        the peer is gone, or does not read for long."""
        for pause_s in PAUSES_S:
            if self.gone is not None or not self.has_unsent:
                break
            await asyncio.sleep(pause_s)
        return self.gone is None and not self.has_unsent

    def drop(self, why: str) -> None:
        """Give the peer up."""
        if self.gone is None:
            self.gone = why
            self.abort()
            self._ended(why)

    def part(self, why: str) -> None:
        """Give the peer up, but send what is left."""
        if self.gone is None:
            self.hang_up()
            self.gone = why
            self._ended(why)

    def abort(self) -> None:
        """Cut the line at once."""

    def hang_up(self) -> None:
        """Cut the line once what is left is sent."""
        self.abort()

    async def close(self) -> None:
        """Send what is left, then hang up."""
        self.hang_up()

    def took(self, message: bytes | None) -> None:
        """A message came in; what comes before anybody listens is kept, as long as it is not much."""
        if self.gone is not None:
            return
        if self._heard is _nothing:
            self._early.append(message)
            if sum(len(early or b"") + 256 for early in self._early) > MOST_EARLY:
                self.drop("flood")
        else:
            self._heard(message)

    def received(self, data: bytes) -> None:
        """Bytes came in; subclasses call it."""
        for message in self._framing.feed(data):
            self.took(message)
        if self._framing.dropped > MOST_DROPPED:
            self.drop("flood")


def _nothing(_: object) -> None:
    """Nobody listens yet."""
