"""The web application, and its error responses."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from litestar import Litestar, Request, Response, Router
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.spec import Components, SecurityScheme
from litestar.types import ASGIApp, ExceptionHandlersMap, Message, Receive, Scope, Send
from sqlalchemy.exc import SQLAlchemyError

import parlour
from parlour.protocol.errors import BUG, STORE_FAILED
from parlour.protocol.forms import Problem, new_problem
from parlour.protocol.reports import tell_bug
from parlour.server.api.document import Document, complete
from parlour.server.api.schema_page import Described
from parlour.server.net.middleware import answer
from parlour.store.failures import has_nul, is_store_failure
from parlour.transports.limits import MESSAGE_BYTES

AnyRequest: TypeAlias = Request[Any, Any, Any]
MOST_BODY = MESSAGE_BYTES
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
"""Error codes by status, for errors of the framework."""

NUL = "a text of the request has a NUL character, which cannot be stored"


def failure_of(error: Exception) -> tuple[str, str]:
    """The code and the words for an unexpected exception; the client gets no details."""
    return STORE_FAILED if is_store_failure(error) else BUG


def tell_failure(error: Exception, nul: tuple[str, str] = (CODES[400], NUL)) -> tuple[str, str]:
    """The same for a client with a connection. The error is logged, unless the client has caused it with a NUL
    character; `nul` is returned then."""
    if has_nul(error):
        return nul
    is_store = isinstance(error, SQLAlchemyError | OSError)
    tell_bug("store" if is_store else "bug", error)
    return STORE_FAILED if is_store else BUG


def problem(status: int, code: str, words: str, headers: dict[str, str] | None = None) -> Response[Problem]:
    return Response(new_problem(status, code, words), status_code=status, media_type=PROBLEM, headers=headers)


def on_http_error(request: AnyRequest, error: HTTPException) -> Response[Problem]:
    """Convert an error of the framework."""
    status = error.status_code if error.status_code in CODES else 400 if error.status_code < 500 else 500
    words = BUG[1] if status == 500 else _words(request, error)
    return problem(status, CODES[status], words, dict(error.headers or {}))


def _words(request: AnyRequest, error: HTTPException) -> str:
    """Describe the error and its field, without the value that was sent."""
    if not isinstance(error.extra, list):
        return error.detail.partition(" for ")[0]
    if any(place.get("message") == "'data'" for place in error.extra):
        return "the request needs a body of JSON"
    places = [f"{_sent_name(request, place.get('key', 'body'))}: {place.get('message', '')}" for place in error.extra]
    return "; ".join(places) or "the request cannot be read"


def _sent_name(request: AnyRequest, key: str) -> str:
    """The name of a parameter as clients send it."""
    field = request.route_handler.parsed_fn_signature.parameters.get(key)
    return key if field is None else getattr(field.kwarg_definition, "name", None) or key


def on_bug(tell: Callable[[str, Exception], None]) -> Callable[[AnyRequest, Exception], Response[Problem]]:
    """A handler for unexpected exceptions: `tell` logs them; the client gets no details."""

    def answer(request: AnyRequest, error: Exception) -> Response[Problem]:
        if has_nul(error):
            return problem(400, CODES[400], NUL)
        tell(request.scope["path"], error)
        return problem(503 if is_store_failure(error) else 500, *failure_of(error))

    return answer


def new_app(
    routers: Sequence[Router], on_error: "ExceptionHandlersMap | None" = None, most_body: int = MOST_BODY
) -> ASGIApp:
    """An app with these routes."""
    return _answering_404(_routed(routers, on_error or {}, most_body))


def document_of(routers: Sequence[Router]) -> dict[str, Any]:
    """The OpenAPI document of these routes."""
    app = _routed(routers, {}, MOST_BODY)
    return complete(app, app.openapi_schema.to_schema())


def _routed(routers: Sequence[Router], on_error: "ExceptionHandlersMap", most_body: int) -> Litestar:
    return Litestar(
        route_handlers=list(routers),
        request_max_body_size=most_body,
        openapi_config=OpenAPIConfig(
            title="Parlour",
            version=parlour.__version__,
            path="/schema",
            render_plugins=[Document(), Described()],  # the others load scripts from elsewhere
            use_handler_docstrings=True,
            components=Components(security_schemes={"token": SecurityScheme(type="http", scheme="bearer")}),
        ),
        logging_config=None,
        exception_handlers=on_error,
    )


def _answering_404(app: ASGIApp) -> ASGIApp:
    """Answer 404 instead of 403 to a WebSocket for an unknown path."""

    async def outer(scope: Scope, receive: Receive, send: Send) -> None:
        accepted = False

        async def tell(message: Message) -> None:
            nonlocal accepted
            if message["type"] == "websocket.close" and not accepted:
                await answer(scope, send, 404)
                return
            accepted = accepted or message["type"] == "websocket.accept"
            await send(message)

        await app(scope, receive, tell if scope["type"] == ScopeType.WEBSOCKET else send)

    return outer
