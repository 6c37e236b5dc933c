"""Limits on clients behind a trusted proxy, counted by the address that the proxy forwards.

The proxy's own connections do not show its clients, so requests and WebSockets are counted instead. Clients without a
proxy are counted by their connections elsewhere.
"""

import asyncio
from collections.abc import Iterable
from typing import Any

from litestar.types import ASGIApp, Receive, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from parlour.server.net.addresses import counted_address
from parlour.server.net.middleware import answer, problem_body
from parlour.server.net.occupancy import Occupancy
from parlour.server.ops.logs import tell_dropped
from parlour.server.ops.metrics import Metrics
from parlour.server.settings import Settings
from parlour.transports.rate_limits import AddressBuckets

DETAILS = {
    429: "there are too many connections from your address",
    503: "there are too many connections",
}
HEADERS = [(b"content-type", b"application/problem+json"), (b"retry-after", b"60")]


class ProxyClients(ProxyHeadersMiddleware):
    """Limits simultaneous requests and WebSockets of clients behind the trusted proxies, and new ones per second.

    One address may have at most as many as are left for all others. So it is limited before the server is full, and a
    few addresses cannot take all places. The library reads the forwarded addresses.
    """

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        limited: Any = self._limited
        super().__init__(limited, [*settings.trusted_proxies])
        self._app = app
        self._metrics = metrics
        self._most = settings.connections
        self._per_address = settings.connections_per_address
        self._counts = Occupancy()
        self._buckets = AddressBuckets(settings.requests_a_second)

    def forwarded(self, host: str, headers: Iterable[tuple[bytes, bytes]]) -> str:
        """The counted address of a proxy's client; that of the proxy if it forwards none."""
        told = b", ".join(value for name, value in headers if name == b"x-forwarded-for").decode("latin-1")
        return counted_address((told and self.trusted_hosts.get_trusted_client_address(told)[0]) or host)

    def enter(self, address: str) -> int | None:
        """Count a request or WebSocket, until `leave`; returns the status to refuse it with, if there are too many."""
        own, left = self._counts.of(address), self._most - self._counts.total
        if own >= min(self._per_address, left):
            tell_dropped(self._metrics, "web", "too_many", address)
            return 429 if own else 503
        self._counts.add(address)
        return None

    def leave(self, address: str) -> None:
        self._counts.remove(address)

    def delay_s(self, address: str) -> float:
        """How long a client has to wait because it sends requests too fast."""
        return self._buckets.of(address).delay_s()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Limit requests of proxies, and pass on the forwarded addresses. Other requests are not limited here."""
        client = scope.get("client")
        if client and client[0] in self.trusted_hosts:
            await super().__call__(scope, receive, send)
        else:
            await self._pass_on(scope, receive, send)

    async def _limited(self, scope: Any, receive: Receive, send: Send) -> None:
        address = counted_address(scope["client"][0])
        if (status := self.enter(address)) is not None:
            await answer(scope, send, status, HEADERS, refusal(status))
            return
        try:
            if delay_s := self.delay_s(address):
                await asyncio.sleep(delay_s)
            await self._pass_on(scope, receive, send)
        finally:
            self.leave(address)

    async def _pass_on(self, scope: Any, receive: Receive, send: Send) -> None:
        """Pass a request on, with the client address that limits count by."""
        if client := scope.get("client"):
            scope = {**scope, "client": (counted_address(client[0]), client[1])}
        await self._app(scope, receive, send)


def refusal(status: int) -> bytes:
    """The body of a refusal."""
    return problem_body(status, "too_many", DETAILS[status])
