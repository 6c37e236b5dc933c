"""Generated problems: solvable only by trade, reproducible from the seed, and within the options."""

import json
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.core import BadOptions, Dice
from parlour.games.tradecraft.amounts import Items
from parlour.games.tradecraft.book import check, known, makers
from parlour.games.tradecraft.bundles import TARGETS, draw
from parlour.games.tradecraft.dealer import COMMON
from parlour.games.tradecraft.problems import Dealt, deal
from parlour.games.tradecraft.reach import useful
from parlour.games.tradecraft.recipes import book
from parlour.games.tradecraft.solver import solve
from parlour.games.tradecraft.witness import Trade, Witness, trades

FILE = Path(__file__).parents[3] / "parlour" / "games" / "tradecraft" / "recipes.json"
USUAL = {
    "depths": range(1, 5),
    "kinds": range(3, 6),
    "decoys": 1,
    "max_amount": 18,
    "max_turn": 15,
    "whole_batches": False,
    "fair": True,
}


def dealt(seed: int, seats: int, **options: Any) -> Dealt:
    return deal(Dice(seed.to_bytes(4, "big")), seats, **{**USUAL, **options})


# A witness is believed when it was played


def played(problem: Dealt, witness: Witness, max_turn: int, whole_batches: bool) -> set[int]:
    """The seats that hold their targets at the end: each proposer makes its trades of the proof, then all craft."""
    hands: list[Items] = [{item: Fraction(amount) for item, amount in hand.items()} for hand in problem.hands]
    waiting = list(witness.trades)
    turn = 0
    while waiting:
        proposer = turn % len(hands)
        turn += 1
        assert turn <= max_turn
        both = len(hands) == 2
        mine = [trade for trade in waiting if trade.proposer == proposer or both]
        if mine:
            waiting.remove(mine[0])
            move(hands[mine[0].proposer], hands[mine[0].partner], mine[0].offer)
            move(hands[mine[0].partner], hands[mine[0].proposer], mine[0].request)
    for seat, plan in witness.crafts.items():
        for step in plan:
            assert check(step.inputs, step.outputs, hands[seat], whole_batches=whole_batches).code == 0
            for item, amount in step.inputs.items():
                hands[seat][item] -= amount
            for item, amount in (*step.outputs.items(), *step.returns.items()):
                hands[seat][item] = hands[seat].get(item, Fraction(0)) + amount
    targets = [next(iter(target)) for target in problem.targets]
    return {seat for seat, target in enumerate(targets) if hands[seat].get(target, Fraction(0)) >= 1}


def move(giver: Items, taker: Items, given: dict[str, int]) -> None:
    for item, amount in given.items():
        assert 0 < amount <= giver.get(item, 0)
        giver[item] -= amount
        taker[item] = taker.get(item, Fraction(0)) + amount


@cache
def entries() -> list[tuple[str, list[set[str]], bool]]:
    """All recipes, straight from the file: product, slots, and whether fuel is needed."""
    raw = json.loads(FILE.read_text())
    found = []
    for kind, recipes in raw["recipes"].items():
        for product, _, _, slots in recipes:
            items = [set(raw["tags"][words[1:]]) if words[0] == "#" else set(words.split("|")) for words in slots]
            found.append((product, items, kind == "smelting"))
    return found


def within_reach(hand: dict[str, int]) -> set[str]:
    """All items that could be crafted from the kinds in a hand."""
    raw = json.loads(FILE.read_text())
    held, before = set(hand), 0
    while len(held) > before:
        before = len(held)
        held |= {raw["containers"][item] for item in held if item in raw["containers"]}
        hot = any(item in raw["fuels"] for item in held)
        held |= {
            product for product, slots, burns in entries() if (hot or not burns) and all(slot & held for slot in slots)
        }
    return held


def looks_right(problem: Dealt, seats: int, options: dict[str, Any]) -> None:
    """Check all guarantees of a problem."""
    terms = {**USUAL, **options}
    targets = [next(iter(target)) for target in problem.targets]
    assert len(problem.hands) == len(set(targets)) == seats and all(
        target == {name: 1} for target, name in zip(problem.targets, targets, strict=True)
    )
    for hand in problem.hands:
        assert len(hand) in terms["kinds"] and min(hand.values()) >= 1 and max(hand.values()) <= terms["max_amount"]
        assert all(known(item) for item in hand) and not set(targets) & set(hand)
        useless = [item for item in hand if not any(item in useful(target) for target in targets)]
        assert len(useless) == terms["decoys"]
    groups = [set(witness.crafts) for witness in problem.witness]
    assert groups == ([set(range(seats))] if terms["fair"] else [{seat} for seat in range(seats)])
    for witness, group in zip(problem.witness, groups, strict=True):
        assert played(problem, witness, terms["max_turn"], terms["whole_batches"]) >= group


VARIANTS: list[dict[str, Any]] = [
    {},
    {"whole_batches": True},
    {"fair": False},
    {"depths": range(3, 5)},
    {"depths": range(1, 2)},
    {"decoys": 0},
    {"kinds": range(4, 8), "decoys": 2},
    {"kinds": range(2, 4), "max_amount": 9},
    {"max_amount": 4},
]


@pytest.mark.parametrize("options", VARIANTS, ids=str)
@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_problems_are_as_the_options_want_them(seats: int, options: dict[str, Any]) -> None:
    for seed in range(3):
        looks_right(dealt(seed, seats, **options), seats, options)


@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.booleans(), st.booleans())
@settings(max_examples=25, deadline=None)
def test_any_seed_will_do(seed: int, seats: int, whole_batches: bool, fair: bool) -> None:
    options = {"whole_batches": whole_batches, "fair": fair}
    looks_right(dealt(seed, seats, **options), seats, options)


def test_nobody_can_do_it_alone() -> None:
    """Nearly every seat lacks a kind completely; the others have too little of one, which the solver proves."""
    hands = lacking = 0
    for seed in range(40):
        problem = dealt(seed, 2 + seed % 3)
        for hand, target in zip(problem.hands, problem.targets, strict=True):
            lacks = not within_reach(hand) >= target.keys()
            assert lacks or solve(hand, target) is None
            hands, lacking = hands + 1, lacking + lacks
    assert hands == 119 and lacking >= 100


def test_the_same_seed_gives_the_same_problem() -> None:
    assert dealt(7, 3) == dealt(7, 3) != dealt(8, 3)
    dice = Dice(b"one after another")
    first, second = deal(dice, 2, **USUAL), deal(dice, 2, **USUAL)  # type: ignore[arg-type]  # options of many types
    assert first != second


def test_a_known_seed_gives_a_known_problem() -> None:
    problem = dealt(1, 2)
    assert problem.targets == ({"golden_sword": 1}, {"glass_bottle": 1})
    assert problem.hands == (
        {"glass": 5, "prismarine_shard": 8, "string": 8},
        {"emerald": 2, "gold_ingot": 4, "stick": 3},
    )
    assert problem.witness[0].trades == (Trade(0, 1, {"glass": 3}, {"gold_ingot": 2, "stick": 1}),)


def test_problems_differ_and_some_need_a_furnace() -> None:
    problems = [dealt(seed, 3) for seed in range(60)]
    targets = Counter(next(iter(target)) for problem in problems for target in problem.targets)
    assert len(targets) > 60 and max(targets.values()) < 12
    steps = [[step for plan in problem.witness[0].crafts.values() for step in plan] for problem in problems]
    burning = sum(any(book().by_name[step.recipe].burns for step in each) for each in steps)
    assert burning >= 15
    lengths = Counter(len(plan) for problem in problems for plan in problem.witness[0].crafts.values())
    assert all(lengths[length] >= 5 for length in (1, 2, 3, 4))


def test_where_not_all_can_win_things_are_scarce() -> None:
    """Without `fair` some problems do not have enough items for all targets together."""
    scarce = 0
    for seed in range(30):
        problem = dealt(seed, 4, fair=False)
        there = Counter[str]()
        for hand in problem.hands:
            there.update(hand)
        needed = Counter[str]()
        for witness in problem.witness:
            for plan in witness.crafts.values():
                made = {item for step in plan for item in (*step.outputs, *step.returns)}
                for step in plan:
                    needed.update({item: -(-amount // 1) for item, amount in step.inputs.items() if item not in made})
        scarce += any(needed[item] > there[item] for item in needed)
    assert scarce >= 5


@pytest.mark.parametrize(
    ("seats", "options", "words"),
    [
        (2, {"decoys": 5}, "no hand of 3 to 5 kinds has 5 that are of no use"),
        (2, {"depths": range(0)}, "leave no number"),
        (2, {"kinds": range(0)}, "leave no number"),
        (2, {"depths": range(9, 13)}, "no problem was found for 2 seats, 9 to 12 steps to a target"),
        (6, {"max_turn": 1}, "no problem was found for 6 seats"),
    ],
)
def test_options_that_cannot_be_are_refused(seats: int, options: dict[str, Any], words: str) -> None:
    with pytest.raises(BadOptions, match=words):
        dealt(0, seats, **options)


# The parts


def test_everything_that_may_be_wanted_can_be_made_and_everything_dealt_is_known() -> None:
    assert len(set(TARGETS)) == len(TARGETS) > 90 and all(makers(target) for target in TARGETS)
    assert len(set(COMMON)) == len(COMMON) and all(known(item) for item in COMMON)


@given(st.sampled_from(TARGETS), st.integers(1, 4), st.binary(min_size=1, max_size=8))
@settings(max_examples=100, deadline=None)
def test_a_bundle_is_enough_for_its_target(target: str, depth: int, seed: bytes) -> None:
    bundle = draw(target, depth, Dice(seed), "oak")
    if bundle is not None:
        assert bundle.target == target not in bundle.items and min(bundle.items.values()) > 0
        assert solve(bundle.items, {target: 1}, whole_batches=True) is not None


def test_trades_give_everybody_what_they_lack() -> None:
    hands = [{"a": 3, "b": 1}, {"c": 4}, {"a": 2, "c": 1}]
    found = trades(hands, {0: {"c": 5}, 1: {"a": 4, "b": 1}})
    assert found == (Trade(0, 1, {"a": 3, "b": 1}, {"c": 4}), Trade(2, 0, {"c": 1}, {}), Trade(1, 2, {}, {"a": 1}))
    assert Witness(found, {}).turns(3) == 3


def test_a_player_that_needs_something_of_their_own_keeps_it() -> None:
    assert trades([{"a": 2}, {"b": 1}], {0: {"a": 1, "b": 1}, 1: {"a": 1}}) == (Trade(0, 1, {"a": 1}, {"b": 1}),)
    assert trades([{"a": 1}, {"a": 1}], {0: {"a": 1}, 1: {"a": 1}}) == ()
