"""Clients with lines that lose their connection, and return over WebSocket or TCP."""

import json
from typing import Any

import pytest

from tests.games.tradecraft.tables import problem
from tests.players.clients import run
from tests.server.guests import THREE, TWO, Inn, line
from tests.server.liners import Liner
from tests.turned import turn, until

WAYS = ("WebSocket", "TCP")
both_ways = pytest.mark.parametrize("way", WAYS)


async def sits(inn: Inn, way: str) -> list[Liner]:
    """Seat as many clients as the table takes, and wait until their match begins."""
    guests = []
    for number, name in enumerate(("ada", "bob", "cleo")[: inn.seats], start=1):
        guests.append(await line(inn, way, name))
        if number < inn.seats:
            await until(lambda number=number: inn.waiting() == number)  # type: ignore[misc]
    for guest in guests:
        await guest.hears("start_proposal")
    return guests


def token(guest: Liner) -> str:
    said: str = guest.heard[0]["token"]
    return said


async def lose(inn: Inn, guest: Liner) -> None:
    """Disconnect a client, and wait until the server has noticed it."""
    await guest.drop()
    await until(lambda: guest.heard[0]["username"] in inn.lost())


@pytest.mark.parametrize("before", WAYS)
@pytest.mark.parametrize("after", WAYS)
def test_a_client_that_comes_back_is_told_its_past_and_plays_on(before: str, after: str) -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await sits(inn, before)
            await ada.says("propose", partner="bob", offer={"coal": 1}, request={"stick": 1}, message="please")
            await bob.hears("proposal")
            await bob.says("decide", decision="accept", message="gladly")
            await ada.hears("proposal_accepted")
            await ada.says("check", input={"coal": 1, "stick": 1}, output={"torch": 4})
            await ada.hears("craft_recipe_validity")
            await lose(inn, ada)
            again = await line(inn, after, "whoever", token=token(ada))
            await again.hears("craft_recipe_validity")
            assert [said["type"] for said in again.heard] == [
                "login_success",
                "game_start",
                "private_start_info",
                "start_proposal",
                "proposal_sent",
                "proposal_reply_message",
                "proposal_accepted",
                "update_all_hands",
                "craft_recipe_validity",
            ]
            assert again.heard[0]["username"] == "ada" and token(again) == token(ada)
            await again.says("apply")  # what was checked is still there
            assert (await again.hears("private_hand_change"))["hand"] == {"dirt": 1, "torch": 4}
            for guest in (again, bob):
                await guest.says("done_crafting")
            for guest in (again, bob):
                assert (await guest.hears("game_over"))["scores"] == {"ada": 3, "bob": 0}
            played = await inn.next()
            assert played.match.names == ["ada", "bob"] and not played.match.gone and inn.holds()
            assert token(ada) not in b"".join(inn.records[0]).decode()

    run(evening())


@both_ways
def test_what_is_asked_is_put_again(way: str) -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await sits(inn, way)
            await lose(inn, ada)
            ada = await line(inn, way, "ada", token=token(ada))
            await ada.hears("start_proposal", turn_index=1, proposer="ada")
            await ada.says("propose", partner="nobody")
            await ada.hears("proposal_invalid")
            await ada.says("propose", partner="bob", message="please")
            await bob.hears("proposal")
            await lose(inn, bob)
            bob = await line(inn, way, "bob", token=token(bob))
            assert (await bob.hears("proposal"))["message"] == "please"
            await bob.says("decide", decision="reject")
            await ada.hears("proposal_rejected")
            await lose(inn, ada)
            ada = await line(inn, way, "ada", token=token(ada))
            await ada.hears("proposal_rejected")
            await ada.says("done_crafting")
            await bob.hears("player_craft_done", username="ada")
            await lose(inn, ada)
            ada = await line(inn, way, "ada", token=token(ada))
            await ada.hears("private_hand_change")
            await ada.says("done_crafting")
            await ada.hears("phase_error", phase="craft", incoming="done_crafting")

    run(evening())


@both_ways
def test_the_clock_goes_on_while_somebody_is_gone_and_when_it_is_back(way: str) -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await sits(inn, way)
            turn(40)
            await lose(inn, ada)
            again = await line(inn, way, "ada", token=token(ada))
            await again.hears("start_proposal")
            turn(25)  # of sixty
            for guest in (again, bob):
                await guest.hears("proposal_rejected", proposer="ada")

    run(evening())


@both_ways
def test_what_is_wrong_on_an_ask_is_not_forgotten_by_coming_back(way: str) -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await sits(inn, way)
            for _ in range(5):
                await ada.says("propose", partner="nobody")
                await ada.hears("proposal_invalid")
            await lose(inn, ada)
            again = await line(inn, way, "ada", token=token(ada))
            await again.hears("start_proposal")
            for _ in range(5):
                await again.says("propose", partner="nobody")
                await again.hears("proposal_invalid")
            await bob.hears("proposal_rejected")

    run(evening())


@both_ways
def test_a_second_connection_takes_the_place_of_the_first(way: str) -> None:
    async def evening() -> None:
        async with Inn() as inn:
            first, bob = await sits(inn, way)
            second = await line(inn, way, "ada", token=token(first))
            await second.hears("start_proposal")
            assert [told["code"] for told in await first.rest()] == ["replaced"]
            await second.says("propose", partner="bob", message="from the second")
            await bob.hears("proposal", message="from the second")
            third = await line(inn, way, "ada", token=token(first))
            await third.hears("proposal_sent")
            assert {said["type"] for said in await second.rest()} <= {"proposal_sent", "error"}, "and it is closed"
            assert not inn.lost()

    run(evening())


@both_ways
def test_many_connections_at_once_cost_no_seat(way: str) -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await sits(inn, way)
            many = [await line(inn, way, "ada", token=token(ada)) for _ in range(8)]
            for guest in many[::2]:
                await guest.drop()
            last = await line(inn, way, "ada", token=token(ada))
            await last.hears("start_proposal")
            await last.says("propose", partner="bob")
            await bob.hears("proposal")
            assert inn.match.gone == {}

    run(evening())


WRONG: list[Any] = ["guessed", "x" * 60_000, "\u00e9", "\ud800"]
ODD: list[Any] = ["", None, 5, True, ["token"], {"token": 1}]


@both_ways
def test_only_the_right_token_brings_back_a_seat(way: str) -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await sits(inn, way)
            await lose(inn, ada)
            right = token(ada)
            for wrong in [*WRONG, right[:-1], right + "x", right.swapcase(), f" {right}"]:
                told = await (await line(inn, way, "ada", token=wrong)).rest()
                assert [said["type"] for said in told] == ["error"], wrong[:50]
                assert told[0]["code"] in ("no_such_seat", "bad_login")
            assert inn.waiting() == 0, "nor does it sit down elsewhere"
            for odd in ODD:
                guest = await line(inn, way, "ada", token=odd)
                await until(lambda: inn.waiting() == 1)
                await guest.drop()
                await until(lambda: inn.waiting() == 0)
            again = await line(inn, way, "ada", token=right)
            await again.hears("start_proposal")
            assert bob.heard[-1]["type"] == "start_proposal", "of all that nobody was told"

    run(evening())


@both_ways
def test_there_is_no_seat_to_come_back_to_after_the_end(way: str) -> None:
    async def evening() -> None:
        async with Inn(problem("1 coal", "1 stick", max_turn=1)) as inn:
            ada, bob = await sits(inn, way)
            await ada.says("propose", partner="bob")
            await bob.hears("proposal")
            await bob.says("decide", decision="reject")
            for guest in (ada, bob):
                await guest.hears("proposal_rejected")
                await guest.says("done_crafting")
            for guest in (ada, bob):
                await guest.hears("game_over")
            await inn.next()
            await until(lambda: not inn.playing)
            told = await (await line(inn, way, "ada", token=token(ada))).rest()
            assert told == [{"type": "error", "code": "no_such_seat", "message": "no seat is kept for this token"}]

    run(evening())


@both_ways
def test_a_client_that_comes_back_is_told_of_others_only_what_it_would_have_been_told(way: str) -> None:
    async def evening() -> None:
        async with Inn(THREE) as inn:
            ada, bob, cleo = await sits(inn, way)
            await lose(inn, cleo)
            await ada.says("propose", partner="bob", offer={"dirt": 1}, request={"stick": 2}, message="please")
            await bob.hears("proposal")
            deciding = await line(inn, way, "cleo", token=token(cleo))
            await deciding.hears("start_proposal")
            assert await deciding.hears("proposal_sent") == {"type": "proposal_sent", "proposer": "ada"}
            await lose(inn, deciding)
            await bob.says("decide", decision="reject", message="never")
            await ada.hears("proposal_rejected")
            await ada.says("check", input={"coal": 1}, output={"torch": 4})
            await ada.hears("craft_recipe_validity")
            crafting = await line(inn, way, "cleo", token=token(cleo))
            await crafting.hears("proposal_rejected")
            told = json.dumps(deciding.heard + crafting.heard)
            for secret in ("please", "never", "torch", "partner", token(ada), token(bob)):
                assert secret not in told

    run(evening())


@both_ways
def test_those_who_say_nothing_do_not_keep_anybody_from_coming_back(way: str) -> None:
    async def evening() -> None:
        async with Inn(TWO) as inn:
            ada, _ = await sits(inn, way)
            for _ in range(20):
                await inn.socket()
            await lose(inn, ada)
            again = await line(inn, way, "ada", token=token(ada))
            await again.hears("start_proposal")
            waiting = await line(inn, way, "cleo")
            await until(lambda: inn.waiting() == 1)
            await lose(inn, again)
            again = await line(inn, way, "ada", token=token(ada))
            await again.hears("start_proposal")
            assert waiting.heard == []

    run(evening())


def test_the_seats_of_bots_have_no_token() -> None:
    async def evening() -> None:
        async with Inn(bots=["random"]) as inn:
            ada = await inn.liner("ada")
            await ada.hears("start_proposal")
            assert [chair.account is None for chair in inn.playing[0].chairs] == [False, True]

    run(evening())
