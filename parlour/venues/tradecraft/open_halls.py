"""Open tradeCraft's halls in an arena."""

from collections.abc import Sequence

from litestar import Router
from litestar.types import ASGIApp

from parlour import plugins
from parlour.server.venue import OpenVenue, Premises
from parlour.transports.limits import MOST_USERS
from parlour.venues.tradecraft.hall import Guests, hall_name
from parlour.venues.tradecraft.hall_routes import hall_routes
from parlour.venues.tradecraft.settings import HallSettings
from parlour.venues.tradecraft.socketio_halls import Halls


class OpenHalls(OpenVenue):
    """Halls whose tables are those of an arena, one for each number of seats. They are in front of a web application.
    One address may have at most half of all users."""

    def __init__(self, section: HallSettings, premises: Premises) -> None:
        game, arena, self._plan = plugins.game("tradecraft"), premises.arena, premises.plan
        guests = Guests(arena, premises.client_desk, premises.doorkeeper, premises.guests, game)
        sizes = game.table_seats() if self._plan is None else [self._plan.most]
        most = min(premises.settings.connections_per_address, MOST_USERS // 2)
        by_name = {hall_name(seats): seats for seats in sizes}
        self._halls = Halls(by_name, guests, per_address=most, origins=section.allowed_origins)
        self._router = hall_routes(arena, game)

    def routes(self) -> Sequence[Router]:
        return (self._router,)

    def wrap(self, app: ASGIApp) -> ASGIApp:
        return self._halls.app(app)

    def addresses(self, web: str, socket: str) -> Sequence[str]:
        if self._plan is None:
            return (f"Socket.IO at {web}",)
        return (f"over Socket.IO: {web}, in the hall {hall_name(self._plan.most)!r}",)

    async def close(self) -> None:
        await self._halls.close()
