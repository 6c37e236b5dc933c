"""The arena signs how matches ended: for players and over HTTP, never before the end, with one key per store."""

import asyncio
import json
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from parlour.client import Client
from parlour.client.api import ArenaApi
from parlour.core import Over, Result, Signature, Value
from parlour.games import game
from parlour.protocol.v1 import V1
from parlour.referee.signature import is_signed, statement
from parlour.referee.transcript import End, read_record, split
from parlour.store.backup import back_up
from parlour.tables.signed_ends import Ends
from tests.cli.test_commands import parlour
from tests.server.arenas import Hall, House, Seat, evening
from tests.store.postgres import new_database
from tests.store.stored import running

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, log="off")


async def played(hall: Hall, token: str) -> tuple[str, dict[str, Any]]:
    """A match of one connected player and two bots: its name, and its `over`."""
    table: str = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
    told: list[Any] = []
    client = Client(hall.url, token, watch=told.append)
    await client.play_async("forsale", game("forsale").hosting.bots["minimum"], table=table)
    await hall.over(table)
    return table, json.loads(json.dumps({f: getattr(told[-1], f) for f in ("head", "signature", "public_key")}))


async def stated(hall: Hall, match: str) -> tuple[bytes, str, str]:
    """The signed statement and its two hashes, computed from the transcript alone."""
    lines = split((await hall.get(f"/matches/{match}/transcript")).content)
    end = read_record(lines[-2], len(lines) - 1)
    assert isinstance(end, End)
    header, head = sha256(lines[0]).hexdigest(), sha256(lines[-2]).hexdigest()
    return statement(match, header, head, end.end), header, head


def test_the_end_is_signed_for_players_and_for_everybody(house: House) -> None:
    async def work(hall: Hall) -> None:
        match, over = await played(hall, await hall.account("ada"))
        key = (await hall.get("/key")).json()
        assert key == {"algorithm": "Ed25519", "public_key": over["public_key"]}
        assert await asyncio.to_thread(ArenaApi(hall.url).key) == over["public_key"]
        words, header, head = await stated(hall, match)
        assert over["head"] == head and is_signed(Signature(over["signature"], over["public_key"]), words)
        proof = (await hall.get(f"/matches/{match}")).json()["proof"]
        assert proof == {"header": header, **over}
        info = await asyncio.to_thread(ArenaApi(hall.url).match, match)
        assert info.proof is not None and info.proof.signature == over["signature"]
        [listed] = (await hall.get("/matches?state=over")).json()["matches"]
        assert listed["proof"] is None

    evening(house, work)


def test_nothing_is_signed_before_the_end(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    read = Ends._read

    async def noticed(self: Ends, match: str) -> Any:
        asked.append(match)
        return await read(self, match)

    monkeypatch.setattr(Ends, "_read", noticed)

    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        table: str = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
        assert (await hall.get(f"/matches/{table}")).json()["proof"] is None
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("x", token=token)
            await seat.first_choice()
            await seat.hear("ask")
            info = (await hall.get(f"/matches/{table}")).json()
            assert info["state"] == "running" and info["proof"] is None
            told = json.dumps(seat.heard)
        assert asked == [] and "signature" not in told and 'head"' not in told

    evening(house, work)


def test_a_client_that_comes_after_the_end_is_told_the_same_signature(house: House) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        match, over = await played(hall, token)
        async with hall.connect(f"/play/forsale/{match}") as line:
            late = await Seat(line).hear("over")
        assert {name: late[name] for name in over} == over

    evening(house, work)


def test_a_match_that_ended_before_its_server_could_sign_is_signed_when_asked_for(house: House) -> None:
    async def work(hall: Hall) -> tuple[str, str]:
        match, _ = await played(hall, await hall.account("ada"))
        return match, (await hall.get("/key")).json()["public_key"]

    match, before = evening(house, work)
    file = house.url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(file)) as store, store:  # as an updated store of an older release is: no key yet
        assert store.execute("DELETE FROM keys").rowcount == 1

    async def again(hall: Hall) -> None:
        proof = (await hall.get(f"/matches/{match}")).json()["proof"]
        words, _, _ = await stated(hall, match)
        assert proof["public_key"] != before
        assert is_signed(Signature(proof["signature"], proof["public_key"]), words)

    evening(house, again)


def test_a_void_match_that_cannot_be_read_has_no_proof(house: House) -> None:
    async def work(hall: Hall) -> None:
        id = await running(hall.store)
        await hall.store.writer.keep(id, 0, [b'{"kind": "end"}'])
        await hall.store.change_match(id, state="void")
        said = await hall.get(f"/matches/{id}")
        assert said.status_code == 200 and said.json()["proof"] is None
        async with hall.connect(f"/play/forsale/{id}") as line:
            assert (await Seat(line).hear("error"))["code"] == "void"

    evening(house, work)


def test_a_referee_without_a_server_signs_nothing_and_its_over_is_as_before() -> None:
    told = V1(game("forsale")).over(Over(Result((1, 2, 3), (3, 2, 1)), "0" * 64, "m.jsonl"), Value())
    assert told == [
        b'{"type":"over","scores":[1,2,3],"ranks":[3,2,1],"void":null,"head":"' + b"0" * 64 + b'","record":"m.jsonl"}'
    ]


async def public_key(hall: Hall) -> str:
    key: str = (await hall.get("/key")).json()["public_key"]
    return key


def test_a_key_is_made_once_and_two_servers_have_two(tmp_path: Path) -> None:
    keys = []
    for name in ("one", "two", "one"):
        (tmp_path / name).mkdir(exist_ok=True)
        keys.append(evening(House(tmp_path / name, log="off"), public_key))
    assert keys[0] == keys[2] != keys[1]


def test_the_key_is_in_a_backup_and_printed_for_administrators(tmp_path: Path) -> None:
    (tmp_path / "again").mkdir()
    key = evening(House(tmp_path, log="off"), public_key)
    back_up(tmp_path / "arena.db", tmp_path / "again" / "arena.db")
    restored = House(tmp_path / "again", log="off")
    assert evening(restored, public_key) == key
    assert parlour("admin", "key", "--store", restored.url).stdout == f"{key}\n"


def test_the_key_is_kept_in_postgresql(tmp_path: Path) -> None:
    house, other = House(tmp_path, log="off"), House(tmp_path, log="off")
    house.url, other.url = new_database(), new_database()
    key = evening(house, public_key)
    assert evening(other, public_key) != key == evening(house, public_key)


def test_the_private_key_is_told_nowhere(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async def work(hall: Hall) -> str:
        token = await hall.admin()
        match, over = await played(hall, token)
        paths = ("/key", "/matches", f"/matches/{match}", f"/matches/{match}/transcript", "/accounts", "/me")
        told = [(await hall.get(path, token)).text for path in paths]
        return "\n".join([*told, (await hall.http.get("/metrics")).text, json.dumps(over)])

    told = evening(House(tmp_path), work)
    with closing(sqlite3.connect(tmp_path / "arena.db")) as store:
        [(secret,)] = store.execute("SELECT secret FROM keys").fetchall()
    logged = capfd.readouterr()
    everything = told + logged.out + logged.err
    assert "serving" in logged.err and len(secret) == 32
    assert secret.hex() not in everything and repr(secret) not in everything
    assert (tmp_path / "arena.db").stat().st_mode & 0o077 == 0
