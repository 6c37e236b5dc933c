"""Split a stream of bytes into messages."""

from typing import Literal, Protocol

from parlour.transports.lines import LineSplitter
from parlour.transports.stream import JsonSplitter


class Framing(Protocol):
    """Splits incoming bytes into messages, and delimits outgoing messages."""

    dropped: int
    """Number of bytes discarded because they belong to no message, or to one that is too long."""
    stall_s: float | None
    """How long a client may not read what it is sent; None: until too much is unsent."""
    needs_care: bool
    """Whether the last call of `feed` has set any of the following."""
    has_more: bool
    """Whether the next message may be complete already; `feed(b"")` returns it."""
    extra: int
    """Number of frames that were not the last of a message."""
    answers: bytes
    """Bytes that the protocol requires to be sent now."""
    is_over: bool
    """Whether the connection is to be closed as soon as the answers are sent."""
    is_unreadable: bool
    """Whether the client has sent something that is no message of this protocol."""

    def feed(self, data: bytes) -> list[bytes | None]:
        """The messages that are now complete; None stands for one that was too long."""

    def wrap(self, message: bytes) -> bytes:
        """Add the delimiter to an outgoing message."""

    def goodbye(self, code: int, reason: str) -> bytes:
        """What is sent last, and answered by the client; empty if the connection is closed without a word."""


def framing(kind: Literal["lines", "json"]) -> Framing:
    return LineSplitter() if kind == "lines" else JsonSplitter()
