"""Recipes in a match: results of checks, and hands after applying (RULES 6)."""

from typing import Any

import pytest

from parlour.games.tradecraft.amounts import Amount
from parlour.games.tradecraft.rules import State
from parlour.games.tradecraft.values import Check, Checked
from tests.games.tradecraft.tables import bench, code, held, items, play


def crafts(hand: str, recipe: str, **options: Any) -> dict[str, Amount]:
    """The hand after crafting something from it."""
    state = bench(hand, "1 dirt", **options)
    play(state, f"0 crafts {recipe}")
    return held(state, 0)


def verdict(hand: str, recipe: str, **options: Any) -> int:
    return code(bench(hand, "1 dirt", **options), recipe)


@pytest.mark.parametrize(
    ("hand", "recipe", "after"),
    [
        ("1 oak_planks", "1/2 oak_planks = 1 stick", "1/2 oak_planks 1 stick"),
        ("1 oak_log", "1/2 oak_log = 2 oak_planks", "1/2 oak_log 2 oak_planks"),
        ("1 coal 1 stick", "1/4 coal 1/4 stick = 1 torch", "3/4 coal 3/4 stick 1 torch"),
        ("1 stone", "1/2 stone = 1 stone_slab", "1/2 stone 1 stone_slab"),
        ("1 iron_ingot", "1 iron_ingot = 1/3 bucket", "1/3 bucket"),
        ("6 stick 6 coal", "5 stick 5 coal = 20 torch", "1 coal 1 stick 20 torch"),
    ],
)
def test_a_recipe_may_be_crafted_any_number_of_times_a_fraction_included(hand: str, recipe: str, after: str) -> None:
    assert crafts(hand, recipe) == items(after)  # RULES 6.1


@pytest.mark.parametrize("recipe", ["2 coal 1 stick = 4 torch", "1 coal 1 stick = 3 torch", "1 coal 2 stick = 8 torch"])
def test_all_parts_of_a_recipe_are_taken_the_same_number_of_times(recipe: str) -> None:  # RULES 6.1
    assert verdict("9 coal 9 stick", recipe) == 1


def test_a_table_may_ask_for_whole_batches() -> None:  # RULES 6.1
    for recipe, strict in (
        ("1 oak_planks = 2 stick", 1),
        ("2 oak_planks = 4 stick", 0),
        ("1 raw_iron 1/8 coal = 1 iron_ingot", 0),
        ("1/2 raw_iron 1/16 coal = 1/2 iron_ingot", 1),
    ):
        hand = "9 oak_planks 9 raw_iron 9 coal"
        assert verdict(hand, recipe) == 0 and verdict(hand, recipe, whole_batches=True) == strict


def test_a_lever_can_be_had_for_a_plank_only_in_fractions() -> None:  # RULES 6.1
    state = bench("1 oak_planks 1 cobblestone", "1 dirt")
    play(state, "0 crafts 1/2 oak_planks = 1 stick", "0 crafts 1 stick 1 cobblestone = 1 lever", "0 is done")
    assert held(state, 0) == {"lever": 1}


@pytest.mark.parametrize(
    "recipe",
    ["1 coal 2 stick = 4 torch", "1 coal 1 stick 5 dirt = 4 torch", "1 coal 1 stick 1/1000 dirt = 4 torch"],
)
def test_nothing_may_be_left_over(recipe: str) -> None:  # RULES 6.2
    assert verdict("9 coal 9 stick 9 dirt", recipe) == 1


@pytest.mark.parametrize("extra", ["1 diamond", "1 coal", "1 stick", "1 bucket"])
def test_there_is_one_product(extra: str) -> None:  # RULES 6.3
    assert verdict("9 coal 9 stick", f"1 coal 1 stick = 4 torch {extra}") == 1


@pytest.mark.parametrize(
    ("fuel", "verdict_"),
    [
        ("1/8 coal", 0),
        ("1 coal", 1),
        ("1/16 coal", 1),
        ("2/3 oak_planks", 0),
        ("2 stick", 0),
        ("1/16 coal 1 stick", 0),
        ("1/12 blaze_rod", 0),
        ("1/80 coal_block", 0),
        ("1 dirt", 1),
        ("2/3 crimson_planks", 1),
    ],
)
def test_fuel_is_exact_and_the_players_choice(fuel: str, verdict_: int) -> None:  # RULES 6.4
    hand = "1 raw_iron 2 coal 2 oak_planks 2 stick 2 blaze_rod 2 coal_block 2 dirt 2 crimson_planks"
    assert verdict(hand, f"1 raw_iron {fuel} = 1 iron_ingot") == verdict_


def test_without_fuel_the_furnace_does_nothing() -> None:  # RULES 6.4
    assert verdict("1 raw_iron", "1 raw_iron = 1 iron_ingot") == 1


def test_one_coal_lasts_for_eight_items_of_one_phase_and_no_longer() -> None:  # RULES 6.5
    state = bench("1 coal 4 raw_iron 4 sand", "1 dirt")
    play(state, "0 crafts 4 raw_iron 1/2 coal = 4 iron_ingot")
    assert held(state, 0) == {"coal": "1/2", "iron_ingot": 4, "sand": 4}
    play(state, "0 crafts 2 sand 1/4 coal = 2 glass", "all are done")
    assert held(state, 0) == {"glass": 2, "iron_ingot": 4, "sand": 2}


@pytest.mark.parametrize("recipe", ["1 iron_ore 1/8 coal = 1 iron_ingot", "1 beef 1/8 coal = 1 cooked_beef"])
def test_what_blast_furnace_and_smoker_do_the_furnace_does(recipe: str) -> None:  # RULES 6.6
    assert verdict("1 iron_ore 1 beef 1 coal", recipe) == 0
    assert verdict("1 iron_ore 1 beef 1 coal", recipe.replace("1/8", "1/16")) == 1


def test_the_campfire_takes_no_fuel() -> None:  # RULES 6.7
    assert crafts("1 beef", "1 beef = 1 cooked_beef") == {"cooked_beef": 1}
    assert crafts("1 kelp 1 coal", "1 kelp 1/8 coal = 1 dried_kelp") == {"coal": "7/8", "dried_kelp": 1}


def test_any_mix_of_a_tag_will_do_but_not_the_tag_itself() -> None:  # RULES 6.8
    assert crafts("1 oak_planks 1 cherry_planks", "1 oak_planks 1 cherry_planks = 4 stick") == {"stick": 4}
    state = bench("2 oak_planks", "1 dirt")
    [event] = state.play(0, Check({"#planks": 2}, {"stick": 4}))
    assert isinstance(event, Checked) and event.code == 1


CAKE = "3 milk_bucket 2 sugar 1 egg 3 wheat"


@pytest.mark.parametrize("named", ["", " 3 bucket"])
def test_containers_come_back_named_or_not(named: str) -> None:  # RULES 6.9
    assert crafts(CAKE, f"{CAKE} = 1 cake{named}") == {"bucket": 3, "cake": 1}


@pytest.mark.parametrize("named", [" 2 bucket", " 4 bucket", " 3 glass_bottle"])
def test_containers_are_named_exactly_or_not_at_all(named: str) -> None:  # RULES 6.9
    assert verdict(CAKE, f"{CAKE} = 1 cake{named}") == 1


@pytest.mark.parametrize(
    ("recipe", "after"),
    [
        ("4 honey_bottle = 1 honey_block", "4 glass_bottle 1 honey_block"),
        ("1 honey_bottle = 3 sugar", "1 glass_bottle 3 sugar"),
        ("1/100 lava_bucket 1 raw_iron = 1 iron_ingot", "1/100 bucket 1 iron_ingot"),
    ],
)
def test_as_much_of_a_container_comes_back_as_was_used(recipe: str, after: str) -> None:  # RULES 6.9
    hand = recipe.partition("=")[0].replace("1/100", "1")
    kept = {"lava_bucket": "99/100"} if "lava" in recipe else {}
    assert crafts(hand, recipe) == {**items(after), **kept}


def test_two_recipes_at_once_are_none() -> None:  # RULES 6.10
    hand = "1 raw_iron 1 iron_ore 1 coal"
    assert verdict(hand, "1 raw_iron 1 iron_ore 1/4 coal = 2 iron_ingot") == 1
    assert verdict("9 oak_planks 9 bamboo", "2 oak_planks 2 bamboo = 5 stick") == 1


def test_a_log_may_be_ingredient_and_fuel() -> None:  # RULES 6.11
    assert crafts("2 oak_log", "5/3 oak_log = 1 charcoal") == {"charcoal": 1, "oak_log": "1/3"}
    assert verdict("2 oak_log", "1 oak_log = 1 charcoal") == 1


@pytest.mark.parametrize("amount", [0, -1, "0/1", "1/0", "1.5", "half", "", 10**40, "9" * 3000 + "/1", "1/" + "9" * 30])
def test_what_is_no_amount_makes_a_recipe_none(amount: Any) -> None:  # RULES 6.12
    state = bench("9 coal 9 stick", "1 dirt")
    for said in (Check({"coal": amount, "stick": 1}, {"torch": 4}), Check({"coal": 1, "stick": 1}, {"torch": amount})):
        [event] = state.play(0, said)
        assert isinstance(event, Checked) and event.code == 1 and event.reason


def test_amounts_are_written_in_lowest_terms() -> None:  # RULES 6.12
    state = bench("1 coal 9 raw_iron", "1 dirt")
    state.play(0, Check({"coal": "2/8", "raw_iron": "4/2"}, {"iron_ingot": 2}))
    checked = state.view(0).checked
    assert checked is not None and checked.input == {"coal": "1/4", "raw_iron": 2}


@pytest.mark.parametrize("name", ["coal", "minecraft:coal"])
def test_the_prefix_of_a_name_may_be_left_out(name: str) -> None:  # RULES 6.13
    state = bench("1 coal 1 stick", "1 dirt")
    [event] = state.play(0, Check({name: 1, "stick": 1}, {"torch": 4}))
    assert isinstance(event, Checked) and event.code == 0 and event.input == {"coal": 1, "stick": 1}


def test_an_item_is_not_named_twice() -> None:  # RULES 6.13
    state = bench("2 coal 2 stick", "1 dirt")
    [event] = state.play(0, Check({"coal": 1, "minecraft:coal": 1, "stick": 2}, {"torch": 8}))
    assert isinstance(event, Checked) and event.code == 1


def test_the_whole_book_counts_whatever_the_hands_at_the_start_were() -> None:  # RULES 6.14
    assert verdict("1 dirt", "4 diamond_block 9 obsidian = 1 beacon") == 1
    assert verdict("1 dirt", "3 glass 1 ender_eye 1 ghast_tear = 1 end_crystal") == 1
    assert verdict("1 dirt", "7 glass 1 ender_eye 1 ghast_tear = 1 end_crystal") == 2, "a recipe, out of reach"


@pytest.mark.parametrize(
    ("hand", "recipe"),
    [
        ("3 iron_ingot", "3 iron_ingot = 1 bucket"),
        ("1 stone", "1 stone = 2 stone_slab"),
        ("1 diamond_sword 1 netherite_ingot 1 netherite_upgrade_smithing_template", ""),
        ("3 water_bottle 1 nether_wart", "3 water_bottle 1 nether_wart = 3 awkward_potion"),
        ("1 water_bottle 1 nether_wart", "1 water_bottle 1 nether_wart = 1 awkward_potion"),
    ],
)
def test_every_station_is_there(hand: str, recipe: str) -> None:  # RULES 6.15
    assert verdict(hand, recipe or f"{hand} = 1 netherite_sword") == 0


@pytest.mark.parametrize(
    "recipe",
    [
        "8 arrow 1 poison_lingering_potion = 8 poison_tipped_arrow",
        "1 bowl 1 red_mushroom 1 brown_mushroom 1 poppy = 1 suspicious_stew",
        "1 shulker_box 1 red_dye = 1 red_shulker_box",
    ],
)
def test_special_recipes_that_make_another_item_are_in_the_book(recipe: str) -> None:  # RULES 6.16
    assert verdict(recipe.partition("=")[0], recipe) == 0


@pytest.mark.parametrize(
    "recipe",
    [
        "1 leather_boots 1 red_dye = 1 leather_boots",
        "1 written_book 1 writable_book = 2 written_book",
        "2 iron_sword = 1 iron_sword",
        "1 shield 1 white_banner = 1 shield",
        "1 filled_map 1 map = 2 filled_map",
        "1 paper 1 gunpowder 1 firework_star = 3 firework_rocket",
    ],
)
def test_special_recipes_that_only_change_an_item_are_not(recipe: str) -> None:  # RULES 6.16
    assert verdict("1 dirt", recipe) == 1


def test_what_is_crafted_is_hidden_from_the_state_of_others() -> None:  # RULES 5.6
    state: State = bench("3 iron_ingot", "1 dirt")
    play(state, "0 crafts 3 iron_ingot = 1 bucket")
    assert held(state, 0) == {"bucket": 1} and held(state, 1) == {"dirt": 1}
