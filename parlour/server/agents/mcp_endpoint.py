"""MCP over streamable HTTP, at /mcp.

There are no sessions: every request says who sends it, so an agent can go on after a restart of the server, or from
another machine. The library is loaded when the first request comes."""

import asyncio
import importlib
import importlib.util
from collections.abc import Mapping, Sequence
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from parlour.protocol.errors import RequestError
from parlour.protocol.reports import tell_bug
from parlour.server.agents.agent_desk import AgentDesk
from parlour.server.agents.agent_errors import McpRefused
from parlour.server.agents.agent_tools import AgentTools
from parlour.server.api.app import failure_of
from parlour.server.net.bodies import read_body, replayed
from parlour.server.net.connections import token_in
from parlour.server.net.middleware import BodyTooSlow, answer
from parlour.server.ops.logs import tell_refused
from parlour.server.ops.metrics import Metrics
from parlour.server.settings import BadSettings, Settings
from parlour.store.failures import is_store_failure
from parlour.transports.depth import is_too_deep

PATHS = ("/mcp", "/mcp/")
MISSING = "mcp: agents need the extra; install it with: pip install 'parlour[mcp]'"
INVALID, INTERNAL = -32600, -32603
"""Error codes of JSON-RPC."""


def is_installed() -> bool:
    """Whether the extra `mcp` is installed. Does not load it."""
    try:
        return importlib.util.find_spec("mcp") is not None
    except ValueError:
        return False


def is_wanted(settings: Settings) -> bool:
    """Whether the arena serves MCP; BadSettings if it should and cannot."""
    if settings.mcp and not is_installed():
        raise BadSettings(MISSING)
    return is_installed() if settings.mcp is None else settings.mcp


class HostRule:
    """The host names and origins that a request may have. Without this rule, the author of a web page could make its
    host name lead to this machine, and use the arena through the browsers of visitors (DNS rebinding)."""

    def __init__(self, address: str, hosts: Sequence[str], *, has_proxies: bool) -> None:
        self._hosts = {host.casefold() for host in hosts}
        self._is_private = not has_proxies and _is_loopback(address)

    def check(self, headers: Mapping[bytes, bytes]) -> None:
        """RequestError if a request with these headers is refused."""
        host, origin = headers.get(b"host", b"").decode("latin-1"), headers.get(b"origin", b"").decode("latin-1")
        name = _name_of(f"//{host}")
        is_known = name is not None and (_is_address(name) or name == "localhost" or name in self._hosts)
        if origin and (not is_known or urlsplit(origin).netloc.casefold() != host.casefold()):
            raise McpRefused(403, "bad_origin", "pages of other servers may not use this arena")
        if not is_known and (self._is_private or name is None):
            words = "the arena does not know this host name; its setting mcp_hosts must have it"
            raise McpRefused(421, "bad_host", words)


def _name_of(url: str) -> str | None:
    try:
        parts = urlsplit(url)
        return None if parts.port == 0 else parts.hostname
    except ValueError:
        return None


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(address: str) -> bool:
    return address == "localhost" or (_is_address(address) and ip_address(address).is_loopback)


class McpEndpoint:
    """Answers the requests of agents."""

    def __init__(self, desk: AgentDesk, settings: Settings, metrics: Metrics) -> None:
        self.desk = desk
        self._metrics = metrics
        self._most_bytes = settings.message_bytes
        self._most_depth = settings.message_depth
        self._hosts = HostRule(settings.address, settings.mcp_hosts, has_proxies=bool(settings.trusted_proxies))
        self._manager: Any = None
        self._starting = asyncio.Lock()
        self._running: asyncio.Task[None] | None = None

    def wrap(self, app: ASGIApp) -> ASGIApp:
        """The web application with this endpoint."""

        async def outer(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == ScopeType.HTTP and scope["path"] in PATHS:
                await self._answer(scope, receive, send)
            else:
                await app(scope, receive, send)

        return outer

    async def close(self) -> None:
        """Stop the library, if it runs."""
        self.desk.close()
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    async def _answer(self, scope: Any, receive: Receive, send: Send) -> None:
        begun = False

        async def tell(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        address = "" if not scope.get("client") else scope["client"][0]
        try:
            await self._serve(scope, address, receive, tell)
        except RequestError as e:
            tell_refused(self._metrics, e.code, f"{scope['method']} /mcp: {e.words}", "mcp", address, e.name)
            await _refuse(scope, send, e)
        except BodyTooSlow:
            raise
        except Exception as e:
            tell_bug("mcp", e)
            if not begun:
                await _refuse(scope, send, McpRefused(503 if is_store_failure(e) else 500, *failure_of(e)))

    async def _serve(self, scope: Any, address: str, receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        self._hosts.check(headers)
        if scope["method"] != "POST":
            raise McpRefused(405, "method_not_allowed", "send a POST; there are no sessions and no streams to open")
        caller = await self.desk.caller(address, token_in(scope["headers"]))
        body = await self._body(headers, receive)
        manager = await self._started()
        own = {name: value for name, value in headers.items() if name != b"mcp-session-id"}
        inner = {**scope, "path": "/mcp", "headers": [*own.items()], "parlour.caller": caller}
        await manager.handle_request(inner, replayed(body, receive), send)

    async def _body(self, headers: Mapping[bytes, bytes], receive: Receive) -> bytes:
        """The whole body; RequestError if it is too large or nested too deep."""
        too_large = McpRefused(413, "too_large", f"at most {self._most_bytes} bytes")
        length = headers.get(b"content-length", b"0")
        if length.isdigit() and int(length) > self._most_bytes:
            raise too_large
        if (body := await read_body(receive, self._most_bytes)) is None:
            raise McpRefused(400, "bad_request", "the body is incomplete")
        if len(body) > self._most_bytes:
            raise too_large
        if is_too_deep(body, self._most_depth):
            raise McpRefused(400, "too_deep", f"at most {self._most_depth} levels")
        return body

    async def _started(self) -> Any:
        """The library's session manager, which is started for the first request."""
        async with self._starting:
            if self._manager is None:
                manager = await asyncio.to_thread(self._loaded)
                ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                self._running = asyncio.create_task(_run(manager, ready))
                await ready
                self._manager = manager
        return self._manager

    def _loaded(self) -> Any:
        """Loading takes long, so it is done in a thread."""
        library = importlib.import_module("mcp.server.streamable_http_manager")
        ours = importlib.import_module("parlour.server.agents.mcp_server")
        server = ours.new_server(AgentTools(self.desk, self._most_depth))
        return library.StreamableHTTPSessionManager(server, stateless=True, max_request_body_size=self._most_bytes)


async def _run(manager: Any, ready: "asyncio.Future[None]") -> None:
    """Run the library until cancelled. Its scopes must begin and end in the same task."""
    try:
        async with manager.run():
            ready.set_result(None)
            await asyncio.Event().wait()
    except Exception as e:
        if not ready.done():
            ready.set_exception(e)


async def _refuse(scope: Scope, send: Send, error: RequestError) -> None:
    """Refuse a request, with an error of JSON-RPC."""
    code = INTERNAL if error.status >= 500 else INVALID
    body = {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": error.words, "data": {"code": error.code}}}
    headers = [(b"content-type", b"application/json")]
    more = {401: (b"www-authenticate", b'Bearer error="invalid_token"'), 405: (b"allow", b"POST")}
    more |= {429: (b"retry-after", b"60")}
    headers += [more[error.status]] if error.status in more else []
    await answer(scope, send, error.status, headers, msgspec.json.encode(body))
