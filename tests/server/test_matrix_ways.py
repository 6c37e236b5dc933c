"""Rights of clients without HTTP: enter lines, the games' own protocols, and events of Socket.IO."""

import json
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from parlour.games import game
from parlour.plugins import names
from tests.server.arenas import Hall, House, evening
from tests.server.crowd import Line
from tests.server.guests import Guest
from tests.server.hall_moves import EVENTS
from tests.server.liners import to_arena
from tests.server.test_matrix import PEOPLE, SOCKETS, Cast
from tests.turned import until

PAIRS = "2-player-pool-matching"


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, log="off", hello_s=3600.0, quick_s=3600.0, return_s=3600.0, tables_per_account=1000)


# Protocol 1 over TCP: one line says where to, and may say who


def test_everybody_by_every_enter_line(house: House) -> None:
    async def work(hall: Hall) -> None:
        cast = Cast(hall)
        await cast.set_up()
        for path, answers in SOCKETS.items():
            if not path.startswith("/play/"):
                continue
            for who, expected in zip(PEOPLE, answers, strict=True):
                for in_hello in (False, True) if expected != "seat" else (who == "guest",):
                    await cast.refresh(path)
                    if path == "/play/{name}":  # where the next table is one that begins at once
                        await cast.table("host", "open", "random", "random", quick=True)
                    table = path.removeprefix("/play/{name}").strip("/").format(**cast.places)
                    assert await entered(cast, who, table, in_hello) == expected, f"{who} at {path}"

    evening(house, work)


async def entered(cast: Cast, who: str, table: str, in_hello: bool, game_name: str = "forsale") -> str:
    """The last message to a client that has sent its token, either in the enter line or in the hello."""
    line = await Line.to(cast.hall.serving.tcp_port)
    token = cast.token(who)
    told: dict[str, Any] = {} if token is None else {"token": token}
    line.say(type="enter", game=game_name, **({"table": table} if table else {}), **({} if in_hello else told))
    line.say(type="hello", **(told if in_hello else {}))
    said = await line.last()
    line.writer.close()
    code: str = said["code"] if said["type"] == "error" else said["type"]
    return code


def test_a_table_of_one_game_is_none_of_another(house: House) -> None:
    async def work(hall: Hall) -> None:
        cast = Cast(hall)
        await cast.set_up()
        await cast.refresh("{fresh}")
        for who in PEOPLE:
            assert await entered(cast, who, cast.places["fresh"], False, "dominion") == "no_such_table", who

    evening(house, work)


# A game's own protocol over WebSocket, where a token may come in a header

INTRODUCTIONS = {
    "forsale": "somebody",
    "dominion": '{"type": "player-name-reply"}',
    "maze": None,
    "tradecraft": '{"type": "login", "username": "somebody"}',
}
"""The first message of a client, by game; in Maze it need not send any."""


def test_every_game_with_lines_of_its_own_is_tried() -> None:
    assert [*INTRODUCTIONS] == [name for name in names() if game(name).hosting.socket_dialect]


@pytest.mark.parametrize("name", INTRODUCTIONS)
def test_everybody_in_a_games_own_protocol(house: House, name: str) -> None:
    """A seat belongs to the account of the token, without a token to a new guest; a revoked token gets no seat."""

    async def work(hall: Hall) -> None:
        cast = Cast(hall)
        await cast.set_up()
        for _ in range(3):  # where nobody is in a hurry
            few = max(2, game(name).table_seats()[0])
            await hall.table(str(cast.token("host")), name, *["open"] * few, quick=True, limit_s=3600, wait_s=3600)
        async with AsyncExitStack() as stack:
            for who in PEOPLE:
                before = seated(hall, name)
                line = await stack.enter_async_context(hall.connect(f"/ws/{name}", cast.token(who)))
                if (said := INTRODUCTIONS[name]) is not None:
                    await line.send(said)
                if who in ("revoked", "expired", "banned"):
                    await line.wait_closed()
                    assert seated(hall, name) == before
                else:
                    account = await one_more(hall, name, before)
                    own = None if who == "nobody" else (await hall.get("/me", cast.token(who))).json()["id"]
                    assert account == own or (own is None and account not in before), who

    evening(house, work)


def seated(hall: Hall, name: str) -> list[int]:
    """The accounts of all taken seats of a game, in matches and at tables."""
    arena = hall.serving.arena
    matches = [playing.seats.accounts for playing in arena.playing.values() if playing.match.game.name == name]
    tables = [[chair.account for chair in table.chairs] for table in arena.open.values() if table.game.name == name]
    return sorted(account for accounts in (*matches, *tables) for account in accounts if account is not None)


async def one_more(hall: Hall, name: str, before: list[int]) -> int:
    """The account of the seat that was taken since."""
    await until(lambda: len(seated(hall, name)) == len(before) + 1)
    [account] = (Counter(seated(hall, name)) - Counter(before)).elements()
    return account


# Tokens that bring one back in lines

RETURNS: dict[str, str] = {
    "own": "ada",
    "fellow": "bob",
    "elsewhere": "no_such_seat",
    "admin": "no_such_seat",
    "revoked": "bad_token",
    "hosting": "scope_needed",
    "guessed": "bad_token",
    "long": "bad_token",
    "none": "bad_login",
}
"""The owner of the seat, or the error."""


async def pair(hall: Hall, ada: str, bob: str) -> str:
    """A match of tradeCraft in which both have a seat, with a long time limit."""
    table: str = (await hall.table(ada, "tradecraft", "open", "open", limit_s=3600))["table"]["id"]
    for token in (ada, bob):
        assert (await hall.post(f"/tables/{table}/join", token)).status_code == 200
    await until(lambda: table in hall.serving.arena.playing and hall.serving.arena.playing[table].shell)
    return table


async def new_token(hall: Hall, token: str, scope: str = "play", *, revoked: bool = False) -> str:
    """Another token of the same account."""
    made: str = (await hall.post("/tokens", token, scopes=[scope])).json()["token"]
    if revoked:
        await revoke(hall, made)
    return made


async def revoke(hall: Hall, token: str) -> None:
    """Revoke a token with itself."""
    own = (await hall.get("/me", token)).json()["token"]
    assert (await hall.delete(f"/tokens/{own}", token)).status_code == 204


@pytest.mark.parametrize("way", ["TCP", "WebSocket"])
def test_every_token_that_one_may_come_back_with(house: House, way: str) -> None:
    async def work(hall: Hall) -> None:
        ada, bob, cleo = [await hall.account(name) for name in ("ada", "bob", "cleo")]
        match = await pair(hall, ada, bob)
        other = (await hall.table(cleo, "forsale", "open", "random", "random", limit_s=3600))["table"]["id"]
        assert (await hall.post(f"/tables/{other}/join", cleo)).status_code == 200
        tokens = {
            "own": await new_token(hall, ada),
            "fellow": bob,
            "elsewhere": cleo,
            "admin": await hall.admin(),
            "revoked": await new_token(hall, ada, revoked=True),
            "hosting": await new_token(hall, ada, "host"),
            "guessed": "parlour_guessed",
            "long": ada + 300 * "x",
            "none": "",
        }
        playing = hall.serving.arena.playing[match]
        for kind, expected in RETURNS.items():
            line = await to_arena(hall, way, token=tokens[kind])
            said = await line.next()
            assert said.get("code", said.get("username")) == expected, kind
            if said["type"] == "login_success":
                assert playing.seats.connected.keys() == {("ada", "bob").index(expected)}, "that seat and no other"
            else:
                assert {again["code"] for again in await line.rest()} <= {expected}, "and it is let go"
            await line.drop()
            await until(lambda: all(player.peer.gone for player in playing.seats.connected.values()))
            for chair in playing.chairs:
                chair.occupant = None

    evening(house, work)


# Events of Socket.IO


async def socketeer(hall: Hall, name: str = "") -> Guest:
    guest = Guest()
    await guest.connect(hall.serving.port)
    if name:
        await guest.login(name)
    return guest


def test_every_event_with_every_token(house: House) -> None:
    """Only the token of the user of this connection is accepted."""

    async def work(hall: Hall) -> None:
        stranger, ada, bob = await socketeer(hall), await socketeer(hall, "ada"), await socketeer(hall, "bob")
        cleo = await hall.account("cleo")
        tokens = {"none": None, "another's": bob.token, "an account's": cleo, "guessed": "parlour_guessed"}
        for kind, token in tokens.items():
            for event in EVENTS:
                for guest in (stranger, ada):
                    await guest.says(event, _token=token, _hallname=PAIRS)
                    assert (await guest.hears("error"))["code"] == "bad_token", f"{event} with {kind}"
        for event in EVENTS:
            await stranger.says(event, _token=ada.token, token=ada.token, _hallname=PAIRS)
            assert (await stranger.hears("error"))["code"] == "bad_token", event
        told = len(ada.heard)
        for event in (*EVENTS, "get_entry_info"):
            await ada.says(event, _token=ada.token, _hallname=PAIRS)
        for _ in range(2):
            await ada.hears("entry_info")
        assert "bad_token" not in str(ada.heard[told:])
        for guest in (stranger, ada, bob):
            await guest.leave()

    evening(house, work)


def test_every_token_that_restores_a_name(house: House) -> None:
    async def work(hall: Hall) -> None:
        tokens = {name: await hall.account(name) for name in ("ada", "bob", "cleo")}
        await pair(hall, tokens["ada"], tokens["bob"])
        other = (await hall.table(tokens["cleo"], "forsale", "open", "random", "random", limit_s=3600))["table"]["id"]
        assert (await hall.post(f"/tables/{other}/join", tokens["cleo"])).status_code == 200
        guest, thief = await socketeer(hall, "guest"), await socketeer(hall)
        proofs = [
            ("ada", tokens["bob"]),
            ("ada", tokens["cleo"]),
            ("ada", guest.token),
            ("ada", await hall.admin()),
            ("ada", await new_token(hall, tokens["ada"], "host")),
            ("ada", await new_token(hall, tokens["ada"], revoked=True)),
            ("bob", tokens["ada"]),
            ("cleo", tokens["cleo"]),
            ("guest", tokens["ada"]),
            ("nobody", guest.token),
        ]
        for name, token in proofs:
            await thief.says("restored_proof", _username=name, _token=token)
            await thief.hears("restored_proof_invalid")
        assert not any(hall.serving.arena.playing[match].seats.connected for match in hall.serving.arena.playing)
        await thief.says("restored_proof", _username="ada", _token=tokens["ada"])
        assert (await thief.hears("game_restored")) == {"gamename": PAIRS, "gametype": "Game"}
        for each in (guest, thief):
            await each.leave()

    evening(house, work)


# What is revoked while it is used


@pytest.mark.parametrize("plays", [False, True])
def test_a_user_of_a_hall_whose_token_is_revoked_has_to_go(house: House, plays: bool) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await socketeer(hall, "ada"), await socketeer(hall, "bob")
        if plays:
            for guest in (ada, bob):
                await guest.ready(PAIRS)
            await ada.hears("start_proposal")
        await revoke(hall, ada.token)
        assert (await ada.hears("error"))["code"] == "bad_token"
        await until(lambda: not ada.io.connected)
        again = await socketeer(hall)
        await again.says("restored_proof", _username="ada", _token=ada.token)
        await again.hears("restored_proof_invalid")
        await bob.says("get_entry_info", _token=bob.token)
        await bob.hears("entry_info")
        for guest in (ada, bob, again):
            await guest.leave()

    evening(house, work)


@pytest.mark.parametrize("way", ["TCP", "WebSocket"])
def test_a_guest_of_lines_whose_token_is_revoked_has_to_go(house: House, way: str) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = [await to_arena(hall, way, username=name) for name in ("ada", "bob")]
        token = (await ada.hears("login_success"))["token"]
        await ada.hears("start_proposal")
        await revoke(hall, token)
        assert (await ada.hears("error"))["code"] == "bad_token"
        again = await to_arena(hall, way, token=token)
        assert (await again.hears("error"))["code"] == "bad_token"
        for line in (ada, bob, again):
            await line.drop()

    evening(house, work)


def test_a_guest_of_ours_whose_token_is_revoked_has_to_go(house: House) -> None:
    async def work(hall: Hall) -> None:
        host = await hall.account("host")
        table = (await hall.table(host, "forsale", "open", "random", "random", limit_s=3600))["table"]["id"]
        line = await Line.to(hall.serving.tcp_port)
        line.say(type="enter", game="forsale", table=table)
        line.say(type="hello")
        token = (await line.hear("seat"))["token"]
        await revoke(hall, token)
        assert (await line.hear("error"))["code"] == "bad_token"
        await line.ended()
        assert json.loads((await hall.get("/me", token)).content)["code"] == "bad_token"

    evening(house, work)
