"""The messages to a player without a part in a trade do not depend on the secrets of the others."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from msgspec import Struct

from tests.games.tradecraft.tables import problem
from tests.players.clients import run
from tests.server.guests import Guest, Inn, line
from tests.server.liners import Liner
from tests.turned import until

NAMES = ("ada", "bob", "cleo", "dan")


class Secrets(Struct, frozen=True):
    """The secrets that cleo must not learn."""

    targets: tuple[str, str, str]
    partner: str
    offer: Mapping[str, int]
    request: Mapping[str, int]
    message: str
    reply: str
    checked: Mapping[str, Any]
    mistakes: int
    questions: int


ONE = Secrets(
    targets=("1 torch", "1 lantern", "1 bucket"),
    partner="bob",
    offer={"coal": 2},
    request={"stick": 1},
    message="a coal for a stick",
    reply="what a bargain",
    checked={"input": {"coal": 1}, "output": {"torch": 4}},
    mistakes=0,
    questions=0,
)
OTHER = Secrets(
    targets=("1 shears", "1 lever", "1 anvil"),
    partner="dan",
    offer={},
    request={"iron_ingot": 1, "dirt": 1},
    message="I have nothing to give, but I am a good listener, and would love to hear of your dirt",
    reply="",
    checked={"input": {"stick": 1, "cobblestone": 1}, "output": {"lever": 1}},
    mistakes=5,
    questions=3,
)


async def sits(inn: Inn, way: str) -> tuple[dict[str, Liner], Guest | Liner]:
    """Seat all players over WebSocket, except the observed one."""
    others: dict[str, Liner] = {}
    cleo: Guest | Liner | None = None
    for number, name in enumerate(NAMES, start=1):
        if name != "cleo":
            others[name] = await inn.liner(name)
        else:
            cleo = await (inn.player(name) if way == "Socket.IO" else line(inn, way, name))
        if number < len(NAMES):
            await until(lambda number=number: inn.waiting() == number)  # type: ignore[misc]
    assert cleo is not None
    return others, cleo


async def meddle(guest: Liner, secrets: Secrets) -> None:
    """Mistakes that cost nothing, and questions."""
    for _ in range(secrets.mistakes):
        await guest.says("apply")
        await guest.hears("phase_error")
    for _ in range(secrets.questions):
        await guest.says("query", what="item_info", item="beacon")
        await guest.hears("item_info")


async def game(inn: Inn, secrets: Secrets, way: str) -> list[str]:
    """Play two turns; returns all messages to cleo."""
    others, cleo = await sits(inn, way)
    ada, bob, _ = others.values()
    for guest in others.values():
        await guest.hears("start_proposal")
    await meddle(ada, secrets)
    for _ in range(secrets.mistakes):
        await ada.says("propose", partner="nobody", message="oops")
        await ada.hears("proposal_invalid")
    trade = {"partner": secrets.partner, "offer": secrets.offer, "request": secrets.request}
    await ada.says("propose", **trade, message=secrets.message)
    partner = others[secrets.partner]
    await partner.hears("proposal", message=secrets.message)
    await meddle(bob, secrets)
    for _ in range(secrets.mistakes):
        await partner.says("decide", decision="perhaps")
        await partner.hears("decision_invalid")
    await partner.says("decide", decision="reject", message=secrets.reply)
    await ada.hears("proposal_reply_message", message=secrets.reply)
    for guest in others.values():
        await guest.hears("proposal_rejected")
        for _ in range(1 + secrets.mistakes):
            await guest.says("check", **secrets.checked)
            await guest.hears("craft_recipe_validity")
        await guest.says("done_crafting")
        await guest.hears("private_hand_change")
    await (cleo.plays("craft_done") if isinstance(cleo, Guest) else cleo.says("done_crafting"))
    for guest in others.values():
        await guest.hears("start_proposal", turn_index=2)
    await bob.says("propose", partner="ada", offer={"stick": 1}, request={"coal": 1}, message=secrets.message)
    await ada.hears("proposal")
    await ada.says("decide", decision="accept", message=secrets.reply)
    await bob.hears("proposal_accepted")
    if isinstance(cleo, Guest):
        await cleo.hears("proposal_accepted")
        await cleo.hears("update_all_hands")
        return [json.dumps(told).replace(cleo.token, "") for told in cleo.heard]
    await cleo.hears("proposal_accepted")
    await cleo.hears("update_all_hands")
    return [json.dumps(told).replace(cleo.heard[0]["token"], "") for told in cleo.heard]


@pytest.mark.parametrize("way", ["Socket.IO", "WebSocket", "TCP"])
def test_a_third_player_is_told_the_same_whatever_the_others_keep_to_themselves(way: str) -> None:
    async def evening(secrets: Secrets) -> list[str]:
        ada, bob, dan = secrets.targets
        hands = ["2 coal 1 iron_ingot", "3 stick", "1 gold_ingot", "1 iron_ingot 1 dirt"]
        start = problem(*hands, targets=[ada, bob, "1 clock", dan], max_turn=4)
        async with Inn(start) as inn:
            told = await game(inn, secrets, way)
            header = json.loads(inn.records[0][0])
            assert json.dumps(header["start"]) not in "".join(told)
            return told

    one, other = run(evening(ONE)), run(evening(OTHER))
    assert one == other
    text = "".join(one)
    assert "proposal_sent" in text and "proposal_rejected" in text and "proposal_accepted" in text
    assert "clock" in text, "it knows its own target"
    for secrets in (ONE, OTHER):
        for word in (*secrets.targets, secrets.message, "what a bargain"):
            assert word.removeprefix("1 ") not in text
