"""What the HTTP API takes and gives, as typed values."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from parlour.core.values import Name, Salt
from parlour.server.auth import Scope
from parlour.server.seating import Kind, Plan, TableTerms
from parlour.store.store import MatchState

Password = Annotated[str, Meta(min_length=8, max_length=200)]
Label = Annotated[str, Meta(max_length=64)]


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


class WithToken(Struct, frozen=True):
    """A token is told once; keep it."""

    account: str
    token: str
    scopes: tuple[str, ...]


class TokenInfo(Struct, frozen=True):
    id: int
    label: str
    scopes: tuple[str, ...]
    created_ms: int
    revoked: bool


class NewGuest(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name | None = None


class Login(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    password: Password
    label: Label = ""


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=3)]
    label: Label = ""


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


class People(Struct, frozen=True):
    accounts: tuple[Person, ...]
    next: int | None
    """Give this as `after` for those that come after."""
