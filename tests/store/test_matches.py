"""Tables and matches: seats are taken, a match begins, ends once, and then never changes."""

import asyncio

import pytest
from sqlalchemy import delete, update
from sqlalchemy.exc import IntegrityError

from parlour.protocol.records import StoredSeat
from parlour.store import schema
from parlour.store.store import IsFinished, Store
from tests.store.stored import add, executed, kept, open_seat, running, table

RESULTS = {0: (7, 2), 1: (9, 1), 2: (-3, 3)}
NAMES = ["p0", "p1", "p2"]


def test_a_table_comes_back_as_it_was_put(url: str) -> None:
    seed = b"\x00\xff" * 16
    seats = (
        open_seat(0),
        StoredSeat(1, "bot", "random", None, "random", ""),
        StoredSeat(2, "invited", "", None, None, ""),
    )
    match = table(seed, *seats)

    async def first(store: Store) -> None:
        await store.add_match(match, seed)

    async def second(store: Store) -> None:
        assert await store.match(match.id) == match
        assert await store.seed(match.id) == seed
        assert await store.match("nowhere") is None

    kept(url, first)
    kept(url, second)


def test_a_table_that_is_there_is_not_put_twice(url: str) -> None:
    seed = bytes(32)

    async def work(store: Store) -> None:
        await store.add_match(table(seed), seed)
        with pytest.raises(IntegrityError):
            await store.add_match(table(seed, open_seat(5)), b"another")
        found = await store.match(table(seed).id)
        assert found is not None and len(found.seats) == 3
        assert await store.seed(found.id) == seed

    kept(url, work)


def test_a_seat_is_taken_and_free_again(url: str) -> None:
    async def work(store: Store) -> None:
        ada = await store.add_account("ada", None)
        id = await add(store)
        await store.sit(id, 1, ada.id, "Adá", "salt")
        found = await store.match(id)
        assert found is not None
        assert [(seat.account, seat.name, seat.salt) for seat in found.seats] == [
            (None, None, ""),
            (ada.id, "Adá", "salt"),
            (None, None, ""),
        ]
        await store.stand_up(id, 1)
        found = await store.match(id)
        assert found is not None and found.seats[1] == StoredSeat(1, "open", "", None, None, None)

    kept(url, work)


def test_when_a_match_begins_the_seats_that_nobody_took_are_gone(url: str) -> None:
    async def work(store: Store) -> None:
        id = await add(store, *(open_seat(seat) for seat in range(5)))
        seats = tuple(StoredSeat(seat, "open", "", None, f"p{seat}", "s") for seat in range(3))
        await store.begin_match(id, seats)
        found = await store.match(id)
        assert found is not None and (found.state, found.seats) == ("running", seats)

    kept(url, work)


def test_an_arena_goes_on_with_what_is_open_or_running(url: str) -> None:
    async def work(store: Store) -> None:
        open, begun, over, dropped = (
            await add(store, created_ms=1),
            await running(store),
            await running(store),
            await add(store),
        )
        await store.end_match(over, "over", RESULTS, NAMES)
        await store.change_match(dropped, state="dropped", ended_ms=5)
        assert [match.id for match in await store.unfinished()] == [open, begun]

    kept(url, work)


def test_matches_are_listed_the_newest_first(url: str) -> None:
    async def work(store: Store) -> None:
        ids = [await add(store, created_ms=number) for number in range(6)]
        assert [match.id for match in await store.matches(limit=4)] == ids[:1:-1]
        assert [match.id for match in await store.matches(before=(2, ids[2]))] == ids[1::-1]
        assert await store.matches(game="dominion") == await store.matches(states=["over"]) == []

    kept(url, work)


def test_every_match_is_read_a_few_at_a_time(url: str) -> None:
    async def work(store: Store) -> None:
        ids = sorted([await add(store) for _ in range(7)])
        assert [match.id async for match in store.each_match(at_once=3)] == ids
        assert await store.count_matches() == 7

    kept(url, work)


def test_the_seats_of_many_matches_are_told_apart(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.store.store.MOST_ASKED", 2)

    async def work(store: Store) -> None:
        for number in range(5):
            await add(store, StoredSeat(0, "bot", f"b{number}", None, None, ""), created_ms=number)
        assert [match.seats[0].spec for match in await store.unfinished()] == [f"b{number}" for number in range(5)]

    kept(url, work)


# The end


def test_the_result_is_kept_by_seat(url: str) -> None:
    async def work(store: Store) -> None:
        id = await running(store)
        await store.end_match(id, "over", RESULTS, NAMES)
        found = await store.match(id)
        assert found is not None and found.state == "over" and found.ended_ms is not None
        assert {seat.seat: (seat.score, seat.rank) for seat in found.seats} == RESULTS

    kept(url, work)


def test_a_player_that_joined_later_has_a_seat_at_the_end(url: str) -> None:
    async def work(store: Store) -> None:
        id = await running(store)
        await store.end_match(id, "over", {**RESULTS, 3: (1, 4)}, [*NAMES, "late"])
        found = await store.match(id)
        assert found is not None and found.seats[3] == StoredSeat(3, "joined", "", None, "late", "", 1, 4)

    kept(url, work)


def test_ended_twice_it_has_ended_once(url: str) -> None:
    async def work(store: Store) -> None:
        id = await running(store)
        await store.end_match(id, "over", RESULTS, NAMES)
        before = await store.match(id)
        await store.end_match(id, "over", RESULTS, NAMES)
        assert await store.match(id) == before

    kept(url, work)


@pytest.mark.parametrize(("state", "results"), [("over", {**RESULTS, 0: (8, 2)}), ("void", {}), ("over", {})])
def test_no_result_is_overwritten_with_another(url: str, state: str, results: dict[int, tuple[int, int]]) -> None:
    async def work(store: Store) -> None:
        id = await running(store)
        await store.end_match(id, "over", RESULTS, NAMES)
        before = await store.match(id)
        with pytest.raises(IsFinished):
            await store.end_match(id, state, results, NAMES)  # type: ignore[arg-type]
        assert await store.match(id) == before

    kept(url, work)


@pytest.mark.parametrize("state", ["over", "void", "dropped"])
def test_a_finished_match_never_changes(url: str, state: str) -> None:
    """The database itself refuses the change."""

    async def work(store: Store) -> None:
        id = await running(store)
        await store.writer.keep(id, 0, [b"header"])
        await store.change_match(id, state=state, ended_ms=1)
        before = await store.match(id)
        for change in (
            store.writer.keep(id, 1, [b"more"]),
            store.change_match(id, state="running"),
            store.change_match(id, terms="{...}"),
            store.sit(id, 0, None, "mallory", ""),
            store.stand_up(id, 0),
            store.begin_match(id, [open_seat(0)]),
        ):
            with pytest.raises(IntegrityError, match="the match is finished"):
                await change
        assert await store.match(id) == before and await store.lines(id) == [b"header"]

    kept(url, work)


def test_a_line_never_changes(url: str) -> None:
    async def work(store: Store) -> None:
        id = await running(store)
        await store.writer.keep(id, 0, [b"header"])
        with pytest.raises(IntegrityError, match="lines are never changed"):
            await executed(store, update(schema.lines).values(raw=b"forged"))
        assert await store.lines(id) == [b"header"]

    kept(url, work)


def test_a_host_may_throw_a_whole_match_away(url: str) -> None:
    async def work(store: Store) -> None:
        id = await running(store)
        await store.writer.keep(id, 0, [b"header"])
        await store.end_match(id, "over", RESULTS, NAMES)
        parts = [delete(part).where(part.c.match == id) for part in (schema.lines, schema.seats, schema.seeds)]
        await executed(store, *parts, delete(schema.matches).where(schema.matches.c.id == id))
        assert await store.count_matches() == 0

    kept(url, work)


def test_what_fails_in_the_middle_leaves_no_trace(url: str) -> None:
    async def work(store: Store) -> None:
        id = await running(store)
        with pytest.raises(IntegrityError):
            await store.begin_match(id, [open_seat(0), open_seat(0)])
        found = await store.match(id)
        assert found is not None and [seat.name for seat in found.seats] == NAMES

    kept(url, work)


def test_everything_may_be_done_at_once(url: str) -> None:
    """Readers see each match whole, at one moment or another, while others write."""

    async def work(store: Store) -> None:
        async def evening(number: int) -> None:
            ada = await store.add_account(f"p{number}", None)
            id = await add(store)
            await asyncio.gather(*(store.sit(id, seat, ada.id, f"p{seat}", "") for seat in range(3)))
            await store.begin_match(id, [StoredSeat(seat, "open", "", ada.id, f"p{seat}", "") for seat in range(3)])
            for n in range(5):
                await store.writer.keep(id, n, [b"%d" % n])
            await store.end_match(id, "over", RESULTS, NAMES)

        async def look() -> None:
            for _ in range(5):
                for match in await store.matches():
                    assert len(match.seats) == 3
                    if match.state == "over":
                        assert {seat.seat: (seat.score, seat.rank) for seat in match.seats} == RESULTS

        await asyncio.gather(*(evening(number) for number in range(10)), look(), look())
        assert [match.state for match in await store.matches()] == ["over"] * 10

    kept(url, work)
