"""The starter problems, each won by scripted moves."""

import pytest

from parlour.core import Dice, Result
from parlour.games.tradecraft.rules import State
from parlour.games.tradecraft.setup import SEATS
from parlour.games.tradecraft.values import Options
from tests.games.tradecraft.tables import SEED, STARTERS, play


def starter(name: str) -> State:
    start = STARTERS[name]
    return State.new(len(start.hands), Options(), start, Dice(SEED))


def test_there_is_one_for_every_number_of_players() -> None:
    assert {len(start.hands) for start in STARTERS.values()} == set(SEATS)


def test_two_lights() -> None:
    state = starter("two-lights")
    play(state, "0 offers 1 2 stick for 1 coal: two sticks for a coal?", "1 accepts: deal")
    play(state, "0 crafts 1/4 coal 1/4 stick = 1 torch", "0 crafts 8 iron_nugget 1 torch = 1 lantern")
    play(state, "1 crafts 3 cobblestone 2 stick = 1 stone_pickaxe", "all are done")
    assert state.result() == Result((1, 1), (1, 1))


def test_two_smiths() -> None:
    state = starter("two-smiths")
    play(state, "0 offers 1 1 raw_iron 1 flint for 1 coal", "1 accepts")
    play(state, "0 crafts 3 raw_iron 3/8 coal = 3 iron_ingot", "0 crafts 3 iron_ingot = 1 bucket")
    play(state, "1 crafts 1 raw_iron 2/3 oak_planks = 1 iron_ingot")
    play(state, "1 crafts 1 iron_ingot 1 flint = 1 flint_and_steel", "all are done")
    assert state.result() == Result((1, 1), (1, 1))


def test_three_in_a_ring() -> None:
    state = starter("three-in-a-ring")
    play(state, "0 offers 2 nothing for 2 kelp", "2 rejects: what for?", "all are done")
    play(state, "1 offers 2 2 string for 1 oak_planks", "2 rejects: not all of it", "all are done")
    play(state, "2 offers 1 1 kelp for 2 string", "1 accepts: have it")
    play(state, "2 crafts 1 oak_planks 1/2 cherry_planks = 3 stick", "2 crafts 3 stick 2 string = 1 fishing_rod")
    play(state, "all are done")
    assert state.result() == Result((0, 0, 3), (2, 2, 1))


def test_four_at_a_feast() -> None:
    state = starter("four-at-a-feast")
    play(state, "0 offers 1 nothing for 1 egg 3 wheat: there will be cake for all", "1 accepts: hooray")
    play(state, "0 crafts 3 milk_bucket 2 sugar 1 egg 3 wheat = 1 cake", "all are done")
    assert state.result() == Result((3, 0, 0, 0), (1, 2, 2, 2))
    assert state.view(None).hands[0] == {"bucket": 3, "cake": 1}


def test_five_hunters() -> None:
    state = starter("five-hunters")
    play(state, "0 offers 1 1 feather for 1 redstone", "1 accepts", "0 crafts 4 gold_ingot 1 redstone = 1 clock")
    play(state, "all are done")
    assert state.result() == Result((3, 0, 0, 0, 0), (1, 2, 2, 2, 2))


def test_six_at_the_fire() -> None:
    state = starter("six-at-the-fire")
    play(state, "0 offers 1 2 clay_ball for 1 coal", "1 rejects: there are only two", "all are done")
    play(state, "1 offers 2 1 coal for 1 stick", "2 accepts")
    play(state, "1 crafts 1 coal 1 stick = 4 torch", "all are done")
    assert state.result() == Result((0, 3, 0, 0, 0, 0), (2, 1, 2, 2, 2, 2))


@pytest.mark.parametrize("name", STARTERS)
def test_nobody_has_won_before_it_begins(name: str) -> None:  # RULES 1.4
    assert starter(name).result() is None
