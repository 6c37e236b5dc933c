"""Split a stream of bytes into messages."""

from abc import ABC, abstractmethod


class Framing(ABC):
    """Splits incoming bytes into messages, and delimits outgoing messages. The other attributes are for WebSocket."""

    dropped: int = 0
    """Number of bytes discarded because they belong to no message, or to one that is too long."""
    stall_s: float | None = None
    """How long a client may not read what it is sent; None: until too much is unsent."""
    needs_care: bool = False
    """Whether the last call of `feed` has set any of the following."""
    has_more: bool = False
    """Whether the next message may be complete already; `feed(b"")` returns it."""
    extra: int = 0
    """Number of frames that were not the last of a message."""
    answers: bytes = b""
    """Bytes that the protocol requires to be sent now."""
    is_over: bool = False
    """Whether the connection is to be closed as soon as the answers are sent."""
    is_unreadable: bool = False
    """Whether the client has sent something that is no message of this protocol."""

    @abstractmethod
    def feed(self, data: bytes) -> list[bytes | None]:
        """The messages that are now complete; None stands for one that was too long."""

    @abstractmethod
    def wrap(self, message: bytes) -> bytes:
        """Add the delimiter to an outgoing message."""

    def goodbye(self, code: int, reason: str) -> bytes:
        """The bytes to send last, which the client answers; empty if the protocol has no goodbye."""
        return b""
