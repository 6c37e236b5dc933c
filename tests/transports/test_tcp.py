"""Peers over TCP: what is said at one moment is sent together."""

import asyncio
from typing import Any, cast

from parlour.transports.tcp import MOST_TOGETHER, SocketPeer
from tests import turned
from tests.turned import settle


class Wire:
    """A transport that remembers what was written."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.closed = ""
        self.unsent = 0
        self.paused = False

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def is_closing(self) -> bool:
        return bool(self.closed)

    def close(self) -> None:
        self.closed = self.closed or "close"

    def abort(self) -> None:
        self.closed = "abort"

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False


def connected() -> tuple[SocketPeer, Wire]:
    peer, wire = SocketPeer(), Wire()
    peer.connection_made(cast(asyncio.BaseTransport, cast(Any, wire)))
    return peer, wire


def test_what_is_said_at_one_moment_is_sent_together() -> None:
    async def work() -> None:
        peer, wire = connected()
        peer.send([b"one", b"two"])
        peer.send([b"three"])
        await settle()
        peer.send([b"four"])
        await settle()
        assert wire.written == [b"one\ntwo\nthree\n", b"four\n"]

    turned.run(work())


def test_much_is_not_gathered_but_sent() -> None:
    async def work() -> None:
        peer, wire = connected()
        peer.send([b"x" * MOST_TOGETHER])
        assert not wire.written
        peer.send([b"y"])
        assert [len(data) for data in wire.written] == [MOST_TOGETHER + 3]

    turned.run(work())


def test_the_last_word_is_sent_before_the_end() -> None:
    async def work() -> None:
        peer, wire = connected()
        peer.send([b"over"])
        await peer.close()
        assert wire.written == [b"over\n"] and wire.closed
        await settle()
        assert wire.written == [b"over\n"]

    turned.run(work())


def test_what_is_said_to_a_client_that_is_gone_is_not_even_taken() -> None:
    async def work() -> None:
        peer, wire = connected()
        peer.connection_lost(None)
        said = iter([b"one"])
        peer.send(said)
        await settle()
        assert next(said) == b"one" and wire.written == []

    turned.run(work())
