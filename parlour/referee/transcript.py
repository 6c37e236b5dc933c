"""The transcript of a match: header, inputs with their prices, end, and seed. Each line has the hash of the previous.

Records are numbered from 0, the header. Reading is strict: a line must have exactly the bytes that we would write, so
that every changed byte is noticed.
"""

import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Raw, Struct

from parlour.core import BadOptions, By, Fault, Game, Result, Sitting, Value, Void
from parlour.core.options import read_recorded
from parlour.core.values import plain

SEED_BYTES = 32

encode = msgspec.json.Encoder().encode
NOTHING = Raw(b"")

Sha256: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Number: TypeAlias = Annotated[int, Meta(ge=0)]


class Record(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="kind", gc=False):
    """One line of a transcript."""


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """Time limit for each ask, and the bank of extra time for each seat and match."""

    limit_ms: Annotated[int, Meta(gt=0)]
    bank_ms: Number = 0


class SeatBrief(Struct, frozen=True, forbid_unknown_fields=True):
    """A shorter limit for one type of ask at one seat; `again_ms` applies after a timeout."""

    seat: Number
    ask: str
    limit_ms: Annotated[int, Meta(gt=0)]
    again_ms: Annotated[int, Meta(gt=0)]


class Header(Record, frozen=True, tag="header", kw_only=True):
    """Everything that a match begins with; of the seed only its SHA-256."""

    parlour: Literal[1]
    match: Annotated[str, Meta(max_length=64, pattern=r"^[0-9A-Za-z_-][0-9A-Za-z._-]*$(?!\n)")]
    game: str
    version: int
    data: str = ""
    players: tuple[Sitting, ...]
    options: Raw
    start: Raw = NOTHING
    blind: Sha256 | None = None
    """Set with a prepared position, so that it cannot be guessed from the header's hash, which players know."""
    commit: Sha256
    limits: Limits | None = None
    briefs: tuple[SeatBrief, ...] = ()
    """Shorter limits by seat and ask; only with `limits`."""
    eager: bool = True
    """Whether a round closes as soon as all answers are in."""
    bears: Number | None = None
    """How many faults a seat may make before it must leave; None: any number."""
    findings: bool = False
    """Whether lines contain the findings of the game's audits. Always false in headers of the first release."""


class Line(Record, frozen=True, tag="input"):
    """One input; for a fault, together with its price."""

    prev: Sha256
    n: Number
    by: By = None
    do: Raw = NOTHING
    """The action in its game's JSON; empty if a fault had no price."""
    fault: Fault | None = None
    said: Raw = NOTHING
    """The refused action, if it could be read."""
    ms: Number = 0
    findings: tuple[Fault, ...] = ()
    """The findings of the game's audits after this input, if the header has `findings`."""


class End(Record, frozen=True, tag="end"):
    """The result of the match."""

    prev: Sha256
    n: Number
    end: Result | Void


class Reveal(Record, frozen=True, tag="reveal"):
    """The seed, published after the end."""

    prev: Sha256
    n: Number
    seed: Annotated[str, Meta(pattern="^([0-9a-f]{2})+$")]


AnyRecord: TypeAlias = Header | Line | End | Reveal
_reader = msgspec.json.Decoder(Header | Line | End | Reveal)


class BadTranscript(ValueError):
    """An invalid transcript; `line` counts from 1."""

    def __init__(self, line: int, why: str) -> None:
        self.line = line
        self.why = plain(why)  # it may quote the transcript, which a stranger may have written
        super().__init__(f"line {line}: {self.why}")


def commitment(seed: bytes) -> str:
    """The hash of a seed, published before the match."""
    return sha256(seed).hexdigest()


def match_name(seed: bytes) -> str:
    """The default name of a match."""
    return commitment(seed)[:16]


def new_seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


def header(
    game: Game[Any],
    players: Sequence[Sitting],
    seed: bytes,
    *,
    options: Value | None = None,
    start: Value | None = None,
    match: str | None = None,
    limits: Limits | None = None,
    briefs: Sequence[SeatBrief] = (),
    eager: bool = True,
    bears: int | None = None,
) -> Header:
    """Make the header; BadOptions if the game cannot be played like this."""
    seats = game.rules.seats
    if len(players) not in seats:
        raise BadOptions(f"{game.title} is for {seats[0]} to {seats[-1]} players, not {len(players)}")
    resolved = game.rules.resolve(options or game.rules.options(), players)
    head = Header(
        parlour=1,
        match=match or match_name(seed),
        game=game.name,
        version=game.rules.version,
        data=game.rules.data,
        players=tuple(players),
        options=Raw(encode(resolved)),
        start=NOTHING if start is None else Raw(encode(start)),
        blind=None if start is None else sha256(b"blind" + seed).hexdigest(),
        commit=commitment(seed),
        limits=limits,
        briefs=tuple(briefs),
        eager=eager,
        bears=bears,
        findings=game.rules.audits is not None and game.rules.audits(resolved),
    )
    try:
        _reader.decode(encode(head))  # never write a header that cannot be read back
    except (msgspec.MsgspecError, ValueError) as e:
        raise BadOptions(f"invalid header: {e}") from None
    return head


def check_header(game: Game[Any], head: Header) -> None:
    """Raise ValueError unless this release, or an older one with fewer options, would write this header."""
    options = read_recorded(head.options, game.rules.options)
    if len(head.players) not in game.rules.seats or encode(game.rules.resolve(options, head.players)) != encode(
        options
    ):
        raise ValueError("its seats or options are not as the game would write them")
    if head.findings and (game.rules.audits is None or not game.rules.audits(options)):
        raise ValueError("it records findings, but its options allow none")
    if list(head.briefs) != sorted(head.briefs, key=lambda brief: (brief.seat, brief.ask)) or not all(
        brief.seat < len(head.players) and brief.ask in [ask.__name__ for ask in game.rules.asks]
        for brief in head.briefs
    ):
        raise ValueError("its brief limits are not as the referee would write them")
    if len({(brief.seat, brief.ask) for brief in head.briefs}) < len(head.briefs) or (head.briefs and not head.limits):
        raise ValueError("it has a brief limit twice, or without the usual limit")
    if head.start is not NOTHING:
        if game.rules.start is None:
            raise ValueError("it has a prepared position, which the game does not support")
        read_recorded(head.start, game.rules.start)


class Chain:
    """Counts records and hashes the last one, to which the next one links."""

    def __init__(self) -> None:
        self.n = 0
        self.head = ""

    def add(self, record: Record) -> bytes:
        """Encode a record that was made with this chain's `n` and `head`."""
        raw = encode(record)
        self.n += 1
        self.head = sha256(raw).hexdigest()
        return raw

    def copy(self) -> "Chain":
        twin = Chain()
        twin.n, twin.head = self.n, self.head
        return twin


def read_record(raw: bytes, line: int) -> AnyRecord:
    """Decode one line strictly. Links and legality are not checked."""
    try:
        record: AnyRecord = _reader.decode(raw)
    except (msgspec.MsgspecError, ValueError, RecursionError) as e:
        raise BadTranscript(line, f"is not a record: {e}") from None
    if encode(record) != raw:
        raise BadTranscript(line, "is not in canonical form")
    return record


def split(data: bytes) -> list[bytes]:
    """Split a transcript into its lines, all of which must be complete."""
    *whole, rest = data.split(b"\n")
    if rest:
        raise BadTranscript(len(whole) + 1, "does not end in a newline: the file was cut here")
    if not whole:
        raise BadTranscript(1, "the file is empty")
    return whole
