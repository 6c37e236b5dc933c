"""Frames and timelines of recorded matches: any moment is shown as a whole replay would show it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parlour.core import By, Event, Game
from parlour.games import game
from parlour.referee import frames as frames_module
from parlour.referee.frames import RecordedMatch
from parlour.referee.replay import Step, replay
from parlour.referee.timeline import Frame
from parlour.referee.transcript import Header, Line, Reveal, read_record
from tests.releases import TRANSCRIPTS, is_known, lines_of, named, seed_beside

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
