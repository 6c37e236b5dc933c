"""The limits on clients."""

from msgspec import Struct

MOST_BYTES = 64 * 1024
MOST_UNSENT = 4 * 1024 * 1024
SEND_S = 10.0
"""Timeout for sending a message over WebSocket."""


class MessageLimits(Struct, frozen=True):
    """The limits on the messages of one client."""

    message_bytes: int = MOST_BYTES
    message_depth: int = 32
    messages_a_second: float = 200.0
    idle_s: float = 3600.0
    unsent_bytes: int = MOST_UNSENT
