"""An arena that can open no more files: matches go on, and new clients can connect when others have disconnected."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from parlour.client import Client
from parlour.games import game

pytestmark = pytest.mark.alone

MOST = 128
"""Files that the server may have open."""
SOON_S = 60.0


@contextmanager
def arena(folder: Path) -> Iterator[tuple[int, int, int]]:
    """Start the arena; yields its process id and its ports for HTTP and lines."""
    command = [sys.executable, "-m", "tests.server.few_files", str(folder), str(MOST)]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        assert server.stdout is not None
        port, tcp_port = json.loads(server.stdout.readline())
        yield server.pid, port, tcp_port
    finally:
        server.kill()
        server.communicate()


def files(process: int) -> int:
    return len(os.listdir(f"/proc/{process}/fd"))


def crowd(*ports: int) -> list[socket.socket]:
    """Open more connections than the server can take."""
    members = []
    for port in ports * MOST:
        member = socket.socket()
        member.settimeout(SOON_S)
        member.connect(("127.0.0.1", port))
        members.append(member)
    return members


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="where open files cannot be counted")
def test_without_files_for_more_connections_matches_go_on_and_others_come_later(tmp_path: Path) -> None:
    came: list[socket.socket] = []
    told: list[int] = []
    most_files = 0

    def bot(view: Any, ask: Any, dice: Any) -> Any:
        nonlocal most_files
        if not came:
            came.extend(crowd(port, tcp_port))
        told.append(http.get("/health").status_code)  # over a connection that is never idle for long
        most_files = max(most_files, files(process))
        return game("dominion").hosting.bots["money"](view, ask, dice)

    with arena(tmp_path) as (process, port, tcp_port), browser(port) as http:
        made = http.post("/api/accounts", json={"name": "ada", "password": "long enough"}).json()
        seats = [{"kind": "open"}, {"kind": "bot", "spec": "money"}]
        own = {"Authorization": f"Bearer {made['token']}"}
        table = http.post("/api/tables", headers=own, json={"game": "dominion", "seats": seats}).json()["table"]["id"]
        finished = Client(f"http://127.0.0.1:{port}", made["token"]).play("dominion", bot, table=table)
        assert finished.match == table and len(told) > 10
        assert most_files >= MOST - 5, "there were no more to be had"
        assert {*told} == {200}, "who was there before is still served"
        for member in came:
            member.close()
        welcome(port)
    log = (tmp_path / "log").read_text()
    assert '"bug"' not in log and "Traceback" not in log


def browser(port: int) -> httpx.Client:
    return httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=SOON_S)


def welcome(port: int) -> None:
    """Wait until a new client can connect, and the store answers."""
    until = time.monotonic() + SOON_S
    while not is_ready(port):
        assert time.monotonic() < until
        time.sleep(0.1)


def is_ready(port: int) -> bool:
    try:
        with browser(port) as http:
            return http.get("/ready").status_code == 200
    except httpx.TransportError:
        return False
