"""The forms of the HTTP API that server and client share.

A server refuses a request with a field that it does not know. A client ignores such fields in an answer: `read_answer`.
"""

from typing import Annotated, Any, Literal, TypeAlias, TypeVar, get_args

import msgspec
from msgspec import Meta, Struct, inspect

from parlour.core.definition import STRENGTHS, Seating
from parlour.core.values import Name, Salt

T = TypeVar("T")

Facts = Annotated[
    dict[Annotated[str, Meta(max_length=64)], int | Annotated[str, Meta(max_length=200)]], Meta(max_length=16)
]
"""Facts that a player states about itself. They are recorded in the header of its match."""

MatchState: TypeAlias = Literal["open", "running", "over", "void", "dropped"]
SeatKind: TypeAlias = Literal["open", "invited", "bot", "command"]
PlayedBy: TypeAlias = Literal["people", "bots"]
"""people: at least one seat is for clients. bots: all seats have built-in bots or commands of the host."""


def documented(*values: str) -> Meta:
    """The values that the OpenAPI document lists. A client reads others too, for a newer server may have more."""
    return Meta(extra_json_schema={"extra": {"enum": list(values)}})


class Problem(Struct, frozen=True):
    """Why a request failed, as RFC 9457 has it."""

    type: str
    title: str
    status: int
    detail: str
    code: str


def new_problem(status: int, code: str, words: str) -> Problem:
    """A problem whose title is its code in words."""
    return Problem("about:blank", code.replace("_", " "), status, words, code)


class GameInfo(Struct, frozen=True):
    """A game that the server offers."""

    name: str
    title: str
    summary: str
    version: int
    fewest: int
    most: int
    bots: tuple[str, ...]
    strengths: dict[str, Annotated[str, documented(*STRENGTHS)]] = {}
    """How well each bot plays."""
    house_bot: str = "random"
    """The bot that fills empty seats."""
    seating: Annotated[str, documented(*get_args(Seating))] = "fixed"
    """fixed: a match begins when all seats are taken. sign_up: players sign up until a period ends. open: players join
    a match that is already running."""
    limit_s: float = 10.0
    """The time limit for an answer, unless a table has its own."""
    short: dict[str, Any] | None = None
    """Options for a quick match; null if the defaults are quick enough."""
    has_guide: bool = False
    """Whether there is a guide to the rules for people."""


class Guide(Struct, frozen=True):
    """The rules of a game for people."""

    game: str
    title: str
    text: str
    """Simple Markdown: paragraphs, `##` headings, lists with `-`, and bold text. Each paragraph is one line."""


class NewGuest(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a guest account."""

    name: Name | None = None


class WithToken(Struct, frozen=True):
    """A new token. It is shown only once."""

    account: str
    token: str
    scopes: tuple[str, ...]
    expires_ms: int | None
    admin: bool = False
    """Whether the account is an administrator's; the token itself may still lack the scope."""


class Plan(Struct, frozen=True, forbid_unknown_fields=True):
    """The kind of a seat: for any player, a player with the key, a built-in bot, or a command of the host."""

    kind: SeatKind
    spec: Annotated[str, Meta(max_length=64)] = ""


class TableTerms(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Options and limits of a table."""

    options: dict[str, Any] = {}
    limit_s: Annotated[float, Meta(gt=0, le=3600)] | None = None
    """Time limit for an answer; None: the game's default."""
    bank_s: Annotated[float, Meta(ge=0, le=3600)] = 0.0
    wait_s: Annotated[float, Meta(gt=0, le=86400)] = 600.0
    """How long the table waits for its seats to be filled."""
    pace_s: Annotated[float, Meta(ge=0, le=10)] = 0.0
    """How long built-in bots take at least for an answer, so that people can follow; less than the time limit."""
    quick: bool = False
    """Whether players who look for any match are sent here. The table then waits no longer than a quick match does, and
    bots fill the seats that are left."""
    chat: bool = False
    """Whether its players may write to each other. Only if the server allows it, and never with `quick`."""


class NewTable(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A request for a table."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[list[Plan], Meta(min_length=1, max_length=64)]
    terms: TableTerms = msgspec.field(default_factory=TableTerms)


class Joining(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a seat; the key is for invited seats."""

    salt: Salt = ""
    key: Annotated[str, Meta(max_length=64)] = ""
    about: Facts = {}
    """As in the hello of protocol 1: facts that the game may use, and the kind of player, `person` or `model`."""


class Queueing(Joining, frozen=True, forbid_unknown_fields=True):
    """A request for a seat at the next table."""

    seats: Annotated[int, Meta(ge=2, le=1000)] | None = None
    """Only at a table with this many seats, at least 2; null: with any number, and a new table has as few as the game
    allows."""


class Seated(Struct, frozen=True):
    """The seat that was taken, and the table's commitment to its seed."""

    table: str
    seat: int
    commit: str


class SeatInfo(Struct, frozen=True):
    """One seat of a table or match."""

    seat: int
    kind: Annotated[str, documented(*get_args(SeatKind), "joined")]
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
    state: Annotated[str, documented(*get_args(MatchState))]
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
    rematch: str | None = None
    """The table or match at which the same players play again, if one of them has asked for that."""


class CreatedTable(Struct, frozen=True):
    """A new table, and the key for its invited seats."""

    table: MatchInfo
    key: str | None
    """It is shown only once."""


class Page(Struct, frozen=True):
    """Part of a list of matches."""

    matches: tuple[MatchInfo, ...]
    next: str | None
    """The value of `before` for the next page."""


def read_answer(raw: bytes, form: type[T]) -> T:
    """Decode a server's answer, and leave out fields that only a newer server has.

    Raises msgspec.MsgspecError, ValueError or RecursionError if it is not of this form."""
    return msgspec.convert(_known(msgspec.json.decode(raw), inspect.type_info(form)), form)


def _known(value: Any, kind: inspect.Type) -> Any:
    """The value without the fields that its type does not have."""
    if isinstance(kind, inspect.StructType) and isinstance(value, dict):
        kinds = {field.encode_name: field.type for field in kind.fields}
        return {name: _known(each, kinds[name]) for name, each in value.items() if name in kinds}
    if isinstance(kind, inspect.ListType | inspect.VarTupleType) and isinstance(value, list):
        return [_known(each, kind.item_type) for each in value]
    return value
