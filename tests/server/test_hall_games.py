"""Games between Socket.IO clients, event by event."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from parlour.core import BadMessage, Result
from parlour.games.tradecraft.book import known
from parlour.games.tradecraft.events import Events
from tests.games.tradecraft.tables import problem
from tests.players.clients import run
from tests.server.guests import HALL, Guest, Inn
from tests.server.hall_moves import COAL, DIRT, ONE, STICK, TORCH, amount, make_torches, table, trade, turn_down
from tests.turned import turn, until

RETURN_S = 600.0

NAMES = """
    login_success username_conflict session_conflict entry_info hall_info player_enter_room player_leave_room
    player_ready_to_start game_start update_all_hands private_start_info start_proposal proposal_sent proposal
    proposal_invalid proposal_reply_message proposal_accepted proposal_rejected craft_recipe_validity
    private_hand_change player_craft_done possible_recipes_from_hand item_info phase_error game_restored
    restored_proof_requested restored_proof_invalid game_over crafting_node crafting_node_nonredirect gym_observation
"""
TO_CLIENTS = {f"server__{name}" for name in re.findall(r"\w+", NAMES)}
"""The events that old clients know, without `error`, `decision_invalid` and `history`."""


def events(guest: Guest, after: str) -> list[str]:
    """The names of the events that it was sent after this one."""
    names = [event.removeprefix("server__") for event, _ in guest.heard]
    return names[names.index(after) :]


def gamename(guest: Guest) -> str:
    """The name of its match."""
    name: str = guest.told("game_start")[-1]["gamename"]
    assert len(name) == 16
    return name


def test_a_whole_game() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await table(inn)
            await trade(ada, bob)
            await make_torches(ada)
            await ada.plays("craft_done")
            await bob.hears("player_craft_done", username="ada")
            await bob.plays("craft_done")
            over = await ada.hears("game_over")
            assert over == {
                "gamename": gamename(ada),
                "reason": "win",
                "targets": [{TORCH: amount(4)}, {"minecraft:beacon": ONE}],
                "win-status": {"ada": True, "bob": False},
                "scores": {"ada": 3, "bob": 0},
                "action_queue": ["ada", "bob"],
            }
            await bob.hears("game_over")
            played = await inn.next()
            assert played.end == Result((3, 0), (1, 2)) and inn.holds()
            told = events(ada, "game_start"), events(bob, "game_start")
        start = ["game_start", "private_start_info", "update_all_hands", "start_proposal", "proposal_sent"]
        traded = ["proposal_accepted", "update_all_hands"]
        end = ["update_all_hands", "game_over"]
        crafted = ["craft_recipe_validity", "private_hand_change", "player_craft_done", "private_hand_change"]
        done = ["player_craft_done", "player_craft_done", "private_hand_change"]
        assert told == (
            [*start, "proposal_reply_message", *traded, *crafted, "player_craft_done", *end],
            [*start, "proposal", *traded, *done, *end],
        )

    run(evening())


def test_what_is_in_the_events() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await table(inn)
            await trade(ada, bob)
            await make_torches(ada)
            hands = [{COAL: amount(2), DIRT: ONE}, {STICK: amount(3)}]
            players, game = ["ada", "bob"], {"gamename": gamename(ada)}
            [info] = ada.told("private_start_info")
            assert info == {"index": 0, "username": "ada", "target": {TORCH: amount(4)}, **game}
            assert ada.told("game_start") == [{"player_list": players, **game}]
            first, second = ada.told("update_all_hands")
            assert first == {"hands": hands, "player_list": players, **game}
            assert second["hands"] == [{COAL: ONE, DIRT: ONE, STICK: ONE}, {COAL: ONE, STICK: amount(2)}]
            assert ada.told("start_proposal") == [{"turn_index": 1, "max_turn": 4, "proposer": "ada", **game}]
            assert ada.told("proposal_sent") == bob.told("proposal_sent") == [{"proposer": "ada", **game}]
            trading = {"self": "ada", "partner": "bob", "offer": {COAL: ONE}, "request": {STICK: ONE}}
            assert bob.told("proposal") == [{"proposal": trading, "message": "please", **game}]
            assert not ada.told("proposal")
            assert ada.told("proposal_reply_message") == [{"from": "bob", "to": "ada", "message": "gladly", **game}]
            assert ada.told("proposal_accepted") == bob.told("proposal_accepted") == [{"proposal": trading, **game}]
            [verdict] = ada.told("craft_recipe_validity")
            assert (verdict["result"], verdict["return_code"]) == (True, 0)
            assert ada.told("private_hand_change") == [{"hand": {DIRT: ONE, TORCH: amount(4)}, **game}]
            assert not bob.told("craft_recipe_validity") and not bob.told("private_hand_change")

    run(evening())


def _items(value: Any) -> Iterator[tuple[str, Any]]:
    """Everything that is named like an item, with what is said of it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if known(key.removeprefix("minecraft:")) and key != "target":  # which is one, too
                yield key, inner
            yield from _items(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _items(inner)


def test_all_events_have_their_names_and_items_their_prefix_and_amounts_their_form() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await table(inn)
            await ada.plays("submit_proposal", proposal={"partner": "bob", "offer": {"coal": 9}})
            await ada.hears("proposal_invalid")
            await bob.plays("craft_done")
            await trade(ada, bob)
            for question in ("item_info", "crafting_node", "crafting_node_nonredirect"):
                await ada.plays(question, node_name="torch")
            await ada.plays("possible_recipes_from_hand")
            await ada.plays("gym_observation")
            await make_torches(ada)
            for guest in (ada, bob):
                await guest.plays("craft_done")
            await ada.hears("game_over")
            await bob.hears("game_over")
            heard = ada.heard + bob.heard
        assert {event for event, _ in heard} <= TO_CLIENTS
        items = [item for event, body in heard if event != "server__proposal_invalid" for item in _items(body)]
        assert len(items) > 50
        for name, said in items:
            assert name.startswith("minecraft:")
            assert set(said) == {"n", "d"} and said["n"] > 0 and said["d"] > 0, (name, said)

    run(evening())


WITHOUT_GAME = {"restored_proof_requested", "login_success", "error"}
"""Events that belong to no game, or have only a text for people."""


def test_every_event_of_a_game_names_it() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await table(inn)
            game = gamename(ada)
            await ada.plays("submit_proposal", proposal={"self": "bob", "partner": "bob"})
            await ada.plays("submit_proposal", proposal={"partner": "bob", "offer": {"coal": 9}})
            await bob.plays("craft_done")
            await trade(ada, bob)
            await ada.plays("approval_or_reject", decision="accept")
            for question in ("item_info", "crafting_node", "crafting_node_nonredirect", "load_items_from_tag"):
                await ada.plays(question, node_name="torch", tag_name="#minecraft:planks")
                await ada.plays(question, node_name="nothing", tag_name="#nothing")
            for question in ("possible_recipes_from_hand", "gym_observation", "history", "crafting_item_list"):
                await ada.plays(question)
            await make_torches(ada)
            await bob.plays("quit_game")
            await ada.hears("player_leave_room", reason="quit")
            await ada.plays("craft_done")
            await ada.hears("game_over")
            names = [event for event, _ in ada.heard]
            told = ada.heard[names.index("server__game_start") :] + bob.heard
        in_hall = ("player_enter_room", "player_leave_room", "player_ready_to_start")
        for event, body in told:
            name = event.removeprefix("server__")
            if name not in WITHOUT_GAME:
                expected = (HALL, game) if name in in_hall else (game,)
                assert body["gamename"] in expected, event

    run(evening())


def test_the_next_game_is_in_the_same_hall() -> None:
    async def evening() -> None:
        async with Inn(problem("1 coal", "1 stick", max_turn=1)) as inn:
            ada, bob = await table(inn)
            for number in range(3):
                await turn_down(ada, bob)
                for guest in (ada, bob):
                    await guest.plays("craft_done")
                for guest in (ada, bob):
                    await guest.hears("game_over", reason="all lose")
                    if number == 1:
                        await guest.says("enter_hall", _token=guest.token, _hallname=HALL)
                    await guest.plays("ready_to_start")  # at once
                for guest in (ada, bob):
                    await guest.hears("game_start")
            played = [await inn.next() for _ in range(3)]
            assert all(inn.holds(number) for number in range(3))
            assert len({each.match.header.match for each in played}) == 3
            assert not ada.told("error") and not bob.told("error")

    run(evening())


def test_before_the_game_there_is_nothing_to_play_either() -> None:
    async def evening() -> None:
        async with Inn(problem("1 coal", "1 stick", max_turn=1)) as inn:
            ada = await inn.player("ada")
            for event in ("craft_done", "item_info", "quit_game"):
                await ada.plays(event)
                assert (await ada.hears("phase_error"))["phase"] == "lobby"
            await inn.player("bob")
            await ada.hears("game_start")

    run(evening())


def test_after_the_end_there_is_nothing_to_play() -> None:
    async def evening() -> None:
        async with Inn(problem("1 coal", "1 stick", max_turn=1)) as inn:
            ada, bob = await table(inn)
            await turn_down(ada, bob)
            for guest in (ada, bob):
                await guest.plays("craft_done")
            await ada.hears("game_over")
            await inn.next()
            for event in ("craft_done", "item_info", "quit_game"):
                await ada.plays(event)
                assert (await ada.hears("phase_error"))["phase"] == "lobby"
            assert events(ada, "game_over")[1:] == ["phase_error"] * 3

    run(evening())


@pytest.mark.parametrize("transports", [["polling"], ["polling", "websocket"]])
def test_a_game_by_long_polling(transports: list[str]) -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await inn.player("ada", transports=transports), await inn.player("bob")
            assert ada.io.transport() == transports[-1]
            await ada.hears("start_proposal")
            await trade(ada, bob)
            await make_torches(ada)
            for guest in (ada, bob):
                await guest.plays("craft_done")
            for guest in (ada, bob):
                await guest.hears("game_over", reason="win")

    run(evening())


def test_bots_and_who_came_another_way_enter_the_room_when_the_game_begins() -> None:
    async def evening() -> None:
        async with Inn(bots=["random"]) as inn:
            ada = await inn.player("ada")
            await ada.hears("game_start")
            entered = ada.told("player_enter_room")
            assert [body["playername"] for body in entered] == ["ada", "random"]
            assert entered[1]["player_list"] == ["ada", "random"] and entered[1]["type"] == "Game"

    run(evening())


# Mistakes


def test_what_does_not_belong_to_the_phase_is_told_with_what_was_said() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await table(inn)
            recipe = {"input": {"coal": 1}, "output": {"torch": 4}}
            proposal = {"self": "bob", "partner": "ada", "offer": {}, "request": {}}
            wrong: list[tuple[str, dict[str, Any]]] = [
                ("submit_proposal", {"proposal": proposal, "message": "?"}),
                ("approval_or_reject", {"decision": "accept", "message": "!"}),
                ("craft_recipe_check", {"recipe": recipe}),
                ("craft_recipe_apply", {}),
                ("craft_done", {}),
            ]
            for event, said in wrong:
                await bob.plays(event, **said)
                told = await bob.hears("phase_error")
                assert told.pop("incoming_event") == f"player__{event}"
                assert told.pop("phase") == "propose" and told.pop("incoming")
                assert told.pop("gamename") == gamename(bob)
                assert told == said
            await ada.plays("craft_done")
            assert (await ada.hears("phase_error"))["incoming_event"] == "player__craft_done"
            assert len(ada.told("phase_error")) == 1, "nobody is told of the other's"
            await trade(ada, bob)

    run(evening())


def test_why_a_proposal_is_refused() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await table(inn)
            wrong: dict[str, Any] = {
                "self": {"self": "bob", "partner": "bob"},
                "partner": {"self": "ada", "partner": "nobody"},
                "offer": {"partner": "bob", "offer": {"coal": {"n": 1, "d": 2}}},
            }
            for word, proposal in wrong.items():
                await ada.plays("submit_proposal", proposal=proposal, message="?")
                told = await ada.hears("proposal_invalid")
                assert told["proposal"] == proposal and told["message"] == "?"
                assert word in told["errmsg"] and "reason" not in told
                assert "your" in told["errmsg"] or word != "self"
            short = {"partner": "bob", "offer": {"coal": 3, DIRT: 1}, "request": {"stick": 3, "gold_ingot": 1}}
            await ada.plays("submit_proposal", proposal=short)
            told = await ada.hears("proposal_invalid")
            offer, request = {COAL: False, DIRT: True}, {"minecraft:gold_ingot": False, STICK: True}
            assert told["reason"] == {"offer": offer, "request": request} and "errmsg" not in told
            assert bob.told("proposal_sent") == [] == bob.told("proposal_invalid")

    run(evening())


def test_decisions_are_one_of_three_words() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await table(inn)
            await ada.plays("submit_proposal", proposal={"partner": "bob", "offer": {"dirt": 1}})
            await bob.hears("proposal")
            for word in ("yes", "", None, 1, ["accept"], "ACCEPT"):
                await bob.plays("approval_or_reject", decision=word)
                assert (await bob.hears("decision_invalid"))["decision"] == word
            await bob.plays("approval_or_reject", decision="approve")
            assert DIRT in (await ada.hears("update_all_hands"))["hands"][1]

    run(evening())


def test_events_that_there_are_not_are_errors() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, _ = await table(inn)
            for event in ("propose", "query", "gym_action", "", "login2", "x" * 500, "\x1b[2J"):
                await ada.plays(event, what="history", partner="bob")
                told = await ada.hears("error")
                assert told["code"] == "bad_event" and len(told["message"]) < 100 and "\x1b" not in told["message"]
            await ada.plays("login", username="eve", token=ada.token)
            assert ada.told("proposal_sent") == []

    run(evening())


@pytest.mark.parametrize("junk", [b"", b"\xff", b"[]", b"5", b"{}", b'{"type": 5}', b'{"type": ["x"]}', b"[" * 5000])
def test_junk_is_a_bad_message_and_nothing_else(junk: bytes) -> None:
    with pytest.raises(BadMessage):
        Events().read(junk)


def test_amounts_may_be_written_as_libraries_do() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await table(inn)
            await trade(ada, bob)
            for one in ({"mathjs": "Fraction", "n": 1, "d": 1}, {"s": 1, "n": 1, "d": 1}, [1, 1], "1/1", 1.0, ONE):
                await ada.plays("craft_recipe_check", recipe={"input": {COAL: one, STICK: one}, "output": {TORCH: 4}})
                assert (await ada.hears("craft_recipe_validity"))["return_code"] == 0, one
            for nothing in ({"n": 1, "d": 0}, {"n": "1", "d": 1}, {"n": [1], "d": 1}, 0, -1, True, None, "x", {"n": 1}):
                await ada.plays("craft_recipe_check", recipe={"input": {COAL: nothing}, "output": {TORCH: 4}})
                assert (await ada.hears("craft_recipe_validity"))["return_code"] == 1, nothing

    run(evening())


# Leaving


def test_a_client_that_quits_forfeits_and_the_other_plays_on() -> None:
    async def evening() -> None:
        async with Inn(problem("1 coal", "1 stick", targets=["1 stick"], max_turn=2)) as inn:
            ada, bob = await table(inn)
            await ada.plays("submit_proposal", proposal={"partner": "bob", "request": {"stick": 1}})
            await bob.hears("proposal")
            await ada.plays("quit_game")
            await bob.plays("approval_or_reject", decision="accept")
            left = await bob.hears("player_leave_room")
            assert (left["playername"], left["reason"]) == ("ada", "quit")
            await bob.plays("craft_done")
            await bob.hears("start_proposal", turn_index=2)
            await bob.plays("submit_proposal", proposal={"partner": "ada"})
            await bob.hears("proposal_rejected")
            await bob.plays("craft_done")
            over = await bob.hears("game_over")
            assert over["reason"] == "all lose" and over["scores"] == {"ada": 0, "bob": 0}, "though ada has the stick"
            await ada.hears("game_over")
            await ada.ready()

    run(evening())


def test_when_all_are_gone_all_lose() -> None:
    async def evening() -> None:
        async with Inn(return_s=0.1) as inn:
            for guest in await table(inn):
                await guest.drop()
            played = await inn.next()
            assert played.end == Result((0, 0), (2, 2)) and inn.holds()
            await until(lambda: not inn.playing)

    run(evening())


def test_no_token_is_ever_written_down() -> None:
    async def evening() -> None:
        async with Inn(return_s=RETURN_S) as inn:
            ada, bob = await table(inn)
            await ada.plays("submit_proposal", proposal={"partner": "nobody", "token": ada.token}, _token=ada.token)
            await ada.hears("proposal_invalid")
            await ada.plays("unknown", _token=ada.token)
            await ada.hears("error")
            await ada.drop()
            again = await inn.back(ada)
            await again.hears("start_proposal")
            for guest in (again, bob):
                await guest.drop()
            await until(lambda: len(inn.lost()) == 2)
            turn(RETURN_S)
            await inn.next()
            written = b"".join(inn.records[0]).decode() + "".join(inn.log.said)
            assert len(written) > 1000 and ada.token not in written and bob.token not in written
            assert not re.search(r"token", written)
            others = str([body for event, body in bob.heard if event != "server__login_success"])
            assert ada.token not in others and bob.token not in others

    run(evening())
