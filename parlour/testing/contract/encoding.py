"""The encoding for learning programs: shapes, bounds, exact masks, and nothing that the view does not show."""

from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from parlour.core import BadOptions, Dice, Draft, Encoding, IllegalAction, State
from parlour.testing.contract.base import ContractTests
from parlour.testing.draws import a_walk, needs, some
from parlour.testing.subject import Subject
from parlour.testing.walk import Walk

MOST_TRIED = 12
"""How many indexes are tried in one position."""
MOST_INDEXES = 5000
"""An action that needs more indexes than this is taken to be endless."""


def has_encoding(subject: Subject) -> bool:
    return subject.game.encoding is not None


class EncodingContract(ContractTests):
    """`Game.encoding`, if the game has one."""

    @needs(has_encoding)
    @some
    def test_observations_fit_their_description(self, data: st.DataObject) -> None:
        encoding, state, seat = self._drawn(data)
        view, ask = state.view(seat), state.asks().get(seat)
        seen = encoding.observe(seat, view, ask)
        assert (seen.shape, str(seen.dtype)) == ((encoding.size,), encoding.dtype), "observe: wrong shape or dtype"
        at = 0
        for part in encoding.parts:
            run = seen[at : at + part.size].astype(int)
            assert run.min() >= part.low and run.max() <= part.high, f"{part.name}: out of bounds: {run}"
            at += part.size
        mask = encoding.mask(seat, view, ask)
        assert (mask.shape, str(mask.dtype)) == ((encoding.actions,), "int8"), "mask: wrong shape or dtype"
        assert mask.any() == (ask is not None and ask.waits and ask.default is None), "mask: see Encoding.mask"

    @needs(has_encoding)
    @some
    def test_every_unmasked_index_leads_to_a_legal_action(self, data: st.DataObject) -> None:
        encoding, state, seat = self._drawn(data)
        view, ask = state.view(seat), state.asks().get(seat)
        assume(ask is not None and ask.waits and ask.default is None)
        free = [index for index, is_free in enumerate(encoding.mask(seat, view, ask)) if is_free]
        dice = Dice(data.draw(st.binary(max_size=2)))
        dice.shuffle(free)
        for index in free[:MOST_TRIED]:
            action, indexes = completed(encoding, seat, view, ask, index, dice)
            try:
                state.copy().play(seat, action)
            except IllegalAction as e:
                raise AssertionError(f"indexes {indexes} are not masked, but {action} is illegal: {e}") from None
            again = encoding.indexes(action, seat, view, ask)
            assert again is not None, f"indexes {indexes} give {action}, which has no indexes"
            assert chosen(encoding, seat, view, ask, again) == action, f"{action} has other indexes: {again}"

    @needs(has_encoding)
    @some
    def test_every_legal_action_that_has_indexes_is_unmasked(self, data: st.DataObject) -> None:
        encoding, state, seat = self._drawn(data)
        view, ask = state.view(seat), state.asks().get(seat)
        assume(ask is not None and ask.waits and ask.default is None)
        assert ask is not None
        bot, dice = self.game.hosting.bots["random"], Dice(data.draw(st.binary(max_size=2)))
        for action in [bot(view, ask, dice) for _ in range(4)] + list(ask.choices or ())[:MOST_TRIED]:
            indexes = encoding.indexes(action, seat, view, ask)
            if indexes is not None:
                chosen(encoding, seat, view, ask, indexes)

    @needs(has_encoding)
    @some
    def test_a_redeal_gives_its_seat_the_same_numbers(self, data: st.DataObject) -> None:
        encoding, state, seat = self._drawn(data)
        dealt = state.redeal(seat, Dice(data.draw(st.binary(min_size=1, max_size=4))))
        seen, again = (numbers(encoding, position, seat) for position in (state, dealt))
        assert seen == again, "the encoding tells a position from its redeal"

    def _drawn(self, data: st.DataObject) -> tuple[Encoding, State[Any], int]:
        """A position, a seat of it, and the encoding; only where the options can be encoded, and nobody joins later."""
        walk = a_walk(data, self.subject)
        encoding = encoding_of(walk)
        assume(encoding is not None)
        assert encoding is not None
        return encoding, walk.match.state, data.draw(st.integers(0, walk.case.seats - 1))


def encoding_of(walk: Walk) -> Encoding | None:
    match, make = walk.match, walk.case.subject.game.encoding
    if make is None or not walk.case.seats or len(match.names) != walk.case.seats:
        return None
    try:
        return make(walk.case.seats, match.options)
    except BadOptions:
        return None


def numbers(encoding: Encoding, state: State[Any], seat: int) -> tuple[bytes, bytes]:
    view, ask = state.view(seat), state.asks().get(seat)
    return encoding.observe(seat, view, ask).tobytes(), encoding.mask(seat, view, ask).tobytes()


def completed(encoding: Encoding, seat: int, view: Any, ask: Any, index: int, dice: Dice) -> tuple[Any, Draft]:
    """The action that begins with this index; further indexes are drawn from the masks."""
    draft: Draft = ()
    while (action := encoding.action(index, seat, view, ask, draft)) is None:
        draft = (*draft, index)
        assert len(draft) < MOST_INDEXES, f"after {len(draft)} indexes the action is not complete"
        encoding.observe(seat, view, ask, draft)
        free = encoding.mask(seat, view, ask, draft).nonzero()[0]
        assert len(free), f"after the indexes {draft} all are masked"
        index = int(free[dice.below(len(free))])
    return action, (*draft, index)


def chosen(encoding: Encoding, seat: int, view: Any, ask: Any, indexes: Draft) -> Any:
    """The action of these indexes, none of which may be masked."""
    action = None
    for place, index in enumerate(indexes):
        assert action is None, f"the indexes {indexes} go on after the action is complete"
        assert encoding.mask(seat, view, ask, indexes[:place])[index], f"index {index} of {indexes} is masked"
        action = encoding.action(index, seat, view, ask, indexes[:place])
    assert action is not None, f"the indexes {indexes} are no complete action"
    return action
