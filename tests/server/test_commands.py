"""Commands at seats of an arena are clients with a session: what they do wrong is counted and logged once, and the
others play on."""

import json
import logging
import sys
from pathlib import Path

import pytest
from msgspec import Struct
from prometheus_client.parser import text_string_to_metric_families

from parlour.players.player_specs import ExecSpec
from parlour.players.starter import start_command
from parlour.protocol.v1 import V1
from tests.players.children import FORSALE, GOOD, HELLO, on_ask
from tests.players.clients import run
from tests.server.arenas import Hall, House, evening
from tests.server.crowd import Line

UNASKED = b'{"type": "answer", "id": 999, "action": {}}\n'
FLOOD = f"os.write(1, {UNASKED!r} * 3000); time.sleep(600)"
NO_LINE = "os.write(1, b'x' * 3 * 1024 * 1024); time.sleep(600)"
ONCE = """
is_new = True
for message in heard():
    if message["type"] == "hello":
        say({"type": "hello"})
    elif message["type"] == "ask":
        if is_new:
            is_new = False
            WRONG
        say({"type": "answer", "id": message["id"], "action": message["ask"]["choices"][0]})
"""
MORE = """
    elif message["type"] == "over":
        os.write(1, b"no json\\n" * 500)
"""
"""Code that is added to a correct player."""


class Evening(Struct):
    """A match of a command and two bots, after its end."""

    dropped: dict[str, int]
    """By reason, how many connections the server has closed."""
    faults: dict[str, int]
    """By kind."""
    logged: list[dict[str, str | int]]
    """The log entries about connections that the server has closed."""
    left: list[str]
    """Why players left."""


def counted(text: str, name: str) -> dict[str, int]:
    """The values of a metric by its last label."""
    samples = (sample for family in text_string_to_metric_families(text) for sample in family.samples)
    return {[*it.labels.values()][-1]: int(it.value) for it in samples if it.name == name}


def played(folder: Path, code: str, caplog: pytest.LogCaptureFixture) -> Evening:
    (folder / "child.py").write_text(HELLO + code)
    commands = {"forsale": {"child": f"exec:{sys.executable} {folder / 'child.py'}"}}

    async def work(hall: Hall) -> Evening:
        plans = [{"kind": "command", "spec": "child"}, *[{"kind": "bot", "spec": "minimum"}] * 2]
        body = {"game": "forsale", "seats": plans, "terms": {"limit_s": 3600}}
        match = (await hall.post("/tables", await hall.account("ada"), **body)).json()["table"]["id"]
        assert (await hall.over(match))["state"] == "over"
        assert (await hall.proof(match)).holds == "yes"
        figures = (await hall.http.get("/metrics")).text
        lines = map(json.loads, (await hall.get(f"/matches/{match}/transcript")).content.splitlines())
        acts = [line["do"] for line in lines if line.get("do")]
        return Evening(
            counted(figures, "parlour_dropped_total"),
            counted(figures, "parlour_faults_total"),
            [vars(record)["facts"] for record in caplog.records if record.getMessage() == "dropped"],
            [act["why"] for act in acts if act["type"] == "Leave"],
        )

    caplog.set_level(logging.INFO, "parlour")
    return evening(House(folder, commands=commands, log="off"), work)


@pytest.mark.parametrize("code", [on_ask(FLOOD), on_ask(NO_LINE)], ids=["messages", "a line without end"])
def test_a_flood_stops_the_command(tmp_path: Path, code: str, caplog: pytest.LogCaptureFixture) -> None:
    after = played(tmp_path, code, caplog)
    assert after.left == ["flood"] and after.dropped == {"flood": 1}
    assert after.logged == [{"way": "command child", "why": "flood", "untold": 0}]


@pytest.mark.parametrize(
    "body",
    ["print('[' * 60_000, flush=True)", "print('x' * 70_000, flush=True)", "print('no json', flush=True)"],
    ids=["too deep", "too long", "not JSON"],
)
def test_a_message_that_cannot_be_read_is_one_fault(
    tmp_path: Path, body: str, caplog: pytest.LogCaptureFixture
) -> None:
    after = played(tmp_path, ONCE.replace("WRONG", body), caplog)
    assert after.faults == {"unreadable": 1}
    assert not after.left and not after.dropped and not after.logged


def test_a_command_that_dies_has_left_and_was_not_closed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    after = played(tmp_path, on_ask("sys.exit(3)"), caplog)
    assert after.left == ["dead"] and not after.dropped and not after.logged


def test_what_comes_after_the_end_is_not_counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    after = played(tmp_path, GOOD + MORE, caplog)
    assert not (after.faults or after.dropped or after.logged or after.left)


def test_a_command_that_does_not_read_is_stopped() -> None:
    async def work() -> None:
        dropped: list[tuple[str, str, str]] = []
        spec = ExecSpec("deaf", (sys.executable, "-c", "import time; time.sleep(600)"), lambda: V1(FORSALE))
        peer, player = await start_command(spec, dropped=lambda *facts: dropped.append(facts))
        for _ in range(200):
            player.send([b"x" * 60_000])
        assert dropped == [("command deaf", "slow", "")]
        await peer.close()

    run(work())


def test_a_flood_of_another_client_is_counted_too(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        line = await Line.to(hall.serving.tcp_port)
        line.say(type="enter", game="forsale")
        line.say(type="hello")
        for _ in range(3000):
            line.writer.write(UNASKED)
        await line.ended()
        assert await hall.figure("parlour_dropped_total", why="flood") == 1

    evening(House(tmp_path, log="off", tcp_port=0, messages_a_second=1_000_000.0), work)


def test_a_command_that_floods_before_the_match_is_counted(tmp_path: Path) -> None:
    """The command is started for a match, which then begins without it."""

    async def work(hall: Hall) -> None:
        plans = [{"kind": "command", "spec": "child"}, *[{"kind": "bot", "spec": "minimum"}] * 2]
        body = {"game": "forsale", "seats": plans, "terms": {"limit_s": 3600}}
        match = (await hall.post("/tables", await hall.account("ada"), **body)).json()["table"]["id"]
        await hall.over(match)
        assert await hall.figure("parlour_dropped_total", why="flood") == 1

    (tmp_path / "child.py").write_text(f"import os, time\n{NO_LINE}\n")
    commands = {"forsale": {"child": f"exec:{sys.executable} {tmp_path / 'child.py'}"}}
    evening(House(tmp_path, commands=commands, log="off"), work)
