"""Running an arena from the command line."""

import asyncio
from pathlib import Path
from typing import Any

from parlour.cli.common import UserError, stderr
from parlour.server.serve import Serving, served
from parlour.server.settings import BadSettings, Settings, read_settings
from parlour.server.web import run
from parlour.store.database import BadUrl, shown
from parlour.store.store import Store


def run_arena(file: Path | None, **flags: Any) -> None:
    """Until it is told to stop."""
    try:
        settings = read_settings(file, **flags)
        settings.dialects()
    except BadSettings as e:
        raise UserError(f"settings: {e}") from None
    run(_serve(settings))


async def _serve(settings: Settings) -> None:
    try:
        store = await Store.open(settings.store)
    except BadUrl as e:
        raise UserError(f"store: {e}") from None
    try:
        async with served(settings, store) as serving:
            _announce(settings, serving)
            await asyncio.Event().wait()
    finally:
        await store.close()


def _announce(settings: Settings, serving: Serving) -> None:
    here, arena = f"{settings.address}:{serving.port}", serving.arena
    lines = [
        f"The arena is at http://{here}; Ctrl-C parks it",
        f"  protocol 1:  ws://{here}/play/GAME and /play/GAME/TABLE"
        + ("" if serving.tcp_port is None else f"; TCP {settings.address}:{serving.tcp_port}"),
        *[f"  {spoken + ':':12} TCP {settings.address}:{port}" for spoken, port in serving.listeners.items()],
        f"  to watch:    ws://{here}/watch/MATCH",
        f"  API:         http://{here}/api, described at /schema",
        f"  kept in {shown(settings.store)}; {len(arena.open)} tables and {len(arena.playing)} matches go on",
        *[f"  cannot go on with {trouble}" for trouble in arena.broken],
    ]
    for line in lines:
        stderr.print(line, soft_wrap=True)
