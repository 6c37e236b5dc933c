"""What programs write to stderr: kept for the owner of the seat, and of the host's commands for administrators."""

import asyncio
import json
import sys
from collections.abc import Iterator
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from parlour.client import Client, Noted
from parlour.games import game
from parlour.players.player_specs import load
from tests.server.arenas import Hall, House, evening
from tests.server.authors import seated

KEPT = 64 * 1024
FIRST = "first ä\u0000 line\n"
LOUD = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said["type"] == "hello":
        print(json.dumps({"type": "hello", "again": True}), flush=True)
    elif said["type"] in ("ask", "again"):
        print("thinking about", said["id"], "\\u0000 <b>", file=sys.stderr, flush=True)
        action = said["ask"]["choices"][-1]
        kind = "answer" if said["type"] == "ask" else "again"
        print(json.dumps({"type": kind, "id": said["id"], "action": action, "note": "why not"}), flush=True)
"""


def test_stderr_is_the_owners_alone_bounded_stored_exported_and_deleted(tmp_path: Path) -> None:
    house = House(tmp_path)

    async def work(hall: Hall) -> str:
        ada, bob = await hall.account("ada"), await hall.account("bob")
        async with seated(hall, ada, bob) as (one, other):
            await one.seat.say(type="stderr", text=FIRST)
            for _ in range(170):  # 10 MB: no fault, and the seat is kept
                await one.seat.say(type="stderr", text="x" * 60_000)
            await one.seat.say(type="stderr", text="ä", dropped=5)
            await other.seat.say(type="stderr", text="of Bob")
            await asyncio.gather(one.play(), other.play())
            await hall.over(one.table)
            said = await one.get("stderr")
            assert said["text"].startswith(FIRST + "xxx") and len(said["text"].encode()) == KEPT
            assert said["dropped"] == len(FIRST.encode()) + 170 * 60_000 + 2 + 5 - KEPT
            assert await other.get("stderr") == {"text": "of Bob", "dropped": 0}
            assert await one.get(f"stderr?seat={one.number}") == said
            refused = await hall.get(f"/matches/{one.table}/stderr?seat={other.number}", ada)
            assert refused.json()["code"] == "not_yours"
            admin = await hall.admin()
            assert (await hall.get(f"/matches/{one.table}/stderr?seat={one.number}", admin)).status_code == 403
            [own] = (await hall.get("/me/matches", ada)).json()["matches"]
            assert own["faults"] == 0
            exported = (await hall.get("/me/export", bob)).json()
            assert exported["stderr"] == [{"match": one.table, "seat": other.number, "text": "of Bob", "dropped": 0}]
        assert "of Bob" not in (await hall.get(f"/matches/{one.table}/transcript")).text
        removed = await hall.http.request(
            "DELETE", "/api/me", json={"password": "long enough"}, headers={"Authorization": f"Bearer {bob}"}
        )
        assert removed.status_code == 204
        assert (await hall.store.texts.stderr(one.table, other.number, exported["account"]["id"])).text == ""
        await hall.store.delete_matches([one.table])
        assert (await hall.store.texts.of(await hall.id(ada))) == ([], [])
        return one.table

    evening(house, work)


def test_a_commands_stderr_reaches_its_owner_by_the_client_and_administrators_by_the_host(tmp_path: Path) -> None:
    (tmp_path / "loud.py").write_text(LOUD)
    command = f"exec:{sys.executable} {tmp_path / 'loud.py'}"

    async def work(hall: Hall) -> None:
        ada, admin = await hall.account("ada"), await hall.admin()
        plans = [{"kind": "open"}, {"kind": "command", "spec": "loud"}, {"kind": "bot", "spec": "random"}]
        said = await hall.post("/tables", ada, game="forsale", seats=plans, terms={"limit_s": 60})
        table = said.json()["table"]["id"]
        heard: list[str] = []
        client = Client(hall.url, ada, watch=lambda message: heard.append(type(message).__name__))
        done = await client.play_async("forsale", load(game("forsale"), command), table=table)
        await hall.over(table)
        own = (await hall.get(f"/matches/{table}/stderr", ada)).json()
        assert own["text"] == done.stderr and own["text"].count("thinking about") == heard.count("AskMessage") > 0
        assert own["dropped"] == 0
        notes = (await hall.get(f"/matches/{table}/notes", ada)).json()["notes"]
        assert [note["text"] for note in notes] == ["why not"] * heard.count("AskMessage")
        hosts = (await hall.get(f"/matches/{table}/stderr?seat=1", admin)).json()
        assert "thinking about 1" in hosts["text"]
        only = (await hall.post("/tokens", admin, scopes=["admin"])).json()["token"]  # as on the page of the host
        assert (await hall.get(f"/matches/{table}/stderr?seat=1", only)).json() == hosts
        assert (await hall.get(f"/matches/{table}/stderr?seat=0", only)).json()["code"] == "not_yours"
        assert (await hall.get(f"/matches/{table}/stderr", only)).json()["code"] == "scope_needed"
        for token in (ada, await hall.guest()):
            assert (await hall.get(f"/matches/{table}/stderr?seat=1", token)).json()["code"] == "not_yours"
        assert (await hall.get(f"/matches/{table}/stderr?seat=9", admin)).json()["code"] == "not_yours"

    evening(House(tmp_path, commands={"forsale": {"loud": command}}), work)


def test_stderr_messages_of_a_command_are_passed_on(tmp_path: Path) -> None:
    said = '        print(json.dumps({"type": "stderr", "text": "said ", "dropped": 1}), flush=True)\n'
    (tmp_path / "loud.py").write_text(LOUD.replace("        action =", said + "        action ="))

    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        table = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
        command = load(game("forsale"), f"exec:{sys.executable} {tmp_path / 'loud.py'}")
        await Client(hall.url, ada).play_async("forsale", command, table=table)
        own = (await hall.get(f"/matches/{table}/stderr", ada)).json()
        assert own["text"].count("said ") == own["dropped"] > 0

    evening(House(tmp_path), work)


def test_a_restart_keeps_what_was_written(tmp_path: Path) -> None:
    house = House(tmp_path)
    kept: dict[str, str] = {}

    async def begin(hall: Hall) -> None:
        kept["ada"] = await hall.account("ada")
        async with seated(hall, kept["ada"]) as (one,):
            kept["table"] = one.table
            await one.seat.say(type="stderr", text="before, ")
            await one.get("stderr")
            await one.seat.say(type="stderr", text="and ")
            asked = await one.seat.hear("ask")
            await one.seat.say(type="answer", id=asked["id"], action=asked["ask"]["choices"][0], note="first")
            await one.seat.hear("ask")

    async def go_on(hall: Hall) -> None:
        async with hall.connect(f"/play/forsale/{kept['table']}", kept["ada"]) as line:
            await line.recv()
            await line.send(json.dumps({"type": "hello"}))
            await line.send(json.dumps({"type": "stderr", "text": "after"}))
            while json.loads(await line.recv())["type"] != "ask":
                pass
            path = f"/matches/{kept['table']}"
            assert (await hall.get(f"{path}/stderr", kept["ada"])).json()["text"] == "before, and after"
            assert [note["text"] for note in (await hall.get(f"{path}/notes", kept["ada"])).json()["notes"]] == [
                "first"
            ]

    evening(house, begin)
    evening(house, go_on)


def test_a_note_of_a_python_bot_is_sent(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        table = (await hall.table(ada, "forsale", "open", "random", "random"))["table"]["id"]
        notes: Iterator[Any] = chain(["the first", "half \ud83d", 7, {"a": "dict"}], repeat(""))
        bot = lambda view, ask, dice: Noted(ask.choices[0], next(notes))  # noqa: E731
        await Client(hall.url, ada).play_async("forsale", bot, table=table)
        await hall.over(table)
        kept = (await hall.get(f"/matches/{table}/notes", ada)).json()["notes"]
        assert [note["text"] for note in kept] == ["the first", "half ?", "7", "{'a': 'dict'}"]

    evening(House(tmp_path), work)
