"""Stored rooms: each with its running game, and the seats that are about to join it."""

import pytest
from msgspec.structs import replace
from sqlalchemy.exc import IntegrityError

from parlour.protocol.records import StoredMatch, StoredSeat, now_ms
from parlour.referee.transcript import match_name, new_seed
from parlour.store.store import NameTaken, Store, StoredRoom
from tests.store.stored import add, kept

ROOM = StoredRoom("r", "{}", "hash", "other hash", None, 5, 7)
ADA = StoredSeat(0, "joined", "", None, "ada", "", secret="hash")


def game(seed: bytes) -> StoredMatch:
    return StoredMatch(
        id=match_name(seed),
        game="colorfight",
        state="running",
        terms="{}",
        owner=None,
        key_hash=None,
        waits_until_ms=None,
        created_ms=now_ms(),
        ended_ms=None,
        seats=(),
    )


async def begun(store: Store) -> str:
    """A room with a game; gives the game's id."""
    seed = new_seed()
    await store.add_room(ROOM)
    await store.begin_game("r", '{"a":1}', game(seed), seed)
    assert await store.seed(match_name(seed)) == seed
    return match_name(seed)


async def seats(store: Store, id: str) -> list[StoredSeat]:
    match = await store.match(id)
    assert match is not None
    return [*match.seats]


def test_a_room_comes_back_as_it_was_put(url: str) -> None:
    async def first(store: Store) -> None:
        await store.add_room(ROOM)
        await store.add_room(StoredRoom("older", "{}", None, "", None, 4))

    async def second(store: Store) -> None:
        assert await store.room("r") == ROOM and await store.room("nowhere") is None
        assert [room.name for room in await store.rooms()] == ["older", "r"]
        with pytest.raises(NameTaken):
            await store.add_room(ROOM)
        await store.delete_room("r")
        await store.delete_room("r")
        assert [room.name for room in await store.rooms()] == ["older"]

    kept(url, first)
    kept(url, second)


def test_a_room_has_its_game_and_is_run_as_it_was_begun(url: str) -> None:
    async def work(store: Store) -> None:
        id = await begun(store)
        room, match = await store.room("r"), await store.match(id)
        assert room is not None and (room.match, room.config, room.join_key) == (id, '{"a":1}', "other hash")
        assert match is not None and match.state == "running" and match.seats == ()

    kept(url, work)


def test_the_games_of_a_room_are_found_until_it_is_deleted(url: str) -> None:
    async def work(store: Store) -> None:
        first, seed = await begun(store), new_seed()
        await store.end_match(first, "over", {}, [])
        await store.begin_game("r", "{}", replace(game(seed), created_ms=now_ms() + 5), seed)
        await add(store)
        assert [match.id for match in await store.matches(room="r")] == [match_name(seed), first]
        assert [match.id for match in await store.matches(room="r", states=["over"])] == [first]
        await store.delete_room("r")
        assert await store.matches(room="r") == []
        await store.add_room(replace(ROOM, created_ms=now_ms() + 10))
        assert await store.matches(room="r") == [], "another room of the same name has its own games"
        assert await store.match(first) is not None

    kept(url, work)


def test_a_room_has_an_owner_until_the_account_is_deleted(url: str) -> None:
    async def work(store: Store) -> None:
        guest = await store.add_account("guest", None)
        await store.add_room(replace(ROOM, owner=guest.id, config='{"max_player":2}'))
        [own] = await store.data.rooms_of(guest.id)
        assert (own.name, own.settings, own.created_ms) == ("r", {"max_player": 2}, 5)
        assert await store.idle_guests(now_ms() + 1) == [] and await store.remove_guests([guest.id]) == 0
        await store.people.delete(guest.id)
        room = await store.room("r")
        assert room is not None and room.owner is None and await store.data.rooms_of(guest.id) == []

    kept(url, work)


def test_a_game_is_begun_wholly_or_not_at_all(url: str) -> None:
    async def work(store: Store) -> None:
        id = await begun(store)
        again = StoredMatch(**{**{f: getattr(game(b"x"), f) for f in StoredMatch.__struct_fields__}, "id": id})
        with pytest.raises(IntegrityError):
            await store.begin_game("r", "other", again, b"other seed")
        room = await store.room("r")
        assert room is not None and room.config == '{"a":1}' and await store.seed(id) != b"other seed"

    kept(url, work)


def test_games_of_rooms_are_not_the_arenas_to_go_on_with(url: str) -> None:
    async def work(store: Store) -> None:
        table = await add(store)
        id = await begun(store)
        assert [match.id for match in await store.unfinished()] == [table]
        await store.delete_room("r")
        assert [match.id for match in await store.unfinished()] == [table, id], "nobody else goes on with it"

    kept(url, work)


def test_a_player_that_is_about_to_join_has_a_seat(url: str) -> None:
    async def work(store: Store) -> None:
        id = await begun(store)
        bob = StoredSeat(1, "bot", "random", None, "random", "")
        assert await store.join(id, ADA) and await store.join(id, bob)
        assert await seats(store, id) == [ADA, bob]
        eve = StoredSeat(1, "joined", "", None, "eve", "", secret="other")
        assert await store.join(id, eve)
        assert await seats(store, id) == [ADA, eve], "who did not come makes room"
        await store.drop_seats(id, 1)
        assert await seats(store, id) == [ADA]

    kept(url, work)


def test_a_player_that_did_not_come_has_no_seat_in_the_end(url: str) -> None:
    async def work(store: Store) -> None:
        id = await begun(store)
        await store.join(id, ADA)
        await store.join(id, StoredSeat(1, "joined", "", None, "late", ""))
        await store.end_match(id, "over", {0: (10, 1)}, ["ada"])
        await store.end_match(id, "over", {0: (10, 1)}, ["ada"])
        [seat] = await seats(store, id)
        assert (seat.name, seat.score, seat.rank, seat.secret) == ("ada", 10, 1, None)
        assert not await store.join(id, StoredSeat(1, "joined", "", None, "later", ""))
        assert await seats(store, id) == [seat]

    kept(url, work)
