"""Forms of the HTTP API for accounts, tokens and administration. `parlour.protocol.forms` has the others."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from parlour import __version__
from parlour.core.values import Name
from parlour.players.models.call_records import ModelCall
from parlour.protocol.records import AccountState
from parlour.server.accounts import Scope
from parlour.store.account_data import HostedRoom, HostedTable, PlayedMatch
from parlour.store.chat_messages import OwnMessage, OwnReport
from parlour.store.leagues import OwnLeague
from parlour.store.ratings import OwnRating
from parlour.store.seat_texts import StoredNote, StoredStderr

Password = Annotated[str, Meta(min_length=8, max_length=200)]
Label = Annotated[str, Meta(max_length=64, pattern=r"^[^\x00]*$")]
"""Any text without a zero byte, which PostgreSQL refuses."""
Scopes = Annotated[list[Scope], Meta(min_length=1, max_length=4)]
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
    chat: bool = False
    """Whether tables may have a chat."""


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


class TokenInfo(Struct, frozen=True):
    id: int
    label: str
    scopes: tuple[str, ...]
    created_ms: int
    revoked: bool
    expires_ms: int | None
    """When it expires, or was revoked; null: it is valid until it is revoked."""
    parent: int | None
    """The token that it was made from; both are revoked together."""


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
    scopes: Scopes | None = None
    """Scopes of the token; null: all that the account may have."""


class NewPassword(Struct, frozen=True, forbid_unknown_fields=True):
    """A change of a user's own password, which needs the old one."""

    name: Name
    password: Password
    new_password: Password
    label: Label = ""
    scopes: Scopes | None = None
    """Scopes of the new token; null: all that the account may have."""


class ResetPassword(Struct, frozen=True, forbid_unknown_fields=True):
    password: Password | None = None
    """null: a random one is generated."""


class GivenPassword(Struct, frozen=True):
    """A password that an administrator has set. It is shown only once."""

    account: str
    password: str


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    scopes: Scopes
    label: Label = ""
    life_s: Life | None = None
    """Lifetime; null: the server's default, but no longer than its parent."""


class Person(Struct, frozen=True):
    """An account, as administrators and its owner see it."""

    id: int
    name: str
    guest: bool
    admin: bool
    created_ms: int
    state: AccountState
    """`deleted`: the account remains only because matches refer to it."""


class ModelBudgetInfo(Struct, frozen=True):
    """The budget of an account for models, and how much it has spent, in dollars."""

    limit: float
    spent: float
    left: float


class SetModelBudget(Struct, frozen=True, forbid_unknown_fields=True):
    """A new limit for an account."""

    limit: Annotated[float, Meta(ge=0, le=1_000_000)] | None
    """In dollars; null: that of the settings."""


class OfferedModel(Struct, frozen=True):
    """A model that the host offers. It plays at a seat of the kind `command` with this name."""

    name: str
    model: str
    """PROVIDER/NAME."""
    price_in: float
    """Dollars per million tokens of prompts."""
    price_out: float
    """Dollars per million tokens of answers."""


class OwnModels(Struct, frozen=True):
    """The models that you can have at your tables, and your budget for them."""

    models: tuple[OfferedModel, ...]
    budget: ModelBudgetInfo


class ShownCall(ModelCall, frozen=True, kw_only=True, omit_defaults=False):
    """A request to a model, and the moment of the match."""

    frame: int | None
    """The frame that shows what became of the ask; null: nothing did, or the match cannot be replayed."""


class ModelCalls(Struct, frozen=True):
    """The questions to the models that you pay for in a match, and their answers. By seat, in order."""

    calls: tuple[ShownCall, ...]


class OwnPart(Struct, frozen=True):
    """Your part in a match."""

    seat: int | None
    """Your seat; null: you have none."""
    is_creator: bool
    """Whether you created the table, and pay for its models."""


class OwnData(Struct, frozen=True):
    """Everything that is stored about an account, except the hashes of its password and of its tokens."""

    account: Person
    tokens: tuple[TokenInfo, ...]
    tables: tuple[HostedTable, ...]
    rooms: tuple[HostedRoom, ...]
    matches: tuple[PlayedMatch, ...]
    """The transcripts have the moves."""
    chat: tuple[OwnMessage, ...]
    reports: tuple[OwnReport, ...]
    """The chat messages that you have reported."""
    stderr: tuple[StoredStderr, ...]
    """The stderr of the account's programs."""
    notes: tuple[StoredNote, ...]
    """Notes that they sent with their answers."""
    models: tuple[ModelCall, ...]
    """The questions to models that the account has paid for, and their answers."""
    model_budget: ModelBudgetInfo
    leagues: tuple[OwnLeague, ...]
    """The leagues that the account has entered."""
    ratings: tuple[OwnRating, ...]


class Farewell(Struct, frozen=True, forbid_unknown_fields=True):
    """The deletion of one's own account."""

    password: Password | None = None
    """null: for guests, who have none."""


class People(Struct, frozen=True):
    accounts: tuple[Person, ...]
    next: int | None
    """The value of `after` for the next page."""


class TranscriptVerdict(Struct, frozen=True):
    """The result of checking a transcript."""

    holds: Literal["yes", "so far", "not replayed", "no"]
    """not replayed: hash chain and seed are valid, but this release lacks the rules of the match."""
    why: str
    line: int | None
    """The first line that is wrong, counted from 1."""
