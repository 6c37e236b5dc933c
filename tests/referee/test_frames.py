"""Frames and timelines of recorded matches: any moment is shown as a whole replay would show it."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parlour.core import AnswerRefused, By, Event, Game, Result, Void
from parlour.games import game
from parlour.plugins import names
from parlour.referee import frames as frames_module
from parlour.referee.frames import NoSuchSeat, RecordedMatch
from parlour.referee.replay import Step, replay
from parlour.referee.timeline import Frame
from parlour.referee.transcript import BadTranscript, Header, Line, Reveal, read_record
from tests.releases import FIXTURES, TRANSCRIPTS, is_known, lines_of, named, seed_beside

SHOWN = [path for path in TRANSCRIPTS if is_known(lines_of(path))]


def seed_of(path: Path, lines: Sequence[bytes]) -> bytes:
    last = read_record(lines[-1], len(lines))
    seed = bytes.fromhex(last.seed) if isinstance(last, Reveal) else seed_beside(path)
    assert seed is not None
    return seed


def opened(path: Path) -> tuple[RecordedMatch, Game[Any], list[bytes], bytes]:
    lines = lines_of(path)
    rules, seed = game(path.parent.name), seed_of(path, lines)
    return RecordedMatch(rules, lines, seed), rules, lines, seed


def replayed(rules: Game[Any], lines: Sequence[bytes], seed: bytes) -> Iterator[Step]:
    """The steps that are frames."""
    shown = [raw for raw in lines if b'"kind":"end"' not in raw[:20] and b'"kind":"reveal"' not in raw[:20]]
    for step in replay(rules, shown, seed):
        if isinstance(step.record, Header | Line):
            yield step


def as_seen(step: Step, who: By) -> tuple[bytes, list[bytes]]:
    """The view of a whole replay, and its events."""
    who = who if who is not None and who < len(step.match.names) else None
    events = [notice for notice in step.out.to(who) if isinstance(notice, Event)]
    return msgspec.json.encode(step.match.state.view(who)), [msgspec.json.encode(event) for event in events]


def shown(frame: Frame) -> tuple[bytes, list[bytes]]:
    return msgspec.json.encode(frame.view), [msgspec.json.encode(each.event) for each in frame.events]


@pytest.mark.parametrize("path", SHOWN, ids=named)
def test_frames_are_what_a_whole_replay_shows(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At every moment, for every seat and for spectators, wherever the frames begin."""
    monkeypatch.setattr(frames_module, "MOST_SNAPSHOTS", 6)
    match, rules, lines, seed = opened(path)
    assert len(match.snapshots) <= 6
    audiences: list[By] = [None, *range(len(match.names))]
    expected: list[dict[By, Any]] = [
        {who: as_seen(step, who) for who in audiences} for step in replayed(rules, lines, seed)
    ]
    assert match.total == len(expected)
    for who in audiences:
        whole = [*match.frames(who, 0, match.total)]
        assert [frame.n for frame in whole] == [*range(match.total)]
        assert [shown(frame) for frame in whole] == [each[who] for each in expected]
    for n in {1, match.total // 3, match.total - 1}:
        [alone] = match.frames(audiences[-1], n, n + 1)
        assert shown(alone) == expected[n][audiences[-1]] and alone.n == n


@pytest.mark.parametrize("path", SHOWN, ids=named)
def test_a_timeline_has_the_whole_story(path: Path) -> None:
    match, rules, lines, seed = opened(path)
    steps = [*replayed(rules, lines, seed)]
    for who in (None, *range(len(match.names))):
        timeline = match.timeline(who)
        words = [line.words for line in timeline.log if line.n]
        assert words == [line for frame in match.frames(who, 1, match.total) for e in frame.events for line in e.words]
        assert not timeline.hidden and timeline.total == len(steps)
        assert [player.name for player in timeline.players] == match.names
    assert timeline.end == steps[-1].match.end or isinstance(timeline.end, Void)
    refused = [n for n, step in enumerate(steps) for notice in step.out.notices if isinstance(notice, AnswerRefused)]
    assert [mark.n for mark in timeline.marks if mark.kind == "fault"] == refused


@pytest.mark.parametrize("path", SHOWN, ids=named)
def test_standings_lead_to_the_result(path: Path) -> None:
    match, rules, _, _ = opened(path)
    timeline = match.timeline(None)
    if rules.words.standing is None:
        assert (timeline.label, timeline.scores) == (None, ())
        return
    assert timeline.label == rules.words.standing.label
    changes = [scores for _, scores in timeline.scores]
    assert all(before != after for before, after in pairwise(changes))
    if isinstance(timeline.end, Result):
        assert changes[-1] == timeline.end.scores


def test_every_game_but_one_has_a_standing() -> None:
    assert [name for name in names() if game(name).words.standing is None] == ["tradecraft"]


def forsale() -> tuple[RecordedMatch, list[bytes]]:
    match, _, lines, _ = opened(FIXTURES / "release-0.1.0" / "forsale" / "faults.jsonl")
    return match, lines


def test_faults_and_answers_of_all_seats_are_shown() -> None:
    match, lines = forsale()
    for raw, frame in zip(lines[1:], match.frames(None, 1, match.total), strict=False):
        recorded = msgspec.json.decode(raw)
        if "fault" not in recorded:
            assert frame.fault is None and frame.by == recorded.get("by")
            expected = recorded.get("do") if frame.by is not None else None
        else:
            assert frame.fault is not None and frame.fault.code == recorded["fault"]["code"]
            expected = recorded.get("said")
        assert (None if frame.answer is None else msgspec.json.decode(frame.answer)) == expected


def test_a_seat_that_leaves_for_its_faults_is_named() -> None:
    path = next(path for path in SHOWN if any(b'"fault"' in raw and b'"Leave"' in raw for raw in lines_of(path)))
    match, _, lines, _ = opened(path)
    n = next(n for n, raw in enumerate(lines) if b'"fault"' in raw and b'"Leave"' in raw)
    [frame] = match.frames(None, n, n + 1)
    seat = msgspec.json.decode(lines[n])["do"]["seat"]
    assert frame.by == seat and frame.fault is not None
    [left] = [mark for mark in match.timeline(None).marks if mark.n == n and mark.kind == "left"]
    assert left.seat == seat and match.names[seat] in left.words


def test_a_leader_is_marked_once() -> None:
    match, _ = forsale()
    timeline = match.timeline(None)
    leads = [mark for mark in timeline.marks if mark.kind == "lead"]
    assert leads and all(before.seat != after.seat for before, after in pairwise(leads))
    at = dict(timeline.scores)
    for mark in leads:
        assert mark.seat is not None and at[mark.n][mark.seat] == max(at[mark.n])


def test_a_long_log_is_cut_at_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = forsale()[0].timeline(0).log
    monkeypatch.setattr(frames_module, "MOST_LOG", 7)
    timeline = forsale()[0].timeline(0)
    assert timeline.hidden and timeline.log == whole[-7:]


def test_a_seat_that_the_match_has_not_is_refused() -> None:
    match, _ = forsale()
    for seat in (-1, len(match.names)):
        with pytest.raises(NoSuchSeat, match="seats 0 to"):
            match.timeline(seat)


def test_a_changed_line_is_refused() -> None:
    _, lines = forsale()
    lines[3] = lines[3].replace(b'"by":', b'"by": ')
    with pytest.raises(BadTranscript, match="line 4"):
        RecordedMatch(game("forsale"), lines, seed_of(Path(), lines))
