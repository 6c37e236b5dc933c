"""Writing together: what many want to write at the same time is one commit, and each learns what came of its own."""

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pytest
from sqlalchemy import Connection, event

from parlour.store.database import File
from parlour.store.jobs import Job, Jobs
from parlour.store.store import NameTaken, Store
from tests.store.stored import kept, running
from tests.turned import run, settle, until


def in_a_file(folder: Path) -> str:
    return f"sqlite:///{folder / 'arena.db'}"


def test_those_who_write_at_the_same_time_wait_for_the_disk_together(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        assert isinstance(store._database, File)
        commits: list[Connection] = []
        event.listen(store._database._writes, "commit", commits.append)
        match = await running(store)
        commits.clear()
        await asyncio.gather(
            *(store.add_account(f"ada {number}", None) for number in range(20)),
            *(store.sit(match, seat, None, "bob", "") for seat in range(3)),
            store.writer.keep(match, 0, [b"header"]),
        )
        assert 1 <= len(commits) <= 4
        assert len(await store.accounts()) == 20 and await store.lines(match) == [b"header"]

    kept(in_a_file(tmp_path), work)


def test_what_fails_is_its_writers_trouble_and_nobody_elses(url: str) -> None:
    async def work(store: Store) -> None:
        names = ["ada", "bob", "ada", "cyd", "bob"]
        came = await asyncio.gather(*(store.add_account(name, None) for name in names), return_exceptions=True)
        assert [type(each) for each in came].count(NameTaken) == 2
        assert sorted(account.name for account in await store.accounts()) == ["ada", "bob", "cyd"]

    kept(url, work)


def test_who_is_stopped_before_its_turn_has_written_nothing(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        async with store._database.write():
            first = asyncio.create_task(store.add_account("ada", None))
            await settle()
            second = asyncio.create_task(store.add_account("bob", None))
            await settle()
            second.cancel()
            with pytest.raises(asyncio.CancelledError):
                await second
        await first
        assert [account.name for account in await store.accounts()] == ["ada"]

    kept(in_a_file(tmp_path), work)


def test_who_is_stopped_in_the_middle_has_written_all_of_it(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        async with store._database.write():
            writing = asyncio.create_task(store.add_account("ada", None))
            await settle()
            writing.cancel()
            await settle()
            writing.cancel()
            await settle()
            assert not writing.done(), "it is being done, and cannot be taken back"
        with pytest.raises(asyncio.CancelledError):
            await writing
        assert [account.name for account in await store.accounts()] == ["ada"]
        await store.add_account("bob", None)

    kept(in_a_file(tmp_path), work)


def test_a_connection_is_not_given_back_before_its_thread_is_done_with_it(tmp_path: Path) -> None:
    began, goes_on = threading.Event(), threading.Event()

    def slow(connection: Connection) -> None:
        began.set()
        goes_on.wait(60)

    async def read(store: Store) -> None:
        async with store._database.read() as connection:
            await connection.run_sync(slow)

    async def work(store: Store) -> None:
        reading = asyncio.create_task(read(store))
        await until(began.is_set)
        reading.cancel()
        await settle()
        assert not reading.done()
        goes_on.set()
        with pytest.raises(asyncio.CancelledError):
            await reading
        assert await store.count_matches() == 0

    kept(in_a_file(tmp_path), work)


def test_what_could_not_even_be_tried_is_not_done() -> None:
    async def nothing(jobs: Sequence[Job]) -> None:
        if tried:
            jobs[0].result = jobs[0].work(cast(Connection, None))
        else:
            tried.append("once")
            raise RuntimeError("no thread for it")

    async def work() -> None:
        jobs = Jobs(nothing)
        with pytest.raises(RuntimeError, match="no thread for it"):
            await jobs.done(lambda connection: "first")
        assert await jobs.done(lambda connection: "second") == "second"

    tried: list[str] = []
    run(work())
