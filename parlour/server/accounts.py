"""Accounts with passwords, guests without, and their tokens."""

import secrets
from collections.abc import Awaitable, Callable, Collection, Iterable
from hashlib import sha256
from typing import Literal, TypeAlias, TypeVar

from msgspec.structs import replace

from parlour.players.session import Visit
from parlour.protocol.errors import RequestError
from parlour.protocol.records import Account, now_ms
from parlour.server.reserved_names import why_refused_in_thread
from parlour.server.settings import Settings
from parlour.store.passwords import fits_in_thread, hashed_in_thread, is_outdated
from parlour.store.store import NameTaken, Store, Token
from parlour.store.tokens import ParentEnded, PasswordChanged, TooManyTokens

T = TypeVar("T")

Scope: TypeAlias = Literal["play", "host", "account", "admin"]
SCOPES: tuple[Scope, ...] = ("play", "host", "account")
"""The scopes of a token from a login; an administrator's token also has `admin`."""


def visit_of(token: Token) -> Visit:
    """The identity of a client with this token."""
    return Visit(token.account.id, token.id, token.expires_ms)


ChosenVisits: TypeAlias = Callable[[Visit], bool]
"""Chooses clients, by account and token."""
EndVisits: TypeAlias = Callable[[ChosenVisits, str, str], None]
"""Disconnects the chosen clients, and tells them an error code and words."""
PREFIX = "parlour_"
"""All tokens begin with this, so that secret scanners can find them."""
ORDINARY = "guest"
"""The label of a guest's token that the guest already knows."""
DAY_MS = 24 * 3600 * 1000
BANNED = ("banned", "this account is banned")
CHANGED = (409, "changed", "the password was changed at the same time; log in again")


def hash_of(token: str) -> str:
    """Tokens are long and random, so a fast hash is safe."""
    return sha256(token.encode()).hexdigest()


class WrongLogin(RequestError):
    """Wrong name or password; `account` is for the log, if the name exists."""

    def __init__(self, account: Account | None) -> None:
        super().__init__(401, "wrong_login", "no such name and password", None if account is None else account.name)
        self.account = account


async def let_in(store: Store, account: Account, password: str) -> Account:
    """Finish a login with the right password: renew an outdated hash; RequestError if the account is banned, or the
    password is wrong by now."""
    if account.state != "active":
        raise RequestError(403, *BANNED, account.name)
    hash = account.password or ""
    if not is_outdated(hash):
        return account
    renewed = await hashed_in_thread(password)
    if await store.people.renew_hash(account.id, hash, renewed):
        return replace(account, password=renewed)
    now = await store.account_of(account.id)  # another login has renewed the hash, or the password was changed
    if now is None or not await fits_in_thread(password, now.password or ""):
        raise RequestError(*CHANGED)
    return now


class Doorkeeper:
    """Authenticates clients, creates tokens, and ends connections whose token is no longer valid."""

    def __init__(self, store: Store, settings: Settings | None = None, *, has_accounts: bool = True) -> None:
        self._store = store
        self._has_accounts = has_accounts
        """Whether there are accounts besides guests."""
        self._settings = settings or Settings(tables_per_guest=0)
        self._nobody: str | None = None
        self.revoked: set[int] = set()
        """Tokens revoked since the server started, because a concurrent read may still return an old row."""
        self.barred: set[int] = set()
        """Accounts banned or deleted since then, for the same reason."""
        self._ending: list[EndVisits] = []

    def watch(self, end: EndVisits) -> None:
        """Call `end` when clients may not be connected any longer."""
        self._ending.append(end)

    async def guest(self, name: str | None = None, label: str = ORDINARY) -> tuple[str, Token]:
        """A new guest with an unused name: its token, and the stored row of that."""
        token, expires_ms = PREFIX + secrets.token_urlsafe(32), self._expiry(None, None)
        hash, scopes = hash_of(token), ("play", "host") if self._settings.tables_per_guest else ("play",)
        return token, await _named(name, lambda own: self._store.add_guest(own, hash, scopes, label, expires_ms))

    async def guest_without_token(self, name: str | None = None) -> Account:
        """A new guest with an unused name, who cannot return."""
        return await _named(name, lambda own: self._store.add_account(own, None))

    async def register(self, name: str, password: str, *, admin: bool = False) -> Account:
        """A new account; RequestError if the name is taken, reserved, or looks like another one."""
        self._check_accounts()
        why = await why_refused_in_thread(name) or await self.why_taken(name)  # before the slow hash
        if why is not None:
            raise RequestError(409, "name_taken", why)
        hash = await hashed_in_thread(password)
        try:
            return await self._store.add_account(name, hash, admin=admin)
        except NameTaken:
            raise RequestError(409, "name_taken", TAKEN) from None

    async def why_taken(self, name: str) -> str | None:
        """Why this name is not available; None if no account has it or one like it."""
        if await self._store.account(name) is not None:
            return TAKEN
        return None if await self.is_free(name) else "somebody has a name that looks like this one"

    async def is_free(self, name: str) -> bool:
        """Whether no account has this name or one that looks like it, so that a guest may be shown by it."""
        return await self._store.people.holder(name) is None

    async def log_in(self, name: str, password: str) -> Account:
        """Log in by name and password, or raise WrongLogin. A wrong name takes as long as a wrong password."""
        self._check_accounts()
        account = await self._store.account(name)
        hash = None if account is None else account.password
        right = await fits_in_thread(password, hash or await self._decoy())
        if account is None or hash is None or not right:
            raise WrongLogin(account)
        return await let_in(self._store, account, password)

    def _check_accounts(self) -> None:
        if not self._has_accounts:
            raise RequestError(403, "no_accounts", "this host has no accounts; play as a guest")

    async def _decoy(self) -> str:
        """The hash that a password is checked against if there is no such account."""
        if self._nobody is None:
            self._nobody = await hashed_in_thread(secrets.token_urlsafe())
        return self._nobody

    async def change_password(self, account: Account, password: str) -> Account:
        """Change the password of an account that has just logged in. All its tokens are revoked. Returns the account
        with the new password."""
        hash = await hashed_in_thread(password)
        ended = await self._store.people.set_password(account.id, hash, instead_of=account.password)
        if ended is None:
            raise RequestError(*CHANGED)
        self.end(ended, "bad_token", "the password was changed")
        return replace(account, password=hash)

    async def make_token(
        self,
        account: Account,
        scopes: Iterable[Scope],
        label: str,
        *,
        life_s: int | None = None,
        parent: Token | None = None,
    ) -> tuple[str, Token]:
        """A new token and its stored row, which has only the hash of it. Its scopes and lifetime are at most those of
        its parent. Without a parent, the account must still have the password with which it logged in."""
        wanted = sorted(set(scopes))
        if parent is not None and not parent.scopes.issuperset(wanted):
            raise RequestError(403, "scope_needed", "a token cannot give more than it has")
        if "admin" in wanted and not account.admin:
            raise RequestError(403, "not_admin", "only an administrator's token can have the scope admin")
        expires_ms = self._expiry(life_s, parent)
        token = PREFIX + secrets.token_urlsafe(32)
        own = None if parent is None else parent.id
        most = None if account.password is None and parent is None else self._settings.tokens_per_account
        try:
            made = await self._store.add_token(
                account, hash_of(token), wanted, label, expires_ms=expires_ms, parent=own, most=most
            )
        except TooManyTokens:
            raise RequestError(409, "too_many_tokens", TOO_MANY.format(most)) from None
        except ParentEnded:
            raise RequestError(401, "bad_token", NO_TOKEN) from None
        except PasswordChanged:
            raise RequestError(*CHANGED) from None
        return token, made

    def _expiry(self, life_s: int | None, parent: Token | None) -> int | None:
        usual = self._settings.token_days * DAY_MS if life_s is None else life_s * 1000
        wanted = now_ms() + usual if usual else None
        latest = None if parent is None else parent.expires_ms
        if latest is None or (wanted is not None and wanted <= latest):
            return wanted
        if life_s is not None:
            raise RequestError(403, "outlives_parent", "a token cannot live longer than the one it is made from")
        return latest

    async def revoke(self, account: int, token: int) -> bool:
        """Revoke a token and those made from it, and close their connections; False if there is no such token."""
        ended = await self._store.revoke(account, token)
        self.end(ended, "bad_token", "the token was revoked")
        return bool(ended)

    async def end_tokens(self, account: Account) -> None:
        """Revoke all tokens of an account that has just logged in."""
        try:
            ended = await self._store.people.end_tokens(account)
        except PasswordChanged:
            raise RequestError(*CHANGED) from None
        self.end(ended, "bad_token", "the token was revoked")

    def end(self, tokens: Collection[int], code: str, words: str) -> None:
        """Tokens are no longer valid: tell their clients, and disconnect them."""
        self.revoked.update(tokens)
        self.end_visits(lambda visit: visit.token in tokens, code, words)

    def end_expired(self) -> None:
        """Disconnect clients whose token has expired."""
        now = now_ms()
        self.end_visits(lambda visit: visit.expires_ms is not None and visit.expires_ms <= now, "bad_token", EXPIRED)

    def end_visits(self, chosen: ChosenVisits, code: str, words: str) -> None:
        """Tell the chosen clients why, and disconnect them."""
        for end in self._ending:
            end(chosen, code, words)

    def has_ended(self, known: Token) -> bool:
        """Whether a token has been revoked, or its account banned, since it was checked."""
        return known.id in self.revoked or known.account.id in self.barred

    async def valid_token(self, token: str | None) -> Token:
        """Look up a token; RequestError if it is not valid, or its account is banned."""
        found = await self._store.token(hash_of(token)) if token and len(token) < 200 else None
        # the token may have been revoked during the read
        if found is None or found.revoked or found.id in self.revoked:
            raise RequestError(401, "bad_token", NO_TOKEN)
        if found.expires_ms is not None and found.expires_ms <= now_ms():
            raise RequestError(401, "bad_token", EXPIRED, found.account.name)
        if found.account.state != "active" or found.account.id in self.barred:
            raise RequestError(403, *BANNED, found.account.name)
        if "admin" in found.scopes and not found.account.admin:  # the rights were revoked
            return replace(found, scopes=found.scopes - {"admin"})
        return found

    async def allowed(self, token: str | None, scope: Scope) -> Token:
        """`valid_token` for a token that must have a scope."""
        found = await self.valid_token(token)
        if scope not in found.scopes:
            raise RequestError(403, "scope_needed", f"the token lacks the scope {scope}", found.account.name)
        return found


async def _named(name: str | None, add: Callable[[str], Awaitable[T]]) -> T:
    """Add a guest under an unused name that begins with this one."""
    for _ in range(20):
        try:
            return await add(f"{(name or 'guest')[:50]}-{secrets.token_hex(4)}")
        except NameTaken:
            continue
    raise RequestError(503, "no_name", "no name was free; try again")


TAKEN = "somebody has that name"
NO_TOKEN = "a valid token is needed"
EXPIRED = "the token has expired"
TOO_MANY = 'the account has {} valid tokens; revoke some, or log in with "end_others": true'
