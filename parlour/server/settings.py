"""The settings of an arena: a file, then the environment, then the command line; the later wins."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from parlour.core import Game
from parlour.games import NAMES, game

Port = Annotated[int, Meta(ge=0, le=65535)]
Count = Annotated[int, Meta(ge=1)]


class BadSettings(ValueError):
    """Something in them cannot be."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a host can set. In the environment a setting is PARLOUR_ and its name, such as PARLOUR_PORT."""

    address: str = "127.0.0.1"
    port: Port = 8000
    """HTTP and WebSocket."""
    store: str = "sqlite:///arena.db"
    """Where everything is kept: sqlite:///FILE or postgresql://USER@HOST/NAME."""
    tcp_port: Port | None = None
    """Protocol 1 over TCP."""
    listeners: dict[str, Port] = {}
    """A game's own protocol over TCP, by the game's name, or GAME/DIALECT for another than its usual one."""
    commands: dict[str, dict[str, str]] = {}
    """By game and name, commands that may be given a seat, written as for `parlour match`."""
    admin_password: str | None = None
    """Lets one start, restart and delete rooms of ColorfightII."""
    tries_a_minute: Count = 20
    """How often one address may log in, register or come as a guest, and one account join a table."""
    tables_per_account: Count = 20
    """How many open tables one account may have."""

    def dialects(self) -> list[tuple[str, Port, Game[Any], Any]]:
        """What is served on which port; BadSettings, if there is no such thing."""
        found = []
        for where, port in self.listeners.items():
            name, _, dialect = where.partition("/")
            if name not in NAMES or (dialect or "tcp") not in game(name).dialects:
                raise BadSettings(f"listeners: there is no {where!r}")
            found.append((where, port, game(name), game(name).dialects[dialect or "tcp"]))
        return found


SIMPLE = ("address", "port", "store", "tcp_port", "admin_password", "tries_a_minute", "tables_per_account")
"""What can be set in the environment."""


def read_settings(path: Path | None, environment: Mapping[str, str] = os.environ, **flags: Any) -> Settings:
    """From all three; a flag that is None was not given."""
    try:
        told: dict[str, Any] = {} if path is None else tomllib.loads(path.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise BadSettings(f"{path}: {e}") from None
    for name in SIMPLE:
        if (value := environment.get(f"PARLOUR_{name.upper()}")) is not None:
            told[name] = value
    told |= {name: value for name, value in flags.items() if value is not None}
    try:
        return msgspec.convert(told, Settings, strict=False)
    except msgspec.ValidationError as e:
        raise BadSettings(str(e)) from None
