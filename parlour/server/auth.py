"""Who somebody is: accounts with passwords, guests without, and tokens that stand for them."""

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Literal, TypeAlias

from parlour.players.accounts import fits, hashed
from parlour.server.seating import Trouble
from parlour.store.store import Account, NameTaken, Store, Token

Scope: TypeAlias = Literal["play", "host", "admin"]

PREFIX = "parlour_"
"""Tokens begin so, and are found by who looks for lost secrets."""
UNTOLD = "seat"
"""The label of a token that a guest hears of when its match begins, and not before."""
TOLD = "match"
"""The label of such a token from just before the guest is told of it."""
MOST_REMEMBERED = 10_000


def hash_of(token: str) -> str:
    """Tokens are long and drawn, so a plain hash keeps them."""
    return sha256(token.encode()).hexdigest()


class Attempts:
    """So many tries in so many seconds, by whatever key they are counted."""

    def __init__(self, most: int, seconds: float, clock: Callable[[], float]) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._tries: dict[str, deque[float]] = {}

    def count(self, key: str) -> None:
        """One more; Trouble, if it is one too many."""
        now = self._clock()
        tries = self._tries.setdefault(key, deque())
        while tries and tries[0] <= now - self._seconds:
            tries.popleft()
        if len(tries) >= self._most:
            raise Trouble(429, "too_many_tries", f"at most {self._most} tries in {self._seconds:g} s")
        tries.append(now)
        if len(self._tries) > MOST_REMEMBERED:
            self._tries = {key: kept for key, kept in self._tries.items() if kept and kept[-1] > now - self._seconds}

    def forgive(self, key: str) -> None:
        """One that was counted was a good one."""
        if tries := self._tries.get(key):
            tries.pop()


class Doorkeeper:
    """Knows everybody."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._hashing = asyncio.Semaphore(2)
        self.revoked: set[int] = set()
        """Tokens that were ended while this server runs; whoever came in with one is let go."""
        self.told_revoked: list[Callable[[int], None]] = []

    async def guest(
        self, name: str | None = None, *, returns: bool = True, label: str = "guest"
    ) -> tuple[Account, str]:
        """A new guest, under a name that nobody has; its token can only play. None is made for who cannot show it."""
        wanted = name or "guest"
        for _ in range(20):
            try:
                account = await self._store.add_account(f"{wanted[:50]}-{secrets.token_hex(4)}", None)
            except NameTaken:
                continue
            return account, await self.new_token(account, ["play"], label) if returns else ""
        raise Trouble(503, "no_name", "no name was free; try again")

    async def register(self, name: str, password: str, *, admin: bool = False) -> Account:
        async with self._hashing:
            hash = await asyncio.to_thread(hashed, password)
        try:
            return await self._store.add_account(name, hash, admin=admin)
        except NameTaken:
            raise Trouble(409, "name_taken", "somebody has that name") from None

    async def log_in(self, name: str, password: str) -> Account:
        """By name and password. A wrong name takes as long as a wrong password."""
        account = await self._store.account(name)
        hash = account.password if account is not None and account.password is not None else _NOBODY
        async with self._hashing:
            right = await asyncio.to_thread(fits, password, hash)
        if account is None or account.password is None or not right:
            raise Trouble(401, "wrong_login", "no such name and password")
        return account

    async def new_token(self, account: Account, scopes: Iterable[Scope], label: str) -> str:
        """Told once, and kept as a hash."""
        wanted = sorted(set(scopes))
        if "admin" in wanted and not account.admin:
            raise Trouble(403, "not_admin", "only an administrator's token can have the scope admin")
        token = PREFIX + secrets.token_urlsafe(32)
        await self._store.add_token(account, hash_of(token), wanted, label)
        return token

    async def revoke(self, account: int, token: int) -> bool:
        """Whether there was such a token; it is of no use any more, not even to who has come in with it."""
        if not await self._store.revoke(account, token):
            return False
        self.revoked.add(token)
        for tell in self.told_revoked:
            tell(token)
        return True

    async def who(self, token: str | None) -> Token:
        """Whose token it is; Trouble, if it is nobody's any more."""
        found = await self._store.token(hash_of(token)) if token and len(token) < 200 else None
        if found is None or found.revoked or found.id in self.revoked:  # which may have been while we looked
            raise Trouble(401, "bad_token", "a token is needed, and this is none that holds")
        return found

    async def allowed(self, token: str | None, scope: Scope) -> Token:
        found = await self.who(token)
        if scope not in found.scopes:
            raise Trouble(403, "scope_needed", f"the token has not the scope {scope}")
        return found


_NOBODY = hashed(secrets.token_urlsafe())
"""What a password is held against where there is none."""
