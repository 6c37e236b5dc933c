"""Users of ColorfightII's channels: names, passwords, several sockets, and full maps."""

import asyncio
import json
import re

import pytest

import parlour.venues.colorfight.admission
from parlour.store.passwords import hashed
from tests.players.test_calls import DONE
from tests.server.visitors import BOTH, NOT_JOINED, PUBLIC, ROOT, House, both, refused, room
from tests.turned import run, settle, turn, until

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
    """The same holds if all passwords are hashed at the same moment."""

    async def at_once(password: str) -> str:
        await asyncio.sleep(0.1)
        return hashed(password)

    async def work() -> None:
        async with House() as house:
            actors = [await house.actor(PUBLIC) for _ in range(8)]
            answers = await asyncio.gather(
                *(actor.register("ada", f"password {number}") for number, actor in enumerate(actors))
            )
            assert sorted(answer["success"] for answer in answers) == [False] * 7 + [True]
            assert house.game().match.names == ["ada"]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parlour.venues.colorfight.admission, "hashed_in_thread", at_once)
        run(work())


def test_a_client_that_is_too_late_when_the_password_has_been_hashed() -> None:
    """The checks before the hashing are repeated after it."""

    async def work() -> None:
        async with House(room(allow_join_after_start=False)) as house:

            async def slowly(password: str) -> str:
                await house.start()
                return hashed(password)

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(parlour.venues.colorfight.admission, "hashed_in_thread", slowly)
                answer = await (await house.actor()).register("ada")
            assert answer == refused("You are not allowed to join after the game starts")
            assert house.game().match.names == []

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


def test_a_client_that_comes_too_late() -> None:
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


def test_a_client_that_only_looks_in() -> None:
    """The client connects and disconnects, again and again, on every channel."""

    async def work() -> None:
        async with House() as house:
            for _ in range(20):
                for where in BOTH:
                    for channel in ("game_channel", "action_channel"):
                        client = await house.connect(f"{where}/{channel}")
                        client.transport.abort()
            await until(lambda: house.room().idle_s() > 0)

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
            rooms = [house.room(name) for name in ("public", "r")]
            hidden = str([vars(part) for room in rooms for part in (room, room.admission, room.admission._key)])
            kept = str([house.game(name).users for name in ("public", "r")])
        written = b"".join(line for record in house.records for line in record).decode()
        for text in (*frames, listed, hidden, kept, written, *house.log.said):
            assert "swordfish" not in text
        hashes = {*re.findall(r"\$argon2id\$[^']+", hidden)}
        assert kept.count("$argon2id$") == 2 == len(hashes), "of the room's password and of its key"

    run(work())
