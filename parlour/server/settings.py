"""The settings of an arena: a file, then the environment, then the command line; the later wins."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from parlour.core import Game
from parlour.games import NAMES, game
from parlour.transports.lines import MOST_BYTES
from parlour.transports.peer import MOST_UNSENT

Port = Annotated[int, Meta(ge=0, le=65535)]
Count = Annotated[int, Meta(ge=1)]
Seconds = Annotated[float, Meta(gt=0, le=86400)]


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
    guests_a_minute: Count = 240
    """How many may come from one address to play without a token, and how many with a wrong one."""
    tables_per_account: Count = 20
    """How many open tables one account may have."""
    connections: Count = 800
    """How many may be connected over TCP at once; a process may usually have a thousand files open."""
    connections_per_address: Count = 400
    """How many of one address, by HTTP and WebSocket together, and by TCP."""
    message_bytes: Annotated[int, Meta(ge=1024, le=MOST_BYTES)] = MOST_BYTES
    """Of one message, or of the body of one request."""
    message_depth: Annotated[int, Meta(ge=4, le=200)] = 32
    """How deep lists and objects may lie in each other in one message; who goes deeper is let go."""
    messages_a_second: Annotated[float, Meta(gt=0)] = 200.0
    """How fast one connection is listened to, after a burst of twice as many; the rest waits."""
    hello_s: Seconds = 10.0
    """How long somebody may take to say who it is."""
    idle_s: Seconds = 3600.0
    """A player's connection over which nothing went for so long, either way, is closed; its seat stays its own."""
    unsent_bytes: Annotated[int, Meta(ge=1024, le=MOST_UNSENT)] = MOST_UNSENT
    """Who has not read so much that it was sent is let go; its seat stays its own."""
    watch_queue: Count = 500
    """Who watches and is so many messages behind is let go."""
    watchers_per_match: Count = 200
    watch_delay_s: Annotated[float, Meta(ge=0, le=86400)] = 0.0
    """How long after the players those who only watch hear of anything."""
    certificate: str | None = None
    """A file with the certificate, and with those that vouch for it: all ports are then served over TLS."""
    certificate_key: str | None = None
    """The file with its key; None: it lies with the certificate."""
    trusted_proxies: tuple[str, ...] = ()
    """Addresses of proxies, whose word for where a client comes from is taken."""
    log: Literal["debug", "info", "warning", "error", "off"] = "info"
    """What is told on stderr, as lines of JSON."""

    def dialects(self) -> list[tuple[str, Port, Game[Any], Any]]:
        """What is served on which port; BadSettings, if there is no such thing."""
        found = []
        for where, port in self.listeners.items():
            name, _, dialect = where.partition("/")
            if name not in NAMES or (dialect or "tcp") not in game(name).dialects:
                raise BadSettings(f"listeners: there is no {where!r}")
            found.append((where, port, game(name), game(name).dialects[dialect or "tcp"]))
        return found


TABLES = ("listeners", "commands")
"""What only a file can set; a list is told in the environment with commas."""


def read_settings(path: Path | None, environment: Mapping[str, str] = os.environ, **flags: Any) -> Settings:
    """From all three; a flag that is None was not given."""
    try:
        told: dict[str, Any] = {} if path is None else tomllib.loads(path.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise BadSettings(f"{path}: {e}") from None
    for name in Settings.__struct_fields__:
        if name not in TABLES and (value := environment.get(f"PARLOUR_{name.upper()}")) is not None:
            told[name] = [part.strip() for part in value.split(",")] if name == "trusted_proxies" else value
    told |= {name: value for name, value in flags.items() if value is not None}
    try:
        return msgspec.convert(told, Settings, strict=False)
    except msgspec.ValidationError as e:
        raise BadSettings(str(e)) from None
