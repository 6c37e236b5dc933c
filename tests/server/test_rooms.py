"""Rooms of ColorfightII: how they are made, found, deleted and forgotten, and what keeps them from going on."""

import asyncio
import json
import sys
from typing import Any

import pytest

from parlour.core import Result
from parlour.games import game
from parlour.players.player_specs import load
from parlour.players.terms import CannotPlay
from parlour.venues.colorfight.room_config import CONFIGS
from parlour.venues.colorfight.rooms import EMPTY_S, WantedRoom
from parlour.venues.colorfight.settings import MOST_ROOMS
from tests.logs import FullLog
from tests.players.test_calls import DONE
from tests.server.visitors import (
    LONG_S,
    NO_ROOM,
    NOT_ALLOWED,
    PUBLIC,
    ROOT,
    WORD,
    House,
    closed,
    refused,
    room,
    served,
)
from tests.turned import SOON_S, run, turn, until

COLORFIGHT = game("colorfight")


# The list


def test_the_list_of_rooms() -> None:
    async def work() -> Any:
        async with served(room(max_player=8)) as house:
            await house.player("ada")
            await house.start()
            await house.post("/creategameroom", gameroom_id="r-1", config="rank_2")
            return (await house.call("GET", "/get_gameroom_list")).json()

    assert run(work()) == [
        {
            "name": "public",
            "player_number": 1,
            "max_player": 8,
            "turn": 1,
            "max_turn": 3,
            "rank": False,
            "ruleset": "seed",
        },
        {
            "name": "r-1",
            "player_number": 0,
            "max_player": 2,
            "turn": 0,
            "max_turn": 300,
            "rank": False,
            "ruleset": "seed",
        },
    ]


# Making rooms


@pytest.mark.parametrize("config", [*CONFIGS, None])
def test_a_room_is_made_and_played_in(config: str | None) -> None:
    async def work() -> None:
        async with served() as house:
            named = {} if config is None else {"config": config}
            made = await house.post("/creategameroom", gameroom_id="r", admin_password="own", **named)
            assert made == DONE and house.room("r").config == CONFIGS[config or "default"]
            viewer = await house.viewer("/gameroom/r")
            await house.player("ada", "/gameroom/r")
            assert await house.post("/start", gameroom_id="r", admin_password="own") == DONE
            assert (await viewer.until(lambda frame: frame["turn"]))["users"]["1"]["username"] == "ada"
            assert house.game().match.names == [], "rooms know nothing of each other"

    run(work())


BAD_ROOMS: dict[str, tuple[dict[str, Any], str]] = {
    "no id": ({}, "You need to specify room id"),
    "an empty id": ({"gameroom_id": ""}, "You need to specify room id"),
    "a slash": ({"gameroom_id": "a/b"}, "You have illegal special characters in you gameroom id"),
    "a space": ({"gameroom_id": "a b"}, "You have illegal special characters in you gameroom id"),
    "another letter": ({"gameroom_id": "ü"}, "You have illegal special characters in you gameroom id"),
    "a line break": ({"gameroom_id": "a\n"}, "You have illegal special characters in you gameroom id"),
    "a long id": ({"gameroom_id": "a" * 65}, "You have illegal special characters in you gameroom id"),
    "a very long id": ({"gameroom_id": "a" * 5000}, "gameroom_id value invalid"),
    "an id that is a number": ({"gameroom_id": 5}, "gameroom_id value invalid"),
    "an id that is null": ({"gameroom_id": None}, "gameroom_id value invalid"),
    "the same id": ({"gameroom_id": "public"}, "Same id exists"),
    "an unknown config": ({"gameroom_id": "r", "config": "fun"}, "config value invalid"),
    "a config that is an object": ({"gameroom_id": "r", "config": {"max_turn": 200}}, "config value invalid"),
    "official, and no password": ({"gameroom_id": "r", "config": "official"}, "You need to specify admin_password"),
    "a password that is a number": ({"gameroom_id": "r", "admin_password": 5}, "admin_password value invalid"),
    "a long password": ({"gameroom_id": "r", "admin_password": "x" * 201}, "admin_password value invalid"),
    "a key that is a list": ({"gameroom_id": "r", "join_key": []}, "join_key value invalid"),
}


def test_rooms_that_are_not_made() -> None:
    async def work() -> Any:
        async with served() as house:
            answers = {case: await house.post("/creategameroom", **said) for case, (said, _) in BAD_ROOMS.items()}
            assert [*await house.list()] == ["public"]
            return answers

    assert run(work()) == {case: refused(words) for case, (_, words) in BAD_ROOMS.items()}


@pytest.mark.parametrize("name", ["a", "A.b-c_9", "...", "a" * 64])
def test_a_good_id(name: str) -> None:
    async def work() -> None:
        async with served() as house:
            assert await house.post("/creategameroom", gameroom_id=name) == DONE
            assert (await (await house.viewer(f"/gameroom/{name}")).frame())["turn"] == 0

    run(work())


def test_there_are_fifteen_rooms_at_most() -> None:
    async def work() -> None:
        async with served() as house:
            for number in range(MOST_ROOMS - 1):
                assert await house.post("/creategameroom", gameroom_id=f"r{number}") == DONE
            assert len(await house.list()) == MOST_ROOMS == 15
            assert await house.post("/creategameroom", gameroom_id="more") == refused("Max room number reached")
            assert await house.post("/deletegameroom", gameroom_id="r3", admin_password=WORD) == DONE
            assert await house.post("/creategameroom", gameroom_id="more") == DONE

    run(work())


def test_rooms_that_are_made_at_the_same_moment_are_not_too_many_either() -> None:
    async def work() -> None:
        async with served() as house:
            said = [{"gameroom_id": f"r{number % 25}", "admin_password": "own"} for number in range(30)]
            answers = await asyncio.gather(*(house.post("/creategameroom", **each) for each in said))
            assert sum(answer["success"] for answer in answers) == MOST_ROOMS - 1
            assert len(await house.list()) == MOST_ROOMS

    run(work())


def test_a_room_with_a_join_key() -> None:
    async def work() -> None:
        async with served() as house:
            await house.post("/creategameroom", gameroom_id="r", join_key="friend")
            actor = await house.actor("/gameroom/r")
            no = refused("You need the correct join key for the room")
            assert await actor.register("ada") == no and await actor.register("ada", join_key="enemy") == no
            assert await actor.register("ada", join_key=["friend"]) == no
            assert await actor.register("ada", join_key="friend") == {"success": True, "uid": 1}
            other = await house.actor("/gameroom/r")
            assert await other.register("ada") == no, "also to come back"
            assert (await (await house.viewer("/gameroom/r")).frame())["users"], "who only looks needs none"

    run(work())


def test_an_empty_join_key_is_what_todays_clients_send() -> None:
    async def work() -> None:
        async with served() as house:
            assert (await (await house.actor(PUBLIC)).register("ada", join_key=""))["success"]
            assert await (await house.actor(PUBLIC)).register("bob", join_key="any") == refused(
                "You need the correct join key for the room"
            )

    run(work())


# Deleting and forgetting


def test_a_room_that_is_deleted_while_it_is_watched() -> None:
    async def work() -> None:
        async with served() as house:
            await house.post("/creategameroom", gameroom_id="r", config="official", admin_password="own")
            ada, viewer = await house.player("ada", "/gameroom/r"), await house.viewer("/gameroom/r")
            await house.start("r")
            await ada.command("x")
            assert await house.post("/deletegameroom", gameroom_id="r", admin_password="own") == DONE
            assert await closed(viewer.connection) == await closed(ada.connection) == 1000
            assert [*await house.list()] == ["public"]
            assert house.holds(1) and house.ended[0].names == ["ada"]
            assert await closed(await house.connect("/gameroom/r/game_channel")) == 1000
            assert await house.post("/creategameroom", gameroom_id="r") == DONE, "the name is free again"

    run(work())


def test_the_public_room_stays() -> None:
    async def work() -> None:
        async with served() as house:
            assert await house.post("/deletegameroom", gameroom_id="public", admin_password=WORD) == NOT_ALLOWED
            assert "public" in await house.list()

    run(work())


def test_a_room_is_deleted_once_however_many_want_it() -> None:
    async def work() -> None:
        async with served() as house:
            await house.post("/creategameroom", gameroom_id="r", admin_password="own")
            calls = [house.post("/deletegameroom", gameroom_id="r", admin_password="own") for _ in range(5)]
            answers = await asyncio.gather(*calls)
            assert sorted(map(json.dumps, answers)) == sorted(map(json.dumps, [DONE] + [NO_ROOM] * 4))

    run(work())


@pytest.mark.parametrize("look", ["list", "create"])
def test_idle_rooms_are_forgotten(look: str) -> None:
    async def work() -> None:
        async with served() as house:
            for name in ("idle", "watched", "played"):
                await house.post("/creategameroom", gameroom_id=name, config="official", admin_password="own")
            idle = house.room("idle")
            await house.viewer("/gameroom/watched")
            await house.player("ada", "/gameroom/played")
            turn(EMPTY_S / 2)
            assert len(await house.list()) == 4
            turn(EMPTY_S)
            if look == "create":
                await house.post("/creategameroom", gameroom_id="new")
            expected = ["public", "watched", "played", *(["new"] if look == "create" else [])]
            assert [*await house.list()] == expected and idle.playing.done()
            assert house.holds(1), "its record is whole"

    run(work())


def test_a_room_is_idle_from_when_the_last_has_left() -> None:
    async def work() -> None:
        async with served() as house:
            await house.post("/creategameroom", gameroom_id="r", config="official", admin_password="own")
            viewer = await house.viewer("/gameroom/r")
            turn(2 * EMPTY_S)
            await viewer.connection.close()
            await until(lambda: house.room("r").idle_s() > 0)
            turn(EMPTY_S / 2)
            assert "r" in await house.list()
            turn(EMPTY_S)
            assert "r" not in await house.list()

    run(work())


# Bots, and what keeps a room from going on


def test_bots_play_in_every_game_of_the_public_room_and_keep_their_names() -> None:
    async def work() -> None:
        bots = (load(COLORFIGHT, "greedy"), load(COLORFIGHT, "random"))
        async with House(room(max_turn=5), bots=bots) as house:
            await until(lambda: len(house.game().match.names) == 2)
            actor = await house.actor()
            assert await actor.register("greedy") == refused("Username exists")
            assert await actor.register("ada") == {"success": True, "uid": 3}
            await house.start()
            for _ in range(4):
                await house.round()
            await until(lambda: house.holds(0))
            assert b"Command" in b"".join(house.records[0])
            await house.next_game()
            await until(lambda: house.game().match.names == ["greedy", "random"])

    run(work())


def test_a_restart_while_a_bot_is_still_coming() -> None:
    """A bot that does not start does not block the room."""

    async def work() -> None:
        silent = load(COLORFIGHT, f"exec:{sys.executable} -c 'import time; time.sleep(100)'")
        async with House(admin_password=WORD, bots=(load(COLORFIGHT, "random"), silent)) as house:
            await until(lambda: house.room().game is not None and house.game().match.names == ["random"])
            before = house.game()
            assert await house.post("/restart", admin_password=WORD) == DONE
            await until(lambda: house.game() is not before and house.game().match.names == ["random"])
            assert house.holds(0)

    run(work())


def test_bots_for_whom_there_is_no_cell_stop_the_server() -> None:
    async def work() -> None:
        bots = tuple([load(COLORFIGHT, "random")] * 5)
        async with House(room(width=2, height=2), bots=bots) as house:
            error = await asyncio.wait_for(house.failures.get(), SOON_S)
            assert isinstance(error, CannotPlay) and "there is no seat for random" in str(error)

    run(work())


def test_a_record_that_cannot_be_written_stops_the_server_whatever_room_it_is_of() -> None:
    async def work() -> None:
        async with House() as house:
            house.new_log = lambda lines: FullLog()
            await house.rooms.create(WantedRoom(name="r"))
            error = await asyncio.wait_for(house.failures.get(), SOON_S)
            assert isinstance(error, OSError) and str(error) == "disk full"

    run(work())


def test_rooms_can_be_closed_twice() -> None:
    async def work() -> None:
        async with House() as house:
            await house.rooms.stop()
            await house.rooms.stop()

    run(work())


def test_closing_ends_all_games_and_their_records() -> None:
    async def work() -> House:
        async with served() as house:
            ada = await house.player("ada", ROOT)
            await house.post("/creategameroom", gameroom_id="r")
            await house.start()
            await ada.command("x")
            await house.player("bob", "/gameroom/r")
        return house

    house = run(work())
    assert house.holds(0) and house.holds(1) and len(house.ended) == 2
    assert all(isinstance(match.end, Result) for match in house.ended)


def test_rounds_keep_their_beat() -> None:
    """A round lasts from deadline to deadline, however long the server works on it."""

    async def work() -> None:
        async with served(room(max_turn=50)) as house:
            await house.start()
            turn(10 * LONG_S)
            await until(lambda: house.game().state.turn == 11)

    run(work())
