"""Identity: accounts with passwords, guests without, and tokens that stand for them."""

import secrets
from collections import deque
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from parlour.server.reserved_names import why_refused_soon
from parlour.store.passwords import fits_soon, hashed_soon, is_outdated
from parlour.store.store import Account, NameTaken, Store, Token, now_ms
from parlour.store.tokens import ParentEnded, TooManyTokens
from parlour.tables.seating import Trouble

Scope: TypeAlias = Literal["play", "host", "account", "admin"]
SCOPES: tuple[Scope, ...] = ("play", "host", "account")
"""What a token can do that was given for a password; an administrator's can do `admin`, too."""


class Visit(Struct, frozen=True):
    """Who is connected, and by which token."""

    account: int = 0
    """0: it has not said yet."""
    token: int = 0
    """0: by none, as a guest whose protocol has no words for one."""
    expires_ms: int | None = None

    @classmethod
    def by(cls, token: Token) -> "Visit":
        return cls(token.account.id, token.id, token.expires_ms)


Visits: TypeAlias = Callable[[], Iterable[Visit]]
"""Gives those who are connected now."""
TellEnded: TypeAlias = Callable[[int, str, str], None]
"""Hears of a token that does not hold any more: its id, a code, and words for whoever is connected with it."""
PREFIX = "parlour_"
"""Tokens begin so; programs that look for lost secrets find them by it."""
ORDINARY = "guest"
"""The label of a guest's token that says nothing about tables: the guest can come back with it."""
UNTOLD = "seat"
"""The label of a token that a guest is told when its match begins, and not before."""
TOLD = "match"
"""The label of such a token from just before the guest is told of it."""
MOST_REMEMBERED = 10_000
DAY_MS = 24 * 3600 * 1000
BANNED = ("banned", "this account is banned")


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


class WrongLogin(Trouble):
    """No such name and password; for the log, the account whose name it is."""

    def __init__(self, account: Account | None) -> None:
        super().__init__(401, "wrong_login", "no such name and password")
        self.account = account


async def let_in(store: Store, account: Account, password: str) -> Account:
    """Finish a log-in whose password was right: renew a hash with old parameters; Trouble if the account is banned."""
    if account.state != "active":
        raise Trouble(403, *BANNED)
    hash = account.password or ""
    if is_outdated(hash):
        account = replace(account, password=await hashed_soon(password))
        await store.people.renew_hash(account.id, hash, account.password or "")
    return account


class TokenTerms(Struct, frozen=True):
    """What the settings say of tokens."""

    days: int = 90
    """How long a token holds if its life is not asked for; 0: until it is revoked."""
    most: int = 100
    """How many tokens that hold an account may have."""


class Doorkeeper:
    """Finds out who somebody is, and ends what may not go on."""

    def __init__(self, store: Store, terms: TokenTerms | None = None) -> None:
        self._store = store
        self._terms = terms or TokenTerms()
        self._nobody: str | None = None
        self.revoked: set[int] = set()
        """Tokens that ended while this server runs. One that is just being read may still look good."""
        self.barred: set[int] = set()
        """Accounts that are banned or deleted, as far as this server has heard; for the same reason."""
        self._told_ended: list[TellEnded] = []
        self._visits: list[Visits] = []

    def watch(self, told: TellEnded, visits: Visits) -> None:
        """Tell somebody of every token that ends, and let it say who is connected."""
        self._told_ended.append(told)
        self._visits.append(visits)

    async def guest(
        self, name: str | None = None, *, returns: bool = True, label: str = ORDINARY
    ) -> tuple[Account, str]:
        """A new guest under a name that nobody has, and its token, which can only play; no token, if it could not show
        one anyway."""
        wanted = name or "guest"
        for _ in range(20):
            try:
                account = await self._store.add_account(f"{wanted[:50]}-{secrets.token_hex(4)}", None)
            except NameTaken:
                continue
            return account, await self.new_token(account, ["play"], label) if returns else ""
        raise Trouble(503, "no_name", "no name was free; try again")

    async def register(self, name: str, password: str, *, admin: bool = False) -> Account:
        """A new account; Trouble, if the name is taken, reserved, or looks like another's."""
        if (why := await why_refused_soon(name)) is not None:
            raise Trouble(409, "name_taken", why)
        if (why := await self.why_taken(name)) is not None:  # before a hash is made that nobody needs
            raise Trouble(409, "name_taken", why)
        hash = await hashed_soon(password)
        try:
            return await self._store.add_account(name, hash, admin=admin)
        except NameTaken:
            raise Trouble(409, "name_taken", TAKEN) from None

    async def why_taken(self, name: str) -> str | None:
        """Why somebody else cannot have this name; None: nobody has one like it."""
        if await self._store.account(name) is not None:
            return TAKEN
        return None if await self._store.people.holder(name) is None else "somebody has a name that looks like this one"

    async def log_in(self, name: str, password: str) -> Account:
        """By name and password; WrongLogin, if they do not fit. A wrong name takes as long as a wrong password. A hash
        with old parameters is renewed."""
        account = await self._store.account(name)
        hash = None if account is None else account.password
        right = await fits_soon(password, hash or await self._decoy())
        if account is None or hash is None or not right:
            raise WrongLogin(account)
        return await let_in(self._store, account, password)

    async def _decoy(self) -> str:
        """What a password is checked against if there is no such account."""
        if self._nobody is None:
            self._nobody = await hashed_soon(secrets.token_urlsafe())
        return self._nobody

    async def change_password(self, account: Account, password: str) -> None:
        """Give a new one to an account that has just logged in with its old one. All its tokens end."""
        hash = await hashed_soon(password)
        ended = await self._store.people.set_password(account.id, hash, instead_of=account.password)
        if ended is None:
            raise Trouble(409, "changed", "the password was changed at the same time")
        self.end(ended, "bad_token", "the password was changed")

    async def new_token(self, account: Account, scopes: Iterable[Scope], label: str) -> str:
        """A new token, which is told once and stored as a hash."""
        token, _ = await self.make_token(account, scopes, label)
        return token

    async def make_token(
        self,
        account: Account,
        scopes: Iterable[Scope],
        label: str,
        *,
        life_s: int | None = None,
        parent: Token | None = None,
    ) -> tuple[str, Token]:
        """A new token, and what is stored of it. It can do no more, and lives no longer, than the one that it is made
        from."""
        wanted = sorted(set(scopes))
        if parent is not None and not parent.scopes.issuperset(wanted):
            raise Trouble(403, "scope_needed", "a token cannot give more than it has")
        if "admin" in wanted and not account.admin:
            raise Trouble(403, "not_admin", "only an administrator's token can have the scope admin")
        expires_ms = self._expiry(life_s, parent)
        token = PREFIX + secrets.token_urlsafe(32)
        own = None if parent is None else parent.id
        most = None if account.password is None and parent is None else self._terms.most
        try:
            made = await self._store.add_token(
                account, hash_of(token), wanted, label, expires_ms=expires_ms, parent=own, most=most
            )
        except TooManyTokens:
            raise Trouble(409, "too_many_tokens", TOO_MANY.format(self._terms.most)) from None
        except ParentEnded:
            raise Trouble(401, "bad_token", NO_TOKEN) from None
        return token, made

    def _expiry(self, life_s: int | None, parent: Token | None) -> int | None:
        usual = self._terms.days * DAY_MS if life_s is None else life_s * 1000
        wanted = now_ms() + usual if usual else None
        latest = None if parent is None else parent.expires_ms
        if latest is None or (wanted is not None and wanted <= latest):
            return wanted
        if life_s is not None:
            raise Trouble(403, "outlives_parent", "a token cannot live longer than the one it is made from")
        return latest

    async def revoke(self, account: int, token: int) -> bool:
        """End a token and those made from it, and every connection that was opened with one; False: there is none."""
        ended = await self._store.revoke(account, token)
        self.end(ended, "bad_token", "the token was revoked")
        return bool(ended)

    async def end_tokens(self, account: int) -> None:
        """End all tokens of an account."""
        self.end(await self._store.people.end_tokens(account), "bad_token", "the token was revoked")

    def end(self, tokens: Iterable[int], code: str, words: str) -> None:
        """These do not hold any more; whoever is connected with one is told so and let go."""
        for token in tokens:
            self.revoked.add(token)
            self.tell_ended(token, code, words)

    def tell_ended(self, token: int, code: str, words: str) -> None:
        for tell in self._told_ended:
            tell(token, code, words)

    def end_expired(self) -> None:
        """Let everybody go whose token has expired."""
        now = now_ms()
        for visit in self._connected():
            if visit.expires_ms is not None and visit.expires_ms <= now:
                self.tell_ended(visit.token, "bad_token", EXPIRED)

    def end_visits(self, account: int, code: str, words: str) -> None:
        """Let everybody go who is connected with a token of an account."""
        for visit in self._connected():
            if visit.account == account:
                self.tell_ended(visit.token, code, words)

    def tokens_in_use(self, account: int) -> set[int]:
        """Those of an account."""
        return {visit.token for visit in self._connected() if visit.account == account}

    def _connected(self) -> set[Visit]:
        return {visit for visits in self._visits for visit in visits() if visit.token}

    async def who(self, token: str | None) -> Token:
        """Whose token it is; Trouble, if it does not hold, or its account is banned."""
        found = await self._store.token(hash_of(token)) if token and len(token) < 200 else None
        if found is None or found.revoked or found.id in self.revoked:  # which may have been while we looked
            raise Trouble(401, "bad_token", NO_TOKEN)
        if found.expires_ms is not None and found.expires_ms <= now_ms():
            raise Trouble(401, "bad_token", EXPIRED)
        if found.account.state != "active" or found.account.id in self.barred:
            raise Trouble(403, *BANNED)
        if "admin" in found.scopes and not found.account.admin:  # any more
            return replace(found, scopes=found.scopes - {"admin"})
        return found

    async def allowed(self, token: str | None, scope: Scope) -> Token:
        """The same for a token that must have a scope."""
        found = await self.who(token)
        if scope not in found.scopes:
            raise Trouble(403, "scope_needed", f"the token has not the scope {scope}")
        return found


TAKEN = "somebody has that name"
NO_TOKEN = "a token is needed, and this is none that holds"
EXPIRED = "the token has expired"
TOO_MANY = 'the account has {} tokens that hold; revoke some, or log in with "end_others": true'
