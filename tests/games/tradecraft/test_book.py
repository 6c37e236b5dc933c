"""The recipe book: its content, its verdicts, and a slow reference check with the same verdicts."""

import importlib.util
import json
import subprocess
import sys
import time
from collections import Counter
from fractions import Fraction
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.games.tradecraft import book
from parlour.games.tradecraft.amounts import FINEST, MOST, MOST_KINDS, Items, read_items
from parlour.games.tradecraft.book import DIGEST, SMELT, Verdict, check
from parlour.games.tradecraft.recipes import book as opened

ROOT = Path(__file__).parents[3]
FILE = ROOT / "parlour" / "games" / "tradecraft" / "recipes.json"
BY_CRAFTSMEN = ("crafting", "smelting", "campfire", "stonecutting", "smithing")
"""The kinds that have a file each in Minecraft."""


def items(text: str) -> Items:
    """`2 oak_planks, 1/8 coal`"""
    return read_items({name: amount for amount, name in (part.split() for part in text.split(", ") if part)})


def verdict(recipe: str, hand: str | None = None, *, whole_batches: bool = False) -> Verdict:
    """Of `2 oak_planks -> 4 stick`"""
    inputs, outputs = recipe.split(" -> ")
    return check(items(inputs), items(outputs), None if hand is None else items(hand), whole_batches=whole_batches)


# What is in it


def test_there_are_as_many_recipes_of_each_kind_as_the_game_has() -> None:
    assert Counter(recipe.kind for recipe in opened().recipes) == {
        "crafting": 822,
        "smelting": 70,
        "campfire": 9,
        "stonecutting": 201,
        "smithing": 9,
        "brewing": 3 * (3 * 55 + 2 * 41),  # 1 to 3 bottles: 55 mixes in three forms, 41 contents changing form twice
        "special": 41 + 16 + 1,  # tipped arrows, shulker boxes, suspicious stew
    }


def test_there_are_as_many_items_and_products_as_the_game_has() -> None:
    recipes = [recipe for recipe in opened().recipes if recipe.kind in BY_CRAFTSMEN]
    products = {recipe.product for recipe in recipes}
    assert len(products) == 784 and len(products.union(*[recipe.items for recipe in recipes])) == 931
    assert len(opened().items) == 1414


def test_there_are_as_many_tags_and_slots_with_alternatives_as_the_game_has() -> None:
    recipes = [recipe for recipe in opened().recipes if recipe.kind in BY_CRAFTSMEN]
    words = [slot.words for recipe in recipes for slot in recipe.slots]
    assert len({word for word in words if word.startswith("#")}) == 21
    assert sum("|" in word for word in words) == 62, "60 on the crafting table, and two in the furnace"
    assert sorted(map(len, opened().tags.values())) == [2] * 4 + [3] * 2 + [4] * 10 + [11] * 2 + [14, 16, 17, 32, 40]


def test_fuels_burn_as_long_as_they_should() -> None:
    fuels = opened().fuels
    assert len(fuels) == 248
    assert sorted(Counter(fuels.values()).items()) == [
        *[(50, 2), (67, 16), (100, 38), (150, 10), (200, 23), (300, 126), (800, 9), (1200, 18), (1600, 2)],
        *[(2400, 1), (4000, 1), (16000, 1), (20000, 1)],
    ]
    assert [book.ticks(item) for item in ("lava_bucket", "coal", "oak_log", "stick")] == [20000, 1600, 300, 100]
    assert not any(book.ticks(item) for item in fuels if item.startswith(("crimson", "warped")))
    assert book.ticks("crimson_planks") == book.ticks("diamond") == 0


def test_containers() -> None:
    assert opened().containers == {
        "milk_bucket": "bucket",
        "water_bucket": "bucket",
        "lava_bucket": "bucket",
        "honey_bottle": "glass_bottle",
        "dragon_breath": "glass_bottle",
    }
    assert book.left_of("milk_bucket") == "bucket" and book.left_of("bucket") is None


def test_what_makes_the_check_simple() -> None:
    fuels = opened().fuels
    for recipe in opened().recipes:
        assert sum(len(slot.items) for slot in recipe.slots) == len(recipe.items), "no item fits two slots"
        assert all(slot.count > 0 and slot.items for slot in recipe.slots) and recipe.count > 0
        if recipe.burns:
            assert len(recipe.slots) == 1 and recipe.slots[0].count == recipe.count == 1
            assert len({fuels.get(item, 0) for item in recipe.items}) == 1, "what is smelted burns all alike"
    assert {name for recipe in opened().recipes if recipe.burns for name in recipe.items if name in fuels} == set(
        book.tag("logs_that_burn")
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("torch", "4 torch from 1 charcoal or coal + 1 stick"),
        ("stick_from_planks", "4 stick from 2 #planks"),
        ("stick_from_bamboo", "1 stick from 2 bamboo"),
        ("oak_planks", "4 oak_planks from 1 #oak_logs"),
        ("lever", "1 lever from 1 cobblestone + 1 stick"),
        ("stone_pickaxe", "1 stone_pickaxe from 3 #stone_tool_materials + 2 stick"),
        ("furnace", "1 furnace from 8 #stone_crafting_materials"),
        ("campfire", "1 campfire from 1 #coals + 3 #logs + 3 stick"),
        ("comparator", "1 comparator from 1 quartz + 3 redstone_torch + 3 stone"),
        ("observer", "1 observer from 6 cobblestone + 1 quartz + 2 redstone"),
        ("powered_rail", "6 powered_rail from 6 gold_ingot + 1 redstone + 1 stick"),
        ("lightning_rod", "1 lightning_rod from 3 copper_ingot"),
        ("iron_ingot_from_iron_nugget", "1 iron_ingot from 9 iron_nugget"),
        ("light_gray_dye_from_azure_bluet", "1 light_gray_dye from 1 azure_bluet"),
        ("purpur_stairs", "4 purpur_stairs from 6 purpur_block or purpur_pillar"),
        ("iron_ingot_from_smelting_raw_iron", "1 iron_ingot from 1 raw_iron + fuel"),
        ("charcoal_from_smelting", "1 charcoal from 1 #logs_that_burn + fuel"),
        ("cooked_beef_from_campfire", "1 cooked_beef from 1 beef"),
        ("cut_copper_slab_from_stonecutting_copper_block", "8 cut_copper_slab from 1 copper_block"),
        (
            "netherite_sword_from_smithing",
            "1 netherite_sword from 1 diamond_sword + 1 netherite_ingot + 1 netherite_upgrade_smithing_template",
        ),
        ("awkward_potion_from_brewing_3", "3 awkward_potion from 3 water_bottle + 1 nether_wart"),
        (
            "long_slowness_splash_potion_from_brewing_long_leaping_splash_potion_and_fermented_spider_eye_1",
            "1 long_slowness_splash_potion from 1 long_leaping_splash_potion + 1 fermented_spider_eye",
        ),
        ("poison_tipped_arrow", "8 poison_tipped_arrow from 8 arrow + 1 poison_lingering_potion"),
        ("suspicious_stew", "1 suspicious_stew from 1 bowl + 1 red_mushroom + 1 brown_mushroom + 1 #small_flowers"),
        ("red_shulker_box", "1 red_shulker_box from 1 #shulker_boxes + 1 red_dye"),
    ],
)
def test_spot_checks(name: str, text: str) -> None:
    assert str(opened().by_name[name]) == text


def test_dyes_recolour_every_other_colour() -> None:
    (recipe,) = [recipe for recipe in book.makers("red_wool") if recipe.kind == "crafting"]
    others = next(slot for slot in recipe.slots if slot.words != "red_dye")
    assert len(others.items) == 15 and "red_wool" not in others.items and "white_wool" in others.items


def test_a_water_bottle_is_not_made_and_potions_are_named_by_what_is_in_them() -> None:
    assert not book.makers("water_bottle") and book.known("water_bottle")
    assert not book.known("potion") and not book.known("tipped_arrow") and not book.known("air")
    assert book.known("bedrock") and not book.makers("bedrock") and not book.users("bedrock")


@cache
def raw() -> Any:
    return json.loads(FILE.read_text())


def test_the_file_is_the_one_that_the_rules_were_written_for() -> None:
    assert sha256(FILE.read_bytes()).hexdigest() == DIGEST, "`python tools/recipes/derive.py` writes both"


def test_what_is_written_by_hand_is_in_the_book_as_it_is_in_the_tables() -> None:
    place = ROOT / "tools" / "recipes" / "tables.py"
    spec = importlib.util.spec_from_file_location("tables", place)
    assert spec is not None and spec.loader is not None
    tables = importlib.util.module_from_spec(spec)
    sys.modules["tables"] = tables  # dataclasses look their module up
    spec.loader.exec_module(tables)
    del sys.modules["tables"]
    found = tables.Tables(tables.TEXT.read_text())
    assert found.fuels == raw()["fuels"] and found.containers == raw()["containers"]
    assert {tag: sorted(members) for tag, members in found.tags.items()} == raw()["tags"]
    for kind, recipes in found.recipes.items():
        expected = Counter((recipe.product, recipe.count, recipe.slots) for recipe in recipes)
        there = Counter((product, count, tuple(slots.items())) for product, _, count, slots in raw()["recipes"][kind])
        assert there == expected


def test_the_book_is_not_opened_before_it_is_needed() -> None:
    program = (
        "import parlour, parlour.games, parlour.cli\n"
        "from parlour.games.tradecraft import book, problems, recipes\n"
        "assert recipes.book.cache_info().currsize == 0\n"
        "assert book.known('stick') and recipes.book.cache_info().currsize == 1\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT)


# Checks


@pytest.mark.parametrize(
    ("recipe", "name"),
    [
        ("2 oak_planks -> 4 stick", "stick_from_planks"),
        ("1 oak_planks, 1 cherry_planks -> 4 stick", "stick_from_planks"),
        ("1/2 oak_planks -> 1 stick", "stick_from_planks"),
        ("1/4 coal, 1/4 stick -> 1 torch", "torch"),
        ("1 iron_ingot -> 1/3 bucket", "bucket"),
        ("1 raw_iron, 1/8 coal -> 1 iron_ingot", "iron_ingot_from_smelting_raw_iron"),
        ("1 raw_iron, 1/16 coal, 1 stick -> 1 iron_ingot", "iron_ingot_from_smelting_raw_iron"),
        ("67 raw_iron, 200 red_carpet -> 67 iron_ingot", "iron_ingot_from_smelting_raw_iron"),
        ("5/3 oak_log -> 1 charcoal", "charcoal_from_smelting"),
        ("4/3 oak_log, 1/3 birch_wood -> 1 charcoal", "charcoal_from_smelting"),
        ("1 oak_log, 2 stick -> 1 charcoal", "charcoal_from_smelting"),
        ("1 kelp -> 1 dried_kelp", "dried_kelp_from_campfire"),
        ("1 kelp, 1/8 coal -> 1 dried_kelp", "dried_kelp_from_smelting"),
        ("6 water_bottle, 2 nether_wart -> 6 awkward_potion", "awkward_potion_from_brewing_3"),
        ("6 water_bottle, 3 nether_wart -> 6 awkward_potion", "awkward_potion_from_brewing_2"),
        ("1 bowl, 1 red_mushroom, 1 brown_mushroom, 1/2 poppy, 1/2 allium -> 1 suspicious_stew", "suspicious_stew"),
    ],
)
def test_recipes(recipe: str, name: str) -> None:
    assert verdict(recipe) == Verdict(0, name, "", {})


@pytest.mark.parametrize(
    ("recipe", "reason"),
    [
        ("3 oak_planks -> 4 stick", "stick_from_planks: 2 #planks is needed and 3 is given, 1 too many"),
        ("1 oak_planks -> 4 stick", "stick_from_planks: 2 #planks is needed and 1 is given, 1 too few"),
        ("1 coal, 1 stick, 5 dirt -> 4 torch", "torch: dirt is not used"),
        ("2 coal, 1 stick -> 4 torch", "torch: 1 charcoal or coal is needed and 2 is given, 1 too many"),
        ("1 coal -> 4 torch", "torch: 1 stick is missing"),
        (
            "1 raw_iron, 1 coal -> 1 iron_ingot",
            "iron_ingot_from_smelting_raw_iron: 200 ticks of fuel is needed and 1600 is given, 1400 too many "
            "(1/8 coal burns so long)",
        ),
        (
            "3 raw_iron, 1 stick -> 3 iron_ingot",
            "iron_ingot_from_smelting_raw_iron: 600 ticks of fuel is needed and 100 is given, 500 too few "
            "(6 stick burns so long)",
        ),
        (
            "1 raw_iron -> 1 iron_ingot",
            "iron_ingot_from_smelting_raw_iron: 200 ticks of fuel is missing (1/8 coal burns so long)",
        ),
        (
            "1 raw_iron, 1 iron_ore, 1/4 coal -> 2 iron_ingot",
            "iron_ingot_from_smelting_iron_ore: 2 iron_ore is needed and 1 is given, 1 too few, raw_iron is not used",
        ),
        (
            "3 water_bottle, 2 nether_wart -> 3 awkward_potion",
            "awkward_potion_from_brewing_1: 3 nether_wart is needed and 2 is given, 1 too few",
        ),
        (
            "1 ink_sac, 1 wither_rose -> 2 black_dye",
            "black_dye_from_ink_sac: 2 ink_sac is needed and 1 is given, 1 too few, wither_rose is not used",
        ),
        ("1 dirt -> 1 bedrock", "nothing makes bedrock"),
        ("-> 1 stick", "there is no input"),
        ("1 stick ->", "there is no output"),
        (
            "1 coal, 1 stick -> 4 torch, 1 stick",
            "one product at a time, and with it only containers that come back, here nothing",
        ),
        ("1 oak_plank -> 1 stick", "there is no item 'oak_plank'; there is dark_oak_planks, oak_planks"),
        ("1 xyzzy -> 1 stick", "there is no item 'xyzzy'"),
        (
            "2 #planks -> 4 stick",
            "#planks is a tag, not an item: name one of acacia_planks, bamboo_planks, birch_planks, cherry_planks "
            "and 7 more",
        ),
    ],
)
def test_what_is_no_recipe_is_told_why(recipe: str, reason: str) -> None:
    inputs, outputs = recipe.split("->")
    assert check(items(inputs.strip()), items(outputs.strip()), {}) == Verdict(1, None, reason, {})


def test_in_whole_batches() -> None:
    assert verdict("2 oak_planks -> 4 stick", whole_batches=True).code == 0
    assert verdict("3 raw_iron, 3/8 coal -> 3 iron_ingot", whole_batches=True).code == 0, "fuel may still be a fraction"
    assert verdict("1 oak_planks, 1 birch_planks -> 4 stick", whole_batches=True).code == 0
    broken = verdict("1 oak_planks -> 2 stick", whole_batches=True)
    assert broken.code == 1
    assert broken.reason == "stick_from_planks: 1/2 batches of 4 stick is not a whole number of them"


def test_a_hand_that_is_too_small() -> None:
    assert verdict("2 coal, 2 stick -> 8 torch", "2 coal, 2 stick").code == 0
    assert verdict("2 coal, 2 stick -> 8 torch", "5/2 coal, 1/2 stick") == Verdict(
        2, "torch", "the hand is too small: 2 stick is needed and 1/2 is held, 3/2 too few", {}
    )
    assert verdict("2 coal, 2 stick -> 8 torch", "").reason == (
        "the hand is too small: 2 coal is missing, 2 stick is missing"
    )
    assert verdict("2 coal, 1 stick -> 8 torch", "").code == 1, "what is no recipe is none with any hand"


def test_containers_come_back() -> None:
    cake = "3 milk_bucket, 2 sugar, 1 egg, 3 wheat -> 1 cake"
    assert verdict(cake) == verdict(f"{cake}, 3 bucket") == Verdict(0, "cake", "", {"bucket": 3})
    assert verdict(f"{cake}, 2 bucket").code == verdict(f"{cake}, 3 glass_bottle").code == 1
    assert verdict("4 honey_bottle -> 1 honey_block").returns == {"glass_bottle": 4}
    assert verdict("1 raw_iron, 1/100 lava_bucket -> 1 iron_ingot").returns == {"bucket": "1/100"}
    brewed = "3 poison_splash_potion, 1 dragon_breath -> 3 poison_lingering_potion"
    assert verdict(brewed).returns == {"glass_bottle": 1}
    assert verdict("3 milk_bucket, 2 sugar, 1 egg, 3 wheat -> 1 cake", "1 egg").returns == {"bucket": 3}


def test_amounts_beyond_all_bounds_are_no_recipe() -> None:
    huge = Fraction(10**4000)
    for amount in (Fraction(0), Fraction(-2), huge, 1 / huge, Fraction(MOST + 1), Fraction(1, FINEST + 1)):
        found = check({"oak_planks": amount}, {"stick": amount * 2}, None)
        assert found.code == 1 and found.reason.startswith("oak_planks: an amount is above 0")
    many = {item: Fraction(1) for item in sorted(opened().items)[: MOST_KINDS + 1]}
    assert (
        check(many, {"stick": Fraction(1)}, None).reason == f"{MOST_KINDS + 1} items are named, and {MOST_KINDS} may be"
    )


def test_reasons_stay_short_whatever_was_named() -> None:
    many = {item: Fraction(1) for item in sorted(opened().items)[:MOST_KINDS]}
    assert len(check(many, {"stick": Fraction(1)}, None).reason) < 400
    assert len(check(many, many, None).reason) < 400
    junk = check({"\x1b[2J\n" * 99: Fraction(1)}, {"stick": Fraction(1)}, None).reason
    assert junk.isprintable() and len(junk) < 200


# A slow reader: every recipe of the file, every way to put the inputs into its slots


def slow_code(inputs: Items, outputs: Items, hand: Items | None, whole_batches: bool) -> int:
    if not any(slow_recipe(inputs, outputs, whole_batches)):
        return 1
    return 2 if hand is not None and any(hand.get(item, 0) < amount for item, amount in inputs.items()) else 0


def slow_recipe(inputs: Items, outputs: Items, whole_batches: bool) -> Any:
    back: Items = {}
    for item, amount in inputs.items():
        if item in raw()["containers"]:
            empty = raw()["containers"][item]
            back[empty] = back.get(empty, Fraction(0)) + amount
    for kind, entries in raw()["recipes"].items():
        for product, _, count, slots in entries:
            if product not in outputs or any(back.get(i) != n for i, n in outputs.items() if i != product):
                continue
            for bottles in range(1, 4) if kind == "brewing" else [1]:
                batches = outputs[product] / (count * bottles)
                if whole_batches and batches.denominator > 1:
                    continue
                needs = [(members(words), batches * n) for words, n in slots.items()]
                needs[0] = (needs[0][0], needs[0][1] * bottles)
                heat = 200 * batches if kind == "smelting" else Fraction(0)
                yield filled(list(inputs.items()), needs, heat, kind == "smelting")


def members(words: str) -> set[str]:
    return set(raw()["tags"][words[1:]]) if words[0] == "#" else set(words.split("|"))


def filled(
    inputs: list[tuple[str, Fraction]], needs: list[tuple[set[str], Fraction]], heat: Fraction, burns: bool
) -> bool:
    """Whether the inputs can fill the slots and the fuel exactly."""
    if not inputs:
        return heat == 0 and all(need == 0 for _, need in needs)
    (item, amount), rest = inputs[0], inputs[1:]
    for place, (items, need) in enumerate(needs):
        part = min(amount, need)
        burnt = (amount - part) * raw()["fuels"].get(item, 0)
        if item in items and (part == amount or (burns and burnt)):
            left = [*needs[:place], (items, need - part), *needs[place + 1 :]]
            if filled(rest, left, heat - burnt, burns):
                return True
    burnt = amount * raw()["fuels"].get(item, 0)
    return burns and bool(burnt) and filled(rest, needs, heat - burnt, burns)


few = st.sampled_from([Fraction(n, d) for n in (1, 2, 3, 4, 8) for d in (1, 1, 1, 2, 3, 8)])


@st.composite
def messages(draw: st.DrawFn) -> tuple[Items, Items, Items | None]:
    """A valid recipe or one with an error, and a hand for it."""
    kind = draw(st.sampled_from(sorted(raw()["recipes"])))
    product, _, count, slots = draw(st.sampled_from(raw()["recipes"][kind]))
    batches = draw(few)
    inputs: Items = {}
    for words, n in slots.items():
        chosen = draw(st.lists(st.sampled_from(sorted(members(words))), min_size=1, max_size=3, unique=True))
        for item in chosen:
            inputs[item] = inputs.get(item, Fraction(0)) + batches * n / len(chosen)
    if kind == "smelting":
        fuels = st.lists(st.sampled_from(sorted(raw()["fuels"])), min_size=1, max_size=3, unique=True)
        chosen = draw(fuels)
        for item in chosen:
            inputs[item] = inputs.get(item, Fraction(0)) + 200 * batches / raw()["fuels"][item] / len(chosen)
    outputs = {product: batches * count}
    some = st.sampled_from([*sorted(inputs), "stick", "coal", "bucket", "oak_log", "dirt", "honey_bottle"])
    match draw(st.sampled_from(["nothing", "nothing", "amount", "drop", "add", "product", "container", "bottles"])):
        case "amount":
            inputs[draw(st.sampled_from(sorted(inputs)))] = draw(few)
        case "drop":
            del inputs[draw(st.sampled_from(sorted(inputs)))]
        case "add":
            inputs[draw(some)] = draw(few)
        case "product":
            outputs[product] = draw(few)
        case "container":
            outputs[draw(st.sampled_from(["bucket", "glass_bottle"]))] = draw(few)
        case "bottles":
            inputs = {item: amount * (2 if place == 0 else 1) for place, (item, amount) in enumerate(inputs.items())}
            outputs = {product: outputs[product] * 2}
    hands = st.none() | st.fixed_dictionaries({item: st.just(n) | few for item, n in inputs.items()})
    return inputs, outputs, draw(hands)


@given(messages(), st.booleans())
@settings(max_examples=600, deadline=None)
def test_a_slow_reader_comes_to_the_same_verdict(
    message: tuple[Items, Items, Items | None], whole_batches: bool
) -> None:
    inputs, outputs, hand = message
    found = check(inputs, outputs, hand, whole_batches=whole_batches)
    assert found.code == (1 if not inputs else slow_code(inputs, outputs, hand, whole_batches))
    assert bool(found.reason) == (found.code > 0) and (found.recipe is None) == (found.code == 1)
    assert msgspec.json.decode(msgspec.json.encode(found), type=Verdict) == found


@given(messages())
@settings(max_examples=150, deadline=None)
def test_a_verdict_does_not_depend_on_the_order_in_which_things_are_named(
    message: tuple[Items, Items, Items | None],
) -> None:
    inputs, outputs, hand = message
    turned = check(dict(reversed(inputs.items())), dict(reversed(outputs.items())), hand)
    found = check(inputs, outputs, hand)
    assert (turned.code, turned.recipe, turned.returns) == (found.code, found.recipe, found.returns)


def test_every_recipe_of_the_book_can_be_followed() -> None:
    for recipe in opened().recipes:
        inputs = {min(slot.items): Fraction(slot.count) for slot in recipe.slots}
        if recipe.burns:
            inputs["blaze_rod"] = Fraction(SMELT, 2400)
        found = check(inputs, {recipe.product: Fraction(recipe.count)}, inputs, whole_batches=True)
        assert found.code == 0 and found.recipe == recipe.name


def test_checks_are_quick() -> None:
    cases = [
        ({min(slot.items): Fraction(slot.count) for slot in recipe.slots}, {recipe.product: Fraction(n)})
        for recipe in opened().recipes
        for n in (recipe.count, 7)
    ]
    start = time.process_time()
    for inputs, outputs in cases:
        check(inputs, outputs, inputs)
    each_us = (time.process_time() - start) / len(cases) * 1e6
    assert each_us < 300, "it is 30 at most on a machine that does nothing else"


# Looking things up


def test_what_makes_an_item_and_what_it_makes() -> None:
    assert [recipe.name for recipe in book.makers("stick")] == ["stick_from_bamboo", "stick_from_planks"]
    assert {"torch", "lever", "ladder"} <= {recipe.name for recipe in book.users("stick")}
    assert book.makers("nothing") == book.users("nothing") == [] and book.tag("nothing") == frozenset()
    assert book.tag("coals") == {"coal", "charcoal"}


def possible(hand: str, *, whole_batches: bool = False) -> dict[str, str]:
    return {recipe.name: str(batches) for recipe, batches in book.possible(items(hand), whole_batches=whole_batches)}


def test_what_can_be_made_from_a_hand() -> None:
    assert possible("1 oak_planks") == {"oak_button": "1", "oak_slab": "1/3", "stick_from_planks": "1/2", "bowl": "1/3"}
    assert possible("1 oak_planks", whole_batches=True) == {"oak_button": "1"}
    assert possible("2 coal, 3 stick")["torch"] == "2"
    assert possible("9 raw_iron, 1 coal")["iron_ingot_from_smelting_raw_iron"] == "8"
    assert "iron_ingot_from_smelting_raw_iron" not in possible("9 raw_iron, 1/9 coal")
    assert possible("5 oak_log")["charcoal_from_smelting"] == "3", "the other two are burnt"
    assert possible("5 oak_log, 1 coal")["charcoal_from_smelting"] == "5"
    assert possible("") == {}


@given(st.dictionaries(st.sampled_from(sorted(opened().items)), st.integers(1, 9).map(Fraction), max_size=5))
@settings(max_examples=60, deadline=None)
def test_what_is_possible_passes_the_check(hand: Items) -> None:
    for recipe, batches in book.possible(hand):
        inputs: Items = {}
        left = dict(hand)
        for slot in recipe.slots:
            need = batches * slot.count
            for item in [item for item in left if item in slot.items]:
                part = min(left[item], need)
                inputs[item] = part
                left[item] -= part
                need -= part
            assert need == 0
        heat = SMELT * batches if recipe.burns else Fraction(0)
        for item in [item for item in left if book.ticks(item) and heat]:
            part = min(left[item], heat / book.ticks(item))
            inputs[item] = inputs.get(item, Fraction(0)) + part
            heat -= part * book.ticks(item)
        inputs = {item: amount for item, amount in inputs.items() if amount}
        assert check(inputs, {recipe.product: batches * recipe.count}, hand).code == 0
