"""How many rooms one account and one guest may have."""

from collections.abc import Collection

from parlour.protocol.records import Account
from parlour.server.net.addresses import counted_address
from parlour.venues.colorfight.room import Room
from parlour.venues.colorfight.room_refusals import RoomRefused
from parlour.venues.colorfight.settings import RoomSettings


def check_room_limits(section: RoomSettings, owner: Account, address: str, rooms: Collection[Room]) -> None:
    """Refused if the account may not create another room. Rooms that public clients create belong to nobody and are not
    counted here."""
    is_guest, per_account = owner.password is None, section.rooms_per_account
    most = section.rooms_per_guest if is_guest else per_account
    if not most:
        raise RoomRefused(403, "scope_needed", "guests may not create rooms here")
    if sum(room.record.owner == owner.id for room in rooms) >= most:
        words = f"you have {most} room{'s' if most > 1 else ''}; delete one first"
        raise RoomRefused(409, "too_many_rooms", words)
    if is_guest and sum(room.guest_address == counted_address(address) for room in rooms) >= per_account:
        raise RoomRefused(409, "too_many_rooms", f"guests at your address have {per_account} rooms")
