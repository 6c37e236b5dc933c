"""What Socket.IO clients do in games of two."""

from tests.server.guests import Guest, Inn

COAL, DIRT, STICK, TORCH = [f"minecraft:{item}" for item in ("coal", "dirt", "stick", "torch")]
ONE = {"n": 1, "d": 1}

EVENTS = (
    "get_entry_info",
    "get_hall_info",
    "enter_hall",
    "test",
    "test_status",
    "player__ready_to_start",
    "player__submit_proposal",
    "player__approval_or_reject",
    "player__craft_recipe_check",
    "player__craft_recipe_apply",
    "player__craft_done",
    "player__possible_recipes_from_hand",
    "player__item_info",
    "player__crafting_node",
    "player__crafting_node_nonredirect",
    "player__load_items_from_tag",
    "player__gym_observation",
    "player__history",
    "player__quit_game",
    "player__login",
)
"""All that a client may say once it has logged in, and some that it may not."""


def amount(n: int, d: int = 1) -> dict[str, int]:
    return {"n": n, "d": d}


async def table(inn: Inn) -> list[Guest]:
    """Seat as many users as the hall takes, and wait until their match begins."""
    guests = [await inn.player(name) for name in ("ada", "bob", "cleo")[: inn.seats]]
    for guest in guests:
        await guest.hears("start_proposal")
    return guests


async def trade(ada: Guest, bob: Guest) -> None:
    """Trade a coal for a stick."""
    proposal = {"self": ada.name, "partner": bob.name, "offer": {"coal": 1}, "request": {STICK: 1}}
    await ada.plays("submit_proposal", proposal=proposal, message="please")
    await bob.hears("proposal")
    await bob.plays("approval_or_reject", decision="accept", message="gladly")
    for guest in (ada, bob):
        await guest.hears("update_all_hands")


async def turn_down(ada: Guest, bob: Guest) -> None:
    await ada.plays("submit_proposal", proposal={"partner": bob.name})
    await bob.hears("proposal")
    await bob.plays("approval_or_reject", decision="reject")
    for guest in (ada, bob):
        await guest.hears("proposal_rejected")


async def make_torches(ada: Guest) -> None:
    await ada.plays("craft_recipe_check", recipe={"input": {"coal": 1, "stick": 1}, "output": {"torch": 4}})
    await ada.hears("craft_recipe_validity", result=True)
    await ada.plays("craft_recipe_apply")
    await ada.hears("private_hand_change")


def free(inn: Inn, name: str) -> bool:
    """Whether the name is free."""
    inn.halls._tidy()
    return name not in inn.halls._users
