"""Receive and send over WebSockets, without exceptions for lost connections."""

import asyncio
import contextlib
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
    try:
        async with asyncio.timeout(SEND_S):
            await socket.send_data(text, mode="text")
    except (TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
        return False
    return True


async def closed(socket: Socket, code: int = NORMAL, reason: str | None = None) -> None:
    """Close, if the client is still there."""
    with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
        async with asyncio.timeout(SEND_S):
            await socket.close(code=code, reason=reason)
