"""Players of a table write to each other, if the host allows it. Nobody else reads it, and no transcript has it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection

from parlour.protocol.errors import RequestError
from parlour.protocol.feed import FeedChat
from parlour.protocol.records import StoredMatch, now_ms
from parlour.server.api import chat as chat_routes
from parlour.server.api.table_chat import AFTER_MS, TableChat, seats_that_left
from parlour.server.ops.housekeeping import DAY_S
from parlour.store.tidy import DAY_MS
from parlour.transports.limits import CHAT_BURST
from tests.server.arenas import Hall, House, Seat, evening
from tests.turned import SOON_S, settle, turn, until

SECRET = "meet me behind the felt"
WITHIN_S = 300.0
"""A longer period of the limit, so that a slow machine does not matter."""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.setattr(chat_routes, "CHAT_BURST_S", WITHIN_S)
    return House(tmp_path, log="off", chat=True)


def code(said: httpx.Response) -> tuple[int, str]:
    return said.status_code, said.json()["code"]


async def opened(hall: Hall, *players: str, **terms: Any) -> str:
    """A table with a chat at which these players sit, with a free seat."""
    host = await hall.account("host")
    seats = ["open"] * max(len(players) + 1, 3)
    table: str = (await hall.table(host, "forsale", *seats, **{"chat": True, **terms}))["table"]["id"]
    for player in players:
        assert (await hall.post(f"/tables/{table}/join", player)).status_code == 200
    return table


async def begun(hall: Hall, *players: str) -> str:
    """A running match of these players and bots, with a chat."""
    host = await hall.account("host")
    seats = [*["open"] * len(players), *["random"] * (3 - len(players))]
    table: str = (await hall.table(host, "forsale", *seats, chat=True))["table"]["id"]
    for player in players:
        await hall.post(f"/tables/{table}/join", player)
    await until(lambda: table in hall.serving.arena.playing)
    return table


async def say(hall: Hall, table: str, token: str | None, text: str = SECRET) -> httpx.Response:
    return await hall.post(f"/matches/{table}/chat", token, text=text)


async def read(hall: Hall, table: str, token: str, after: int = 0) -> list[str]:
    said = await hall.get(f"/matches/{table}/chat?after={after}", token)
    assert said.status_code == 200, said.text
    return [message["text"] for message in said.json()["messages"]]


@asynccontextmanager
async def watching(hall: Hall, path: str, token: str | None = None) -> AsyncIterator[Seat]:
    async with hall.connect(path, token) as line:
        yield Seat(line)


async def all_heard(line: ClientConnection) -> list[dict[str, Any]]:
    """All messages until the server is silent."""
    heard = []
    while True:
        try:
            async with asyncio.timeout(0.1):
                heard.append(json.loads(await line.recv()))
        except TimeoutError:
            return heard


def test_players_talk_at_a_table_that_waits_in_its_match_and_after_it(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, bob, cyd = [await hall.account(name) for name in ("ada", "bob", "cyd")]
        table = await opened(hall, ada, bob)
        async with watching(hall, f"/watch/{table}/me?full=true", bob) as seat:
            await seat.hear("waiting")
            said = await say(hall, table, ada, "  hello  ")
            assert said.status_code == 201
            first = said.json()
            assert (first["seat"], first["name"], first["text"]) == (0, "ada", "hello")
            assert abs(first["ms"] - now_ms()) < 60_000
            assert await seat.hear("chat") == {"type": "chat", **first}
            await hall.post(f"/tables/{table}/join", cyd)
            await seat.hear("view")
            second = (await say(hall, table, cyd, "good luck")).json()
            assert second["n"] > first["n"]
            assert await seat.hear("chat") == {"type": "chat", **second}
            await hall.store.orders.give("stop", table)
            await seat.hear("over")
        await hall.over(table)
        assert (await say(hall, table, bob, "well played")).status_code == 201
        assert await read(hall, table, bob) == ["hello", "good luck", "well played"]
        assert await read(hall, table, cyd, after=second["n"]) == ["well played"]

    evening(house, work)


def test_nobody_but_the_players_hears_it(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, bob, eve = [await hall.account(name) for name in ("ada", "bob", "eve")]
        table = await begun(hall, ada, bob)
        paths = [(f"/watch/{table}", None), (f"/watch/{table}?full=true", None), (f"/watch/{table}/me", bob)]
        others = [(await hall.connect(path, token).__aenter__()) for path, token in paths]
        async with watching(hall, f"/watch/{table}/me?full=true", bob) as seat:
            await seat.hear("view")
            await say(hall, table, ada)
            await seat.hear("chat")
        for line in others:
            assert SECRET not in json.dumps(await all_heard(line))
            await line.close()
        await hall.store.orders.give("stop", table)
        await hall.over(table)
        for path in ("", "/transcript", "/timeline?seat=1", "/frames?seat=1"):
            said = await hall.get(f"/matches/{table}{path}")
            assert said.status_code == 200 and SECRET not in said.text, path
        assert SECRET not in b"".join(await hall.store.lines(table)).decode()
        assert (await hall.proof(table)).holds == "yes"
        assert code(await hall.get(f"/matches/{table}/chat", eve)) == (403, "not_yours")

    evening(house, work)


def test_spectators_of_a_waiting_table_and_players_who_left_it_hear_nothing(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("ada"), await hall.guest()
        table = await opened(hall, ada, bob)
        async with (
            watching(hall, f"/watch/{table}?full=true") as spectator,
            watching(hall, f"/watch/{table}/me?full=true", bob) as seat,
            watching(hall, f"/play/forsale/{table}", bob) as play,
        ):
            await play.hello("bob")
            for each in (spectator, seat):
                await each.hear("waiting")
            await until(lambda: hall.serving.arena.open[table].chairs[1].is_connected)
            await play.say(type="leave")
            await until(lambda: hall.serving.arena.open[table].chairs[1].free)
            assert (await say(hall, table, ada)).status_code == 201
            assert code(await say(hall, table, bob)) == (403, "not_yours")
            assert code(await hall.get(f"/matches/{table}/chat", bob)) == (403, "not_yours")
            for each in (spectator, seat):
                assert "chat" not in [message["type"] for message in await all_heard(each.line)]

    evening(house, work)


def test_nobody_writes_under_the_name_of_the_player_who_had_the_seat_before(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("ada"), await hall.account("bob")
        table = await opened(hall, ada)
        before = await hall.store.match(table)
        async with watching(hall, f"/play/forsale/{table}", ada) as play:
            await play.hello("ada")
            await until(lambda: hall.serving.arena.open[table].chairs[0].is_connected)
            await play.say(type="leave")
            await until(lambda: hall.serving.arena.open[table].chairs[0].free)
        await hall.post(f"/tables/{table}/join", bob)

        async def read_before(match: str) -> StoredMatch | None:
            return before

        monkeypatch.setattr(hall.store, "match", read_before)  # the seat changes hands while the row is read
        said = (await say(hall, table, bob)).json()
        assert (said["seat"], said["name"]) == (0, "bob")

    evening(house, work)


def test_rights_to_write(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, bob, eve = [await hall.account(name) for name in ("ada", "bob", "eve")]
        table = await opened(hall, ada)
        lesser = (await hall.post("/tokens", ada, scopes=["host"])).json()["token"]
        assert code(await say(hall, table, None)) == (401, "bad_token")
        assert code(await say(hall, table, "parlour_nonsense")) == (401, "bad_token")
        assert code(await say(hall, table, lesser)) == (403, "scope_needed")
        assert code(await say(hall, table, eve)) == (403, "not_yours")
        assert code(await say(hall, "m" * 32, ada)) == (404, "no_such_match")
        assert (await say(hall, "m" * 65, ada)).status_code == 400
        other = (await hall.table(bob, "forsale", "open", "open", "open", chat=True))["table"]["id"]
        assert code(await say(hall, other, ada)) == (403, "not_yours")
        silent = (await hall.table(bob, "forsale", "open", "open", "open"))["table"]["id"]
        await hall.post(f"/tables/{silent}/join", ada)
        assert code(await say(hall, silent, ada)) == code(await hall.get(f"/matches/{silent}/chat", ada))
        assert code(await say(hall, silent, ada)) == (403, "no_chat")
        quick = (await hall.post("/queue/forsale", ada)).json()["table"]
        assert code(await say(hall, quick, ada)) == (403, "no_chat")

    evening(house, work)


def test_a_player_who_left_or_was_banned_can_no_longer_write(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, bob, admin = await hall.account("ada"), await hall.account("bob"), await hall.admin()
        table = await begun(hall, ada, bob)
        async with watching(hall, f"/play/forsale/{table}", ada) as play:
            await play.hello("ada")
            await play.hear("seat")
            await play.say(type="leave")
            await until(lambda: hall.serving.arena.playing[table].match.gone)
        assert code(await say(hall, table, ada)) == (403, "left")
        assert "you have left" in (await hall.get(f"/matches/{table}/chat", ada)).json()["closed"]
        await hall.put(f"/accounts/{await hall.id(bob)}/ban", admin)
        assert code(await say(hall, table, bob)) == (403, "banned")
        await hall.store.orders.give("stop", table)
        await hall.over(table)
        assert seats_that_left(await hall.store.lines(table)) == {0, 1}
        assert code(await say(hall, table, ada)) == (403, "left")

    evening(house, work)


BAD_TEXTS = {
    "empty": "",
    "blank": "   ",
    "joiners alone": "\u200d\u200c",
    "a soft hyphen alone": "\u00ad",
    "a variation selector alone": "\ufe0f",
    "blank letters": "\u3164 \u2800",
    "too long": "x" * 301,
    "a line break": "one\ntwo",
    "a final line break": "one\n",
    "a null": "nu\x00ll",
    "an escape": "\x1b[31mred",
    "a delete": "a\x7f",
    "another direction": "safe\u202etxt.exe",
    "a mark of direction": "a\u200fb",
    "an isolate": "\u2067abc\u2069",
    "a line separator": "a\u2028b",
    "no width": "a\u200bb",
    "a tag": "a\U000e0041",
    "not text": 7,
    "nothing": None,
    "a list": ["a"],
}


def test_what_cannot_be_a_message(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        table = await opened(hall, ada)
        path, headers = f"/api/matches/{table}/chat", {"Authorization": f"Bearer {ada}"}
        for name, text in BAD_TEXTS.items():
            said = await hall.post(f"/matches/{table}/chat", ada, text=text)
            assert code(said) == (400, "bad_request"), name
            assert not isinstance(text, str) or len(text) < 4 or text not in said.text, name
        bodies: list[Any] = [{}, {"text": "a", "more": 1}, [], "text", {"text": {"text": "a"}}]
        for body in bodies:
            assert code(await hall.http.post(path, json=body, headers=headers)) == (400, "bad_request"), body
        for content, status in ((b"text=a", 415), (b"{", 415), (b"", 400)):
            assert (await hall.http.post(path, content=content, headers=headers)).status_code == status
        told = {**headers, "Content-Type": "application/json"}
        for content in (b"{", b"\xff\xfe", b'{"text": "\\ud800"}', b""):
            assert code(await hall.http.post(path, content=content, headers=told)) == (400, "bad_request"), content
        big = b'{"text": "' + b"x" * 70_000 + b'"}'
        assert code(await hall.http.post(path, content=big, headers=told)) == (413, "too_large")
        for after in ("-1", "x", str(2**40)):
            assert (await hall.get(f"/matches/{table}/chat?after={after}", ada)).status_code == 400
        assert await read(hall, table, ada) == []

    evening(house, work)


def test_text_is_kept_as_it_is(house: House) -> None:
    async def work(hall: Hall) -> None:
        name = "<img src=x onerror=alert(1)>"
        ada = (await hall.post("/guests", name=name)).json()["token"]
        table = await opened(hall, ada)
        texts = ["<script>alert(1)</script>", "שלום 👩‍👩‍👧", "'; DROP TABLE chat; --", "x" * 300]
        for text in texts:
            said = (await say(hall, table, ada, text)).json()
            assert said["name"].startswith(name) and said["text"] == text
        assert await read(hall, table, ada) == texts

    evening(house, work)


def test_too_fast_and_the_same_twice(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("ada"), await hall.account("bob")
        table = await opened(hall, ada, bob)
        for _ in range(CHAT_BURST):
            assert (await say(hall, table, ada, "again")).status_code == 201
        refused = await say(hall, table, ada, "again")
        assert code(refused) == (429, "too_many_tries") and "Retry-After" in refused.headers
        assert (await say(hall, table, bob, "calm down")).status_code == 201
        turn(WITHIN_S)
        assert (await say(hall, table, ada, "sorry")).status_code == 201
        assert await read(hall, table, bob) == [*["again"] * CHAT_BURST, "calm down", "sorry"]

    evening(house, work)


def test_messages_are_told_in_the_order_of_their_numbers(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that asks for the messages after the last known number misses none."""

    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("ada"), await hall.account("bob")
        table, add = await opened(hall, ada, bob), hall.store.chat.add

        async def add_slowly(*message: Any) -> FeedChat | None:
            added = await add(*message)
            if added is not None and added.n == 1:  # a transaction of PostgreSQL has its number before it is committed
                await settle()
            return added

        monkeypatch.setattr(hall.store.chat, "add", add_slowly)
        async with watching(hall, f"/watch/{table}/me?full=true", bob) as seat:
            await seat.hear("waiting")
            await asyncio.gather(say(hall, table, ada, "one"), say(hall, table, bob, "two"))
            assert [(await seat.hear("chat"))["n"] for _ in range(2)] == [1, 2]

    evening(house, work)


def test_a_flood_harms_nobody(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("ada"), await hall.account("bob")
        table = await begun(hall, ada, bob)
        async with watching(hall, f"/watch/{table}/me?full=true", bob) as seat:
            await seat.hear("view")
            said = await asyncio.gather(*(say(hall, table, ada, f"flood {n}") for n in range(100)))
            assert [one.status_code for one in said].count(201) == CHAT_BURST
            assert {one.status_code for one in said} == {201, 429}
            numbers = [(await seat.hear("chat"))["n"] for _ in range(CHAT_BURST)]
            assert sorted(numbers) == sorted(one.json()["n"] for one in said if one.status_code == 201)
        monkeypatch.setattr("parlour.server.api.table_chat.CHAT_MESSAGES", CHAT_BURST)
        assert code(await say(hall, table, bob)) == (409, "chat_full")
        assert hall.serving.arena.playing[table].match.gone == {}

    evening(house, work)


def test_it_closes_ten_minutes_after_the_end(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        table = await begun(hall, ada)
        await say(hall, table, ada)
        await hall.store.orders.give("stop", table)
        await hall.over(table)
        assert (await hall.get(f"/matches/{table}/chat", ada)).json()["closed"] is None
        ended_ms = (await hall.get(f"/matches/{table}")).json()["ended_ms"]
        account = await hall.store.account("ada")
        assert account is not None
        for late_ms, is_closed in ((AFTER_MS - 1, False), (AFTER_MS, True)):
            chat = TableChat(hall.store, hall.serving.arena, is_allowed=True, clock=lambda: ended_ms + late_ms)  # noqa: B023
            seat = await chat.seat(table, account)
            assert (await chat.why_closed(seat) is not None) == is_closed
        with pytest.raises(RequestError) as refused:
            await chat.say(seat, account, "too late")
        assert (refused.value.status, refused.value.code) == (409, "chat_closed")
        assert [message.text for message in await chat.read(seat, 0)] == [SECRET]
        dropped = (await hall.table(ada, "forsale", "open", "open", "open", chat=True))["table"]["id"]
        await hall.post(f"/tables/{dropped}/join", ada)
        await hall.delete(f"/tables/{dropped}", ada)
        assert code(await say(hall, dropped, ada)) == (409, "chat_closed")

    evening(house, work)


def test_only_where_the_host_allows_it_and_never_on_quick_tables(tmp_path: Path) -> None:
    async def refused(hall: Hall, **terms: Any) -> tuple[int, str]:
        seats = [{"kind": "open"}] * 3
        return code(await hall.post("/tables", await hall.guest(), game="forsale", seats=seats, terms=terms))

    async def work(hall: Hall) -> None:
        assert (await hall.get("/")).json()["chat"] is False
        assert await refused(hall, chat=True) == (400, "no_chat")
        assert await refused(hall, chat=True, quick=True) == (400, "no_chat")
        assert await refused(hall, chat="yes") == (400, "bad_request")

    async def allowed(hall: Hall) -> None:
        assert (await hall.get("/")).json()["chat"] is True
        assert await refused(hall, chat=True, quick=True) == (400, "no_chat")

    evening(House(tmp_path, log="off"), work)
    evening(House(tmp_path, log="off", chat=True), allowed)


def test_it_survives_a_restart_and_stops_with_the_setting(tmp_path: Path) -> None:
    async def work(hall: Hall) -> tuple[str, str]:
        ada = await hall.account("ada")
        table = await opened(hall, ada)
        assert (await say(hall, table, ada)).status_code == 201
        return table, ada

    table, ada = evening(House(tmp_path, log="off", chat=True), work)

    async def later(hall: Hall) -> None:
        assert await read(hall, table, ada) == [SECRET]
        assert (await say(hall, table, ada, "still here")).status_code == 201

    async def silent(hall: Hall) -> None:
        assert code(await say(hall, table, ada)) == (403, "no_chat")

    evening(House(tmp_path, log="off", chat=True), later)
    evening(House(tmp_path, log="off"), silent)


def test_a_rematch_has_the_same_chat_rule_and_no_old_message(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        table = await begun(hall, ada)
        await say(hall, table, ada)
        await hall.store.orders.give("stop", table)
        await hall.over(table)
        again = (await hall.post(f"/matches/{table}/rematch", ada)).json()["table"]
        assert (await hall.get(f"/matches/{again}")).json()["terms"]["chat"] is True
        assert await read(hall, again, ada) == []

    evening(house, work)


def test_what_an_account_wrote_is_exported_and_deleted_with_it(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("ada"), await hall.guest()
        table = await opened(hall, ada, bob)
        n = (await say(hall, table, bob)).json()["n"]
        answer = (await say(hall, table, ada, "who is there?")).json()["n"]
        await hall.post(f"/matches/{table}/chat/{n}/report", ada, why="rude")
        await hall.post(f"/matches/{table}/chat/{answer}/report", bob)
        data = (await hall.get("/me/export", ada)).json()
        assert [(each["match"], each["n"], each["text"]) for each in data["chat"]] == [(table, answer, "who is there?")]
        assert [(each["match"], each["n"], each["why"]) for each in data["reports"]] == [(table, n, "rude")]
        assert SECRET not in json.dumps(data)
        assert (await hall.http.delete("/api/me", headers={"Authorization": f"Bearer {bob}"})).status_code == 204
        assert await read(hall, table, ada) == ["who is there?"]
        assert (await hall.get("/admin/reports", await hall.admin())).json()["reports"] == []
        assert (await hall.get("/me/export", ada)).json()["reports"] == []
        turn(WITHIN_S)
        assert (await say(hall, table, ada, "gone")).json()["n"] > answer

    evening(house, work)


def test_messages_are_deleted_after_some_days(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        table = await opened(hall, ada)
        with monkeypatch.context() as patch:
            patch.setattr("parlour.store.chat_messages.now_ms", lambda: now_ms() - 30 * DAY_MS)
            await say(hall, table, ada, "old")
            patch.setattr("parlour.store.chat_messages.now_ms", lambda: now_ms() - 29 * DAY_MS)
            await say(hall, table, ada, "young")
        assert await read(hall, table, ada) == ["old", "young"]
        turn(DAY_S)
        async with asyncio.timeout(30):
            while await read_stored(hall, table) != ["young"]:
                await settle()

    evening(house, work)


def test_messages_are_deleted_even_if_guests_cannot_be(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(hall: Hall) -> None:
        async def fail(*_: Any) -> list[int]:
            raise RuntimeError("a bug")

        monkeypatch.setattr(hall.store, "idle_guests", fail)
        ada = await hall.account("ada")
        table = await opened(hall, ada)
        with monkeypatch.context() as patch:
            patch.setattr("parlour.store.chat_messages.now_ms", lambda: now_ms() - 30 * DAY_MS)
            await say(hall, table, ada, "old")
        turn(DAY_S)
        async with asyncio.timeout(SOON_S):
            while await read_stored(hall, table):
                await settle()

    evening(house, work)


async def read_stored(hall: Hall, table: str) -> list[str]:
    return [message.text for message in await hall.store.chat.of_match(table, 0, 10)]


def test_players_report_and_administrators_look(house: House) -> None:
    async def work(hall: Hall) -> None:
        ada, bob, eve, admin = [*[await hall.account(name) for name in ("ada", "bob", "eve")], await hall.admin()]
        table = await opened(hall, ada, bob)
        for text in ("1", "2", "3", "4"):
            await say(hall, table, bob, text)
        n = (await say(hall, table, ada, "you fool")).json()["n"]
        path = f"/matches/{table}/chat/{n}/report"
        assert (await hall.post(path, bob, why=" an insult ")).status_code == 204
        assert (await hall.post(path, bob, why="again")).status_code == 204
        assert code(await hall.post(path, ada)) == (409, "yourself")
        assert code(await hall.post(path, eve)) == (403, "not_yours")
        assert code(await hall.post(path)) == (401, "bad_token")
        assert code(await hall.post(path, bob, why="x" * 301)) == (400, "bad_request")
        assert code(await hall.post(path, bob, why="\u202e")) == (400, "bad_request")
        assert code(await hall.post(path, bob, reason="x")) == (400, "bad_request")
        for unknown in (n + 1, 0, 2**60):
            assert code(await hall.post(f"/matches/{table}/chat/{unknown}/report", bob)) == (404, "no_such_message")
        [report] = (await hall.get("/admin/reports", admin)).json()["reports"]
        assert (report["match"], report["game"], report["why"]) == (table, "forsale", "an insult")
        assert (report["message"]["text"], report["message"]["name"], report["reporter"]) == ("you fool", "ada", "bob")
        assert (report["account"], report["reporter_account"]) == (await hall.id(ada), await hall.id(bob))
        assert [message["text"] for message in report["around"]] == ["2", "3", "4", "you fool"]
        for token, refusal in ((None, (401, "bad_token")), (ada, (403, "scope_needed"))):
            assert code(await hall.get("/admin/reports", token)) == refusal
            assert code(await hall.delete(f"/admin/reports/{report['id']}", token)) == refusal
        assert (await hall.get("/admin/reports?limit=0", admin)).status_code == 400
        assert (await hall.get(f"/admin/reports?after={report['id']}", admin)).json()["reports"] == []
        assert (await hall.delete(f"/admin/reports/{report['id']}", admin)).status_code == 204
        for gone in (report["id"], 0, 2**60):
            assert code(await hall.delete(f"/admin/reports/{gone}", admin)) == (404, "no_such_report")
        assert len(await read(hall, table, bob)) == 5

    evening(house, work)
