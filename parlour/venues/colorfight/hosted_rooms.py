"""ColorfightII's rooms in a `parlour host`: their games are not stored."""

import asyncio
from collections.abc import Coroutine, Mapping
from contextlib import AsyncExitStack
from typing import Any

import msgspec

from parlour.core import BadOptions
from parlour.games.colorfight.wire import Refused
from parlour.referee.match import Match
from parlour.server.api.app import new_app
from parlour.server.net.web_server import serving
from parlour.server.venue import HostTerms
from parlour.venues.colorfight.channels import channels
from parlour.venues.colorfight.room_config import CONFIGS, FIELDS, MOST_DESCRIPTION, Config, set_by_host
from parlour.venues.colorfight.room_log import Unkept
from parlour.venues.colorfight.rooms import MOST_ROOMS, PUBLIC, Rooms

USUAL = CONFIGS["constant-run"]
ROOM_VALUES = {
    "first_round_time": "0 to 60, full, never",
    "finish_time": "0 to 60",
    "max_player": "2, 4, 8",
    "allow_join_after_start": "true, false",
    "allow_manual_mode": "true, false",
    "replay_enable": "always, never, end",
    "room_description": f"at most {MOST_DESCRIPTION} characters",
}
"""The values of settings of rooms, in words."""


def host_rooms(terms: HostTerms) -> Coroutine[Any, Any, None]:
    """Serve until cancelled, or for one game of the public room; BadOptions if the options do not fit."""
    return _host(_config(terms.options), terms)


def _config(given: Mapping[str, Any]) -> Config:
    for name in given.keys() & ROOM_VALUES.keys():
        if not FIELDS[name](given[name]):
            raise BadOptions(f"{name} has an invalid value; allowed: {ROOM_VALUES[name]} (default: {_usual(name)})")
    try:
        return set_by_host(USUAL, given)
    except Refused as e:
        raise BadOptions(e.words) from None


def _usual(name: str) -> str:
    value = getattr(USUAL, name)
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


async def _host(config: Config, terms: HostTerms) -> None:
    over = asyncio.Event()

    def ended(match: Match[Any]) -> None:
        terms.ended(match)
        over.set()

    rooms = Rooms(
        config,
        Unkept(terms.new_table),
        bots=terms.bots,
        admin_password=terms.admin_password,
        most=1 if terms.once else MOST_ROOMS,
        ended=ended,
    )
    async with AsyncExitStack() as stack:
        stack.push_async_callback(rooms.close)
        port = await stack.enter_async_context(serving(new_app([channels(rooms)]), terms.address, terms.port))
        stack.push_async_callback(rooms.close)  # clients are disconnected before the server stops
        _announce(config, terms, port)
        while not (terms.once and over.is_set()):
            over.clear()
            await rooms.until(over.wait())


def _announce(config: Config, terms: HostTerms, port: int) -> None:
    here = f"[{terms.address}]:{port}" if ":" in terms.address else f"{terms.address}:{port}"
    terms.announce(f"ColorfightII on {here}; Ctrl-C ends it")
    terms.announce(f"  as the source text has it: ws://{here}/game_channel, /action_channel")
    if config.is_of_today:
        terms.announce(f"  for current clients:       ws://{here}/gameroom/{PUBLIC}")
