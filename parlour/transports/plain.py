"""What a framing without frames has to say about them."""


class PlainFraming:
    """The part of a framing that only WebSocket needs."""

    stall_s: float | None = None
    needs_care = False
    has_more = False
    extra = 0
    answers = b""
    is_over = False
    is_unreadable = False

    def goodbye(self, code: int, reason: str) -> bytes:
        return b""
