"""ColorfightII's venue: rooms that clients join at any time. Loads a web server only when it is opened."""

from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from parlour.server.venue import HostTerms, OpenVenue, Premises, Venue
from parlour.venues.colorfight.room_config import OF_ROOMS
from parlour.venues.colorfight.settings import RoomSettings

if TYPE_CHECKING:
    from litestar import Router


class RoomsVenue(Venue[RoomSettings]):
    """Rooms in an arena, where games outlive the server, or in a `parlour host`."""

    settings = RoomSettings
    moved = ("rooms", "room_ruleset", "standing_rooms", "room_bots", "admin_password")
    host_options = OF_ROOMS

    def check(self, section: RoomSettings) -> None:
        section.room_configs()

    async def open(self, section: RoomSettings, premises: Premises) -> OpenVenue | None:
        from parlour.venues.colorfight.arena_rooms import open_rooms

        return await open_rooms(section, premises)

    def api_routes(self, premises: Premises) -> "Sequence[Router]":
        from parlour.venues.colorfight.arena_rooms import api_routes

        return [api_routes(premises)]

    def host(self, terms: HostTerms) -> Coroutine[Any, Any, None]:
        from parlour.venues.colorfight.hosted_rooms import host_rooms

        return host_rooms(terms)


VENUE = RoomsVenue()
