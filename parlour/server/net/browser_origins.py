"""Browsers as Socket.IO clients: the allowed origins, and the cookie that identifies a reloaded page."""

import hmac
import re
import secrets
from collections.abc import Collection, Mapping
from typing import Any

from litestar.types import Message, Scope, Send

COOKIE = "parlour_page"
"""Identifies the browser, not the user. A reloaded page has no other proof of its identity."""
PAGE = "parlour.page"
"""The scope's key for the cookie's value."""
ANY = "*"

_VALUE = re.compile(rf"(?:^|;)\s*{COOKIE}=([\w-]{{43}})\s*(?:;|$)", re.ASCII)


def with_page(scope: Scope, send: Send) -> tuple[Scope, Send]:
    """Put the browser's cookie into the scope of a handshake, and set one if there is none. Later requests of a session
    do not need it."""
    if b"sid=" in scope["query_string"]:
        return scope, send
    told = b"; ".join(value for name, value in scope["headers"] if name == b"cookie").decode("latin-1")
    known = _VALUE.search(told)
    page = secrets.token_urlsafe(32) if known is None else known[1]
    marked: Any = {**scope, PAGE: page}
    return marked, send if known is not None else _setting_cookie(page, _is_secure(scope), send)


def _setting_cookie(page: str, secure: bool, send: Send) -> Send:
    words = f"{COOKIE}={page}; Path=/socket.io/; HttpOnly; SameSite=Strict" + ("; Secure" if secure else "")

    async def sent(message: Message) -> None:
        told: Any = message
        if message["type"] in ("http.response.start", "websocket.accept"):
            told = {**message, "headers": [*(message.get("headers") or ()), (b"set-cookie", words.encode())]}
        await send(told)

    return sent


def is_same(page: str, other: str) -> bool:
    """Whether both cookies are of the same browser. Two missing cookies are not the same."""
    return bool(page) and hmac.compare_digest(page.encode(), other.encode())


def is_allowed(origin: str | None, environment: Mapping[str, Any], others: Collection[str]) -> bool:
    """Whether a page may connect: its origin is this server or one of `others`."""
    if origin is None or ANY in others or origin in others:
        return True
    host = environment.get("HTTP_HOST", "")
    forwarded = environment.get("HTTP_X_FORWARDED_HOST", host).partition(",")[0].strip()
    proto = environment.get("HTTP_X_FORWARDED_PROTO", "").partition(",")[0].strip()
    own = "https" if _is_secure(environment["asgi.scope"]) else "http"
    return origin in (f"{own}://{host}", f"{proto or own}://{host}", f"{proto or own}://{forwarded}")


def _is_secure(scope: Mapping[str, Any]) -> bool:
    return scope.get("scheme") in ("https", "wss")
