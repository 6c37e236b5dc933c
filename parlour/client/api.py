"""The HTTP API of an arena, with typed values."""

import http.client
import ipaddress
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar
from urllib.parse import urlencode, urlsplit

import msgspec

from parlour.protocol.forms import (
    CreatedTable,
    GameInfo,
    Joining,
    MatchInfo,
    MatchState,
    NewGuest,
    NewTable,
    Page,
    Problem,
    Seated,
    SigningKey,
    WithToken,
    read_answer,
)

WITHIN_S = 30.0
MOST_PAGE = 100
T = TypeVar("T")


class _Paged(Protocol):
    """A page of a list."""

    @property
    def next(self) -> str | int | None:
        """Where the next page begins; None: this is the last one."""


P = TypeVar("P", bound=_Paged)

_name = re.compile(r"[0-9A-Za-z_-][0-9A-Za-z._-]{0,63}")


class Refused(Exception):
    """The arena refused a request, or could not be reached; `code` says why."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code


class ArenaApi:
    """The API of the arena at this address. All methods block, and may raise Refused."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.url = url_of(url)
        self._token = _checked(token)
        near = [urllib.request.ProxyHandler({})] if is_loopback(self.url) else []
        self._opener = urllib.request.build_opener(_StayHere, *near)

    def games(self) -> list[GameInfo]:
        """All games of the arena."""
        return self._asked("GET", "/games", list[GameInfo])

    def key(self) -> str:
        """The public key that checks its signatures, in hexadecimal."""
        return self._asked("GET", "/key", SigningKey).public_key

    def check_token(self) -> None:
        """Refused if the arena does not know the token."""
        self._sent("GET", "/me")

    def guest(self, name: str | None) -> str:
        """Create a guest; returns its token."""
        return self._asked("POST", "/guests", WithToken, NewGuest(name)).token

    def new_table(self, wanted: NewTable) -> CreatedTable:
        """Create a table."""
        return self._asked("POST", "/tables", CreatedTable, wanted)

    def join(self, table: str, key: str, salt: str) -> str:
        """Take an invited seat; returns the table's commitment."""
        return self._asked("POST", f"/tables/{path_word(table)}/join", Seated, Joining(salt, key)).commit

    def drop(self, table: str) -> None:
        """Cancel an open table."""
        self._sent("DELETE", f"/tables/{path_word(table)}")

    def match(self, id: str) -> MatchInfo:
        """One table or match."""
        return self._asked("GET", f"/matches/{path_word(id)}", MatchInfo)

    def matches(self, most: int, game: str | None = None, state: MatchState | None = None) -> list[MatchInfo]:
        """At most this many, newest first."""
        return self._listed("/matches", Page, lambda page: page.matches, "before", most, game=game, state=state)

    def transcript(self, id: str) -> bytes:
        """The transcript of a match that is over."""
        return self._sent("GET", f"/matches/{path_word(id)}/transcript", kind="application/x-ndjson")

    def _listed(
        self, path: str, form: type[P], listed: Callable[[P], Iterable[T]], cursor: str, most: float, **wanted: Any
    ) -> list[T]:
        """At most so many of a list, page by page. `cursor` is the parameter that says where a page begins."""
        found: list[T] = []
        begins: str | int | None = None
        while len(found) < most:
            told = query(**wanted, **{cursor: begins}, limit=min(MOST_PAGE, most - len(found)))
            page = self._asked("GET", f"{path}?{told}", form)
            found += listed(page)
            begins = page.next
            if begins is None:
                break
        return found

    def _asked(self, method: str, path: str, answer: type[T], body: Any = None) -> T:
        try:
            return read_answer(self._sent(method, path, body), answer)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            raise Refused("no_arena", "not an arena, or one of another version") from None

    def _sent(self, method: str, path: str, body: Any = None, kind: str = "application/json") -> bytes:
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        data = None if body is None else msgspec.json.encode(body)
        request = urllib.request.Request(f"{self.url}/api{path}", data, headers, method=method)
        try:
            with self._opener.open(request, timeout=WITHIN_S) as said:
                if said.status != 204 and said.headers.get_content_type() != kind:
                    raise _no_arena(said.status)
                read: bytes = said.read()
                return read
        except urllib.error.HTTPError as e:
            with e:
                raise _why(e) from None
        except (OSError, http.client.HTTPException, ValueError) as e:
            raise _nobody(e) from None


class _StayHere(urllib.request.HTTPRedirectHandler):
    """Follows no redirects, so that the token is sent to no other server."""

    def redirect_request(self, *_: Any) -> None:
        return None


def url_of(url: str) -> str:
    """Normalize an arena's address to http:// or https://."""
    scheme, colon, rest = url.strip().partition("://")
    if not colon:
        scheme, rest = "http", scheme
    rest = rest.rstrip("/")
    scheme = {"ws": "http", "wss": "https"}.get(scheme.lower(), scheme.lower())
    try:
        parts = urlsplit(f"{scheme}://{rest}")
        known = scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        known = False
    if not known or parts.query or parts.fragment or not rest.isascii() or not rest.isprintable() or " " in rest:
        raise Refused("bad_url", "an arena's address is written as http://HOST:PORT")
    return f"{scheme}://{rest}"


def is_loopback(url: str) -> bool:
    """Whether the address is on this machine, so that no proxy is used."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _checked(token: str | None) -> str | None:
    if token is not None and (not token.isascii() or not token.isprintable() or " " in token):
        raise Refused("bad_token", "invalid token: it has characters that no token has")
    return token or None


def query(**wanted: Any) -> str:
    """The query of a path, without what is None or False."""
    told = {name: value for name, value in wanted.items() if value is not None and value is not False}
    return urlencode({name: "true" if value is True else value for name, value in told.items()})


def path_word(id: str) -> str:
    """Check an id before it becomes part of a path."""
    if not _name.fullmatch(id):
        raise Refused("no_such_match", "there is no such table or match")
    return id


def _why(error: urllib.error.HTTPError) -> Refused:
    try:
        told = read_answer(error.read(65536), Problem)
    except (OSError, http.client.HTTPException, msgspec.MsgspecError, ValueError):
        return _no_arena(error.code)
    return Refused(told.code, told.detail)


def _no_arena(status: int) -> Refused:
    return Refused("no_arena", f"not an arena (HTTP status {status})")


def _nobody(error: Exception) -> Refused:
    """The error for a missing answer, in the system's words."""
    if isinstance(error, http.client.HTTPException):
        return Refused("no_arena", "not an arena: it does not speak HTTP")
    reason: Any = error.reason if isinstance(error, urllib.error.URLError) else error
    words = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
    return Refused("unreachable", f"no answer: {words}")
