"""How messages are told apart in a stream of bytes."""

from typing import Literal, Protocol

from parlour.transports.lines import LineSplitter
from parlour.transports.stream import JsonSplitter


class Framing(Protocol):
    """Cuts what comes in into messages, and marks where those end that go out."""

    dropped: int
    """How many bytes have been thrown away that belong to no message, or to one that is too long."""

    def feed(self, data: bytes) -> list[bytes | None]:
        """The messages that are whole now; None stands for one that was too long."""

    def wrap(self, message: bytes) -> bytes:
        """The message as it goes out."""


def framing(kind: Literal["lines", "json"]) -> Framing:
    return LineSplitter() if kind == "lines" else JsonSplitter()
