"""The messages of a seat: exactly what was said, for its owner alone, and never a token."""

import asyncio
import json
import weakref
from pathlib import Path
from typing import Any

import pytest

from parlour.core import Dialect
from parlour.players.remote import RemotePlayer
from parlour.server.accounts import Doorkeeper
from parlour.server.api.spectators import Watching
from parlour.server.ops.metrics import Metrics
from parlour.server.settings import Settings
from parlour.tables import seat_log
from parlour.tables.seat_log import HIDDEN, LogMemory, SeatLog, SeatLogs, waiting_log, without_secrets
from parlour.tables.seating import QuickTables
from parlour.transports.peer import Peer
from tests.server.arenas import Hall, House, evening
from tests.server.authors import seated, waiting
from tests.server.test_watching import streamed, told

TOKEN = "parlour_" + "x" * 43


def test_a_log_shows_what_was_said_and_is_kept_after_the_end(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("ada"), await hall.account("bob")
        async with seated(hall, ada, bob) as (one, other):
            await one.seat.say(type="nonsense", about="äöü\u0000<img src=x>")
            await one.seat.hear("fault")
            first = (await one.get("messages"))["messages"]
            assert [message["from"] for message in first[:3]] == ["server", "client", "server"]
            assert json.loads(first[0]["text"])["type"] == "hello"
            assert json.loads(first[1]["text"])["salt"] == json.loads(first[1]["text"])["token"] == HIDDEN
            [nonsense] = [json.loads(said["text"]) for said in first[3:] if said["from"] == "client"]
            assert nonsense["about"] == "äöü\u0000<img src=x>"
            [own] = (await hall.get("/me/seats", ada)).json()["seats"]
            assert (own["state"], own["way"], own["is_connected"], own["takes_again"]) == (
                "running",
                "websocket",
                True,
                False,
            )
            live = asyncio.create_task(streamed(hall, f"/matches/{one.table}/messages/live", ada))
            await asyncio.gather(one.play(), other.play())
            seen = await live
        match = one.table
        await hall.over(match)
        kept = (await one.get("messages"))["messages"]
        assert json.loads(kept[-1]["text"])["type"] == "over" and [m["n"] for m in kept] == [*range(1, len(kept) + 1)]
        assert seen == [*kept, {"type": "over"}]
        assert all(message["size"] == len(message["text"].encode()) for message in kept[2:])
        [matches] = (await hall.get("/me/matches", ada)).json()["matches"]
        assert (matches["match"]["id"], matches["seat"], matches["is_connected"]) == (match, one.number, False)
        assert matches["faults"] is not None
        async with hall.connect(f"/watch/{match}/messages") as line:
            await line.send(json.dumps({"type": "hello", "token": bob}))
            assert (await told(line))[-1] == {"type": "over"}

    evening(House(tmp_path), work)


def test_nobody_else_sees_a_log(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada, bob, eve, admin = [await hall.account(name) for name in ("ada", "bob", "eve")] + [await hall.admin()]
        async with seated(hall, ada, bob) as (one, other):
            await one.seat.say(type="nonsense", secret="of Ada")

            async def check() -> None:
                for what in ("messages", "messages/live", "stderr", "notes"):
                    path = f"/matches/{one.table}/{what}"
                    for token in (eve, admin, await hall.guest()):
                        assert (await hall.get(path, token)).json()["code"] == "not_yours"
                    assert (await hall.get(path)).status_code == 401
                    assert (await hall.get(f"/matches/none/{what}", ada)).status_code == 404
                assert "nonsense" not in json.dumps(await other.get("messages"))
                host = (await hall.post("/tokens", ada, scopes=["host"])).json()["token"]
                assert (await hall.get(f"/matches/{one.table}/messages", host)).json()["code"] == "scope_needed"
                assert (await hall.get("/me/seats", host)).json()["code"] == "scope_needed"
                assert (await hall.get("/me/matches", host)).json()["code"] == "scope_needed"
                assert (await hall.get("/me/seats", eve)).json() == {"seats": []}
                assert (await hall.get("/me/matches", eve)).json() == {"matches": [], "next": None}

            await check()
            await asyncio.gather(one.play(), other.play())
        await hall.over(one.table)
        await check()

    evening(House(tmp_path), work)


def test_the_log_of_a_table_that_waits_goes_on_with_the_next_connection_and_ends_with_the_table(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        async with waiting(hall, ada, about={"n": 1}) as bot, hall.connect(f"/watch/{bot.table}/messages") as line:
            await line.send(json.dumps({"type": "hello", "token": ada}))
            seen = [json.loads(await line.recv()) for _ in range(2)]
            async with hall.connect(f"/play/forsale/{bot.table}", ada) as again:
                await again.send(json.dumps({"type": "hello", "about": {"n": 2}}))
                seen += [json.loads(await line.recv()) for _ in range(3)]
                assert [message["n"] for message in seen] == [1, 2, 3, 4, 5]
                assert [json.loads(message["text"])["type"] for message in seen] == [*["hello"] * 4, "error"]
                assert (await bot.get("messages"))["messages"] == seen
                await hall.serving.arena.drop(bot.table)
                assert [message["type"] for message in await told(line)] == ["message", "over"]

    evening(House(tmp_path), work)


def test_a_log_that_is_never_read_is_not_watched(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada, arena = await hall.account("ada"), hall.serving.arena
        async with waiting(hall, ada) as bot:
            watching = Watching(arena, Doorkeeper(hall.store), Settings(), Metrics())
            messages = await watching.log(bot.table, ada)
            await messages.aclose()
            log = waiting_log(arena.open[bot.table].chairs[0].player)
            assert log is not None and not log._watchers.all

    evening(House(tmp_path), work)


def test_a_guest_sees_its_own_log_without_its_token(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        async with hall.connect("/play/forsale") as line:
            await line.send(json.dumps({"type": "hello", "name": "Gus", "about": {"join_key": "sesame"}}))
            async with waiting(hall, await hall.guest()):
                pass
            hall.serving.arena.quick_s = 0
            seat: dict[str, Any] = {}
            table = next(iter(hall.serving.arena.open.values()))
            QuickTables.fill(table)
            await hall.serving.arena.begin_if_full(table)
            while seat.get("type") != "seat":
                seat = json.loads(await line.recv())
            said = json.dumps((await hall.get(f"/matches/{seat['match']}/messages", seat["token"])).json())
        assert "sesame" not in said and seat["token"] not in said and HIDDEN in said

    evening(House(tmp_path), work)


@pytest.mark.parametrize(
    "said",
    [
        b'{"type":"hello","token":"%s"}' % TOKEN.encode(),
        b'{"type":"hello", "token" : "%s", "about":{"join_key":"sesame"}}' % TOKEN.encode(),
        b'{"type":"hello","\\u0074oken":"\\u0070arlour_%s"}' % (b"x" * 43),
        b'{"type":"hello","salt":"a\\"sesame"}',
        b"parlour_" + b"x" * 43,
        b'{"type":"join","secret":"sesame"}',
        b'{"type":"hello","token":"parlour_%s\\u0078xxxxxxx"}' % (b"y" * 20),
        b'{"type":"hello","salt":"sesame',
        b'{"type":"hello","salt":"sesame\\',
        b'{"broken": "\\u0070arlour_' + b"x" * 43,
    ],
)
def test_no_secret_is_kept(said: bytes) -> None:
    shown = without_secrets(said)
    assert b"xxxxx" not in shown and b"sesame" not in shown


def test_what_has_no_secret_is_kept_as_it_is() -> None:
    for said in (b'{"type":"answer","id":1,"action":{"type":"Pass"}}', b"\xff\x00 hello", b'{"type": "hello"}'):
        assert without_secrets(said) == said


def test_a_secret_is_not_shown_where_a_message_is_cut() -> None:
    for before in (16_300, 16_370, 16_384, 17_390, 17_400):
        log = SeatLog(LogMemory())
        log.heard(b'{"type":"hello","about":"%s","salt":"%s"}' % (b"a" * before, b"sesame" * 9000))
        [message] = log.shown().messages
        assert "sesame" not in message.text and message.cut and message.size > 54_000


def test_secrets_are_not_looked_for_beyond_what_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def searched(raw: bytes) -> bytes:
        read.append(len(raw))
        return raw

    monkeypatch.setattr(seat_log, "without_secrets", searched)
    SeatLog(LogMemory()).heard(b"k" * 60_000)
    assert read == [seat_log.MOST_READ]


def of_match() -> SeatLog:
    """The log of a seat whose match has begun."""
    log = SeatLog(LogMemory())
    log.match = "a match"
    return log


def test_a_log_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    log = of_match()
    log.sent([b"a" * 20_000], "")
    [message] = log.shown().messages
    assert (len(message.text), message.size, message.cut) == (16_384, 20_000, True)
    log.heard(None)
    for _ in range(300):
        log.heard(b"b" * 1000)
    assert len(log.shown().messages) == 200 and log.shown().dropped == 102
    log.sent([b"c" * 16_000] * 50, "")
    assert sum(len(message.text) for message in log.shown().messages) <= seat_log.MOST_BYTES
    monkeypatch.setattr(seat_log, "MOST_OF_ALL", 100_000)
    log._memory.resize(2)
    log.heard(b"d")
    assert sum(len(message.text) for message in log.shown().messages) <= 50_000


def finished(logs: SeatLogs, match: str, account: int) -> tuple["weakref.ref[RemotePlayer]", SeatLog]:
    """A client that has said 100 kB in a match that is over."""
    player = RemotePlayer(Peer(), Dialect())
    logs.begin(player)
    logs.seated(match, "forsale", 0, account, player)
    log = logs.of(match, account)
    assert log is not None
    log.sent([b"a" * 10_000] * 10, "")
    logs.ended(match, [account, None], is_over=True)
    return weakref.ref(player), log


def test_what_is_no_longer_kept_takes_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    logs = SeatLogs()
    ended = [finished(logs, f"match {n}", 1) for n in range(30)]
    assert not any(player() for player, _ in ended), "a log keeps its client, and so its match"
    assert len(logs.of_account(1)) == 20 and not any(log.size for _, log in ended[:10])
    monkeypatch.setattr(seat_log, "MOST_OF_ENDED", 1_000_000)
    others = [finished(logs, "another", account) for account in range(2, 6)]
    assert all(log.size for _, log in others)
    assert 800_000 < sum(log.size for _, log in [*ended, *others]) <= 1_000_000


def test_many_small_messages_are_bounded_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat_log, "MOST_OF_ALL", 10_000)
    log = of_match()
    log._memory.resize(2)
    for _ in range(200):
        log.heard(b"x")
    assert len(log.shown().messages) < 40


def test_a_log_is_shorter_before_the_match() -> None:
    log, message = SeatLog(LogMemory()), b"x" * 16_000
    for _ in range(60):
        log.heard(message)
    assert len(message) < log.size <= seat_log.MOST_WAITING
    log.match = "a match"
    for _ in range(60):
        log.heard(message)
    assert seat_log.MOST_WAITING < log.size <= seat_log.MOST_BYTES
