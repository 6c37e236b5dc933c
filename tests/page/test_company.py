"""A person in a browser, a language model, an agent over MCP, a program and a built-in bot play one match."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

from tests.here import ROOT
from tests.models.conftest import running as running
from tests.models.conftest import server as server
from tests.models.server import ModelServer
from tests.page.browser import Evening, spend
from tests.page.forsale import Person
from tests.server.agents import agent
from tests.server.arenas import Seat

MODELS = {"free": "other/free?price_in=0&price_out=0"}


async def program_plays(program: Seat) -> None:
    """Protocol 1 over WebSocket, to the end, with the first of the possible answers."""
    await program.hello("program")
    while (said := json.loads(await program.line.recv()))["type"] != "over":
        if said["type"] == "ask":
            await program.say(type="answer", id=said["id"], action=said["ask"]["choices"][0])


def test_all_kinds_of_players_play_one_match(server: ModelServer, tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        hall = tonight.hall
        host = await hall.account("host")
        seats = [{"kind": "open"}] * 3 + [{"kind": "command", "spec": "free"}, {"kind": "bot", "spec": "thinker"}]
        made = await hall.post("/tables", host, game="forsale", seats=seats, terms={"limit_s": 600})
        table = made.json()["table"]["id"]
        visitor = await tonight.visitor()
        await visitor.goto(f"/matches/{table}")
        await visitor.button("Sit down").click()
        async with agent(hall.url) as ada, hall.connect(f"/play/forsale/{table}") as line:
            await ada.sit(table=table, name="Agent")
            others = asyncio.gather(program_plays(Seat(line)), ada.play())
            stage = await Person(visitor).play_on()
            _, over = await others
        assert stage == "over" and ada.answers and server.of("free")
        told = await tonight.finished(table)
        assert [seat["kind"] for seat in told["seats"]] == ["open"] * 3 + ["command", "bot"]
        assert over["scores"] == [seat["score"] for seat in told["seats"]]
        assert {"Agent", "program", "free", "thinker"} < {*over["players"]}
        transcript = tmp_path / "match.jsonl"
        transcript.write_text((await hall.http.get(f"/api/matches/{table}/transcript")).text)
        verified = await asyncio.to_thread(_verified, transcript)
        assert verified.returncode == 0, verified.stderr

    spend(tmp_path, work, models=MODELS, log="off")


def _verified(transcript: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "parlour", "verify", str(transcript)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
