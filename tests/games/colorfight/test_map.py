"""The map, what cells make and what they cost. Every test cites the number in RULES.md that it holds the code to."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean
from typing import NamedTuple

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.core import Dice
from parlour.games.colorfight.land import BLURS, Land, blurred, neighbours
from parlour.games.colorfight.tables import RULES, Recipe
from parlour.games.colorfight.values import Options, Ruleset
from tests.games.colorfight import model
from tests.games.colorfight.tables import RULESETS, both, cost, errors, fresh, house, show, table, turn

# 2.1 Cells


def test_x_is_the_column_and_y_the_row() -> None:  # RULES 2.1
    view = table("1h . 2h / . . 2e").view(None)
    assert (view.width, view.height) == (3, 2)
    assert view.owner == (1, 0, 2, 0, 0, 2)
    assert view.building == "h h  e"


def test_neighbours_are_north_south_west_and_east() -> None:  # RULES 2.1
    around = neighbours(3, 3)
    assert around[4] == (1, 7, 3, 5)
    assert set(around[0]) == {1, 3} and set(around[8]) == {5, 7}
    assert set(around[1]) == {0, 2, 4}


@given(st.integers(2, 9), st.integers(2, 9))
def test_neighbours_are_one_step_apart_on_any_map(width: int, height: int) -> None:  # RULES 2.1
    for cell, around in enumerate(neighbours(width, height)):
        y, x = divmod(cell, width)
        steps = {(b, a) for b in range(height) for a in range(width) if abs(a - x) + abs(b - y) == 1}
        assert {divmod(near, width) for near in around} == steps


@both
@pytest.mark.parametrize("beyond", ["a 0 1 50", "a 0 0 50", "a 3 2 50", "a 2 1 50"])
def test_the_map_has_edges(ruleset: Ruleset, beyond: str) -> None:  # RULES 2.1
    """Consecutive numbers across a row end, both ends of a row or column, and diagonals are not neighbours."""
    state = table(". . . 1h / . . . . / . . . .", ruleset=ruleset)
    turn(state, beyond)
    assert errors(state) == [f"{beyond} failed, No valid surrounding cell to attack."]


@pytest.mark.parametrize("option", ["width", "height"])
def test_sizes(option: str) -> None:  # RULES 2.1, 12
    assert getattr(Options(), option) == 30
    for size in (2, 30, 200):
        assert getattr(house(**{option: size}), option) == size
    for size in (1, 201, 0, -30):
        with pytest.raises(msgspec.ValidationError):
            house(**{option: size})


@both
def test_maps_need_not_be_square(ruleset: Ruleset) -> None:  # RULES 2.1
    view = fresh(2, ruleset=ruleset, width=7, height=3).view(None)
    assert len(view.owner) == len(view.building) == len(view.natural_cost) == 21
    state = table("1 . / 1 . / 1h . / . .", energy=200, ruleset=ruleset)
    turn(state, "a 1 2 50, a 0 3 50")
    assert not errors(state) and show(state) == "1 . / 1 . / 1h 1 / 1 ."


# 2.2 to 2.5 Naturals


MAPS = 16


def maps(ruleset: Ruleset, recipe: Recipe | None = None) -> list[Land]:
    """New maps of the default size, always the same ones."""
    recipe = recipe or RULES[ruleset].recipe
    return [Land.fresh(30, 30, recipe, Dice(b"map %d" % number)) for number in range(MAPS)]


@both
def test_gold_and_energy_are_drawn_from_1_to_10(ruleset: Ruleset) -> None:  # RULES 2.2
    for part in ("natural_gold", "natural_energy"):
        counts = Counter[int]()
        for land in maps(ruleset):
            counts.update(getattr(land, part).tolist())
        assert sorted(counts) == list(range(1, 11))
        # 14400 draws: 1440 of each, give or take 36.
        assert all(abs(count - 1440) < 180 for count in counts.values())


class Costs(NamedTuple):
    """Statistics of many maps: minimum, 5th, 50th and 95th percentile, mean, maximum."""

    least: float
    low: float
    middle: float
    mean: float
    high: float
    most: float


MEASURED = {"seed": Costs(44, 101, 146, 146, 192, 243), "classic": Costs(49, 100, 164, 168, 251, 345)}
"""Statistics of fifteen maps of the original."""
MAY_DIFFER = Costs(15, 5, 5, 4, 6, 35)


def costs_of(lands: Sequence[Land]) -> Costs:
    costs = np.concatenate([land.natural_cost for land in lands])
    low, middle, high = np.percentile(costs, [5, 50, 95]).tolist()
    return Costs(int(costs.min()), low, middle, float(costs.mean()), high, int(costs.max()))


def fits(costs: Costs, measured: Costs) -> bool:
    return all(abs(a - b) <= most for a, b, most in zip(costs, measured, MAY_DIFFER, strict=True))


@both
def test_costs_are_as_measured(ruleset: Ruleset) -> None:  # RULES 2.2, 2.3
    costs = costs_of(maps(ruleset))
    assert fits(costs, MEASURED[ruleset]), costs


@both
@pytest.mark.parametrize("wrong", [{"blur_percent": 10}, {"blur_percent": 0}, {"by_output": None}], ids=str)
def test_another_recipe_does_not_fit(ruleset: Ruleset, wrong: dict[str, int | None]) -> None:
    """The tolerance is too small for a wrong recipe to pass."""
    recipe = RULES[ruleset].recipe
    changed = {key: not recipe.by_output if value is None else value for key, value in wrong.items()}
    assert not fits(costs_of(maps(ruleset, msgspec.structs.replace(recipe, **changed))), MEASURED[ruleset])


def test_good_cells_are_dear_in_classic_alone() -> None:  # RULES 2.2
    def dearer(ruleset: Ruleset) -> float:
        """How much more the best cells cost than the poorest, on average."""
        rich, poor = [], []
        for land in maps(ruleset):
            made = land.natural_gold + land.natural_energy
            rich += land.natural_cost[made >= 16].tolist()
            poor += land.natural_cost[made <= 6].tolist()
        return fmean(rich) - fmean(poor)

    assert dearer("classic") > 80
    assert abs(dearer("seed")) < 5


def test_costs_before_the_blur() -> None:  # RULES 2.2
    plain = [msgspec.structs.replace(RULES[ruleset].recipe, blur_percent=0) for ruleset in RULESETS]
    seed, classic = (maps("seed", recipe) for recipe in plain)
    drawn = Counter([cost for land in seed for cost in land.natural_cost.tolist()])
    assert sorted(drawn) == list(range(1, 301)) and max(drawn.values()) < 3 * min(drawn.values())
    for land in classic:
        whole = 15 * (land.natural_gold + land.natural_energy)
        factor = land.natural_cost / whole
        assert (land.natural_cost >= whole * 6 // 10).all() and (land.natural_cost <= whole * 15 // 10).all()
        assert abs(factor.mean() - 1.05) < 0.04


def test_the_blur_in_numbers() -> None:  # RULES 2.3
    tens = np.full((3, 3), 10)
    assert blurred(tens, 15).tolist() == [[9, 9, 9], [9, 8, 9], [9, 9, 9]]
    peak = np.array([[0, 0, 0], [0, 300, 0], [0, 0, 0]])
    assert blurred(peak, 15).tolist() == [[0, 45, 0], [45, 120, 45], [0, 45, 0]]
    assert blurred(peak, 5).tolist() == [[0, 15, 0], [15, 240, 15], [0, 15, 0]]


@given(st.integers(2, 6), st.integers(2, 6), st.sampled_from([5, 15]), st.data())
def test_the_blur_is_done_cell_by_cell_as_the_rules_say(
    width: int, height: int, percent: int, data: st.DataObject
) -> None:  # RULES 2.3
    spots = [(x, y) for y in range(height) for x in range(width)]
    drawn = data.draw(st.lists(st.integers(1, 450), min_size=len(spots), max_size=len(spots)))
    fast = blurred(np.array(drawn).reshape(height, width), percent)
    slow = model.blurred(dict(zip(spots, drawn, strict=True)), percent)
    assert fast.ravel().tolist() == [slow[spot] for spot in spots]


def test_costs_are_blurred_three_times() -> None:  # RULES 2.3
    assert BLURS == 3
    for ruleset in RULESETS:
        recipe = RULES[ruleset].recipe
        sharp = Land.fresh(6, 5, msgspec.structs.replace(recipe, blur_percent=0), Dice(b"map"))
        costs = {(x, y): int(sharp.natural_cost[y * 6 + x]) for y in range(5) for x in range(6)}
        for _ in range(3):
            costs = model.blurred(costs, recipe.blur_percent)
        assert Land.fresh(6, 5, recipe, Dice(b"map")).natural_cost.tolist() == list(costs.values())


@given(st.binary(min_size=1, max_size=8), st.integers(2, 12), st.integers(2, 12))
def test_costs_are_1_to_300_in_seed(seed: bytes, width: int, height: int) -> None:  # RULES 2.4
    costs = Land.fresh(width, height, RULES["seed"].recipe, Dice(seed)).natural_cost
    assert costs.min() >= 1 and costs.max() <= 300


@given(st.integers(2, 5), st.integers(2, 5), st.data())
def test_no_blur_leaves_1_to_300_in_seed(width: int, height: int, data: st.DataObject) -> None:  # RULES 2.4
    """Including extremely unlikely costs."""
    extreme = st.sampled_from([1, 2, 6, 7, 294, 297, 298, 299, 300])
    costs = np.array(data.draw(st.lists(extreme, min_size=width * height, max_size=width * height)))
    costs = costs.reshape(height, width)
    for _ in range(3):
        costs = blurred(costs, 15)
        assert costs.min() >= 1 and costs.max() <= 300


def test_costs_may_be_above_300_in_classic() -> None:  # RULES 2.4
    costs = costs_of(maps("classic"))
    assert costs.least >= 1 and costs.most > 300


@both
def test_nothing_is_anybodys_at_first(ruleset: Ruleset) -> None:  # RULES 2.5
    view = fresh(0, ruleset=ruleset, width=5, height=4).view(None)
    assert set(view.owner) == {0} and set(view.building) == {" "}
    assert set(view.force_field) == {0} and set(view.level) == {1}
    assert (view.gold, view.energy) == (view.natural_gold, view.natural_energy)
    assert view.attack_cost == view.natural_cost


# 1.6 Chance


@both
def test_the_same_seed_gives_the_same_map(ruleset: Ruleset) -> None:  # RULES 1.6
    one, again, other = (fresh(3, seed, ruleset=ruleset) for seed in (b"one", b"one", b"other"))
    assert one == again and one.view(None) == again.view(None)
    assert one.view(None).natural_cost != other.view(None).natural_cost
    assert one.view(None).natural_gold != other.view(None).natural_gold


@both
def test_naturals_never_change(ruleset: Ruleset) -> None:  # RULES 2.2
    state = table("1h 1 2 / 1e . 2g / . 2h 2", energy=2000, gold=2000, ruleset=ruleset)
    before = state.view(None)
    for orders in ("a 2 0 60, a 1 1 50, b 1 0 g, u 0 0", "u 0 1, a 2 1 400"):
        turn(state, orders, "a 1 1 80, u 2 1")
        after = state.view(None)
        assert show(state) != "1h 1 2 / 1e . 2g / . 2h 2"
        assert (after.natural_gold, after.natural_energy) == (before.natural_gold, before.natural_energy)
        assert after.natural_cost == before.natural_cost


# 3. What cells make


LEVELS = (1, 2, 3, 4)


@both
@pytest.mark.parametrize("level", LEVELS)
def test_what_buildings_make(ruleset: Ruleset, level: int) -> None:  # RULES 3.1, 3.2
    natural = {(x, y): (7, 4, 99) for x in range(2) for y in range(2)}
    view = table(f"1 1h{level} / 1e{level} 1g{level}", natural=natural, ruleset=ruleset).view(None)
    assert view.gold == (7, 10 * level, 7, 7 * (1 + level))
    assert view.energy == (4, 10 * level, 4 * (1 + level), 4)


@both
def test_natural_output_means_nothing_under_a_home(ruleset: Ruleset) -> None:  # RULES 3.1
    view = table("1h . / . 2h3", natural={(0, 0): (10, 10, 1), (1, 1): (1, 9, 1)}, ruleset=ruleset).view(None)
    assert (view.gold[0], view.energy[0], view.gold[3], view.energy[3]) == (10, 10, 30, 30)


# 5.2 Attack costs


@both
@pytest.mark.parametrize("word", [".", "1", "1e", "1g", "1e4", "1g3"])
def test_a_cell_costs_its_natural_cost_whatever_is_built_on_it(ruleset: Ruleset, word: str) -> None:  # RULES 5.2
    state = table(f"1h . / {word} .", natural={(0, 1): (1, 1, 77)}, ruleset=ruleset)
    assert cost(state, 0, 1) == 77


@both
@pytest.mark.parametrize("word", ["1", "1e2", "1g"])
def test_a_force_field_is_added(ruleset: Ruleset, word: str) -> None:  # RULES 5.2
    state = table(f"1h . / {word} .", natural={(0, 1): (1, 1, 77)}, field={(0, 1): 23}, ruleset=ruleset)
    assert cost(state, 0, 1) == 100


@pytest.mark.parametrize("level", LEVELS)
def test_a_home_costs_1000_and_its_force_field_in_seed(level: int) -> None:  # RULES 5.2
    assert cost(table(f"1h{level} . / . ."), 0, 0) == 1000
    assert cost(table(f"1h{level} . / . .", field={(0, 0): 440}), 0, 0) == 1440


@pytest.mark.parametrize("level", LEVELS)
def test_a_home_costs_1000_a_level_in_classic(level: int) -> None:  # RULES 5.2
    assert cost(table(f"1h{level} . / . .", ruleset="classic"), 0, 0) == 1000 * level
    assert cost(table(f"1h{level} . / . .", field={(0, 0): 440}, ruleset="classic"), 0, 0) == 1000 * level
