"""Split a stream of bytes into messages."""

from typing import Literal, Protocol

from parlour.transports.lines import LineSplitter
from parlour.transports.stream import JsonSplitter


class Framing(Protocol):
    """Splits incoming bytes into messages, and delimits outgoing messages."""

    dropped: int
    """Number of bytes discarded because they belong to no message, or to one that is too long."""

    def feed(self, data: bytes) -> list[bytes | None]:
        """The messages that are now complete; None stands for one that was too long."""

    def wrap(self, message: bytes) -> bytes:
        """Add the delimiter to an outgoing message."""


def framing(kind: Literal["lines", "json"]) -> Framing:
    return LineSplitter() if kind == "lines" else JsonSplitter()
