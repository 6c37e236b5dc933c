"""Programs of the pages, run as their readers run them, but at the ports of a house that is open."""

import asyncio
import os
import re
import shlex
import shutil
import subprocess
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

import pytest

from tests.docs.pages import ROOT
from tests.server.arenas import Hall

PATIENCE_S = 90.0
"""Nothing takes so long, unless it never ends."""
PARLOUR = [sys.executable, "-m", "parlour"]
PORTS = {8002: "forsale", 8003: "dominion", 8004: "maze", 8005: "maze/course", 8006: "tradecraft"}
"""Where the pages have what is spoken."""


def here(hall: Hall, text: str) -> str:
    """A command, or a program, with the ports of this house."""
    ports = {8000: hall.serving.port, 8001: hall.serving.tcp_port}
    ports |= {port: hall.serving.listeners.get(where) for port, where in PORTS.items()}
    return re.sub(r"\b800\d\b", lambda found: str(ports[int(found[0])]), text)


def words(command: str, folder: Path) -> list[str]:
    """As they are typed, but with the Python of the tests; what was saved from a page lies in the folder."""
    found = [str(folder / word) if (folder / word).is_file() else word for word in shlex.split(command)]
    if found[0] == "parlour":
        return [*PARLOUR, *found[1:]]
    return [sys.executable if word == "python3" else word for word in found]


@asynccontextmanager
async def started(command: Sequence[str], **more: str) -> AsyncIterator[Process]:
    """A program that is ended after the block, if it has not ended before."""
    environment = {**os.environ, "NO_PROXY": "*", "no_proxy": "*", "COLUMNS": "200", "PYTHONUNBUFFERED": "1", **more}
    child = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, env=environment, stdin=DEVNULL, stdout=PIPE, stderr=PIPE
    )
    try:
        yield child
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()


async def ended(command: Sequence[str], **more: str) -> str:
    """Wait until the program has exited with status 0; returns its output."""
    async with started(command, **more) as child, asyncio.timeout(PATIENCE_S):
        out, err = await child.communicate()
    assert child.returncode == 0, (command, out.decode(), err.decode())
    return out.decode()


@cache
def node() -> tuple[str, ...] | None:
    """How it is started so that it knows WebSockets; None: it is too old for that."""
    if shutil.which("node") is None:
        if os.environ.get("CI"):
            pytest.fail("there is no Node here")
        return None
    for command in (("node",), ("node", "--experimental-websocket")):
        done = subprocess.run([*command, "-e", "WebSocket.name"], capture_output=True)
        if done.returncode == 0:
            return command
    return None


@cache
def has_perl() -> bool:
    """Whether Perl is installed with its usual modules."""
    if shutil.which("perl") is not None and not subprocess.run(["perl", "-MJSON::PP", "-e", "1"]).returncode:
        return True
    if os.environ.get("CI"):
        pytest.fail("there is no Perl here")
    return False
