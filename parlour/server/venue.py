"""The interface of venues. A venue serves one game over other protocols than that of the arena's tables.

A venue is an object in the entry point group `parlour.venues`, under the name of its game. A server finds its venues
there and imports none of them.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from msgspec import Struct

from parlour import plugins
from parlour.plugins import VENUES

if TYPE_CHECKING:  # reading settings loads the venues, and must not load the server
    from litestar import Router
    from litestar.types import ASGIApp

    from parlour.core import Sitting
    from parlour.players.remote import RemotePlayer
    from parlour.protocol.records import Account
    from parlour.referee.transcript import Header
    from parlour.server.accounts import Doorkeeper
    from parlour.server.joining import ClientDesk
    from parlour.server.net.attempts import Attempts
    from parlour.server.net.login_limits import LoginLimits
    from parlour.server.ops.metrics import Metrics
    from parlour.server.settings import Settings
    from parlour.store.store import Store
    from parlour.tables.arena import Arena
    from parlour.tables.house import HousePlan

S = TypeVar("S", bound=Struct)


class Premises(Struct, frozen=True, kw_only=True):
    """The parts of a server that its venues use."""

    plan: "HousePlan | None" = None
    """How a host plays its game; None: the server serves all games."""
    store: "Store"
    arena: "Arena"
    client_desk: "ClientDesk"
    doorkeeper: "Doorkeeper"
    settings: "Settings"
    tries: "Attempts"
    """Counts attempts to log in, by address."""
    logins: "LoginLimits"
    """Counts wrong passwords, by account."""
    guests: "Attempts"
    """Counts new guests, by address."""
    metrics: "Metrics"


class VenueTable(Protocol):
    """A table of a venue. A client of protocol 1 joins it like a table of the arena."""

    def header(self) -> "Header":
        """The header of the current match; RequestError if there is none."""

    async def check(self, sitting: "Sitting", address: str) -> None:
        """RequestError if a client with this introduction may not join."""

    async def seat(self, player: "RemotePlayer", name: str, account: "Account") -> None:
        """Seat the client, at the seat that its account already has or at a new one; RequestError if there is none."""


class OpenVenue(Protocol):
    """A venue that is open. Derived classes override the methods that they need."""

    def routes(self) -> "Sequence[Router]":
        """HTTP and WebSocket routes of the venue."""
        return ()

    def wrap(self, app: "ASGIApp") -> "ASGIApp":
        """The web application, wrapped in what the venue serves itself."""
        return app

    def table(self, id: str | None) -> VenueTable | None:
        """The table of that name, or the default one if `id` is None; None: use the arena's tables."""
        return None

    def addresses(self, web: str, socket: str) -> Sequence[str]:
        """Addresses of the venue as text for people; `web` and `socket` are the URLs of the web server."""
        return ()

    async def park(self) -> None:
        """Stop all matches, which the next server resumes. Called before clients are told that the server stops."""
        return

    async def close(self) -> None:
        """Close all connections. Called after clients are told, and before the web server stops."""
        return


@runtime_checkable
class Venue(Protocol[S]):
    """A way to serve one game. Derived classes override the methods that they need."""

    settings: type[S]
    """The section [venues.NAME] of the settings. Every field has a default."""
    moved: Collection[str] = ()
    """Settings of the section that earlier releases had among those of the server."""
    host_options: Collection[str] = ()
    """Options of `parlour host --set` besides those of the game, if the game has no tables."""

    def check(self, section: S) -> None:
        """BadSettings if the settings do not fit together."""
        return

    async def open(self, section: S, premises: Premises) -> OpenVenue | None:
        """Open in an arena, after its matches are resumed; None if the settings turn the venue off."""
        return None

    def api_routes(self, premises: Premises) -> "Sequence[Router]":
        """The routes under /api that the venue adds if its settings are the default ones, for the OpenAPI document.
        Nothing is opened."""
        return ()

    def check_host(self, options: Mapping[str, Any]) -> None:
        """BadOptions if a host cannot play with these options, which are those of the game and in `host_options`."""
        return


def find_venue(name: str) -> Venue[Any] | None:
    """The venue of a game, if there is one; BrokenPlugin if it cannot be used."""
    try:
        venue = plugins.load(VENUES, name)
    except KeyError:
        return None
    if not isinstance(venue, Venue):
        raise plugins.BrokenPlugin(f"{name!r} cannot be used: a {type(venue).__name__} is not a Venue")
    return venue


def installed_venues() -> dict[str, Venue[Any] | None]:
    """The venues of all installed games, by name; None for a venue that cannot be used."""
    return _installed()[0]


def venue_problems() -> list[str]:
    """One line for each venue that is broken or missing."""
    venues, lines = _installed()
    missing = [game for game in plugins.games() if game.hosting.seating == "open" and game.name not in venues]
    return lines + [f"{game.title} has no venue; it is only played at tables" for game in missing]


def _installed() -> tuple[dict[str, Venue[Any] | None], list[str]]:
    """The venues whose games can be played, by name, and a line for each that is broken."""
    venues: dict[str, Venue[Any] | None] = {}
    games, lines = plugins.names(), []
    for name in dict.fromkeys(plugin.name for plugin in plugins.found(VENUES) if plugin.name in games):
        venues[name] = None
        try:
            venues[name] = find_venue(name)
        except plugins.BrokenPlugin as e:
            lines.append(f"the venue {e}")
    return venues, lines
