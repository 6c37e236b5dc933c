"""Clients that connect to our tables, and are gone when a test is over."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from tests import turned

Client = tuple[asyncio.StreamReader, asyncio.StreamWriter]

CLIENTS: list[asyncio.StreamWriter] = []


async def connect(port: int, first_line: str | None = None) -> Client:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    CLIENTS.append(writer)
    if first_line is not None:
        writer.write(first_line.encode() + b"\n")
    return reader, writer


def run(work: Coroutine[Any, Any, Any]) -> Any:
    """Run this work under a clock that the test turns; returns its result."""

    async def parting() -> Any:
        CLIENTS.clear()  # whoever is left there is of a loop that is gone
        try:
            return await work
        finally:
            for writer in CLIENTS:
                writer.transport.abort()
            CLIENTS.clear()
            await asyncio.sleep(0.01)

    return turned.run(parting())
