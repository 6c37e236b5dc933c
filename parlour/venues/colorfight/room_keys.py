"""What lets one into rooms, and how often it may be guessed: who was wrong too often is not heard for a while."""

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from functools import partial
from hashlib import sha256

from parlour.games.colorfight.wire import Refused
from parlour.protocol.errors import RequestError
from parlour.server.accounts import Attempts
from parlour.server.net.login_limits import LoginLimits
from parlour.store.passwords import fits_soon
from parlour.store.store import Account


class Guesses:
    """Counts what was wrong, if that is to be counted."""

    def __init__(self, attempts: Attempts | None = None, logins: LoginLimits | None = None) -> None:
        self._attempts = attempts
        self._logins = logins

    async def owns(self, address: str, password: str, owner: Account) -> bool:
        """Whether this is the password of an account; Refused, if there were too many wrong ones, for this account or
        from this address."""
        by, hash = f"{address} {owner.name}", owner.password or ""
        if self._logins is None:
            return await self.fits(by, password, hash)
        try:
            self._logins.count(owner.name, address)
        except RequestError as e:
            raise Refused(e.words) from None
        if right := await self.fits(by, password, hash):
            self._logins.right(owner.name, address)
        else:
            self._logins.wrong(owner, address, "room")
        return right

    async def fits(self, by: str, password: str, *hashes: str) -> bool:
        """Whether one of these is the password's; Refused, if `by` was wrong too often, even if it is right now."""

        async def check() -> bool:
            for hash in hashes:
                if await fits_soon(password, hash):
                    return True
            return False

        return await self.right(by, check)

    async def right(self, by: str, check: Callable[[], Awaitable[bool]]) -> bool:
        """What the check says. A try counts before that is known, and not any more if it is right: many are many."""
        if self._attempts is None:
            return await check()
        try:
            self._attempts.count(by)
        except RequestError as e:
            raise Refused(e.words) from None
        if right := await check():
            self._attempts.forgive(by)
        return right


class Key:
    """What is kept of a room's key is a hash that takes time; once somebody has said the key, it takes none."""

    def __init__(self, room: str, hash: str, guesses: Guesses) -> None:
        self._room = room
        self._hash = hash
        """Empty: there is no key."""
        self._guesses = guesses
        self._digest: bytes | None = None
        """Of the key, quick to compare with; in memory only."""
        self._checking = asyncio.Lock()
        """One after the other: of a crowd that comes at once with the right key nobody is counted."""

    async def fits(self, said: str, address: str) -> bool:
        """Refused, if too many wrong ones have come from there."""
        if not self._hash:
            return not said
        async with self._checking:
            return await self._guesses.right(f"key {self._room} {address}", partial(self._is, said))

    async def _is(self, said: str) -> bool:
        digest = sha256(said.encode()).digest()
        if self._digest is None and await fits_soon(said, self._hash):
            self._digest = digest
        return self._digest is not None and hmac.compare_digest(digest, self._digest)
