"""Check passwords and keys of rooms, and limit the number of wrong tries."""

import asyncio
import hmac
from collections.abc import Awaitable, Callable
from functools import partial
from hashlib import sha256

from parlour.protocol.records import Account
from parlour.server.net.attempts import Attempts
from parlour.server.net.login_limits import LoginLimits
from parlour.store.passwords import fits_in_thread


class Guesses:
    """Checks passwords, and counts wrong tries if there are limits."""

    def __init__(self, attempts: Attempts | None = None, logins: LoginLimits | None = None) -> None:
        self._attempts = attempts
        self._logins = logins

    async def owns(self, address: str, password: str, owner: Account) -> bool:
        """Whether this is the password of an account; RequestError after too many wrong ones for this account or from
        this address."""
        by, hash = f"{address} {owner.name}", owner.password or ""
        if self._logins is None:
            return await self.fits(by, password, hash)
        self._logins.count(owner.name, address)
        if right := await self.fits(by, password, hash):
            self._logins.right(owner.name, address)
        else:
            self._logins.wrong(owner, address, "room")
        return right

    async def fits(self, by: str, password: str, *hashes: str) -> bool:
        """Whether one of these hashes is the password's; RequestError after too many wrong tries of `by`, right or
        not."""

        async def check() -> bool:
            for hash in hashes:
                if await fits_in_thread(password, hash):
                    return True
            return False

        return await self.right(by, check)

    async def right(self, by: str, check: Callable[[], Awaitable[bool]]) -> bool:
        """The result of the check. A try counts from its start, so that parallel tries are limited too; a right try is
        not counted afterwards."""
        if self._attempts is None:
            return await check()
        self._attempts.count(by)
        if right := await check():
            self._attempts.forgive(by)
        return right


class Key:
    """A room's key, stored as a slow hash. Once a client has sent the right key, checks are fast."""

    def __init__(self, room: str, hash: str, guesses: Guesses) -> None:
        self._room = room
        self._hash = hash
        """Empty: there is no key."""
        self._guesses = guesses
        self._digest: bytes | None = None
        """A fast hash of the key, in memory only."""
        self._checking = asyncio.Lock()
        """Checks run one at a time, so that many clients with the right key at once do not count as wrong tries."""

    async def fits(self, said: str, address: str) -> bool:
        """Whether this is the key; RequestError after too many wrong ones from this address."""
        if not self._hash:
            return not said
        async with self._checking:
            return await self._guesses.right(f"key {self._room} {address}", partial(self._is, said))

    async def _is(self, said: str) -> bool:
        digest = sha256(said.encode()).digest()
        if self._digest is None and await fits_in_thread(said, self._hash):
            self._digest = digest
        return self._digest is not None and hmac.compare_digest(digest, self._digest)
