"""Read the body of a request before the app does."""

from typing import Any

from litestar.types import Receive


async def read_body(receive: Receive, most: int) -> bytes | None:
    """The body, or its beginning if it has more than `most` bytes; None if the client disconnects before its end."""
    body, more = bytearray(), True
    while more and len(body) <= most:
        message: Any = await receive()
        if message["type"] != "http.request":
            return None
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return bytes(body)


def replayed(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body, which has been read, and then all later messages."""
    messages: list[Any] = [{"type": "http.request", "body": body, "more_body": False}]

    async def read() -> Any:
        return messages.pop() if messages else await receive()

    return read
