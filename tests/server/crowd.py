"""Clients over plain TCP: one that speaks protocol 1, and many that only connect."""

import asyncio
import json
import os
import resource
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.players.clients import CLIENTS


class Line:
    """A client of one of the TCP ports."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def to(cls, port: int | None, **more: Any) -> "Line":
        assert port is not None
        line = cls(*await asyncio.open_connection("127.0.0.1", port, limit=2**20, **more))
        CLIENTS.append(line.writer)
        return line

    def say(self, **message: Any) -> None:
        self.writer.write(json.dumps(message).encode() + b"\n")

    async def hear(self, kind: str) -> dict[str, Any]:
        async with asyncio.timeout(30):
            while True:
                message: dict[str, Any] = json.loads(await self.reader.readline())
                if message["type"] == kind:
                    return message

    async def last(self) -> dict[str, Any]:
        """The first message after hello and events."""
        async with asyncio.timeout(30):
            while True:
                message: dict[str, Any] = json.loads(await self.reader.readline())
                if message["type"] not in ("hello", "event"):
                    return message

    async def ended(self) -> None:
        with suppress(ConnectionError):
            async with asyncio.timeout(30):
                while await self.reader.read(65536):
                    pass


class Crowd:
    """Many clients that connect from several addresses, send a message or none, and stay connected."""

    def __init__(self) -> None:
        self.members: list[socket.socket] = []

    def __enter__(self) -> "Crowd":
        return self

    def __exit__(self, *_: object) -> None:
        self.goes()

    async def comes(self, port: int, said: bytes, many: int, addresses: Iterable[int]) -> None:
        """Connect so many clients from each of these addresses 127.0.0.N."""
        for address in addresses:
            for _ in range(many):
                member = socket.socket()
                member.bind((f"127.0.0.{address}", 0))
                member.settimeout(30)
                self.members.append(member)
                await asyncio.sleep(0)
                member.connect(("127.0.0.1", port))
                with suppress(OSError):  # it may have been sent away already
                    member.sendall(said)
                member.setblocking(False)

    def left(self) -> int:
        """The number of clients that are still connected."""
        return sum(map(_is_open, self.members))

    def goes(self) -> None:
        for member in self.members:
            member.close()
        self.members.clear()


def _is_open(member: socket.socket) -> bool:
    try:
        while member.recv(65536):
            pass
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False


MANY = 65_536
"""A limit of open files that is enough for every test."""


def more_files() -> int:
    """Raise the limit of open files of this process, and return it."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MANY if most == resource.RLIM_INFINITY else min(most, MANY)
    if now != resource.RLIM_INFINITY and now < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
        return wanted
    return wanted if now == resource.RLIM_INFINITY else now


def peak_memory() -> int:
    """The peak memory of this process in bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def certificate(folder: Path) -> dict[str, str]:
    """The settings of an arena with a certificate for 127.0.0.1; skips the test without openssl."""
    if shutil.which("openssl") is None:
        assert os.environ.get("CI") != "true"
        pytest.skip("there is no openssl here to make a certificate with")
    key, made = str(folder / "key.pem"), str(folder / "certificate.pem")
    ask = ["-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(["openssl", "req", *ask, *name, "-keyout", key, "-out", made], check=True, capture_output=True)
    return {"certificate": made, "certificate_key": key}
