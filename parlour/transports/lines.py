"""Split a stream of bytes into lines of limited length."""

from parlour.transports.framing import Framing
from parlour.transports.limits import MESSAGE_BYTES


class LineSplitter(Framing):
    """Keeps a partial line between reads. A line that is too long is discarded and reported as None. Then `dropped` is
    the number of its bytes."""

    def __init__(self, most: int = MESSAGE_BYTES) -> None:
        self._most = most
        self._rest = b""
        self._dropping = False

    def wrap(self, message: bytes) -> bytes:
        return message + b"\n"

    def feed(self, data: bytes) -> list[bytes | None]:
        *whole, rest = (self._rest + data).split(b"\n")
        lines = [self._whole(line) for line in whole]
        if len(rest) > self._most or (self._dropping and rest):
            self.dropped += len(rest)
            self._dropping, rest = True, b""
        self._rest = rest
        return lines

    def _whole(self, line: bytes) -> bytes | None:
        if self._dropping or len(line) > self._most:
            self._dropping, self.dropped = False, 0
            return None
        return line.removesuffix(b"\r")
