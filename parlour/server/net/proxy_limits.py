"""Limits on clients behind a trusted proxy, counted by the address that the proxy forwards.

The proxy's own connections do not show its clients, so requests and WebSockets are counted instead. Clients without a
proxy are counted by their connections elsewhere.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from parlour.server.net.addresses import counted_address
from parlour.server.net.connection_counts import ConnectionCounts
from parlour.transports.rate_limits import Paces

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
        self, most: int, per_address: int | None, a_second: float | None, refused: Callable[[str, str], None]
    ) -> None:
        self._most = most
        self._per_address = most if per_address is None else per_address
        self._a_second = a_second
        self._refused = refused
        self._counts = ConnectionCounts()
        self._paces: Paces | None = None

    def enter(self, address: str) -> int | None:
        """Count a request or WebSocket, until `leave`; returns the status to refuse it with, if there are too many."""
        own, left = self._counts.of(address), self._most - self._counts.total
        if own >= min(self._per_address, left):
            self._refused("too_many", address)
            return 429 if own else 503
        self._counts.add(address)
        return None

    def leave(self, address: str) -> None:
        self._counts.remove(address)

    def rest_s(self, address: str) -> float:
        """How long a client has to wait because it sends requests too fast."""
        if self._a_second is None:
            return 0.0
        if self._paces is None:
            self._paces = Paces(self._a_second)
        return self._paces.of(address).rest_s()

    def app(self, inner: ASGIApp) -> ASGIApp:
        """Limit the clients of an app."""

        async def limited(scope: Scope, receive: Receive, send: Send) -> None:
            client: Any = scope.get("client")
            if scope["type"] not in (ScopeType.HTTP, ScopeType.WEBSOCKET) or not client:
                await inner(scope, receive, send)
                return
            address = counted_address(client[0])
            if (status := self.enter(address)) is not None:
                await _refuse(scope, send, status)
                return
            try:
                if rest_s := self.rest_s(address):
                    await asyncio.sleep(rest_s)
                await inner(scope, receive, send)
            finally:
                self.leave(address)

        return limited


class Proxies:
    """The trusted proxies, with the rules of the library for `X-Forwarded-For`."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self._trusted = ProxyHeadersMiddleware(_nothing, list(addresses)).trusted_hosts

    def __contains__(self, host: str) -> bool:
        return host in self._trusted

    def forwarded(self, host: str, headers: Iterable[tuple[bytes, bytes]]) -> str:
        """The address of a proxy's client; that of the proxy if it forwards none."""
        told = b", ".join(value for name, value in headers if name == b"x-forwarded-for")
        return self._trusted.get_trusted_client_address(told.decode("latin-1"))[0] or host if told else host


async def _nothing(scope: Any, receive: Any, send: Any) -> None:
    """An app that is never called."""


def through_proxies(app: ASGIApp, limited: ASGIApp, proxies: Sequence[str]) -> ASGIApp:
    """Pass requests of proxies to `limited`, with the forwarded client address, and all others to `app`."""
    inner: Any = limited
    forwarded: Any = ProxyHeadersMiddleware(inner, list(proxies))
    trusted = Proxies(proxies)

    async def outer(scope: Scope, receive: Receive, send: Send) -> None:
        client: Any = scope.get("client")
        await (forwarded if client and client[0] in trusted else app)(scope, receive, send)

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


def refusal(status: int) -> bytes:
    """The body of a refusal."""
    problem = {"type": "about:blank", "title": "too many", "status": status, "detail": DETAILS[status]}
    return msgspec.json.encode({**problem, "code": "too_many"})


async def _refuse(scope: Scope, send: Send, status: int) -> None:
    kind: Any = "websocket.http.response" if scope["type"] == ScopeType.WEBSOCKET else "http.response"
    start: Any = {"type": f"{kind}.start", "status": status, "headers": HEADERS}
    end: Any = {"type": f"{kind}.body", "body": refusal(status), "more_body": False}
    message: Message
    for message in (start, end):
        await send(message)
