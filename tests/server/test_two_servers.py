"""Two servers on one store: the second is refused, however it was started, and changes nothing."""

import contextlib
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from parlour.protocol.records import now_ms
from parlour.store.lock import SERVING
from parlour.store.store import Store
from tests.cli.served import printed, refused
from tests.cli.test_commands import ENVIRONMENT, ROOT
from tests.ports import free_row
from tests.store.postgres import new_database
from tests.store.stored import add, kept

UP_WITHIN_S = 60.0
KEYS = f"{SERVING}, hashtext(current_schema())"


class Server:
    """`parlour serve` on ports of its own."""

    def __init__(self, store: str, told: Path, cwd: Path = ROOT, **settings: str) -> None:
        self.port = free_row(10)
        self._told = told
        told.write_text("")
        environment = {
            **ENVIRONMENT,
            "PYTHONPATH": str(ROOT),
            "PARLOUR_VENUES_COLORFIGHT_ROOMS": "0",
            "PARLOUR_LOG": "off",
            **settings,
        }
        command = [sys.executable, "-m", "parlour", "serve", "--port", str(self.port), "--store", store]
        with told.open("wb") as stderr:
            self.process = subprocess.Popen(command, cwd=cwd, env=environment, stderr=stderr)

    @property
    def said(self) -> str:
        return self._told.read_text()

    def status(self, path: str = "/ready") -> int | None:
        """The status of its answer; None: it does not answer."""
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(f"http://127.0.0.1:{self.port}{path}", timeout=30) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as e:
            return e.code
        except OSError:
            return None

    def is_up(self) -> bool:
        return self.status() == 200

    def is_out(self) -> bool:
        return self.process.poll() is not None

    def up(self) -> "Server":
        until(lambda: self.is_up() or self.is_out())
        assert not self.is_out(), self.said
        return self

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + UP_WITHIN_S
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts servers, which do not outlive the test."""
    servers: list[Server] = []

    def started(store: str, **more: Any) -> Server:
        servers.append(Server(store, tmp_path / f"told{len(servers)}.txt", **more))
        return servers[-1]

    yield started
    for server in servers:
        server.kill()


async def one_table(store: Store) -> str:
    """Add a table that waits for an hour."""
    id = await add(store)
    await store.change_match(id, waits_until_ms=now_ms() + 3_600_000)
    return id


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_of_two_servers_that_start_at_the_same_instant_one_is_refused(
    database: str, tmp_path: Path, start: Callable[..., Server]
) -> None:
    """Admin commands work while the first server runs."""
    url = new_database() if database == "postgresql" else f"sqlite:///{tmp_path / 'arena.db'}"
    kept(url, one_table)
    two = [start(url), start(url)]
    until(lambda: any(server.is_out() for server in two) and any(server.is_up() for server in two))
    [out] = [server for server in two if server.is_out()]
    [up] = [server for server in two if not server.is_out()]
    _is_refused(out, up)
    assert "all 1 matches hold" in _beside(url, tmp_path)
    assert up.is_up()


def test_a_second_server_on_another_path_is_refused_and_changes_nothing(
    tmp_path: Path, start: Callable[..., Server]
) -> None:
    url = f"sqlite:///{tmp_path / 'arena.db'}"
    table = kept(url, one_table)
    up = start(url).up()
    kept(url, lambda store: store.change_match(table, waits_until_ms=1))  # which a server looks at when it starts
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "link.db").symlink_to("../arena.db")
    later = start("sqlite:///link.db", cwd=tmp_path / "folder")
    until(later.is_out)
    _is_refused(later, up)
    assert kept(url, lambda store: store.match(table)).state == "open", "it has changed nothing"
    up.kill()
    start(url).up()
    until(lambda: kept(url, lambda store: store.match(table)).state == "dropped")


def _is_refused(out: Server, up: Server) -> None:
    assert out.process.returncode == 1
    assert out.said.startswith("parlour: store: ") and out.said.count("\n") == 1
    assert "is in use by another server" in out.said and f"process {up.process.pid}" in out.said


def _beside(url: str, tmp_path: Path) -> str:
    """What admin commands say while a server runs."""
    with (tmp_path / "said.txt").open("w+") as said, contextlib.redirect_stderr(said):
        printed("admin", "tidy", "--store", url)
        if url.startswith("sqlite"):
            printed("admin", "backup", str(tmp_path / "copy.db"), "--store", url)
        printed("admin", "check", "--store", url)
        said.seek(0)
        return said.read()


def test_a_port_in_use_is_found_before_the_store_is_touched(tmp_path: Path) -> None:
    port = free_row(10)
    store = f"sqlite:///{tmp_path / 'arena.db'}"
    with socket.create_server(("127.0.0.1", port)):
        told = refused("serve", "--port", str(port), "--store", store)
        assert told == f"port {port} on 127.0.0.1 is in use; choose another one"
        told = refused("serve", "--port", str(free_row(10)), "--tcp-port", str(port), "--store", store)
        assert told == f"port {port} on 127.0.0.1 is in use; choose another one"
    assert [*tmp_path.iterdir()] == []


def test_a_server_that_loses_its_lock_of_postgresql_begins_again_unless_another_has_it(
    start: Callable[..., Server],
) -> None:
    url = new_database()
    kept(url, one_table)
    server = start(url, PARLOUR_VENUES_COLORFIGHT_ROOMS="2").up()
    with psycopg.connect(url, autocommit=True) as other, psycopg.connect(url, autocommit=True) as rival:
        _end_session(other)
        until(lambda: "lock of the store was lost" in server.said)
        until(server.is_up)
        until(lambda: server.said.count("The arena is at") == 2)
        with ThreadPoolExecutor(1) as thread:
            taking = thread.submit(rival.execute, f"SELECT pg_advisory_lock({KEYS})".encode())
            until(lambda: _waits(other))
            _end_session(other)
            taking.result()  # another server is quicker
        until(server.is_out)
    assert server.process.returncode == 1
    last = server.said.splitlines()[-1]
    assert last.startswith("parlour: store: ") and "is in use by another server" in last


def _end_session(connection: "psycopg.Connection[Any]") -> None:
    """End the session that has the lock."""
    query = f"SELECT pg_terminate_backend(pid) FROM pg_locks WHERE classid = {SERVING} AND granted"
    connection.execute(query.encode())


def _waits(connection: "psycopg.Connection[Any]") -> bool:
    """Whether a session waits for the lock."""
    query = f"SELECT count(*) FROM pg_locks WHERE classid = {SERVING} AND NOT granted"
    row = connection.execute(query.encode()).fetchone()
    return row is not None and row[0] == 1
