"""HTTP calls that start and restart rooms of ColorfightII: rights, settings, and invalid calls."""

import json
from typing import Any

import pytest

from parlour.core import Result
from tests.players.test_calls import DONE, ENDED, NOT_JSON
from tests.server.visitors import NO_ROOM, NOT_ALLOWED, PUBLIC, SLOW, WORD, House, refused, room, served
from tests.turned import run, turn, until

WRONG = refused("Wrong password")
CALLS = ("/creategameroom", "/deletegameroom", "/restart", "/start")


# Passwords of rooms


@pytest.mark.parametrize("call", ["/deletegameroom", "/restart", "/start"])
def test_rights_to_administer_a_room(call: str) -> None:  # RULES 10.10
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
    """The game is scored as it stands, its transcript is complete, and clients are shown the next game."""

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
    "ruleset": ["seed", "classic"],
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
            for field in ("width", "errors", "Max_turn", "", "options"):
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
