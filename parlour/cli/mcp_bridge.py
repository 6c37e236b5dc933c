"""Pass the tools of an arena on to an agent. Needs the extra `mcp`."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import mcp_types as types
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError

from parlour import __version__
from parlour.client.api import Refused
from parlour.core.values import plain
from parlour.server.agents.agent_reports import GUIDE
from parlour.server.agents.mcp_server import failed
from parlour.transports.limits import AGENT_WAIT_S

NO_MCP = "this arena does not serve MCP: its setting mcp is false, or it lacks the extra"
GONE = "the arena does not answer; try again later, your seat is kept for a while"
WITHIN_S = AGENT_WAIT_S + 60.0

logging.getLogger("mcp").setLevel(logging.CRITICAL)  # errors are told to the agent


@asynccontextmanager
async def bridged(url: str, token: str, *, trust_env: bool) -> AsyncIterator[Server[Any]]:
    """A server whose tools and resources are those of the arena; Refused if it does not serve MCP."""
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=WITHIN_S, trust_env=trust_env) as http:
        bridge = _Bridge(f"{url}/mcp", http)
        await bridge.check()
        yield Server(
            "parlour",
            version=__version__,
            title="Parlour",
            instructions=GUIDE,
            on_list_tools=bridge.list_tools,
            on_call_tool=bridge.call_tool,
            on_list_resources=bridge.list_resources,
            on_list_resource_templates=bridge.list_templates,
            on_read_resource=bridge.read_resource,
        )


class _Bridge:
    """Opens a connection for each request: a broken one would not come back."""

    def __init__(self, url: str, http: httpx2.AsyncClient) -> None:
        self._url = url
        self._http = http

    @asynccontextmanager
    async def _arena(self) -> AsyncIterator[Client]:
        """The arena; MCPError if it does not answer or refuses."""
        try:
            async with Client(streamable_http_client(self._url, http_client=self._http), mode="2026-07-28") as client:
                yield client
        except BaseExceptionGroup as e:
            known = _first(e)
            raise known if isinstance(known, MCPError) else MCPError(types.INTERNAL_ERROR, GONE) from None
        except (httpx2.HTTPError, OSError):
            raise MCPError(types.INTERNAL_ERROR, GONE) from None

    async def check(self) -> None:
        """Refused if the arena does not serve MCP."""
        try:
            async with self._arena() as arena:
                await arena.list_tools()
        except MCPError as e:
            raise Refused("no_mcp", f"{NO_MCP} ({plain(e.message)})") from None

    async def list_tools(self, context: Any, params: Any) -> types.ListToolsResult:
        async with self._arena() as arena:
            return await arena.list_tools()

    async def call_tool(self, context: Any, params: types.CallToolRequestParams) -> Any:
        async def tell(progress: float, total: float | None, message: str | None) -> None:
            await context.session.report_progress(progress, total, message)

        call = types.CallToolRequest(params=types.CallToolRequestParams(name=params.name, arguments=params.arguments))
        try:
            async with self._arena() as arena:
                return await arena.session.send_request(call, types.CallToolResult, progress_callback=tell)
        except MCPError as e:
            if e.message != GONE:
                raise
            return failed("unreachable", GONE)

    async def list_resources(self, context: Any, params: Any) -> types.ListResourcesResult:
        async with self._arena() as arena:
            return await arena.list_resources()

    async def list_templates(self, context: Any, params: Any) -> types.ListResourceTemplatesResult:
        async with self._arena() as arena:
            return await arena.list_resource_templates()

    async def read_resource(self, context: Any, params: types.ReadResourceRequestParams) -> Any:
        async with self._arena() as arena:
            return await arena.read_resource(str(params.uri))


def _first(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first error of a group that is no group."""
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
