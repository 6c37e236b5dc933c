"""No seat can tell a position from its redeal, and a redeal changes all that the seat cannot know. Contract 9."""

from functools import cache

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from parlour.core import BadMessage, Dice
from tests.contract.draws import drawn, each_game, some
from tests.contract.gallery import Gallery, gallery
from tests.contract.hidden import (
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
from tests.contract.leaks import KINDS, keeping, leaky
from tests.contract.redeals import Secret, check_redeals, secrets
from tests.contract.scenes import SCENES
from tests.contract.subjects import SUBJECTS
from tests.contract.walk import Case, junk, walked

encode = msgspec.json.encode


# In positions that hypothesis draws


@each_game
@some
@given(st.data())
def test_a_redeal_is_the_same_to_its_seat(name: str, data: st.DataObject) -> None:
    match = drawn(data, name).match
    assume(match.names)
    game, state, seats = match.game, match.state, len(match.names)
    seat = data.draw(st.integers(0, seats - 1))
    dice = Dice(data.draw(st.binary(min_size=1, max_size=4)))
    dealt = state.redeal(seat, dice)
    check_position(state, dealt, seat)
    tried = data.draw(st.lists(st.one_of([junk(kind) for kind in game.rules.actions]), max_size=4))
    asked = state.asks().get(seat)
    check_refusals(state, dealt, seat, [*tried, *((asked.choices or ()) if asked else ())])
    happening = inputs(game, tried[:1], state, dealt, seats, dice)
    fated = with_dice_of(state, dealt) if data.draw(st.booleans()) else dealt
    check_events(state, fated, seat, happening, SUBJECTS[name].revealing)
    check_playing_on(state, dealt, seat, data.draw(st.lists(st.integers(0, 99), max_size=3)))
    if game.rules.query is not None:
        for question in [data.draw(junk(kind)) for kind in game.rules.questions]:
            answers = [game.rules.query(position.view(seat), question) for position in (state, dealt)]
            assert encode(answers[0]) == encode(answers[1])


# In the same positions every time


@cache
def positions(name: str) -> Gallery:
    return gallery(SUBJECTS[name])


@cache
def found(name: str) -> list[Secret]:
    return secrets(positions(name))


@each_game
def test_no_position_can_be_told_from_its_redeals(name: str) -> None:
    check_leaks(positions(name))


@each_game
def test_a_redeal_changes_all_that_its_seat_cannot_know(name: str) -> None:
    check_redeals(positions(name), found(name))


@each_game
def test_what_is_declared_as_revealing_does_reveal_something(name: str) -> None:
    check_revealing(positions(name), [make() for make in SCENES.get(name, ())])


@each_game
def test_declarations_have_reasons(name: str) -> None:
    check_reasons(SUBJECTS[name])


HIDDEN = {
    "colorfight": {"players[other].given", "players[other].lists", "players[other].errors"},
    "dominion": {"holdings[other].hand", "holdings[other].deck", "holdings[other].discard", "holdings[own].deck"},
    "forsale": {"estate_deck", "cheque_deck", "removed_estates", "removed_cheques", "phase.chosen[other]"},
    "lotto": {"guesses[other]"},
    "maze": {"players[other].goal", "players[other].treasures", "players[other].going_home", "queue", "told"},
    "tradecraft": {
        "phase.benches[other].hand",
        "phase.benches[other].ready",
        "phase.proposal.message",
        "phase.proposal.offer",
        "phase.proposal.partner",
        "phase.proposal.request",
        "targets[other]",
        "told[other]",
    },
}


@each_game
def test_what_the_rules_hide_is_found_to_be_hidden(name: str) -> None:
    """The tests around this one are worth as much as the experiments that find the secrets."""
    assert HIDDEN[name] | {"dice"} <= {secret.name for secret in found(name) if secret.dealt}


# In games that leak


@each_game
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_secret_that_leaks_is_noticed(name: str, kind: str) -> None:
    planted = [leaky(positions(name), KINDS[kind], secret) for secret in found(name) if secret.dealt]
    able = [it for it in planted if it.moments]
    assert len(able) > len(planted) / 2
    for it in able:
        with pytest.raises(Leak):
            check_leaks(it, redeals=12)


@each_game
def test_a_secret_that_is_not_dealt_again_is_noticed(name: str) -> None:
    for secret in found(name):
        if secret.dealt:
            with pytest.raises(Leak, match="redeal keeps"):
                check_redeals(keeping(positions(name), secret))


@each_game
def test_a_redeal_that_is_a_plain_copy_is_noticed(name: str) -> None:
    with pytest.raises(Leak, match="redeal keeps"):
        check_redeals(keeping(positions(name)))


# In the referee


def test_a_planted_leak_through_ask_numbers_is_caught() -> None:
    """One count of asks for the whole table would tell who has acted; a seat's own does not."""
    case = Case(SUBJECTS["forsale"], 3, SUBJECTS["forsale"].options[0], b"seed", 0, False)

    def numbers(leaky: bool) -> set[int]:
        """Seat 0's number after seat 1 needed one try or three, in a sale."""
        told = set()
        for tries in (0, 2):
            walk = walked(case)
            while not all(open.ask.sealed for open in walk.match.open.values()):
                walk.step()
            for _ in range(tries):
                walk.take(walk.match.answer(1, BadMessage("junk", "junk"), 0.0))
            open = walk.match.open[0]
            asked = walk.match._asked
            told.add(sum(asked.values()) if leaky else open.n)
        return told

    assert len(numbers(leaky=True)) > 1
    assert len(numbers(leaky=False)) == 1
