"""Peers over WebSocket: texts in, texts out, and an end of both."""

import asyncio
from collections.abc import Callable, Collection, Coroutine
from typing import Any

import pytest

from parlour.transports.lines import MOST_BYTES
from parlour.transports.peer import MOST_UNSENT
from parlour.transports.websocket import LINGER_S, WebSocketPeer
from tests import turned
from tests.turned import settle, turn, until


class Socket:
    """A socket whose two ends a test holds in its hands, and a peer that is run on it."""

    def __init__(self, *, at_once: bool = False) -> None:
        self.peer = WebSocketPeer()
        self.sent: list[str] = []
        self.together: list[list[bytes]] = []
        self.keeps_up = True
        self.heard: list[bytes | None] = []
        self.ended: list[str] = []
        self.blocked = False
        self._texts: asyncio.Queue[str | None] = asyncio.Queue()
        quick = self._send_at_once if at_once else None
        self.running = asyncio.create_task(self.peer.run(self._texts.get, self._send, quick))

    async def _send(self, text: str) -> None:
        if self.blocked:
            await asyncio.Event().wait()
        self.sent.append(text)

    def _send_at_once(self, texts: Collection[bytes]) -> bool:
        if self.keeps_up:
            self.together.append([*texts])
        return self.keeps_up

    def listen(self) -> None:
        self.peer.listen(self.heard.append, self.ended.append)

    def comes(self, *texts: str | None) -> None:
        for text in texts:
            self._texts.put_nowait(text)

    async def ready(self) -> None:
        """Until it waits for something to send."""
        await until(lambda: self.peer._more._waiters)

    async def over(self) -> None:
        async with asyncio.timeout(turned.SOON_S):
            await self.running


def with_socket(work: Callable[[Socket], Coroutine[Any, Any, None]], *, at_once: bool = False) -> None:
    async def open() -> None:
        socket = Socket(at_once=at_once)
        try:
            await work(socket)
        finally:
            socket.running.cancel()
        await until(lambda: len(asyncio.all_tasks()) == 1)  # nothing is left of it

    turned.run(open())


def test_messages_go_both_ways_in_order() -> None:
    async def work(socket: Socket) -> None:
        socket.listen()
        socket.peer.send([b"one", b"two"])
        socket.comes("eins", "zwei")
        socket.peer.send([b"three"])
        await until(lambda: len(socket.sent) == 3 and len(socket.heard) == 2)
        assert socket.sent == ["one", "two", "three"] and socket.heard == [b"eins", b"zwei"]

    with_socket(work)


def test_what_is_said_at_one_moment_goes_in_one_go_to_who_keeps_up() -> None:
    async def work(socket: Socket) -> None:
        await socket.ready()
        socket.peer.send([b"one", b"two"])
        socket.peer.send([b"three"])
        await until(lambda: socket.together)
        socket.peer.send([b"four"])
        await until(lambda: len(socket.together) == 2)
        assert socket.together == [[b"one", b"two", b"three"], [b"four"]] and socket.sent == []

    with_socket(work, at_once=True)


def test_who_does_not_keep_up_gets_all_in_order_one_after_the_other() -> None:
    async def work(socket: Socket) -> None:
        await socket.ready()
        socket.keeps_up, socket.blocked = False, True
        socket.peer.send([b"one", b"two"])
        await until(lambda: socket.peer._is_sending)
        socket.keeps_up = True
        socket.peer.send([b"three"])
        await settle()
        assert socket.together == [], "nothing overtakes what is on its way"

    with_socket(work, at_once=True)


def test_what_is_left_is_sent_at_the_end_either_way() -> None:
    async def work(socket: Socket) -> None:
        await socket.ready()
        socket.peer.send([b"last"])
        await socket.peer.close()
        await socket.over()
        assert socket.together == [[b"last"]] or socket.sent == ["last"]

    with_socket(work, at_once=True)


def test_what_came_before_anybody_listened_is_heard_first() -> None:
    async def work(socket: Socket) -> None:
        socket.comes("early", "later")
        await settle()
        socket.listen()
        socket.comes("last")
        await until(lambda: len(socket.heard) == 3)
        assert socket.heard == [b"early", b"later", b"last"]

    with_socket(work)


def test_what_is_too_long_is_no_message() -> None:
    async def work(socket: Socket) -> None:
        socket.listen()
        socket.comes("x" * MOST_BYTES, "x" * (MOST_BYTES + 1), "\u00e9" * MOST_BYTES, "\ud800", "next")
        await until(lambda: len(socket.heard) == 5)
        assert socket.heard == [b"x" * MOST_BYTES, None, None, b"\xed\xa0\x80", b"next"]

    with_socket(work)


def test_the_other_side_goes() -> None:
    async def work(socket: Socket) -> None:
        socket.listen()
        socket.comes("last", None, "never")
        await socket.over()
        assert (socket.heard, socket.ended, socket.peer.gone) == ([b"last"], ["dead"], "dead")
        socket.peer.send([b"too late"])
        socket.peer.took(b"too late")
        assert socket.sent == [] and socket.heard == [b"last"]

    with_socket(work)


def test_who_is_closed_gets_all_that_was_said_before() -> None:
    async def work(socket: Socket) -> None:
        socket.listen()
        socket.peer.send([b"one", b"two"])
        await socket.peer.close()
        socket.peer.send([b"after that"])
        await socket.over()
        assert socket.sent == ["one", "two"] and socket.ended == ["dead"]

    with_socket(work)


def test_who_is_dropped_gets_nothing_more() -> None:
    async def work(socket: Socket) -> None:
        socket.listen()
        socket.peer.send([b"one", b"two"])
        socket.peer.drop("flood")
        await socket.over()
        assert socket.sent == [] and socket.ended == ["flood"] and socket.peer.gone == "flood"

    with_socket(work)


def test_who_does_not_read_is_given_up_when_too_much_waits() -> None:
    async def work(socket: Socket) -> None:
        socket.listen()
        socket.blocked = True
        for _ in range(MOST_UNSENT // 1000 + 1):
            assert socket.ended == []
            socket.peer.send([b"x" * 1000])
        assert socket.ended == ["dead"]
        await settle()
        turn(LINGER_S)
        await socket.over()

    with_socket(work)


def test_what_was_read_does_not_wait_any_more() -> None:
    async def work(socket: Socket) -> None:
        socket.listen()
        for count in range(1, 6):
            socket.peer.send([b"x" * (MOST_UNSENT // 2)])
            await until(lambda count=count: len(socket.sent) == count)  # type: ignore[misc]
        assert socket.peer.gone is None

    with_socket(work)


def test_what_is_left_has_a_little_time() -> None:
    async def work(socket: Socket) -> None:
        socket.listen()
        socket.blocked = True
        socket.peer.send([b"never"])
        await settle()
        await socket.peer.close()
        await settle()
        turn(LINGER_S)
        await socket.over()
        assert socket.sent == []

    with_socket(work)


@pytest.mark.parametrize("side", ["receive", "send"])
def test_a_bug_on_either_side_comes_out(side: str) -> None:
    async def work() -> None:
        async def bug(*_: Any) -> Any:
            raise ZeroDivisionError(side)

        async def fine(*_: Any) -> Any:
            await asyncio.Event().wait()

        peer, ended = WebSocketPeer(), list[str]()
        peer.listen(lambda message: None, ended.append)
        peer.send([b"hello"])
        with pytest.raises(ZeroDivisionError, match=side):
            await peer.run(bug if side == "receive" else fine, bug if side == "send" else fine)
        assert ended == ["dead"]
        await until(lambda: len(asyncio.all_tasks()) == 1)

    turned.run(work())


def test_whoever_runs_it_may_stop() -> None:
    async def work(socket: Socket) -> None:
        socket.listen()
        await settle()
        socket.running.cancel()
        await until(lambda: socket.ended)
        assert socket.peer.gone == "dead"

    with_socket(work)
