"""What all routes of the API have in common: how they are refused, and who asks."""

from typing import Annotated, Any

from litestar import Request, Response
from litestar.connection import ASGIConnection
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import PathParameter

from parlour.server.api.app import PROBLEM, Problem, problem
from parlour.server.joining import is_too_deep
from parlour.tables.seating import Trouble

Id = Annotated[str, PathParameter(max_length=64)]

HEADERS = {401: {"WWW-Authenticate": "Bearer"}, 429: {"Retry-After": "60"}}
MEANINGS = {
    400: "The request cannot be read, or asks for what cannot be",
    401: "No token, or none that holds",
    403: "Not for you",
    404: "There is no such thing",
    409: "Not now",
    413: "The body is too large",
    415: "The body is not JSON",
    429: "Too many tries",
    503: "Not at the moment",
}
BODY = (400, 413, 415)
"""How a body may be refused."""
TOKEN: list[dict[str, list[str]]] = [{"token": []}]


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """What a route may answer but for its good answer."""
    return {
        status: ResponseSpec(Problem, generate_examples=False, description=MEANINGS[status], media_type=PROBLEM)
        for status in statuses
    }


def on_trouble(request: Request[Any, Any, Any], trouble: Trouble) -> Response[Problem]:
    return problem(trouble.status, trouble.code, trouble.words, HEADERS.get(trouble.status))


async def only_json(request: Request[Any, Any, Any], most_depth: int) -> None:
    """Refuse a body of any other kind, and one that is nested too deep."""
    if request.method != "POST" or not await request.body():  # where one is needed, the route misses it
        return
    if request.content_type[0] != "application/json":
        raise Trouble(415, "not_json", "the body must be application/json")
    if is_too_deep(await request.body(), most_depth):
        raise Trouble(400, "too_deep", f"at most {most_depth} levels")


def bearer(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """The token of a request, or of a WebSocket."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def address(request: Request[Any, Any, Any]) -> str:
    return "" if request.client is None else request.client.host
