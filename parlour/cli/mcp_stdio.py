"""Serve MCP on stdin and stdout: to an arena, or to one in this process."""

import asyncio
import contextlib
import os
import stat
import sys
from collections.abc import AsyncIterator
from typing import Any

from parlour.cli.common import UserError, stderr
from parlour.client.api import ArenaApi, Refused, is_loopback
from parlour.core.values import why_not_a_name
from parlour.server.agents.mcp_endpoint import is_installed
from parlour.server.net.web_server import run
from parlour.transports.limits import FRAME_FACTOR, MESSAGE_BYTES

MOST_LINE = FRAME_FACTOR * MESSAGE_BYTES
"""Bytes of a message on stdin."""


def serve_stdio(url: str | None, token: str | None, name: str | None, wait_s: float) -> None:
    """Serve until stdin ends."""
    if not is_installed():
        raise UserError("mcp: the extra is missing; install it with: pip install 'parlour[mcp]'")
    if name is not None and (why := why_not_a_name(name)):
        raise UserError(f"--name: {why}")
    if url is None and token is not None:
        raise UserError("--token: a token is for an arena; give its URL, too")
    try:
        run(_alone(name, wait_s) if url is None else _at_arena(url, token, name))
    except Refused as e:
        raise UserError(f"{url}: {e}") from None


async def _alone(name: str | None, wait_s: float) -> None:
    """An arena in this process, with all games."""
    from parlour.server.agents.agent_tools import AgentTools
    from parlour.server.agents.mcp_server import new_server
    from parlour.server.startup import private

    async with private(wait_s) as serving:
        stderr.print(f"Watch or join at http://127.0.0.1:{serving.port}", soft_wrap=True)
        caller = await serving.agents.guest("127.0.0.1", name)
        await _serve(new_server(AgentTools(serving.agents), caller))


async def _at_arena(url: str, token: str | None, name: str | None) -> None:
    """An arena somewhere else, whose tools are passed on."""
    from parlour.cli.mcp_bridge import bridged

    arena = ArenaApi(url, token)
    await asyncio.to_thread(arena.games)
    if token is None:
        token = await asyncio.to_thread(arena.guest, name)
    else:
        await asyncio.to_thread(arena.check_token)
    async with bridged(arena.url, token, trust_env=not is_loopback(arena.url)) as server:
        await _serve(server)


async def _serve(server: Any) -> None:
    from mcp.server.stdio import stdio_server

    lines: Any = await _lines()
    try:
        with contextlib.ExitStack() as stack:
            async with stdio_server(lines) as (read, write):
                # Stopped by a signal, the library would fail to hand over a message to a stream that nobody has open.
                stack.callback(read.clone().close)
                await server.run(read, write, server.create_initialization_options())
    except* BrokenPipeError:
        pass  # an agent that reads no more has ended


async def _lines() -> "_Lines | None":
    """The lines of stdin, if it is a pipe, a socket or a terminal. uvloop aborts the process for any other file, so the
    library reads those, in a thread."""
    reader = asyncio.StreamReader(MOST_LINE)
    with contextlib.suppress(ValueError, OSError):
        mode = os.fstat(sys.stdin.fileno()).st_mode
        if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or sys.stdin.isatty()):
            return None
        pipe = os.fdopen(os.dup(sys.stdin.fileno()), "rb", buffering=0)
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
        return _Lines(reader)
    return None


class _Lines:
    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader

    async def __aiter__(self) -> AsyncIterator[str]:
        while True:
            try:
                line = await self._reader.readline()
            except ValueError:  # it is too long
                line = b"{\n"
            if not line:
                return
            if line.strip():
                yield line.decode("utf-8", "replace")
