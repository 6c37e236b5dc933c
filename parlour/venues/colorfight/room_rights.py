"""The rights to start, restart and delete a room."""

import asyncio

from msgspec import UNSET, Struct

from parlour.games.colorfight.wire import Refused
from parlour.store.passwords import hashed
from parlour.venues.colorfight.room import Room
from parlour.venues.colorfight.room_keys import Guesses
from parlour.venues.colorfight.room_refusals import NOT_ALLOWED, WRONG_PASSWORD, RoomRefused

MOST_SECRET = 200
"""The longest password or key of a room."""


class Requester(Struct, frozen=True, kw_only=True):
    """A client that wants to administer a room."""

    address: str = ""
    account: int | None = None
    is_admin: bool = False
    """Whether the token has the scope `admin`."""
    password: object = UNSET
    """The password that was sent, which may be any value of JSON; UNSET: none, and no attempt is counted."""


class RoomRights:
    """Decides who may administer a room: its owner, an administrator, and the holder of its password or of that of the
    server."""

    def __init__(self, password: str | None, guesses: Guesses) -> None:
        """`password` is that of the server."""
        self._hash = hashed(password) if password else None
        self._guesses = guesses
        self.checking = asyncio.Semaphore(2)
        """Held while a password is hashed or checked, which is slow."""

    def has_password(self, room: Room) -> bool:
        """Whether there is a password for this room."""
        return bool(self._hashes(room))

    async def check(self, room: Room, by: Requester) -> None:
        """Refused if this requester may not administer the room; RequestError after too many wrong passwords."""
        if by.is_admin or (by.account is not None and by.account == room.record.owner):
            return
        hashes = self._hashes(room)
        if not hashes or by.password is UNSET:
            raise RoomRefused(*NOT_ALLOWED)
        if not isinstance(by.password, str) or len(by.password) > MOST_SECRET:
            raise Refused("admin_password value invalid")
        async with self.checking:
            right = await self._guesses.fits(f"admin {by.address}", by.password, *hashes)
        if not right:
            raise RoomRefused(*WRONG_PASSWORD)

    def _hashes(self, room: Room) -> list[str]:
        return [hash for hash in (room.record.admin, self._hash) if hash is not None]
