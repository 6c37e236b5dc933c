"""No seat can tell a position from its redeal, and a redeal changes all that the seat cannot know."""

from hypothesis import assume
from hypothesis import strategies as st
from msgspec.json import encode

from parlour.core import Dice
from parlour.testing.contract.base import ContractTests
from parlour.testing.draws import a_walk, some
from parlour.testing.leaks import (
    Leak,
    check_events,
    check_leaks,
    check_playing_on,
    check_position,
    check_reasons,
    check_refusals,
    check_revealing,
    inputs,
    with_dice_of,
)
from parlour.testing.redeals import Secret, check_redeals, secrets
from parlour.testing.samples import Samples, samples_of
from parlour.testing.walk import junk


class HiddenContract(ContractTests):
    """Hidden information, and leaks of it. Exceptions are declared in the subject, each with its reason."""

    @some
    def test_a_redeal_is_the_same_to_its_seat(self, data: st.DataObject) -> None:
        """In positions that hypothesis draws."""
        match = a_walk(data, self.subject).match
        assume(match.names)
        state, seats = match.state, len(match.names)
        seat = data.draw(st.integers(0, seats - 1))
        dice = Dice(data.draw(st.binary(min_size=1, max_size=4)))
        dealt = state.redeal(seat, dice)
        check_position(state, dealt, seat)
        tried = data.draw(st.lists(st.one_of([junk(kind) for kind in self.game.rules.actions]), max_size=4))
        asked = state.asks().get(seat)
        check_refusals(state, dealt, seat, [*tried, *((asked.choices or ()) if asked else ())])
        happening = inputs(self.game, tried[:1], state, dealt, seats, dice)
        fated = with_dice_of(state, dealt) if data.draw(st.booleans()) else dealt
        check_events(state, fated, seat, happening, self.subject.revealing)
        check_playing_on(state, dealt, seat, data.draw(st.lists(st.integers(0, 99), max_size=3)))
        if self.game.rules.query is not None:
            for question in [data.draw(junk(kind)) for kind in self.game.rules.questions]:
                one, other = (self.game.rules.query(position.view(seat), question) for position in (state, dealt))
                if encode(one) != encode(other):
                    raise Leak(f"the reply to {question} depends on what seat {seat} cannot know")

    def test_no_position_can_be_told_from_its_redeals(self) -> None:
        """In the same positions every time."""
        check_leaks(positions_of(self))

    def test_a_redeal_changes_all_that_its_seat_cannot_know(self) -> None:
        check_redeals(positions_of(self), secrets_of(self))

    def test_what_is_declared_as_revealing_does_reveal_something(self) -> None:
        if self.subject.revealing:
            check_revealing(positions_of(self), [make() for make in self.subject.scenes])

    def test_declarations_have_reasons(self) -> None:
        check_reasons(self.subject)


_positions: dict[type[ContractTests], Samples] = {}
_secrets: dict[type[ContractTests], list[Secret]] = {}


def positions_of(tests: ContractTests) -> Samples:
    """The positions of the game that these tests look at, found once for all of them."""
    if type(tests) not in _positions:
        _positions[type(tests)] = samples_of(tests.subject)
    return _positions[type(tests)]


def secrets_of(tests: ContractTests) -> list[Secret]:
    """The hidden parts of these positions, found once for all of them."""
    if type(tests) not in _secrets:
        _secrets[type(tests)] = secrets(positions_of(tests))
    return _secrets[type(tests)]
