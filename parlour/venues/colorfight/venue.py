"""ColorfightII's venue: rooms that clients join at any time. Loads a web server only when it is opened."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from parlour.server.venue import OpenVenue, Premises, Venue
from parlour.venues.colorfight.room_config import HOST_VALUES, set_by_host
from parlour.venues.colorfight.settings import RoomSettings

if TYPE_CHECKING:
    from litestar import Router


class RoomsVenue(Venue[RoomSettings]):
    """Rooms in an arena, where games outlive the server, or of a host."""

    settings = RoomSettings
    moved = ("rooms", "room_ruleset", "standing_rooms", "room_bots", "admin_password")
    host_options = tuple(HOST_VALUES)

    def check(self, section: RoomSettings) -> None:
        section.room_configs()

    async def open(self, section: RoomSettings, premises: Premises) -> OpenVenue | None:
        from parlour.venues.colorfight.arena_rooms import open_rooms

        return await open_rooms(section, premises)

    def api_routes(self, premises: Premises) -> "Sequence[Router]":
        from parlour.venues.colorfight.room_api import RoomRoutes

        return [RoomRoutes(premises, None).router()]

    def check_host(self, options: Mapping[str, Any]) -> None:
        set_by_host(options)


VENUE = RoomsVenue()
