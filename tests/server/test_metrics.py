"""Metrics, a log without secrets, and the messages to all clients when the server stops."""

import asyncio
import io
import json
import logging
from pathlib import Path
from typing import Any

import pytest

from parlour.client import Client
from parlour.games import game
from parlour.games.forsale import audit, faults
from parlour.protocol.reports import tell, tell_bug
from parlour.server.ops.logs import JsonLines, written
from parlour.store.store import Store
from tests.players.clients import run
from tests.server.arenas import Hall, House, Seat, evening


def bot(name: str) -> Any:
    return game("forsale").hosting.bots[name]


def test_figures_are_those_of_the_transcript(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        token = await hall.account("ada")
        table = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
        assert await hall.figure("parlour_tables", game="forsale") == 1
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("x", token=token)
            asked = await seat.hear("ask")
            assert await hall.figure("parlour_matches", game="forsale") == 1
            assert await hall.figure("parlour_connections", way="websocket") == 1
            await seat.say(type="answer", id=asked["id"], action={"type": "Nonsense"})
            await seat.hear("fault")
            await seat.first_choice()
        await Client(hall.url, token).play_async("forsale", bot("minimum"), table=table)
        await hall.over(table)
        lines = [json.loads(line) for line in await hall.store.lines(table)]
        inputs = [line for line in lines if line["kind"] == "input" and line.get("by") is not None]
        moves = [line for line in inputs if "fault" not in line]
        assert await hall.figure("parlour_matches_begun_total", game="forsale") == 1
        assert await hall.figure("parlour_matches_ended_total", game="forsale") == 1
        assert await hall.figure("parlour_moves_total", game="forsale") == len(moves)
        assert await hall.figure("parlour_faults_total", game="forsale") == len(inputs) - len(moves) == 1
        assert await hall.figure("parlour_store_lines_total") == len(lines)
        assert 1 <= await hall.figure("parlour_store_commits_total") <= len(lines)
        assert await hall.figure("parlour_keep_seconds_count") >= 1
        answers = await hall.figure("parlour_answer_seconds_count", game="forsale")
        assert answers == len(inputs), "each was timed, from its coming until everybody knew what follows"
        kept_s, answered_s = [await hall.figure(f"parlour_{what}_seconds_sum", 0) for what in ("keep", "answer")]
        assert 0 < answered_s < 60 and 0 < kept_s < 60
        async with hall.connect("/play/forsale/nowhere") as line:
            await Seat(line).hear("error")
        assert await hall.figure("parlour_refused_total", code="no_such_table") == 1

    evening(House(tmp_path, log="off"), work)


def test_the_log_tells_what_happened_and_no_secret(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    secrets: list[str] = ["long enough", "parlour_a_wrong_one"]

    async def work(hall: Hall) -> str:
        token, guest, admin = await hall.account("ada"), await hall.guest(), await hall.admin()
        created = await hall.table(token, "forsale", "open", "invited", "random")
        table: str = created["table"]["id"]
        secrets.extend([token, guest, admin, created["key"], (await hall.store.seed(table)).hex(), "c0ffee" * 5])
        await hall.post("/login", name="ada", password="long enough but wrong")
        await hall.get("/me", "parlour_a_wrong_one")
        assert (await hall.post(f"/tables/{table}/join", guest, key=created["key"])).status_code == 200
        async with hall.connect(f"/play/forsale/{table}") as line:
            await Seat(line).hello("x", token="parlour_a_wrong_one")
            await Seat(line).hear("error")
        async with hall.connect(f"/play/forsale/{table}") as line:
            seat = Seat(line)
            await seat.hello("x", token=token, salt="c0ffee" * 5)
            playing = asyncio.ensure_future(Client(hall.url, guest).play_async("forsale", bot("minimum"), table=table))
            asked = await seat.hear("ask")
            await seat.say(type="answer", id=asked["id"], action={"type": "Secret", "words": "long enough"})
            await seat.hear("fault")
            await seat.first_choice()
        await Client(hall.url, token).play_async("forsale", bot("minimum"), table=table)
        await playing
        await hall.over(table)
        await hall.delete("/tokens/1", token)
        return table

    table = evening(House(tmp_path, log="debug"), work)
    written = capsys.readouterr().err
    lines = [json.loads(line) for line in written.splitlines() if line.startswith("{")]
    assert all({"time", "level", "event"} <= set(line) for line in lines)
    events = [line["event"] for line in lines if line.get("match") == table]
    assert events[0] == "table" and events.count("match begun") == events.count("match ended") == 1
    assert {"event": "fault", "seat": 0, "kind": "unreadable"}.items() <= _first(lines, "fault").items()
    assert {line["code"] for line in lines if line["event"] == "refused"} == {"wrong_login", "bad_token"}
    assert events.count("move") > 5 and {line["seat"] for line in lines if line["event"] == "move"} >= {0, 1, 2}
    assert [secret for secret in secrets if secret in written] == []


def _first(lines: list[dict[str, Any]], event: str) -> dict[str, Any]:
    return next(line for line in lines if line["event"] == event)


def logged(folder: Path, capsys: pytest.CaptureFixture[str], policy: str) -> tuple[str, list[dict[str, Any]]]:
    """A match of bots under this policy: its name, and the warnings of the log."""

    async def work(hall: Hall) -> str:
        token, options = await hall.account("ada"), {"invariant_policy": policy}
        created = await hall.table(token, "forsale", "random", "random", "random", options=options)
        table: str = created["table"]["id"]
        await hall.over(table)
        return table

    table = evening(House(folder, log="warning"), work)
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
    return table, [line for line in lines if line.get("match") == table]


MISCOUNT = "WrongEstateSize G0101 #G0101 gid={} pid=-1 (part 1, round 2) -> {}"


@pytest.mark.parametrize(
    ("policy", "event", "recovery"), [("lenient", "finding", "logged"), ("strict", "match void", "match_aborted")]
)
def test_findings_and_void_matches_are_logged_in_the_rule_books_terms(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    policy: str,
    event: str,
    recovery: str,
) -> None:
    def found(state: Any) -> Any:
        return (faults.WRONG_ESTATE_SIZE, "an estate too many", {"pid": -1}) if state.round == 2 else None

    monkeypatch.setattr(audit, "auction", found)
    table, warnings = logged(tmp_path, capsys, policy)
    assert {line["event"] for line in warnings} == {event}
    told = {"level": "warning", "game": "forsale", "code": "G0101", "words": "an estate too many"}
    assert warnings[0].items() >= {**told, "explained": MISCOUNT.format(table, recovery)}.items()


def test_a_match_that_a_bug_made_void_is_logged_without_the_bugs_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(state: Any) -> Any:
        raise ValueError("a password")

    monkeypatch.setattr(audit, "auction", broken)
    _, warnings = logged(tmp_path, capsys, "strict")
    [void] = [line for line in warnings if line["event"] == "match void"]
    assert (void["code"], void["words"]) == ("bug", "ValueError") and "a password" not in str(warnings)


def test_a_bug_is_logged_by_its_kind_and_place_and_not_by_its_words() -> None:
    stream = io.StringIO()
    with written("warning", stream):
        tell("too quiet to be written")
        try:
            raise ValueError("a password")
        except ValueError as e:
            tell_bug("bug", e, path="/api/me")
    [line] = stream.getvalue().splitlines()
    told = json.loads(line)
    assert (told["level"], told["event"], told["error"], told["path"]) == ("error", "bug", "ValueError", "/api/me")
    assert told["calls"][-1].startswith("test_metrics.py:") and "a password" not in line


def test_a_line_of_the_log_is_one_line_whatever_is_in_it() -> None:
    record = logging.LogRecord("parlour", logging.INFO, "", 0, "two\nlines", None, None)
    assert len(JsonLines().format(record).splitlines()) == 1


# The end


def test_players_are_told_to_come_back_and_go_on_with_the_next_server(tmp_path: Path) -> None:
    """One is a client of ours, which comes back by itself, and one is told what happens."""
    playing: list[Any] = []
    moves: list[int] = []

    def counted(view: Any, ask: Any, dice: Any) -> Any:
        moves.append(1)
        return bot("minimum")(view, ask, dice)

    async def session() -> None:
        house = House(tmp_path, log="off")
        async with house.open() as hall:
            port, token, other = hall.serving.port, await hall.account("ada"), await hall.account("bob")
            table = (await hall.table(token, "forsale", "open", "open", "random", limit_s=3600))["table"]["id"]
            await hall.post(f"/tables/{table}/join", token)
            playing.append(asyncio.ensure_future(Client(hall.url, token).play_async("forsale", counted, table=table)))
            line = await hall.connect(f"/play/forsale/{table}")
            seat = Seat(line)
            await seat.hello("x", token=other)
            await seat.first_choice()
            asked = await seat.hear("ask")
            before = await hall.store.lines(table)
        assert (await seat.hear("error"))["code"] == "parked"
        assert before == (await stored(house, table))[: len(before)]
        async with House(tmp_path, log="off", port=port).open() as hall:
            async with hall.connect(f"/play/forsale/{table}") as line:
                seat = Seat(line)
                await seat.hello("x", token=other)
                assert (await seat.hear("ask"))["id"] == asked["id"]
            await Client(hall.url, other).play_async("forsale", bot("minimum"), table=table)
            finished = await playing[0]
            assert finished.match == table and finished.players[0] == "ada"
            assert (await hall.over(table))["state"] == "over"
            assert (await hall.proof(table)).holds == "yes"
            lines = await hall.store.lines(table)
            assert lines[: len(before)] == before, "and nothing was lost"

    run(session())
    assert moves


async def stored(house: House, table: str) -> list[bytes]:
    store = await Store.open(house.url)
    try:
        return await store.lines(table)
    finally:
        await store.close()
