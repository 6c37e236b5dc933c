"""Frames and timelines of recorded matches: any moment is shown as a whole replay would show it."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import pytest
from msgspec import Struct

from parlour.core import AnswerRefused, By, Event, Game, Result, Void
from parlour.games import game
from parlour.plugins import names
from parlour.referee import frames as frames_module
from parlour.referee.frames import NoSuchSeat, RecordedMatch
from parlour.referee.replay import Step, replay
from parlour.referee.timeline import Frame
from parlour.referee.transcript import BadTranscript, Reveal, read_record
from parlour.testing import Golden, Subject
from parlour.testing.walk import Case, Walk
from tests.contract.goldens import GOLDEN
from tests.releases import FIXTURES, TRANSCRIPTS, is_known, lines_of, named, seed_beside


class Recording(Struct, frozen=True):
    """A match to be shown."""

    name: str
    game: Game[Any]
    lines: list[bytes]
    seed: bytes

    def opened(self) -> RecordedMatch:
        return RecordedMatch(self.game, self.lines, self.seed)


def of_release(path: Path) -> Recording:
    lines = lines_of(path)
    last = read_record(lines[-1], len(lines))
    seed = bytes.fromhex(last.seed) if isinstance(last, Reveal) else seed_beside(path)
    assert seed is not None
    return Recording(named(path), game(path.parent.name), lines, seed)


def of_golden(name: str, golden: Golden) -> Recording:
    rules = game(name.partition("-")[0])
    options = golden.options or rules.hosting.short or rules.rules.options()
    case = Case(Subject(rules), golden.seats, options, name.encode(), 0, golden.rough)
    return Recording(name, rules, Walk(case).begin().to_end().lines, case.seed)


RELEASED = {named(path): path for path in TRANSCRIPTS if is_known(lines_of(path))}
GOLDENS = {name: golden for matches in GOLDEN.values() for name, golden in matches.items()}


Seen: TypeAlias = tuple[bytes, list[bytes]]
"""The JSON of a view, and of the events before it."""


class Shown(Struct, frozen=True):
    """A recording, shown frame by frame and by a whole replay."""

    match: RecordedMatch
    frames: dict[By, list[Frame]]
    replayed: dict[By, list[Seen]]
    faulty: list[int]
    """The frames with faults."""
    end: Result | Void | None


@pytest.fixture(params=[*RELEASED, *GOLDENS], scope="module")
def shown(request: pytest.FixtureRequest) -> Shown:
    name: str = request.param
    recording = of_release(RELEASED[name]) if name in RELEASED else of_golden(name, GOLDENS[name])
    with pytest.MonkeyPatch.context() as for_now:
        for_now.setattr(frames_module, "MOST_SNAPSHOTS", 6)
        match = recording.opened()
    audiences: list[By] = [None, *range(len(match.names))]
    frames = {who: [*match.frames(who, 0, match.total)] for who in audiences}
    replayed: dict[By, list[Seen]] = {who: [] for who in audiences}
    faulty = []
    for n, step in enumerate(steps(recording)):
        for who, seen in replayed.items():
            seen.append(as_seen(step, who))
        faulty += [n for notice in step.out.notices if isinstance(notice, AnswerRefused)]
    return Shown(match, frames, replayed, faulty, step.match.end)


def steps(recording: Recording) -> Iterator[Step]:
    """The steps of a whole replay that are frames."""
    inputs = [raw for raw in recording.lines if not raw.startswith((b'{"kind":"end"', b'{"kind":"reveal"'))]
    return replay(recording.game, inputs, recording.seed)


def as_seen(step: Step, who: By) -> Seen:
    who = who if who is not None and who < len(step.match.names) else None
    events = [notice for notice in step.out.to(who) if isinstance(notice, Event)]
    return msgspec.json.encode(step.match.state.view(who)), [msgspec.json.encode(event) for event in events]


def in_json(frame: Frame) -> Seen:
    return msgspec.json.encode(frame.view), [msgspec.json.encode(each.event) for each in frame.events]


def test_frames_are_what_a_whole_replay_shows(shown: Shown) -> None:
    """At every moment, for every seat and for spectators, wherever the frames begin."""
    match = shown.match
    assert len(match.snapshots) <= 6
    for who, frames in shown.frames.items():
        assert [frame.n for frame in frames] == [*range(match.total)]
        assert [in_json(frame) for frame in frames] == shown.replayed[who]
    for n in {1, match.total // 3, match.total - 1}:
        [alone] = match.frames(who, n, n + 1)
        assert alone == frames[n]


def test_a_timeline_has_the_whole_story(shown: Shown) -> None:
    match = shown.match
    for who, frames in shown.frames.items():
        timeline = match.timeline(who)
        told = [(frame.n, each.seat, words) for frame in frames for each in frame.events for words in each.words]
        assert [(line.n, line.seat, line.words) for line in timeline.log if line.n] == told
        assert not timeline.hidden and timeline.total == len(frames)
        assert [player.name for player in timeline.players] == match.names
    assert timeline.end == shown.end or isinstance(timeline.end, Void)
    assert [mark.n for mark in timeline.marks if mark.kind == "fault"] == shown.faulty
    begun: list[tuple[int, str]] = []
    for frame in frames:
        if frame.part and frame.part not in [part for _, part in begun[-1:]]:
            begun.append((frame.n, frame.part))
    assert [(mark.n, mark.words) for mark in timeline.marks if mark.kind == "part"] == begun


def test_standings_lead_to_the_result(shown: Shown) -> None:
    timeline = shown.match.timeline(None)
    standing = shown.match.game.words.standing
    if standing is None:
        assert (timeline.label, timeline.scores) == (None, ())
        return
    assert timeline.label == standing.label
    changes = [scores for _, scores in timeline.scores]
    assert all(before != after for before, after in pairwise(changes))
    if isinstance(timeline.end, Result):
        assert changes[-1] == timeline.end.scores


def test_every_game_but_one_has_a_standing() -> None:
    assert [name for name in names() if game(name).words.standing is None] == ["tradecraft"]


def forsale() -> tuple[RecordedMatch, list[bytes]]:
    recording = of_release(FIXTURES / "release-0.1.0" / "forsale" / "faults.jsonl")
    return recording.opened(), recording.lines


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
    n, path = next(
        (n, path)
        for path in RELEASED.values()
        for n, raw in enumerate(lines_of(path))
        if b'"fault"' in raw and b'"Leave"' in raw
    )
    match, lines = of_release(path).opened(), lines_of(path)
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
    recording = of_release(FIXTURES / "release-0.1.0" / "forsale" / "faults.jsonl")
    lines = [*recording.lines]
    lines[3] = lines[3].replace(b'"by":', b'"by": ')
    with pytest.raises(BadTranscript, match="line 4"):
        RecordedMatch(recording.game, lines, recording.seed)
