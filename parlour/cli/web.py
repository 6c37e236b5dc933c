"""Serving over the web: the rooms of ColorfightII, and the tables of other games."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Protocol

import msgspec

from parlour.cli.common import UserError, stderr
from parlour.cli.matches import summary
from parlour.cli.options import json_or_word, read_settings
from parlour.core import Game
from parlour.games.colorfight.wire import Refused
from parlour.players.load import Spec
from parlour.players.play import Played
from parlour.referee.driver import Watch
from parlour.referee.match import Match
from parlour.server.api.app import new_app
from parlour.server.net.web_server import run, serving
from parlour.server.net.websocket_tables import PATH, lines_over_websocket
from parlour.tables.host import Host
from parlour.venues.colorfight.channels import channels
from parlour.venues.colorfight.room_config import CONFIGS, FIELDS, MOST_DESCRIPTION, OF_ROOMS, Config, set_by_host
from parlour.venues.colorfight.room_log import Unkept
from parlour.venues.colorfight.rooms import MOST_ROOMS, PUBLIC, Rooms
from parlour.venues.tradecraft.hall import hall_name
from parlour.venues.tradecraft.socketio_halls import Halls


@asynccontextmanager
async def host_web(host: Host, game: Game[Any], address: str, port: int) -> AsyncIterator[None]:
    """A host's table over WebSocket as well; and tradeCraft's in a hall for Socket.IO clients."""
    app, hall = new_app([lines_over_websocket(host)]), hall_name(host.seats)
    halls = Halls({hall: host}) if game.name == "tradecraft" else None  # under the name that clients look for
    async with serving(app if halls is None else halls.app(app), address, port) as port:
        stderr.print(f"  over WebSocket: ws://{address}:{port}{PATH}", soft_wrap=True)
        if halls is not None:
            stderr.print(f"  over Socket.IO: http://{address}:{port}, in the hall {hall!r}", soft_wrap=True)
        try:
            yield
        finally:
            if halls is not None:
                await halls.close()


class Tables(Protocol):
    """The seed of every next match, and who watches it."""

    once: bool

    def __call__(self) -> tuple[bytes, Watch | None]: ...


ROOM_VALUES = {
    "first_round_time": "0 to 60, full, never",
    "finish_time": "0 to 60",
    "max_player": "2, 4, 8",
    "allow_join_after_start": "true, false",
    "allow_manual_mode": "true, false",
    "replay_enable": "always, never, end",
    "room_description": f"at most {MOST_DESCRIPTION} characters",
}
"""What may be set of rooms besides the options of the game."""


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
    given, usual = read_settings(game, settings, OF_ROOMS), CONFIGS["constant-run"]
    for name in given.keys() & ROOM_VALUES.keys():
        if not FIELDS[name](given[name]):
            allowed = f"allowed: {ROOM_VALUES[name]} (default: {json_or_word(getattr(usual, name))})"
            raise UserError(f"--set: {name} cannot be that; {allowed}")
    try:
        config = set_by_host(usual, given)
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

    most = 1 if tables.once else MOST_ROOMS
    rooms = Rooms(config, Unkept(tables), bots=tuple(bots), admin_password=admin_password, most=most, ended=ended)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(rooms.close)
        port = await stack.enter_async_context(serving(new_app([channels(rooms)]), address, port))
        stack.push_async_callback(rooms.close)  # everybody is let go before the server stops
        _announce(config, f"[{address}]:{port}" if ":" in address else f"{address}:{port}")
        while not (tables.once and over.is_set()):
            over.clear()
            await rooms.until(over.wait())


def _announce(config: Config, here: str) -> None:
    stderr.print(f"ColorfightII on {here}; Ctrl-C ends it", soft_wrap=True)
    stderr.print(f"  as the source text has it: ws://{here}/game_channel, /action_channel", soft_wrap=True)
    if config.is_of_today:
        stderr.print(f"  for today's clients:       ws://{here}/gameroom/{PUBLIC}", soft_wrap=True)
