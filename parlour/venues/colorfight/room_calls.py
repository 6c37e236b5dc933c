"""The HTTP calls with which public clients of ColorfightII create, start, restart and delete rooms.

They take any JSON object and raise Refused, whose words the clients are answered with.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from parlour.games.colorfight.wire import Refused
from parlour.venues.colorfight.room_config import PUBLIC
from parlour.venues.colorfight.room_rights import MOST_SECRET, Requester
from parlour.venues.colorfight.rooms import Rooms, WantedRoom

Said: TypeAlias = Mapping[str, Any]


async def create(rooms: Rooms, said: Said, address: str) -> None:
    name = _text(said, "gameroom_id")
    await rooms.check_new(WantedRoom(name=name))
    wanted = WantedRoom(
        name=name,
        config=said.get("config", "default"),
        fields={"ruleset": said["ruleset"]} if "ruleset" in said else {},
        password=_text(said, "admin_password"),
        join_key=_text(said, "join_key"),
        address=address,
    )
    await rooms.create(wanted)


async def delete(rooms: Rooms, said: Said, address: str) -> None:
    await rooms.delete(_text(said, "gameroom_id"), _requester(said, address))


async def start(rooms: Rooms, said: Said, address: str) -> None:
    room = await rooms.administered(_text(said, "gameroom_id"), _requester(said, address))
    room.start()


async def restart(rooms: Rooms, said: Said, address: str) -> None:
    """Restart a room, as requested by current clients or as in the source text, which has only one room."""
    if "gameroom_id" in said:
        name, fields = _text(said, "gameroom_id"), said.get("config")
        if not isinstance(fields, dict):
            raise Refused("You need to specify config")
    else:
        name, fields = PUBLIC, {field: value for field, value in said.items() if field != "admin_password"}
    await rooms.restart(name, _requester(said, address), fields)


def _requester(said: Said, address: str) -> Requester:
    """A call without a password counts as one with an empty password."""
    return Requester(address=address, password=said.get("admin_password", ""))


def _text(said: Said, field: str) -> str:
    value = said.get(field, "")
    if not isinstance(value, str) or len(value) > MOST_SECRET:
        raise Refused(f"{field} value invalid")
    return value
