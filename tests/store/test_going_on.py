"""What a server makes of what it finds in the store, after a crash at any moment, or after the store itself failed."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from parlour.client import Client
from parlour.games import game
from parlour.protocol.records import StoredSeat
from tests import turned
from tests.server.arenas import Hall, House, Seat

RANDOM = game("forsale").hosting.bots["random"]


async def seats(hall: Hall, id: str) -> list[str | None]:
    match = await hall.store.match(id)
    assert match is not None
    return [seat.name for seat in match.seats]


def test_a_guest_who_was_waiting_when_the_server_went_makes_room(tmp_path: Path) -> None:
    """The guest was not told its token yet; a player with an account keeps the seat."""

    async def evening() -> None:
        house = House(tmp_path)
        async with house.open() as hall:
            token = await hall.account("ada")
            table = (await hall.table(token, "forsale", "open", "open", "open"))["table"]["id"]
            async with hall.connect(f"/play/forsale/{table}") as line, hall.connect(f"/play/forsale/{table}") as other:
                await Seat(line).hello("guest")
                await Seat(other).hello("x", token=token)
                async with asyncio.timeout(30):
                    while sorted(filter(None, await seats(hall, table))) != ["ada", "guest"]:
                        await asyncio.sleep(0.02)
        async with house.open() as hall:
            assert [*filter(None, await seats(hall, table))] == ["ada"]
            players = [Client(hall.url, name=name).play_async("forsale", RANDOM, table=table) for name in ("b", "c")]
            finished = await asyncio.gather(
                Client(hall.url, token).play_async("forsale", RANDOM, table=table), *players
            )
            assert sorted(finished[0].players) == ["ada", "b", "c"]

    turned.run(evening())


def test_a_match_that_nobody_was_told_of_is_a_table_again(tmp_path: Path) -> None:
    """The server was killed before the first line of it was kept."""

    async def evening() -> None:
        house = House(tmp_path)
        async with house.open() as hall:
            token = await hall.account("host")
            table = (await hall.table(token, "forsale", "open", "random", "random"))["table"]["id"]
            guest = await hall.store.add_account("guest-1", None)
            bots = [StoredSeat(seat, "bot", "random", None, "random", "") for seat in (1, 2)]
            await hall.store.begin_match(table, [StoredSeat(0, "open", "", guest.id, "guest", ""), *bots])
        async with house.open() as hall:
            assert [*hall.serving.arena.open] == [table] and not hall.serving.arena.playing
            assert await seats(hall, table) == [None, "random", "random"]
            finished = await Client(hall.url, name="b").play_async("forsale", RANDOM, table=table)
            assert finished.match == table and (await hall.over(table))["state"] == "over"
            assert (await hall.proof(table)).holds == "yes"

    turned.run(evening())


def test_a_table_waits_no_longer_than_its_terms_say_although_the_clock_was_put_back(tmp_path: Path) -> None:
    async def evening() -> None:
        house = House(tmp_path)
        async with house.open() as hall:
            token = await hall.account("ada")
            table = (await hall.table(token, "forsale", "open", "open", "open", wait_s=600))["table"]["id"]
            stored = await hall.store.match(table)
            assert stored is not None and stored.waits_until_ms is not None
            await hall.store.change_match(table, waits_until_ms=stored.waits_until_ms + 86_400_000)
        async with house.open() as hall:
            assert hall.serving.arena.open[table].due_at <= asyncio.get_running_loop().time() + 600

    turned.run(evening())


@pytest.mark.parametrize("nth", [1, 2, 7])
def test_a_match_goes_on_after_the_store_has_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nth: int) -> None:
    """No client was told of lines that were not stored, so all resume from the stored position."""
    monkeypatch.setattr("parlour.tables.retries.AGAIN_S", (0.1,))

    async def evening() -> None:
        async with House(tmp_path).open() as hall:
            token, keep, calls = await hall.account("ada"), hall.store.writer.keep, 0

            async def failing(*batch: Any) -> None:
                nonlocal calls
                calls += 1
                if calls == nth:
                    raise OperationalError("INSERT", {}, OSError("the disk is gone"))
                await keep(*batch)

            monkeypatch.setattr(hall.store.writer, "keep", failing)
            table = (await hall.table(token, "forsale", "open", "minimum", "minimum"))["table"]["id"]
            finished = await Client(hall.url, token).play_async("forsale", RANDOM, table=table)
            assert finished.match == table and calls > nth
            assert len(hall.serving.arena.broken) == 1 and "the disk is gone" in hall.serving.arena.broken[0]
            await hall.over(table)
            assert (await hall.proof(table)).holds == "yes"

    turned.run(evening())
