"""`parlour recipe`, run as a program or a person runs it."""

import json
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from parlour.cli.arguments import app
from parlour.commands.recipe import WRONG_USE
from tests.cli.test_commands import parlour

STICKS = '{"input": {"oak_planks": 2}, "output": {"stick": 4}}'


def recipe(*words: str, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(app, ["recipe", *words], input=stdin)


def answer(*words: str, stdin: str = "") -> Any:
    done = recipe(*words, stdin=stdin)
    assert done.exit_code == 0 and done.stderr == "" and done.stdout.count("\n") == 1
    return json.loads(done.stdout)


def test_a_recipe_that_can_be_crafted() -> None:
    assert answer(STICKS) == {"valid": True, "code": 0, "recipe": "stick_from_planks", "reason": "", "returns": {}}


def test_a_recipe_from_standard_input_with_names_and_amounts_in_any_form() -> None:
    said = {"input": {"minecraft:raw_iron": {"n": 1, "d": 1}, "coal": 0.125}, "output": {"iron_ingot": [1, 1]}}
    assert answer("-", stdin=json.dumps(said))["code"] == 0


def test_what_is_no_recipe() -> None:
    found = answer('{"input": {"oak_planks": 3}, "output": {"stick": 4}}')
    assert (found["valid"], found["code"], found["recipe"]) == (False, 1, None)
    assert found["reason"] == "stick_from_planks: 2 #planks is needed and 3 is given, 1 too many"
    assert answer('{"input": {"#planks": 2}, "output": {"stick": 4}}')["code"] == 1
    assert "there is no item 'plnks'" in answer('{"input": {"plnks": 2}, "output": {"stick": 4}}')["reason"]


UNREADABLE = {
    "0": "coal: an amount must be above 0",
    "-2": "coal: an amount must be above 0",
    "true": "coal: true and false are no amounts",
    '"x"': "coal: 'x' is no amount: write 3, 0.5",
    '{"n": 1, "d": 0}': "coal: an amount cannot have the denominator 0",
    "[1, 0]": "coal: an amount cannot have the denominator 0",
    '"1/0"': "coal: an amount cannot have the denominator 0",
    "null": "coal: None is no amount",
    "NaN": "coal: an amount must be a finite number",
    "1e999": "coal: an amount must be a finite number",
}


@pytest.mark.parametrize("amount", UNREADABLE)
def test_an_amount_that_cannot_be_read_gets_code_1(amount: str) -> None:
    no_recipe: dict[str, Any] = {"valid": False, "code": 1, "recipe": None, "returns": {}}
    for said in (
        f'{{"input": {{"coal": {amount}, "stick": 1}}, "output": {{"torch": 4}}}}',
        f'{{"input": {{"stick": 1}}, "output": {{"coal": {amount}}}}}',
    ):
        for found in (answer(said), answer("-", stdin=said), answer(said, "--hand", '{"coal": 1}')):
            reason = found.pop("reason")
            assert found == no_recipe and reason.startswith(UNREADABLE[amount])


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ('{"input": {"coal": 1}}', "there is no output"),
        ('{"output": {"torch": 4}}', "there is no input"),
        ("{}", "there is no input"),
        ('{"input": {"coal": 1}, "output": null}', "there is no output"),
        ('{"input": {"coal": 1}, "output": {}}', "there is no output"),
        ('{"input": {"coal": 1}, "output": 4}', "4 is not an object of items and amounts"),
        ('{"input": [], "output": {"torch": 4}}', "a list is not an object of items and amounts"),
        ('{"input": {"Coal!": 1}, "output": {"torch": 4}}', "'Coal!' is no item: a name has small letters"),
        ('{"input": {"coal": 1, "minecraft:coal": 1}, "output": {"torch": 4}}', "coal is named twice"),
    ],
)
def test_a_recipe_without_all_its_parts_gets_code_1(said: str, reason: str) -> None:
    found = answer(said)
    assert (found["valid"], found["code"], found["recipe"]) == (False, 1, None) and found["reason"].startswith(reason)


def test_keys_that_nobody_knows_are_ignored_as_in_a_match() -> None:
    assert answer('{"type": "check", "input": {"oak_planks": 2}, "output": {"stick": 4}, "more": 1}')["code"] == 0


def test_a_hand_that_is_too_small() -> None:
    found = answer(STICKS, "--hand", '{"oak_planks": 1}')
    assert (found["valid"], found["code"], found["recipe"]) == (False, 2, "stick_from_planks")
    assert found["reason"] == "the hand is too small: 2 oak_planks is needed and 1 is held, 1 too few"
    assert answer(STICKS, "--hand", '{"oak_planks": 2}')["valid"]


def test_containers_come_back() -> None:
    found = answer('{"input": {"raw_iron": 1, "lava_bucket": "1/100"}, "output": {"iron_ingot": 1}}')
    assert found["valid"] and found["returns"] == {"bucket": "1/100"}


def test_whole_batches() -> None:
    half = '{"input": {"oak_planks": 1}, "output": {"stick": 2}}'
    assert answer(half)["code"] == 0 and answer(half, "--whole-batches")["code"] == 1


def test_an_item_is_shown_to_people() -> None:
    shown = recipe("--item", "minecraft:lantern").stdout
    assert shown.splitlines() == [
        "lantern",
        "  made by:",
        "    crafting      1 lantern from 8 iron_nugget + 1 torch",
        "  makes nothing",
    ]
    coal = recipe("--item", "coal").stdout
    assert "burns 1600 ticks" in coal and "9 coal from 1 coal_block" in coal and "4 torch from" in coal
    assert "leaves 1 bucket" in recipe("--item", "lava_bucket").stdout
    assert recipe("--item", "#coals").stdout == "#coals is a tag: any of charcoal, coal.\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "give a recipe, or --item and a name"),
        ([STICKS, "--item", "stick"], "give a recipe, or --item and a name"),
        (["not JSON"], "not JSON: Expecting value"),
        (["[" * 50_000], "not JSON: it is nested too deeply"),
        (["[]"], 'a recipe is {"input": {ITEM: AMOUNT, ...}, "output": {ITEM: AMOUNT, ...}}'),
        (['{"input": {"coal": ' + "9" * 5000 + '}, "output": {}}'], "Exceeds the limit"),
        (['{"input": {"coal": 1, "coal": 1}, "output": {}}'], "duplicate name in one object"),
        ([STICKS, "--hand", "{"], "--hand: not JSON: Expecting property name"),
        ([STICKS, "--hand", "[1]"], "--hand: a list is not an object"),
        ([STICKS, "--hand", '{"plank": 1}'], "--hand: there is no item plank"),
        ([STICKS, "--hand", '{"coal": true}'], "--hand: coal: true and false are no amounts"),
        (["--item", "plank"], "there is no item plank"),
        (["--item", "#plank"], "there is no item #plank"),
        (["--item", "Oak Planks"], "'Oak Planks' is no item"),
    ],
    ids=range(14),
)
def test_what_cannot_be_read_is_told_in_one_line(arguments: list[str], words: str) -> None:
    done = recipe(*arguments)
    assert done.exit_code == WRONG_USE == 2 and done.stdout == "" and done.stderr.count("\n") == 1
    assert done.stderr.startswith(f"parlour: recipe: {words}")


def test_bytes_that_are_no_text() -> None:
    done = recipe("-", stdin=b"\xff")
    assert done.exit_code == WRONG_USE and done.stderr.startswith("parlour: recipe: 'utf-8' codec can't decode")


def test_the_command_explains_itself() -> None:
    done = recipe("--help")
    assert done.exit_code == 0 and "--item" in done.stdout and "--hand" in done.stdout


def test_as_a_program_it_ends_with_the_same_status() -> None:
    bad = parlour("recipe", "?")
    assert bad.returncode == WRONG_USE and bad.stderr.startswith("parlour: recipe: not JSON")
