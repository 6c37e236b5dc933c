"""What administrators do takes effect: by the API, and by commands beside a running server."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from parlour.games import game
from parlour.referee.replay import verify
from parlour.server.accounts import Doorkeeper
from parlour.server.ops.administration import CHECK_S
from parlour.store.check import check
from parlour.store.store import Store
from tests.cli.test_commands import parlour
from tests.server.arenas import Hall, House, Seat, evening
from tests.server.guests import Guest
from tests.server.liners import to_arena
from tests.server.test_matrix import told
from tests.server.test_store_failures import log
from tests.turned import turn, until

Do = Callable[[Hall, str], Awaitable[None]]
"""Acts on the account of this name."""


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, log="off", hello_s=3600.0, return_s=3600.0)


async def by_api(hall: Hall, name: str) -> None:
    """Ban an account as an administrator does."""
    account = await hall.store.account(name)
    assert account is not None
    admin = await admins(hall)
    assert (await hall.put(f"/accounts/{account.id}/ban", admin)).json()["state"] == "banned"


async def by_command(hall: Hall, name: str) -> None:
    """Ban an account with a command on the store, while the server runs."""
    done = await asyncio.to_thread(parlour, "admin", "ban", name, "--store", hall.store_url)
    assert (done.returncode, done.stderr) == (0, f"{name} is banned\n")
    turn(2.0)


async def beside(hall: Hall, work: Callable[[Store], Awaitable[Any]]) -> None:
    """Change the store from another connection, and let the server read its orders."""
    store = await Store.open(hall.store_url)
    await work(store)
    await store.close()
    turn(2.0)


async def admins(hall: Hall) -> str:
    """A token of the administrator, whose account is created if there is none yet."""
    if await hall.store.account("admin") is None:
        return await hall.admin()
    token: str = (await hall.post("/login", name="admin", password="long enough")).json()["token"]
    return token


async def id_of(hall: Hall, name: str) -> int:
    account = await hall.store.account(name)
    assert account is not None
    return account.id


# Bans


@pytest.mark.parametrize("ban", [by_api, by_command])
def test_a_banned_account_is_let_go_and_not_let_in(house: House, ban: Do) -> None:
    async def work(hall: Hall) -> None:
        ada, host = await hall.account("ada"), await hall.account("host")
        table = (await hall.table(host, "forsale", "open", "random", "random"))["table"]["id"]
        waiting = (await hall.table(host, "forsale", "open", "open", "random"))["table"]["id"]
        assert (await hall.post(f"/tables/{waiting}/join", ada)).status_code == 200
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("x", token=ada)
            await seat.hear("ask")
            async with hall.connect(f"/watch/{table}/me", ada) as watching:
                assert json.loads(await watching.recv())["seat"] == 0
                await ban(hall, "ada")
                assert (await seat.hear("error"))["code"] == "banned"
                with pytest.raises(ConnectionClosed):
                    await seat.hear("anything")
                async for _ in watching:
                    pass
        assert (await hall.get("/me", ada)).json()["code"] == "banned"
        assert (await hall.post("/login", name="ada", password="long enough")).json()["code"] == "banned"
        assert (await hall.post("/login", name="ada", password="wrong enough")).json()["code"] == "wrong_login"
        assert (await hall.over(table))["state"] == "over", "its seat has left the match"
        assert (await hall.proof(table)).holds == "yes"
        assert b'"kicked"' in (await hall.get(f"/matches/{table}/transcript")).content
        assert (await hall.get(f"/matches/{waiting}")).json()["seats"][0]["name"] is None

    evening(house, work)


def test_a_client_that_is_not_banned_any_more_comes_in_with_the_same_token(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, admin = await hall.account("ada"), await hall.admin()
        path = f"/accounts/{await hall.id(ada)}/ban"
        for _ in range(2):
            assert (await hall.put(path, admin)).json()["state"] == "banned"
        assert (await hall.get("/me", ada)).status_code == 403
        for _ in range(2):
            assert (await hall.delete(path, admin)).json()["state"] == "active"
        assert (await hall.get("/me", ada)).status_code == 200
        assert (await hall.post("/queue/forsale", ada)).status_code == 200

    evening(house, work)


def test_a_banned_guest_of_lines_and_of_a_hall_is_let_go(house: House) -> None:
    async def work(hall: Hall) -> None:
        admin, user = await hall.admin(), Guest()
        line = await to_arena(hall, "TCP", username="ada")
        await user.connect(hall.serving.port)
        await user.login("bob")
        await until(lambda: any(table.seats.people() for table in hall.serving.arena.open.values()))
        guests = [each for each in (await hall.get("/accounts", admin)).json()["accounts"] if each["guest"]]
        assert len(guests) == 2
        for guest in guests:
            await hall.put(f"/accounts/{guest['id']}/ban", admin)
        assert (await line.hears("error"))["code"] == "banned"
        assert (await user.hears("error"))["code"] == "banned"
        await until(lambda: not user.io.connected)
        await user.leave()

    evening(house, work)


def test_a_banned_account_is_not_let_into_a_room(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        await hall.account("ada")
        async with hall.connect("/action_channel") as line:
            register = {"action": "register", "username": "ada", "password": "long enough", "join_key": ""}
            await line.send(json.dumps(register))
            assert json.loads(await line.recv())["success"]
            await by_api(hall, "ada")
            playing = [*hall.serving.arena.playing.values()]
            await until(lambda: any(0 in each.match.gone for each in playing))
            await line.send(json.dumps({"action": "command", "cmd_list": []}))
            assert not json.loads(await line.recv())["success"]
            await line.send(json.dumps(register))
            assert json.loads(await line.recv()) == {"success": False, "err_msg": "This account is banned"}
            await line.send(json.dumps({**register, "password": "wrong enough"}))
            said = json.loads(await line.recv())
            assert said == {"success": False, "err_msg": "Username exists"}, "a stranger is not told of the ban"

    evening(House(tmp_path, log="off", rooms=1), work)


def test_nobody_in_a_room_looks_like_an_account(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        await hall.account("modern")
        async with hall.connect("/action_channel") as line:
            for name in ("rnodern", "Modern"):
                assert await told(line, name) == {"success": False, "err_msg": "Username exists"}
            assert (await told(line, "antique"))["success"]

    evening(House(tmp_path, log="off", rooms=1), work)


def test_no_guest_looks_like_an_account(house: House) -> None:
    async def work(hall: Hall) -> None:
        host = await hall.account("modern")
        table = (await hall.table(host, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("rnodern")
            assert (await seat.hear("seat"))["players"][0].startswith("rnodern-")
        user = Guest()
        await user.connect(hall.serving.port)
        await user.says("login", username="Modern")
        assert (await user.hears("error"))["code"] == "name_taken"
        await user.leave()

    evening(house, work)


def test_administrators_do_not_shut_themselves_out(house: House) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        own = f"/accounts/{await hall.id(admin)}"
        for said in (await hall.put(f"{own}/ban", admin), await hall.delete(own, admin)):
            assert (said.status_code, said.json()["code"]) == (409, "yourself")
        for path in ("/accounts/0", "/accounts/999", f"/accounts/{2**40}"):
            assert (await hall.get(path, admin)).json()["code"] == "no_such_account"
            assert (await hall.put(f"{path}/ban", admin)).status_code == 404
            assert (await hall.delete(path, admin)).status_code == 404

    evening(house, work)


# Passwords


def test_a_user_changes_the_password_and_all_tokens_end(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        async with hall.connect("/play/forsale") as line:
            seat = Seat(line)
            await seat.hello("x", token=ada)
            await until(lambda: any(table.seats.people() for table in hall.serving.arena.open.values()))
            wrong = {"name": "ada", "password": "not that one", "new_password": "longer than that"}
            assert (await hall.post("/password", **wrong)).json()["code"] == "wrong_login"
            assert (await hall.post("/password", ada, **wrong)).json()["code"] == "wrong_login", "a token is not enough"
            short = {"name": "ada", "password": "long enough", "new_password": "short"}
            assert (await hall.post("/password", **short)).status_code == 400
            said = await hall.post("/password", **{**wrong, "password": "long enough"})
            assert said.status_code == 200
            assert (await seat.hear("error"))["code"] == "bad_token"
        assert (await hall.get("/me", ada)).status_code == 401
        assert (await hall.get("/me", said.json()["token"])).json()["scopes"] == ["account", "host", "play"]
        assert (await hall.post("/login", name="ada", password="long enough")).status_code == 401
        assert (await hall.post("/login", name="ada", password="longer than that")).status_code == 200

    evening(house, work)


def test_an_administrator_resets_a_password(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, admin, guest = await hall.account("ada"), await hall.admin(), await hall.guest()
        path = f"/accounts/{await hall.id(ada)}/password"
        drawn = (await hall.post(path, admin)).json()
        assert drawn["account"] == "ada" and len(drawn["password"]) >= 12
        assert (await hall.get("/me", ada)).status_code == 401
        assert (await hall.post("/login", name="ada", password=drawn["password"])).status_code == 200
        assert (await hall.post(path, admin, password="said by hand")).json()["password"] == "said by hand"
        assert (await hall.post("/login", name="ada", password=drawn["password"])).status_code == 401
        assert (await hall.post("/login", name="ada", password="said by hand")).status_code == 200
        said = await hall.post(f"/accounts/{await hall.id(guest)}/password", admin)
        assert (said.status_code, said.json()["code"]) == (409, "guest")

    evening(house, work)


def test_a_password_that_is_reset_by_a_command_ends_connections(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        async with hall.connect("/play/forsale") as line:
            seat = Seat(line)
            await seat.hello("x", token=ada)
            await until(lambda: any(table.seats.people() for table in hall.serving.arena.open.values()))
            id = await id_of(hall, "ada")
            await beside(hall, lambda store: store.people.set_password(id, "$other"))
            assert (await seat.hear("error"))["code"] == "bad_token"

    evening(house, work)


# Deletion


@pytest.mark.parametrize("way", ["API", "command"])
def test_a_deleted_account_leaves_its_matches_and_finished_ones_stay(house: House, way: str) -> None:
    async def work(hall: Hall) -> None:
        ada, admin = await hall.account("ada"), await hall.admin()
        tables = [(await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"] for _ in range(2)]
        over, running = tables
        assert (await hall.post(f"/tables/{over}/join", ada)).status_code == 200
        assert (await hall.put(f"/matches/{over}/stop", admin)).status_code == 204
        before = (await hall.get(f"/matches/{over}/transcript")).content
        id = await hall.id(ada)
        async with hall.connect(f"/play/forsale/{running}") as line:
            seat = Seat(line)
            await seat.hello("x", token=ada)
            await seat.hear("ask")
            if way == "API":
                assert (await hall.delete(f"/accounts/{id}", admin)).status_code == 204
            else:
                await beside(hall, lambda store: store.people.delete(id))
            assert (await seat.hear("error"))["code"] == "deleted"
        assert (await hall.get("/me", ada)).status_code == 401
        assert (await hall.post("/login", name="ada", password="long enough")).json()["code"] == "wrong_login"
        for match in (over, running):
            info = await hall.over(match)
            assert info["seats"][0]["name"] == "ada", "as its transcript has it"
            assert (await hall.proof(match)).holds == "yes"
            stored = await hall.store.match(match)
            assert stored is not None and await check(hall.store, stored, game) == []
        assert (await hall.get(f"/matches/{over}/transcript")).content == before
        [gone] = [each for each in (await hall.get("/accounts", admin)).json()["accounts"] if each["id"] == id]
        assert gone["state"] == "deleted" and gone["name"].startswith(f"deleted-{id}-")
        assert (await hall.get(f"/accounts/{id}", admin)).status_code == 404
        again = await hall.post("/accounts", name="Ada", password="long enough")
        assert again.json()["code"] == "name_taken", "or somebody could pose as the one in the transcripts"

    evening(house, work)


# Stopping a match


@pytest.mark.parametrize("name", ["forsale", "dominion", "maze", "tradecraft"])
def test_a_match_of_every_game_is_stopped_told_and_recorded(house: House, name: str) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        seats = ["open"] * max(2, game(name).table_seats()[0])
        table = (await hall.table(admin, name, *seats))["table"]["id"]
        for _ in seats[1:]:
            assert (await hall.post(f"/tables/{table}/join", await hall.guest())).status_code == 200
        async with hall.connect(f"/play/{name}/{table}") as line:
            seat = Seat(line)
            await seat.hello("x", token=admin)
            await seat.hear("seat")
            assert (await hall.put(f"/matches/{table}/stop", admin)).status_code == 204
            await seat.hear("over")
        assert (await hall.get(f"/matches/{table}")).json()["state"] in ("over", "void")
        transcript = (await hall.get(f"/matches/{table}/transcript")).content
        assert b'"Stop"' in transcript and verify(transcript, game).holds == "yes"
        again = await hall.put(f"/matches/{table}/stop", admin)
        assert (again.status_code, again.json()["code"]) == (409, "over")
        assert (await hall.put("/matches/nonsense/stop", admin)).json()["code"] == "no_such_match"
        assert await hall.store.orders.open() == []

    evening(house, work)


def test_a_game_of_a_room_is_stopped_and_the_room_goes_on(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        [match] = hall.serving.arena.playing
        assert (await hall.put(f"/matches/{match}/stop", admin)).status_code == 204
        assert (await hall.get(f"/matches/{match}")).json()["state"] in ("over", "void")
        turn(60)
        await until(lambda: hall.serving.arena.playing and match not in hall.serving.arena.playing)

    evening(House(tmp_path, log="off", rooms=1), work)


def test_a_match_is_stopped_by_a_command_beside_the_server(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        table = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("x", token=ada)
            await seat.hear("ask")
            stop = ("admin", "stop", table, "--wait", "60", "--store", hall.store_url)
            done = await asyncio.to_thread(parlour, *stop)
            assert (done.returncode, done.stderr) == (0, f"{table} is over\n")
            await seat.hear("over")
        done = await asyncio.to_thread(parlour, *stop)
        assert (done.returncode, done.stderr) == (1, f"parlour: {table}: the match is over already\n")

    evening(house, work)


def test_what_is_ordered_while_no_server_runs_is_done_by_the_next(house: House) -> None:
    async def first(hall: Hall) -> tuple[str, str, str]:
        ada, host = await hall.account("ada"), await hall.account("host")
        tables = [(await hall.table(host, "forsale", "open", "random", "random"))["table"]["id"] for _ in range(2)]
        waiting = (await hall.table(host, "forsale", "open", "open", "random"))["table"]["id"]
        assert (await hall.post(f"/tables/{tables[0]}/join", ada)).status_code == 200
        assert (await hall.post(f"/tables/{tables[1]}/join", host)).status_code == 200
        return tables[0], tables[1], waiting

    banned, stopped, dropped = evening(house, first)

    async def between() -> None:
        store = await Store.open(house.url)
        account = await store.account("ada")
        assert account is not None
        await store.people.set_state(account.id, "banned")
        for match in (stopped, dropped):
            await store.orders.give("stop", match)
        await store.close()

    asyncio.run(between())

    async def second(hall: Hall) -> None:
        assert (await hall.over(stopped))["state"] == "over"
        assert (await hall.over(dropped))["state"] == "dropped"
        assert (await hall.over(banned))["state"] == "over", "the account has left it"
        transcript = (await hall.get(f"/matches/{stopped}/transcript")).content
        assert b'"Stop"' in transcript and verify(transcript, game).holds == "yes"
        while await hall.store.orders.open():
            turn(2.0)
            await asyncio.sleep(0.01)

    evening(house, second)


# Failures


def test_an_order_that_fails_holds_up_no_other_and_is_logged_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        await beside(hall, lambda store: store.orders.give("account", "not a number"))
        await until(lambda: '"administration"' in logged.getvalue())
        for _ in range(3):
            await seen(hall)
        await beside(hall, lambda store: banned(store, "ada"))
        async with hall.connect("/watch/nowhere/me", ada) as line:
            assert (await Seat(line).hear("error"))["code"] == "banned"
        while len(await hall.store.orders.open()) > 1:
            await seen(hall)
        assert [order.subject for order in await hall.store.orders.open()] == ["not a number"]

    with log(monkeypatch) as logged:
        evening(house, work)
    events = [json.loads(line) for line in logged.getvalue().splitlines()]
    assert [(told["what"], told["error"]) for told in events if told["event"] == "administration"] == [
        ("order 1", "ValueError")
    ]


def test_orders_are_carried_out_whatever_fails(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = []

    def fails(door: Doorkeeper) -> None:
        failed.append(door)
        raise RuntimeError("expiry")

    async def work(hall: Hall) -> None:
        await hall.account("ada")
        monkeypatch.setattr(Doorkeeper, "end_expired", fails)
        turn(2.0)
        await until(lambda: failed)
        await beside(hall, lambda store: banned(store, "ada"))
        while await hall.store.orders.open():
            await seen(hall)

    evening(house, work)


async def banned(store: Store, name: str) -> None:
    account = await store.account(name)
    assert account is not None
    await store.people.set_state(account.id, "banned")


async def seen(hall: Hall) -> None:
    """Let the server look at its orders once more."""
    turn(CHECK_S)
    await asyncio.sleep(0.02)
