"""A match is what its lines say: they replay, resume, and show any change. Contract 1 and 14."""

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from parlour.core import (
    By,
    Event,
)
from parlour.referee.match import Out
from parlour.referee.replay import replay, resume, verify
from tests.contract.draws import drawn, each_game, few, seats_of, some
from tests.contract.subjects import SUBJECTS
from tests.contract.walk import Case, Walk, cases, was

encode = msgspec.json.encode


@each_game
@some
@given(st.data())
def test_any_prefix_replays_to_an_equal_match_and_goes_on_to_the_end(name: str, data: st.DataObject) -> None:
    walk = drawn(data, name)
    game, seed = walk.match.game, walk.case.seed
    moments = [data.draw(st.integers(0, len(walk.outs) - 1)), len(walk.outs) - 1]
    for moment in moments:
        cut = sum(len(out.lines) for out in walk.outs[: moment + 1])
        match, out = resume(game, walk.lines[:cut], seed, 0.0)
        assert not out.lines and was(match) == walk.moments[moment]
    cut = data.draw(st.integers(1, len(walk.lines)))  # also between a line and what follows it by itself
    match, out = resume(game, walk.lines[:cut], seed, 0.0)
    again = Walk(walk.case)
    again.match, again.lines = match, [*walk.lines[:cut], *out.lines]
    again.to_end()
    assert verify(b"".join(line + b"\n" for line in [*again.lines, match.reveal()]), lambda _: game).holds == "yes"


@few
@given(st.lists(st.sampled_from(sorted(SUBJECTS)).flatmap(cases), min_size=2, max_size=4), st.randoms())
def test_interleaved_matches_equal_lone_ones(together: list[Case], turns: Any) -> None:
    walks = [Walk(case).begin() for case in together]
    while going := [walk for walk in walks if walk.match.end is None]:
        turns.choice(going).step()
    for case, walk in zip(together, walks, strict=True):
        assert Walk(case).begin().to_end().lines == walk.lines


@few
@given(cases("forsale"), st.data())
def test_any_changed_byte_is_found_and_named(case: Case, data: st.DataObject) -> None:
    walk = Walk(case).begin().to_end()
    game = case.subject.game
    whole = b"".join(line + b"\n" for line in [*walk.lines, walk.match.reveal()])
    assert verify(whole, lambda _: game).holds == "yes"
    for _ in range(25):
        place = data.draw(st.integers(0, len(whole) - 1))
        byte = whole[place] ^ data.draw(st.integers(1, 255))
        changed = whole[:place] + bytes([byte]) + whole[place + 1 :]
        verdict = verify(changed, lambda _: game)
        line = whole[:place].count(b"\n") + 1
        assert verdict.holds == "no" and verdict.line in (line, line + 1), (place, byte, verdict)


@few
@given(st.sampled_from(sorted(SUBJECTS)).flatmap(cases))
def test_views_and_events_can_be_had_again_from_the_transcript(case: Case) -> None:
    walk = Walk(case).begin().to_end()
    told: dict[By, list[Any]] = {who: [] for who in seats_of(walk.match)}
    for step in replay(case.subject.game, walk.lines, case.seed):
        for who in told:
            told[who] += [notice for notice in step.out.to(who) if isinstance(notice, Event)]
    for who, events in told.items():
        assert events == [n for out in walk.outs for n in Out([], out.notices).to(who) if isinstance(n, Event)]
