"""Receive and send over WebSockets, without exceptions for lost connections."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeAlias

from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from parlour.transports.limits import SEND_S
from parlour.transports.tcp import NORMAL

Socket: TypeAlias = WebSocket[Any, Any, Any]


async def heard(socket: Socket) -> str | bytes | None:
    """The next message; None if the client has gone."""
    try:
        event: Any = await socket.receive()
    except (WebSocketDisconnect, RuntimeError):
        return None
    said: str | bytes | None = event.get("text")
    return event.get("bytes") if said is None else said


async def received(socket: Socket) -> str | None:
    """The next text; None if the client has gone or sent a binary message."""
    said = await heard(socket)
    return said if isinstance(said, str) else None


async def sent(socket: Socket, text: str) -> bool:
    """Send a text; False if the client is gone or does not read in time."""
    return await _done(socket.send_data(text, mode="text"))


async def closed(socket: Socket, code: int = NORMAL, reason: str | None = None) -> None:
    """Close, if the client is still there."""
    await _done(socket.close(code=code, reason=reason))


async def _done(sending: Coroutine[Any, Any, None]) -> bool:
    try:
        async with asyncio.timeout(SEND_S):
            await sending
    except (TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
        return False
    return True
