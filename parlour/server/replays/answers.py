"""Answer questions about recorded matches. Pure: no sockets and no processes."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from parlour import plugins
from parlour.core import Game
from parlour.core.values import plain
from parlour.protocol.errors import RequestError
from parlour.referee.frames import Decision, NoSuchSeat, RecordedMatch
from parlour.referee.known_rules import UnknownRules, known_game
from parlour.referee.replay import read_header, verify
from parlour.referee.timeline import Frame, Frames
from parlour.referee.transcript import BadTranscript, Reveal, read_record, split
from parlour.server.replays.examples import example
from parlour.server.replays.jobs import MISSING, JobKind, ReplayAnswer, ReplayJob
from parlour.server.replays.replay_cache import ReplayCache

MOST_FRAMES = 100
MOST_FRAME_BYTES = 4_000_000
"""Frames of one answer: their number, and their bytes of JSON."""
MOST_VERDICTS = 1000
"""Verdicts that are kept; the oldest make room."""

_encode = msgspec.json.Encoder().encode


class Answers:
    """Answers jobs, and keeps recent replays."""

    def __init__(self, cache: ReplayCache) -> None:
        self._cache = cache
        self._verdicts: dict[str, bytes] = {}
        """Of stored matches, which do not change."""

    def answer(self, job: ReplayJob) -> ReplayAnswer:
        try:
            return self._answer(job)
        except RequestError as e:
            return ReplayAnswer(e.status, code=e.code, words=plain(e.words))  # the words may quote the transcript

    def _answer(self, job: ReplayJob) -> ReplayAnswer:
        if job.kind == "verdict":
            return self._verdict(job)
        if job.kind == "example":
            return ReplayAnswer(200, example(plugins.game(job.key)))
        match = self._cache.get(job.key)
        if match is None:
            if job.data is None:
                return ReplayAnswer(MISSING)
            match = recorded(job.data, job.seed)
            if job.key:
                self._cache.put(job.key, match)
        try:
            return ReplayAnswer(200, _encode(SHOWN[job.kind](match, job)))
        except NoSuchSeat as e:
            raise RequestError(400, "bad_seat", str(e)) from None

    def _verdict(self, job: ReplayJob) -> ReplayAnswer:
        if job.key in self._verdicts:
            return ReplayAnswer(200, self._verdicts[job.key])
        if job.data is None:
            return ReplayAnswer(MISSING)
        found = verify(job.data, _game)
        body = _encode({"holds": found.holds, "why": plain(found.why), "line": found.line})
        if job.key:
            self._verdicts[job.key] = body
            if len(self._verdicts) > MOST_VERDICTS:
                del self._verdicts[next(iter(self._verdicts))]
        return ReplayAnswer(200, body)


def recorded(data: bytes, seed: bytes | None) -> RecordedMatch:
    """Replay a transcript; RequestError if that is not possible."""
    try:
        lines = split(data)
        header = read_header(lines[0])
        game: Game[Any] = known_game(header, _game)
        return RecordedMatch(game, lines, seed or _seed(lines))
    except UnknownRules as e:
        raise RequestError(409, "not_replayed", str(e)) from None
    except BadTranscript as e:
        raise RequestError(400, "bad_transcript", str(e)) from None


def _game(name: str) -> Game[Any]:
    try:
        return plugins.game(name)
    except plugins.BrokenPlugin as e:
        raise KeyError(name) from e


def _seed(lines: Sequence[bytes]) -> bytes:
    last = read_record(lines[-1], len(lines))
    if not isinstance(last, Reveal):
        raise RequestError(400, "no_seed", "the match is not finished: the transcript lacks its seed, the last line")
    return bytes.fromhex(last.seed)


def _frames(match: RecordedMatch, job: ReplayJob) -> Frames:
    first, total = job.first, match.total
    _check_frame(match, first, "from")
    wanted = total if job.last is None else min(total, job.last)
    if wanted <= first:
        raise RequestError(400, "bad_range", f"to {job.last}: must be more than {first}, where the range begins")
    match.check_seat(job.seat)
    frames: list[Frame | msgspec.Raw] = []
    size = 0
    for frame in match.frames(job.seat, first, min(wanted, first + MOST_FRAMES)):
        raw = _encode(frame)
        size += len(raw)
        if frames and size > MOST_FRAME_BYTES:
            break
        frames.append(msgspec.Raw(raw))
    end = first + len(frames)
    return Frames(total, end if end < wanted else None, tuple(frames))  # type: ignore[arg-type]  # encoded


def _check_frame(match: RecordedMatch, n: int, name: str) -> None:
    if n >= match.total:
        raise RequestError(400, "bad_range", f"{name} {n}: there are frames 0 to {match.total - 1}")


def _decision(match: RecordedMatch, job: ReplayJob) -> Decision:
    _check_frame(match, job.first, "frame")
    found = match.decision(job.seat or 0, job.first)
    if found is None:
        raise RequestError(409, "nothing_asked", f"seat {job.seat} is not asked in frame {job.first}")
    return found


SHOWN: Mapping[JobKind, Callable[[RecordedMatch, ReplayJob], Any]] = {
    "timeline": lambda match, job: match.timeline(job.seat),
    "frames": _frames,
    "decision": _decision,
    "trial": lambda match, job: match.trial(job.seat or 0, job.first, job.action),
    "asks": lambda match, job: match.ask_frames.by_seat(),
}
"""Functions that show a recorded match, by the kind of the job."""
