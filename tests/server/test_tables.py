"""Lines over WebSocket: a whole game, and all errors."""

import json
import socket
from typing import Any

import pytest

from parlour.core import Result
from parlour.server.settings import Settings
from parlour.transports.limits import SEND_S, MessageLimits
from tests.games.tradecraft.tables import problem
from tests.players.clients import run
from tests.server.guests import Inn
from tests.server.liners import Liner, closed
from tests.turned import turn, until

SHORT = problem("2 coal", "3 stick", max_turn=1)


async def sits(inn: Inn) -> tuple[Liner, Liner]:
    """Two clients whose match has begun."""
    ada = await inn.liner("ada")
    await until(lambda: inn.waiting() == 1)
    bob = await inn.liner("bob")
    for guest in (ada, bob):
        await guest.hears("start_proposal")
    return ada, bob


async def to_crafting(ada: Liner, bob: Liner) -> None:
    await ada.says("propose", partner="bob")
    await bob.hears("proposal")
    await bob.says("decide", decision="reject")
    for guest in (ada, bob):
        await guest.hears("proposal_rejected")


async def finish(ada: Liner, bob: Liner) -> None:
    for guest in (ada, bob):
        await guest.says("done_crafting")
    for guest in (ada, bob):
        await guest.hears("game_over")


# A game


def test_a_whole_life_of_a_connection() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada = await inn.liner("ada")
            await until(lambda: inn.waiting() == 1)
            bob = await inn.liner("bob")
            welcome = await ada.hears("login_success")
            assert (welcome["username"], welcome["status_code"]) == ("ada", 0) and len(welcome["token"]) >= 40
            assert (await bob.hears("login_success"))["token"] != welcome["token"]
            assert await ada.hears("game_start") == {"type": "game_start", "player_list": ["ada", "bob"]}
            await ada.hears("start_proposal", proposer="ada")
            await ada.says("propose", partner="bob", offer={"coal": 1}, request={"stick": 1}, message="please")
            assert (await bob.hears("proposal"))["proposal"]["offer"] == {"coal": 1}
            await bob.says("decide", decision="accept", message="gladly")
            await ada.hears("proposal_reply_message", message="gladly")
            await ada.says("check", input={"coal": "1/2", "stick": 0.5}, output={"torch": 2})
            await ada.hears("craft_recipe_validity", return_code=0)
            await ada.says("apply")
            assert (await ada.hears("private_hand_change"))["hand"] == {
                "coal": "1/2",
                "dirt": 1,
                "stick": "1/2",
                "torch": 2,
            }
            await ada.says("query", what="item_info", item="torch")
            await ada.hears("item_info", is_valid=True)
            await ada.says("check", input={"coal": [1, 2], "stick": {"n": 1, "d": 2}}, output={"torch": 2})
            await ada.says("apply")
            for guest in (ada, bob):
                await guest.says("done_crafting")
            for guest in (ada, bob):
                over = await guest.hears("game_over")
                assert over["scores"] == {"ada": 3, "bob": 0}
                assert await guest.rest() == [] and guest.socket.close_code == 1000
            played = await inn.next()
            assert played.end == Result((3, 0), (1, 2)) and inn.holds()

    run(evening())


def test_matches_follow_each_other() -> None:
    async def evening() -> None:
        async with Inn(SHORT) as inn:
            for _ in range(3):
                ada, bob = await sits(inn)
                await to_crafting(ada, bob)
                await finish(ada, bob)
                await inn.next()
            assert all(inn.holds(number) for number in range(3))

    run(evening())


# Players that come


@pytest.mark.parametrize(
    "first",
    ["hello", "[]", "null", '{"type":"propose"}', '{"type":"login"}', '{"type":"login","username":""}', "x" * 70_000],
)
def test_a_client_that_does_not_log_in_is_sent_away(first: str) -> None:
    async def evening() -> None:
        async with Inn() as inn:
            stranger = Liner(await inn.socket())
            await stranger.send(first)
            [error] = await stranger.rest()
            assert error["type"] == "error" and stranger.socket.close_code == 1000
            await sits(inn)

    run(evening())


def test_a_client_that_says_nothing_is_sent_away_and_has_held_up_nobody() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            silent = [await inn.socket() for _ in range(10)]
            await sits(inn)
            turn(31)
            for stranger in silent:
                assert await closed(stranger) == 1000

    run(evening())


def test_a_client_that_goes_while_it_waits_for_others_frees_the_seat() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            gone = await inn.liner("gone")
            await until(lambda: inn.waiting() == 1)
            await gone.drop()
            await until(lambda: inn.waiting() == 0)
            ada, _ = await sits(inn)
            assert ada.heard[1]["player_list"] == ["ada", "bob"]

    run(evening())


# What goes wrong


NONSENSE: dict[str, Any] = {
    "not JSON": "{nope",
    "nothing": "",
    "a word": "accept",
    "a list": "[1, 2]",
    "null": "null",
    "no type": "{}",
    "an odd type": '{"type": ["propose"]}',
    "an unknown type": '{"type": "steal"}',
    "NaN": '{"type": NaN}',
    "a surrogate": '{"type": "\\ud800"}',
    "deep": "[" * 5000 + "]" * 5000,
    "an odd question": '{"type": "query", "what": {}}',
    "several lines": '{"type": "done_crafting"}\n{"type": "done_crafting"}',
}


def test_nonsense_is_answered_with_an_error_and_does_no_harm() -> None:
    async def evening() -> None:
        async with Inn(SHORT) as inn:
            ada, bob = await sits(inn)
            for name, message in NONSENSE.items():
                await bob.send(message)
                answer = await bob.hears("error")
                assert answer["code"] in ("bad_message", "bad_query"), name
            await bob.send("x" * 65_537)
            await bob.hears("error", code="too_big")
            await to_crafting(ada, bob)
            await finish(ada, bob)
            assert not (await inn.next()).match.gone and inn.holds()

    run(evening())


def test_what_does_not_belong_to_the_phase_costs_nothing() -> None:
    async def evening() -> None:
        async with Inn(SHORT) as inn:
            ada, bob = await sits(inn)
            lines: dict[str, dict[str, Any]] = {
                "propose": {"partner": "ada"},
                "decide": {"decision": "accept"},
                "check": {"input": {}, "output": {}},
                "apply": {},
                "done_crafting": {},
            }
            for type, body in lines.items():
                await bob.says(type, **body)
                assert (await bob.hears("phase_error")) == {"type": "phase_error", "phase": "propose", "incoming": type}
            await to_crafting(ada, bob)
            for type in ("propose", "decide", "apply"):
                await bob.says(type, **lines[type])
                await bob.hears("phase_error", phase="craft", incoming=type)
            await finish(ada, bob)
            assert not any(said["type"] == "phase_error" for said in ada.heard)

    run(evening())


def test_what_is_sent_twice_counts_once() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada, bob = await sits(inn)
            for _ in range(2):
                await ada.says("propose", partner="bob", offer={"coal": 1}, request={"stick": 1})
            await ada.hears("phase_error", incoming="propose")
            await bob.hears("proposal")
            for _ in range(2):
                await bob.says("decide", decision="accept")
            await bob.hears("phase_error", incoming="decide")
            await ada.hears("proposal_accepted")
            await ada.says("check", input={"coal": 1, "stick": 1}, output={"torch": 4})
            for _ in range(2):
                await ada.says("apply")
            assert (await ada.hears("private_hand_change"))["hand"] == {"dirt": 1, "torch": 4}
            await ada.hears("phase_error", incoming="apply")

    run(evening())


def test_what_is_said_after_the_end_does_no_harm() -> None:
    async def evening() -> None:
        async with Inn(SHORT) as inn:
            ada, bob = await sits(inn)
            await to_crafting(ada, bob)
            await ada.says("done_crafting")
            await ada.hears("player_craft_done")
            await bob.send('{"type": "done_crafting"}')
            for _ in range(20):
                await bob.says("propose", partner="ada")
            await bob.hears("game_over")
            await ada.hears("game_over")
            assert await ada.rest() == []
            assert not (await inn.next()).match.gone and inn.holds()

    run(evening())


@pytest.mark.parametrize("message", [b"binary", b'{"type": "done_crafting"}', "x" * 300_000])
def test_what_is_no_text_or_much_too_big_ends_the_connection_but_not_the_game(message: str | bytes) -> None:
    async def evening() -> None:
        async with Inn(SHORT) as inn:
            ada, bob = await sits(inn)
            token = ada.heard[0]["token"]
            await ada.send(message)
            assert await closed(ada.socket) in (1000, 1009)
            again = await inn.liner("ada", token=token)
            await again.hears("start_proposal")
            await to_crafting(again, bob)
            await finish(again, bob)
            assert not (await inn.next()).match.gone

    run(evening())


def test_a_client_that_is_gone_is_answered_for_when_time_is_up_and_has_left_after_a_while() -> None:
    async def evening() -> None:
        async with Inn(problem("2 coal", "3 stick", max_turn=3), return_s=400.0) as inn:
            ada, bob = await sits(inn)
            await ada.drop()
            await until(inn.lost)
            turn(60)
            await bob.hears("proposal_rejected", proposer="ada")
            await bob.says("done_crafting")
            turn(180)
            await bob.hears("start_proposal", turn_index=2)
            assert not any(said["type"] == "player_leave_room" for said in bob.heard)
            turn(160)
            await bob.hears("player_leave_room", playername="ada", reason="dead")

    run(evening())


def test_when_all_are_gone_all_lose() -> None:
    async def evening() -> None:
        async with Inn(return_s=100.0) as inn:
            for guest in await sits(inn):
                await guest.drop()
            await until(lambda: len(inn.lost()) == 2)
            turn(100)
            played = await inn.next()
            assert played.end == Result((0, 0), (2, 2)) and played.match.gone == {0: "dead", 1: "dead"} and inn.holds()

    run(evening())


# Too much, and too slow


def _frame(**body: Any) -> bytes:
    """A short text message with a mask of zeros."""
    data = json.dumps(body).encode()
    return bytes([0x81, 0x80 | len(data), 0, 0, 0, 0]) + data


async def time_passes(ada: Liner) -> None:
    """Turn the clock by a second, and check that another client is served."""
    turn(1)
    await ada.says("query", what="possible_recipes")
    await ada.hears("possible_recipes_from_hand")


def test_a_flood_costs_the_seat_and_nobody_elses_time() -> None:
    async def evening() -> None:
        async with Inn(SHORT) as inn:
            ada, bob = await sits(inn)
            bob.socket.transport.write(_frame(type="apply") * 1500)
            for _ in range(50):
                await time_passes(ada)
                if any(said["type"] == "player_leave_room" for said in ada.heard):
                    break
            assert ada.heard[-2]["reason"] == "flood" or ada.heard[-1]["reason"] == "flood"
            await ada.says("propose", partner="bob")
            await ada.hears("proposal_rejected")
            await ada.says("done_crafting")
            assert (await inn.next()).match.gone == {1: "flood"}

    run(evening())


async def deaf(inn: Inn) -> Liner:
    """A client with a small buffer, which reads nothing."""
    small = socket.create_connection(("127.0.0.1", inn.web))
    small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    liner = Liner(await inn.socket(sock=small, max_queue=1))
    await liner.says("login", username="deaf")
    return liner


def asks(liner: Liner) -> None:
    """Send 500 questions with large answers."""
    liner.socket.transport.write(_frame(type="query", what="item_info", item="redstone") * 500)


def lost(inn: Inn) -> bool:
    return bool(inn.lost())


def test_a_client_that_does_not_read_is_let_go_when_too_much_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Settings, "message_limits", lambda settings: MessageLimits(unsent_bytes=200_000))

    async def evening() -> None:
        async with Inn(SHORT) as inn:
            ada = await inn.liner("ada")
            guest = await deaf(inn)
            await ada.hears("start_proposal")
            asks(guest)
            for _ in range(8):
                await time_passes(ada)
            assert lost(inn) and not any(said["type"] == "player_leave_room" for said in ada.heard), "it may come back"

    run(evening())


def test_a_client_that_does_not_take_a_message_in_time_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Settings, "message_limits", lambda settings: MessageLimits(unsent_bytes=1_000_000_000))

    async def evening() -> None:
        async with Inn(SHORT) as inn:
            ada = await inn.liner("ada")
            guest = await deaf(inn)
            await ada.hears("start_proposal")
            asks(guest)
            for _ in range(8):
                await time_passes(ada)
            turn(SEND_S)
            await until(lambda: lost(inn))

    run(evening())
