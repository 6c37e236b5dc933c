"""An arena tidies up after guests who have gone, by itself and while others play."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from parlour.server.ops.housekeeping import DAY_S
from tests.server.arenas import Hall, House, evening
from tests.store.stored import kept
from tests.store.test_tidy import aged, guest, names
from tests.turned import SOON_S, settle, sleeps, turn, until


async def left(hall: Hall, *expected: str) -> None:
    """Wait until there are only these."""
    async with asyncio.timeout(SOON_S):
        while await names(hall.store) != [*expected]:
            await settle()


async def rested() -> None:
    """Wait until the housekeeping of today is done. Before that, a turn of the clock would not begin the next one."""
    await sleeps(DAY_S / 2)


def test_at_the_start_and_once_a_day(tmp_path: Path) -> None:
    house = House(tmp_path, guests_days=7, log="off")
    kept(house.url, lambda store: guest(store, "ada", 8))

    async def work(hall: Hall) -> None:
        await left(hall)
        await rested()
        await guest(hall.store, "bob", 8)
        await guest(hall.store, "cyd", 6)
        turn(DAY_S / 2)
        await settle()
        assert await names(hall.store) == ["bob", "cyd"]
        turn(DAY_S / 2)
        await left(hall, "cyd")

    evening(house, work)


def test_a_guest_who_has_a_seat_is_not_forgotten(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        table = await hall.table(await hall.account("host"), "forsale", "open", "open", "open")
        assert (await hall.post(f"/tables/{table['table']['id']}/join", await hall.guest())).status_code == 200
        [_, sits] = await hall.store.accounts()
        await aged(hall.store, sits, 40)
        await guest(hall.store, "gone")
        await rested()
        turn(DAY_S)
        await left(hall, "host", "guest")

    evening(House(tmp_path, log="off"), work)


def test_all_are_kept_if_the_host_wants_that(tmp_path: Path) -> None:
    house = House(tmp_path, guests_days=0, log="off")
    kept(house.url, lambda store: guest(store, "ada", 4000))

    async def work(hall: Hall) -> None:
        await settle()
        assert await names(hall.store) == ["ada"]

    evening(house, work)


def test_tokens_that_ended_long_ago_are_forgotten_once_a_day(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        await rested()
        ada = await hall.store.add_account("ada", "$hash")
        for n, expires_ms in enumerate((1, None)):
            await hall.store.add_token(ada, f"{n:064}", ["play"], str(n), expires_ms=expires_ms)
        turn(DAY_S)
        async with asyncio.timeout(SOON_S):
            while [each.label for each in await hall.store.tokens_of(ada.id)] != ["1"]:
                await settle()

    evening(House(tmp_path, guests_days=0, log="off"), work)


@pytest.mark.parametrize("error", [OperationalError("delete", {}, Exception("disk full")), RuntimeError("a bug")])
def test_a_store_that_fails_is_tidied_another_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    async def work(hall: Hall) -> None:
        await rested()
        await guest(hall.store, "ada")
        failed: list[bool] = []

        async def fails(*args: Any) -> int:
            failed.append(True)
            raise error

        with monkeypatch.context() as patch:
            patch.setattr(hall.store, "remove_guests", fails)
            turn(DAY_S)
            await until(lambda: failed)
        await rested()
        assert await names(hall.store) == ["ada"]
        turn(DAY_S)
        await left(hall)

    evening(House(tmp_path, log="off"), work)
