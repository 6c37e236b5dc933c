"""Types of the requests and responses of the HTTP API."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from parlour import __version__
from parlour.core.values import Name, Salt
from parlour.server.accounts import Scope
from parlour.store.account_changes import AccountState
from parlour.store.store import MatchState
from parlour.tables.seating import Kind, Plan, TableTerms

Password = Annotated[str, Meta(min_length=8, max_length=200)]
Label = Annotated[str, Meta(max_length=64)]
Life = Annotated[int, Meta(ge=1, le=366 * 24 * 3600)]
"""Seconds; at most a year."""


class Index(Struct, frozen=True):
    """Paths of the API."""

    server: str = f"parlour {__version__}"
    games: str = "/api/games"
    matches: str = "/api/matches"
    key: str = "/api/key"
    schema: str = "/schema/openapi.json"
    routes: str = "/schema"
    health: str = "/health"
    ready: str = "/ready"
    play: str = "/play/{game}"
    watch: str = "/watch/{match}"


class GameInfo(Struct, frozen=True):
    name: str
    title: str
    summary: str
    version: int
    fewest: int
    most: int
    bots: tuple[str, ...]


class AccountInfo(Struct, frozen=True):
    id: int
    name: str
    guest: bool
    admin: bool
    scopes: tuple[str, ...]
    token: int
    """The id of the token in the request, with which the token can revoke itself."""
    expires_ms: int | None
    """When that token expires; null: it is valid until it is revoked."""


class WithToken(Struct, frozen=True):
    """A new token. It is shown only once."""

    account: str
    token: str
    scopes: tuple[str, ...]
    expires_ms: int | None


class TokenInfo(Struct, frozen=True):
    id: int
    label: str
    scopes: tuple[str, ...]
    created_ms: int
    revoked: bool
    expires_ms: int | None
    """null: it is valid until it is revoked."""
    parent: int | None
    """The token that it was made from; both are revoked together."""


class NewGuest(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name | None = None


class Login(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    password: Password
    label: Label = ""
    life_s: Life | None = None
    """Lifetime of the token; null: the server's default."""


class Returning(Login, frozen=True, forbid_unknown_fields=True):
    """A login."""

    end_others: bool = False
    """Whether to revoke all other tokens of the account."""


class NewPassword(Struct, frozen=True, forbid_unknown_fields=True):
    """A change of a user's own password, which needs the old one."""

    name: Name
    password: Password
    new_password: Password
    label: Label = ""


class ResetPassword(Struct, frozen=True, forbid_unknown_fields=True):
    password: Password | None = None
    """null: a random one is generated."""


class GivenPassword(Struct, frozen=True):
    """A password that an administrator has set. It is shown only once."""

    account: str
    password: str


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=4)]
    label: Label = ""
    life_s: Life | None = None
    """Lifetime; null: the server's default, but no longer than its parent."""


class NewTable(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[list[Plan], Meta(min_length=1, max_length=64)]
    terms: TableTerms = msgspec.field(default_factory=TableTerms)


class Joining(Struct, frozen=True, forbid_unknown_fields=True):
    salt: Salt = ""
    key: Annotated[str, Meta(max_length=64)] = ""


class SeatInfo(Struct, frozen=True):
    seat: int
    kind: Kind | Literal["joined"]
    name: str | None
    """null: the seat is free."""
    score: int | None = None
    rank: int | None = None


class SigningKey(Struct, frozen=True):
    """The public key that checks this server's signatures."""

    public_key: str
    """32 bytes, in hexadecimal."""
    algorithm: Literal["Ed25519"] = "Ed25519"


class Proof(Struct, frozen=True):
    """Hashes and signature of the transcript of a finished match, in hexadecimal."""

    header: str
    """SHA-256 of its first line."""
    head: str
    """SHA-256 of its end line."""
    signature: str
    """The server's signature of match, header, head and result."""
    public_key: str
    """The key that checks the signature."""


class MatchInfo(Struct, frozen=True):
    """A table or a match."""

    id: str
    game: str
    state: MatchState
    commit: str | None
    """SHA-256 of the seed, published before the match; null after its end, when the transcript has it."""
    terms: TableTerms
    """The defaults if this release cannot read the stored ones; see `not_resumed`."""
    seats: tuple[SeatInfo, ...]
    created_ms: int
    ended_ms: int | None
    not_resumed: str | None = None
    """Why this server cannot resume it: it lacks the rules. The match stays stored for a release that has them."""
    proof: Proof | None = None
    """For a single match that has ended; always null in lists."""


class CreatedTable(Struct, frozen=True):
    table: MatchInfo
    key: str | None
    """The key for the invited seats. It is shown only once."""


class Seated(Struct, frozen=True):
    table: str
    seat: int
    commit: str


class Page(Struct, frozen=True):
    matches: tuple[MatchInfo, ...]
    next: str | None
    """The value of `before` for the next page."""


class Person(Struct, frozen=True):
    """An account, as administrators see it."""

    id: int
    name: str
    guest: bool
    admin: bool
    created_ms: int
    state: AccountState
    """`deleted`: the account remains only because matches refer to it."""


class People(Struct, frozen=True):
    accounts: tuple[Person, ...]
    next: int | None
    """The value of `after` for the next page."""
