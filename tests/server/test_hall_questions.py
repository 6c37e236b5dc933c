"""Questions of Socket.IO clients, and the nodes in the answers."""

from collections.abc import Sequence

from parlour.games.tradecraft.recipes import book
from tests.players.clients import run
from tests.server.guests import Guest, Inn
from tests.server.hall_moves import COAL, DIRT, ONE, STICK, TORCH, amount, table, trade
from tests.turned import until


async def answered(guest: Guest, asked: Sequence[str]) -> list[str]:
    """The answers if all questions are sent at once, each followed by an invalid one."""
    before = len(guest.heard)
    for question in asked:
        await guest.plays(question, node_name="stick")
        await guest.plays("possible_recipes_from_hand", hand="nonsense")
    await until(lambda: len(guest.heard) == before + 2 * len(asked))
    return [event.removeprefix("server__") for event, _ in guest.heard[before:]]


def test_what_is_known_of_an_item() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, _ = await table(inn)
            await ada.plays("item_info", node_name="torch", amount={"n": 3, "d": 2})
            info = await ada.hears("item_info")
            assert (info["username"], info["is_valid"], info["node_name"]) == ("ada", True, TORCH)
            assert info["amount"] == amount(3, 2)
            [made] = info["node"]["children"]
            assert made["node_name"] == "$torch" and made["parents"] == [[TORCH, amount(4)]]
            assert made["children"] == [["#minecraft:charcoal_or_coal", ONE], [STICK, ONE]]
            assert made["extra_tags"] == {"#minecraft:charcoal_or_coal": {"minecraft:charcoal": ONE, COAL: ONE}}
            assert {node["node_type"] for node in info["node"]["parents"]} == {"recipe"}
            await ada.plays("item_info", node_name="minecraft:iron_ingot")
            smelting = [
                node for node in (await ada.hears("item_info"))["node"]["children"] if "smelting" in node["node_name"]
            ]
            fuel = {COAL: amount(1, 8), "minecraft:charcoal": amount(1, 8)}
            assert smelting and all(node["extra_tags"]["#minecraft:fuel"] == fuel for node in smelting)

    run(evening())


def test_an_item_that_there_is_not_has_no_node() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, _ = await table(inn)
            for question in ("item_info", "crafting_node", "crafting_node_nonredirect"):
                for name in ("unobtainium", "", "$nothing", "#nothing", None, 5, ["torch"], "x" * 5000):
                    await ada.plays(question, node_name=name)
                    info = await ada.hears(question)
                    assert not info["is_valid"] and info["reason"] and "node" not in info
                await ada.plays(question)
                assert not (await ada.hears(question))["is_valid"]

    run(evening())


def test_nodes_lead_from_a_hand_to_what_can_be_crafted_of_it() -> None:
    """Ask as a page does: for the recipes of a hand, then each recipe, then its tags."""

    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await table(inn)
            await trade(ada, bob)
            await ada.plays("possible_recipes_from_hand", is_browser=True)
            possible = await ada.hears("possible_recipes_from_hand")
            assert possible["username"] == "ada" and possible["recipe_details"] == []
            assert possible["hand"] == {COAL: ONE, DIRT: ONE, STICK: ONE} and "$torch" in possible["recipes"]
            for name in possible["recipes"]:
                await ada.plays(
                    "crafting_node_nonredirect", node_name=name, amount={"mathjs": "Fraction", "n": 1, "d": 1}
                )
                recipe = await ada.hears("crafting_node_nonredirect")
                assert recipe["node"]["node_name"] == name and recipe["amount"] == ONE
                for child, _ in recipe["node"]["children"]:
                    await ada.plays("crafting_node", node_name=child)
                    found = (await ada.hears("crafting_node"))["node"]
                    assert found["node_name"] == child and found["node_type"] == ("tag" if child[0] == "#" else "item")
                    assert name in [parent for parent, _ in found["parents"]]
            await ada.plays("possible_recipes_from_hand", hand={COAL: 1, STICK: 1})
            [torch] = (await ada.hears("possible_recipes_from_hand"))["recipe_details"]
            assert torch["node_name"] == "$torch" and torch["parents"] == [[TORCH, amount(4)]]

    run(evening())


def test_what_is_possible_only_in_fractions_is_marked() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, _ = await table(inn)
            for hand, batches, marked in (
                ({COAL: 1, STICK: 1}, ONE, False),
                ({COAL: 1, STICK: amount(1, 2)}, amount(1, 2), True),
            ):
                await ada.plays("possible_recipes_from_hand", hand=hand)
                told = await ada.hears("possible_recipes_from_hand")
                [torch] = told["recipe_details"]
                assert (torch["most_batches"], torch["only_in_fractions"]) == (batches, marked)
                assert told["recipes"] == ["$torch"] and told["only_in_fractions"] == ["$torch"] * marked
                await ada.plays("possible_recipes_from_hand", hand=hand, is_browser=True)
                told = await ada.hears("possible_recipes_from_hand")
                assert told["recipe_details"] == [] and told["only_in_fractions"] == ["$torch"] * marked

    run(evening())


def test_all_items_that_have_to_do_with_crafting_are_listed_for_whoever_asks() -> None:
    """The original page asks for it when it is loaded, with an empty token, before its user logs in."""

    async def evening() -> None:
        async with Inn() as inn:
            guest = await inn.guest()
            await guest.says("player__crafting_item_list", token="", gamename="")
            listed = (await guest.hears("crafting_item_list"))["crafting_item_list"]
            products = {f"minecraft:{item}" for item in book().makers}
            assert products < set(listed) and {COAL, STICK, "minecraft:oak_log"} < set(listed)
            assert len(listed) == len(set(listed)) and listed == sorted(listed)
            ada, _ = await table(inn)
            await ada.plays("crafting_item_list")
            told = await ada.hears("crafting_item_list")
            assert told["crafting_item_list"] == listed
            assert told["game"] == told["gamename"] == ada.told("game_start")[0]["gamename"]
            for name in listed[::100]:
                await ada.plays("crafting_node", node_name=name)
                assert (await ada.hears("crafting_node"))["is_valid"]

    run(evening())


def test_the_items_of_a_tag() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, _ = await table(inn)
            for name in ("#minecraft:coals", "#coals", "minecraft:coals"):
                await ada.plays("load_items_from_tag", tag_name=name)
                told = await ada.hears("load_items_from_tag")
                assert (told["username"], told["is_valid"], told["tag_name"]) == ("ada", True, name)
                assert told["node"]["node_name"] == "#minecraft:coals" and told["node"]["node_type"] == "tag"
                assert told["node"]["children"] == [["minecraft:charcoal", ONE], [COAL, ONE]]
                assert [parent for parent, _ in told["node"]["parents"]] == ["$campfire"]
            for wrong in ("#nothing", "minecraft:coal", "", None, 5, ["#coals"], "#" * 5000):
                await ada.plays("load_items_from_tag", tag_name=wrong)
                told = await ada.hears("load_items_from_tag")
                assert not told["is_valid"] and told["reason"] and "node" not in told and len(told["tag_name"]) <= 80
            await ada.plays("load_items_from_tag")
            assert not (await ada.hears("load_items_from_tag"))["is_valid"]

    run(evening())


def test_of_fuels_those_are_named_that_are_in_the_hand() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, _ = await table(inn)
            await ada.plays("possible_recipes_from_hand", hand={"raw_iron": 1, "stick": 2, "dirt": 1})
            details = (await ada.hears("possible_recipes_from_hand"))["recipe_details"]
            [smelting] = [node for node in details if node["parents"] == [["minecraft:iron_ingot", ONE]]]
            fuels = smelting["extra_tags"]["#minecraft:fuel"]
            assert fuels == {STICK: amount(2), COAL: amount(1, 8), "minecraft:charcoal": amount(1, 8)}
            assert smelting["children"] == [["minecraft:raw_iron", ONE], ["#minecraft:fuel", ONE]]

    run(evening())


def test_questions_may_be_asked_in_every_phase_and_keep_their_order() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await table(inn)
            asked = [
                "item_info",
                "gym_observation",
                "possible_recipes_from_hand",
                "history",
                "crafting_node",
                "item_info",
            ]
            for phase in ("propose", "decide", "craft", "done"):
                answers = await answered(bob, asked)
                assert answers[::2] == asked and set(answers[1::2]) == {"error"}
                if phase == "propose":
                    await ada.plays("submit_proposal", proposal={"partner": "bob"})
                    await bob.hears("proposal")
                elif phase == "decide":
                    await bob.plays("approval_or_reject", decision="reject")
                    await bob.hears("proposal_rejected")
                elif phase == "craft":
                    await bob.plays("craft_done")
                    await bob.hears("private_hand_change")
            assert bob.told("gym_observation")[-1] == {
                "username": "bob",
                "gamename": bob.told("game_start")[0]["gamename"],
                "player_list": ["ada", "bob"],
                "target": {"minecraft:beacon": ONE},
                "hands": [{COAL: amount(2), DIRT: ONE}, {STICK: amount(3)}],
            }
            assert {"type": "player_craft_done", "username": "bob"} in bob.told("history")[-1]["events"]

    run(evening())
