"""Real hosts of ColorfightII in their own processes, and clients that connect to them."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

ROOT = Path(__file__).parents[3]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
WORD = "secret"
"""The admin password."""
PATIENCE_S = 60.0


class Host:
    """A running host."""

    def __init__(self, process: "subprocess.Popen[str]", port: int) -> None:
        self.process = process
        self.port = port

    def line(self) -> Any:
        """The next result on its standard output."""
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def call(self, path: str, body: object = None) -> Any:
        """GET, or POST if there is a body."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/{path}", data)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=PATIENCE_S) as reply:
            assert reply.status == 200
            return json.load(reply)

    def start(self) -> Any:
        return self.call("start", {"gameroom_id": "public", "admin_password": WORD})

    def restart(self) -> Any:
        return self.call("restart", {"admin_password": WORD})

    def players(self) -> int:
        [public] = self.call("get_gameroom_list")
        number: int = public["player_number"]
        return number

    def channel(self, path: str) -> ClientConnection:
        return connect(f"ws://127.0.0.1:{self.port}/{path}", max_size=None, proxy=None, open_timeout=PATIENCE_S)


@contextmanager
def hosting(*words: str) -> Iterator[Host]:
    """Start a host on a free port."""
    command = [sys.executable, "-m", "parlour", "host", "colorfight", *words, "--port", "0"]
    wide = {**ENVIRONMENT, "COLUMNS": "200"}  # so that no line is broken
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=wide
    ) as process:
        try:
            assert process.stderr is not None
            found = re.search(r"127\.0\.0\.1:(\d+)", process.stderr.readline())
            assert found is not None
            yield Host(process, int(found[1]))
        finally:
            process.kill()


def said(channel: ClientConnection, message: object) -> tuple[str, str]:
    """A message and its reply."""
    text = message if isinstance(message, str) else json.dumps(message)
    channel.send(text)
    reply = channel.recv(timeout=PATIENCE_S)
    assert isinstance(reply, str)
    return text, reply


def wait_for(what: str, holds: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < until, what
        time.sleep(0.05)


# The examples, as whoever has a clone starts them


def example(name: str, *words: object) -> "subprocess.Popen[str]":
    command = [sys.executable, str(ROOT / "examples" / name), *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)


def lines_until(player: "subprocess.Popen[str]", turn: int) -> list[str]:
    """The client's output up to that turn."""
    assert player.stdout is not None
    lines = [player.stdout.readline()]
    while lines[-1] and not lines[-1].startswith(f"turn {turn} "):
        lines.append(player.stdout.readline())
    return lines


def ending(player: "subprocess.Popen[str]") -> tuple[int, str, str]:
    """Its exit code, and the rest of its standard output and standard error."""
    told, complained = player.communicate(timeout=PATIENCE_S)
    return player.returncode, told, complained
