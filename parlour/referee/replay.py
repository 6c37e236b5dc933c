"""Replay a transcript: to show, resume or verify the match."""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Any, Literal

import msgspec
from msgspec import Struct

from parlour.core import Game, Result, Void
from parlour.referee.checked_replay import CheckedReplay, Forged
from parlour.referee.clock import Clock
from parlour.referee.known_rules import UnknownRules, check_rules, known_game
from parlour.referee.match import Match, Out
from parlour.referee.transcript import (
    AnyRecord,
    BadTranscript,
    End,
    Header,
    Line,
    Reveal,
    check_header,
    commitment,
    read_record,
    split,
)


class Step(Struct, frozen=True):
    """A record, its output, and the match after it."""

    record: AnyRecord
    out: Out
    match: CheckedReplay[Any]


class Replay:
    """Replays records one by one; BadTranscript at the first that the referee would not have written."""

    def __init__(self, game: Game[Any], seed: bytes, clock: Clock | None = None) -> None:
        self._game = game
        self._seed = seed
        self._clock = clock
        self._match: CheckedReplay[Any] | None = None
        self._owed: list[bytes] = []
        """The end line that the last input produced; it must be the next record."""
        self._number = 0

    def take(self, raw: bytes) -> Step:
        self._number += 1
        if self._match is None:
            self._match, out = _begun(self._game, raw, self._seed, self._clock)
            self._owed = out.lines[1:]
            return Step(self._match.header, out, self._match)
        record = read_record(raw, self._number)
        written, out = self._redone(self._match, record)
        if written != raw:
            raise BadTranscript(self._number, "is not what the referee would have written here")
        return Step(record, out, self._match)

    def _redone(self, match: CheckedReplay[Any], record: AnyRecord) -> tuple[bytes, Out]:
        """The record as the referee writes it, and its output."""
        if isinstance(record, Line) and not self._owed:
            _check_link(record, match.head, match.records, self._number)
            try:
                out = match.redo(record)
            except Forged as e:
                raise BadTranscript(self._number, str(e)) from None
            written, *self._owed = out.lines
            return written, out
        if isinstance(record, End) and (owed := self._owed or match.fails()):
            self._owed = []
            return owed[0], Out([], [])
        if isinstance(record, Reveal) and not self._owed and match.end is not None and not match.revealed:
            return match.reveal(), Out([], [])
        raise BadTranscript(self._number, f"unexpected record of kind {_kind(record)!r}")


def replay(game: Game[Any], lines: Sequence[bytes], seed: bytes, clock: Clock | None = None) -> Iterator[Step]:
    """Replay all lines, one step for each."""
    taken = Replay(game, seed, clock)
    for raw in lines:
        yield taken.take(raw)


def resume(
    game: Game[Any],
    lines: Sequence[bytes],
    seed: bytes,
    now: float,
    clock: Clock | None = None,
    past: list[Out] | None = None,
) -> tuple[Match[Any], Out]:
    """The match after its last line, and the output to store and deliver. Earlier outputs are added to `past`."""
    for step in replay(game, lines, seed, clock):
        match = step.match
        if past is not None:
            past.append(step.out)
    wrote_end = isinstance(step.record, End | Reveal)
    if match.end is not None:  # a crash may have cut the end line
        return match, Out([] if wrote_end else step.out.lines[1:], [])
    return match, match.reopen(now)


class Verdict(Struct, frozen=True):
    """The result of verifying a transcript."""

    holds: Literal["yes", "so far", "not replayed", "no"]
    """not replayed: hash chain and seed are valid, but this release lacks the rules of the match."""
    why: str
    line: int | None = None
    header: Header | None = None
    end: Result | Void | None = None


def verify(data: bytes, games: Callable[[str], Game[Any]]) -> Verdict:
    """Check hash chain, commitment and every move. `games` finds a game by name, or raises KeyError."""
    header: Header | None = None
    try:
        lines = split(data)
        header = read_header(lines[0])
        return _verify(lines, header, games)
    except BadTranscript as e:
        return Verdict("no", e.why, e.line, header)


def _verify(lines: Sequence[bytes], header: Header, games: Callable[[str], Game[Any]]) -> Verdict:
    last = read_record(lines[-1], len(lines))
    if not isinstance(last, Reveal):
        _check_chain(lines)
        what = "the seed is not yet revealed" if isinstance(last, End) else "the match is not finished"
        return Verdict("so far", f"every line links to the one before; {what}", None, header)
    seed = bytes.fromhex(last.seed)
    if commitment(seed) != header.commit:
        _check_chain(lines)
        raise BadTranscript(len(lines), "the seed is not the one that was committed to in the header")
    try:
        game = known_game(header, games)
    except UnknownRules as e:
        _check_chain(lines)
        return Verdict("not replayed", f"chain and commitment hold, moves not replayed ({e.why})", None, header)
    for step in replay(game, lines, seed):
        match = step.match
    proof = "every line links, the seed is the one committed to, every move replays"
    return Verdict("yes", proof, None, header, match.end)


def _check_chain(lines: Sequence[bytes]) -> None:
    """Check the hash chain without replaying."""
    head = sha256(lines[0]).hexdigest()
    last: type[Line] | type[End] | type[Reveal] = Line
    after = {Line: (Line, End), End: (Reveal,), Reveal: ()}
    for number, raw in enumerate(lines[1:], start=2):
        record = read_record(raw, number)
        if isinstance(record, Header) or type(record) not in after[last]:
            raise BadTranscript(number, f"unexpected record of kind {_kind(record)!r}")
        _check_link(record, head, number - 1, number)
        head, last = sha256(raw).hexdigest(), type(record)


def _check_link(record: Line | End | Reveal, head: str, n: int, number: int) -> None:
    if record.prev != head:
        raise BadTranscript(number, f"its link is not the hash of line {number - 1}: one of the two was changed")
    if record.n != n:
        raise BadTranscript(number, f"is numbered {record.n} instead of {n}")


def read_header(raw: bytes) -> Header:
    """The first line of a transcript."""
    header = read_record(raw, 1)
    if not isinstance(header, Header):
        raise BadTranscript(1, "is not a header")
    return header


def _begun(game: Game[Any], raw: bytes, seed: bytes, clock: Clock | None) -> tuple[CheckedReplay[Any], Out]:
    header = read_header(raw)
    if header.game != game.name:
        raise BadTranscript(1, f"is the header of a match of {header.game}, not of {game.name}")
    check_rules(header, game)
    try:
        check_header(game, header)
        match: CheckedReplay[Any] = CheckedReplay(game, header, seed, clock)
    except (msgspec.MsgspecError, ValueError, RecursionError) as e:
        raise BadTranscript(1, f"is not a valid header: {e}") from None
    return match, match.prepare(0.0)


def _kind(record: AnyRecord) -> str:
    return str(record.__struct_config__.tag)
