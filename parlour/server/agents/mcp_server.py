"""The tools of agents as an MCP server. Needs the extra `mcp`; import it only when an agent connects."""

import logging
from collections.abc import Mapping
from typing import Any, TypeAlias

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError

from parlour import __version__
from parlour.protocol.errors import RequestError
from parlour.server.agents.agent_desk import Caller
from parlour.server.agents.agent_errors import ToolFailed, UnknownTool
from parlour.server.agents.agent_reports import GUIDE
from parlour.server.agents.agent_tools import TOOLS, AgentTools, Progress

Context: TypeAlias = ServerRequestContext[Any, Any]

CALLER = "parlour.caller"
"""The key of the caller in the scope of a request."""
RULES, MATCHES, TRANSCRIPT = "parlour://rules/", "parlour://matches/", "/transcript"

logging.getLogger("mcp").setLevel(logging.ERROR)  # mistakes of clients are told to them


def new_server(tools: AgentTools, caller: Caller | None = None) -> Server[Any]:
    """A server of these tools. All calls are the caller's; None: each request has its own."""
    handlers = _Handlers(tools, caller)
    return Server(
        "parlour",
        version=__version__,
        title="Parlour",
        instructions=GUIDE,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
    )


class _Handlers:
    def __init__(self, tools: AgentTools, caller: Caller | None) -> None:
        self._tools = tools
        self._caller = caller

    def _who(self, context: Context) -> Caller:
        if self._caller is not None:
            return self._caller
        request: Any = context.request
        caller: Caller = request.scope[CALLER]
        return caller

    async def list_tools(self, context: Context, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_tool(tool) for tool in TOOLS])

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            done = await self._tools.call(params.name, params.arguments or {}, self._who(context), _progress(context))
        except UnknownTool as e:
            raise MCPError(types.INVALID_PARAMS, str(e)) from None
        except ToolFailed as e:
            return failed(e.code, str(e))
        return types.CallToolResult(content=[_text(done.text)], structured_content=done.facts)

    async def list_resources(self, context: Context, params: Any) -> types.ListResourcesResult:
        found = [
            types.Resource(
                uri=RULES + game.name,
                name=f"rules-{game.name}",
                title=f"Rules of {game.title}",
                description=f"How to play: {game.summary}.",
                mime_type="text/markdown",
            )
            for game in self._tools.desk.games()
        ]
        return types.ListResourcesResult(resources=found)

    async def list_templates(self, context: Context, params: Any) -> types.ListResourceTemplatesResult:
        transcripts = types.ResourceTemplate(
            uri_template=f"{MATCHES}{{match}}{TRANSCRIPT}",
            name="transcript",
            title="Transcript of a match",
            description="Every move of a match that is over, with its seed. `parlour verify` checks it.",
            mime_type="application/x-ndjson",
        )
        return types.ListResourceTemplatesResult(resource_templates=[transcripts])

    async def read_resource(self, context: Context, params: types.ReadResourceRequestParams) -> Any:
        uri = str(params.uri)
        try:
            kind, text = await self._read(uri)
        except (RequestError, ToolFailed) as e:
            raise MCPError(types.INVALID_PARAMS, str(e), {"uri": uri[:200]}) from None
        contents = types.TextResourceContents(uri=params.uri, text=text, mime_type=kind)
        return types.ReadResourceResult(contents=[contents])

    async def _read(self, uri: str) -> tuple[str, str]:
        """The media type and the text of a resource."""
        if uri.startswith(RULES):
            return "text/markdown", await self._tools.desk.rules(uri.removeprefix(RULES), None)
        if uri.startswith(MATCHES) and uri.endswith(TRANSCRIPT):
            match = uri.removeprefix(MATCHES).removesuffix(TRANSCRIPT)
            return "application/x-ndjson", await self._tools.desk.transcript(match[:64])
        words = f"there is no such resource; there is {RULES}GAME and {MATCHES}MATCH{TRANSCRIPT}"
        raise ToolFailed("no_such_resource", words)


def _tool(tool: Any) -> types.Tool:
    hints = types.ToolAnnotations(read_only_hint=tool.only_reads, open_world_hint=False)
    return types.Tool(name=tool.name, description=tool.words, input_schema=tool.schema, annotations=hints)


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)


def failed(code: str, words: str, more: Mapping[str, Any] | None = None) -> types.CallToolResult:
    """The result of a call that could not do what it should."""
    facts = {"error": code, "words": words, **(more or {})}
    return types.CallToolResult(content=[_text(words)], structured_content=facts, is_error=True)


def _progress(context: Context) -> Progress:
    async def report(done: float, total: float, words: str) -> None:
        await context.session.report_progress(done, total, words)

    return report
