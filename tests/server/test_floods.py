"""Floods over every transport, from clients that read no answer: other matches are not slowed down."""

import asyncio
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.server.arenas import Hall, House, evening
from tests.server.attackers import ARENA
from tests.server.crowd import peak_memory
from tests.server.test_crowds import SLACK_S, two_matches
from tests.server.test_junk import no_complaints

pytestmark = pytest.mark.alone

MOST_MORE = 120 * 1024 * 1024
"""How many bytes all floods may need: buffers of the kernel, our read buffers, and sessions of Socket.IO."""
PORTS = {"lines over TCP": "tradecraft", "values over TCP": "maze/course"}
"""By kind of flood, the games whose own protocols get it on their ports."""


def port_of(hall: Hall, kind: str) -> int:
    if kind in PORTS:
        return hall.serving.listeners[PORTS[kind]]
    lines = kind in ("protocol 1 over TCP", "one line without end")
    port = hall.serving.tcp_port if lines else hall.serving.port
    assert port is not None
    return port


@contextmanager
def flood(kind: str, port: int) -> Iterator[Callable[[], object]]:
    """Flood from another process; yields a function that waits until the flood has begun."""
    command = [sys.executable, "-m", "tests.server.attackers", kind, str(port)]
    attacker = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert attacker.stdout is not None
    try:
        yield attacker.stdout.readline
    finally:
        attacker.kill()
        attacker.communicate()


def test_whoever_floods_holds_up_only_itself(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        alone_s, memory = await two_matches(hall, token, 2), peak_memory()
        for kind in ARENA:
            with flood(kind, port_of(hall, kind)) as pours:
                await asyncio.to_thread(pours)
                among_s = await two_matches(hall, token)
                assert among_s < 3 * alone_s + SLACK_S, f"{kind}: {alone_s:.1f} s alone, {among_s:.1f} s in the flood"
        assert peak_memory() - memory < MOST_MORE, "nothing is kept for them without bound"

    with no_complaints(caplog):
        evening(House(tmp_path, log="off", guests_a_minute=100_000, requests_a_second=100.0), work)
