"""API routes for administrators: the state of the server, its refusals, and accounts for a class."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, QueryParameter
from msgspec import UNSET, Meta, Struct, UnsetType

from parlour.core.values import MOST_NAME, plain
from parlour.protocol.errors import RequestError
from parlour.protocol.forms import Problem
from parlour.protocol.reports import tell
from parlour.server.api.app import PROBLEM, AnyRequest, problem
from parlour.server.api.requests import BODY, MEANINGS, Routes, with_token
from parlour.server.ops.account_import import (
    CheckedNames,
    RefusedName,
    WantedAccount,
    check_names,
    hashed_accounts,
    with_passwords,
)
from parlour.server.ops.overview import Observatory, Overview
from parlour.server.ops.refusal_log import MOST_KEPT, Refusal
from parlour.server.venue import Premises
from parlour.store.store import NameTaken

MOST_NAMES = 500
"""How many accounts one import creates at most."""
MOST_NAMED = 5
"""How many refused names the words of a problem contain. The list has all of them."""


class Refusals(Struct, frozen=True):
    """The last refusals, newest first."""

    refusals: tuple[Refusal, ...]
    total: int
    """How many there were since the server started, also those that are no longer kept."""


class NewAccounts(Struct, frozen=True, forbid_unknown_fields=True):
    """The names of a class."""

    names: Annotated[list[str], Meta(min_length=1, max_length=MOST_NAMES)]
    is_trial: bool = False
    """Whether to check the names only."""


class ImportedAccount(Struct, frozen=True):
    name: str
    password: str | None
    """It is shown only once; null in a trial."""


class Imported(Struct, frozen=True):
    """The accounts that were created, or would be."""

    accounts: tuple[ImportedAccount, ...]
    kept: tuple[str, ...]
    """Names that have an account already, which stays as it is."""


class ImportProgress(Struct, frozen=True):
    """How far the running import is; both numbers are 0 if none is running."""

    done: int = 0
    total: int = 0


class NamesProblem(Problem, frozen=True):
    """Why nothing was imported."""

    names: tuple[RefusedName, ...] | UnsetType = UNSET
    """Each name that was refused, and its reason."""


class BadNames(RequestError):
    """Some names of an import are refused."""

    def __init__(self, refused: tuple[RefusedName, ...]) -> None:
        named = [f"line {each.line}: {each.name}: {each.why}" for each in refused[:MOST_NAMED]]
        more = ["..."] if len(refused) > MOST_NAMED else []
        super().__init__(400, "bad_names", "; ".join([*named, *more]))
        self.refused = refused


def on_bad_names(request: AnyRequest, error: BadNames) -> Response[NamesProblem]:
    """The problem with all refused names."""
    told = problem(error.status, error.code, error.words).content
    body = NamesProblem(told.type, told.title, told.status, told.detail, told.code, error.refused)
    return Response(body, status_code=error.status, media_type=PROBLEM)


WRONG_NAMES = ResponseSpec(
    NamesProblem,
    generate_examples=False,
    description=f"{MEANINGS[400]}. Only `bad_names` comes with `names`",
    media_type=PROBLEM,
)


class HostRoutes(Routes):
    """Routes that need the scope `admin`."""

    def __init__(self, premises: Premises, observatory: Observatory) -> None:
        self._store, self._door, self._metrics = premises.store, premises.doorkeeper, premises.metrics
        self._observatory = observatory
        self._progress = ImportProgress()

    @get("/admin/overview", **with_token())
    async def overview(self, request: AnyRequest) -> Overview:
        """The state of the server, for administrators."""
        await self._allowed(request, "admin")
        return await self._observatory.look()

    @get("/admin/refusals", **with_token(400))
    async def refused(
        self,
        request: AnyRequest,
        code: Annotated[str | None, QueryParameter(max_length=64)] = None,
        limit: Annotated[int, QueryParameter(ge=1, le=MOST_KEPT)] = 100,
    ) -> Refusals:
        """The last requests and clients that were refused, for administrators. Equal ones within a minute are one
        entry."""
        await self._allowed(request, "admin")
        log = self._metrics.refusals
        return Refusals(tuple(log.last(limit, code)), log.total)

    @post("/accounts/import", status_code=200, **with_token(*BODY, 409, 429, more={400: WRONG_NAMES}))
    async def import_accounts(self, request: AnyRequest, data: JSONBody[NewAccounts]) -> Imported:
        """Create accounts for a class with drawn passwords, all of them or none, for administrators. If the client
        disconnects before the accounts are stored, none is created."""
        await self._allowed(request, "admin")
        checked = await self._checked(data.names)
        if data.is_trial:
            made = tuple(ImportedAccount(each.name, None) for each in checked.new)
        else:
            made = await self._import(request, checked)
        return Imported(made, tuple(each.name for each in checked.kept))

    @get("/accounts/import", **with_token())
    async def import_progress(self, request: AnyRequest) -> ImportProgress:
        """How far the running import is, for administrators."""
        await self._allowed(request, "admin")
        return self._progress

    async def _checked(self, names: list[str]) -> CheckedNames:
        wanted = [WantedAccount(line, name.strip()) for line, name in enumerate(names, start=1)]
        checked = await check_names(self._store, wanted)
        if checked.refused:
            raise BadNames(tuple(RefusedName(e.line, plain(e.name, MOST_NAME), e.why) for e in checked.refused))
        return checked

    async def _import(self, request: AnyRequest, checked: CheckedNames) -> tuple[ImportedAccount, ...]:
        if self._progress.total:
            raise RequestError(429, "busy", "another import is running; try again later")
        given = with_passwords(checked.new)
        self._progress = ImportProgress(0, len(given))
        try:
            async with _watched(request) as gone:
                hashed = await hashed_accounts(given, self._hashed)
                if gone.done():
                    raise RequestError(409, "gone", "the client has disconnected; nothing was created")
                await self._store.add_accounts(hashed)
        except NameTaken as e:
            [line] = [each.line for each in given if each.name == str(e)]
            raise BadNames((RefusedName(line, str(e), "the name was taken in the meantime"),)) from None
        finally:
            self._progress = ImportProgress()
        tell("accounts imported", count=len(given))
        return tuple(ImportedAccount(each.name, each.password) for each in given)

    def _hashed(self, done: int) -> None:
        self._progress = ImportProgress(done, self._progress.total)


@asynccontextmanager
async def _watched(request: AnyRequest) -> AsyncIterator["asyncio.Future[Any]"]:
    """A future that is done when the client of the request disconnects."""
    gone = asyncio.ensure_future(request.receive())
    try:
        yield gone
    finally:
        gone.cancel()
        await asyncio.gather(gone, return_exceptions=True)
