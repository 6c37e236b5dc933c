"""Limits on clients behind a trusted proxy, counted by the address that the proxy forwards.

The proxy's own connections do not show its clients, so requests and WebSockets are counted instead. Clients without a
proxy are counted by their connections elsewhere.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from parlour.server.net.addresses import counted_address
from parlour.server.net.rate_limits import Paces

DETAILS = {
    429: "there are too many connections from your address",
    503: "there are too many connections",
}
HEADERS = [(b"content-type", b"application/problem+json"), (b"retry-after", b"60")]


class ClientLimits:
    """Limits simultaneous requests and WebSockets, and new ones per second.

    One address may have at most as many as are left for all others. So it is limited before the server is full, and a
    few addresses cannot take all places.
    """

    def __init__(
        self,
        app: ASGIApp,
        most: int,
        per_address: int | None,
        a_second: float | None,
        refused: Callable[[str, str], None],
    ) -> None:
        self._app = app
        self._most = most
        self._per_address = most if per_address is None else per_address
        self._a_second = a_second
        self._refused = refused
        self._open: Counter[str] = Counter()
        self._total = 0
        self._paces: Paces | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client: Any = scope.get("client")
        if scope["type"] not in (ScopeType.HTTP, ScopeType.WEBSOCKET) or not client:
            await self._app(scope, receive, send)
            return
        address = counted_address(client[0])
        own, left = self._open[address], self._most - self._total
        if own >= min(self._per_address, left):
            self._refused("too_many", address)
            await _refuse(scope, send, 429 if own else 503)
            return
        self._open[address] += 1
        self._total += 1
        try:
            await self._rest(address)
            await self._app(scope, receive, send)
        finally:
            self._total -= 1
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    async def _rest(self, address: str) -> None:
        """Delay a client that sends requests too fast."""
        if self._a_second is None:
            return
        if self._paces is None:
            self._paces = Paces(self._a_second)
        if rest_s := self._paces.of(address).rest_s():
            await asyncio.sleep(rest_s)


def trust(proxies: Sequence[str]) -> Callable[[str], bool]:
    """A test for proxy addresses, with the same rules as for `X-Forwarded-For`."""
    return ProxyHeadersMiddleware(_nothing, list(proxies)).trusted_hosts.__contains__


async def _nothing(scope: Any, receive: Any, send: Any) -> None:
    """An app that is never called."""


def through_proxies(app: ASGIApp, limited: ASGIApp, proxies: Sequence[str]) -> ASGIApp:
    """Pass requests of proxies to `limited`, with the forwarded client address, and all others to `app`."""
    inner: Any = limited
    forwarded: Any = ProxyHeadersMiddleware(inner, list(proxies))
    is_proxy = trust(proxies)

    async def outer(scope: Scope, receive: Receive, send: Send) -> None:
        client: Any = scope.get("client")
        await (forwarded if client and is_proxy(client[0]) else app)(scope, receive, send)

    return outer


def by_network(app: ASGIApp) -> ASGIApp:
    """Replace the client address by the one that limits count by."""

    async def outer(scope: Scope, receive: Receive, send: Send) -> None:
        client: Any = scope.get("client")
        if client:
            counted: Any = {**scope, "client": (counted_address(client[0]), client[1])}
            scope = counted
        await app(scope, receive, send)

    return outer


async def _refuse(scope: Scope, send: Send, status: int) -> None:
    title, detail = "too many", DETAILS[status]
    problem = {"type": "about:blank", "title": title, "status": status, "detail": detail, "code": "too_many"}
    kind: Any = "websocket.http.response" if scope["type"] == ScopeType.WEBSOCKET else "http.response"
    start: Any = {"type": f"{kind}.start", "status": status, "headers": HEADERS}
    end: Any = {"type": f"{kind}.body", "body": msgspec.json.encode(problem), "more_body": False}
    message: Message
    for message in (start, end):
        await send(message)
