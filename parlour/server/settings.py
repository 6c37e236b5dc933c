"""The settings of an arena: a file, then the environment, then the command line; the later wins."""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.inspect import DictType, Metadata, StructType, Type, UnionType, VarTupleType, type_info
from msgspec.structs import replace

from parlour import plugins
from parlour.core import Game
from parlour.server.venue import Venue, installed_venues
from parlour.transports.lines import MOST_BYTES
from parlour.transports.peer import MOST_UNSENT

Port = Annotated[int, Meta(ge=0, le=65535)]
Count = Annotated[int, Meta(ge=1)]
Seconds = Annotated[float, Meta(gt=0, le=86400)]

S = TypeVar("S", bound=Struct)


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
    venues: dict[str, Any] = {}
    """By game, the section of its venue. What can be set there, the venue says."""
    quick_s: Seconds = 20.0
    """How long who looks for a match waits for others; then bots take the seats that are left."""
    return_s: Seconds = 120.0
    """How long a seat is kept for a player whose connection is lost; then it has left the match."""
    tries_a_minute: Count = 20
    """How often one address may log in, register or come as a guest, and one account join a table; and how often one
    address may give a wrong key or password in a venue."""
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

    def venue(self, name: str, kind: type[S]) -> S:
        """The section of a venue."""
        section: S = self.venues[name] if name in self.venues else kind()
        return section

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


def read_settings(path: Path | None, environment: Mapping[str, str] = os.environ, **flags: Any) -> Settings:
    """From all three; a flag that is None was not given."""
    try:
        told: dict[str, Any] = {} if path is None else tomllib.loads(path.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as e:
        raise BadSettings(f"{path}: {e}") from None
    venues = installed_venues()
    for name, venue in venues.items():
        if venue is not None:
            _refuse_moved(name, venue, told, environment)
    sections = told.pop("venues", {})
    told |= _of_environment(Settings, "PARLOUR_", environment)
    told |= {name: value for name, value in flags.items() if value is not None}
    try:
        settings = msgspec.convert(told, Settings, strict=False)
    except msgspec.ValidationError as e:
        raise BadSettings(str(e)) from None
    return replace(settings, venues=_read_sections(venues, sections, environment))


def tables(kind: type[Struct]) -> list[str]:
    """The settings that are tables, which only a file can set."""
    return [name for name, of in _types(kind).items() if _holds(of, DictType)]


def variable(name: str) -> str:
    """The beginning of the environment variables that set the section of a venue."""
    return f"PARLOUR_VENUES_{name.upper().replace('-', '_')}_"


def _of_environment(kind: type[Struct], beginning: str, environment: Mapping[str, str]) -> dict[str, Any]:
    """What the environment sets, as it would stand in a file. Lists are written with commas."""
    told: dict[str, Any] = {}
    for name, of in _types(kind).items():
        value = environment.get(beginning + name.upper())
        if value is not None and not _holds(of, DictType):
            is_list = _holds(of, VarTupleType)
            told[name] = [part.strip() for part in value.split(",") if part.strip()] if is_list else value
    return told


def _types(kind: type[Struct]) -> dict[str, Type]:
    info = type_info(kind)
    assert isinstance(info, StructType)
    return {field.name: field.type for field in info.fields}


def _holds(of: Type, kind: type[Type]) -> bool:
    """Whether a value of the type may be of that kind."""
    if isinstance(of, Metadata):
        return _holds(of.type, kind)
    if isinstance(of, UnionType):
        return any(_holds(each, kind) for each in of.types)
    return isinstance(of, kind)


Venues: TypeAlias = Mapping[str, Venue[Any] | None]
"""By name; None for one that cannot be used."""


def _read_sections(venues: Venues, told: Any, environment: Mapping[str, str]) -> dict[str, Struct]:
    """By name, the sections of venues that were told. The section of a venue that cannot be used is left out."""
    if isinstance(told, dict):
        for name, venue in venues.items():
            more = {} if venue is None else _of_environment(venue.settings, variable(name), environment)
            if more and isinstance(told.get(name, {}), dict):
                told = {**told, name: {**told.get(name, {}), **more}}
    try:
        read = msgspec.convert({"venues": told}, _form(venues), strict=False).venues
    except msgspec.ValidationError as e:
        raise BadSettings(str(e)) from None
    sections: dict[str, Struct] = {}
    for number, (name, venue) in enumerate(venues.items()):
        if venue is not None and name in told:
            sections[name] = getattr(read, f"_{number}")
            _check(name, venue, sections[name])
    return sections


def _form(venues: Venues) -> Any:
    """A type with a field for each venue, so that a complaint names the place of a wrong setting in the file."""
    fields = [
        (f"_{number}", Any if venue is None else venue.settings, msgspec.field(name=name, default=None))
        for number, (name, venue) in enumerate(venues.items())
    ]
    sections = msgspec.defstruct("Sections", fields, forbid_unknown_fields=True)
    return msgspec.defstruct("Told", [("venues", sections)])


def _check(name: str, venue: Venue[Any], section: Struct) -> None:
    try:
        venue.check(section)
    except BadSettings as e:
        raise BadSettings(f"venues.{name}.{e}") from None


def _refuse_moved(name: str, venue: Venue[Any], told: Mapping[str, Any], environment: Mapping[str, str]) -> None:
    """A setting of a venue stands in the venue's section, and no longer beside the settings of the server."""
    for moved in venue.moved:
        if moved in told:
            raise BadSettings(f"{moved}: this setting is now in the section [venues.{name}]")
        if f"PARLOUR_{moved.upper()}" in environment and moved not in tables(venue.settings):
            raise BadSettings(f"PARLOUR_{moved.upper()}: this setting is now {variable(name)}{moved.upper()}")
