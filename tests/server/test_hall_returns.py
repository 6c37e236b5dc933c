"""Socket.IO clients that lose the connection in a game, and come back to it."""

import sys
from pathlib import Path

import pytest

from parlour.core import Result
from tests.games.tradecraft.tables import problem
from tests.players.children import HELLO
from tests.players.clients import run
from tests.server.guests import THREE, Guest, Inn, line
from tests.server.hall_moves import make_torches, table, trade, turn_down
from tests.turned import until

TIME = ("player_enter_room", "player_leave_room", "player_ready_to_start", "error")
"""Events of the hall, which are not repeated."""


def told_in_game(guest: Guest) -> list[tuple[str, object]]:
    """All events since the last beginning of a game."""
    names = [event for event, _ in guest.heard]
    start = len(names) - 1 - names[::-1].index("server__game_start")
    return [(event, body) for event, body in guest.heard[start:] if event.removeprefix("server__") not in TIME]


@pytest.mark.parametrize("phase", ["propose", "decide", "craft", "checked", "done"])
@pytest.mark.parametrize("who", ["ada", "bob"])
def test_a_client_that_comes_back_in_any_phase_knows_all_it_was_told_and_plays_on(phase: str, who: str) -> None:
    async def evening() -> None:
        async with Inn() as inn:
            guests = dict(zip(("ada", "bob"), await table(inn), strict=True))

            async def may_return(now: str) -> None:
                if now == phase:
                    before = guests[who]
                    await before.drop()
                    guests[who] = again = await inn.back(before)
                    assert (await again.hears("game_restored"))["gametype"] == "Game"
                    await again.hears("start_proposal")
                    await again.plays("gym_observation")
                    await again.hears("gym_observation")
                    known = [told for told in told_in_game(again) if told[0] != "server__gym_observation"]
                    start, info, _, _, *happened = told_in_game(before)  # then come hands and turn, as they were
                    missing = [told for told in (start, info, *happened) if told not in known]
                    assert missing == [], "it is told all of that again"
                    guests[who]._read = 0

            await may_return("propose")
            proposal = {"partner": "bob", "offer": {"coal": 1}, "request": {"stick": 1}}
            await guests["ada"].plays("submit_proposal", proposal=proposal, message="please")
            await guests["bob"].hears("proposal")
            await may_return("decide")
            await guests["bob"].plays("approval_or_reject", decision="accept", message="gladly")
            await guests["ada"].hears("proposal_accepted")
            await guests["bob"].hears("proposal_accepted")
            await may_return("craft")
            torches = {"input": {"coal": 1, "stick": 1}, "output": {"torch": 4}}
            await guests["ada"].plays("craft_recipe_check", recipe=torches)
            await guests["ada"].hears("craft_recipe_validity", result=True)
            await may_return("checked")
            await guests["ada"].plays("craft_recipe_apply")
            await guests["ada"].hears("private_hand_change")
            await guests[who].plays("craft_done")
            await guests[who].hears("player_craft_done")
            await may_return("done")
            await guests["bob" if who == "ada" else "ada"].plays("craft_done")
            for guest in guests.values():
                assert (await guest.hears("game_over"))["scores"] == {"ada": 3, "bob": 0}
            played = await inn.next()
            assert played.end == Result((3, 0), (1, 2)) and not played.match.gone and inn.holds()

    run(evening())


def test_the_clock_of_a_client_that_is_gone_goes_on() -> None:
    async def evening() -> None:
        async with Inn(problem("1 coal", "1 stick", max_turn=100), limit_s=0.5) as inn:
            ada, bob = await table(inn)
            await ada.drop()
            await bob.hears("proposal_rejected", proposer="ada")
            await bob.hears("player_craft_done", username="ada")
            again = await inn.back(ada)
            history = await again.hears("proposal_rejected", proposer="ada")
            assert history["message"] == "ada's proposal is rejected"
            assert not inn.match.gone
            assert bob.told("player_leave_room")[0].get("reason") is None, "ada has not left"

    run(evening())


def test_a_client_that_comes_back_is_told_of_others_only_what_it_would_have_been_told() -> None:
    async def evening() -> None:
        async with Inn(THREE) as inn:
            ada, bob, cleo = await table(inn)
            await cleo.drop()
            await trade(ada, bob)
            await make_torches(ada)
            again = await inn.back(cleo)
            await again.hears("proposal_accepted")
            await again.hears("update_all_hands")
            told = str(again.heard)
            assert "please" not in told and "gladly" not in told and "torch" not in told
            assert ada.token not in told and bob.token not in told
            assert {event for event, _ in told_in_game(again)} == {
                "server__game_start",
                "server__private_start_info",
                "server__proposal_sent",
                "server__proposal_accepted",
                "server__update_all_hands",
                "server__start_proposal",
            }

    run(evening())


@pytest.mark.parametrize("way", ["WebSocket", "TCP"])
def test_the_token_is_good_for_every_way_in(way: str) -> None:
    async def evening() -> None:
        async with Inn(problem("1 coal", "1 stick", max_turn=1)) as inn:
            ada, bob = await table(inn)
            again = await line(inn, way, "ada", token=ada.token)
            assert (await again.hears("login_success"))["token"] == ada.token
            await again.hears("start_proposal")
            assert (await ada.hears("error"))["code"] == "replaced"
            await ada.plays("craft_done")
            assert (await ada.hears("error"))["code"] == "no_seat"
            await ada.plays("ready_to_start")
            assert (await ada.hears("error"))["code"] == "not_now"
            await again.says("propose", partner="bob")
            await again.hears("proposal_sent")
            back = await inn.back(ada)
            assert [told["code"] for told in await again.rest()] == ["replaced"], "and it is closed"
            await bob.plays("approval_or_reject", decision="reject")
            for guest in (back, bob):
                await guest.hears("proposal_rejected")
                await guest.plays("craft_done")
            for guest in (back, bob):
                await guest.hears("game_over")
            played = await inn.next()
            assert not played.match.gone
            await back.ready()

    run(evening())


def test_a_client_that_has_lost_the_seat_to_another_way_in_is_free_after_the_game() -> None:
    async def evening() -> None:
        async with Inn(problem("1 coal", "1 stick", max_turn=1)) as inn:
            ada, bob = await table(inn)
            again = await inn.liner("ada", token=ada.token)
            await again.hears("start_proposal")
            await again.says("propose", partner="bob")
            await bob.hears("proposal")
            await bob.plays("approval_or_reject", decision="reject")
            await again.hears("proposal_rejected")
            await again.says("done_crafting")
            await bob.plays("craft_done")
            await again.hears("game_over")
            await inn.next()
            await ada.ready()
            assert not ada.told("game_over")

    run(evening())


def test_a_client_that_was_away_too_long_may_see_the_end_but_plays_no_more() -> None:
    async def evening() -> None:
        async with Inn(problem("1 coal", "1 stick", targets=["1 coal 1 stick"], max_turn=1), return_s=0.1) as inn:
            ada, bob = await table(inn)
            await ada.drop()
            await bob.hears("player_leave_room", reason="dead")
            again = await inn.back(ada)
            await again.hears("player_leave_room", playername="ada", reason="dead")
            for event in ("craft_done", "craft_recipe_apply", "approval_or_reject"):
                await again.plays(event)
                await again.hears("phase_error")
            await bob.plays("craft_done")
            for guest in (again, bob):
                await guest.hears("game_over", reason="all lose")
            played = await inn.next()
            assert played.match.gone == {0: "dead"}

    run(evening())


LATE = """
import pathlib
while not pathlib.Path(sys.argv[1]).exists():
    time.sleep(0.01)
for message in heard():
    if message["type"] == "hello":
        say({"type": "hello", "name": "late"})
"""


def test_a_client_that_loses_the_connection_while_others_are_still_started_comes_back_too(tmp_path: Path) -> None:
    async def evening() -> None:
        (tmp_path / "late.py").write_text(HELLO + LATE)
        child = f"exec:{sys.executable} {tmp_path / 'late.py'} {tmp_path / 'go'}"
        async with Inn(THREE, bots=[child]) as inn:
            ada, bob = await inn.player("ada"), await inn.player("bob")
            await until(lambda: inn.waiting() == 2)
            await ada.drop()
            again = await inn.back(ada)
            (tmp_path / "go").touch()
            await again.hears("start_proposal")
            await again.plays("submit_proposal", proposal={"partner": "bob"})
            await bob.hears("proposal")
            assert not inn.match.gone

    run(evening())


def test_a_game_that_is_over_is_not_come_back_to() -> None:
    async def evening() -> None:
        async with Inn(problem("1 coal", "1 stick", max_turn=1)) as inn:
            ada, bob = await table(inn)
            await turn_down(ada, bob)
            await ada.plays("craft_done")
            await ada.hears("player_craft_done", username="ada")
            await ada.drop()
            await bob.plays("craft_done")
            await bob.hears("game_over")
            await inn.next()
            again = await inn.back(ada)
            assert (await again.hears("game_restored"))["gametype"] == "MainEntry"
            for way in ("WebSocket", "TCP"):
                told = await (await line(inn, way, "ada", token=ada.token)).rest()
                assert [said["code"] for said in told] == ["no_such_seat"]
            await again.ready()

    run(evening())
