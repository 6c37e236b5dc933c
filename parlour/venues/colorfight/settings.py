"""Settings of ColorfightII's rooms in an arena."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from parlour.games.colorfight.values import Options, Ruleset
from parlour.games.colorfight.wire import Refused
from parlour.server.settings import BadSettings, Count
from parlour.venues.colorfight.room_config import Config, check_name, for_new_room

MOST_ROOMS = 15


class RoomSettings(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The section [venues.colorfight]."""

    rooms: Annotated[int, Meta(ge=0, le=1000)] = MOST_ROOMS
    """How many rooms there may be, including the public one; 0: none."""
    room_ruleset: Ruleset | None = None
    """The ruleset of the next games of the public room and of new rooms; None: unchanged, `seed` at first."""
    standing_rooms: dict[str, dict[str, Any]] = {}
    """Rooms that always exist besides the public one. By name, settings as for `/restart`, and `config` for the name of
    the config that they change."""
    room_bots: tuple[str, ...] = ()
    """Built-in bots or commands, by name, that play in every game of the public room once a client has joined."""
    admin_password: str | None = None
    """Allows a client to start, restart and delete rooms."""
    rooms_per_account: Count = 3
    """How many rooms one account may own, and all guests of one address together."""
    rooms_per_guest: Annotated[int, Meta(ge=0)] = 1
    """How many rooms one guest may own; 0: guests may not create rooms over the API."""

    def room_configs(self) -> dict[str, Config]:
        """The configs of the standing rooms; BadSettings if they are invalid."""
        house = Options() if self.room_ruleset is None else Options(ruleset=self.room_ruleset)
        configs = {}
        for name, fields in self.standing_rooms.items():
            changes = {**fields}
            try:
                check_name(name)
                configs[name] = for_new_room(changes.pop("config", "default"), changes, house)
            except Refused as e:
                raise BadSettings(f"standing_rooms.{name[:64]}: {e.words}") from None
        if "public" in configs or len(configs) >= max(self.rooms, 1):
            raise BadSettings("standing_rooms: they are besides `public`, and fewer than `rooms`")
        return configs
