"""Split a stream of bytes into JSON values that follow each other without a delimiter."""

import re

from parlour.transports.framing import Framing
from parlour.transports.limits import MESSAGE_BYTES, VALUE_DEPTH
from parlour.transports.lines import LineSplitter

_space = re.compile(rb"[ \t\r\n]*")
_structure = re.compile(rb'["{}\[\]]')
_in_string = re.compile(rb'["\\]')
_scalar_end = re.compile(rb"[^-+.0-9A-Za-z]")


class JsonSplitter(Framing):
    """Keeps a partial value between reads. It finds where values end and does not parse them.

    After bytes that cannot be JSON, no further value can be found. They are returned as one message, which the reader
    will reject, and everything after them is discarded.
    """

    def __init__(self, most: int = MESSAGE_BYTES, depth: int = VALUE_DEPTH) -> None:
        self._most = most
        self._most_depth = depth
        self._bytes = bytearray()
        self._at = 0
        """How much of the first value has been scanned."""
        self._depth = 0
        self._quoted = False
        self._lost = False

    def wrap(self, message: bytes) -> bytes:
        return message

    def feed(self, data: bytes) -> list[bytes | None]:
        if self._lost:
            self.dropped += len(data)
            return []
        self._bytes += data
        found: list[bytes | None] = []
        while not self._lost and (end := self._end()) is not None:
            found.append(bytes(self._bytes[:end]) if end <= self._most else None)
            self._lost = self._lost or end > self._most
            del self._bytes[:end]
            self._at, self._depth, self._quoted = 0, 0, False
        if not self._lost and len(self._bytes) > self._most:
            self._lost = True
            found.append(None)
        if self._lost:
            self.dropped += len(self._bytes)
            self._bytes.clear()
        return found

    def _end(self) -> int | None:
        """Where the first value ends; None if it is incomplete."""
        if not self._at:
            del self._bytes[: _blanks(self._bytes)]
        if not self._bytes:
            return None
        first = self._bytes[:1]
        if first in b'{["':
            return self._structured_end()
        if not first.isalnum() and first != b"-":
            self._lost = True
            return min(len(self._bytes), self._most)
        found = _scalar_end.search(self._bytes, self._at)
        self._at = len(self._bytes)
        return None if found is None else found.start()

    def _structured_end(self) -> int | None:
        while found := (_in_string if self._quoted else _structure).search(self._bytes, self._at):
            self._at = found.end()
            if found[0] == b"\\":
                if self._at == len(self._bytes):  # the escaped character is still missing
                    self._at -= 1
                    return None
                self._at += 1
            elif found[0] == b'"':
                self._quoted = not self._quoted
            else:
                self._depth += 1 if found[0] in b"{[" else -1
            if self._depth > self._most_depth:
                self._lost = True
                return self._at  # cut inside the value, so that it cannot be parsed
            if self._depth <= 0 and not self._quoted:
                return self._at
        self._at = len(self._bytes)
        return None


def _blanks(data: bytearray) -> int:
    """Length of the leading white space."""
    found = _space.match(data)
    return 0 if found is None else found.end()


SPLITTERS: dict[str, type[LineSplitter | JsonSplitter]] = {"lines": LineSplitter, "json": JsonSplitter}
"""By how a dialect delimits its messages."""
