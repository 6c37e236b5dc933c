"""WebSocket frames: each message is one text."""

from websockets.frames import CloseCode, Frame, Opcode
from websockets.protocol import State
from websockets.server import ServerProtocol

from parlour.transports.framing import Framing
from parlour.transports.limits import FRAME_FACTOR, MESSAGE_BYTES, MOST_PARTS, SEND_S

try:
    from websockets.speedups import apply_mask
except ImportError:  # the library was built without it
    from websockets.utils import apply_mask

WHOLE_TEXT, WHOLE_CLOSE = 0x81, 0x88
"""The first bytes of frames that are not in parts."""
KNOWN = frozenset(Opcode)


class WebSocketFraming(Framing):
    """Reads frames one by one. The library handles all frames except whole text messages."""

    stall_s = SEND_S

    def __init__(self, most: int = MESSAGE_BYTES) -> None:
        """A message of more than `most` bytes is discarded; one of FRAME_FACTOR times as many ends the connection."""
        self._most = most
        self._most_frame = FRAME_FACTOR * most
        self._bytes = bytearray()
        """The bytes that have come of the next frame, and after it."""
        self._library: ServerProtocol | None = None
        """Created when it is needed. It is given whole frames, or one that it will refuse."""
        self._parts: list[bytes] = []
        """The parts that have come of an incomplete message."""
        self._is_text = False
        self._has_left = False
        """Whether our close frame is sent."""

    def wrap(self, message: bytes) -> bytes:
        size = len(message)
        if size < 126:
            return b"\x81%c%b" % (size, message)
        head = b"\x81\x7e" + size.to_bytes(2, "big") if size < 65536 else b"\x81\x7f" + size.to_bytes(8, "big")
        return head + message

    def feed(self, data: bytes) -> list[bytes | None]:
        """At most one message, so that their rate can be limited."""
        if self.needs_care:
            self.needs_care = self.has_more = self.is_unreadable = False
            self.extra, self.answers = 0, b""
        if self.is_over:
            return []
        is_between = not self._bytes and not self._parts
        if is_between and 6 <= len(data) < 132 and data[0] == WHOLE_TEXT and len(data) == data[1] - 122:
            return self._text(apply_mask(data[6:], data[2:6]))
        self._bytes += data
        return self._next()

    def _next(self) -> list[bytes | None]:
        """Read the first frame, if all of it has come."""
        start, end = self._bounds()
        if not end:
            return []
        frame = bytes(self._bytes[:end])
        del self._bytes[:end]
        if self._bytes:
            self.has_more = self.needs_care = True
        if start and frame[0] == WHOLE_TEXT and not self._parts:
            return self._text(apply_mask(frame[start:], frame[start - 4 : start]))
        if self._has_left and frame[0] == WHOLE_CLOSE:
            self.is_over = self.needs_care = True
            return []
        return self._parsed(frame)

    def _bounds(self) -> tuple[int, int]:
        """Where the payload of the first frame begins and ends; twice 0 if it is incomplete, and 0 and all bytes if the
        library refuses it because of its header."""
        data, came = self._bytes, len(self._bytes)
        if came < 2:
            return 0, 0
        size, start = data[1] & 0x7F, 6
        if data[0] & 0x0F not in KNOWN or not data[1] & 0x80:
            return 0, came
        if size > 125:
            start = 8 if size == 126 else 14
            if came < start - 4:
                return 0, 0
            size = int.from_bytes(data[2 : start - 4], "big")
        before = 0 if self._library is None else self._library.current_size or 0
        if size > self._most_frame - before:
            return 0, came
        return (start, start + size) if came >= start + size else (0, 0)

    def _parsed(self, frame: bytes) -> list[bytes | None]:
        library = self._spoken()
        library.receive_data(frame)
        messages: list[bytes | None] = []
        for event in library.events_received():
            if isinstance(event, Frame):
                messages += self._take(event, library)
        self._answer(library, over=library.parser_exc is not None)
        return messages

    def _take(self, frame: Frame, library: ServerProtocol) -> list[bytes | None]:
        if frame.opcode is Opcode.CLOSE:
            self.is_over = True
        if frame.opcode in (Opcode.TEXT, Opcode.BINARY):
            self._is_text, self._parts = frame.opcode is Opcode.TEXT, []
        elif frame.opcode is not Opcode.CONT:
            self.extra += 1
            return []
        if len(self._parts) >= MOST_PARTS and not frame.fin:
            library.fail(CloseCode.MESSAGE_TOO_BIG, "too many parts")
            self.is_over = True
            return []
        self._parts.append(bytes(frame.data))
        if not frame.fin:
            self.extra += 1
            return []
        whole, self._parts = b"".join(self._parts), []
        if self._is_text:
            return self._text(whole)
        self.is_unreadable = True
        return []

    def _text(self, text: bytes) -> list[bytes | None]:
        if not text.isascii():
            try:
                text.decode()
            except UnicodeDecodeError:
                self._answer(self._spoken(), CloseCode.INVALID_DATA, over=True)
                return []
        return [text if len(text) <= self._most else None]

    def _answer(self, library: ServerProtocol, code: int | None = None, *, over: bool = False) -> None:
        """Collect what the library wants to send, with a close frame if there is a code."""
        if code is not None and library.state is State.OPEN:
            library.send_close(code)
        self.answers += b"".join(library.data_to_send())
        self.is_over = self.is_over or over
        self.needs_care = True

    def _spoken(self) -> ServerProtocol:
        if self._library is None:
            state = State.CLOSING if self._has_left else State.OPEN
            self._library = ServerProtocol(state=state, max_size=self._most_frame)
        return self._library

    def goodbye(self, code: int, reason: str) -> bytes:
        if self.is_over or self._has_left:
            return b""
        self._has_left = True
        if self._library is not None:
            self._library.state = State.CLOSING
        told = code.to_bytes(2, "big") + reason.encode()
        return bytes((WHOLE_CLOSE, len(told))) + told
