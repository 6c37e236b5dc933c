"""What is said at a table and in a hall of tradeCraft when all goes right, and much goes wrong."""

from contextlib import closing
from typing import Any

from tests.docs.hosts import Guest, Host, Liner

# Lines


def at_a_table(host: Host) -> set[str]:
    """Two play, and a third is in the way."""
    spoken: set[str] = set()
    with closing(Liner("eve", host.port, spoken)) as eve:
        eve.sends("hello")
        eve.hears("error")
    with closing(Liner("ada", host.port, spoken)) as ada:
        ada.says("login", username="ada")
        host.until("ada sits down")
        with closing(Liner("bob", host.port, spoken)) as bob:
            bob.says("login", username="bob")
            token = bob.hears("login_success")["token"]
            first_turn(ada, bob)
        with closing(Liner("eve", host.port, spoken)) as eve:
            eve.says("login", username="bob", token="guessed")
            eve.hears("error")
        with closing(Liner("bob", host.port, spoken)) as bob:
            bob.says("login", token=token)
            bob.hears("player_craft_done")
            bob.says("done_crafting")
            second_turn(ada, bob)
    return spoken


def first_turn(ada: Liner, bob: Liner) -> None:
    for each in (ada, bob):
        each.hears("start_proposal")
    questions(ada)
    proposals(ada, bob)
    crafting(ada)


def questions(ada: Liner) -> None:
    for body in (
        {"what": "item_info", "item": "lantern"},
        {"what": "item_info", "item": "#coals"},
        {"what": "possible_recipes"},
        {"what": "possible_recipes", "hand": {"stick": 1, "coal": "1/4"}},
    ):
        ada.says("query", **body)
        ada.hears("item_info" if "item" in body else "possible_recipes_from_hand")
    ada.says("query", what="weather")
    ada.hears("error")


def proposals(ada: Liner, bob: Liner) -> None:
    ada.sends("my turn?")
    ada.hears("error")
    ada.says("apply")
    ada.hears("phase_error")
    bob.says("propose", partner="ada")
    bob.hears("phase_error")
    ada.says("propose", partner="bob", offer={"coal": 3}, request={"oak_log": 1})
    ada.hears("proposal_invalid")
    ada.says("propose", partner="cleo")
    ada.hears("proposal_invalid")
    ada.says(
        "propose",
        self="ada",
        partner="bob",
        offer={"cobblestone": 3},
        request={"oak_log": 1},
        message="Stones for a log?",
    )
    bob.hears("proposal")
    bob.says("decide", decision="maybe")
    bob.hears("decision_invalid")
    bob.says("decide", decision="accept", message="Gladly.")
    for each in (ada, bob):
        each.hears("update_all_hands")


def crafting(ada: Liner) -> None:
    for input, output in (
        ({"coal": 1, "stick": 1}, {"torch": 4}),
        ({"oak_log": 1}, {"oak_planks": 3}),
        ({"oak_log": "a few"}, {"oak_planks": 4}),
    ):
        ada.says("check", input=input, output=output)
        ada.hears("craft_recipe_validity")
    ada.says("apply")
    ada.hears("phase_error")
    ada.says("check", input={"oak_log": 0.25}, output={"oak_planks": 1})
    ada.hears("craft_recipe_validity")
    ada.says("apply")
    ada.hears("private_hand_change")
    ada.says("done_crafting")
    ada.hears("private_hand_change")
    ada.says("done_crafting")
    ada.hears("phase_error")


def second_turn(ada: Liner, bob: Liner) -> None:
    for each in (ada, bob):
        each.hears("start_proposal")
    bob.says("done_crafting", turn_index=1)
    bob.hears("phase_error")
    bob.says("propose", partner="ada", message="I pass.")
    ada.hears("proposal")
    ada.says("decide", decision="reject", message="For what?")
    bob.hears("proposal_rejected")
    ada.hears("proposal_rejected")
    ada.says("query", what="history")
    ada.hears("history")
    for input, output in (
        ({"oak_log": "1/2"}, {"oak_planks": 2}),
        ({"oak_planks": 1}, {"stick": 2}),
        ({"cobblestone": 3, "stick": 2}, {"stone_pickaxe": 1}),
    ):
        bob.says("check", input=input, output=output)
        bob.hears("craft_recipe_validity")
        bob.says("apply")
        bob.hears("private_hand_change")
    for each in (ada, bob):
        each.says("done_crafting")
    for each in (ada, bob):
        each.hears("game_over")


# Events


async def in_a_hall(port: int, hall: str) -> set[str]:
    """Two play, and a third is in the way."""
    spoken: set[str] = set()
    ada, bob, eve = [Guest(name, spoken) for name in ("ada", "bob", "eve")]
    for guest in (ada, bob, eve):
        await guest.comes(port)
    await lobby(ada, eve, hall)
    await ready(ada, bob, hall)
    await trading(ada, bob)
    await looking_up(ada)
    await making(ada)
    bob = await coming_back(bob, ada, port)
    for guest in (bob, ada):
        await guest.plays("quit_game")
        await guest.hears("player_leave_room")
    for guest in (ada, bob):
        await guest.hears("game_over")
    for guest in (ada, bob, eve):
        await guest.leaves()
    return spoken


async def lobby(ada: Guest, eve: Guest, hall: str) -> None:
    await ada.logs_in()
    await ada.says("login", {"username": "ada"})
    await ada.hears("session_conflict")
    await eve.says("login", {"username": "ada"})
    await eve.hears("username_conflict")
    await eve.says("login", {"username": ""})
    await eve.hears("error")
    await eve.says("get_entry_info", {"_token": "guessed"})
    await eve.hears("error")
    await eve.says("restored_proof", {"_username": "ada", "_token": "guessed"})
    await eve.hears("restored_proof_invalid")
    await ada.says("get_entry_info", {"_token": ada.token})
    await ada.hears("entry_info")
    await ada.says("get_hall_info", {"_token": ada.token, "_hallname": hall})
    await ada.hears("hall_info")
    await ada.says("enter_hall", {"_token": ada.token, "_hallname": "nowhere"})
    await ada.hears("error")


async def ready(ada: Guest, bob: Guest, hall: str) -> None:
    await ada.plays("ready_to_start", gamename=hall)
    await ada.hears("error")
    await bob.logs_in()
    for guest in (ada, bob):
        await guest.says("enter_hall", {"_token": guest.token, "_hallname": hall})
        await guest.hears("player_enter_room")
    await ada.plays("craft_done", gamename=hall)
    await ada.hears("phase_error")
    for guest in (ada, bob):
        await guest.plays("ready_to_start", gamename=hall)
        await guest.hears("player_ready_to_start")
    for guest in (ada, bob):
        await guest.hears("start_proposal")


async def trading(ada: Guest, bob: Guest) -> None:
    proposal: dict[str, Any] = {"self": "ada", "partner": "bob", "offer": {"minecraft:coal": 3}}
    await ada.plays("submit_proposal", proposal=proposal, message="")
    await ada.hears("proposal_invalid")
    await ada.plays("submit_proposal", proposal={"self": "ada", "partner": "cleo"}, message="")
    await ada.hears("proposal_invalid")
    await bob.plays("submit_proposal", proposal={"self": "bob", "partner": "ada"}, message="")
    await bob.hears("phase_error")
    trade = {"offer": {"minecraft:cobblestone": {"n": 3, "d": 1}}, "request": {"minecraft:oak_log": {"n": 1, "d": 1}}}
    await ada.plays("submit_proposal", proposal={**proposal, **trade}, message="Stones for a log?")
    await bob.hears("proposal")
    await bob.plays("approval_or_reject", decision="maybe")
    await bob.hears("decision_invalid")
    await bob.plays("approval_or_reject", decision="accept", message="Gladly.")
    for guest in (ada, bob):
        await guest.hears("update_all_hands")


async def looking_up(ada: Guest) -> None:
    for event, body in (
        ("item_info", {"node_name": "minecraft:lantern"}),
        ("item_info", {"node_name": "minecraft:lamp"}),
        ("crafting_node", {"node_name": "$torch"}),
        ("crafting_node_nonredirect", {"node_name": "#minecraft:smelts_to_glass"}),
        ("load_items_from_tag", {"tag_name": "#minecraft:coals"}),
        ("possible_recipes_from_hand", {"hand": {"minecraft:iron_nugget": 9}}),
        ("gym_observation", {}),
        ("history", {}),
    ):
        await ada.plays(event, **body)
        await ada.hears(event)
    await ada.plays("sing")
    await ada.hears("error")


async def making(ada: Guest) -> None:
    quarter = {"minecraft:oak_log": {"n": 1, "d": 4}}
    for planks in (2, 1):
        await ada.plays("craft_recipe_check", recipe={"input": quarter, "output": {"minecraft:oak_planks": planks}})
        await ada.hears("craft_recipe_validity")
    await ada.plays("craft_recipe_apply")
    await ada.hears("private_hand_change")
    await ada.plays("craft_done")
    await ada.hears("private_hand_change")


async def coming_back(bob: Guest, ada: Guest, port: int) -> Guest:
    """Connect again."""
    await bob.leaves()
    await ada.hears("player_leave_room")
    again = Guest("bob", bob.spoken)
    await again.comes(port)
    again.token = bob.token
    await again.says("restored_proof", {"_username": "bob", "_token": bob.token})
    for event in ("login_success", "player_craft_done"):
        await again.hears(event)
    return again
