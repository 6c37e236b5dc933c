"""The settings of an arena: a file, then the environment, then the command line; the later wins."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from parlour import plugins
from parlour.core import Game
from parlour.games.colorfight.values import Options, Ruleset
from parlour.games.colorfight.wire import Refused
from parlour.transports.lines import MOST_BYTES
from parlour.transports.peer import MOST_UNSENT
from parlour.venues.colorfight.room_config import Config, standing_rooms

Port = Annotated[int, Meta(ge=0, le=65535)]
Count = Annotated[int, Meta(ge=1)]
Origin = Annotated[str, Meta(pattern=r"^(\*|null|https?://[^/?#\s]+)$")]
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
    """Protocol 1 over TCP; None: the port after `port`, unless `listeners` are set."""
    listeners: dict[str, Port] | None = None
    """A game's own protocol over TCP, by the game's name, or GAME/DIALECT for another than its usual one; None: each of
    them, on the ports after that."""
    commands: dict[str, dict[str, str]] = {}
    """By game and name, commands that may be given a seat, written as for `parlour match`."""
    admin_password: str | None = None
    """Lets one start, restart and delete rooms of ColorfightII."""
    rooms: Annotated[int, Meta(ge=0, le=1000)] = 15
    """How many rooms of ColorfightII there may be, the public one among them; 0: none."""
    room_ruleset: Ruleset | None = None
    """What the next games of the public room are played by, and those of new rooms; None: as it was, which is `seed` at
    first."""
    standing_rooms: dict[str, dict[str, Any]] = {}
    """Rooms of ColorfightII that are always there besides the public one: by name, settings as for `/restart`, and
    `config` for the name of one to begin with."""
    room_bots: tuple[str, ...] = ()
    """Who plays in every game of the public room, once somebody has come: built-in bots, or commands, by name."""
    quick_s: Seconds = 20.0
    """How long who looks for a match waits for others; then bots take the seats that are left."""
    return_s: Seconds = 120.0
    """How long a seat is kept for a player whose connection is lost; then it has left the match."""
    tries_a_minute: Count = 20
    """How often one address may log in, register or come as a guest, and one account join a table; and how often one
    address may be wrong about a key or a password in rooms of ColorfightII."""
    guests_a_minute: Count = 240
    """How many may come from one address to play without a token, and how many with a wrong one."""
    guests_days: Annotated[int, Meta(ge=0, le=36500)] = 30
    """A guest who has never had a seat is forgotten after so many days; 0: none is."""
    wrong_logins_a_minute: Count = 30
    """How many wrong passwords one account may get from all addresses together that it has not logged in from."""
    token_days: Annotated[int, Meta(ge=0, le=36500)] = 90
    """How long a token holds whose life was not asked for; 0: until it is revoked."""
    tokens_per_account: Count = 100
    """How many tokens that hold one account may have."""
    tables_per_account: Count = 20
    """How many open tables one account may have."""
    connections: Count = 800
    """How many may be connected over TCP at once, and how many by HTTP and WebSocket together."""
    connections_per_address: Count = 400
    """How many of one address, by HTTP and WebSocket together, and by TCP. An IPv6 network of /64 is one address."""
    message_bytes: Annotated[int, Meta(ge=1024, le=MOST_BYTES)] = MOST_BYTES
    """Of one message, or of the body of one request."""
    message_depth: Annotated[int, Meta(ge=4, le=200)] = 32
    """How deep lists and objects may lie in each other in one message; who goes deeper is let go."""
    messages_a_second: Annotated[float, Meta(gt=0)] = 200.0
    """How fast one connection is listened to, after a burst of twice as many; the rest waits."""
    requests_a_second: Annotated[float, Meta(gt=0)] = 100.0
    """How fast requests and new connections of one address are answered by HTTP, after a burst of twice as many; the
    rest waits. Behind a trusted proxy the address that it forwards counts."""
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
    allowed_origins: tuple[Origin, ...] = ()
    """Origins of other servers whose pages may use Socket.IO from a browser, such as https://play.example.org; "*": all
    of them. Pages of this server always may."""
    log: Literal["debug", "info", "warning", "error", "off"] = "info"
    """What is told on stderr, as lines of JSON."""

    def lines_port(self) -> Port | None:
        """Where protocol 1 is spoken over TCP, if anywhere."""
        if self.tcp_port is None and self.listeners is None:
            return self._after(1)
        return self.tcp_port

    def dialects(self) -> list[tuple[str, Port, Game[Any], Any]]:
        """What is served on which port; BadSettings, if there is no such thing."""
        found = []
        for where, port in self._listeners().items():
            name, _, dialect = where.partition("/")
            game = plugins.find_game(name)
            make = None if game is None else game.hosting.dialects.get(dialect or game.hosting.socket_dialect or "")
            if game is None or make is None:
                raise BadSettings(f"listeners: there is no {where!r}")
            found.append((where, port, game, make))
        return found

    def room_configs(self) -> dict[str, Config]:
        """The standing rooms; BadSettings, if they cannot be."""
        house = Options() if self.room_ruleset is None else Options(ruleset=self.room_ruleset)
        try:
            configs = standing_rooms(self.standing_rooms, house)
        except Refused as e:
            raise BadSettings(f"standing_rooms.{e.words}") from None
        if "public" in configs or len(configs) >= max(self.rooms, 1):
            raise BadSettings("standing_rooms: they are besides `public`, and fewer than `rooms`")
        return configs

    def _listeners(self) -> dict[str, Port]:
        if self.listeners is not None:
            return self.listeners
        return {where: self._after(n) for where, n in usual_ports().items()}

    def _after(self, n: int) -> Port:
        """Any, if the web server may have any."""
        return self.port and min(self.port + n, 65535)


def usual_ports() -> dict[str, int]:
    """Where games with a protocol of their own are played over TCP, counted from the port of the web server: by the
    name of the game, and for others than its usual dialect by GAME/DIALECT."""
    return {
        game.name if dialect == game.hosting.socket_dialect else f"{game.name}/{dialect}": after
        for game in plugins.games()
        for dialect, after in sorted(game.hosting.ports.items(), key=lambda item: item[1])
    }


TABLES = ("listeners", "standing_rooms", "commands")
"""What only a file can set."""
LISTS = ("trusted_proxies", "allowed_origins", "room_bots")
"""What is told in the environment with commas."""


def read_settings(path: Path | None, environment: Mapping[str, str] = os.environ, **flags: Any) -> Settings:
    """From all three; a flag that is None was not given."""
    try:
        told: dict[str, Any] = {} if path is None else tomllib.loads(path.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise BadSettings(f"{path}: {e}") from None
    for name in Settings.__struct_fields__:
        if name not in TABLES and (value := environment.get(f"PARLOUR_{name.upper()}")) is not None:
            told[name] = [part.strip() for part in value.split(",") if part.strip()] if name in LISTS else value
    told |= {name: value for name, value in flags.items() if value is not None}
    try:
        return msgspec.convert(told, Settings, strict=False)
    except msgspec.ValidationError as e:
        raise BadSettings(str(e)) from None
