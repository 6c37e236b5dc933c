"""Matches of different games do not disturb each other, and a transcript shows any change."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.referee.replay import verify
from parlour.testing.contract.transcripts import whole
from parlour.testing.walk import Case, Walk, cases
from tests.contract.subjects import SUBJECTS

any_case = st.sampled_from(sorted(SUBJECTS)).flatmap(lambda name: cases(SUBJECTS[name]))


@settings(max_examples=8)
@given(st.lists(any_case, min_size=2, max_size=4), st.randoms())
def test_interleaved_matches_equal_lone_ones(together: list[Case], turns: Any) -> None:
    walks = [Walk(case).begin() for case in together]
    while going := [walk for walk in walks if walk.match.end is None]:
        turns.choice(going).step()
    for case, walk in zip(together, walks, strict=True):
        assert Walk(case).begin().to_end().lines == walk.lines


@settings(max_examples=15)
@given(cases(SUBJECTS["forsale"]), st.data())
def test_any_changed_byte_is_found_and_named(case: Case, data: st.DataObject) -> None:
    transcript = whole(Walk(case).begin().to_end())
    game = case.subject.game
    assert verify(transcript, lambda _: game).holds == "yes"
    for _ in range(25):
        place = data.draw(st.integers(0, len(transcript) - 1))
        byte = transcript[place] ^ data.draw(st.integers(1, 255))
        changed = transcript[:place] + bytes([byte]) + transcript[place + 1 :]
        verdict = verify(changed, lambda _: game)
        line = transcript[:place].count(b"\n") + 1
        assert verdict.holds == "no" and verdict.line in (line, line + 1), (place, byte, verdict)
