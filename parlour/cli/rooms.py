"""Serving the rooms of ColorfightII."""

import asyncio
from collections.abc import Sequence
from typing import Any, Protocol

import msgspec

from parlour.cli.common import UserError, read_settings, stderr
from parlour.cli.matches import summary
from parlour.core import Game
from parlour.games.colorfight.wire import Refused
from parlour.players.load import Spec
from parlour.players.play import Played
from parlour.referee.driver import Watch
from parlour.referee.match import Match
from parlour.server.app import new_app
from parlour.server.channels import channels
from parlour.server.room import Config
from parlour.server.rooms import CONFIGS, OF_ROOMS, PUBLIC, Rooms, set_by_host
from parlour.server.web import run, serving


class Tables(Protocol):
    """The seed of every next match, and who watches it."""

    once: bool

    def __call__(self) -> tuple[bytes, Watch | None]: ...


def host_rooms(
    game: Game[Any],
    bots: Sequence[Spec],
    settings: Sequence[str],
    address: str,
    port: int,
    admin_password: str | None,
    tables: Tables,
) -> None:
    """Serve until told to stop, or for one game of the public room."""
    try:
        config = set_by_host(CONFIGS["constant-run"], read_settings(game, settings, OF_ROOMS))
    except Refused as e:
        raise UserError(f"--set: {e.words}") from None
    run(_host(config, bots, address, port, admin_password, tables))


async def _host(
    config: Config, bots: Sequence[Spec], address: str, port: int, admin_password: str | None, tables: Tables
) -> None:
    over = asyncio.Event()

    def ended(match: Match[Any]) -> None:
        assert match.end is not None
        print(msgspec.json.encode(summary(Played(match, match.end, {}, {}))).decode(), flush=True)
        over.set()

    rooms = Rooms(config, tables, bots=tuple(bots), admin_password=admin_password, ended=ended)
    try:
        async with serving(new_app([channels(rooms)]), address, port) as port:
            here = f"{address}:{port}"
            stderr.print(f"ColorfightII on {here}; Ctrl-C ends it", soft_wrap=True)
            stderr.print(f"  as the source text has it: ws://{here}/game_channel, /action_channel", soft_wrap=True)
            stderr.print(f"  for today's clients:       ws://{here}/gameroom/{PUBLIC}", soft_wrap=True)
            while not (tables.once and over.is_set()):
                over.clear()
                await rooms.public.until(over.wait())
    finally:
        await rooms.close()
