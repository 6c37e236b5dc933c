"""The bot that reckons: its probabilities, and that they help it to win."""

import pytest

from liars_dice import GAME, bots
from liars_dice.rules import State
from liars_dice.values import Bid, Challenge, Options
from parlour.core import Dice


@pytest.mark.parametrize(
    ("dice", "needed", "faces", "chance"), [(3, 0, 1, 1), (3, 4, 1, 0), (2, 1, 1, 11 / 36), (2, 2, 2, 1 / 9)]
)
def test_chances(dice: int, needed: int, faces: int, chance: float) -> None:
    assert bots.tail(dice, needed, faces) == pytest.approx(chance)


def decided(cups: list[tuple[int, ...]], *moves: Bid) -> object:
    """What the reckoner does after these bids of the seats in turn."""
    state = State.new(len(cups), Options(), None, Dice(b"bots"))
    state.cups, state.turn = cups, 0
    for move in moves:
        state.play(state.turn, move)
    return bots.reckoner(state.view(state.turn), state.asks()[state.turn], Dice(b"bot"))


def test_it_bids_what_it_has() -> None:
    assert decided([(6, 6, 6), (1, 2, 3)]) in [Bid(1, 6), Bid(2, 6), Bid(3, 6)]


def test_it_challenges_what_can_hardly_be() -> None:
    assert decided([(2, 2), (3, 4)], Bid(4, 6)) == Challenge()


def test_it_beats_random_bots() -> None:
    wins = 0
    for number in range(20):
        dice, state = Dice(b"%d" % number), State.new(3, Options(), None, Dice(b"match %d" % number))
        while (result := state.result()) is None:
            seat = state.turn
            bot = GAME.hosting.bots["reckoner" if seat == number % 3 else "random"]
            state.play(seat, bot(state.view(seat), state.asks()[seat], dice))
        wins += result.ranks[number % 3] == 1
    assert wins >= 18
