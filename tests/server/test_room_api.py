"""Rooms of ColorfightII over the API: made and administered with tokens, beside the calls of public clients."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
from sqlalchemy.exc import OperationalError

from parlour.protocol.errors import RequestError
from parlour.venues.colorfight.room_api import must_wait
from parlour.venues.colorfight.room_config import CONFIGS, FIELDS, RoomChanges
from parlour.venues.colorfight.room_forms import Preset, RoomFields
from tests.server.arenas import Hall, House, Seat, evening
from tests.server.test_room_calls import GOOD_SETTINGS
from tests.server.visitors import WORD
from tests.turned import SOON_S, until

SLOW = {"round_time": 20, "first_round_time": "never"}
"""Nothing happens by itself."""
BAD_VALUES: dict[str, list[Any]] = {
    "ruleset": ["none", 5],
    "max_turn": [199, 2001, 200.5, "many", [200]],
    "round_time": [0, 0.1, 20.1, -1, "fast", {}],
    "first_round_time": [-1, 61, "soon", ["full"]],
    "finish_time": [-1, 61, "late"],
    "max_player": [0, 1, 3, 16, "two"],
    "allow_join_after_start": [2, "perhaps"],
    "allow_manual_mode": ["sometimes"],
    "replay_enable": ["sometimes", ["always"]],
    "room_description": ["x" * 501, 5],
}


def with_rooms(folder: Path, work: Callable[[Hall], Awaitable[None]], **settings: Any) -> None:
    evening(House(folder, **{"rooms": 8, **settings}), work)


async def send(
    hall: Hall, method: str, path: str, token: str | None = None, body: Any = None, **more: Any
) -> httpx.Response:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    content = None if body is None else json.dumps(body).encode()
    headers |= {} if body is None else {"Content-Type": "application/json"}
    return await hall.http.request(
        method, f"/api/rooms{path}", headers=headers | more.pop("headers", {}), content=content, **more
    )


async def made(hall: Hall, token: str, name: str = "den", **more: Any) -> dict[str, Any]:
    answer = await send(hall, "POST", "", token, {"name": name, "settings": SLOW, **more})
    assert answer.status_code == 201, answer.text
    room: dict[str, Any] = answer.json()
    return room


def code(answer: httpx.Response) -> tuple[int, str]:
    assert answer.headers["content-type"].startswith("application/problem+json"), answer.text
    return answer.status_code, answer.json()["code"]


async def another_game(hall: Hall, name: str, before: str) -> dict[str, Any]:
    """The room, once its next game has begun."""
    async with asyncio.timeout(SOON_S):
        while True:
            room: dict[str, Any] = (await hall.get(f"/rooms/{name}")).json()
            if room["match"] not in (None, before):
                return room
            await asyncio.sleep(0.02)


# Making rooms


def test_a_room_is_made_from_a_preset_and_belongs_to_its_maker(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada, eve = await hall.account("Ada"), await hall.guest()
        settings = {"ruleset": "classic", "max_turn": 222, "room_description": "<b>Ours</b>"}
        room = await made(hall, ada, preset="duel", settings=settings, join_key="sesame")
        assert (room["name"], room["description"], room["is_yours"], room["has_key"]) == (
            "den",
            "<b>Ours</b>",
            True,
            True,
        )
        assert (room["ruleset"], room["max_turn"], room["max_player"], room["players"]) == ("classic", 222, 2, 0)
        assert room["is_waiting"] and not room["is_over"] and not room["is_standing"] and not room["has_password"]
        assert room["settings"] == {**told_settings("duel"), **settings}
        assert (await hall.get(f"/matches/{room['match']}")).json()["state"] == "running"
        for token in (eve, None):
            seen = (await hall.get("/rooms/den", token)).json()
            assert seen == {**room, "is_yours": False}
        listed = (await hall.get("/rooms", ada)).json()
        assert [each["name"] for each in listed["rooms"]] == ["public", "den"] and listed["most"] == 8
        assert listed["rooms"][0]["is_standing"] and listed["rooms"][1] == room
        assert listed["presets"].keys() == CONFIGS.keys() and listed["bounds"]["max_turn"]["least"] == 200
        assert "sesame" not in json.dumps(listed)

    with_rooms(tmp_path, work)


def told_settings(preset: str) -> dict[str, Any]:
    config = CONFIGS[preset]
    return {
        name: getattr(config.options if hasattr(config.options, name) else config, name)
        for name in RoomFields.__struct_fields__
    }


def test_the_forms_have_all_presets_and_settings() -> None:
    assert get_args(Preset) == tuple(CONFIGS)
    assert RoomChanges.__struct_fields__ == RoomFields.__struct_fields__ == tuple(FIELDS)


def test_a_name_is_taken_once_and_there_are_limits(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada, guest, other = await hall.account("Ada"), await hall.guest(), await hall.guest()
        await made(hall, ada)
        assert code(await send(hall, "POST", "", ada, {"name": "den"})) == (409, "name_taken")
        assert code(await send(hall, "POST", "", guest, {"name": "public"})) == (409, "name_taken")
        await made(hall, ada, "two")
        assert code(await send(hall, "POST", "", ada, {"name": "three"})) == (409, "too_many_rooms")
        await made(hall, guest, "theirs")
        answer = await send(hall, "POST", "", guest, {"name": "more"})
        assert code(answer) == (409, "too_many_rooms") and "you have 1 room;" in answer.json()["detail"]
        await made(hall, other, "others")
        last = await send(hall, "POST", "", await hall.guest(), {"name": "more"})
        assert code(last) == (409, "too_many_rooms") and "your address" in last.json()["detail"]
        assert (await send(hall, "DELETE", "/theirs", guest)).status_code == 204
        await made(hall, guest, "again")
        full = await send(hall, "POST", "", await hall.account("Bob"), {"name": "more"})
        assert code(full) == (409, "too_many_rooms") and "the arena" in full.json()["detail"]

    with_rooms(tmp_path, work, rooms=5, rooms_per_account=2)


def test_two_requests_at_once_do_not_exceed_the_limit(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        guest = await hall.guest()
        answers = await asyncio.gather(*(send(hall, "POST", "", guest, {"name": name}) for name in "abcd"))
        assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]

    with_rooms(tmp_path, work)


def test_guests_may_be_refused(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        assert code(await send(hall, "POST", "", await hall.guest(), {"name": "r"})) == (403, "scope_needed")
        assert (await made(hall, await hall.account("Ada")))["is_yours"]

    with_rooms(tmp_path, work, rooms_per_guest=0)


def test_an_owner_needs_no_password_for_an_official_room(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("Ada")
        room = await made(hall, ada, preset="official", settings={})
        assert room["settings"]["first_round_time"] == "never" and not room["settings"]["allow_join_after_start"]
        assert (await send(hall, "POST", "/den/start", ada)).status_code == 200

    with_rooms(tmp_path, work)


# Requests that are refused


def test_bodies_that_make_no_sense(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("Ada")
        room = await made(hall, ada)
        paths = [("POST", ""), ("POST", "/den/start"), ("POST", "/den/restart"), ("DELETE", "/den")]
        for method, path in paths:
            for text, kind, expected in (
                (b"hello", "application/json", (400, "bad_request")),
                (b"[]", "application/json", (400, "bad_request")),
                (b"5", "application/json", (400, "bad_request")),
                (b'{"colour":1}', "application/json", (400, "bad_request")),
                (b'{"admin_password":5}', "application/json", (400, "bad_request")),
                (b'{"a":' * 50 + b"1" + b"}" * 50, "application/json", (400, "too_deep")),
                (b"{}", "text/plain", (415, "not_json")),
                (b'{"name":"' + b"x" * 300_000 + b'"}', "application/json", (413, "too_large")),
            ):
                headers = {"Authorization": f"Bearer {ada}", "Content-Type": kind}
                answer = await hall.http.request(method, f"/api/rooms{path}", content=text, headers=headers)
                assert code(answer) == expected, (method, path, text[:40])
        assert code(await send(hall, "POST", "", ada)) == (400, "bad_request")
        assert (await hall.get("/rooms/den", ada)).json() == room, "nothing has changed"

    with_rooms(tmp_path, work)


def test_names_and_settings_that_are_refused(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("Ada")
        before = await made(hall, ada)
        for name in ("", ".", "..", "-x", "a b", "a/b", "<i>", "ü", "x" * 65, "a\n", 5, None):
            assert code(await send(hall, "POST", "", ada, {"name": name})) == (400, "bad_request"), name
        assert code(await send(hall, "POST", "", ada, {"name": "r", "preset": "none"})) == (400, "bad_request")
        for field, values in BAD_VALUES.items():
            for value in values:
                answer = await send(hall, "POST", "/den/restart", ada, {"settings": {field: value}})
                assert code(answer) == (400, "bad_request"), (field, value)
                assert field in answer.json()["detail"]
        both = {"settings": {"max_turn": 300, "finish_time": 99}}
        assert code(await send(hall, "POST", "/den/restart", ada, both)) == (400, "bad_request")
        assert (await hall.get("/rooms/den", ada)).json() == before

    with_rooms(tmp_path, work)


def test_tokens_and_strangers(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada, bob, admin = await hall.account("Ada"), await hall.account("Bob"), await hall.admin()
        play = (await hall.post("/tokens", ada, scopes=["play"])).json()["token"]
        assert code(await send(hall, "POST", "", None, {"name": "r"})) == (401, "bad_token")
        assert code(await send(hall, "POST", "", "parlour_wrong", {"name": "r"})) == (401, "bad_token")
        assert code(await send(hall, "POST", "", play, {"name": "r"})) == (403, "scope_needed")
        room = await made(hall, ada)
        for token in (bob, play, None):
            for method, path in (("POST", "/den/start"), ("POST", "/den/restart"), ("DELETE", "/den")):
                assert code(await send(hall, method, path, token)) == (403, "not_yours")
                assert code(await send(hall, method, path, "parlour_wrong")) == (401, "bad_token")
                assert code(await send(hall, method, path.replace("den", "none"), token)) == (404, "no_such_room")
        assert code(await send(hall, "GET", "/none")) == (404, "no_such_room")
        assert code(await send(hall, "DELETE", "/public", ada)) == (403, "not_yours")
        assert (await hall.get("/rooms/den", ada)).json() == room
        assert (await send(hall, "POST", "/public/restart", admin)).status_code == 200
        assert code(await send(hall, "DELETE", "/public", admin)) == (403, "not_yours"), "it always exists"
        assert (await send(hall, "DELETE", "/den", admin)).status_code == 204
        for token in (ada, admin):
            assert code(await send(hall, "DELETE", "/den", token)) == (404, "no_such_room")
            assert code(await send(hall, "POST", "/den/restart", token)) == (404, "no_such_room")

    with_rooms(tmp_path, work)


def test_passwords_open_rooms_and_wrong_ones_are_limited(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("Ada"), await hall.account("Bob")
        room = await made(hall, ada, admin_password="between us")
        assert room["has_password"]
        ours = {"admin_password": "between us"}
        assert (await send(hall, "POST", "/den/start", None, ours)).is_success
        assert (await send(hall, "POST", "/den/restart", bob, {**ours, "settings": {"max_turn": 300}})).is_success
        assert (await send(hall, "POST", "/den/restart", None, {"admin_password": WORD})).is_success
        for n in range(4):
            answer = await send(hall, "DELETE", "/den", bob, {"admin_password": f"guess {n}"})
            assert code(answer) == (403, "wrong_password")
        answer = await send(hall, "DELETE", "/den", bob, ours)
        assert code(answer) == (429, "too_many_tries") and "Retry-After" in answer.headers
        old = await hall.http.post("/deletegameroom", json={"gameroom_id": "den", **ours})
        assert old.json() == {"success": False, "err_msg": "at most 4 tries in 60 s"}, "both are counted together"
        assert (await send(hall, "POST", "/den/restart", ada)).is_success, "an owner is not locked out"

    with_rooms(tmp_path, work, admin_password=WORD, tries_a_minute=4)


# Playing in rooms


def test_a_room_is_started_joined_restarted_and_deleted(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("Ada"), await hall.account("Bob")
        room = await made(hall, ada, join_key="sesame")
        async with hall.connect("/play/colorfight/den", bob) as line:
            seat = Seat(line)
            await seat.hello("Bob")
            assert (await seat.hear("error"))["code"] == "not_admitted"
        async with hall.connect("/play/colorfight/den", bob) as line:
            seat = Seat(line)
            await seat.hello("Bob", about={"kind": "person", "join_key": "sesame"})
            assert (await seat.hear("seat"))["match"] == room["match"]
            assert (await hall.get("/rooms/den")).json()["players"] == 1
            started = await send(hall, "POST", "/den/start", ada)
            assert started.status_code == 200
            assert (await seat.hear("ask"))["ask"]["turn"] in (0, 1)
            async with asyncio.timeout(SOON_S):
                while (await hall.get("/rooms/den")).json()["is_waiting"]:
                    await asyncio.sleep(0.02)
            assert code(await send(hall, "POST", "/den/start", ada)) == (409, "begun")
            changes = {"ruleset": "classic", "max_player": 4, "round_time": 10}
            again = (await send(hall, "POST", "/den/restart", ada, {"settings": changes})).json()
            assert {name: again["settings"][name] for name in changes} == changes
            await seat.hear("over")
        after = await another_game(hall, "den", room["match"])
        assert (after["ruleset"], after["max_player"], after["round_time"], after["players"]) == ("classic", 4, 10, 0)
        former = (await hall.get("/matches?room=den&state=over")).json()["matches"]
        assert [each["id"] for each in former] == [room["match"]] and former[0]["seats"][0]["name"] == "Bob"
        assert (await send(hall, "DELETE", "/den", ada)).status_code == 204
        assert code(await send(hall, "GET", "/den")) == (404, "no_such_room")
        assert (await hall.get("/matches?room=den")).json()["matches"] == []
        assert (await hall.proof(room["match"])).holds == "yes"

    with_rooms(tmp_path, work)


def test_a_game_that_is_over_cannot_be_started(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada, admin = await hall.account("Ada"), await hall.admin()
        room = await made(hall, ada)
        assert (await hall.put(f"/matches/{room['match']}/stop", admin)).is_success
        assert (await hall.get("/rooms/den")).json()["is_over"]
        assert code(await send(hall, "POST", "/den/start", ada)) == (409, "over")
        assert (await send(hall, "POST", "/den/restart", ada)).is_success
        assert (await another_game(hall, "den", room["match"]))["is_waiting"]

    with_rooms(tmp_path, work)


def test_a_room_that_the_store_cannot_delete_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(hall: Hall) -> None:
        async def fail(name: str) -> None:
            raise OperationalError("delete", {}, Exception("disk full"))

        ada = await hall.account("Ada")
        before = (await made(hall, ada))["match"]
        with monkeypatch.context() as patch:
            patch.setattr(hall.store, "delete_room", fail)
            assert code(await send(hall, "DELETE", "/den", ada)) == (503, "store_failed")
        assert (await another_game(hall, "den", before))["name"] == "den"
        assert (await send(hall, "DELETE", "/den", ada)).status_code == 204
        await made(hall, ada)

    with_rooms(tmp_path, work, log="off")


def test_a_start_just_after_a_restart_is_not_lost_in_silence(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("Ada")
        before = (await made(hall, ada))["match"]
        assert hall.rooms is not None
        room = hall.rooms.get("den")
        assert room is not None
        must_wait(room)
        room.restart()
        with pytest.raises(RequestError) as refused:  # the old game is about to end, and the new one has not begun
            must_wait(room)
        assert (refused.value.status, refused.value.code) == (503, "parked")
        await another_game(hall, "den", before)
        assert (await send(hall, "POST", "/den/start", ada)).status_code == 200
        await until(lambda: room.game is not None and not room.game.state.waiting)

    with_rooms(tmp_path, work)


def test_all_settings_can_be_changed(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("Ada")
        await made(hall, ada)
        for field, values in GOOD_SETTINGS.items():
            for value in values:
                answer = await send(hall, "POST", "/den/restart", ada, {"settings": {field: value}})
                assert answer.json()["settings"][field] == value, (field, value)

    with_rooms(tmp_path, work)


def test_an_owner_and_the_settings_outlive_the_server(tmp_path: Path) -> None:
    house = House(tmp_path, rooms=8)

    async def first(hall: Hall) -> tuple[str, dict[str, Any]]:
        ada = await hall.account("Ada")
        room = await made(hall, ada, join_key="sesame")
        await send(hall, "POST", "/den/restart", ada, {"settings": {"ruleset": "classic", "room_description": "ours"}})
        await another_game(hall, "den", room["match"])
        return ada, (await hall.get("/rooms/den", ada)).json()

    async def second(hall: Hall) -> None:
        assert (await hall.get("/rooms/den", ada)).json() == before and before["is_yours"]
        [own] = (await hall.get("/me/export", ada)).json()["rooms"]
        assert own["name"] == "den" and own["settings"]["room_description"] == "ours"
        bob = await hall.account("Bob")
        assert code(await send(hall, "DELETE", "/den", bob)) == (403, "not_yours")
        assert (await send(hall, "DELETE", "/den", ada)).status_code == 204

    ada, before = evening(house, first)
    evening(house, second)


# Beside public clients


def test_public_clients_see_and_administer_the_same_rooms(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("Ada")
        await made(hall, ada)
        listed = (await hall.http.get("/get_gameroom_list")).json()
        assert listed[1] == {
            "name": "den",
            "player_number": 0,
            "max_player": 900,
            "turn": 0,
            "max_turn": 500,
            "rank": False,
            "ruleset": "seed",
        }
        for said in ({}, {"admin_password": ""}, {"admin_password": None}):
            old = await hall.http.post("/deletegameroom", json={"gameroom_id": "den", **said})
            assert old.json()["err_msg"] == "You are not allowed to do this", "it has no password"
        await hall.http.post("/creategameroom", json={"gameroom_id": "theirs", "admin_password": "x"})
        theirs = (await hall.get("/rooms/theirs", ada)).json()
        assert not theirs["is_yours"] and theirs["has_password"]
        assert code(await send(hall, "DELETE", "/theirs", ada)) == (403, "not_yours")
        assert (await send(hall, "DELETE", "/theirs", ada, {"admin_password": "x"})).status_code == 204

    with_rooms(tmp_path, work)


def test_an_arena_without_rooms_has_no_routes_for_them(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        assert code(await hall.get("/rooms")) == (404, "not_found")

    with_rooms(tmp_path, work, rooms=0)


def test_another_method_is_405(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        for path in ("", "/den", "/den/start", "/den/restart"):
            assert code(await send(hall, "PUT", path)) == (405, "method_not_allowed")

    with_rooms(tmp_path, work)
