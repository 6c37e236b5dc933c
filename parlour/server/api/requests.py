"""Shared by all API routes: error responses, tokens and addresses."""

from collections.abc import Callable, Mapping
from copy import copy
from types import MethodType
from typing import Annotated, Any, Self

from litestar import Response
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter, QueryParameter

from parlour.protocol.errors import RequestError
from parlour.protocol.forms import Problem
from parlour.server.accounts import Doorkeeper, Scope
from parlour.server.api.app import PROBLEM, AnyRequest, problem
from parlour.server.api.lookups import MOST_ID
from parlour.server.net.connections import token_in
from parlour.server.ops.logs import tell_refused
from parlour.server.ops.metrics import Metrics
from parlour.store.store import Token
from parlour.transports.depth import is_too_deep

Id = Annotated[str, PathParameter(max_length=64)]
After = Annotated[int, QueryParameter(ge=0, lt=MOST_ID)]
"""Pages of a list begin after this id."""
Limit = Annotated[int, QueryParameter(ge=1, le=100)]
"""The most entries of a page."""
SeatNumber = Annotated[int | None, QueryParameter(name="seat", ge=0, lt=MOST_ID)]

HEADERS = {401: {"WWW-Authenticate": "Bearer"}, 429: {"Retry-After": "60"}}
MEANINGS = {
    400: "The request cannot be read, or asks for something impossible",
    401: "No valid token",
    403: "Not allowed",
    404: "Not found",
    409: "Not possible in the current state",
    413: "The body is too large",
    415: "The body is not JSON",
    429: "Too many attempts",
    503: "Temporarily unavailable",
    504: "No answer in time",
}
REFUSING = (401, 403, 409, 429, 503)
"""The statuses of refusals. The others say that a request is wrong, or asks for something that does not exist."""
BODY = (400, 413, 415)
"""The error statuses of a bad body."""
TOKEN: list[dict[str, list[str]]] = [{"token": []}]


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """The error responses of a route."""
    return {
        status: ResponseSpec(Problem, generate_examples=False, description=MEANINGS[status], media_type=PROBLEM)
        for status in statuses
    }


def with_token(*statuses: int, more: Mapping[int, ResponseSpec] | None = None) -> dict[str, Any]:
    """Options of a route that needs a token: its error responses are these and those of all such routes. `more` are
    its other responses."""
    body, others = (status for status in statuses if status in BODY), {401, 403, 503, *statuses}.difference(BODY)
    return {"security": TOKEN, "responses": {**refusals(*body, *sorted(others)), **(more or {})}}


class Routes:
    """Derived classes have route handlers as methods."""

    _door: Doorkeeper
    """Knows the tokens. Routes without a token do not need it."""

    def routes(self) -> list[BaseRouteHandler]:
        """The handlers, in the order in which the class has them."""
        handlers = [each for each in vars(type(self)).values() if isinstance(each, BaseRouteHandler)]
        return [copy(handler)(MethodType(handler.fn, self)) for handler in handlers]

    def __deepcopy__(self, memo: object) -> Self:
        """The framework copies handlers, but not what they work with."""
        return self

    async def _allowed(self, request: AnyRequest, scope: Scope) -> Token:
        """The token of a request, which must have this scope."""
        return await self._door.allowed(bearer(request), scope)


def on_request_error(metrics: Metrics) -> Callable[[AnyRequest, RequestError], Response[Problem]]:
    """A handler for refused requests, which counts them."""

    def answer(request: AnyRequest, error: RequestError) -> Response[Problem]:
        if error.status in REFUSING:
            what = f"{request.method} {request.scope.get('path_template', '')}: {error.words}"
            tell_refused(metrics, error.code, what, "http", address(request), error.name)
        return problem(error.status, error.code, error.words, HEADERS.get(error.status))

    return answer


async def only_json(request: AnyRequest, most_depth: int) -> None:
    """Refuse a body that is not JSON in UTF-8 or is nested too deep, and a zero byte in the address, which no store
    takes."""
    if "\0" in request.scope["path"] or b"%00" in request.scope["query_string"]:
        raise RequestError(400, "bad_request", "the address contains a zero byte")
    if request.method not in ("POST", "PUT", "PATCH", "DELETE") or not (body := await request.body()):
        return  # the route itself refuses a missing body
    if request.content_type[0] != "application/json":
        raise RequestError(415, "not_json", "the body must be application/json")
    if is_too_deep(body, most_depth):
        raise RequestError(400, "too_deep", f"at most {most_depth} levels")
    try:
        body.decode()
    except UnicodeDecodeError:
        raise RequestError(400, "bad_request", "the body is not UTF-8") from None


def bearer(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """The token in the header of a request or WebSocket."""
    return token_in(connection.scope["headers"])


def address(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    return "" if connection.client is None else connection.client.host
