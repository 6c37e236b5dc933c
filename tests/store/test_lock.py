"""The lock on a store: its holder, other servers that are refused, and the end of the lock."""

import asyncio
import errno
import os
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import create_engine, text

from parlour.store import lock as locks
from parlour.store.database import BadUrl, locked, with_driver
from parlour.store.failures import StoreGone
from parlour.store.lock import StoreInUse
from parlour.store.store import Store
from tests import turned
from tests.store.postgres import new_database
from tests.store.stored import add, kept
from tests.store.test_database import as_it_was
from tests.turned import soon, turn


def while_locked(url: str, work: Callable[[], Awaitable[None]]) -> None:
    """Do something while a server has the lock."""

    async def held() -> None:
        lock = await locked(url)
        await work()
        await lock.release()

    turned.run(held())


async def refused(url: str) -> str:
    """What a second server is told."""
    waiting = asyncio.ensure_future(locked(url))
    while not waiting.done():
        turn(locks.FREED_S)
        await asyncio.sleep(0.01)
    with pytest.raises(StoreInUse) as told:
        await waiting
    return str(told.value)


def sessions(url: str) -> list[int]:
    """Of PostgreSQL, that hold the lock of a server."""
    with psycopg.connect(url, autocommit=True) as connection:
        query = f"SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND classid = {locks.SERVING}"
        return [pid for (pid,) in connection.execute(query.encode())]


def test_one_server_has_the_store_and_then_another(url: str) -> None:
    async def work() -> None:
        first = await locked(url)
        assert "is in use by another server (" in await refused(url) and str(os.getpid()) in await refused(url)
        await first.release()
        await (await locked(url)).release()

    turned.run(work())


def test_the_same_file_by_another_path_is_the_same_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.db").symlink_to(tmp_path / "folder" / "arena.db")
    (tmp_path / "other").symlink_to(tmp_path / "folder")
    monkeypatch.chdir(tmp_path)
    paths = ["folder/arena.db", f"{tmp_path}/folder/../folder/arena.db", "link.db", "other/arena.db"]

    async def work() -> None:
        for path in paths:
            assert "in use" in await refused(f"sqlite:///{path}"), path

    while_locked("sqlite:///folder/arena.db", work)
    with pytest.raises(BadUrl, match="the parameter uri is not supported"):
        turned.run(locked("sqlite:///file:folder/arena.db?uri=true"))


def test_a_lock_file_that_is_left_over_locks_nobody_out(tmp_path: Path) -> None:
    (tmp_path / "arena.db.lock").write_text("12345\n")

    async def work() -> None:
        await (await locked(f"sqlite:///{tmp_path / 'arena.db'}")).release()

    turned.run(work())
    assert stat.S_IMODE((tmp_path / "arena.db.lock").stat().st_mode) & 0o600


def test_a_lock_file_that_cannot_be_written_is_not_left_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a full disk, where the server tries again."""
    url = f"sqlite:///{tmp_path / 'arena.db'}"

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    async def work() -> None:
        with monkeypatch.context() as broken:
            broken.setattr(os, "pwrite", full)
            with pytest.raises(BadUrl, match="No space left on device"):
                await locked(url)
        await (await locked(url)).release()

    turned.run(work())


def test_a_lock_file_that_is_deleted_is_a_lock_that_is_lost(tmp_path: Path) -> None:
    async def work() -> None:
        lock = await locked(f"sqlite:///{tmp_path / 'arena.db'}")
        lost = asyncio.ensure_future(lock.lost())
        await asyncio.sleep(0)
        turn(locks.LOOKS_S)
        await asyncio.sleep(0.01)
        assert not lost.done()
        (tmp_path / "arena.db.lock").unlink()
        turn(locks.LOOKS_S)
        assert "arena.db.lock was deleted or replaced" in await soon(lost)
        await lock.release()

    turned.run(work())


def test_a_lock_file_that_cannot_be_looked_at_is_a_lock_that_is_lost(tmp_path: Path) -> None:
    file = tmp_path / "arena.db.lock"

    async def work() -> None:
        lock = await locked(f"sqlite:///{tmp_path / 'arena.db'}")
        lost = asyncio.ensure_future(lock.lost())
        await asyncio.sleep(0)
        file.rename(tmp_path / "away")
        file.symlink_to(file)
        turn(locks.LOOKS_S)
        assert "arena.db.lock cannot be accessed: Too many levels of symbolic links" in await soon(lost)
        await lock.release()

    turned.run(work())


def test_postgresql_locks_each_schema_for_itself() -> None:
    url = new_database()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA other")

    async def work() -> None:
        await (await locked(f"{url}&options=-csearch_path%3Dother")).release()

    while_locked(url, work)


@pytest.mark.parametrize("how", ["the session ends", "the lock is released"])
def test_a_lock_of_postgresql_that_is_lost_is_noticed(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "PING_S", 3600.0 if how == "the session ends" else 0.01)
    url = new_database()

    async def work() -> None:
        lock = await locked(url)
        if how == "the session ends":
            lost = asyncio.ensure_future(lock.lost())
            [pid] = sessions(url)
            with psycopg.connect(url, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s)", (pid,))
            assert "connection" in await soon(lost)
        else:
            await lock._session.execute("SELECT pg_advisory_unlock_all()")  # type: ignore[attr-defined]
            assert await soon(lock.lost()) == "PostgreSQL has released the lock"
        await (await locked(url)).release()
        await lock.release()

    turned.run(work())


def test_a_store_whose_lock_is_lost_refuses_everything(url: str) -> None:
    async def work(store: Store) -> None:
        match = await add(store)
        store.fence("the lock was lost")
        for asked in (store.match(match), store.drop_seats(match, 0), store.change_match(match, state="void")):
            with pytest.raises(StoreGone, match="the lock was lost"):
                await asked
        with pytest.raises(StoreGone):
            await store.writer.keep(match, 0, [b"line"])

    async def again(store: Store) -> None:
        [match] = await store.matches()
        assert match.state == "open" and len(match.seats) == 3 and await store.lines(match.id) == []

    kept(url, work)
    kept(url, again)


def test_tables_are_not_changed_under_a_server(url: str) -> None:
    """Such as by `parlour admin` of a later release."""
    with as_it_was(url, "0003"):
        pass

    async def work() -> None:
        with pytest.raises(StoreInUse, match="must be brought up to date, but is in use by another server"):
            await Store.open(url)
        assert revision() == "0003"

    def revision() -> object:
        engine = create_engine(with_driver(url))
        with engine.connect() as connection:
            found: object = connection.scalar(text("SELECT version_num FROM alembic_version"))
        engine.dispose()
        return found

    async def count(store: Store) -> int:
        return await store.count_matches()

    while_locked(url, work)
    assert kept(url, count) == 0 and revision() != "0003"


def test_a_store_that_is_up_to_date_is_opened_beside_a_server(url: str) -> None:
    async def work() -> None:
        await (await Store.open(url)).close()

    kept(url, add)
    while_locked(url, work)
