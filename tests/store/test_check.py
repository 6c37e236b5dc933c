"""What `parlour admin check` finds: each way in which a store may be wrong."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy import Executable, delete, text, update

from parlour.games import game
from parlour.referee.transcript import new_seed
from parlour.store import schema
from parlour.store.check import check
from parlour.store.store import Store
from tests.store.matches import half_played, played
from tests.store.stored import add, executed, kept, running

Harm = Callable[[Store, str], Awaitable[None]]


@pytest.fixture
def file(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'arena.db'}"


async def wrong_with(store: Store, id: str) -> list[str]:
    match = await store.match(id)
    assert match is not None
    return await check(store, match, game)


async def change(store: Store, *statements: Executable) -> None:
    """Change the database without its triggers, as an intruder could."""
    names = await store._database.values(text("SELECT name FROM sqlite_master WHERE type = 'trigger'"))
    await executed(store, *(text(f"DROP TRIGGER {name}") for name in names), *statements)


def test_what_was_kept_as_it_should_be_holds(url: str) -> None:
    async def work(store: Store) -> None:
        for id in (await add(store), await running(store), await half_played(store), await played(store)):
            assert await wrong_with(store, id) == []

    kept(url, work)


async def changed_line(store: Store, id: str) -> None:
    raw = (await store.lines(id))[5].replace(b'"n":5', b'"n":6')
    await change(store, update(schema.lines).where(schema.lines.c.n == 5).values(raw=raw))


async def lost_line(store: Store, id: str) -> None:
    await change(store, delete(schema.lines).where(schema.lines.c.n == 7))


async def lost_first_line(store: Store, id: str) -> None:
    await change(store, delete(schema.lines).where(schema.lines.c.n == 0))


async def other_seed(store: Store, id: str) -> None:
    await change(store, update(schema.seeds).values(seed=new_seed()))


async def lost_seed(store: Store, id: str) -> None:
    await change(store, delete(schema.seeds))


async def other_player(store: Store, id: str) -> None:
    await change(store, update(schema.seats).where(schema.seats.c.seat == 1).values(name="mallory"))


ANY = [
    (changed_line, "line 6: "),
    (lost_line, "line 7 is missing"),
    (lost_first_line, "line 0 is missing"),
    (other_seed, "its seed is not the one that its header commits to"),
    (lost_seed, "its seed is missing"),
    (other_player, "its header names "),
]


@pytest.mark.parametrize(("harm", "words"), ANY, ids=[harm.__name__ for harm, _ in ANY])
@pytest.mark.parametrize("is_over", [True, False], ids=["over", "running"])
def test_harm_to_a_match_is_found(file: str, harm: Harm, words: str, is_over: bool) -> None:
    async def work(store: Store) -> None:
        id = await (played(store) if is_over else half_played(store))
        await harm(store, id)
        found = await wrong_with(store, id)
        assert found and found[0].startswith(words)

    kept(file, work)


async def other_score(store: Store, id: str) -> None:
    await change(store, update(schema.seats).where(schema.seats.c.seat == 0).values(score=99))


async def no_score(store: Store, id: str) -> None:
    await change(store, update(schema.seats).values(score=None, rank=None))


async def other_state(store: Store, id: str) -> None:
    await change(store, update(schema.matches).values(state="void"))


async def no_end(store: Store, id: str) -> None:
    last = len(await store.lines(id)) - 1
    await change(store, delete(schema.lines).where(schema.lines.c.n >= last - 1))


async def only_a_table(store: Store, id: str) -> None:
    await change(store, update(schema.matches).values(state="open"))


async def no_lines(store: Store, id: str) -> None:
    await change(store, delete(schema.lines))


ENDS = [
    (other_score, "its result is not that of its transcript"),
    (no_score, "its result is not that of its transcript"),
    (other_state, "its result is not that of its transcript"),
    (no_end, "it is over, but its transcript has no end"),
    (only_a_table, "it has lines, but its match has not begun"),
    (no_lines, "it is over, but has no lines"),
]


@pytest.mark.parametrize(("harm", "words"), ENDS, ids=[harm.__name__ for harm, _ in ENDS])
def test_harm_to_a_result_is_found(file: str, harm: Harm, words: str) -> None:
    async def work(store: Store) -> None:
        id = await played(store)
        await harm(store, id)
        assert await wrong_with(store, id) == [words]

    kept(file, work)


def test_a_table_under_another_seed_is_found(file: str) -> None:
    async def work(store: Store) -> None:
        id = await add(store)
        await other_seed(store, id)
        assert await wrong_with(store, id) == ["its seed is not the one that it is named for"]

    kept(file, work)


def test_lines_of_another_match_are_found(file: str) -> None:
    async def work(store: Store) -> None:
        id, other = await half_played(store), await running(store)
        await store.writer.keep(other, 0, await store.lines(id))
        assert (await wrong_with(store, other))[0] == f"its lines are those of {id}, a match of forsale"

    kept(file, work)


def test_a_match_that_could_not_be_gone_on_with_is_void_and_holds_so_far(file: str) -> None:
    async def work(store: Store) -> None:
        id = await half_played(store)
        await store.change_match(id, state="void")
        assert await wrong_with(store, id) == []

    kept(file, work)
