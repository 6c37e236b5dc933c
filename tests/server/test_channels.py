"""ColorfightII over its WebSocket channels: those of the source text at the root, and those of a room."""

import asyncio
import json
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

from parlour.games.colorfight.values import MOST_LETTERS, MOST_LISTS, MOST_ORDERS
from parlour.venues.colorfight.room import LAST_FRAME_S
from tests.games.colorfight.test_frames import USER
from tests.players.test_calls import (
    BAD_MESSAGES,
    BAD_NAMES,
    BAD_ORDERS,
    DONE,
    ENDED,
    NO_ACTION,
    NOT_JSON,
    command,
    register,
)
from tests.server.visitors import BOTH, LONG_S, NOT_JOINED, PUBLIC, ROOT, House, both, closed, refused, room
from tests.turned import SOON_S, run, settle, turn, until

# The life of a game


@both
def test_the_whole_life_of_a_game(where: str) -> None:
    """Register, frames, lists, the end, and another game."""

    async def work() -> None:
        async with House() as house:
            ada, bob = await house.actor(where), await house.actor(where)
            viewer = await house.viewer(where)
            assert await ada.register("ada") == {"success": True, "uid": 1}
            assert await bob.register("bob") == {"success": True, "uid": 2}
            await house.start()
            first = await viewer.turn(1)
            assert [user["username"] for user in first["users"].values()] == ["ada", "bob"]
            assert await ada.command("x") == DONE and await bob.command() == DONE
            await house.round()
            second = await viewer.turn(2)
            assert second["error"] == {"1": ["x is a wrong command, cmd type x is invalid"], "2": []}
            assert second["users"]["1"]["gold"] == 20
            await house.round()
            assert (await viewer.turn(3))["error"] == {"1": [], "2": []}
            assert await ada.command("x") == refused(ENDED)
            await house.next_game()
            assert await ada.command("x") == refused(NOT_JOINED), "everybody registers anew"
            assert await bob.register("bob") == {"success": True, "uid": 1}
            await house.start()
            again = await viewer.turn(1)
            assert [user["username"] for user in again["users"].values()] == ["bob"]
            assert again["game_map"] != first["game_map"]
            assert house.holds(0) and len(house.ended) == 1

    run(work())


def test_a_new_game_has_a_new_game_id_and_is_shown_before_anybody_comes() -> None:  # RULES 10.8
    async def work() -> None:
        async with House(room(max_turn=1)) as house:
            viewer = await house.viewer(PUBLIC)
            first = await viewer.frame()
            assert (first["turn"], first["users"], first["error"]) == (0, {}, {})
            await house.start()
            assert (await viewer.turn(1))["info"]["game_id"] == first["info"]["game_id"]
            await house.next_game()
            again = await viewer.until(lambda frame: frame["info"]["game_id"] != first["info"]["game_id"])
            assert again["turn"] == 0 and int(again["info"]["game_id"]) > int(first["info"]["game_id"])
            late = await (await house.viewer(PUBLIC)).frame()
            assert late["info"]["game_id"] == again["info"]["game_id"], "and to whoever comes then"

    run(work())


def test_games_without_a_finish_time_wait_for_a_restart() -> None:
    async def work() -> None:
        async with House(room(max_turn=1, finish_time=0.0)) as house:
            await house.start()
            game = house.game()
            await until(lambda: game.match.end is not None)
            turn(1000 * LONG_S)
            await settle()
            assert house.game() is game
            house.room().restart()
            await until(lambda: house.game() is not game)

    run(work())


def test_where_no_game_follows_the_end_is_told_by_a_new_game_id() -> None:  # RULES 10.8
    """Today's clients notice the end only by the new id. Those of the source text ignore it."""

    async def work() -> None:
        async with House(room(max_turn=1, finish_time=0.0)) as house:
            ada, viewer, other = await house.player("ada"), await house.viewer(PUBLIC), await house.viewer(ROOT)
            await house.start()
            last = await viewer.turn(1)
            assert await other.frame() and await viewer.shows_nothing(), "there is time to look at the end"
            turn(LAST_FRAME_S)
            again = await viewer.until(lambda frame: frame["info"]["game_id"] != last["info"]["game_id"])
            assert again["users"] == last["users"] and again["turn"] == 1 and await other.shows_nothing()
            assert await ada.command() == refused(ENDED) and await ada.register("ada") == {"success": True, "uid": 1}
            house.room().restart()
            third = await viewer.turn(0)
            assert int(third["info"]["game_id"]) > int(again["info"]["game_id"]) > int(last["info"]["game_id"])

    run(work())


def test_both_sets_of_channels_are_of_the_same_game() -> None:  # RULES 10.1
    async def work() -> None:
        async with House() as house:
            ada, bob = await house.player("ada", ROOT), await house.player("bob", PUBLIC)
            viewers = [await house.viewer(where) for where in BOTH]
            await house.start()
            assert await ada.command("x") == await bob.command("y") == DONE
            await house.round()
            frames = [await viewer.turn(2) for viewer in viewers]
            assert frames[0]["error"] == frames[1]["error"]
            assert [errors[0][0] for errors in frames[0]["error"].values()] == ["x", "y"]
            assert frames[0]["users"]["1"] == {key: frames[1]["users"]["1"][key] for key in USER}

    run(work())


def test_time_passes_when_nobody_is_connected() -> None:  # RULES 10.8
    async def work() -> None:
        async with House(room(first_round_time=LONG_S)) as house:
            await until(lambda: house.room().game is not None and house.game().count_down > 0)
            for rounds in (1, 2, 3):
                turn(LONG_S)
                await until(lambda rounds=rounds: house.game().state.turn == rounds)  # type: ignore[misc]  # its own
            assert house.game().match.end is not None and house.game().match.names == []
            await until(lambda: house.holds(0))

    run(work())


# Bad messages


@both
def test_bad_messages_are_answered_and_leave_the_socket_open(where: str) -> None:  # RULES 10.3
    """Each gets one reply, in the order of sending, before registration and after it."""

    async def work() -> None:
        async with House() as house:
            await house.start()
            actor = await house.actor(where)
            for _ in range(2):
                for message, _ in BAD_MESSAGES.values():
                    await actor.connection.send(message)
                answers = [await actor.reply() for _ in BAD_MESSAGES]
                assert dict(zip(BAD_MESSAGES, answers, strict=True)) == {
                    case: refused(words) for case, (_, words) in BAD_MESSAGES.items()
                }
                assert (await actor.register("ada"))["uid"] == 1
            assert await actor.command() == DONE

    run(work())


@both
def test_bad_names_are_answered(where: str) -> None:  # RULES 10.3, 10.4
    async def work() -> None:
        async with House() as house:
            actor = await house.actor(where)
            for name, password, words in BAD_NAMES.values():
                assert await actor.ask(register(name, password)) == refused(words)
            assert house.game().match.names == []
            assert await actor.register("a" * 14) == {"success": True, "uid": 1}

    run(work())


def test_bad_orders_are_answered_in_the_next_frame() -> None:  # RULES 7.2
    async def work() -> None:
        async with House() as house:
            actor, viewer = await house.player("ada"), await house.viewer(ROOT)
            await house.start()
            x, y = (await viewer.turn(1))["users"]["1"]["cells"][0]

            def at_home(text: Any) -> Any:
                """An order of the tables, with ada's own cells in it."""
                if not isinstance(text, str):
                    return text
                return text.replace("HOME", f"{x} {y}").replace("NEXT", f"{x + 1 if x < 29 else x - 1} {y}")

            assert await actor.command(*[at_home(order) for order, _ in BAD_ORDERS.values()]) == DONE
            await house.round()
            assert (await viewer.turn(2))["error"]["1"] == [at_home(words) for _, words in BAD_ORDERS.values()]

    run(work())


def test_a_binary_message_closes_an_action_channel_with_1000() -> None:
    async def work() -> None:
        async with House() as house:
            for where in BOTH:
                actor = await house.actor(where)
                await actor.connection.send(b'{"action":"register"}')
                assert await closed(actor.connection) == 1000

    run(work())


@both
def test_whatever_is_said_on_a_game_channel_means_nothing(where: str) -> None:
    async def work() -> None:
        async with House() as house:
            viewer = await house.viewer(where)
            for said in ("hello", b"\x00\xff", register("ada"), "", command("x")):
                await viewer.connection.send(said)
            await house.start()
            assert (await viewer.turn(1))["users"] == {}

    run(work())


@both
def test_game_channels_are_read_so_that_pings_and_goodbyes_are_answered(where: str) -> None:
    async def work() -> None:
        async with House() as house:
            for channel in (await house.viewer(where), await house.actor(where)):
                async with asyncio.timeout(SOON_S):
                    await (await channel.connection.ping("are you there"))
                    await channel.connection.close(1001, "going")
                assert channel.connection.close_code == 1001

    run(work())


# Wrong times


@both
def test_a_list_before_registering(where: str) -> None:
    async def work() -> None:
        async with House() as house:
            actor = await house.actor(where)
            assert await actor.command() == refused(NOT_JOINED)
            await house.player("ada", where)
            await house.start()
            assert await actor.command() == refused(NOT_JOINED), "who somebody is counts for one connection"

    run(work())


def test_a_list_at_turn_0_is_taken_at_the_root_and_not_in_a_room() -> None:  # RULES 10.7
    async def work() -> None:
        async with House() as house:
            ada, bob = await house.player("ada", ROOT), await house.player("bob", PUBLIC)
            viewer = await house.viewer(ROOT)
            assert await ada.command("x") == DONE and await bob.command("y") == refused(ENDED)
            await house.start()
            frame = await viewer.turn(1)
            assert frame["error"] == {"1": ["x is a wrong command, cmd type x is invalid"], "2": []}

    run(work())


@both
def test_after_the_end_there_are_no_lists_and_no_newcomers(where: str) -> None:  # RULES 10.7
    async def work() -> None:
        async with House(room(max_turn=1)) as house:
            ada, bob = await house.player("ada", where), await house.actor(where)
            await house.start()
            await until(lambda: house.game().match.end is not None)
            assert await ada.command() == refused(ENDED)
            assert await bob.register("bob") == refused(ENDED)
            assert await bob.register("ada") == {"success": True, "uid": 1}

    run(work())


def test_a_list_that_arrives_with_the_end_is_answered() -> None:
    async def work() -> None:
        async with House(room(max_turn=1)) as house:
            ada = await house.player("ada")
            house.room().start()
            answers = [await ada.command() for _ in range(5)]
            assert all(answer in (DONE, refused(ENDED)) for answer in answers)

    run(work())


# Limits


@both
def test_a_message_that_is_too_big_closes_the_connection_with_1009(where: str) -> None:
    async def work() -> None:
        async with House() as house:
            for channel in (await house.actor(where), await house.viewer(where)):
                await channel.connection.send("x" * (256 * 1024 + 1))
                assert await closed(channel.connection) == 1009
            actor = await house.actor(where)
            assert await actor.ask("x" * 256 * 1024) == refused(NOT_JSON)
            assert await actor.ask(json.dumps(["x"] * 50_000)) == refused(NO_ACTION)

    run(work())


@both
def test_a_list_or_an_order_that_is_too_big_is_answered(where: str) -> None:
    async def work() -> None:
        async with House() as house:
            actor = await house.player("ada", where)
            await house.start()
            assert await actor.command(*["x"] * (MOST_ORDERS + 1)) == refused("At most 1000 commands in a list")
            assert await actor.command("x" * (MOST_LETTERS + 1)) == refused("At most 100 letters in a command")
            assert await actor.command(*["x" * MOST_LETTERS] * MOST_ORDERS) == DONE
            await house.round()
            viewer = await house.viewer(where)
            *errors, rest = (await viewer.turn(2))["error"]["1"]
            assert errors and rest == f"... and {MOST_ORDERS - len(errors)} more errors"

    run(work())


def test_many_lists_in_a_round_replace_each_other_and_then_are_too_many() -> None:
    async def work() -> None:
        async with House() as house:
            actor, viewer = await house.player("ada"), await house.viewer(ROOT)
            await house.start()
            answers = [await actor.command(f"x{number}") for number in range(MOST_LISTS + 5)]
            assert answers == [DONE] * MOST_LISTS + [refused("You have sent too many lists in this round")] * 5
            lines = len(house.records[0])
            await actor.command("again")
            assert len(house.records[0]) == lines, "and leave no line"
            await house.round()
            last = f"x{MOST_LISTS - 1}"
            expected = [f"{last} is a wrong command, cmd type {last} is invalid"]
            assert (await viewer.turn(2))["error"]["1"] == expected

    run(work())


# Where there is nothing


@pytest.mark.parametrize("channel", ["game_channel", "action_channel"])
def test_an_unknown_room_is_closed_with_1000(channel: str) -> None:
    async def work() -> None:
        async with House() as house:
            assert await closed(await house.connect(f"/gameroom/nowhere/{channel}")) == 1000

    run(work())


@pytest.mark.parametrize(
    "path", ["/", "/channel", "/gameroom", "/gameroom/public", "/gameroom/a/b/game_channel", "/get_gameroom_list"]
)
def test_an_unknown_path_is_404(path: str) -> None:
    async def work() -> None:
        async with House() as house:
            with pytest.raises(InvalidStatus) as refusal:
                await house.connect(path)
            assert refusal.value.response.status_code == 404

    run(work())


@pytest.mark.parametrize("path", ["/game_channel", "/gameroom/public/action_channel", "/gameroom/public", "/nothing"])
def test_a_channel_is_nothing_to_plain_http(path: str) -> None:
    async def work() -> int:
        async with House() as house:
            return (await house.call("GET", path)).status_code

    assert run(work()) in (404, 405, 426)


def test_another_map_than_30_by_30_is_not_offered_in_rooms() -> None:  # RULES 10.1
    async def work() -> None:
        async with House(room(width=29)) as house:
            for channel in ("game_channel", "action_channel"):
                assert await closed(await house.connect(f"{PUBLIC}/{channel}")) == 1000
            assert await house.list() == {}
            ada, viewer = await house.player("ada", ROOT), await house.viewer(ROOT)
            await house.start()
            assert await ada.command() == DONE and (await viewer.turn(1))["info"]["width"] == 29

    run(work())
