"""Group commit: many matches share a commit, and one match's trouble is its own."""

import asyncio

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError

from parlour.store.store import Store
from parlour.store.writer import Closed
from tests.store.stored import kept, running


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
    monkeypatch.setattr("parlour.store.writer.MOST_TOGETHER", 100)

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
    """Or there would be a gap."""

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
        async with store._database.write() as connection:
            await connection.execute(text("ALTER TABLE lines RENAME TO away"))
        told = await asyncio.gather(*(store.writer.keep(id, 0, [b"x"]) for id in ids), return_exceptions=True)
        assert all(isinstance(each, DBAPIError) for each in told)
        async with store._database.write() as connection:
            await connection.execute(text("ALTER TABLE away RENAME TO lines"))
        await asyncio.gather(*(store.writer.keep(id, 0, [b"x"]) for id in ids))
        assert [await store.lines(id) for id in ids] == [[b"x"]] * 5, "and when it is well again, it is used again"

    kept(url, work)


def test_a_database_in_trouble_is_not_asked_for_each_match(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(store: Store) -> None:
        tries = 0

        async def failing(batches: object) -> None:
            nonlocal tries
            tries += 1
            raise OperationalError("INSERT", {}, OSError("gone"))

        monkeypatch.setattr(store.writer, "_commit", failing)
        told = await asyncio.gather(
            *(store.writer.keep(f"m{n}", 0, [b"x"]) for n in range(100)), return_exceptions=True
        )
        assert all(isinstance(each, OperationalError) for each in told) and tries <= 2

    kept(url, work)


def test_who_was_stopped_while_waiting_has_kept_its_lines(url: str) -> None:
    async def work(store: Store) -> None:
        id, other = await running(store), await running(store)
        waiting = asyncio.create_task(store.writer.keep(id, 0, [b"x"]))
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
        waiting = [asyncio.create_task(store.writer.keep(id, 0, [b"x"])) for id in ids]
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
