"""Seats that are asked together do not disturb each other."""

from typing import Any

from hypothesis import strategies as st
from msgspec.json import encode

from parlour.core import Asked, Dice, Took
from parlour.testing.contract.base import ContractTests
from parlour.testing.draws import a_walk, asked_seats, awaited_seats, needs, onward, some
from parlour.testing.walk import Walk


class AsksContract(ContractTests):
    """The asked seats, and the effects of their answers."""

    @needs(lambda subject: subject.together is not False)
    @some
    def test_the_order_of_arrival_does_not_matter(self, data: st.DataObject) -> None:
        """Several seats are asked: any order of their answers gives the same state, and the last answer draws dice."""
        walk = a_walk(data, self.subject, rough=False)
        if self.subject.together:
            onward(walk, several_awaited)
        state, seats = walk.match.state, awaited_seats(walk.match.state)
        dice = Dice(b"answers")
        bot = self.game.hosting.bots["random"]
        answers = {seat: bot(state.view(seat), state.asks()[seat], dice) for seat in seats}
        one = played(state, seats, answers)
        other = played(state, data.draw(st.permutations(seats)), answers)
        assert one == other, f"The order in which the answers of seats {seats} arrive changes the state: {answers}"

    @needs(lambda subject: subject.together is False)
    @some
    def test_seats_are_asked_one_at_a_time(self, data: st.DataObject) -> None:
        asked = asked_seats(a_walk(data, self.subject).match.state)
        assert len(asked) <= 1, f"Seats {asked} are asked at once, but the subject says together=False."

    @some
    def test_an_open_ask_does_not_change(self, data: st.DataObject) -> None:
        """While a seat's ask is open, nobody else's action changes it; an answered seat is not waited for again."""
        walk = a_walk(data, self.subject)
        for _ in range(10):
            if walk.match.end is not None:
                break
            before = {seat: (encode(open.ask), open.n) for seat, open in walk.match.open.items()}
            spans = {seat: (open.ask.span, open.ask.waits) for seat, open in walk.match.open.items()}
            walk.step()
            answered = newly_asked(walk) | walk.match.gone.keys()
            for seat, open in walk.match.open.items():
                if seat in before and seat not in answered:
                    same = (encode(open.ask), open.n) == before[seat]
                    assert same, f"The ask of seat {seat} changed while it was open: {before[seat][0]!r} to {open.ask}"
                if seat in spans and open.ask.span is not None and open.ask.span == spans[seat][0]:
                    assert not open.ask.waits or spans[seat][1], (
                        f"Seat {seat} had answered, and is waited for again within the span {open.ask.span}."
                    )


def several_awaited(match: Any) -> bool:
    return len(awaited_seats(match.state)) > 1


def played(state: Any, order: list[int], answers: dict[int, Any]) -> Any:
    """The state after the answers in this order; only the last may draw dice."""
    twin = state.copy()
    for seat in order:
        assert twin.dice == state.dice, "Dice are drawn before the last seat has answered, so the order matters."
        twin.play(seat, answers[seat])
    return twin


def newly_asked(walk: Walk) -> set[int]:
    """The seats that were asked something new, or whose answers were taken, by the last input."""
    told = (notice for out in walk.outs[-1:] for notice in out.notices)
    return {notice.seat for notice in told if isinstance(notice, Asked | Took)}
