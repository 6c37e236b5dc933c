"""Guests that open tables."""

from pathlib import Path
from typing import Any

import pytest

import parlour.server.api.table_limits
from tests.server.arenas import Hall, House, evening

SEATS = [{"kind": "open"}, {"kind": "open"}, {"kind": "bot", "spec": "random"}]


async def opened(hall: Hall, token: str, **terms: Any) -> tuple[int, str]:
    said = await hall.post("/tables", token, game="forsale", seats=SEATS, terms=terms)
    return said.status_code, said.json().get("code", "")


def test_a_guest_opens_one_table_at_a_time_and_may_drop_it(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        said = (await hall.post("/guests")).json()
        assert said["scopes"] == ["host", "play"]
        guest = said["token"]
        table = await hall.table(guest, "forsale", "open", "open", "random", wait_s=86400)
        assert table["table"]["terms"]["wait_s"] == 3600
        assert await opened(hall, guest) == (409, "too_many_tables")
        assert (await hall.delete(f"/tables/{table['table']['id']}", guest)).status_code == 204
        assert await opened(hall, guest) == (201, "")

    evening(House(tmp_path), work)


def test_the_limit_holds_after_a_restart(tmp_path: Path) -> None:
    house = House(tmp_path)

    async def first(hall: Hall) -> str:
        guest = await hall.guest()
        assert await opened(hall, guest) == (201, "")
        return guest

    guest = evening(house, first)
    assert evening(house, lambda hall: opened(hall, guest)) == (409, "too_many_tables")


def test_guests_may_be_kept_from_opening_tables(tmp_path: Path) -> None:
    async def before(hall: Hall) -> str:
        return await hall.guest()

    old = evening(House(tmp_path), before)

    async def work(hall: Hall) -> None:
        said = (await hall.post("/guests")).json()
        assert said["scopes"] == ["play"]
        assert await opened(hall, said["token"]) == (403, "scope_needed")
        assert await opened(hall, old) == (403, "scope_needed")

    evening(House(tmp_path, tables_per_guest=0), work)


def test_the_guests_of_one_address_have_no_more_tables_than_an_account(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        said = [await opened(hall, await hall.guest()) for _ in range(4)]
        assert said == [(201, ""), (201, ""), (201, ""), (409, "too_many_tables")]
        assert await opened(hall, await hall.account("ada")) == (201, "")

    evening(House(tmp_path, tables_per_account=3), work)


def test_all_guests_together_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parlour.server.api.table_limits, "TABLES_OF_GUESTS", 2)

    async def work(hall: Hall) -> None:
        said = [await opened(hall, await hall.guest()) for _ in range(3)]
        assert said == [(201, ""), (201, ""), (503, "too_many")]
        assert await opened(hall, await hall.account("ada")) == (201, "")

    evening(House(tmp_path), work)
