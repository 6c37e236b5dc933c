"""Tokens: scopes, lifetimes, limits, and the connections that end with them."""

import json
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from parlour.protocol.records import now_ms
from parlour.server import accounts as auth
from tests.server.arenas import Hall, House, Seat, evening
from tests.server.crowd import Line
from tests.server.guests import Guest
from tests.server.liners import to_arena
from tests.turned import turn, until

PAIRS = "2-player-pool-matching"
DAY_S = 24 * 3600


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, log="off", tokens_per_account=5, hello_s=3600.0, return_s=3600.0)


async def made(hall: Hall, token: str, *scopes: str, **more: Any) -> str:
    """A token that is made from another."""
    said = await hall.post("/tokens", token, scopes=scopes or ["play"], **more)
    assert said.status_code == 201, said.text
    child: str = said.json()["token"]
    return child


async def number(hall: Hall, token: str) -> int:
    id: int = (await hall.get("/me", token)).json()["token"]
    return id


# Scopes


def test_a_token_that_can_only_play_cannot_look_after_tokens(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        bot, other = await made(hall, ada, "play", "host"), await made(hall, ada)
        said = await hall.get("/tokens", bot)
        assert (said.status_code, said.json()["code"]) == (403, "scope_needed")
        for victim in (ada, other):
            said = await hall.delete(f"/tokens/{await number(hall, victim)}", bot)
            assert (said.status_code, said.json()["code"]) == (403, "scope_needed")
            assert (await hall.get("/me", victim)).status_code == 200
        assert len((await hall.get("/tokens", ada)).json()) == 3
        keeper = await made(hall, ada, "account")
        assert (await hall.get("/tokens", keeper)).status_code == 200
        assert (await hall.post("/queue/forsale", keeper)).json()["code"] == "scope_needed"

    evening(house, work)


def test_any_token_can_end_itself(house: House) -> None:
    async def work(hall: Hall) -> None:
        guest = await hall.guest()
        assert (await hall.delete(f"/tokens/{await number(hall, guest)}", guest)).status_code == 204
        assert (await hall.get("/me", guest)).json()["code"] == "bad_token"

    evening(house, work)


def test_an_administrator_who_is_none_any_more_has_tokens_that_cannot_administer(house: House) -> None:
    async def work(hall: Hall) -> None:
        admin = await hall.admin()
        assert (await hall.get("/accounts", admin)).status_code == 200
        await hall.store.people.set_admin(await hall.id(admin), False)
        assert (await hall.get("/accounts", admin)).json()["code"] == "scope_needed"
        table = (await hall.table(await hall.account("ada"), "forsale", "open", "open", "random"))["table"]["id"]
        assert (await hall.delete(f"/tables/{table}", admin)).json()["code"] == "not_yours"

    evening(house, work)


# How many


def test_an_account_has_only_so_many_tokens_and_can_end_the_others(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        for _ in range(4):
            await made(hall, ada)
        full = await hall.post("/tokens", ada, scopes=["play"])
        assert (full.status_code, full.json()["code"]) == (409, "too_many_tokens")
        assert "5 valid tokens" in full.json()["detail"] and "end_others" in full.json()["detail"]
        login = {"name": "ada", "password": "long enough"}
        assert (await hall.post("/login", **login)).json()["code"] == "too_many_tokens"
        fresh = (await hall.post("/login", **login, end_others=True)).json()["token"]
        assert (await hall.get("/me", ada)).status_code == 401
        assert [each["revoked"] for each in (await hall.get("/tokens", fresh)).json()] == [True] * 5 + [False]

    evening(house, work)


def test_a_guest_cannot_fill_the_store_with_tokens(house: House) -> None:
    async def work(hall: Hall) -> None:
        guest = await hall.guest()
        said = [(await hall.post("/tokens", guest, scopes=["play"])).status_code for _ in range(6)]
        assert said == [201] * 4 + [409] * 2

    evening(house, work)


def test_a_list_of_tokens_is_bounded_and_the_export_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.server.api.accounts.MOST_LISTED", 3)
    monkeypatch.setattr("parlour.server.api.admin.MOST_LISTED", 3)

    async def work(hall: Hall) -> None:
        ada, admin = await hall.account("ada"), await hall.admin()
        own = await number(hall, ada)
        for _ in range(4):
            assert (await hall.delete(f"/tokens/{await number(hall, await made(hall, ada))}", ada)).status_code == 204
        listed = (await hall.get("/tokens", ada)).json()
        assert [each["revoked"] for each in listed] == [False, True, True] and listed[0]["id"] == own
        assert (await hall.get(f"/accounts/{await hall.id(ada)}/tokens", admin)).json() == listed
        exported = (await hall.get("/me/export", ada)).json()["tokens"]
        assert len(exported) == 5 and exported[-2:] == listed[1:]

    evening(House(tmp_path, log="off"), work)


# Families


def test_what_is_made_from_a_token_ends_with_it(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        child = await made(hall, ada, "play", "account")
        grandchild = await made(hall, child, "play")
        other = (await hall.post("/login", name="ada", password="long enough")).json()["token"]
        listed = {each["id"]: each["parent"] for each in (await hall.get("/tokens", ada)).json()}
        assert listed[await number(hall, grandchild)] == await number(hall, child)
        assert listed[await number(hall, other)] is None
        async with hall.connect("/play/forsale") as line:
            seat = Seat(line)
            await seat.hello("x", token=grandchild)
            await until(lambda: any(table.seats.people() for table in hall.serving.arena.open.values()))
            assert (await hall.delete(f"/tokens/{await number(hall, child)}", ada)).status_code == 204
            assert (await seat.hear("error"))["code"] == "bad_token"
        assert [(await hall.get("/me", each)).status_code for each in (ada, child, grandchild, other)] == [
            200,
            401,
            401,
            200,
        ]

    evening(house, work)


# How long


def test_how_long_a_token_holds_if_nobody_says(house: House) -> None:
    async def work(hall: Hall) -> None:
        for said in (
            await hall.post("/guests"),
            await hall.post("/accounts", name="ada", password="long enough"),
            await hall.post("/login", name="ada", password="long enough"),
        ):
            left_s = (said.json()["expires_ms"] - now_ms()) / 1000
            assert 89 * DAY_S < left_s <= 90 * DAY_S

    evening(house, work)


def test_a_token_lives_no_longer_than_the_one_it_was_made_from(house: House) -> None:
    async def work(hall: Hall) -> None:
        await hall.account("ada")
        said = (await hall.post("/login", name="ada", password="long enough", life_s=3600)).json()
        short, expires_ms = said["token"], said["expires_ms"]
        assert 0 < expires_ms - now_ms() <= 3_600_000
        child = (await hall.post("/tokens", short, scopes=["play"])).json()
        assert child["expires_ms"] == expires_ms
        shorter = (await hall.post("/tokens", short, scopes=["play"], life_s=60)).json()
        assert shorter["expires_ms"] < expires_ms
        longer = await hall.post("/tokens", short, scopes=["play"], life_s=7200)
        assert (longer.status_code, longer.json()["code"]) == (403, "outlives_parent")
        for wrong in (0, -1, 10**9, "x", 1.5):
            assert (await hall.post("/tokens", short, scopes=["play"], life_s=wrong)).status_code == 400

    evening(house, work)


def test_tokens_hold_for_ever_where_the_host_says_so(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        assert (await hall.get("/me", ada)).json()["expires_ms"] is None
        lives = (await hall.post("/tokens", ada, scopes=["play"], life_s=60)).json()["expires_ms"]
        assert lives is not None

    evening(House(tmp_path, log="off", token_days=0), work)


class Ahead:
    """A clock for the time of day, which a test can set forward."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._ahead_ms = 0
        monkeypatch.setattr(auth, "now_ms", lambda: now_ms() + self._ahead_ms)

    def turn(self, seconds: float) -> None:
        self._ahead_ms += round(seconds * 1000)
        turn(2.0)  # and the server looks at once


@pytest.fixture
def ahead(monkeypatch: pytest.MonkeyPatch) -> Ahead:
    return Ahead(monkeypatch)


def test_an_expired_token_is_refused_everywhere(house: House, ahead: Ahead) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        ahead.turn(91 * DAY_S)
        for said in (await hall.get("/me", ada), await hall.post("/queue/forsale", ada)):
            assert (said.status_code, said.json()["code"]) == (401, "bad_token")
            assert said.json()["detail"] == "the token has expired"
        async with hall.connect("/play/forsale") as line:
            seat = Seat(line)
            await seat.hello("x", token=ada)
            assert (await seat.hear("error"))["code"] == "bad_token"
        tcp = await Line.to(hall.serving.tcp_port)
        tcp.say(type="enter", game="forsale", token=ada)
        tcp.say(type="hello")
        assert (await tcp.last())["code"] == "bad_token"
        own = await to_arena(hall, "TCP", token=ada)
        assert (await own.hears("error"))["code"] == "bad_token"
        guest = Guest()
        await guest.connect(hall.serving.port)
        await guest.says("restored_proof", _username="ada", _token=ada)
        await guest.hears("restored_proof_invalid")
        await guest.leave()

    evening(house, work)


@pytest.mark.parametrize("way", ["WebSocket", "TCP"])
def test_a_client_that_plays_is_let_go_when_the_token_expires(house: House, ahead: Ahead, way: str) -> None:
    """The owner keeps the seat, and returns with another token."""

    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        short = await made(hall, ada, life_s=3600)
        table = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
        if way == "TCP":
            tcp = await Line.to(hall.serving.tcp_port)
            tcp.say(type="enter", game="forsale", table=table, token=short)
            tcp.say(type="hello")
            await tcp.hear("ask")
            ahead.turn(3601)
            assert (await tcp.hear("error"))["code"] == "bad_token"
            await tcp.ended()
        else:
            async with hall.connect(f"/play/forsale/{table}") as socket:
                seat = Seat(socket)
                await seat.hello("x", token=short)
                await seat.hear("ask")
                ahead.turn(3601)
                assert (await seat.hear("error"))["words"] == "the token has expired"
                with pytest.raises(ConnectionClosed):
                    await seat.hear("anything")
        async with hall.connect(f"/play/forsale/{table}") as socket:
            seat = Seat(socket)
            await seat.hello("x", token=ada)
            await seat.hear("ask")

    evening(house, work)


def test_a_client_that_watches_a_seat_is_let_go_when_the_token_expires(house: House, ahead: Ahead) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        short = await made(hall, ada, life_s=3600)
        table = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
        assert (await hall.post(f"/tables/{table}/join", ada)).status_code == 200
        async with hall.connect(f"/watch/{table}/me", short) as watching, hall.connect(f"/watch/{table}") as public:
            assert json.loads(await watching.recv())["type"] == "view"
            assert json.loads(await public.recv())["type"] == "view"
            ahead.turn(3601)
            async for message in watching:  # until it is closed
                assert json.loads(message)["type"] in ("event", "ask")
            assert not public.close_code, "what everybody may see needs no token"

    evening(house, work)


def test_a_user_of_a_hall_is_let_go_when_the_token_expires(house: House, ahead: Ahead) -> None:
    async def work(hall: Hall) -> None:
        guest = Guest()
        await guest.connect(hall.serving.port)
        await guest.login("ada")
        ahead.turn(91 * DAY_S)
        assert (await guest.hears("error"))["code"] == "bad_token"
        await until(lambda: not guest.io.connected)
        await guest.leave()

    evening(house, work)
