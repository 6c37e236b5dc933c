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
from parlour.transports import limits
from parlour.transports.limits import MESSAGE_BYTES, UNSENT_BYTES, MessageLimits

Port = Annotated[int, Meta(ge=0, le=65535)]
Count = Annotated[int, Meta(ge=1)]
Seconds = Annotated[float, Meta(gt=0, le=86400)]
MOST_DEPTH = 200
"""Deeper JSON cannot be decoded safely."""

S = TypeVar("S", bound=Struct)


class BadSettings(ValueError):
    """A setting is invalid."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All settings of a server. In the environment a setting is PARLOUR_ and its name, such as PARLOUR_PORT."""

    address: str = "127.0.0.1"
    port: Port = 8000
    """HTTP and WebSocket."""
    store: str = "sqlite:///arena.db"
    """The database: sqlite:///FILE or postgresql://USER@HOST/NAME."""
    tcp_port: Port | None = None
    """The port of protocol 1 over TCP; None: the port after `port`, unless `listeners` is set."""
    listeners: dict[str, Port] | None = None
    """Ports of the games' own protocols over TCP, by the game's name, or GAME/DIALECT for any but its default dialect;
    None: all of them, on the ports after that."""
    commands: dict[str, dict[str, str]] = {}
    """By game and name, commands that may play at a seat, written as for `parlour match`."""
    models: dict[str, str] = {}
    """By name, models that may play at a seat of any game, written as for `parlour match`, without `model:`."""
    model_cache: str | None = None
    """The folder for answers of models. The same request is answered from it, at no cost; None: nothing is kept."""
    model_account_budget: Annotated[float, Meta(ge=0, le=1_000_000)] = 0.0
    """The budget of an account for models, in dollars, unless administrators set another limit. Guests may spend
    nothing."""
    venues: dict[str, Any] = {}
    """By game, the section of its venue, which defines what can be set there."""
    quick_s: Seconds = 20.0
    """How long a quick match waits for more players; then bots take the free seats."""
    house_tables_s: Seconds | None = None
    """How long after the end of a match bots begin another one, in each game that nobody plays; None: never."""
    league_matches: Count = 8
    """How many matches of leagues are played at the same time."""
    return_s: Seconds = limits.RETURN_S
    """How long a disconnected player may return to its seat; after that it has left the match."""
    tries_a_minute: Count = limits.TRIES_A_MINUTE
    """How often one address may log in, register or become a guest, and one account join a table or export its data;
    also how many wrong keys or passwords one address may send to a venue."""
    guests_a_minute: Count = limits.GUESTS_A_MINUTE
    """How many clients without a valid token may connect from one address to play."""
    guests_days: Annotated[int, Meta(ge=0, le=36500)] = 30
    """After how many days guests that never had a seat are deleted; 0: never."""
    mcp: bool | None = None
    """Whether agents may play over MCP, at /mcp; None: if the extra `mcp` is installed."""
    mcp_hosts: tuple[str, ...] = ()
    """Host names by which agents and browsers may reach /mcp, besides `localhost` and IP addresses. Needed if browsers
    use it, or if a server that listens only on this machine is reached through a proxy that is not trusted."""
    chat: bool = False
    """Whether tables may have a chat for their players. Tables of quick matches never have one."""
    chat_days: Annotated[int, Meta(ge=1, le=36500)] = 30
    """After how many days chat messages are deleted."""
    wrong_logins_a_minute: Count = limits.WRONG_LOGINS_A_MINUTE
    """How many wrong passwords are checked for one account, over all addresses that it has not logged in from."""
    token_days: Annotated[int, Meta(ge=0, le=36500)] = 90
    """How long a token is valid by default; 0: until it is revoked."""
    tokens_per_account: Count = limits.TOKENS_PER_ACCOUNT
    """How many valid tokens one account may have."""
    tables_per_account: Count = limits.TABLES_PER_ACCOUNT
    """How many open tables one account may have, and all guests of one address together."""
    tables_per_guest: Annotated[int, Meta(ge=0)] = limits.TABLES_PER_GUEST
    """How many open tables one guest may have; 0: guests may not create tables."""
    connections: Count = limits.CONNECTIONS
    """How many connections there may be over TCP, and as many again over HTTP and WebSocket together."""
    connections_per_address: Count = limits.CONNECTIONS_PER_ADDRESS
    """The same limit for one address. An IPv6 /64 network counts as one address."""
    message_bytes: Annotated[int, Meta(ge=1024, le=MESSAGE_BYTES)] = limits.MESSAGE_BYTES
    """The largest message or request body."""
    message_depth: Annotated[int, Meta(ge=4, le=MOST_DEPTH)] = limits.MESSAGE_DEPTH
    """How deep lists and objects may be nested in a message; a client that exceeds this is disconnected."""
    messages_a_second: Annotated[float, Meta(gt=0)] = limits.MESSAGES_A_SECOND
    """How fast messages of one connection are read, after a burst of twice as many; the rest wait."""
    requests_a_second: Annotated[float, Meta(gt=0)] = limits.REQUESTS_A_SECOND
    """How fast HTTP requests and new connections of one address are answered, after a burst of twice as many; the rest
    wait. Behind a trusted proxy the forwarded address counts."""
    hello_s: Seconds = limits.HELLO_S
    """Handshake timeout."""
    idle_s: Seconds = limits.IDLE_S
    """After how long a player's idle connection is closed; the player keeps the seat."""
    unsent_bytes: Annotated[int, Meta(ge=1024, le=UNSENT_BYTES)] = limits.UNSENT_BYTES
    """How much unread output a client may have; beyond that it is disconnected and keeps the seat."""
    watch_queue: Count = limits.WATCH_QUEUE
    """A spectator that is this many messages behind is disconnected."""
    watchers_per_match: Count = limits.WATCHERS_PER_MATCH
    """How many spectators one match may have."""
    watch_delay_s: Annotated[float, Meta(ge=0, le=86400)] = 0.0
    """How far spectators are behind the players."""
    certificate: str | None = None
    """The file with the certificate chain. If it is set, all ports use TLS."""
    certificate_key: str | None = None
    """The file with the private key; None: it is in the file of the certificate."""
    trusted_proxies: tuple[str, ...] = ()
    """Proxies whose forwarded client addresses are trusted."""
    log: Literal["debug", "info", "warning", "error", "off"] = "info"
    """The level of the log, which is written to stderr as lines of JSON."""

    def message_limits(self) -> MessageLimits:
        """The limits on the messages of one client."""
        return MessageLimits(**{name: getattr(self, name) for name in MessageLimits.__struct_fields__})

    def lines_port(self) -> Port | None:
        """The TCP port of protocol 1, if it has one."""
        if self.tcp_port is None and self.listeners is None:
            return self._after(1)
        return self.tcp_port

    def dialects(self) -> list[tuple[str, Port, Game[Any], Any]]:
        """The games' own protocols to serve, with their ports; BadSettings if there is no such game or dialect."""
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
        """The port `n` after `port`; 0, which means any, if `port` is 0."""
        return self.port and min(self.port + n, 65535)


def usual_ports() -> dict[str, int]:
    """The default TCP ports of the games' own protocols, counted from the port of the web server; by the name of the
    game, or GAME/DIALECT for any but its default dialect."""
    return {
        game.name if dialect == game.hosting.socket_dialect else f"{game.name}/{dialect}": after
        for game in plugins.games()
        for dialect, after in sorted(game.hosting.ports.items(), key=lambda item: item[1])
    }


def read_settings(path: Path | None, environment: Mapping[str, str] = os.environ, **flags: Any) -> Settings:
    """Read the settings from file, environment and flags. A flag that is None was not given."""
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
    """Settings of the environment, in the form that they have in a file. Lists are separated by commas."""
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
    """Whether a type is of that kind, or a union with one that is."""
    if isinstance(of, Metadata):
        return _holds(of.type, kind)
    if isinstance(of, UnionType):
        return any(_holds(each, kind) for each in of.types)
    return isinstance(of, kind)


Venues: TypeAlias = Mapping[str, Venue[Any] | None]
"""By name; None for a venue that cannot be used."""


def _read_sections(venues: Venues, told: Any, environment: Mapping[str, str]) -> dict[str, Struct]:
    """The sections of venues that are set, by name, without those of venues that cannot be used."""
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
    """A type with a field for each venue, so that an error message gives the path of the wrong setting."""
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
    """Point to the venue's section if one of its settings is found in its old place among those of the server."""
    for moved in venue.moved:
        if moved in told:
            raise BadSettings(f"{moved}: this setting is now in the section [venues.{name}]")
        if f"PARLOUR_{moved.upper()}" in environment and moved not in tables(venue.settings):
            raise BadSettings(f"PARLOUR_{moved.upper()}: this setting is now {variable(name)}{moved.upper()}")
