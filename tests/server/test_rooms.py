"""Rooms of ColorfightII: who makes, starts, restarts and deletes them, and what becomes of their games."""

import asyncio
import json
import sys
from typing import Any

import pytest

from parlour.core import Result
from parlour.games import game
from parlour.players.load import load
from parlour.players.play import CannotPlay
from parlour.referee.match import Match, Out
from parlour.server.config import CONFIGS
from parlour.server.rooms import IDLE_S, MOST_ROOMS, Rooms
from tests.players.test_calls import DONE, ENDED, NOT_JSON
from tests.server.visitors import LONG_S, PUBLIC, ROOT, SLOW, House, closed, refused, room
from tests.turned import SOON_S, run, turn, until

COLORFIGHT = game("colorfight")
WORD = "open sesame"
WRONG = refused("Wrong password")
NOT_ALLOWED = refused("You are not allowed to do this")
NO_ROOM = refused("No such room")

CALLS = ("/creategameroom", "/deletegameroom", "/restart", "/start")


def served(config: Any = SLOW, **more: Any) -> House:
    return House(config, admin_password=WORD, **more)


# The list


def test_the_list_of_rooms() -> None:
    async def work() -> Any:
        async with served(room(max_player=8)) as house:
            await house.player("ada")
            await house.start()
            await house.post("/creategameroom", gameroom_id="r-1", config="rank_2")
            return (await house.call("GET", "/get_gameroom_list")).json()

    assert run(work()) == [
        {"name": "public", "player_number": 1, "max_player": 8, "turn": 1, "max_turn": 3, "rank": False},
        {"name": "r-1", "player_number": 0, "max_player": 2, "turn": 0, "max_turn": 300, "rank": False},
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


# Passwords of rooms


@pytest.mark.parametrize("call", ["/deletegameroom", "/restart", "/start"])
def test_who_may_do_what_with_a_room(call: str) -> None:  # RULES 10.10
    async def work() -> None:
        async with served() as house:
            await house.post("/creategameroom", gameroom_id="plain")
            for name in ("own", "other"):
                await house.post("/creategameroom", gameroom_id=name, admin_password=name)
            for name in ("plain", "own", "other"):
                for said in ({}, {"admin_password": ""}, {"admin_password": "guess"}):
                    assert await house.post(call, gameroom_id=name, config={}, **said) == WRONG
            assert await house.post(call, gameroom_id="own", config={}, admin_password="other") == WRONG
            for name, word in (("plain", WORD), ("own", WORD), ("other", "other")):
                assert await house.post(call, gameroom_id=name, config={}, admin_password=word) == DONE

    run(work())


@pytest.mark.parametrize("call", ["/deletegameroom", "/restart", "/start"])
def test_where_no_password_is_set_nobody_may(call: str) -> None:  # RULES 10.10
    async def work() -> None:
        async with House() as house:
            await house.post("/creategameroom", gameroom_id="r")
            for name in ("public", "r"):
                for said in ({}, {"admin_password": ""}, {"admin_password": "x"}):
                    assert await house.post(call, gameroom_id=name, config={}, **said) == NOT_ALLOWED
            assert await house.post("/restart") == NOT_ALLOWED
            await house.post("/creategameroom", gameroom_id="own", admin_password="own")
            assert await house.post(call, gameroom_id="own", config={}, admin_password="own") == DONE

    run(work())


def test_an_empty_password_of_the_server_is_none() -> None:
    async def work() -> None:
        async with House(admin_password="") as house:
            assert await house.post("/restart", admin_password="") == NOT_ALLOWED

    run(work())


@pytest.mark.parametrize("call", ["/deletegameroom", "/restart", "/start"])
def test_a_room_that_is_not_there(call: str) -> None:
    async def work() -> None:
        async with served() as house:
            assert await house.post(call, gameroom_id="nowhere", config={}, admin_password=WORD) == NO_ROOM
            assert await house.post(call, gameroom_id="", config={}) == refused("You need to specify room id")
            assert await house.post(call, gameroom_id=7, config={}) == refused("gameroom_id value invalid")
            if call != "/restart":
                assert await house.post(call) == refused("You need to specify room id")

    run(work())


# Starting and restarting


def test_an_official_room_waits_to_be_started_and_takes_nobody_afterwards() -> None:
    async def work() -> None:
        async with served() as house:
            await house.post("/creategameroom", gameroom_id="r", config="official", admin_password="own")
            ada = await house.player("ada", "/gameroom/r")
            turn(20.0)
            assert await ada.command() == refused(ENDED) and house.game("r").state.turn == 0
            assert await house.post("/start", gameroom_id="r", admin_password="own") == DONE
            await until(lambda: house.game("r").state.turn == 1)
            assert await ada.command() == DONE
            late = await (await house.actor("/gameroom/r")).register("bob")
            assert late == refused("You are not allowed to join after the game starts")
            assert await house.post("/start", gameroom_id="r", admin_password="own") == DONE, "and nothing happens"

    run(work())


def test_a_restart_in_the_middle_of_a_game() -> None:  # RULES 8.3, 10.10
    """The game ends as it stands and its record is whole; everybody is shown the next one."""

    async def work() -> None:
        async with served() as house:
            ada, viewer = await house.player("ada", PUBLIC), await house.viewer(PUBLIC)
            await house.start()
            first = await viewer.turn(1)
            before = house.game()
            assert (
                await house.post("/restart", gameroom_id="public", config={"max_turn": 222}, admin_password=WORD)
                == DONE
            )
            again = await viewer.until(lambda frame: frame["info"]["game_id"] != first["info"]["game_id"])
            assert (again["turn"], again["users"], again["info"]["max_turn"]) == (0, {}, 222)
            assert isinstance(before.match.end, Result) and before.match.end.scores == (10,)
            await until(lambda: house.holds(0))
            assert house.ended == [before.match]
            assert await ada.command() == refused("You need to join the game first")
            assert (await ada.register("ada"))["uid"] == 1

    run(work())


def test_a_restart_in_the_form_of_the_source() -> None:  # RULES 10.10
    async def work() -> None:
        async with served() as house:
            await until(lambda: house.room().game is not None)
            before = house.game()
            settings = {"max_turn": 300, "round_time": 5, "first_round_time": 60, "finish_time": 0}
            assert await house.post("/restart", **settings) == WRONG
            assert await house.post("/restart", **settings, admin_password=WORD) == DONE
            await until(lambda: house.game() is not before)
            config = house.game().config
            assert (config.options.max_turn, config.options.round_time) == (300, 5.0)
            assert (config.first_round_time, config.finish_time) == (60, 0)
            assert await house.post("/restart", admin_password=WORD) == DONE, "as it was"
            await until(lambda: len(house.ended) == 2)
            assert house.game().config == config

    run(work())


def test_a_restart_after_the_end_does_not_wait() -> None:
    async def work() -> None:
        async with served(room(max_turn=1, finish_time=0.0)) as house:
            await house.start()
            await until(lambda: house.ended)
            before = house.game()
            assert await house.post("/restart", admin_password=WORD) == DONE
            await until(lambda: house.game() is not before)

    run(work())


GOOD_SETTINGS: dict[str, list[Any]] = {
    "max_turn": [200, 2000],
    "round_time": [0.2, 1, 20],
    "first_round_time": [0, 60, 0.5, "full", "never"],
    "finish_time": [0, 60],
    "max_player": [2, 4, 8],
    "allow_join_after_start": [True, False],
    "allow_manual_mode": [True],
    "replay_enable": ["always", "never", "end"],
    "room_description": ["", "x" * 500],
}
BAD_SETTINGS: dict[str, list[Any]] = {
    "max_turn": [199, 2001, 200.0, "200", True, None, [200]],
    "round_time": [0, 0.1, 20.1, -1, "1", True, None, {}],
    "first_round_time": [-1, 61, "soon", True, None, ["full"]],
    "finish_time": [-1, 61, "1", False],
    "max_player": [0, 1, 3, 16, 2.0, "2", True],
    "allow_join_after_start": [0, 1, "true", None],
    "allow_manual_mode": ["no"],
    "replay_enable": ["sometimes", True, ["always"]],
    "room_description": ["x" * 501, 5],
}


def test_settings_that_are_taken() -> None:  # RULES 10.9
    async def work() -> None:
        async with served() as house:
            for field, values in GOOD_SETTINGS.items():
                for value in values:
                    said = {"gameroom_id": "public", "config": {field: value}, "admin_password": WORD}
                    assert await house.post("/restart", **said) == DONE, (field, value)
                    config = house.room().config
                    rules = config.options if hasattr(config.options, field) else config
                    assert getattr(rules, field) == value

    run(work())


def test_settings_that_are_refused() -> None:  # RULES 10.9
    async def work() -> None:
        async with served() as house:
            for field, values in BAD_SETTINGS.items():
                for value in values:
                    said = {"gameroom_id": "public", "config": {field: value}, "admin_password": WORD}
                    assert await house.post("/restart", **said) == refused(f"{field} value invalid"), (field, value)
            for field in ("width", "ruleset", "errors", "Max_turn", "", "options"):
                said = {"gameroom_id": "public", "config": {field: 30}, "admin_password": WORD}
                assert await house.post("/restart", **said) == refused(f"Invalid field {field}")
            assert await house.post("/restart", admin_password=WORD, colour=1) == refused("Invalid field colour")
            for config in (None, "", "default", 5):
                answer = await house.post("/restart", gameroom_id="public", config=config, admin_password=WORD)
                assert answer == refused("You need to specify config")
            assert house.room().config == SLOW and house.ended == []

    run(work())


def test_settings_are_taken_all_together_or_not_at_all() -> None:  # RULES 10.9
    async def work() -> None:
        async with served() as house:
            said = {"gameroom_id": "public", "admin_password": WORD, "config": {"max_turn": 300, "finish_time": 99}}
            assert await house.post("/restart", **said) == refused("finish_time value invalid")
            assert house.room().config == SLOW and house.ended == []

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
            turn(IDLE_S / 2)
            assert len(await house.list()) == 4
            turn(IDLE_S)
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
            turn(2 * IDLE_S)
            await viewer.connection.close()
            await until(lambda: house.room("r").idle_s() > 0)
            turn(IDLE_S / 2)
            assert "r" in await house.list()
            turn(IDLE_S)
            assert "r" not in await house.list()

    run(work())


# What is no call


def test_bodies_that_make_no_sense() -> None:
    bodies: list[bytes] = [
        *(b"", b"hello", b'{"gameroom_id":', b"\xff\xfe", b"[]", b"5", b"null", b'"public"', b"[" * 50_000),
        *(b'{"a":NaN}', b"gameroom_id=public", b"--x\r\n\r\n--x--"),
    ]

    async def work() -> None:
        async with served() as house:
            for path in CALLS:
                for body in bodies:
                    response = await house.call("POST", path, content=body)
                    assert (response.status_code, response.json()) == (200, refused(NOT_JSON)), body
            assert [*await house.list()] == ["public"] and house.ended == []

    run(work())


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "nonsense"])
def test_what_kind_a_body_says_to_be_does_not_matter(kind: str) -> None:
    async def work() -> None:
        async with served() as house:
            body = json.dumps({"gameroom_id": "r"}).encode()
            response = await house.call("POST", "/creategameroom", content=body, headers={"content-type": kind})
            assert (response.status_code, response.json()) == (200, DONE)

    run(work())


@pytest.mark.parametrize("path", CALLS)
def test_a_body_that_is_too_big(path: str) -> None:
    async def work() -> None:
        async with served() as house:
            huge = json.dumps({"gameroom_id": "public", "admin_password": "x" * 100_000}).encode()

            async def dribbled() -> Any:
                for start in range(0, len(huge), 10_000):
                    yield huge[start : start + 10_000]

            for body in (huge, dribbled()):
                assert (await house.call("POST", path, content=body)).status_code == 413
            assert await house.post("/start", gameroom_id="public", admin_password=WORD) == DONE

    run(work())


@pytest.mark.parametrize("path", CALLS)
def test_another_method_is_405(path: str) -> None:
    async def work() -> Any:
        async with served() as house:
            return [(await house.call(method, path)).status_code for method in ("GET", "PUT", "DELETE")]

    assert run(work()) == [405, 405, 405]


def test_paths_where_there_is_nothing() -> None:
    async def work() -> Any:
        async with served() as house:
            paths = ("/", "/gameroom/public/replay", "/send_chat", "/configadmin", "/..%2f..%2fetc/passwd")
            return [(await house.call("POST", path, json={})).status_code for path in paths]

    assert run(work()) == [404] * 5


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
    """It does not keep the room from going on."""

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
        rooms = Rooms(room(width=2, height=2), lambda: (b"seed", None), bots=bots)
        with pytest.raises(CannotPlay, match="there is no seat for random"):
            await asyncio.wait_for(rooms.until(asyncio.Event().wait()), SOON_S)
        await rooms.close()

    run(work())


def test_a_record_that_cannot_be_written_stops_the_server_whatever_room_it_is_of() -> None:
    async def work() -> None:
        tables = iter(range(2))

        def full(match: Match[Any], out: Out) -> None:
            raise OSError("no space left")

        rooms = Rooms(SLOW, lambda: (b"seed", full if next(tables) else None))
        await asyncio.sleep(0)
        await rooms.create({"gameroom_id": "r"})
        with pytest.raises(OSError, match="no space left"):
            await asyncio.wait_for(rooms.until(asyncio.Event().wait()), SOON_S)
        await rooms.close()

    run(work())


def test_waiting_for_something_else_ends_when_that_comes() -> None:
    async def work() -> None:
        rooms, event = Rooms(SLOW, lambda: (b"seed", None)), asyncio.Event()
        event.set()
        await rooms.until(event.wait())
        await rooms.close()
        await rooms.close()

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
    """However long each took to be played: from deadline to deadline."""

    async def work() -> None:
        async with served(room(max_turn=50)) as house:
            await house.start()
            turn(10 * LONG_S)
            await until(lambda: house.game().state.turn == 11)

    run(work())
