"""The web application: routes of all that is served."""

from collections.abc import Sequence

from litestar import Litestar, Router
from litestar.enums import ScopeType
from litestar.openapi.config import OpenAPIConfig
from litestar.types import ASGIApp, ExceptionHandlersMap, Message, Receive, Scope, Send

import parlour

MOST_BODY = 64 * 1024


def new_app(routers: Sequence[Router], on_error: "ExceptionHandlersMap | None" = None) -> ASGIApp:
    """An app with these routes."""
    app = Litestar(
        route_handlers=list(routers),
        request_max_body_size=MOST_BODY,
        openapi_config=OpenAPIConfig(title="Parlour", version=parlour.__version__, path="/schema"),
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
