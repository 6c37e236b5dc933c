"""The record of a match: a header, every input with its price, the end, and the seed; each line hashes the one before.

A record's number is its place in the file, the header being 0. Reading is strict: a line must be exactly the bytes that
we would write for what it says, so there is one way to write a transcript and a changed byte cannot hide.
"""

import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Raw, Struct

from parlour.core import BadOptions, By, Fault, Game, Result, Sitting, Value, Void
from parlour.core.options import read_recorded

SEED_BYTES = 32

encode = msgspec.json.Encoder().encode
NOTHING = Raw(b"")

Sha256: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Number: TypeAlias = Annotated[int, Meta(ge=0)]


class Record(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="kind", gc=False):
    """One line of a transcript."""


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """How long an ask may stay open, and how much a seat may overdraw in all."""

    limit_ms: Annotated[int, Meta(gt=0)]
    bank_ms: Number = 0


class SeatBrief(Struct, frozen=True, forbid_unknown_fields=True):
    """A shorter limit for one kind of ask of one seat; shorter still, once that seat was silent on it."""

    seat: Number
    ask: str
    limit_ms: Annotated[int, Meta(gt=0)]
    again_ms: Annotated[int, Meta(gt=0)]


class Header(Record, frozen=True, tag="header", kw_only=True):
    """Everything a match begins with, the seed being there by its SHA-256 alone."""

    parlour: Literal[1]
    match: Annotated[str, Meta(max_length=64, pattern=r"^[0-9A-Za-z_-][0-9A-Za-z._-]*$(?!\n)")]
    game: str
    version: int
    data: str = ""
    players: tuple[Sitting, ...]
    options: Raw
    start: Raw = NOTHING
    blind: Sha256 | None = None
    """With a prepared position: keeps the hash of the header, which players are told, from giving it away."""
    commit: Sha256
    limits: Limits | None = None
    briefs: tuple[SeatBrief, ...] = ()
    """What is not worth the usual wait; without limits it means nothing."""
    eager: bool = True
    """Whether a round closes as soon as nobody is waited for."""
    bears: Number | None = None
    """How many faults of a seat are borne before it must leave; None: any number."""
    findings: bool = False
    """Whether lines have the findings of the game's own audits. Headers of the first release never say so."""


class Line(Record, frozen=True, tag="input"):
    """One input and, if it was a fault, its price: never parted."""

    prev: Sha256
    n: Number
    by: By = None
    do: Raw = NOTHING
    """The action in JSON, as only its game can read it; nothing where a fault was borne."""
    fault: Fault | None = None
    said: Raw = NOTHING
    """What was refused, where it could be read."""
    ms: Number = 0
    findings: tuple[Fault, ...] = ()
    """What the game's own audits found after this input, where the match went on; only if the header says so."""


class End(Record, frozen=True, tag="end"):
    """How it came out."""

    prev: Sha256
    n: Number
    end: Result | Void


class Reveal(Record, frozen=True, tag="reveal"):
    """The seed, after the last move."""

    prev: Sha256
    n: Number
    seed: Annotated[str, Meta(pattern="^([0-9a-f]{2})+$")]


AnyRecord: TypeAlias = Header | Line | End | Reveal
_reader = msgspec.json.Decoder(Header | Line | End | Reveal)


class BadTranscript(ValueError):
    """A transcript that cannot be what it claims; `line` counts from 1, as editors do."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(f"line {line}: {why}")
        self.line = line
        self.why = why


def commitment(seed: bytes) -> str:
    """What is published of a seed before the match."""
    return sha256(seed).hexdigest()


def match_name(seed: bytes) -> str:
    """What a match is called that is given no other name."""
    return commitment(seed)[:16]


def new_seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


def _check_seats(game: Game[Any], players: int) -> None:
    if players not in game.rules.seats:
        few, many = game.rules.seats[0], game.rules.seats[-1]
        raise BadOptions(f"{game.title} is for {few} to {many} players, not {players}")


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
    """The header for these players; BadOptions if the game cannot be played so."""
    _check_seats(game, len(players))
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
        _reader.decode(encode(head))  # what we could not read again, we do not write
    except (msgspec.MsgspecError, ValueError) as e:
        raise BadOptions(f"no match begins so: {e}") from None
    return head


def check_header(game: Game[Any], head: Header) -> None:
    """ValueError unless options and position are written in the one way, by this release or one with fewer options."""
    options = read_recorded(head.options, game.rules.options)
    if len(head.players) not in game.rules.seats or encode(game.rules.resolve(options, head.players)) != encode(
        options
    ):
        raise ValueError("its seats or options are not as the game would write them")
    if head.findings and (game.rules.audits is None or not game.rules.audits(options)):
        raise ValueError("it records findings, and under its options there are none")
    if list(head.briefs) != sorted(head.briefs, key=lambda brief: (brief.seat, brief.ask)) or not all(
        brief.seat < len(head.players) and brief.ask in [ask.__name__ for ask in game.rules.asks]
        for brief in head.briefs
    ):
        raise ValueError("its brief limits are not as the referee would write them")
    if len({(brief.seat, brief.ask) for brief in head.briefs}) < len(head.briefs) or (head.briefs and not head.limits):
        raise ValueError("it has a brief limit twice, or without a usual one")
    if head.start is not NOTHING:
        if game.rules.start is None:
            raise ValueError("it has a position, and the game is never played from one")
        read_recorded(head.start, game.rules.start)


class Chain:
    """Numbers records and links each to the bytes of the one before."""

    def __init__(self) -> None:
        self.n = 0
        self.head = ""

    def add(self, record: Record) -> bytes:
        """The record's bytes; it must have been made with this chain's `n` and `head`."""
        raw = encode(record)
        self.n += 1
        self.head = sha256(raw).hexdigest()
        return raw


def read_record(raw: bytes, line: int) -> AnyRecord:
    """Decode one line strictly, by itself: links and legality are for whoever replays it."""
    try:
        record: AnyRecord = _reader.decode(raw)
    except (msgspec.MsgspecError, ValueError, RecursionError) as e:
        raise BadTranscript(line, f"is not a record: {e}") from None
    if encode(record) != raw:
        raise BadTranscript(line, "is not written the one way a record is written")
    return record


def split(data: bytes) -> list[bytes]:
    """The lines of a transcript, each of which must be whole."""
    *whole, rest = data.split(b"\n")
    if rest:
        raise BadTranscript(len(whole) + 1, "does not end in a newline: the file was cut here")
    if not whole:
        raise BadTranscript(1, "the file is empty")
    return whole
