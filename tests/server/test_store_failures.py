"""When the store fails, all clients get the same error, and the log has that of the database, once a minute."""

import asyncio
import io
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection, event, text
from sqlalchemy.exc import DBAPIError

import parlour.server.main
from parlour.protocol.errors import STORE_FAILED
from parlour.server.ops.health import READY_S
from parlour.server.ops.logs import AGAIN_AFTER_S, written
from parlour.server.startup import _fenced_when_lost
from parlour.store.failures import StoreGone
from parlour.store.store import Store
from tests.players.clients import run
from tests.server.arenas import Hall, House, Seat, evening
from tests.server.guests import Inn
from tests.server.test_arena_trouble import failing
from tests.server.visitors import PUBLIC, Actor
from tests.store.postgres import new_database
from tests.store.stored import executed, kept, scalar
from tests.turned import turn

ROUTES = (
    ("GET", "/api/me"),
    ("GET", "/api/tokens"),
    ("POST", "/api/tokens"),
    ("DELETE", "/api/tokens/1"),
    ("GET", "/api/accounts"),
    ("GET", "/api/accounts/1/tokens"),
    ("DELETE", "/api/accounts/1/tokens/1"),
    ("POST", "/api/guests"),
    ("POST", "/api/accounts"),
    ("POST", "/api/login"),
    ("POST", "/api/tables"),
    ("DELETE", "/api/tables/x"),
    ("POST", "/api/tables/x/join"),
    ("POST", "/api/queue/forsale"),
    ("GET", "/api/matches"),
    ("GET", "/api/matches/x"),
    ("GET", "/api/matches/x/transcript"),
    ("GET", "/api/matches/x/events/me"),
    ("GET", "/ready"),
)
LOGIN = {"name": "eve", "password": "long enough"}


@contextmanager
def log(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """All that is logged."""
    told = io.StringIO()
    monkeypatch.setattr(parlour.server.main, "written", lambda level: written("info", told))
    yield told


def failures(told: io.StringIO) -> list[dict[str, Any]]:
    events = [json.loads(line) for line in told.getvalue().splitlines()]
    assert "bug" not in [event["event"] for event in events]
    return [event for event in events if event["event"] == "store failed"]


async def asked(hall: Hall, method: str, path: str, token: str) -> httpx.Response:
    body: dict[str, Any] = {"game": "forsale", "seats": [{"kind": "open"}] * 3} if path == "/api/tables" else {}
    body = LOGIN if path in ("/api/accounts", "/api/login") else body
    body = {"label": "x", "scopes": ["play"]} if path == "/api/tokens" else body
    own = {"Authorization": f"Bearer {token}"}
    return await hall.http.request(method, path, headers=own, json=body if method == "POST" else None)


@pytest.mark.parametrize("how", ["deleted", "replaced", "its latest changes deleted"])
def test_a_store_whose_file_is_deleted_or_replaced_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    file = tmp_path / ("arena.db-wal" if "latest" in how else "arena.db")
    away = tmp_path / "away"

    async def work(hall: Hall) -> None:
        token = await hall.admin()
        assert (await hall.http.get("/ready")).status_code == 200
        file.rename(away)
        if how == "replaced":
            file.write_bytes(away.read_bytes())
        for method, path in ROUTES:
            said = await asked(hall, method, path, token)
            assert (said.status_code, said.json()["code"]) == (503, "store_failed"), f"{method} {path}: {said.text}"
        for path in ("/play/forsale/nowhere", "/watch/nowhere/me"):
            async with hall.connect(path, token) as line:
                assert (await Seat(line).hear("error"))["code"] == "store_failed", path
        assert (await hall.http.get("/health")).status_code == 200
        assert how == "replaced" or not file.exists(), "no new one is made in its place"
        away.rename(file)
        assert (await hall.http.get("/ready")).status_code == 200
        assert (await asked(hall, "GET", "/api/me", token)).json()["name"] == "admin"

    with log(monkeypatch) as told:
        evening(House(tmp_path), work)
        [failed] = failures(told)
        became = "replaced" if how == "replaced" else "deleted"
        assert failed["words"] == f"{file} was {became} while the store was open"


def test_a_store_that_cannot_be_written_is_not_ready_and_says_why_once_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store cannot be written, as on a full disk, but it can be read."""

    is_full = True

    def full(connection: Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA query_only = {int(is_full)}")

    def free(connection: Connection) -> None:
        connection.exec_driver_sql("PRAGMA query_only = 0")

    async def work(hall: Hall) -> None:
        nonlocal is_full
        token = await hall.admin()
        engine = hall.store._database._reads
        event.listen(engine, "begin", full)
        event.listen(engine, "rollback", free)
        for _ in range(3):
            said = await hall.http.get("/ready")
            assert (said.status_code, said.json()["code"]) == (503, "store_failed")
        assert (await hall.post("/guests")).json()["code"] == "store_failed"
        assert (await asked(hall, "GET", "/api/me", token)).status_code == 200
        assert [failed["untold"] for failed in failures(told)] == [0]
        turn(AGAIN_AFTER_S)
        assert (await hall.http.get("/ready")).status_code == 503
        [first, again] = failures(told)
        assert again["untold"] == 3 and again["words"] == "attempt to write a readonly database"
        assert again["kind"] == first["kind"] == "SQLITE_READONLY"
        is_full = False
        assert (await hall.http.get("/ready")).status_code == 200

    with log(monkeypatch) as told:
        evening(House(tmp_path), work)


def test_a_user_of_a_room_is_told_that_the_store_fails_and_can_try_again(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        async with hall.connect(f"{PUBLIC}/action_channel") as line:
            ada = Actor(line)
            for what in ("_join", "account"):
                with failing(hall.store, what):
                    assert await ada.register("ada") == {"success": False, "err_msg": STORE_FAILED[1]}
            assert (await ada.register("ada"))["success"]

    evening(House(tmp_path, log="off", rooms=1), work)


def test_a_user_of_a_hall_is_told_that_the_store_fails_and_can_try_again() -> None:
    async def evening() -> None:
        async with Inn() as inn:
            ada = await inn.guest()
            for store_call, event, said in (
                ("add_guest", "login", {"username": "ada"}),
                ("token", "restored_proof", {"_username": "ada", "_token": "parlour_of_before"}),
            ):
                with failing(inn.serving.arena.store, store_call):
                    await ada.says(event, **said)
                    assert (await ada.hears("error"))["code"] == "store_failed"
            await ada.says("login", username="ada")
            await ada.hears("login_success")
            assert all("OperationalError" in said for said in inn.log.said)
            inn.log.said.clear()

    run(evening())


def test_postgresql_refuses_nul_characters_and_nobody_calls_it_a_bug(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        for path in ("/matches/a%00b", "/matches/a%00b/chat", "/matches?room=%00", "/matches?game=%00"):
            said = await hall.get(path, ada)
            assert (said.status_code, said.json()["code"]) == (400, "bad_request"), path
        assert (await hall.post("/queue/forsale", ada, salt="\0")).status_code == 400
        async with hall.connect("/play/forsale/a%00b", ada) as line:
            assert (await Seat(line).hear("error"))["code"] == "bad_hello"
        async with hall.connect("/watch/a%00b/messages", ada) as line:
            assert (await Seat(line).hear("error"))["code"] == "bad_request"

    house = House(tmp_path, log="off")
    house.url = new_database()
    evening(house, work)


def test_postgresql_that_cannot_be_written_is_not_ready() -> None:
    url = new_database()

    async def work(store: Store) -> None:
        await store.ready()
        name = await scalar(store, text("SELECT current_database()"))
        await executed(store, text(f"ALTER DATABASE {name} SET default_transaction_read_only = on"))

    async def again(store: Store) -> None:
        assert await store.count_matches() == 0
        with pytest.raises(DBAPIError, match="read-only transaction"):
            await store.ready()

    kept(url, work)
    kept(url, again)


def test_a_store_that_does_not_answer_is_not_ready(tmp_path: Path) -> None:
    """Another program has locked the database."""

    async def work(hall: Hall) -> None:
        with closing(sqlite3.connect(tmp_path / "arena.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            asking = asyncio.gather(*(hall.http.get("/ready") for _ in range(3)))
            while not asking.done():
                turn(READY_S)
                await asyncio.sleep(0.02)
            assert [said.status_code for said in await asking] == [503] * 3
            other.execute("ROLLBACK")
        while (await hall.http.get("/ready")).status_code != 200:
            pass  # what was tried before may still wait for its turn

    evening(House(tmp_path, log="off"), work)


def test_a_lock_that_cannot_be_watched_is_lost(tmp_path: Path) -> None:
    class Broken:
        async def lost(self) -> str:
            raise RuntimeError("oops")

        async def release(self) -> None:
            pass

    async def work(store: Store) -> None:
        assert await _fenced_when_lost(store, Broken()) == "it cannot be watched: oops"
        with pytest.raises(StoreGone, match="the lock of the store was lost"):
            await store.ready()

    kept(f"sqlite:///{tmp_path / 'arena.db'}", work)
