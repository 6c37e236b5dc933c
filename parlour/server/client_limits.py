"""Limits on clients that come through a trusted proxy, counted by the address that the proxy forwards.

Connections of the proxy itself say nothing of its clients, so requests and WebSockets are counted instead.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from parlour.server.addresses import counted_address
from parlour.server.pace import Paces

TOO_MANY = msgspec.json.encode(
    {
        "type": "about:blank",
        "title": "too many",
        "status": 429,
        "detail": "there are too many connections from your address",
        "code": "too_many",
    }
)
HEADERS = [(b"content-type", b"application/problem+json"), (b"retry-after", b"60")]


class ClientLimits:
    """An app whose clients have so many requests and WebSockets at once, and so many new ones in a second."""

    def __init__(
        self, app: ASGIApp, per_address: int | None, a_second: float | None, refused: Callable[[str], None]
    ) -> None:
        self._app = app
        self._per_address = per_address
        self._a_second = a_second
        self._refused = refused
        self._open: Counter[str] = Counter()
        self._paces: Paces | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client: Any = scope.get("client")
        if scope["type"] not in (ScopeType.HTTP, ScopeType.WEBSOCKET) or not client:
            await self._app(scope, receive, send)
            return
        address = counted_address(client[0])
        if self._per_address is not None and self._open[address] >= self._per_address:
            self._refused("too_many")
            await _refuse(scope, send)
            return
        self._open[address] += 1
        try:
            await self._rest(address)
            await self._app(scope, receive, send)
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    async def _rest(self, address: str) -> None:
        """Let a client that asks too fast wait."""
        if self._a_second is None:
            return
        if self._paces is None:
            self._paces = Paces(self._a_second)
        if rest_s := self._paces.of(address).rest_s():
            await asyncio.sleep(rest_s)


def by_network(app: ASGIApp) -> ASGIApp:
    """Tell the app the address that limits count by."""

    async def outer(scope: Scope, receive: Receive, send: Send) -> None:
        client: Any = scope.get("client")
        if client:
            counted: Any = {**scope, "client": (counted_address(client[0]), client[1])}
            scope = counted
        await app(scope, receive, send)

    return outer


async def _refuse(scope: Scope, send: Send) -> None:
    kind: Any = "websocket.http.response" if scope["type"] == ScopeType.WEBSOCKET else "http.response"
    start: Any = {"type": f"{kind}.start", "status": 429, "headers": HEADERS}
    end: Any = {"type": f"{kind}.body", "body": TOO_MANY, "more_body": False}
    message: Message
    for message in (start, end):
        await send(message)
