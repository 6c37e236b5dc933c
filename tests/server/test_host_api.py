"""The API for hosts: the state of the server, the log of refusals, finding accounts, and importing a class."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from parlour.server.api.host import MOST_NAMES
from parlour.server.ops.limit_use import LIMITS
from parlour.server.ops.refusal_log import MOST_KEPT, RefusalLog
from tests.docs.pages import page, rows
from tests.server.arenas import Hall, House, Seat, evening

ROUTES = (("GET", "/admin/overview"), ("GET", "/admin/refusals"), ("GET", "/accounts/import"), ("GET", "/accounts"))


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, log="off", hello_s=3600.0, return_s=3600.0)


async def imported(hall: Hall, token: str | None, *names: str, **more: Any) -> tuple[int, dict[str, Any]]:
    """The status and the answer of an import."""
    said = await hall.post("/accounts/import", token, names=[*names], **more)
    return said.status_code, said.json()


async def names_of(hall: Hall) -> list[str]:
    return [each.name for each in await hall.store.accounts()]


# Who may


def test_only_administrators_see_any_of_it(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, admin, guest = await hall.account("ada"), await hall.admin(), await hall.guest()
        plain = (await hall.post("/login", name="admin", password="long enough", scopes=["play", "account"])).json()
        assert plain["admin"] and plain["scopes"] == ["account", "play"], "a login may ask for less than is allowed"
        for method, path in ROUTES:
            for token, status in ((None, 401), ("nonsense", 401), (ada, 403), (guest, 403), (plain["token"], 403)):
                headers = {} if token is None else {"Authorization": f"Bearer {token}"}
                said = await hall.http.request(method, f"/api{path}", headers=headers)
                assert said.status_code == status, path
                assert said.json().keys() == {"type", "title", "status", "detail", "code"}
            assert (await hall.get(path, admin)).status_code == 200
        for token, status in ((None, 401), (ada, 403), (plain["token"], 403)):
            assert (await imported(hall, token, "bob"))[0] == status
        assert await hall.store.account("bob") is None

    evening(house, work)


def test_a_login_for_an_hour_may_administer_and_nothing_else(house: House) -> None:
    async def work(hall: Hall) -> None:
        await hall.admin()
        await hall.account("ada")
        login: dict[str, Any] = {"password": "long enough", "scopes": ["admin"], "life_s": 3600}
        own = (await hall.post("/login", name="admin", **login)).json()
        assert own["scopes"] == ["admin"] and (await hall.get("/admin/overview", own["token"])).status_code == 200
        assert (await hall.get("/tokens", own["token"])).json()["code"] == "scope_needed"
        said = await hall.post("/login", name="ada", **login)
        assert (said.status_code, said.json()["code"]) == (403, "not_admin")
        assert (await hall.post("/login", name="admin", **{**login, "scopes": []})).status_code == 400
        assert (await hall.post("/login", name="admin", **{**login, "scopes": ["all"]})).status_code == 400

    evening(house, work)


# The state of the server


def test_the_overview_tells_the_state(house: House) -> None:
    async def work(hall: Hall) -> None:
        admin, ada = await hall.admin(), await hall.account("ada")
        table = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
        await hall.table(ada, "forsale", "open", "open", "random")
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("x", token=ada)
            await seat.hear("ask")
            async with hall.connect(f"/watch/{table}") as watching:
                await watching.recv()
                told = (await hall.get("/admin/overview", admin)).json()
        assert told["health"] == {"is_ready": True, "why": None}
        assert told["matches"] == {"running": 1, "open": 1}
        assert told["connections"] == {"websocket": 1, "watch": 1}
        store = told["store"]
        assert store["kind"] == "SQLite" and store["size_bytes"] > 4096 and store["free_bytes"] > 0
        assert (store["accounts"], store["guests"], store["matches"]) == (2, 0, 2) and store["lines_written"] > 0
        assert told["memory_bytes"] > 2**20 and told["uptime_s"] >= 0
        used = {limit["setting"]: limit["used"] for limit in told["limits"]}
        assert (used["connections"], used["watchers_per_match"], used["tables_per_account"]) == (2, 1, 2)
        assert used["tries_a_minute"] >= 1 and used["idle_s"] is None
        assert {limit["setting"]: limit["value"] for limit in told["limits"]}["tries_a_minute"] == 10_000
        assert all(limit["words"].endswith(".") for limit in told["limits"])

    evening(house, work)


def test_the_limits_are_those_of_the_page_about_limits() -> None:
    named = [row[0].strip("`") for row in rows(page("limits.md")) if row[0].startswith("`")]
    assert set(LIMITS) == {name for name in named if not name.startswith("venues.")}


def test_a_failing_store_is_told_and_the_rest_is_shown(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()

        async def fails() -> None:
            raise OSError("no space left on device")

        monkeypatch.setattr(hall.store, "ready", fails)
        told = (await hall.get("/admin/overview", admin)).json()
        assert not told["health"]["is_ready"] and told["health"]["why"]
        assert told["store"] is None and told["limits"]

    evening(house, work)


# Refusals


def test_refusals_are_told_with_address_and_known_name_only(house: House) -> None:
    async def work(hall: Hall) -> None:
        admin, ada = await hall.admin(), await hall.account("ada")
        for name in ("ada", "my password by mistake"):
            assert (await hall.post("/login", name=name, password="my wrong password")).status_code == 401
        for _ in range(3):
            await hall.get("/admin/overview", ada)
        async with hall.connect("/play/forsale") as line:
            await Seat(line).hello("x", token="parlour_a_secret_token", salt="a secret salt")
            assert (await Seat(line).hear("error"))["code"] == "bad_token"
        async with hall.connect("/watch/none/me", "parlour_another_token") as line:
            assert (await Seat(line).hear("error"))["code"] == "bad_token"
        async with hall.connect("/play/forsale") as line:
            await line.send('{"type": "hello", "name": 5, "salt": "a secret salt"}')
            await Seat(line).hear("error")
        said = await hall.get("/admin/refusals", admin)
        entries = said.json()["refusals"]
        assert said.json()["total"] == 8 and sum(entry["count"] for entry in entries) == 8
        assert {entry["address"] for entry in entries} == {"127.0.0.1"}
        found = [(entry["code"], entry["way"], entry["name"], entry["count"]) for entry in entries]
        assert ("wrong_login", "http", "ada", 1) in found and ("wrong_login", "http", None, 1) in found
        assert ("scope_needed", "http", "ada", 3) in found
        assert ("bad_token", "websocket", None, 1) in found and ("bad_token", "watch", None, 1) in found
        assert any(entry["words"].startswith("POST /api/login: ") for entry in entries)
        for secret in ("secret", "by mistake", "wrong password", ada, admin):
            assert secret not in said.text
        only = (await hall.get("/admin/refusals?code=scope_needed&limit=1", admin)).json()
        assert [entry["code"] for entry in only["refusals"]] == ["scope_needed"]
        for query in ("limit=0", "limit=501", "limit=x", f"code={'x' * 65}"):
            assert (await hall.get(f"/admin/refusals?{query}", admin)).status_code == 400

    evening(house, work)


def test_a_flood_of_refusals_is_bounded() -> None:
    now = [1000.0]
    log = RefusalLog(lambda: now[0])
    for n in range(10_000):
        log.add("bad_token", "words", "http", f"10.0.{n % 1000}.1")
    assert len(log.last(10_000)) == MOST_KEPT and log.total == 10_000
    assert len(log._newest) == MOST_KEPT
    for _ in range(5):
        log.add("bad_token", "the same", "http", "here")
    now[0] += 59
    log.add("bad_token", "the same", "http", "here")
    now[0] += 1
    log.add("bad_token", "the same", "http", "here", "ada")
    log.add("bad_token", "the same", "http", "here")
    newest = log.last(3)
    assert sorted((entry.count, entry.name) for entry in newest if entry.name is None) == [(1, None), (6, None)]
    log.add("too_many", "x" * 1000 + "\x1b", "web", "there")
    [entry] = log.last(10, "too_many")
    assert len(entry.words) == 200


# Finding accounts


def test_accounts_are_found_by_name_and_kind(house: House) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        for name in ("Ada Lovelace", "adam", "100%", "Bob"):
            await hall.account(name)
        guest = await hall.id(await hall.guest())
        bob = await hall.store.account("Bob")
        assert bob is not None
        await hall.put(f"/accounts/{bob.id}/ban", admin)

        async def found(query: str) -> list[str]:
            said = (await hall.get(f"/accounts?{query}", admin)).json()
            return [each["name"] for each in said["accounts"]]

        # the name of a guest is random, and may have any of these texts
        assert await found("kind=accounts&q=ada") == ["Ada Lovelace", "adam"]
        assert await found("kind=accounts&q=%25") == ["100%"], "it is text, not a pattern"
        assert await found("kind=accounts&q=_") == []
        assert await found("kind=administrators") == ["admin"]
        assert await found("kind=banned") == ["Bob"]
        assert await found("kind=accounts&q=b") == ["Bob"]
        assert len(await found("kind=guests")) == 1 and len(await found("")) == 6
        await hall.delete(f"/accounts/{guest}", admin)
        assert await found("kind=guests") == [] and len(await found("")) == 6, "the row of a deleted one stays"
        page = (await hall.get("/accounts?kind=accounts&limit=2", admin)).json()
        assert page["next"] == page["accounts"][-1]["id"]
        assert await found(f"kind=accounts&after={page['next']}") == ["adam", "100%", "Bob"]
        for query in ("kind=all", f"q={'x' * 65}"):
            assert (await hall.get(f"/accounts?{query}", admin)).status_code == 400

    evening(house, work)


# A class


def test_a_class_is_imported_after_a_trial_and_only_once(house: House) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        told = {"accounts": [{"name": "Ada", "password": None}, {"name": "Bob", "password": None}], "kept": ["admin"]}
        assert await imported(hall, admin, "Ada", " Bob ", "admin", is_trial=True) == (200, told)
        assert await names_of(hall) == ["admin"], "a trial creates nothing"
        status, made = await imported(hall, admin, "Ada", " Bob ", "admin")
        assert status == 200 and made["kept"] == ["admin"]
        for account in made["accounts"]:
            login = {"name": account["name"], "password": account["password"]}
            assert (await hall.post("/login", **login)).status_code == 200
        assert await imported(hall, admin, "Ada", "Bob") == (200, {"accounts": [], "kept": ["Ada", "Bob"]})
        again = await hall.post("/login", **login)
        assert again.status_code == 200, "a second import changes no password"
        assert (await hall.get("/accounts/import", admin)).json() == {"done": 0, "total": 0}

    evening(house, work)


def test_every_bad_name_is_told_with_its_reason_and_nothing_is_created(house: House) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        await hall.account("modern")
        bad = ("", "x" * 65, "a\u202eb", "random", "rnodern", "eve", "Eve", "\u0435ve", "<img src=x onerror=alert(1)>")
        status, told = await imported(hall, admin, "carol", *bad)
        assert (status, told["code"]) == (400, "bad_names")
        why = {each["line"]: each["why"] for each in told["names"]}
        assert [*why] == [2, 3, 4, 5, 6, 8, 9], "the others could be created"
        assert "1 to 64" in why[2] and "at most 64" in why[3] and "U+202E" in why[4] and "built-in bot" in why[5]
        assert "looks like" in why[6] and why[8] == why[9] == "it looks like the name in line 7"
        assert told["names"][2]["name"] == "a?b" and "line 2" in told["detail"]
        assert await names_of(hall) == ["admin", "modern"]

    evening(house, work)


def test_an_import_of_the_wrong_shape_is_refused(house: House) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        many = [f"pupil {n}" for n in range(MOST_NAMES + 1)]
        wrong: list[dict[str, Any]] = [{}, {"names": []}, {"names": many}, {"names": "ada"}, {"names": [5]}]
        for body in (*wrong, {"names": ["ada"], "x": 1}):
            said = await hall.post("/accounts/import", admin, **body)
            assert (said.status_code, said.json()["code"]) == (400, "bad_request"), body
        own = {"Authorization": f"Bearer {admin}"}
        path = "/api/accounts/import"
        assert (await hall.http.post(path, content=b"{", headers=own)).status_code == 415
        own["Content-Type"] = "application/json"
        assert (await hall.http.post(path, content=b"{", headers=own)).status_code == 400
        assert (await hall.http.post(path, content=b'{"names": ["\\ud800"]}', headers=own)).status_code == 400
        large = json.dumps({"names": ["x" * 70_000]}).encode()
        assert (await hall.http.post(path, content=large, headers=own)).status_code == 413
        assert (await imported(hall, admin, *many[1:], is_trial=True))[0] == 200
        assert await names_of(hall) == ["admin"]

    evening(house, work)


def test_a_long_import_blocks_nobody_and_only_one_runs(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    hashing, go_on = asyncio.Event(), asyncio.Event()

    async def slowly(password: str) -> str:
        hashing.set()
        await go_on.wait()
        return "$hash"

    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        monkeypatch.setattr("parlour.server.ops.account_import.hashed_in_thread", slowly)
        first = asyncio.ensure_future(imported(hall, admin, *(f"pupil {n}" for n in range(200))))
        await hashing.wait()
        assert (await hall.get("/accounts/import", admin)).json() == {"done": 0, "total": 200}
        status, told = await imported(hall, admin, "another")
        assert (status, told["code"]) == (429, "busy")
        assert len(await names_of(hall)) == 1, "none is created before all are"
        go_on.set()
        status, made = await first
        assert status == 200 and len(made["accounts"]) == 200 and len(await hall.store.accounts(limit=500)) == 201
        assert len({each["password"] for each in made["accounts"]}) == 200

    evening(house, work)


def test_nothing_is_created_if_nobody_is_left_to_read_the_passwords(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashing, go_on = asyncio.Event(), asyncio.Event()

    async def slowly(password: str) -> str:
        hashing.set()
        await go_on.wait()
        return "$hash"

    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        monkeypatch.setattr("parlour.server.ops.account_import.hashed_in_thread", slowly)
        body = json.dumps({"names": ["ada"]})
        answer, out = await asyncio.open_connection("127.0.0.1", hall.serving.port)
        head = f"POST /api/accounts/import HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {admin}\r\n"
        out.write(f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
        await hashing.wait()
        out.write_eof()
        assert await answer.read() == b"", "the server has closed the connection, too"
        go_on.set()
        while (await hall.get("/accounts/import", admin)).json()["total"]:
            await asyncio.sleep(0.01)
        assert await names_of(hall) == ["admin"]
        out.close()

    evening(house, work)


def test_a_name_that_is_taken_meanwhile_is_told(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()

        async def meanwhile(password: str) -> str:
            if await hall.store.account("bob") is None:
                await hall.store.add_account("bob", "$other")
            return "$hash"

        monkeypatch.setattr("parlour.server.ops.account_import.hashed_in_thread", meanwhile)
        status, told = await imported(hall, admin, "ada", "bob")
        assert status == 400 and [(each["line"], each["name"]) for each in told["names"]] == [(2, "bob")]
        assert await names_of(hall) == ["admin", "bob"]

    evening(house, work)
