"""Check stored matches: no line is missing, the seed fits the commitment, and the result is the transcript's."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from sqlalchemy.exc import NoResultFound

from parlour.core import Game, Result, Void
from parlour.protocol.records import StoredMatch
from parlour.referee.known_rules import UnknownRules, known_game
from parlour.referee.replay import read_header, replay, verify
from parlour.referee.transcript import BadTranscript, End, Header, commitment, match_name, read_record
from parlour.store.store import Store

Games: TypeAlias = Callable[[str], Game[Any]]
"""Finds a game by its name, or raises KeyError."""


async def check(store: Store, match: StoredMatch, games: Games) -> list[str]:
    """Errors in a stored match; empty if there are none. The match must not be running on a server."""
    try:
        seed = await store.seed(match.id)
    except NoResultFound:
        return ["its seed is missing"]
    numbers, lines = await store.numbers(match.id), await store.lines(match.id)
    if numbers != [*range(len(numbers))]:
        return [f"line {next(n for n, number in enumerate(numbers) if n != number)} is missing"]
    if not lines:
        return _check_unbegun(match, seed)
    try:
        header = read_header(lines[0])
        return _check_header(match, header, seed) or _check_lines(match, header, lines, seed, games)
    except BadTranscript as e:
        return [str(e)]


async def not_replayed(store: Store, match: StoredMatch, games: Games) -> str | None:
    """The reason why this release cannot replay a match; None if it can, or the match has not begun."""
    lines = await store.lines(match.id, limit=1)
    try:
        return _lacks(read_header(lines[0]), games) if lines else None
    except BadTranscript:
        return None


def _lacks(header: Header, games: Games) -> str | None:
    try:
        known_game(header, games)
    except UnknownRules as e:
        return e.why
    return None


def _check_unbegun(match: StoredMatch, seed: bytes) -> list[str]:
    """Check a table whose match has not begun, as far as any client knows."""
    troubles = [] if match.id == match_name(seed) else ["its seed is not the one that it is named for"]
    if match.state == "over":
        troubles.append("it is over, but has no lines")
    return troubles


def _check_header(match: StoredMatch, header: Header, seed: bytes) -> list[str]:
    troubles = []
    if (header.match, header.game) != (match.id, match.game):
        troubles.append(f"its lines are those of {header.match}, a match of {header.game}")
    if header.commit != commitment(seed):
        troubles.append("its seed is not the one that its header commits to")
    named, kept = [player.name for player in header.players], [seat.name for seat in match.seats]
    if named != kept[: len(named)]:
        troubles.append(f"its header names the players {named}, but its seats {kept}")
    return troubles


def _check_lines(match: StoredMatch, header: Header, lines: Sequence[bytes], seed: bytes, games: Games) -> list[str]:
    if match.state in ("open", "dropped"):
        return ["it has lines, but its match has not begun"]
    if match.state == "running" and _lacks(header, games) is None:
        for _ in replay(games(header.game), lines, seed):
            pass
        return []
    verdict = verify(b"".join(line + b"\n" for line in lines), games)
    if verdict.holds == "no":
        return [f"line {verdict.line}: {verdict.why}"]
    if match.state == "running":
        return []  # its hash chain is valid; only a release with its rules can check the moves
    end = _end(lines)
    if match.state == "void" and end is None:
        return []  # the match could not be resumed, and its lines are valid so far
    return _check_end(match, end)


def _end(lines: Sequence[bytes]) -> Result | Void | None:
    """The end record, if the transcript is complete."""
    record = read_record(lines[-2], len(lines) - 1) if len(lines) > 1 else None
    return record.end if isinstance(record, End) else None


def _check_end(match: StoredMatch, end: Result | Void | None) -> list[str]:
    if end is None:
        return ["it is over, but its transcript has no end"]
    played = dict(enumerate(zip(end.scores, end.ranks, strict=True))) if isinstance(end, Result) else {}
    kept = {seat.seat: (seat.score, seat.rank) for seat in match.seats if seat.rank is not None}
    if (match.state == "over") != isinstance(end, Result) or kept != played:
        return ["its result is not that of its transcript"]
    return []
