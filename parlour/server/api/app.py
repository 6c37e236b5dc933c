"""The web application: routes of all that is served, and how errors are told."""

from collections.abc import Callable, Sequence
from typing import Any

from litestar import Litestar, Request, Response, Router
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme
from litestar.types import ASGIApp, ExceptionHandlersMap, Message, Receive, Scope, Send
from msgspec import Struct

import parlour
from parlour.server.api.schema_page import Described
from parlour.store.failures import is_store_failure

MOST_BODY = 64 * 1024
PROBLEM = "application/problem+json"

CODES = {
    400: "bad_request",
    404: "not_found",
    405: "method_not_allowed",
    408: "too_slow",
    413: "too_large",
    415: "not_json",
    500: "bug",
}
"""What an error is called that is not one of the game's own."""


STORE_FAILED = ("store_failed", "the store does not answer; come back in a while")


class Problem(Struct, frozen=True):
    """What went wrong, as RFC 9457 has it."""

    type: str
    title: str
    status: int
    detail: str
    code: str


def problem(status: int, code: str, words: str, headers: dict[str, str] | None = None) -> Response[Problem]:
    body = Problem("about:blank", code.replace("_", " "), status, words, code)
    return Response(body, status_code=status, media_type=PROBLEM, headers=headers)


def on_http_error(request: Request[Any, Any, Any], error: HTTPException) -> Response[Problem]:
    """What the framework itself refuses."""
    status = error.status_code if error.status_code in CODES else 400 if error.status_code < 500 else 500
    words = "something went wrong here" if status == 500 else _words(error)
    return problem(status, CODES[status], words, dict(error.headers or {}))


def _words(error: HTTPException) -> str:
    """What was wrong, and with which field; not what was sent, which may be anything."""
    if not isinstance(error.extra, list):
        return error.detail.partition(" for ")[0]
    if any(place.get("message") == "'data'" for place in error.extra):
        return "the request needs a body of JSON"
    places = [f"{place.get('key', 'body')}: {place.get('message', '')}" for place in error.extra]
    return "; ".join(places) or "the request cannot be read"


def on_bug(tell: Callable[[str, Exception], None]) -> Callable[[Request[Any, Any, Any], Exception], Response[Problem]]:
    """An answer to what should not happen; `tell` hears of it, and the client of nothing but that."""

    def answer(request: Request[Any, Any, Any], error: Exception) -> Response[Problem]:
        tell(request.scope["path"], error)
        if is_store_failure(error):
            return problem(503, *STORE_FAILED)
        return problem(500, CODES[500], "something went wrong here")

    return answer


def new_app(
    routers: Sequence[Router], on_error: "ExceptionHandlersMap | None" = None, most_body: int = MOST_BODY
) -> ASGIApp:
    """An app with these routes."""
    app = Litestar(
        route_handlers=list(routers),
        request_max_body_size=most_body,
        openapi_config=OpenAPIConfig(
            title="Parlour",
            version=parlour.__version__,
            path="/schema",
            render_plugins=[JsonRenderPlugin(), Described()],  # of the others each sends its readers elsewhere
            use_handler_docstrings=True,
            components=Components(security_schemes={"token": SecurityScheme(type="http", scheme="bearer")}),
        ),
        logging_config=None,
        exception_handlers=on_error or {},
    )
    return _answering_404(app)


def _answering_404(app: ASGIApp) -> ASGIApp:
    """A WebSocket that is refused before it is accepted is not forbidden: there is nothing at that path."""

    async def outer(scope: Scope, receive: Receive, send: Send) -> None:
        accepted = scope["type"] != ScopeType.WEBSOCKET

        async def tell(message: Message) -> None:
            nonlocal accepted
            if message["type"] == "websocket.close" and not accepted:
                await send({"type": "websocket.http.response.start", "status": 404, "headers": []})
                await send({"type": "websocket.http.response.body", "body": b"", "more_body": False})
                return
            accepted = accepted or message["type"] == "websocket.accept"
            await send(message)

        await app(scope, receive, tell)

    return outer
