"""How many rooms one account and one guest may have."""

from collections.abc import Collection

from parlour.protocol.records import Account
from parlour.server.net.addresses import counted_address
from parlour.venues.colorfight.room import Room
from parlour.venues.colorfight.room_refusals import RoomRefused


class RoomLimits:
    """Counts the rooms of accounts and guests. Rooms that public clients create belong to nobody and are not counted
    here."""

    def __init__(self, per_account: int = 3, per_guest: int = 1) -> None:
        self._per_account = per_account
        self._per_guest = per_guest
        self._addresses: dict[Room, str] = {}
        """Where guests created their rooms from, since the server started."""

    def check(self, owner: Account, address: str, rooms: Collection[Room]) -> None:
        """Refused if the account may not create another room."""
        is_guest = owner.password is None
        most = self._per_guest if is_guest else self._per_account
        if not most:
            raise _refused(403, "scope_needed", "guests may not create rooms here")
        if sum(room.owner == owner.id for room in rooms) >= most:
            raise _refused(409, "too_many_rooms", f"you have {most} room{'s' if most > 1 else ''}; delete one first")
        self._addresses = {room: where for room, where in self._addresses.items() if room in rooms}
        if is_guest and [*self._addresses.values()].count(counted_address(address)) >= self._per_account:
            raise _refused(409, "too_many_rooms", f"guests at your address have {self._per_account} rooms")

    def add(self, room: Room, owner: Account, address: str) -> None:
        """Count a new room."""
        if owner.password is None:
            self._addresses[room] = counted_address(address)


def _refused(status: int, code: str, words: str) -> RoomRefused:
    return RoomRefused(status, code, words)
