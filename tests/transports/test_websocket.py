"""WebSocket frames: messages out of them, in whatever pieces they come, and what ends a connection."""

import asyncio
from typing import Any, cast

import pytest

from parlour.transports.limits import (
    FAREWELL_S,
    FRAMES_A_SECOND,
    FRAMES_BURST,
    MESSAGE_BYTES,
    MOST_PARTS,
    SEND_S,
    MessageLimits,
)
from parlour.transports.tcp import SocketPeer
from parlour.transports.websocket import WebSocketFraming
from tests import turned
from tests.server.attackers import BINARY, CLOSE, PING, TEXT
from tests.transports.test_tcp import Wire
from tests.turned import settle, turn, until

CONT, PONG = 0, 10
MASK = b"\x11\x22\x33\x44"


def frame(opcode: int, payload: bytes = b"", last: bool = True) -> bytes:
    """A frame of a client."""
    size = len(payload)
    short = size if size < 126 else 126 if size < 65536 else 127
    length = b"" if short < 126 else size.to_bytes(2 if short == 126 else 8, "big")
    masked = bytes(byte ^ MASK[place % 4] for place, byte in enumerate(payload))
    return bytes([(0x80 if last else 0) | opcode, 0x80 | short]) + length + MASK + masked


def closing(code: int, reason: str = "") -> bytes:
    """A close frame of the server."""
    payload = code.to_bytes(2, "big") + reason.encode()
    return bytes([0x88, len(payload)]) + payload


def read(framing: WebSocketFraming, data: bytes) -> tuple[list[bytes | None], bytes]:
    """All messages of some bytes, and what is answered."""
    messages, answers = framing.feed(data), framing.answers
    while framing.has_more:
        messages += framing.feed(b"")
        answers += framing.answers
    return messages, answers


TEXTS = [b"", b"x", "\u00fc".encode(), b"x" * 125, b"x" * 126, b"x" * 65535, b"x" * 65536]


@pytest.mark.parametrize("size", [1, 2, 5, 7, 131, 132, 4096, 10**6])
def test_messages_are_the_same_in_whatever_pieces_they_come(size: int) -> None:
    parts = frame(TEXT, b"in ", last=False) + frame(PING, b"?") + frame(CONT, b"", last=False) + frame(CONT, b"parts")
    data = b"".join(frame(TEXT, text) for text in TEXTS) + parts + frame(TEXT, b"last")
    framing, messages, answers = WebSocketFraming(), list[bytes | None](), b""
    for start in range(0, len(data), size):
        more, answered = read(framing, data[start : start + size])
        messages += more
        answers += answered
    assert messages == [*TEXTS, b"in parts", b"last"]
    assert answers == b"\x8a\x01?"


def test_one_message_at_a_time() -> None:
    framing = WebSocketFraming()
    assert framing.feed(frame(TEXT, b"one") + frame(TEXT, b"two")) == [b"one"]
    assert framing.has_more and framing.feed(b"") == [b"two"] and not framing.has_more


def test_what_is_too_long_is_no_message() -> None:
    framing = WebSocketFraming(10)
    assert read(framing, frame(TEXT, b"x" * 11) + frame(TEXT, b"x" * 40))[0] == [None, None]
    assert read(framing, frame(TEXT, b"x" * 6, last=False) + frame(CONT, b"x" * 6)) == ([None], b"")
    assert read(framing, frame(TEXT, b"x" * 10)) == ([b"x" * 10], b"")


NONSENSE = {
    "without a mask": (b"\x81\x02hi", 1002, "incorrect masking"),
    "an unknown kind": (frame(3), 1002, "invalid opcode"),
    "a reserved bit": (b"\xc1" + frame(TEXT, b"x")[1:], 1002, "reserved bits must be 0"),
    "a ping that is too big": (frame(PING, b"x" * 126), 1002, "control frame too long"),
    "a ping in parts": (frame(PING, b"x", last=False), 1002, "fragmented control frame"),
    "a part of nothing": (frame(CONT, b"x"), 1002, "unexpected continuation frame"),
    "two texts at once": (frame(TEXT, b"x", last=False) + frame(TEXT, b"y"), 1002, "expected a continuation frame"),
    "a goodbye in a message": (frame(TEXT, b"x", last=False) + frame(CLOSE), 1002, "incomplete fragmented message"),
    "no text": (frame(TEXT, b"\xff\xfe"), 1007, ""),
    "a surrogate": (frame(TEXT, b"\xed\xa0\x80"), 1007, ""),
    "no text, in parts": (frame(TEXT, b"\xc3", last=False) + frame(CONT, b"x"), 1007, ""),
    "too long": (b"\x81\xff\x7f" + b"\xff" * 7, 1009, f"frame with {2**63 - 1} bytes exceeds limit of 262144 bytes"),
    "too many parts": (
        frame(TEXT, b"", last=False) + frame(CONT, b"", last=False) * MOST_PARTS,
        1009,
        "too many parts",
    ),
    "a strange code": (frame(CLOSE, b"\x03\xe7"), 1002, "invalid status code"),
    "a code": (frame(CLOSE, b"\x03\xe9bye"), 1001, "bye"),
}


@pytest.mark.parametrize("case", NONSENSE)
@pytest.mark.parametrize("size", [1, 10**6])
def test_nonsense_is_answered_and_ends_it(case: str, size: int) -> None:
    said, code, reason = NONSENSE[case]
    framing, answers = WebSocketFraming(), b""
    for start in range(0, len(said), size):
        messages, answered = read(framing, said[start : start + size])
        assert messages == []
        answers += answered
    assert answers == closing(code, reason) and framing.is_over
    assert read(framing, frame(TEXT, b"more")) == ([], b"")


def test_sent_texts_have_the_right_head() -> None:
    framing = WebSocketFraming()
    assert [framing.wrap(text)[: -len(text) or None] for text in TEXTS] == [
        *(b"\x81\x00", b"\x81\x01", b"\x81\x02", b"\x81\x7d", b"\x81\x7e\x00\x7e", b"\x81\x7e\xff\xff"),
        b"\x81\x7f" + (65536).to_bytes(8, "big"),
    ]


# A peer


class Client:
    """A peer over WebSocket, whose other end a test holds in its hands."""

    def __init__(self, limits: MessageLimits | None = None) -> None:
        self.heard: list[bytes | None] = []
        self.ended: list[str] = []
        self.exceeded: list[str] = []
        self.wire: Any = Wire()
        self.peer = SocketPeer(WebSocketFraming(), limits or MessageLimits())
        self.peer.exceeded = lambda why, words: self.exceeded.append(why)
        self.peer.connection_made(cast(asyncio.BaseTransport, cast(Any, self.wire)))
        self.peer.listen(self.heard.append, self.ended.append)

    def says(self, *frames: bytes) -> None:
        self.peer.data_received(b"".join(frames))

    @property
    def told(self) -> bytes:
        return b"".join(self.wire.written)


def test_a_goodbye_is_answered_and_closes() -> None:
    async def work() -> None:
        client = Client()
        client.says(frame(TEXT, b"one"), frame(CLOSE, b"\x03\xe8"), frame(TEXT, b"two"))
        assert client.heard == [b"one"] and client.ended == ["dead"]
        assert client.told == closing(1000) and client.wire.closed == "close"
        client.peer.connection_lost(None)

    turned.run(work())


def test_our_goodbye_waits_for_the_clients() -> None:
    async def work() -> None:
        client = Client()
        client.peer.send([b"last"])
        await client.peer.close()
        client.peer.send([b"too late"])
        assert client.told == b"\x81\x04last" + closing(1000) and not client.wire.closed
        await until(lambda: client.ended == ["dead"])
        client.says(frame(TEXT, b"unheard"), frame(CLOSE, b"\x03\xe8"))
        assert client.heard == [] and client.wire.closed == "close"
        client.peer.connection_lost(None)

    turned.run(work())


def test_a_client_that_does_not_answer_our_goodbye_is_cut_off() -> None:
    async def work() -> None:
        client = Client()
        client.peer.drop("flood")
        assert client.told == closing(1000) and client.ended == ["flood"]
        turn(FAREWELL_S)
        await until(lambda: client.wire.closed == "abort")
        client.peer.connection_lost(None)

    turned.run(work())


def test_what_is_no_text_ends_the_session_with_a_goodbye() -> None:
    async def work() -> None:
        client = Client()
        client.says(frame(BINARY, b"x"))
        assert client.told == closing(1000) and client.ended == ["dead"] and client.heard == []
        client.peer.connection_lost(None)

    turned.run(work())


def test_messages_and_frames_have_a_rate() -> None:
    async def work() -> None:
        client = Client(MessageLimits(messages_a_second=2.0))
        client.says(frame(TEXT, b"x") * 50)
        assert len(client.heard) == 5 and client.wire.paused
        turn(0.5)
        await until(lambda: len(client.heard) == 6)
        turn(100)
        await until(lambda: len(client.heard) == 11)
        await client.peer.close()
        assert not client.wire.paused, "so that its goodbye is read"
        client.says(frame(PING) * (FRAMES_BURST + 1000))
        assert client.wire.paused
        turn(1000 / FRAMES_A_SECOND + 1)
        await until(lambda: not client.wire.paused)
        client.peer.connection_lost(None)

    turned.run(work())


def test_a_client_that_does_not_read_gets_the_last_pong_later() -> None:
    async def work() -> None:
        client = Client()
        client.peer.pause_writing()
        client.says(frame(PING, b"1"), frame(PING, b"2"))
        assert client.told == b""
        client.peer.resume_writing()
        assert client.told == b"\x8a\x012"
        client.peer.connection_lost(None)

    turned.run(work())


def test_a_client_that_does_not_read_in_time_is_let_go() -> None:
    async def work() -> None:
        client = Client()
        client.peer.pause_writing()
        for _ in range(2):
            client.peer.send([b"x"])
            await settle()
            turn(SEND_S - 1)
            await settle()
        await until(lambda: client.ended == ["dead"])
        client.peer.connection_lost(None)

    turned.run(work())


def test_a_client_that_reads_too_little_is_told_so() -> None:
    async def work() -> None:
        client = Client(MessageLimits(unsent_bytes=4096))
        client.wire.unsent = 4097
        client.peer.send([b"x"])
        await until(lambda: client.ended == ["dead"])
        assert client.exceeded == ["slow"] and client.told.endswith(closing(1013, "slow"))
        client.peer.connection_lost(None)

    turned.run(work())


def test_what_is_too_deep_and_too_long_a_silence() -> None:
    async def work() -> None:
        client = Client(MessageLimits(message_depth=3, idle_s=100.0))
        client.says(frame(TEXT, b"[[[[]]]]"))
        assert client.exceeded == ["too_deep"] and client.heard == []
        client.says(frame(TEXT, b"[[[]]]"), frame(TEXT, b"x" * MESSAGE_BYTES + b"x"))
        assert client.heard == [b"[[[]]]", None]
        turn(60)
        client.says(frame(PING))
        turn(60)
        await until(lambda: client.exceeded == ["too_deep", "idle"])
        client.peer.connection_lost(None)

    turned.run(work())
