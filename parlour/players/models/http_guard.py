"""Send the requests of the official clients, with the key in the header and nowhere else.

The clients get a stand-in for the key, so that none of their objects, errors and logs can hold it. Responses are read
here up to a limit, and a key in them is replaced before the clients see them."""

import logging
import ssl
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import httpx2

from parlour.players.models.endpoints import ApiKey, Endpoint

STAND_IN = "parlour-sends-the-key"
MOST_BYTES = 4 * 2**20
"""Bytes of a response."""
CONNECT_S = 10.0
PLAIN_HEADERS = frozenset(
    ("accept", "anthropic-version", "connection", "content-length", "content-type", "host", "user-agent")
)
"""Headers that are sent to any endpoint. The clients add others from the environment for their own service only."""


logging.getLogger("httpcore2").setLevel(logging.WARNING)  # this logger would log the unchanged headers of responses


class TooLong(Exception):
    """A response is longer than any answer."""


@cache
def secure_context() -> ssl.SSLContext:
    """Reading the certificates takes long, so it is done once, in a thread."""
    return httpx2.create_ssl_context()


class GuardedClient(httpx2.AsyncClient):
    """Adds the key to requests, and hides it in responses. It follows no redirects, which could leak the key."""

    def __init__(self, endpoint: Endpoint, key: ApiKey) -> None:
        self._endpoint = endpoint
        self._key = key
        is_local = _is_local(endpoint.base_url)
        super().__init__(
            verify=secure_context(),
            trust_env=not is_local,  # proxies
            follow_redirects=False,
            timeout=httpx2.Timeout(None, connect=CONNECT_S),
        )

    async def send(self, request: httpx2.Request, **how: Any) -> httpx2.Response:
        keyed = self._with_key(request)
        response = await super().send(keyed, **{**how, "stream": True, "follow_redirects": False})
        try:
            content = await self._read(response)
        finally:
            await response.aclose()
        headers = [
            (name, self._key.hidden_in(value))
            for name, value in response.headers.multi_items()
            if name not in ("content-encoding", "content-length", "transfer-encoding", "set-cookie")
        ]
        return httpx2.Response(response.status_code, headers=headers, content=content, request=request)

    def _with_key(self, request: httpx2.Request) -> httpx2.Request:
        """The request as it is sent. The clients keep theirs, without the key."""
        headers = [("accept-encoding", "identity")]
        for name, value in request.headers.items():
            if STAND_IN in value:
                headers += [(name, value.replace(STAND_IN, self._key.reveal()))] if self._key else []
            elif (self._endpoint.is_own and name != "accept-encoding") or name in PLAIN_HEADERS:
                headers.append((name, value))
        return httpx2.Request(
            request.method, request.url, headers=headers, content=request.content, extensions=request.extensions
        )

    async def _read(self, response: httpx2.Response) -> bytes:
        content = bytearray()
        async for part in response.aiter_raw():
            content += part
            if len(content) > MOST_BYTES:
                raise TooLong
        return self._key.hidden_in_bytes(bytes(content))


def _is_local(base_url: str | None) -> bool:
    parts = urlsplit(base_url or "https://")
    host = parts.hostname or ""
    return parts.scheme == "http" and (host in ("localhost", "::1") or host.startswith("127."))
