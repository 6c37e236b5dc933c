"""Replays over HTTP: timelines, frames and verdicts of stored matches and of transcripts that clients send."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from parlour.plugins import names
from parlour.protocol.errors import RequestError
from parlour.server.replays import processes
from parlour.server.replays.jobs import ReplayJob
from parlour.server.replays.processes import StoredReplays
from parlour.transports.limits import UPLOAD_BYTES
from tests.releases import FIXTURES, with_header
from tests.server.arenas import Hall, House, evening
from tests.turned import run, turn, until

NDJSON = {"content-type": "application/x-ndjson"}
OLD = FIXTURES / "release-0.1.0"


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path, log="off")


async def played(hall: Hall, host: str = "host") -> str:
    """A match of bots that is over."""
    table = await hall.table(await hall.account(host), "forsale", "random", "random", "minimum")
    match: str = table["table"]["id"]
    await hall.over(match)
    return match


async def sent(hall: Hall, path: str, body: Any) -> httpx.Response:
    return await hall.http.post(f"/api/replays/{path}", content=body, headers=NDJSON)


def told(said: httpx.Response) -> tuple[int, str]:
    return said.status_code, said.json()["code"]


# Stored matches


def test_a_finished_match_is_shown_frame_by_frame(house: House) -> None:
    async def work(hall: Hall) -> None:
        match = await played(hall)
        said = await hall.get(f"/matches/{match}/timeline")
        assert said.status_code == 200, said.text
        timeline = said.json()
        assert (timeline["match"], timeline["game"], timeline["end"]["type"]) == (match, "forsale", "Result")
        assert timeline["players"][0] == {"name": "random", "kind": "bot"}
        total = timeline["total"]
        first = (await hall.get(f"/matches/{match}/frames?seat=1&to=5")).json()
        assert first["total"] == total and first["next"] is None
        assert [frame["n"] for frame in first["frames"]] == [0, 1, 2, 3, 4]
        assert first["frames"][0]["view"]["seat"] == 1
        last = (await hall.get(f"/matches/{match}/frames?from={total - 1}&to={total + 50}")).json()
        assert [frame["n"] for frame in last["frames"]] == [total - 1] and last["next"] is None
        verdict = (await hall.get(f"/matches/{match}/verdict")).json()
        assert verdict["holds"] == "yes" and verdict["line"] is None

    evening(house, work)


def test_what_cannot_be_shown_is_refused(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(hall: Hall) -> None:
        match = await played(hall)
        table = (await hall.table(await hall.account("other"), "forsale", "open", "random", "random"))["table"]["id"]
        for kind in ("timeline", "frames", "verdict"):
            assert told(await hall.get(f"/matches/{table}/{kind}")) == (409, "not_over")
            assert told(await hall.get(f"/matches/nowhere/{kind}")) == (404, "no_such_match")
        for query, code in {
            "timeline?seat=3": "bad_seat",
            "timeline?seat=-1": "bad_request",
            "timeline?seat=me": "bad_request",
            "frames?seat=3": "bad_seat",
            "frames?from=-1": "bad_request",
            "frames?from=100000": "bad_range",
            "frames?from=5&to=5": "bad_range",
            "frames?from=5&to=4": "bad_range",
            "frames?to=0": "bad_range",
            "frames?to=99999999999": "bad_request",
        }.items():
            assert told(await hall.get(f"/matches/{match}/{query}")) == (400, code), query
        for query in ("frames?from=x", "frames?to=x"):
            detail = (await hall.get(f"/matches/{match}/{query}")).json()["detail"]
            assert detail.startswith(query.removeprefix("frames?").removesuffix("=x") + ":"), detail
        lines = await hall.store.lines(match)

        async def newer(id: str) -> list[bytes]:
            return with_header(lines, version=99)

        monkeypatch.setattr(hall.store, "lines", newer)
        await hall.serving.replays.close()
        said = await hall.get(f"/matches/{match}/timeline")
        assert told(said) == (409, "not_replayed") and "version 99" in said.json()["detail"]
        assert (await hall.get(f"/matches/{match}/verdict")).json()["holds"] == "not replayed"

    evening(house, work)


def test_matches_go_on_after_the_process_was_killed(house: House) -> None:
    async def work(hall: Hall) -> None:
        match = await played(hall)
        before = (await hall.get(f"/matches/{match}/timeline")).json()
        process = hall.serving.replays.process
        assert process is not None
        process.kill()
        await process.wait()
        assert (await hall.get(f"/matches/{match}/timeline")).json() == before

    evening(house, work)


def test_an_interrupted_replay_is_told_and_the_next_one_works(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(hall: Hall) -> None:
        match = await played(hall)
        with monkeypatch.context() as for_now:
            for_now.setattr(
                processes, "COMMAND", (sys.executable, "-c", "import sys; sys.stdin.buffer.read(4)")
            )  # it ends before it answers
            assert told(await hall.get(f"/matches/{match}/timeline")) == (503, "replay_failed")
        assert (await hall.get(f"/matches/{match}/timeline")).status_code == 200

    evening(house, work)


def test_a_match_whose_replay_takes_too_long_does_not_hold_up_the_others_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(hall: Hall) -> None:
        match, other = await played(hall), await played(hall, "other")
        endless = (sys.executable, "-c", "import sys; sys.stdin.buffer.read()")
        with monkeypatch.context() as for_now:
            for_now.setattr(processes, "COMMAND", endless)
            for_now.setattr(processes, "STORED_S", 0.01)
            assert told(await hall.get(f"/matches/{match}/timeline")) == (409, "not_replayed")
        assert told(await hall.get(f"/matches/{match}/verdict")) == (409, "not_replayed")
        assert hall.serving.replays.process is None, "it was not even tried"
        assert (await hall.get(f"/matches/{other}/timeline")).status_code == 200
        turn(processes.SLOW_S)
        assert (await hall.get(f"/matches/{match}/timeline")).status_code == 200

    evening(house, work)


def test_stored_matches_are_read_one_at_a_time_and_an_address_cannot_take_all_places(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(processes, "REPLAYS_PER_ADDRESS", 2)
    reading, most, go_on = 0, 0, asyncio.Event()

    async def gone() -> tuple[bytes, bytes | None]:
        nonlocal reading, most
        reading += 1
        most = max(most, reading)
        await go_on.wait()
        reading -= 1
        raise RequestError(404, "no_such_match", "it was deleted")

    async def work() -> None:
        replays = StoredReplays()

        async def code(key: str, address: str) -> str:
            with pytest.raises(RequestError) as told:
                await replays.ask(ReplayJob(kind="timeline", key=key), gone, address)
            return told.value.code

        waiting = [asyncio.create_task(code(str(n), "one")) for n in range(2)]
        await until(lambda: reading > 0)
        assert await code("2", "one") == "busy"
        other = asyncio.create_task(code("3", "two"))
        go_on.set()
        assert await asyncio.gather(*waiting, other) == ["no_such_match"] * 3 and most == 1
        await replays.close()

    run(work())


def test_an_example_is_made_once(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    async def ask(self: StoredReplays, job: ReplayJob, transcript: object, address: str) -> bytes:
        made.append(job.key)
        await asyncio.sleep(0)
        return b"{}"

    monkeypatch.setattr(StoredReplays, "ask", ask)

    async def work(hall: Hall) -> None:
        await asyncio.gather(*(hall.get("/games/forsale/example") for _ in range(5)))
        assert made == ["forsale"]

    evening(house, work)


def test_every_game_has_an_example(house: House) -> None:
    async def work(hall: Hall) -> None:
        assert told(await hall.get("/games/chess/example")) == (404, "no_such_game")
        for name in names():
            said = await hall.get(f"/games/{name}/example")
            assert said.status_code == 200 and len(said.content) <= 1_000_000
            shown = said.json()
            numbers = [frame["n"] for frame in shown["frames"]]
            assert numbers == sorted(set(numbers)) and len(numbers) <= 150
            assert (numbers[0], numbers[-1]) == (0, shown["timeline"]["total"] - 1)
            assert shown["timeline"]["game"] == name and shown["timeline"]["end"]["type"] == "Result"
            assert (await hall.get(f"/games/{name}/example")).content == said.content

    evening(house, work)


# Transcripts that clients send


def test_a_transcript_is_shown_like_the_stored_match(house: House) -> None:
    async def work(hall: Hall) -> None:
        match = await played(hall)
        transcript = (await hall.get(f"/matches/{match}/transcript")).content
        for query in ("timeline?seat=1", "frames?seat=2&from=3&to=9", "verdict"):
            said = await sent(hall, query, transcript)
            assert said.status_code == 200, said.text
            assert said.json() == (await hall.get(f"/matches/{match}/{query}")).json()
        assert told(await sent(hall, "timeline?seat=3", transcript)) == (400, "bad_seat")
        assert told(await sent(hall, "timeline", transcript[:-1])) == (400, "bad_transcript")
        old = (OLD / "colorfight" / "plain.jsonl").read_bytes()
        assert (await sent(hall, "frames", old)).status_code == 200, "NumPy needs address space"

    evening(house, work)


def test_a_body_of_another_kind_or_size_is_not_read(house: House) -> None:
    async def work(hall: Hall) -> None:
        said = await hall.http.post("/api/replays/timeline", json={})
        assert told(said) == (415, "not_ndjson")
        assert told(await sent(hall, "verdict", b"x" * (UPLOAD_BYTES + 1))) == (413, "too_large")
        verdict = (await sent(hall, "verdict", b"x" * UPLOAD_BYTES)).json()
        assert (verdict["holds"], verdict["line"]) == ("no", 1)

    evening(house, work)


def test_one_transcript_of_an_address_at_a_time(house: House) -> None:
    async def work(hall: Hall) -> None:
        begun, more = asyncio.Event(), asyncio.Event()
        whole = (OLD / "forsale" / "plain.jsonl").read_bytes()

        async def slowly() -> AsyncIterator[bytes]:
            yield whole[:100]
            begun.set()
            await more.wait()
            yield whole[100:]

        first = asyncio.create_task(sent(hall, "verdict", slowly()))
        await begun.wait()
        while (second := await sent(hall, "verdict", whole)).status_code == 200:
            pass  # the server has not yet seen the first one
        assert told(second) == (429, "busy")
        more.set()
        assert (await first).json()["holds"] == "yes"
        assert (await sent(hall, "verdict", whole)).status_code == 200

    evening(house, work)


@pytest.mark.parametrize(
    ("program", "status", "code"),
    [
        ("from parlour.server.replays.worker import limit\nlimit(0.1, 0)\nwhile True: pass", 400, "too_long"),
        ("import os\nos.kill(os.getpid(), 9)", 503, "replay_failed"),
        ("print('nonsense that is no answer')", 503, "replay_failed"),
    ],
    ids=["endless", "killed", "nonsense"],
)
def test_a_process_that_gives_no_answer_harms_nobody(
    house: House, monkeypatch: pytest.MonkeyPatch, program: str, status: int, code: str
) -> None:
    async def work(hall: Hall) -> None:
        whole = (OLD / "forsale" / "plain.jsonl").read_bytes()
        with monkeypatch.context() as for_now:
            for_now.setattr(processes, "COMMAND", (sys.executable, "-c", program))
            assert told(await sent(hall, "verdict", whole)) == (status, code)
        assert (await sent(hall, "verdict", whole)).status_code == 200

    evening(house, work)


def test_an_example_is_sent_compressed_and_only_once(house: House) -> None:
    async def work(hall: Hall) -> None:
        plain = await hall.http.get("/api/games/forsale/example", headers={"Accept-Encoding": "identity"})
        packed = await hall.http.get("/api/games/forsale/example", headers={"Accept-Encoding": "gzip"})
        assert packed.headers["Content-Encoding"] == "gzip" and packed.content == plain.content
        assert 5 * int(packed.headers["Content-Length"]) < int(plain.headers["Content-Length"])
        known = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
        assert (await hall.http.get("/api/games/forsale/example", headers=known)).status_code == 304

    evening(house, work)
