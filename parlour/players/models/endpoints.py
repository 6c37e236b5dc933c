"""The services that answer requests to models: providers, addresses and keys. Keys come from the environment only."""

import os
import re
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

from msgspec import Struct

Api: TypeAlias = Literal["openai", "anthropic"]
APIS: tuple[Api, ...] = ("openai", "anthropic")
HIDDEN = "(hidden)"
"""Stands for a key wherever one would be shown."""
SHORTEST_HIDDEN = 6
"""Shorter keys are not searched for in texts; a word of a prompt could be the same."""

_PROVIDER = re.compile(r"[a-z][a-z0-9_-]{0,30}")


class BadEndpoint(ValueError):
    """A model cannot be asked; the message is one line."""


class Endpoint(Struct, frozen=True):
    """A service that answers one of the two APIs. It holds the name of the variable with the key, not the key."""

    provider: str
    api: Api
    base_url: str | None
    """None: the provider's own."""
    key_variable: str

    @property
    def is_own(self) -> bool:
        """Whether it is the address of the provider itself, which needs a key."""
        return self.base_url is None

    @property
    def where(self) -> str:
        """The host, for messages."""
        return self.provider if self.base_url is None else f"{self.provider} at {urlsplit(self.base_url).netloc}"

    def key(self, environment: Mapping[str, str] = os.environ) -> "ApiKey":
        return ApiKey(environment.get(self.key_variable, "").strip())


class ApiKey:
    """A key, which is never shown by accident."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __bool__(self) -> bool:
        return bool(self._text)

    def __repr__(self) -> str:
        return HIDDEN

    def reveal(self) -> str:
        """The key itself, only for the header of a request."""
        return self._text

    def hidden_in(self, text: str) -> str:
        """The text with this key replaced."""
        return text.replace(self._text, HIDDEN) if len(self._text) >= SHORTEST_HIDDEN else text

    def hidden_in_bytes(self, raw: bytes) -> bytes:
        """The same for bytes."""
        return raw.replace(self._text.encode(), HIDDEN.encode()) if len(self._text) >= SHORTEST_HIDDEN else raw


def find_endpoint(
    provider: str, api: str | None, base_url: str | None, environment: Mapping[str, str] = os.environ
) -> Endpoint:
    """The endpoint of a provider; BadEndpoint if there is none.

    `openai` and `anthropic` are known. Others need an address: `base_url`, or PARLOUR_MODEL_URL_PROVIDER. An address
    that an option gives gets PARLOUR_MODEL_KEY_PROVIDER and never the key of the provider's own service, so that
    nobody's file can have it sent elsewhere."""
    if not _PROVIDER.fullmatch(provider):
        raise BadEndpoint(f"{provider[:40]!r} is not the name of a provider: lower-case letters, digits, - and _")
    part = provider.upper().replace("-", "_")  # of the names of variables
    known = provider in APIS
    from_environment = environment.get(f"{part}_BASE_URL" if known else f"PARLOUR_MODEL_URL_{part}") or None
    if not known and base_url is None and from_environment is None:
        raise BadEndpoint(
            f"unknown provider {provider!r}; known: openai, anthropic; "
            f"or give its address as base_url or in the variable PARLOUR_MODEL_URL_{part}"
        )
    spoken = api or environment.get(f"PARLOUR_MODEL_API_{part}") or (provider if known else "openai")
    url = None if (chosen := base_url or from_environment) is None else _checked_url(chosen)
    own_key = known and base_url is None
    for each in APIS:
        if spoken == each:
            return Endpoint(provider, each, url, f"{part}_API_KEY" if own_key else f"PARLOUR_MODEL_KEY_{part}")
    raise BadEndpoint(f"api = {spoken[:40]}: allowed: openai, anthropic")


def _checked_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_good = False
    if not is_good or not url.isprintable() or " " in url:
        raise BadEndpoint(f"base_url {_without_user(url)[:80]!r}: write http://HOST/v1 or https://HOST/v1")
    if parts.username is not None or parts.query or parts.fragment:
        raise BadEndpoint("base_url: write no user, password or query in it; keys come from the environment")
    return url.rstrip("/")


def _without_user(url: str) -> str:
    return re.sub(r"//[^/@]*@", f"//{HIDDEN}@", url)


def check_usable(endpoint: Endpoint, environment: Mapping[str, str] = os.environ) -> None:
    """BadEndpoint if the client is not installed, or the key is missing."""
    for package in {endpoint.api, "httpx2"}:
        if find_spec(package) is None:
            raise BadEndpoint(f"the package {package!r} is missing; install it with: pip install 'parlour[models]'")
    key = endpoint.key(environment).reveal()
    if not key and endpoint.is_own:
        raise BadEndpoint(f"the key is missing; set {endpoint.key_variable} in the environment")
    if not key.isascii() or not key.isprintable():
        raise BadEndpoint(f"{endpoint.key_variable} holds characters that no key has")
