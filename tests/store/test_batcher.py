"""Group commit: lines and jobs share a commit, and the trouble of one is its own."""

import asyncio
import gc
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import Connection, QueuePool, event, text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from parlour.store.batcher import Batcher, Closed
from parlour.store.database import SqliteDatabase
from parlour.store.store import NameTaken, Store
from tests.store.stored import executed, kept, running, scalar
from tests.turned import run, settle, soon, until


def test_lines_come_back_in_order_and_as_they_were(url: str) -> None:
    raws = [b"{}", b'{"name":"Zo\xc3\xab"}', bytes(range(256)), b""]

    async def first(store: Store) -> str:
        id = await running(store)
        await store.writer.keep(id, 0, raws[:1])
        await store.writer.keep(id, 1, raws[1:])
        return id

    async def second(store: Store) -> None:
        assert await store.lines(match) == raws
        assert await store.lines(match, 1, 2) == raws[1:3]
        assert await store.numbers(match) == [0, 1, 2, 3]
        assert await store.lines("nowhere") == []

    match = kept(url, first)
    kept(url, second)


def test_a_line_of_megabytes(url: str) -> None:
    big = bytes(range(256)) * 20_000

    async def work(store: Store) -> None:
        id = await running(store)
        await store.writer.keep(id, 0, [b"header", big])
        assert await store.lines(id) == [b"header", big]

    kept(url, work)


def test_nothing_to_keep_is_kept_at_once(url: str) -> None:
    async def work(store: Store) -> None:
        await store.writer.keep("nowhere", 0, [])
        assert store.writer.commits == 0

    kept(url, work)


def test_what_is_kept_is_there_for_others_already(url: str) -> None:
    async def work(store: Store) -> None:
        id = await running(store)
        other = await Store.open(url)
        for n in range(5):
            await store.writer.keep(id, n, [b"x"])
            assert len(await other.lines(id)) == n + 1
        await other.close()

    kept(url, work)


def test_the_second_writer_of_a_number_is_refused_and_loses_nothing_else(url: str) -> None:
    async def work(store: Store) -> None:
        id, other = await running(store), await Store.open(url)
        await store.writer.keep(id, 0, [b"header"])
        await other.writer.keep(id, 1, [b"theirs"])
        with pytest.raises(IntegrityError):
            await store.writer.keep(id, 1, [b"ours", b"and the next"])
        assert await store.lines(id) == [b"header", b"theirs"], "a batch is kept whole or not at all"
        await other.writer.keep(id, 2, [b"later"])
        assert await store.lines(id) == [b"header", b"theirs", b"later"]
        await other.close()

    kept(url, work)


def test_a_line_of_no_match_is_refused(url: str) -> None:
    async def work(store: Store) -> None:
        with pytest.raises(IntegrityError):
            await store.writer.keep("nowhere", 0, [b"x"])

    kept(url, work)


def test_many_matches_share_a_commit(url: str) -> None:
    async def work(store: Store) -> None:
        ids = [await running(store) for _ in range(25)]
        for n in range(4):
            await asyncio.gather(*(store.writer.keep(id, n, [b"%d" % n]) for id in ids))
        assert store.writer.lines == 100
        assert store.writer.commits <= 8, "the first of each round may go alone, the others go together"
        for id in ids:
            assert await store.lines(id) == [b"0", b"1", b"2", b"3"]

    kept(url, work)


def test_more_than_fits_into_a_commit_takes_several(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.store.batcher.MOST_TOGETHER", 100)

    async def work(store: Store) -> None:
        ids = [await running(store) for _ in range(3)]
        many = [b"x"] * 99
        await asyncio.gather(*(store.writer.keep(id, 0, many) for id in ids))
        assert 2 <= store.writer.commits <= 3
        assert [len(await store.lines(id)) for id in ids] == [len(many)] * 3

    kept(url, work)


def test_one_bad_batch_does_not_spoil_the_others(url: str) -> None:
    async def work(store: Store) -> None:
        ids = [await running(store) for _ in range(10)]
        await store.writer.keep(ids[4], 0, [b"already there"])
        told = await asyncio.gather(*(store.writer.keep(id, 0, [b"x"]) for id in ids), return_exceptions=True)
        assert [type(each) for each in told] == [type(None)] * 4 + [IntegrityError] + [type(None)] * 5
        assert [await store.lines(id) for id in ids] == [[b"x"]] * 4 + [[b"already there"]] + [[b"x"]] * 5

    kept(url, work)


def test_batches_of_one_match_are_kept_in_order(url: str) -> None:
    async def work(store: Store) -> None:
        ids = [await running(store) for _ in range(5)]
        await asyncio.gather(*(store.writer.keep(id, n, [b"%d" % n]) for n in range(40) for id in ids))
        for id in ids:
            assert await store.lines(id) == [b"%d" % n for n in range(40)]

    kept(url, work)


def test_after_a_refused_batch_the_next_of_its_match_is_refused_too(url: str) -> None:
    """Otherwise the lines would have a gap."""

    async def work(store: Store) -> None:
        bad, good = await running(store), await running(store)
        await store.writer.keep(bad, 0, [b"header"])
        told = await asyncio.gather(
            store.writer.keep(bad, 0, [b"again"]),
            store.writer.keep(good, 0, [b"header"]),
            store.writer.keep(bad, 1, [b"next"]),
            return_exceptions=True,
        )
        assert [type(each) for each in told] == [IntegrityError, type(None), IntegrityError]
        assert await store.numbers(bad) == [0] and await store.numbers(good) == [0]

    kept(url, work)


def test_a_failing_database_is_reported_to_all_who_wait(url: str) -> None:
    async def work(store: Store) -> None:
        ids = [await running(store) for _ in range(5)]
        await executed(store, text("ALTER TABLE lines RENAME TO away"))
        told = await asyncio.gather(*(store.writer.keep(id, 0, [b"x"]) for id in ids), return_exceptions=True)
        assert all(isinstance(each, DBAPIError) for each in told)
        await executed(store, text("ALTER TABLE away RENAME TO lines"))
        await asyncio.gather(*(store.writer.keep(id, 0, [b"x"]) for id in ids))
        assert [await store.lines(id) for id in ids] == [[b"x"]] * 5, "and when it is well again, it is used again"

    kept(url, work)


def test_a_database_in_trouble_is_not_asked_for_each_match(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(store: Store) -> None:
        tries = 0

        @contextmanager
        def failing() -> Iterator[Connection]:
            nonlocal tries
            tries += 1
            if tries:
                raise OperationalError("INSERT", {}, OSError("gone"))
            yield cast(Connection, None)

        monkeypatch.setattr(store.writer, "_transaction", failing)
        told = await asyncio.gather(
            *(store.writer.keep(f"m{n}", 0, [b"x"]) for n in range(100)),
            *(store.add_account(f"ada {n}", None) for n in range(10)),
            return_exceptions=True,
        )
        assert all(isinstance(each, OperationalError) for each in told) and tries <= 2

    kept(url, work)


def test_a_caller_that_was_stopped_while_waiting_has_kept_its_lines(url: str) -> None:
    async def work(store: Store) -> None:
        id, other = await running(store), await running(store)
        waiting = asyncio.ensure_future(store.writer.keep(id, 0, [b"x"]))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await store.writer.keep(other, 0, [b"y"])
        assert waiting.cancelled() and await store.lines(id) == [b"x"]

    kept(url, work)


@pytest.mark.parametrize("head_start", [0, 1, 3])
def test_closing_writes_what_is_left(url: str, head_start: int) -> None:
    """Whether it still waits, or is on its way to the disk."""

    async def first(store: Store) -> list[str]:
        ids = [await running(store) for _ in range(20)]
        waiting = [asyncio.ensure_future(store.writer.keep(id, 0, [b"x"])) for id in ids]
        await asyncio.sleep(0)
        for _ in range(head_start):
            await asyncio.sleep(0.001)
        await store.writer.close()
        assert await asyncio.wait_for(asyncio.gather(*waiting), 30) == [None] * 20
        with pytest.raises(Closed):
            await store.writer.keep(ids[0], 1, [b"too late"])
        return ids

    async def second(store: Store) -> None:
        assert [await store.lines(id) for id in ids] == [[b"x"]] * 20

    ids = kept(url, first)
    kept(url, second)


def test_a_store_that_was_not_used_is_closed_at_once(url: str) -> None:
    async def work(store: Store) -> None:
        await store.close()

    kept(url, work)


# Jobs


def in_a_file(folder: Path) -> str:
    return f"sqlite:///{folder / 'arena.db'}"


@asynccontextmanager
async def busy(store: Store) -> AsyncIterator[None]:
    """The writer is in the middle of a job until the block ends."""
    began, goes_on = threading.Event(), threading.Event()

    def slow(connection: Connection) -> None:
        began.set()
        goes_on.wait(60)

    writing = asyncio.create_task(store.writer.do(slow))
    await until(began.is_set)
    try:
        yield
    finally:
        goes_on.set()
        await writing


def test_those_who_write_at_the_same_time_wait_for_the_disk_together(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        assert isinstance(store._database, SqliteDatabase)
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


def test_a_caller_that_writes_again_as_soon_as_it_is_done_shares_the_next_commit(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        assert isinstance(store._database, SqliteDatabase)
        commits: list[Connection] = []
        event.listen(store._database._writes, "commit", commits.append)

        async def writing() -> None:
            for _ in range(10):
                await store.writer.do(lambda connection: None)

        async def keeping(match: str) -> None:
            for n in range(10):
                await store.writer.keep(match, n, [b"line"])

        matches = [await running(store) for _ in range(3)]
        commits.clear()
        await asyncio.gather(*(writing() for _ in range(3)), *map(keeping, matches))
        assert len(commits) == 10

    kept(in_a_file(tmp_path), work)


def test_what_fails_is_its_writers_trouble_and_nobody_elses(url: str) -> None:
    async def work(store: Store) -> None:
        match, names = await running(store), ["ada", "bob", "ada", "cyd", "bob"]
        async with busy(store):
            adding = [asyncio.ensure_future(store.add_account(name, None)) for name in names[:3]]
            await settle()
            lines = [store.writer.keep(match, 0, [b"header"]), store.writer.keep("nowhere", 0, [b"x"])]
            adding += [asyncio.ensure_future(store.add_account(name, None)) for name in names[3:]]
            await settle()
        came = await asyncio.gather(*adding, return_exceptions=True)
        assert [type(each) for each in came].count(NameTaken) == 2
        assert sorted(account.name for account in await store.accounts()) == ["ada", "bob", "cyd"]
        assert isinstance((await asyncio.gather(*lines, return_exceptions=True))[1], IntegrityError)
        assert await store.lines(match) == [b"header"]

    kept(url, work)


def test_lines_and_jobs_are_written_in_their_order(url: str) -> None:
    async def work(store: Store) -> None:
        match = await running(store)
        async with busy(store):
            first = store.writer.keep(match, 0, [b"header"])
            ending = asyncio.create_task(store.change_match(match, state="void", ended_ms=1))
            await settle()
            late = store.writer.keep(match, 1, [b"more"])
        await asyncio.gather(first, ending)
        with pytest.raises(IntegrityError, match="the match is finished"):
            await late
        assert await store.lines(match) == [b"header"]

    kept(url, work)


def test_a_caller_that_is_stopped_before_its_turn_has_written_nothing(tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        async with busy(store):
            first = asyncio.create_task(store.add_account("ada", None))
            second = asyncio.create_task(store.add_account("bob", None))
            await settle()
            second.cancel()
            with pytest.raises(asyncio.CancelledError):
                await second
        await first
        assert [account.name for account in await store.accounts()] == ["ada"]

    kept(in_a_file(tmp_path), work)


@pytest.mark.parametrize("fails", [False, True])
def test_a_caller_that_is_stopped_in_the_middle_has_written_all_of_it(tmp_path: Path, fails: bool) -> None:
    began, goes_on = threading.Event(), threading.Event()

    def slow(connection: Connection) -> None:
        connection.execute(text("PRAGMA user_version = 7"))
        began.set()
        goes_on.wait(60)
        if fails:
            raise RuntimeError("oops")

    async def work(store: Store) -> None:
        writing = asyncio.create_task(store.writer.do(slow))
        await until(began.is_set)
        for _ in range(2):
            writing.cancel()
            await settle()
        assert not writing.done(), "it is being done, and cannot be taken back"
        goes_on.set()
        with pytest.raises(asyncio.CancelledError):
            await writing
        assert await scalar(store, text("PRAGMA user_version")) == (0 if fails else 7)
        await store.add_account("bob", None)

    kept(in_a_file(tmp_path), work)


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_caller_that_is_stopped_at_the_moment_when_it_is_done_does_not_wait_any_more(
    tmp_path: Path, when: str, fails: bool
) -> None:
    def job(connection: Connection) -> None:
        if fails:
            raise RuntimeError("oops")

    async def work(store: Store) -> None:
        told: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context))
        writing: list[asyncio.Task[None]] = []
        finish = store.writer._finish

        def stopped(batch: Sequence[Any]) -> None:
            if when == "after":
                finish(batch)
            for task in writing:
                task.cancel()
            if when == "before":
                finish(batch)

        store.writer._finish = stopped  # type: ignore[method-assign]
        writing.append(asyncio.create_task(store.writer.do(job)))
        with pytest.raises(asyncio.CancelledError):
            await soon(writing[0])
        writing.clear()
        await store.ready()
        gc.collect()
        assert not told

    kept(in_a_file(tmp_path), work)


@pytest.mark.parametrize("fails", ["the thread", "a listener"])
def test_what_fails_beside_the_database_leaves_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("oops")

    async def work() -> None:
        writer = Batcher(lambda: nullcontext(cast(Connection, None)))
        with monkeypatch.context() as patch:
            patch.setattr(threading.Thread, "start", broken)
            with pytest.raises(RuntimeError, match="oops"):
                await soon(writer.do(lambda connection: 1))
        with pytest.raises(RuntimeError, match="StopIteration"):
            await soon(writer.do(lambda connection: next(iter(()))))
        assert await soon(writer.do(lambda connection: 2)) == 2
        await writer.close()

    async def listened(store: Store) -> None:
        id, told = await running(store), list[object]()
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: told.append(context["exception"]))
        store.writer.listeners.append(broken)
        await soon(store.writer.keep(id, 0, [b"x"]))
        await soon(store.writer.keep(id, 1, [b"y"]))
        assert await store.lines(id) == [b"x", b"y"] and len(told) == 2

    if fails == "the thread":
        run(work())
    else:
        kept(in_a_file(tmp_path), listened)


def test_a_connection_is_not_given_back_before_its_thread_is_done_with_it(tmp_path: Path) -> None:
    began, goes_on = threading.Event(), threading.Event()

    def slow(connection: Connection) -> None:
        began.set()
        goes_on.wait(60)

    async def work(store: Store) -> None:
        assert isinstance(store._database, SqliteDatabase)
        pool = cast(QueuePool, store._database._reads.pool)
        before = pool.checkedout()
        reading = asyncio.create_task(store._database.fetch(slow))
        await until(began.is_set)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        assert await store.count_matches() == 0 and pool.checkedout() == before + 1
        goes_on.set()
        await until(lambda: pool.checkedout() == before)
        assert await store.count_matches() == 0

    kept(in_a_file(tmp_path), work)


def test_what_could_not_even_be_tried_is_not_done() -> None:
    @contextmanager
    def nothing() -> Iterator[Connection]:
        if not tried:
            tried.append("once")
            raise RuntimeError("no connection for it")
        yield cast(Connection, None)

    async def work() -> None:
        writer = Batcher(nothing)
        with pytest.raises(RuntimeError, match="no connection for it"):
            await writer.do(lambda connection: "first")
        assert await writer.do(lambda connection: "second") == "second"
        await writer.close()

    tried: list[str] = []
    run(work())


def test_listeners_are_told_what_is_durable_once_for_each_commit(url: str) -> None:
    async def work(store: Store) -> None:
        ids, told = [await running(store) for _ in range(5)], list[list[str]]()
        store.writer.listeners.append(lambda stored: told.append([lines.match for lines in stored]))
        async with busy(store):
            kept = [store.writer.keep(id, 0, [b"x"]) for id in [*ids, "nowhere"]]
        await asyncio.gather(*kept, return_exceptions=True)
        assert told == [ids]

    kept(url, work)
