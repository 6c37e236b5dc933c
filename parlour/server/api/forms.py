"""What the HTTP API takes and gives, as typed values."""

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
"""Seconds; a year at most."""


class Index(Struct, frozen=True):
    """What there is to ask for, by path."""

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
    """The number of the token that was shown; with it a token can end itself."""
    expires_ms: int | None
    """When that token expires; None: it holds until it is revoked."""


class WithToken(Struct, frozen=True):
    """A token is told once; keep it."""

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
    """None: it holds until it is revoked."""
    parent: int | None
    """The token that it was made from, and with which it ends."""


class NewGuest(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name | None = None


class Login(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    password: Password
    label: Label = ""
    life_s: Life | None = None
    """How long the token is to hold; None: as the settings say."""


class Returning(Login, frozen=True, forbid_unknown_fields=True):
    """A log-in."""

    end_others: bool = False
    """Whether all other tokens of the account end."""


class NewPassword(Struct, frozen=True, forbid_unknown_fields=True):
    """A user's own: the old one proves who it is."""

    name: Name
    password: Password
    new_password: Password
    label: Label = ""


class ResetPassword(Struct, frozen=True, forbid_unknown_fields=True):
    password: Password | None = None
    """None: one is drawn."""


class GivenPassword(Struct, frozen=True):
    """A password that an administrator has set; told once."""

    account: str
    password: str


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=4)]
    label: Label = ""
    life_s: Life | None = None
    """How long it is to hold; None: as the settings say, but no longer than the token it is made from."""


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
    """None: nobody has it yet."""
    score: int | None = None
    rank: int | None = None


class SigningKey(Struct, frozen=True):
    """The public key with which signatures of this server are checked."""

    public_key: str
    """32 bytes, in hexadecimal."""
    algorithm: Literal["Ed25519"] = "Ed25519"


class Proof(Struct, frozen=True):
    """What binds the transcript of a finished match, all in hexadecimal."""

    header: str
    """SHA-256 of its first line."""
    head: str
    """SHA-256 of its end line."""
    signature: str
    """The server's signature of match, header, head and result."""
    public_key: str
    """The key to check it with."""


class MatchInfo(Struct, frozen=True):
    """A table or a match."""

    id: str
    game: str
    state: MatchState
    commit: str | None
    """SHA-256 of the seed, told from the first moment on; None, where only the transcript has it."""
    terms: TableTerms
    """The default ones, where this release cannot read them; see `not_resumed`."""
    seats: tuple[SeatInfo, ...]
    created_ms: int
    ended_ms: int | None
    not_resumed: str | None = None
    """Why this server cannot go on with it: it lacks the rules. The match is kept as it is for a release with them."""
    proof: Proof | None = None
    """Of one match that has ended; always null in lists."""


class CreatedTable(Struct, frozen=True):
    table: MatchInfo
    key: str | None
    """What lets others have the invited seats; told once."""


class Seated(Struct, frozen=True):
    table: str
    seat: int
    commit: str


class Page(Struct, frozen=True):
    matches: tuple[MatchInfo, ...]
    next: str | None
    """Give this as `before` for those that come after."""


class Person(Struct, frozen=True):
    """An account, as administrators see it."""

    id: int
    name: str
    guest: bool
    admin: bool
    created_ms: int
    state: AccountState
    """`deleted`: only finished matches still refer to it."""


class People(Struct, frozen=True):
    accounts: tuple[Person, ...]
    next: int | None
    """Give this as `after` for those that come after."""
