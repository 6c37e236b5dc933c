"""A match is what its lines say: they replay, resume, and show any change."""

from typing import Any

from hypothesis import strategies as st

from parlour.core import By, Event
from parlour.referee.match import Out
from parlour.referee.replay import replay, resume, verify
from parlour.testing.contract.base import ContractTests
from parlour.testing.draws import a_walk, drawn, few, seats_of
from parlour.testing.walk import Walk, cases, was


class TranscriptsContract(ContractTests):
    """The transcript of a match, whole or cut off."""

    @few
    def test_any_prefix_replays_to_an_equal_match_and_goes_on_to_the_end(self, data: st.DataObject) -> None:
        walk = a_walk(data, self.subject)
        for moment in (data.draw(st.integers(0, len(walk.outs) - 1)), len(walk.outs) - 1):
            cut = sum(len(out.lines) for out in walk.outs[: moment + 1])
            match, out = resume(self.game, walk.lines[:cut], walk.case.seed, 0.0)
            assert not out.lines, f"A match resumed after line {cut} goes on by itself, which it did not before."
            assert was(match) == walk.moments[moment], f"A match resumed after line {cut} is not what it was."
        cut = data.draw(st.integers(1, len(walk.lines)))  # also between a line and what follows it by itself
        match, out = resume(self.game, walk.lines[:cut], walk.case.seed, 0.0)
        again = Walk(walk.case)
        again.match, again.lines = match, [*walk.lines[:cut], *out.lines]
        again.to_end()
        verdict = verify(whole(again), lambda _: self.game)
        assert verdict.holds == "yes", f"The transcript of a match resumed after line {cut} does not verify: {verdict}"

    @drawn(3)
    def test_interleaved_matches_equal_lone_ones(self, data: st.DataObject) -> None:
        """Nothing is shared between matches: no module variable, no cache that a match can change."""
        together = data.draw(st.lists(cases(self.subject), min_size=2, max_size=2))
        walks = [Walk(case).begin() for case in together]
        turns = data.draw(st.randoms())
        while going := [walk for walk in walks if walk.match.end is None]:
            turns.choice(going).step()
        for case, walk in zip(together, walks, strict=True):
            alone = Walk(case).begin().to_end()
            assert alone.lines == walk.lines, "A match goes another way while another match is played."

    @drawn(4)
    def test_views_and_events_can_be_had_again_from_the_transcript(self, data: st.DataObject) -> None:
        case = data.draw(cases(self.subject))
        walk = Walk(case).begin().to_end()
        told: dict[By, list[Any]] = {who: [] for who in seats_of(walk.match)}
        for step in replay(self.game, walk.lines, case.seed):
            for who in told:
                told[who] += [notice for notice in step.out.to(who) if isinstance(notice, Event)]
        for who, events in told.items():
            live = [n for out in walk.outs for n in Out([], out.notices).to(who) if isinstance(n, Event)]
            assert events == live, f"A replay tells seat {who} other events than the match did."


def whole(walk: Walk) -> bytes:
    """The transcript of a match that is over, with its seed revealed."""
    return b"".join(line + b"\n" for line in [*walk.lines, walk.match.reveal()])
