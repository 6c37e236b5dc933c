"""The processes of the load bench: a server as anybody starts it, and the bots in others."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO

import msgspec
from load_bots import HOST, Orders, Tally
from prometheus_client.parser import text_string_to_metric_families

ROOT = Path(__file__).parents[1]
MANY = "1000000"
LIMITS = {
    "PARLOUR_CONNECTIONS": MANY,
    "PARLOUR_CONNECTIONS_PER_ADDRESS": MANY,
    "PARLOUR_GUESTS_A_MINUTE": MANY,
    "PARLOUR_TRIES_A_MINUTE": MANY,
    "PARLOUR_TABLES_PER_ACCOUNT": MANY,
    "PARLOUR_MESSAGES_A_SECOND": MANY,
    "PARLOUR_REQUESTS_A_SECOND": MANY,
    "PARLOUR_VENUES_COLORFIGHT_ROOMS": "0",
    "PARLOUR_LOG": "off",
}
UP_WITHIN_S = 60.0
TICK_S = 1 / os.sysconf("SC_CLK_TCK")


class Process:
    """What the system knows of one."""

    def __init__(self, pid: int) -> None:
        self._folder = Path(f"/proc/{pid}")

    def cpu_s(self) -> float:
        """Of all its threads."""
        fields = (self._folder / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) * TICK_S

    def memory_kib(self) -> int:
        lines = (self._folder / "status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))

    def unshared_kib(self) -> int:
        """Memory that no other process shares."""
        lines = (self._folder / "smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


class Server:
    """An arena that anybody could have started, but for its limits."""

    def __init__(self, port: int, tcp_port: int, process: "subprocess.Popen[bytes]") -> None:
        self.port = port
        self.tcp_port = tcp_port
        self.process = Process(process.pid)

    async def figures(self) -> Counter[str]:
        """Its own, summed over all games."""
        text = await self.read("/metrics")
        found: Counter[str] = Counter()
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                found[sample.name] += sample.value  # type: ignore[assignment]  # figures are floats
        return found

    async def read(self, path: str) -> str:
        """What it answers to a GET."""
        return await asyncio.to_thread(self._read, path)

    def _read(self, path: str) -> str:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        read: bytes = opener.open(f"http://{HOST}:{self.port}{path}", timeout=60).read()
        return read.decode()


@asynccontextmanager
async def serving(store: str, checkout: Path = ROOT, **settings: str) -> AsyncIterator[Server]:
    """A server on that store, until the end of the block; then it is told to stop, and has. `settings` are variables of
    its environment. Another checkout needs its own .venv; without one, this Python is used."""
    python = checkout / ".venv" / "bin" / "python"
    run = [str(python) if checkout != ROOT and python.exists() else sys.executable, "-m", "parlour", "serve"]
    command = [*run, "--port", "0", "--tcp-port", "0", "--store", store]
    with tempfile.TemporaryFile() as told:
        process = subprocess.Popen(command, cwd=checkout, env={**os.environ, **LIMITS, **settings}, stderr=told)
        try:
            port, tcp_port = await _ports(told, process)
            yield Server(port, tcp_port, process)
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                await asyncio.to_thread(process.wait, UP_WITHIN_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


async def _ports(told: IO[bytes], process: "subprocess.Popen[bytes]") -> tuple[int, int]:
    """Where it is, as it says itself when it is up."""
    end = time.monotonic() + UP_WITHIN_S
    while True:
        words = " ".join(os.pread(told.fileno(), 1 << 16, 0).decode().split())
        if found := re.search(rf"at http://{HOST}:(\d+).*?TCP {HOST}:(\d+)", words):
            return int(found[1]), int(found[2])
        assert process.poll() is None and time.monotonic() < end, f"the server did not start: {words}"
        await asyncio.sleep(0.05)


class Clients:
    """A process full of bots."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.process = Process(process.pid)
        self.tally = Tally()
        """What it told last."""
        self.reported: asyncio.Future[Tally] = asyncio.get_running_loop().create_future()
        self._hearing = asyncio.ensure_future(self._hear())

    @classmethod
    async def start(cls, orders: Orders) -> "Clients":
        command = [sys.executable, str(ROOT / "bench" / "load_bots.py"), msgspec.json.encode(orders).decode()]
        pipe = asyncio.subprocess.PIPE
        return cls(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, limit=1 << 30))

    async def _hear(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            self.tally = msgspec.json.decode(line, type=Tally)
            if self.tally.is_report:
                self.reported.set_result(self.tally)

    def count(self) -> None:
        """From now on."""
        self._order(b"count\n")

    def report(self) -> None:
        """All that was counted, once."""
        self._order(b"report\n")

    async def stop(self) -> None:
        self._order(b"\n")
        await self._process.wait()
        await self._hearing

    def _order(self, order: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(order)
