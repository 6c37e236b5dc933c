"""What the server stores about an account, told to its owner; and how the owner deletes it."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.arenas import Hall, House, Seat, evening


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, log="off")


async def delete_me(hall: Hall, token: str | None, body: Any = None) -> httpx.Response:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    more = {} if body is None else {"json": body}
    return await hall.http.request("DELETE", "/api/me", headers=headers, **more)


def code(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json()["code"]


def test_an_owner_gets_everything_and_no_secret(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("Ada"), await hall.account("Bob")
        lesser = (await hall.post("/tokens", ada, scopes=["play"], label="my bot")).json()["token"]
        table = await hall.table(ada, "forsale", "open", "invited", "random", bank_s=7)
        id, key = table["table"]["id"], table["key"]
        await hall.post(f"/tables/{id}/join", bob, key=key, salt="the salt of Bob")
        await hall.post(f"/tables/{id}/join", ada, salt="the salt of Ada")
        said = await hall.get("/me/export", ada)
        assert said.status_code == 200
        data = said.json()
        assert (data["account"]["name"], data["account"]["guest"]) == ("Ada", False)
        assert [token["label"] for token in data["tokens"]] == ["", "my bot"]
        [hosted] = data["tables"]
        assert (hosted["id"], hosted["game"], hosted["terms"]["bank_s"]) == (id, "forsale", 7)
        [played] = data["matches"]
        assert (played["id"], played["seat"], played["name"], played["salt"]) == (id, 0, "Ada", "the salt of Ada")
        assert (played["state"], played["score"]) == ("running", None)
        for secret in (ada, lesser, key, "long enough", "argon2", "Bob"):
            assert secret not in said.text

    evening(house, work)


def test_the_score_of_a_finished_match_is_in_it(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("Ada")
        id = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{id}", ada) as line:
            seat = Seat(line)
            await seat.hello("Ada")
            await seat.hear("seat")
            await hall.store.orders.give("stop", id)
            await seat.hear("over")
        over = await hall.over(id)
        [played] = (await hall.get("/me/export", ada)).json()["matches"]
        assert (played["score"], played["rank"]) == (over["seats"][0]["score"], over["seats"][0]["rank"])
        assert played["ended_ms"] == over["ended_ms"]

    evening(house, work)


def test_only_an_owner_gets_it(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, guest = await hall.account("Ada"), await hall.guest()
        lesser = (await hall.post("/tokens", ada, scopes=["play", "host"])).json()["token"]
        lent = (await hall.post("/tokens", guest, scopes=["play"])).json()["token"]
        for token in (lesser, lent):
            assert code(await hall.get("/me/export", token)) == (403, "scope_needed")
            assert code(await delete_me(hall, token)) == (403, "scope_needed")
        assert code(await hall.get("/me/export")) == code(await delete_me(hall, None)) == (401, "bad_token")
        assert (await hall.get("/me/export", guest)).json()["account"]["guest"]

    evening(house, work)


def test_an_account_is_deleted_with_its_password_only(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("Ada")
        for body in (None, {}, {"password": None}):
            assert code(await delete_me(hall, ada, body)) == (400, "password_needed")
        assert code(await delete_me(hall, ada, {"password": "not this one"})) == (401, "wrong_login")
        assert code(await delete_me(hall, ada, {"password": "long enough", "sure": True})) == (400, "bad_request")
        assert (await hall.get("/me", ada)).status_code == 200
        gone = await delete_me(hall, ada, {"password": "long enough"})
        assert (gone.status_code, gone.content) == (204, b"")
        assert (await hall.get("/me", ada)).status_code == 401
        assert code(await hall.post("/login", name="Ada", password="long enough")) == (401, "wrong_login")
        assert await hall.account("Ada"), "it had no match, so its name is free again"

    evening(house, work)


def test_a_body_must_be_json(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("Ada")
        headers = {"Authorization": f"Bearer {ada}", "Content-Type": "text/plain"}
        said = await hall.http.request("DELETE", "/api/me", headers=headers, content=b"password=long+enough")
        assert code(said) == (415, "not_json")
        deep = json.dumps({"password": "long enough"})[:-1] + ', "x": ' + "[" * 500 + "]" * 500 + "}"
        headers["Content-Type"] = "application/json"
        said = await hall.http.request("DELETE", "/api/me", headers=headers, content=deep)
        assert code(said) == (400, "too_deep")

    evening(house, work)


def test_a_guest_needs_no_password(house: House) -> None:
    async def work(hall: Hall) -> None:
        guest = await hall.guest()
        assert (await delete_me(hall, guest)).status_code == 204
        assert (await hall.get("/me", guest)).status_code == 401

    evening(house, work)


def test_a_deleted_player_leaves_its_tables_and_matches(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("Ada"), await hall.account("Bob")
        waiting = (await hall.table(bob, "forsale", "open", "open", "open"))["table"]["id"]
        await hall.post(f"/tables/{waiting}/join", ada)
        running = (await hall.table(bob, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{running}", ada) as line:
            seat = Seat(line)
            await seat.hello("Ada")
            await seat.hear("seat")
            assert (await delete_me(hall, ada, {"password": "long enough"})).status_code == 204
            assert (await seat.hear("error"))["code"] == "deleted"
        assert (await hall.over(running))["seats"][0]["name"] == "Ada", "a finished match does not change"
        assert all(seat["name"] is None for seat in (await hall.get(f"/matches/{waiting}")).json()["seats"])
        assert (await hall.proof(running)).holds

    evening(house, work)


def test_administrators_cannot_delete_themselves(house: House) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        assert code(await delete_me(hall, admin, {"password": "long enough"})) == (409, "yourself")

    evening(house, work)


def test_wrong_passwords_are_limited(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("Ada")
        for _ in range(2):
            assert code(await delete_me(hall, ada, {"password": "a wrong guess"})) == (401, "wrong_login")
        assert code(await delete_me(hall, ada, {"password": "long enough"})) == (429, "too_many_tries")
        for _ in range(3):
            assert (await hall.get("/me/export", ada)).status_code == 200
        assert code(await hall.get("/me/export", ada)) == (429, "too_many_tries")

    evening(House(tmp_path, log="off", tries_a_minute=3), work)
