"""Open tradeCraft's halls in an arena."""

from collections.abc import Callable, Sequence

from litestar import Router
from litestar.types import ASGIApp

from parlour import plugins
from parlour.server.venue import OpenVenue, Premises
from parlour.venues.tradecraft.arena_halls import Guests, pools
from parlour.venues.tradecraft.hall import hall_name
from parlour.venues.tradecraft.hall_routes import hall_routes
from parlour.venues.tradecraft.settings import HallSettings
from parlour.venues.tradecraft.socketio_halls import Halls


class OpenHalls(OpenVenue):
    """Halls in front of a web application."""

    def __init__(self, halls: Halls, address: Callable[[str], str], routers: Sequence[Router] = ()) -> None:
        """`address` describes where the halls are, given the URL of the web server."""
        self._halls = halls
        self._address = address
        self._routers = routers

    def routes(self) -> Sequence[Router]:
        return self._routers

    def wrap(self, app: ASGIApp) -> ASGIApp:
        return self._halls.app(app)

    def addresses(self, web: str, socket: str) -> Sequence[str]:
        return (self._address(web),)

    async def close(self) -> None:
        await self._halls.close()


def open_halls(section: HallSettings, premises: Premises) -> OpenHalls:
    """Halls whose tables are those of an arena."""
    game, arena, plan = plugins.game("tradecraft"), premises.arena, premises.plan
    guests = Guests(arena, premises.doorkeeper, premises.guests, game)
    per_address, origins = premises.settings.connections_per_address, section.allowed_origins
    sizes = game.table_seats() if plan is None else [plan.most]
    halls = pools(arena, premises.ways, guests, game, sizes, per_address, origins)
    words = "Socket.IO at {}" if plan is None else f"over Socket.IO: {{}}, in the hall {hall_name(plan.most)!r}"
    return OpenHalls(halls, words.format, [hall_routes(arena, game)])
