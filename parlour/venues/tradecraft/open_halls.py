"""Open tradeCraft's halls in an arena."""

from collections.abc import Callable, Sequence

from litestar import Router
from litestar.types import ASGIApp

from parlour import plugins
from parlour.server.venue import OpenVenue, Premises
from parlour.transports.limits import MOST_USERS
from parlour.venues.tradecraft.hall import Guests, Hall, hall_name
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
    """Halls whose tables are those of an arena, one for each number of seats. One address may have at most half of all
    users."""
    game, arena, plan = plugins.game("tradecraft"), premises.arena, premises.plan
    guests = Guests(arena, premises.doorkeeper, premises.guests, game)
    sizes = game.table_seats() if plan is None else [plan.most]
    by_name = {hall_name(seats): Hall(seats, arena, premises.ways, guests, game) for seats in sizes}
    most = min(premises.settings.connections_per_address, MOST_USERS // 2)
    halls = Halls(by_name, guests, per_address=most, origins=section.allowed_origins)
    words = "Socket.IO at {}" if plan is None else f"over Socket.IO: {{}}, in the hall {hall_name(plan.most)!r}"
    return OpenHalls(halls, words.format, [hall_routes(arena, game)])
