"""API routes for administrators: accounts, their tokens, and stopping matches."""

import asyncio
from contextlib import suppress
from typing import Annotated

from litestar import delete, get, post, put
from litestar.params import FromPath, JSONBody, QueryParameter

from parlour.protocol.errors import RequestError
from parlour.protocol.reports import tell
from parlour.server.api.accounts import end_token, person, token_infos
from parlour.server.api.app import AnyRequest
from parlour.server.api.forms import GivenPassword, People, Person, ResetPassword, TokenInfo
from parlour.server.api.lookups import MOST_ID, found_account, found_match
from parlour.server.api.requests import BODY, After, Id, Limit, Routes, with_token
from parlour.server.ops.administration import Administration
from parlour.server.venue import Premises
from parlour.store.passwords import drawn_password, hashed_in_thread
from parlour.store.store import FINISHED, AccountKind
from parlour.store.tokens import MOST_LISTED

STOP_S = 10.0
"""How long a request waits for a stopped match to end."""


class AdminRoutes(Routes):
    """Routes that need the scope `admin`."""

    def __init__(self, premises: Premises, administration: Administration) -> None:
        self._store, self._arena, self._door = premises.store, premises.arena, premises.doorkeeper
        self._administration = administration

    @get("/accounts", **with_token(400))
    async def accounts(
        self,
        request: AnyRequest,
        after: After = 0,
        limit: Limit = 50,
        part: Annotated[str, QueryParameter(name="q", max_length=64, description="A part of the name")] = "",
        kind: Annotated[AccountKind | None, QueryParameter()] = None,
    ) -> People:
        """All accounts, or those with a name or of a kind, for administrators."""
        await self._allowed(request, "admin")
        found = await self._store.accounts(after, limit, part=part, kind=kind)
        return People(tuple(map(person, found)), found[-1].id if len(found) == limit else None)

    @get("/accounts/{account:int}", **with_token(400, 404))
    async def one_account(self, request: AnyRequest, account: FromPath[int]) -> Person:
        """One account, for administrators."""
        await self._allowed(request, "admin")
        return person(await found_account(self._store, account))

    @get("/accounts/{account:int}/tokens", **with_token(400))
    async def tokens_of(self, request: AnyRequest, account: FromPath[int]) -> list[TokenInfo]:
        """An account's tokens, for administrators: at most 1000, valid ones before others, and newer ones before older
        ones."""
        await self._allowed(request, "admin")
        return await token_infos(self._store, account, MOST_LISTED) if 0 < account < MOST_ID else []

    @delete("/accounts/{account:int}/tokens/{token_id:int}", **with_token(400, 404))
    async def revoke_of(self, request: AnyRequest, account: FromPath[int], token_id: FromPath[int]) -> None:
        """Revoke a token of an account and those made from it, for administrators."""
        await self._allowed(request, "admin")
        await end_token(self._door, account, token_id)

    @put("/accounts/{account:int}/ban", **with_token(400, 404, 409))
    async def ban(self, request: AnyRequest, account: FromPath[int]) -> Person:
        """Ban an account, for administrators. It cannot log in, its tokens are not accepted, its connections are
        closed, and it leaves its matches."""
        await self._other(request, account)
        return await self._set_state(account, banned=True)

    @delete("/accounts/{account:int}/ban", status_code=200, **with_token(400, 404, 409))
    async def unban(self, request: AnyRequest, account: FromPath[int]) -> Person:
        """Unban an account, for administrators. Its tokens are accepted again."""
        await self._allowed(request, "admin")
        return await self._set_state(account, banned=False)

    @post("/accounts/{account:int}/password", status_code=200, **with_token(*BODY, 404, 409))
    async def reset_password(
        self, request: AnyRequest, account: FromPath[int], data: JSONBody[ResetPassword]
    ) -> GivenPassword:
        """Set or generate a password of an account, for administrators. All its tokens are revoked."""
        await self._allowed(request, "admin")
        found, password = await found_account(self._store, account), data.password or drawn_password()
        if await self._store.people.set_password(account, await hashed_in_thread(password)) is None:
            raise RequestError(409, "guest", "a guest has no password")
        await self._administration.carry_out()
        tell("password reset", account=account)
        return GivenPassword(found.name, password)

    @delete("/accounts/{account:int}", **with_token(400, 404, 409))
    async def remove(self, request: AnyRequest, account: FromPath[int]) -> None:
        """Delete an account for good, for administrators. Finished matches stay unchanged."""
        await self._other(request, account)
        if not await self._administration.delete_account(account):
            raise RequestError(404, "no_such_account", "there is no such account")

    @put("/matches/{match:str}/stop", status_code=204, **with_token(400, 404, 409))
    async def stop(self, request: AnyRequest, match: Id) -> None:
        """End a match now and score it as it stands, or cancel a table; for administrators."""
        await self._allowed(request, "admin")
        if (await found_match(self._store, match)).state in FINISHED:
            raise RequestError(409, "over", "the match is over already")
        live = self._arena.playing.get(match)
        await self._store.orders.give("stop", match)
        await self._administration.carry_out()
        if live is not None:
            with suppress(TimeoutError):
                async with asyncio.timeout(STOP_S):
                    await live.ended.wait()
        await self._administration.carry_out()
        after = await self._store.match(match)
        if after is not None and after.state not in FINISHED:
            raise RequestError(503, "stopping", "the match is not running now; it ends as soon as it is resumed")

    async def _other(self, request: AnyRequest, account: int) -> None:
        """Check that an administrator does not act on their own account."""
        own = await self._allowed(request, "admin")
        await found_account(self._store, account)
        if own.account.id == account:
            raise RequestError(409, "yourself", "this is your own account; another administrator can do that")

    async def _set_state(self, id: int, *, banned: bool) -> Person:
        await found_account(self._store, id)
        await self._store.people.set_state(id, "banned" if banned else "active")
        await self._administration.carry_out()
        tell("account banned" if banned else "account unbanned", account=id)
        return person(await found_account(self._store, id))
