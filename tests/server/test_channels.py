"""ColorfightII over its WebSocket channels: those of the source text at the root, and those of a room."""

import asyncio
import json
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

import parlour.server.room
from parlour.games.colorfight.frames import game_info
from parlour.games.colorfight.values import MOST_LETTERS, MOST_LISTS, MOST_ORDERS
from tests.games.colorfight.test_frames import FRAME, ROOM_FRAME, ROOM_INFO, ROOM_USER, USER
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
from tests.server.visitors import BOTH, LONG_S, PUBLIC, ROOT, House, closed, refused, room
from tests.turned import SOON_S, run, settle, turn, until

both = pytest.mark.parametrize("where", BOTH, ids=("root", "room"))
NOT_JOINED = "You need to join the game first"


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
            await until(lambda: house.room().game is not None)
            for rounds in (1, 2, 3):
                turn(LONG_S)
                await until(lambda rounds=rounds: house.game().state.turn == rounds)  # type: ignore[misc]  # its own
            assert house.game().match.end is not None and house.game().match.names == []
            await until(lambda: house.holds(0))

    run(work())


# Frames


def test_a_source_frame_is_what_get_game_info_says() -> None:  # RULES 10.5
    async def work() -> None:
        async with House() as house:
            await house.player("ada")
            viewer = await house.viewer(ROOT)
            await house.start()
            frame, game = await viewer.turn(1), house.game()
            assert frame == json.loads(json.dumps(game_info(game.state, game.match.names)))
            assert set(frame) == FRAME and set(frame["users"]["1"]) == USER

    run(work())


def test_a_compact_frame_has_what_todays_clients_need() -> None:
    async def work() -> None:
        async with House(room(max_player=8, allow_manual_mode=True)) as house:
            await house.player("ada", PUBLIC)
            frame, game = await (await house.viewer(PUBLIC)).frame(), house.game()
            assert set(frame) == ROOM_FRAME and set(frame["info"]) == ROOM_INFO
            assert set(frame["users"]["1"]) == ROOM_USER
            assert frame["info"] == {
                **{"max_turn": 3, "max_player": 8, "width": 30, "height": 30, "round_time": 60.0},
                **{"start_count_down": 0, "allow_manual_mode": True, "game_id": game.id},
                **{"replay_version": 2, "game_version": 2},
            }
            assert isinstance(frame["info"]["game_id"], str) and isinstance(frame["info"]["round_time"], float)

    run(work())


def test_root_channels_show_nothing_at_turn_0_and_a_turn_once() -> None:  # RULES 10.5
    async def work() -> None:
        async with House(room(max_turn=4)) as house:
            viewer = await house.viewer(ROOT)
            await house.player("ada")
            await settle()
            await house.start()
            await house.player("bob")
            await settle()
            await house.round()
            await house.round()
            turns = [(await viewer.frame())["turn"] for _ in range(3)]
            assert turns == [1, 2, 3]
            late = await house.viewer(ROOT)
            assert (await late.frame())["turn"] == 3, "who comes later is shown the turn that it is"

    run(work())


def test_a_room_shows_a_frame_at_once_and_one_for_every_change() -> None:  # RULES 10.5
    async def work() -> None:
        async with House() as house:
            viewer = await house.viewer(PUBLIC)
            assert (await viewer.frame())["users"] == {}
            await house.player("ada", PUBLIC)
            assert len((await viewer.frame())["users"]) == 1
            await house.player("bob", PUBLIC)
            assert len((await viewer.frame())["users"]) == 2
            await house.start()
            assert (await viewer.frame())["turn"] == 1
            late = await house.player("cat", PUBLIC)
            assert len((await viewer.frame())["users"]) == 3
            assert await late.command() == DONE and await viewer.shows_nothing(), "a list is nothing to be shown"
            await house.round()
            assert (await viewer.turn(2))["error"] == {"1": [], "2": [], "3": []}

    run(work())


def test_newcomers_who_come_together_are_shown_together() -> None:
    async def work() -> None:
        async with House() as house:
            viewer = await house.viewer(PUBLIC)
            await viewer.frame()
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(parlour.server.room, "TOGETHER_S", LONG_S)
                for name in ("a", "b", "c", "d"):
                    await house.player(name, PUBLIC)
            turn(LONG_S)
            assert len((await viewer.frame())["users"]) == 4

    run(work())


def test_a_room_shows_its_frame_again_after_half_a_minute_and_the_root_does_not() -> None:  # RULES 10.5
    async def work() -> None:
        async with House(room(first_round_time="never")) as house:
            viewer, other = await house.viewer(PUBLIC), await house.viewer(ROOT)
            first = await viewer.frame()
            for _ in range(2):
                turn(30.0)
                assert await viewer.frame() == first
            await house.start()
            assert (await other.frame())["turn"] == 1
            turn(45.0)
            assert await other.shows_nothing()

    run(work())


def test_the_seconds_before_the_first_round_are_counted_down() -> None:
    async def work() -> None:
        async with House(room(first_round_time=10.0)) as house:
            viewer, seen = await house.viewer(PUBLIC), []
            while (frame := await viewer.frame())["turn"] == 0:
                seen.append(frame["info"]["start_count_down"])
                turn(0.5)
            assert frame["info"]["start_count_down"] == 0
            assert seen == sorted(seen, reverse=True) and set(seen) <= {*range(10)} and len({*seen}) >= 2

    run(work())


def test_mistakes_can_be_hidden_on_both_channels() -> None:  # RULES 9.2
    async def work() -> None:
        async with House(room(errors="hidden")) as house:
            ada = await house.player("ada")
            viewers = [await house.viewer(where) for where in BOTH]
            await house.start()
            assert await ada.command("x", "a -1 -1 5") == DONE
            await house.round()
            for viewer in viewers:
                assert (await viewer.turn(2))["error"] == {"1": []}

    run(work())


def test_a_list_is_carried_out() -> None:
    async def work() -> None:
        async with House(room(max_turn=30)) as house:
            ada, viewer = await house.player("ada"), await house.viewer(ROOT)
            await house.start()
            for _ in range(20):
                await house.round()
            frame = await viewer.turn(21)
            (x, y), *_ = frame["users"]["1"]["cells"]
            target = x + 1 if x < 29 else x - 1
            cost = frame["game_map"][y][target]["attack_cost"]
            assert frame["users"]["1"]["energy"] == 100 + 21 * 10 >= cost
            assert await ada.command(f"a {target} {y} {cost}") == DONE
            await house.round()
            after = await viewer.turn(22)
            assert after["game_map"][y][target]["owner"] == 1 and after["error"] == {"1": []}
            assert after["game_map"][y][target]["force_field"] == 2 * cost
            assert sorted(after["users"]["1"]["cells"]) == sorted([[x, y], [target, y]])

    run(work())


# Bad messages


@both
def test_bad_messages_are_answered_and_leave_the_socket_open(where: str) -> None:  # RULES 10.3
    """Before registering and after, each is one reply, in the order in which they were sent."""

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
                """An order of the tables as ada has to write it."""
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
            assert len((await viewer.turn(2))["error"]["1"]) == MOST_ORDERS

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


# Users


@both
def test_two_sockets_of_one_user(where: str) -> None:  # RULES 10.4
    async def work() -> None:
        async with House() as house:
            one, two = await house.player("ada", where), await house.player("ada", where)
            viewer = await house.viewer(where)
            await house.start()
            assert await one.command("x") == await two.command("y") == DONE
            await house.round()
            frame = await viewer.turn(2)
            assert frame["error"] == {"1": ["y is a wrong command, cmd type y is invalid"]}
            await one.connection.close()
            assert await two.command() == DONE

    run(work())


def test_two_sockets_that_send_at_once_are_each_answered() -> None:
    async def work() -> None:
        async with House() as house:
            actors = [await house.player("ada", PUBLIC) for _ in range(4)]
            await house.start()
            answers = await asyncio.gather(*(actor.command("x") for actor in actors))
            assert answers == [DONE] * 4

    run(work())


@both
def test_same_name_and_another_password(where: str) -> None:  # RULES 10.4
    async def work() -> None:
        async with House() as house:
            await house.player("ada", where)
            thief = await house.actor(where)
            assert await thief.register("ada", "guess") == refused("Username exists")
            assert await thief.command() == refused(NOT_JOINED)
            assert await thief.register("Ada", "guess") == {"success": True, "uid": 2}

    run(work())


def test_a_socket_may_register_as_somebody_else() -> None:
    async def work() -> None:
        async with House() as house:
            actor, viewer = await house.player("ada"), await house.viewer(ROOT)
            assert (await actor.register("bob"))["uid"] == 2
            await house.start()
            await actor.command("x")
            await house.round()
            assert (await viewer.turn(2))["error"]["1"] == []

    run(work())


def test_the_same_user_comes_back_after_the_connection_is_lost() -> None:
    async def work() -> None:
        async with House() as house:
            before = await house.player("ada", PUBLIC)
            await house.start()
            before.connection.transport.abort()
            again = await house.actor(PUBLIC)
            assert (await again.register("ada"))["uid"] == 1
            assert await again.command() == DONE

    run(work())


def test_many_register_the_same_name_at_once_and_one_has_it() -> None:
    async def work() -> None:
        async with House() as house:
            actors = [await house.actor(PUBLIC) for _ in range(8)]
            answers = await asyncio.gather(
                *(actor.register("ada", f"password {number}") for number, actor in enumerate(actors))
            )
            assert sorted(answer["success"] for answer in answers) == [False] * 7 + [True]
            assert house.game().match.names == ["ada"]

    run(work())


def test_a_full_map() -> None:  # RULES 4.3
    async def work() -> None:
        async with House(room(width=2, height=2)) as house:
            for name in ("a", "b", "c", "d"):
                await house.player(name)
            actor = await house.actor()
            assert await actor.register("e") == refused("Map is full")
            assert await actor.register("d") == {"success": True, "uid": 4}

    run(work())


def test_a_full_room() -> None:
    async def work() -> None:
        async with House(room(max_player=2)) as house:
            await house.player("a"), await house.player("b")
            assert await (await house.actor()).register("c") == refused("Map is full")

    run(work())


def test_who_comes_too_late() -> None:
    async def work() -> None:
        async with House(room(allow_join_after_start=False)) as house:
            await house.player("ada")
            await house.start()
            late = await house.actor()
            assert await late.register("bob") == refused("You are not allowed to join after the game starts")
            assert await late.register("ada") == {"success": True, "uid": 1}, "who is in comes back"

    run(work())


def test_a_game_that_begins_when_all_have_come() -> None:
    async def work() -> None:
        async with House(room(first_round_time="full", max_player=2)) as house:
            await house.player("a", PUBLIC)
            turn(10.0)
            await settle()
            assert house.game().state.turn == 0
            await house.player("b", PUBLIC)
            await until(lambda: house.game().state.turn == 1)

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


# Passwords


def test_passwords_are_nowhere() -> None:  # RULES 10.4
    async def work() -> None:
        async with House(admin_password="swordfish-admin") as house:
            ada = await house.player("ada", PUBLIC, password="swordfish-ada")
            await (await house.actor()).register("ada", "swordfish-guess")
            await house.post(
                "/creategameroom", gameroom_id="r", admin_password="swordfish-room", join_key="swordfish-key"
            )
            await house.player("bob", "/gameroom/r", password="swordfish-bob", join_key="swordfish-key")
            await house.post("/restart", admin_password="swordfish-wrong", max_turn=300)
            viewers = [await house.viewer(where) for where in (*BOTH, "/gameroom/r")]
            await house.start()
            await ada.command("x")
            frames = [json.dumps(await viewer.frame()) for viewer in viewers]
            listed = json.dumps(await house.list())
            hidden = str([vars(house.room(name)) for name in ("public", "r")])
            kept = str([house.game(name).accounts for name in ("public", "r")])
        written = b"".join(line for record in house.records for line in record).decode()
        for text in (*frames, listed, kept, written, *house.log.said):
            assert "swordfish" not in text
        assert hidden.count("swordfish") == 1 == hidden.count("swordfish-key"), "who makes a room may see its key"
        assert kept.count("$argon2id$") == 2

    run(work())


def test_a_client_that_only_looks_in() -> None:
    """Connects and goes, again and again, on every channel."""

    async def work() -> None:
        async with House() as house:
            for _ in range(20):
                for where in BOTH:
                    for channel in ("game_channel", "action_channel"):
                        client = await house.connect(f"{where}/{channel}")
                        client.transport.abort()
            await until(lambda: house.room().idle_s() > 0)

    run(work())


def test_actors_of_the_game_before_are_strangers() -> None:
    async def work() -> None:
        async with House(room(max_turn=1)) as house:
            ada = await house.player("ada")
            await house.start()
            await house.next_game()
            bob = await house.player("bob")
            assert await ada.command("x") == refused(NOT_JOINED)
            assert (await bob.command("x")) == DONE and house.game().match.names == ["bob"]

    run(work())
