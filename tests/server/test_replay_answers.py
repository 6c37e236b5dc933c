"""The answers of a replay process, computed without a process."""

import io
from typing import Any

import msgspec
import pytest

from parlour.protocol.errors import RequestError
from parlour.referee.frames import RecordedMatch
from parlour.server.replays import answers, processes, worker
from parlour.server.replays.answers import Answers
from parlour.server.replays.jobs import LENGTH_BYTES, MISSING, ReplayAnswer, ReplayJob, packed, read_answer
from parlour.server.replays.places import ReplayPlaces
from parlour.server.replays.replay_cache import ReplayCache, size_of
from tests.releases import FIXTURES, joined, lines_of, with_header

OLD = FIXTURES / "release-0.1.0"
LINES = lines_of(OLD / "forsale" / "plain.jsonl")


def asked(data: bytes | None, kind: Any = "timeline", cache: ReplayCache | None = None, **more: Any) -> ReplayAnswer:
    job = ReplayJob(kind=kind, **{"key": "", **more}, data=data)
    return Answers(ReplayCache() if cache is None else cache).answer(job)


CHANGED = [*LINES[:4], LINES[4].replace(b'"n":4', b'"n":5'), *LINES[5:]]
BAD: list[tuple[bytes, int, str, str]] = [
    (b"", 400, "bad_transcript", "line 1"),
    (b"\n", 400, "bad_transcript", "line 1"),
    (b"not json\n", 400, "bad_transcript", "line 1"),
    (b"\xff\xfe\n", 400, "bad_transcript", "line 1"),
    (b"[" * 200_000 + b"\n", 400, "bad_transcript", "line 1"),
    (b'{"kind":"header","options":' + b'{"a":' * 100_000 + b"\n", 400, "bad_transcript", "line 1"),
    (b"x" * 4_900_000 + b"\n", 400, "bad_transcript", "line 1"),
    (joined(LINES)[:-1], 400, "bad_transcript", f"line {len(LINES)}"),
    (joined(CHANGED), 400, "bad_transcript", "line 5"),
    (joined(LINES[1:]), 400, "bad_transcript", "line 1"),
    (joined(LINES[:-2]), 400, "no_seed", "not finished"),
    (joined(LINES[:-1]), 400, "no_seed", "seed"),
    (joined(with_header(LINES, game="chess")), 409, "not_replayed", "chess"),
    (joined(with_header(LINES, version=99)), 409, "not_replayed", "version 99"),
    (joined(with_header(LINES, options={"colour": 1})), 409, "not_replayed", "colour"),
    (joined(with_header(LINES, options={"balances": "x" * 1_000_000})), 400, "bad_transcript", "line 1"),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_a_bad_transcript_is_refused_with_its_line(number: int) -> None:
    body, status, code, words = BAD[number]
    for kind in ("timeline", "frames"):
        answer = asked(body, kind)
        assert (answer.status, answer.code) == (status, code), answer.words
        assert words in answer.words and len(answer.words) <= 300
    verdict = msgspec.json.decode(asked(body, "verdict").body)
    assert verdict["holds"] != "yes" and len(verdict["why"]) <= 400


@pytest.mark.parametrize("changes", [{"width": 10**9, "height": 10**9}, {"max_turn": 10**18}], ids=str)
def test_an_option_cannot_ask_for_everything(changes: dict[str, int]) -> None:
    lines = lines_of(OLD / "colorfight" / "plain.jsonl")
    answer = asked(joined(with_header(lines, options=changes)))
    assert (answer.status, answer.code) == (400, "bad_transcript")


def test_frames_come_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    data = joined(LINES)
    total = msgspec.json.decode(asked(data).body)["total"]

    def portion(first: int, last: int | None) -> tuple[list[int], int | None]:
        found = msgspec.json.decode(asked(data, "frames", first=first, last=last).body)
        return [frame["n"] for frame in found["frames"]], found["next"]

    assert portion(0, None) == ([*range(total)], None)
    assert portion(0, 7) == ([*range(7)], None)
    monkeypatch.setattr(answers, "MOST_FRAMES", 5)
    assert portion(3, total) == ([3, 4, 5, 6, 7], 8)
    assert portion(3, None) == ([3, 4, 5, 6, 7], 8)
    monkeypatch.setattr(answers, "MOST_FRAME_BYTES", 1)
    assert portion(3, 6) == ([3], 4)


def test_recent_replays_are_kept_in_limited_memory() -> None:
    data = joined(LINES)
    size = size_of(answers.recorded(data, None))
    cache = ReplayCache(most_bytes=5 * size)
    for number in range(20):
        asked(data, cache=cache, key=f"match {number}")
        assert cache.size <= 5 * size
        assert asked(None, cache=cache, key="match 0").status == 200, "it was used just now"
    assert 3 <= len(cache) <= 5
    assert asked(None, cache=cache, key="match 1").status == MISSING
    assert asked(None, cache=cache, key="match 19").status == 200


def test_a_large_replay_is_kept_with_fewer_snapshots() -> None:
    match = answers.recorded(joined(LINES), None)
    many, size = len(match.snapshots), size_of(match)
    cache = ReplayCache(most_bytes=4 * (size * 3 // 4))
    cache.put("large", match)
    assert len(cache) == 1 and len(match.snapshots) < many
    whole = answers.recorded(joined(LINES), None)
    assert [*match.frames(0, 0, match.total)] == [*whole.frames(0, 0, match.total)]
    tiny = ReplayCache(most_bytes=100)
    tiny.put("too large", match)
    assert len(tiny) == tiny.size == 0


def test_a_replay_that_is_larger_than_its_part_is_kept_if_there_is_room() -> None:
    match = answers.recorded(joined(LINES), None)
    while len(match.snapshots) > 1:
        match.thin()
    size = size_of(match)
    cache = ReplayCache(most_bytes=2 * size)
    cache.put("large", match)
    assert cache.get("large") is match and cache.size == size


def test_a_stored_match_is_checked_once() -> None:
    process = Answers(ReplayCache())
    first = process.answer(ReplayJob(kind="verdict", key="match", data=joined(LINES)))
    assert process.answer(ReplayJob(kind="verdict", key="match")) == first and first.status == 200
    process.answer(ReplayJob(kind="verdict", key="", data=joined(LINES)))
    assert process.answer(ReplayJob(kind="verdict", key="")).status == MISSING, "a client sent it"


def test_verdicts_that_are_kept_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MOST_VERDICTS", 2)
    process = Answers(ReplayCache())
    for key in ("one", "two", "three"):
        process.answer(ReplayJob(kind="verdict", key=key, data=b""))
    assert [process.answer(ReplayJob(kind="verdict", key=key)).status for key in ("one", "two", "three")] == [
        0,
        200,
        200,
    ]


def test_sizes_include_what_the_garbage_collector_does_not_see() -> None:
    match = answers.recorded(joined(LINES), None)
    line = match._inputs[0]
    assert size_of(line) > len(line.prev) + len(memoryview(line.do))
    assert size_of(match) > sum(map(len, LINES))


def test_the_process_answers_until_its_input_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = [ReplayJob(kind="timeline", key="x"), ReplayJob(kind="verdict", key="", data=joined(LINES))]
    written = io.BytesIO()
    worker.work(io.BytesIO(b"".join(map(packed, jobs))), written)
    raw = written.getvalue()
    size = int.from_bytes(raw[:LENGTH_BYTES], "big")
    assert read_answer(raw[LENGTH_BYTES : LENGTH_BYTES + size]).status == MISSING
    assert read_answer(raw[2 * LENGTH_BYTES + size :]).status == 200

    def hungry(self: Answers, job: ReplayJob) -> ReplayAnswer:
        raise MemoryError

    monkeypatch.setattr(Answers, "answer", hungry)
    written = io.BytesIO()
    worker.work(io.BytesIO(packed(jobs[0])), written)
    assert read_answer(written.getvalue()[LENGTH_BYTES:]).code == "too_big"


def test_places_for_transcripts_are_few() -> None:
    places = ReplayPlaces(most=2, each=1)
    with places.taken("one"):
        with pytest.raises(RequestError, match="your address"), places.taken("one"):
            pass
        with places.taken("two"), pytest.raises(RequestError) as full, places.taken("three"):
            pass
        assert (full.value.status, full.value.code) == (503, "too_busy")
    with places.taken("one"), places.taken("three"):
        pass


def test_a_bug_is_answered_with_its_traceback_for_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(match: RecordedMatch, who: object) -> None:
        raise ZeroDivisionError("hidden words")

    monkeypatch.setattr(RecordedMatch, "timeline", broken)
    written = io.BytesIO()
    worker.work(io.BytesIO(packed(ReplayJob(kind="timeline", key="", data=joined(LINES)))), written)
    answer = read_answer(written.getvalue()[LENGTH_BYTES:])
    assert (answer.status, answer.code) == (500, "bug") and "ZeroDivisionError" in answer.words
    with pytest.raises(RequestError) as told:
        processes.body_of(answer)
    assert told.value.status == 500 and "hidden" not in told.value.words
