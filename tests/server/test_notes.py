"""Notes with answers: kept beside the match, for the owner of the seat alone, and no part of the transcript."""

import asyncio
import json
from pathlib import Path

import pytest

from parlour.protocol.seat_log import SeatTexts
from parlour.server.ops.seat_texts import TextKeeper
from parlour.tables.seat_log import SeatLogs
from tests.server.arenas import Hall, House, evening
from tests.server.authors import seated
from tests.server.test_watching import streamed
from tests.turned import run

LONG = "ä" * 600
NOTE = "a secret plan <img src=x>"


def test_notes_are_the_owners_alone_and_in_no_record(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada, bob = await hall.account("ada"), await hall.account("bob")
        async with seated(hall, ada, bob) as (one, other):
            feeds = [
                asyncio.create_task(streamed(hall, f"/matches/{one.table}/events?full=true")),
                asyncio.create_task(streamed(hall, f"/matches/{one.table}/events/me?full=true", bob)),
                asyncio.create_task(streamed(hall, f"/matches/{one.table}/messages/live", bob)),
            ]
            own = asyncio.create_task(streamed(hall, f"/matches/{one.table}/messages/live", ada))
            await asyncio.gather(one.play(note=NOTE), other.play(note=LONG))
            told = json.dumps([await feed for feed in feeds])
            live = [message for message in await own if message["type"] == "note"]
        match = one.table
        await hall.over(match)
        assert NOTE not in told
        notes = (await one.get("notes"))["notes"]
        asks = [note["ask"] for note in notes]
        assert live and [note["ask"] for note in live] == asks[-len(live) :]
        assert {note["text"] for note in notes} == {NOTE}
        assert {note["text"] for note in (await other.get("notes"))["notes"]} == {"ä" * 512}
        frames = (await hall.get(f"/matches/{match}/frames?seat={one.number}")).json()["frames"]
        assert all(frames[note["frame"]]["by"] == one.number for note in notes)
        assert len({note["frame"] for note in notes}) == len(notes)
        for path in (
            "transcript",
            "timeline",
            "frames",
            "",
            f"timeline?seat={one.number}",
            f"frames?seat={one.number}",
        ):
            assert NOTE not in (await hall.get(f"/matches/{match}/{path}".rstrip("/"))).text
        assert NOTE not in (await hall.get("/me/export", bob)).text
        exported = (await hall.get("/me/export", ada)).json()["notes"]
        assert [(note["match"], note["text"]) for note in exported] == [(match, NOTE)] * len(notes)
        assert (await hall.proof(match)).holds == "yes"

    evening(House(tmp_path), work)


def test_a_text_is_stored_once_although_the_server_stops_meanwhile() -> None:
    class SlowStore:
        def __init__(self) -> None:
            self.texts, self.has_begun, self.may_end = self, asyncio.Event(), asyncio.Event()
            self.saved: list[SeatTexts] = []

        async def save(self, texts: list[SeatTexts]) -> None:
            """Like a store, write the texts even if the caller is cancelled."""
            self.saved += texts
            self.has_begun.set()
            await self.may_end.wait()

    async def work() -> None:
        store, logs = SlowStore(), SeatLogs()
        keeper = TextKeeper(store, logs)  # type: ignore[arg-type]
        logs.pending.append(SeatTexts("match", 0, None, b"once"))
        saving = asyncio.create_task(keeper.save())
        await store.has_begun.wait()
        saving.cancel()
        asyncio.get_running_loop().call_soon(store.may_end.set)
        with pytest.raises(asyncio.CancelledError):
            await saving
        await keeper.save()
        assert len(store.saved) == 1

    run(work())


def test_a_note_of_any_shape_costs_nothing_and_a_stale_one_is_dropped(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        ada = await hall.account("ada")
        async with seated(hall, ada) as (one,):
            asked = await one.seat.hear("ask")
            action = asked["ask"]["choices"][0]
            await one.seat.say(type="answer", id=asked["id"] + 7, action=action, note="stale")
            assert (await one.seat.hear("fault"))["kind"] == "unasked"
            await one.seat.say(type="answer", id=asked["id"], action={"type": "Nonsense"}, note="wrong")
            assert (await one.seat.hear("fault"))["kind"] == "unreadable"
            asked = await one.seat.hear("ask")
            await one.seat.say(type="answer", id=asked["id"], action=action, note=None)
            await one.seat.hear("ask")
            assert [note["text"] for note in (await one.get("notes"))["notes"]] == ["wrong"]

    evening(House(tmp_path), work)
