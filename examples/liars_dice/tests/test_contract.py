"""What every game of Parlour promises, checked for Liar's Dice."""

from liars_dice import GAME
from liars_dice.rules import State
from liars_dice.values import Options
from parlour.testing import GameContract, Golden, Subject


def count(state: State) -> int:
    """Every die shows a face, a seat without dice went out in some round, and no seat appears or is lost."""
    assert all(1 <= die <= 6 for cup in state.cups for die in cup)
    assert all(len(cup) <= state.options.dice for cup in state.cups)
    assert [not cup for cup in state.cups] == [out > 0 for out in state.went_out]
    return len(state.cups)


class TestLiarsDice(GameContract):
    subject = Subject(
        GAME,
        options=(
            Options(dice=2),
            Options(dice=3, wild_ones=False, exact=True, attempts=1),
            Options(dice=4, exact=True, penalty="difference"),
        ),
        treasure=count,
        together=False,
        golden={
            "liarsdice-2": Golden(2, Options(dice=2)),
            "liarsdice-4-rough": Golden(4, Options(dice=2, exact=True), rough=True),
        },
    )
