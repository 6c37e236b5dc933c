"""A host of tradeCraft in a process of its own, and callers who write down what is said."""

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import socketio

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60.0
"""Nothing takes so long, unless it never comes."""
ENVIRONMENT = {**os.environ, "COLUMNS": "200", "NO_PROXY": "*", "no_proxy": "*"}
"""No line is broken, and nobody is asked the way to this machine."""


class Host:
    """A process that serves a table."""

    def __init__(self, process: "subprocess.Popen[str]", web: bool) -> None:
        self.process = process
        self.announced: list[str] = []
        """The first lines of its output."""
        self.port = self._number(r"127\.0\.0\.1:(\d+)")
        self.web_port = self._number(r"127\.0\.0\.1:(\d+)/ws") if web else 0
        self.hall = self._found(r"in the hall '(.*)'") if web else ""

    def _found(self, words: str) -> str:
        assert self.process.stderr is not None
        line = self.process.stderr.readline()
        self.announced.append(line)
        found = re.search(words, line)
        assert found is not None, line
        return found[1]

    def _number(self, words: str) -> int:
        return int(self._found(words))

    def until(self, words: str) -> None:
        """Wait for that on standard error."""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if words in line:
                return
        raise AssertionError(words)

    def result(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())


@contextmanager
def hosting(*words: str, web: bool = False) -> Iterator[Host]:
    """Start a host on any free port."""
    more = ["--port", "0", *(["--web-port", "0"] if web else [])]
    command = [sys.executable, "-m", "parlour", "host", "tradecraft", *words, *more]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    ) as process:
        try:
            yield Host(process, web)
        finally:
            process.kill()


class Liner:
    """Speaks lines over TCP."""

    def __init__(self, name: str, port: int, spoken: set[str]) -> None:
        self.name, self.spoken = name, spoken
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        self._file = self._socket.makefile("rw", encoding="utf-8", newline="\n")

    def says(self, kind: str, /, **body: Any) -> None:
        self.sends(json.dumps({"type": kind, **body}))

    def sends(self, line: str) -> None:
        self.spoken.add(f"{self.name} > {line}")
        print(line, file=self._file, flush=True)

    def hears(self, kind: str) -> Any:
        """The next of that type."""
        for line in self._file:
            self.spoken.add(f"{self.name} < {line.rstrip()}")
            said = json.loads(line)
            if said["type"] == kind:
                return said
        raise AssertionError(f"{self.name} did not hear {kind}")

    def close(self) -> None:
        self._file.close()
        self._socket.close()


class Guest:
    """Speaks events over Socket.IO."""

    def __init__(self, name: str, spoken: set[str]) -> None:
        self.name, self.spoken, self.token = name, spoken, ""
        self.io = socketio.AsyncClient(reconnection=False, handle_sigint=False)
        self.io.on("*", self._hear)
        self._heard: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()

    def _hear(self, event: str, body: Any = None) -> None:
        self.spoken.add(f"{self.name} < {event} {json.dumps(body, separators=(',', ':'))}")
        self._heard.put_nowait((event, body))

    async def comes(self, port: int) -> None:
        await self.io.connect(f"http://127.0.0.1:{port}", transports=["websocket"], wait_timeout=PATIENCE_S)
        await self.hears("restored_proof_requested")

    async def says(self, event: str, body: Any) -> None:
        self.spoken.add(f"{self.name} > {event} {json.dumps(body)}")
        await self.io.emit(event, body)

    async def plays(self, event: str, /, **body: Any) -> None:
        await self.says(f"player__{event}", {"token": self.token, **body})

    async def hears(self, event: str) -> Any:
        """The next of that name."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                name, body = await self._heard.get()
                if name == f"server__{event}":
                    return body

    async def logs_in(self) -> None:
        await self.says("login", {"username": self.name})
        self.token = (await self.hears("login_success"))["token"]

    async def leaves(self) -> None:
        """Disconnect, and close what the library leaves open."""
        await self.io.disconnect()
        if (http := self.io.eio.http) is not None:
            await http.close()
