"""Headers of all HTTP responses, and a time limit for request bodies."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from parlour.protocol.forms import new_problem
from parlour.server.api.html_page import STYLE_HASH
from parlour.transports.limits import BODY_S

POLICY = f"default-src 'none'; style-src '{STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The content security policy: nothing is loaded or framed, and only the style of our own pages applies."""
SECURITY_HEADERS: Sequence[tuple[bytes, bytes]] = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),  # answers have tokens and personal data; files of the page set their own
)
BUILD = b"parlour-build"
"""The header with the id of the built page. A page with another id tells its user to reload."""
TOO_SLOW = "the body did not arrive in time"
PROBLEM_HEADERS = [(b"content-type", b"application/problem+json"), (b"connection", b"close")]


class BodyTooSlow(HTTPException):
    """The body of a request did not arrive in time."""

    status_code = 408

    def __init__(self) -> None:
        super().__init__(detail=TOO_SLOW, headers={"Connection": "close"})


def problem_body(status: int, code: str, words: str) -> bytes:
    """The body of an error response."""
    return msgspec.json.encode(new_problem(status, code, words))


async def answer(
    scope: Scope, send: Send, status: int, headers: Iterable[tuple[bytes, bytes]] = (), body: bytes = b""
) -> None:
    """Answer a request, or refuse a WebSocket."""
    kind: Any = "websocket.http.response" if scope["type"] == ScopeType.WEBSOCKET else "http.response"
    start: Any = {"type": f"{kind}.start", "status": status, "headers": headers}
    await send(start)
    end: Any = {"type": f"{kind}.body", "body": body, "more_body": False}
    await send(end)


def with_headers(app: ASGIApp, build: str) -> ASGIApp:
    """Add the security headers to every response, and the id of the built page to those of the API."""
    of_api = [*SECURITY_HEADERS, (BUILD, build.encode())]

    async def outer(scope: Scope, receive: Receive, send: Send) -> None:
        is_api = scope["type"] == ScopeType.HTTP and scope["path"].split("/", 2)[1:2] == ["api"]
        await app(scope, receive, _adding(send, of_api if is_api else SECURITY_HEADERS))

    return outer


def _adding(send: Send, more: Sequence[tuple[bytes, bytes]]) -> Send:
    """Send, with these headers in a response that does not set its own."""

    async def add(message: Any) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start", "websocket.accept"):
            headers = list(message.get("headers", ()))
            there = {name.lower() for name, _ in headers}
            message["headers"] = headers + [header for header in more if header[0] not in there]
        await send(message)

    return add


def with_body_deadline(app: ASGIApp) -> ASGIApp:
    """Answer 408 to a request whose body does not arrive in time.

    Once a response has begun, the limit no longer applies: an event stream lasts until its client disconnects.
    """

    async def outer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        answered = False

        async def tell(message: Message) -> None:
            nonlocal answered
            answered = True
            await send(message)

        try:
            await app(scope, _in_time(receive, lambda: answered), tell)
        except BodyTooSlow:
            if not answered:
                await answer(scope, send, 408, PROBLEM_HEADERS, problem_body(408, "too_slow", TOO_SLOW))

    return outer


def _in_time(receive: Receive, is_answered: Callable[[], bool]) -> Receive:
    until = asyncio.get_running_loop().time() + BODY_S
    is_whole = False

    async def read() -> Any:
        nonlocal is_whole
        if is_whole:
            return await receive()
        message: Any
        try:
            async with asyncio.timeout_at(until):
                message = await receive()
        except TimeoutError:
            if not is_answered():
                raise BodyTooSlow from None
            message = await receive()
        is_whole = message["type"] != "http.request" or not message.get("more_body", False)
        return message

    return read
