"""API routes for accounts and tokens."""

from litestar import delete, get, post
from litestar.params import FromPath, JSONBody

from parlour.protocol.errors import RequestError
from parlour.protocol.forms import NewGuest, WithToken
from parlour.protocol.records import Account
from parlour.protocol.reports import tell
from parlour.server.accounts import SCOPES, Doorkeeper, Scope, WrongLogin
from parlour.server.api.app import AnyRequest
from parlour.server.api.forms import (
    AccountInfo,
    Farewell,
    Login,
    NewPassword,
    NewToken,
    OwnData,
    Person,
    Returning,
    TokenInfo,
)
from parlour.server.api.lookups import MOST_ID
from parlour.server.api.model_seats import budget_info
from parlour.server.api.requests import BODY, Routes, address, bearer, refusals, with_token
from parlour.server.ops.administration import Administration
from parlour.server.ops.model_seats import usual_model_budget
from parlour.server.ops.seat_texts import TextKeeper
from parlour.server.venue import Premises
from parlour.store.store import Store, Token
from parlour.store.tokens import MOST_LISTED


class AccountRoutes(Routes):
    """Routes for logging in, and for a user's own account."""

    def __init__(self, premises: Premises, administration: Administration, texts: TextKeeper) -> None:
        self._store, self._door = premises.store, premises.doorkeeper
        self._tries, self._logins = premises.tries, premises.logins
        self._usual_model_budget = usual_model_budget(premises.settings)
        self._administration = administration
        self._texts = texts

    @post("/guests", responses=refusals(*BODY, 429, 503))
    async def new_guest(self, request: AnyRequest, data: JSONBody[NewGuest | None] = None) -> WithToken:
        """Create a guest: a name and a token without an account. The body is optional."""
        self._tries.count(address(request))
        return _told(*await self._door.guest(None if data is None else data.name))

    @post("/accounts", responses=refusals(*BODY, 409, 429, 503))
    async def new_account(self, request: AnyRequest, data: JSONBody[Login]) -> WithToken:
        """Create an account with a name and a password."""
        self._tries.count(address(request))
        account = await self._door.register(data.name, data.password)
        return _told(*await self._door.make_token(account, SCOPES, data.label, life_s=data.life_s))

    @post("/login", status_code=200, responses=refusals(*BODY, 401, 403, 409, 429, 503))
    async def log_in(self, request: AnyRequest, data: JSONBody[Returning]) -> WithToken:
        """Create a token for an account. If too many wrong passwords have come for it, its owner can still log in
        by sending a token of the account in the header."""
        account = await self._proved(request, data.name, data.password)
        if data.end_others:
            await self._door.end_tokens(account)
        return _told(
            *await self._door.make_token(account, data.scopes or _all(account), data.label, life_s=data.life_s)
        )

    @post("/password", status_code=200, responses=refusals(*BODY, 401, 403, 409, 429, 503))
    async def change_password(self, request: AnyRequest, data: JSONBody[NewPassword]) -> WithToken:
        """Change a password. All tokens of the account are revoked; the answer has a new one."""
        proved = await self._proved(request, data.name, data.password)
        account = await self._door.change_password(proved, data.new_password)
        tell("password changed", account=account.id)
        return _told(*await self._door.make_token(account, data.scopes or _all(account), data.label))

    @get("/me", **with_token())
    async def me(self, request: AnyRequest) -> AccountInfo:
        """The account and the scopes of the token."""
        return _account(await self._door.valid_token(bearer(request)))

    @get("/tokens", **with_token())
    async def tokens(self, request: AnyRequest) -> list[TokenInfo]:
        """The tokens of your account: at most 1000, valid ones before others, and newer ones before older ones."""
        own = await self._allowed(request, "account")
        return await token_infos(self._store, own.account.id, MOST_LISTED)

    @post("/tokens", **with_token(*BODY, 409))
    async def new_token(self, request: AnyRequest, data: JSONBody[NewToken]) -> WithToken:
        """Create another token. Its scopes are at most those of your token, and both are revoked together."""
        own = await self._door.valid_token(bearer(request))
        made = await self._door.make_token(own.account, data.scopes, data.label, life_s=data.life_s, parent=own)
        return _told(*made)

    @delete("/tokens/{token_id:int}", **with_token(400, 404))
    async def revoke(self, request: AnyRequest, token_id: FromPath[int]) -> None:
        """Revoke one of your tokens and all that were made from it. Without the scope `account`, a token can only
        revoke itself."""
        own = await self._door.valid_token(bearer(request))
        if token_id != own.id and "account" not in own.scopes:
            raise RequestError(403, "scope_needed", "without the scope account a token can only revoke itself")
        await end_token(self._door, own.account.id, token_id)

    @get("/me/export", **with_token(429))
    async def export(self, request: AnyRequest) -> OwnData:
        """Everything that the server stores about your account."""
        own = (await self._owner(request)).account
        self._tries.count(f"export {own.id}")
        tables, matches = await self._store.data.of(own.id)
        chat, reports = await self._store.chat.of_account(own.id)
        await self._texts.save()
        written, notes = await self._store.texts.of(own.id)
        return OwnData(
            person(own),
            tuple(await token_infos(self._store, own.id)),
            tuple(tables),
            tuple(await self._store.data.rooms_of(own.id)),
            tuple(matches),
            tuple(chat),
            tuple(reports),
            tuple(written),
            tuple(notes),
            tuple(await self._store.models.of(own.id)),
            budget_info(await self._store.models.budget(own.id, self._usual_model_budget)),
            tuple(await self._store.leagues.of_account(own.id)),
            tuple(await self._store.ratings.of_account(own.id)),
        )

    @delete("/me", **with_token(*BODY, 409, 429))
    async def delete_me(self, request: AnyRequest, data: JSONBody[Farewell | None] = None) -> None:
        """Delete your account for good. It needs the password, unless you are a guest."""
        own = (await self._owner(request)).account
        if own.admin:
            raise RequestError(409, "yourself", "this is your own account; another administrator can do that")
        if own.password is not None:
            if data is None or data.password is None:
                raise RequestError(400, "password_needed", "only with the password of the account")
            await self._proved(request, own.name, data.password)
        await self._administration.delete_account(own.id)

    async def _owner(self, request: AnyRequest) -> Token:
        """A token with the scope `account`, or the first token of a guest. Guests cannot have that scope."""
        own = await self._door.valid_token(bearer(request))
        is_guests_own = own.account.password is None and own.parent is None
        return own if is_guests_own else await self._allowed(request, "account")

    async def _proved(self, request: AnyRequest, name: str, password: str) -> Account:
        """The account with this name and password; wrong passwords are counted and logged."""
        where = address(request)
        self._tries.count(where)
        proved = await self._is_of(bearer(request), name)
        self._logins.count(name, where, proved=proved)
        try:
            account = await self._door.log_in(name, password)
        except WrongLogin as e:
            self._logins.wrong(e.account, where, "http")
            raise
        self._logins.right(name, where, proved=proved)
        return account

    async def _is_of(self, token: str | None, name: str) -> bool:
        """Whether it is a valid token of the account."""
        if token is None:
            return False
        try:
            return (await self._door.valid_token(token)).account.name == name
        except RequestError:
            return False


async def token_infos(store: Store, account: int, most: int | None = None) -> list[TokenInfo]:
    """The tokens of an account, oldest first. `most`: see `Store.tokens_of`."""
    return [
        TokenInfo(
            token.id, token.label, _listed(token), token.created_ms, token.revoked, token.expires_ms, token.parent
        )
        for token in await store.tokens_of(account, most)
    ]


async def end_token(door: Doorkeeper, account: int, token: int) -> None:
    """Revoke a token; RequestError if the account has no such token."""
    known = 0 < account < MOST_ID and 0 < token < MOST_ID
    if not known or not await door.revoke(account, token):
        raise RequestError(404, "no_such_token", "there is no such token")
    tell("token revoked", account=account, id=token)


def _told(token: str, known: Token) -> WithToken:
    """The response with a new token."""
    return WithToken(known.account.name, token, _listed(known), known.expires_ms, known.account.admin)


def _all(account: Account) -> tuple[Scope, ...]:
    return (*SCOPES, "admin") if account.admin else SCOPES


def _listed(token: Token) -> tuple[str, ...]:
    return tuple(sorted(token.scopes))


def person(own: Account) -> Person:
    """An account without its password."""
    return Person(own.id, own.name, own.password is None, own.admin, own.created_ms, own.state)


def _account(token: Token) -> AccountInfo:
    own = token.account
    return AccountInfo(own.id, own.name, own.password is None, own.admin, _listed(token), token.id, token.expires_ms)
