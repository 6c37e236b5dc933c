"""tradeCraft's venue: halls for Socket.IO clients. Loads Socket.IO only when it is opened."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from parlour.server.venue import OpenVenue, Premises, Venue
from parlour.venues.tradecraft.settings import HallSettings

if TYPE_CHECKING:
    from litestar import Router


class HallsVenue(Venue[HallSettings]):
    """A hall for each number of seats; at a host, one for its tables."""

    settings = HallSettings
    moved = HallSettings.__struct_fields__

    async def open(self, section: HallSettings, premises: Premises) -> OpenVenue:
        from parlour.venues.tradecraft.open_halls import OpenHalls

        return OpenHalls(section, premises)

    def api_routes(self, premises: Premises) -> "Sequence[Router]":
        from parlour.venues.tradecraft.open_halls import OpenHalls

        return OpenHalls(HallSettings(), premises).routes()


VENUE = HallsVenue()
