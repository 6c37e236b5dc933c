"""The solver: its plans can be crafted step by step, and what it calls impossible is impossible."""

import itertools
from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.games.tradecraft.amounts import Items
from parlour.games.tradecraft.book import check
from parlour.games.tradecraft.program import Undecided
from parlour.games.tradecraft.reach import leading, reach, useful
from parlour.games.tradecraft.recipes import book
from parlour.games.tradecraft.simplex import AtLeast, least
from parlour.games.tradecraft.solver import Step, solve


def counts(text: str) -> dict[str, int]:
    """`2 raw_iron, 1 coal`"""
    return {name: int(amount) for amount, name in (part.split() for part in text.split(", "))}


def crafted(hand: Mapping[str, int], plan: Sequence[Step], *, whole_batches: bool = False) -> Items:
    """The hand after all steps, each of which must pass the check."""
    held = {item: Fraction(amount) for item, amount in hand.items()}
    for step in plan:
        verdict = check(step.inputs, step.outputs, held, whole_batches=whole_batches)
        assert verdict.code == 0, verdict.reason
        for item, amount in step.inputs.items():
            held[item] -= amount
        for item, amount in (*step.outputs.items(), *step.returns.items()):
            held[item] = held.get(item, Fraction(0)) + amount
    return held


def solved(hand: str, goals: str, *, whole_batches: bool = False) -> bool:
    plan = solve(counts(hand), counts(goals), whole_batches=whole_batches)
    if plan is not None:
        held = crafted(counts(hand), plan, whole_batches=whole_batches)
        assert all(held[goal] >= amount for goal, amount in counts(goals).items())
    return plan is not None


@pytest.mark.parametrize(
    ("hand", "goals"),
    [
        ("2 iron_ingot", "1 shears"),
        ("2 raw_iron, 1 coal", "1 shears"),
        ("16 raw_iron, 2 coal", "8 shears"),
        ("2 raw_iron, 4 stick", "1 shears"),
        ("2 raw_iron, 1 oak_log", "1 shears"),  # four planks burn longer than the log
        ("1 raw_iron, 9 iron_nugget, 1 coal", "1 shears"),
        ("8 iron_sword, 1 iron_nugget, 1 raw_iron, 2 coal", "1 shears"),
        ("2 oak_log", "1 torch"),
        ("1 iron_block, 4 oak_planks", "3 iron_pickaxe"),
        ("1 raw_gold_block, 1 carrot, 1 lava_bucket", "1 golden_carrot"),
        ("3 milk_bucket, 3 wheat, 2 sugar_cane, 1 egg", "1 cake, 3 bucket"),
        ("1 honey_bottle, 1 sugar_cane", "4 sugar, 1 glass_bottle"),
        ("1 lava_bucket, 100 cobblestone", "1 bucket"),
        ("1 netherite_upgrade_smithing_template, 14 diamond, 2 netherrack", "3 netherite_upgrade_smithing_template"),
        ("3 water_bottle, 1 nether_wart, 1 sugar_cane", "3 swiftness_potion"),
        ("1 oak_planks, 1 cherry_planks, 1 cobblestone", "1 lever"),
        ("4 stick, 4 redstone, 3 stone, 1 quartz", "1 comparator, 1 redstone_torch"),
        ("7 torch", "7 torch"),
    ],
)
def test_what_can_be_crafted_in_whole_batches_and_so_in_any(hand: str, goals: str) -> None:
    assert solved(hand, goals, whole_batches=True) and solved(hand, goals)


@pytest.mark.parametrize(
    ("hand", "goals"),
    [
        ("1 oak_planks, 1 cobblestone", "1 lever"),
        ("1 oak_log", "1 torch"),
        ("3 oak_planks", "1 bowl, 3 stick"),
        ("17 raw_iron, 2 coal", "17 iron_ingot"),  # as a block coal burns longer, and an eighth of one will do
    ],
)
def test_what_only_parts_of_a_batch_make_possible(hand: str, goals: str) -> None:
    assert solved(hand, goals)
    assert solve(counts(hand), counts(goals), whole_batches=True) is None


@pytest.mark.parametrize(
    ("hand", "goals"),
    [
        ("2 raw_iron", "1 shears"),  # no fuel
        ("2 raw_iron, 3 stick", "1 shears"),  # too little of it
        ("2 raw_iron, 1 oak_planks", "1 shears"),  # nor can more be made of it
        ("1 raw_iron, 8 iron_nugget, 1 coal", "1 shears"),
        ("1 iron_block, 20 oak_planks", "4 iron_pickaxe"),
        ("1 dirt", "1 diamond"),
        ("9 diamond, 9 netherrack", "1 netherite_upgrade_smithing_template"),  # it takes one to copy one
        ("1 netherite_upgrade_smithing_template, 13 diamond, 2 netherrack", "3 netherite_upgrade_smithing_template"),
        ("1 lava_bucket, 9 dirt", "1 bucket"),  # nothing to smelt
        ("1 lava_bucket, 1 cobblestone", "1 bucket"),  # too little to use it up
        ("8 torch", "9 torch"),
        ("1 coal, 1 stick", "1 torch, 1 coal_block"),
        ("2 shulker_box", "1 red_shulker_box"),
    ],
)
def test_what_cannot_be_crafted(hand: str, goals: str) -> None:
    assert solve(counts(hand), counts(goals)) is None and solve(counts(hand), counts(goals), whole_batches=True) is None


def test_coal_may_be_smelted_with_coal_once_there_is_some() -> None:
    assert solved("8 coal_ore, 1 stick", "7 coal") and solved("8 coal_ore, 2 stick", "7 coal", whole_batches=True)
    assert solved("1 soul_soil, 2 bamboo, 1 coal_ore, 1 raw_iron, 1 coal", "1 soul_lantern", whole_batches=True)
    with pytest.raises(Undecided):
        solve({"coal_ore": 8, "stick": 1}, {"coal": 7}, whole_batches=True)


# Held to a search through all that can be crafted from a small hand


def everything(hand: dict[str, int]) -> list[dict[str, int]]:
    """All hands that can be crafted from one, in whole batches and without smelting."""
    seen = {frozenset(hand.items())}
    queue = [hand]
    for held in queue:
        ways = {recipe.name: recipe for item in held for recipe in book().users.get(item, ()) if not recipe.burns}
        for recipe in ways.values():
            for filling in itertools.product(*[sorted(slot.items & held.keys()) for slot in recipe.slots]):
                after = dict(held)
                for slot, item in zip(recipe.slots, filling, strict=True):
                    after[item] -= slot.count
                after[recipe.product] = after.get(recipe.product, 0) + recipe.count
                left = {item: amount for item, amount in after.items() if amount}
                if min(after.values()) >= 0 and frozenset(left.items()) not in seen:
                    seen.add(frozenset(left.items()))
                    queue.append(left)
        assert len(queue) < 3000
    return queue


METALS = ("iron_ingot", "iron_nugget", "gold_nugget", "gold_ingot", "flint", "redstone", "stick")


@given(
    st.dictionaries(st.sampled_from(METALS), st.integers(1, 4), min_size=1, max_size=3),
    st.sampled_from(
        [
            "shears",
            "iron_nugget",
            "bucket",
            "flint_and_steel",
            "chain",
            "clock",
            "compass",
            "lever",
            "iron_shovel",
            "gold_ingot",
        ]
    ),
    st.integers(1, 12),
)
@settings(max_examples=40, deadline=None)
def test_a_search_through_everything_comes_to_the_same_end(hand: dict[str, int], goal: str, amount: int) -> None:
    plan = solve(hand, {goal: amount}, whole_batches=True)
    assert (plan is not None) == any(held.get(goal, 0) >= amount for held in everything(hand))
    if plan is not None:
        assert crafted(hand, plan, whole_batches=True)[goal] >= amount
        assert solve(hand, {goal: amount}) is not None, "what whole batches do, any do"


COMMON = (
    "oak_log",
    "oak_planks",
    "stick",
    "coal",
    "raw_iron",
    "cobblestone",
    "iron_nugget",
    "lava_bucket",
    "raw_gold",
    "string",
)


@given(
    st.dictionaries(st.sampled_from(COMMON), st.integers(1, 9), min_size=1, max_size=5),
    st.sampled_from(
        ["torch", "lever", "shears", "rail", "bow", "furnace", "chain", "clock", "minecart", "iron_axe", "bucket"]
    ),
    st.booleans(),
)
@settings(max_examples=80, deadline=None)
def test_plans_can_be_followed_and_more_never_hurts(hand: dict[str, int], goal: str, whole_batches: bool) -> None:
    plan = solve(hand, {goal: 1}, whole_batches=whole_batches)
    if plan is not None:
        assert crafted(hand, plan, whole_batches=whole_batches)[goal] >= 1
        assert solve({**hand, "diamond": 3}, {goal: 1}, whole_batches=whole_batches) is not None
    elif not whole_batches:
        assert solve(hand, {goal: 1}, whole_batches=True) is None


# What leads where


def test_what_is_of_use_for_a_goal() -> None:
    assert {"stick", "oak_planks", "oak_log", "cobblestone", "bamboo"} <= useful("lever")
    assert "coal" not in useful("lever") and {"raw_iron", "coal", "red_carpet"} <= useful("shears")
    assert leading("shears", False) < leading("shears", True)


def test_what_could_come_of_a_hand() -> None:
    found, recipes = reach(["cobblestone", "oak_log"], leading("lever", True))
    assert {"stick", "oak_planks", "lever"} <= found and "lever" in {recipe.name for recipe in recipes}
    assert "lever" not in reach(["cobblestone"], leading("lever", True))[0]
    assert "shears" not in reach(["raw_iron"], leading("shears", True))[0]
    assert "shears" in reach(["raw_iron", "white_wool"], leading("shears", True))[0], "wool burns"


# Linear programs, held to trying all corners


def corners(costs: list[int], constraints: list[AtLeast]) -> Fraction | None:
    """The least cost over all corners of the feasible region."""
    size = len(costs)
    planes = [([Fraction(each.multiples.get(i, 0)) for i in range(size)], Fraction(each.bound)) for each in constraints]
    planes += [([Fraction(i == j) for i in range(size)], Fraction(0)) for j in range(size)]
    points = [point for some in itertools.combinations(planes, size) if (point := crossing(list(some))) is not None]
    allowed = [point for point in points if all(dot(by, point) >= bound for by, bound in planes)]
    return min((dot([Fraction(cost) for cost in costs], point) for point in allowed), default=None)


def dot(one: list[Fraction], other: list[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(one, other, strict=True)), Fraction(0))


def crossing(planes: list[tuple[list[Fraction], Fraction]]) -> list[Fraction] | None:
    rows = [[*by, bound] for by, bound in planes]
    for place in range(len(rows)):
        pivot = next((n for n in range(place, len(rows)) if rows[n][place]), None)
        if pivot is None:
            return None
        rows[place], rows[pivot] = rows[pivot], rows[place]
        rows[place] = [each / rows[place][place] for each in rows[place]]
        for n in range(len(rows)):
            if n != place:
                rows[n] = [a - rows[n][place] * b for a, b in zip(rows[n], rows[place], strict=True)]
    return [row[-1] for row in rows]


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_the_least_cost_is_that_of_the_best_corner(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 3))
    costs = data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))
    multiples = st.fixed_dictionaries({number: st.integers(-3, 3) for number in range(size)})
    constraints = data.draw(st.lists(st.builds(AtLeast, multiples, st.integers(-4, 4)), min_size=1, max_size=4))
    found, best = least(costs, constraints), corners(costs, constraints)
    assert (found is None) == (best is None)
    if found is not None:
        assert min(found) >= 0 and dot([Fraction(cost) for cost in costs], found) == best
        assert all(sum(by * found[n] for n, by in each.multiples.items()) >= each.bound for each in constraints)
