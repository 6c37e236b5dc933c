"""WebSockets as they come from the web server, in the few words that we need."""

import asyncio
import contextlib
from typing import Any, TypeAlias, cast

from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect

from parlour.server.net.connections import AT_ONCE
from parlour.transports.websocket import AtOnce

SEND_S = 10.0
"""Who does not take a message for so long is let go."""

Socket: TypeAlias = WebSocket[Any, Any, Any]


async def heard(socket: Socket) -> str | bytes | None:
    """Whatever it says; None: the client has gone."""
    try:
        event: Any = await socket.receive()
    except (WebSocketDisconnect, RuntimeError):
        return None
    said: str | bytes | None = event.get("text")
    return event.get("bytes") if said is None else said


async def received(socket: Socket) -> str | None:
    """A text; None: the client has gone, or has sent something else."""
    said = await heard(socket)
    return said if isinstance(said, str) else None


async def sent(socket: Socket, text: str) -> bool:
    """Whether the client has taken it in time."""
    try:
        async with asyncio.timeout(SEND_S):
            await socket.send_data(text, mode="text")
    except (TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
        return False
    return True


def at_once(socket: Socket) -> AtOnce | None:
    """How to send texts without waiting, where the web server can."""
    extensions: dict[str, dict[str, AtOnce]] = cast(Any, socket.scope.get("extensions")) or {}
    return extensions.get(AT_ONCE, {}).get("send")


async def closed(socket: Socket) -> None:
    """Say goodbye, if there is still somebody."""
    with contextlib.suppress(TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
        async with asyncio.timeout(SEND_S):
            await socket.close(code=1000)
