"""How often accounts have won lately."""

from pathlib import Path
from typing import Any

from parlour.protocol.records import StoredSeat, now_ms
from parlour.store.schema import matches
from parlour.store.store import Store
from parlour.store.tidy import DAY_MS
from tests.server.arenas import Hall, House, evening
from tests.store.stored import add, executed


async def over(store: Store, ranks: dict[int, int], days: float = 0, game: str = "forsale") -> None:
    """A finished match: the rank of each account."""
    created_ms = now_ms() - int(days * DAY_MS)
    seats = [StoredSeat(seat, "open", "", account, f"p{seat}", "") for seat, account in enumerate(ranks)]
    id = await add(store, *seats, created_ms=created_ms)
    await executed(store, matches.update().where(matches.c.id == id).values(game=game))
    await store.begin_match(id, seats)
    results = {seat: (0, rank) for seat, rank in enumerate(ranks.values())}
    await store.end_match(id, "over", results, [seat.name or "" for seat in seats])


def test_wins_of_accounts_in_the_last_days(tmp_path: Path) -> None:
    async def work(hall: Hall) -> None:
        async def listed(query: str) -> list[tuple[Any, ...]]:
            found = (await hall.get(f"/standings?{query}")).json()["standings"]
            return [(each["name"], each["matches"], each["wins"], each["mean_rank"]) for each in found]

        ada, bob, guest = [
            await hall.id(token) for token in (await hall.account("ada"), await hall.account("bob"), await hall.guest())
        ]
        await over(hall.store, {ada: 1, bob: 1, guest: 3})
        await over(hall.store, {ada: 2, bob: 1, guest: 3}, days=6)
        await over(hall.store, {guest: 1, bob: 2, ada: 3}, days=8)
        await over(hall.store, {ada: 1, bob: 2}, game="maze")
        await over(hall.store, {bob: 1}, game="maze")  # nobody else was there to win
        assert await listed("game=forsale") == [("bob", 2, 1.5, 1.0), ("ada", 2, 0.5, 1.5)]
        assert await listed("game=forsale&days=30") == [("bob", 3, 1.5, 1.33), ("ada", 3, 0.5, 2.0)]
        assert await listed("game=maze&days=30") == [("ada", 1, 1.0, 1.0), ("bob", 1, 0.0, 2.0)]
        assert await listed("game=dominion") == []
        await hall.store.people.delete(bob)
        assert await listed("game=forsale&days=29") == [("ada", 3, 0.5, 2.0)]
        for query, status in (("", 400), ("game=none", 404), ("game=maze&days=0", 400), ("game=maze&days=x", 400)):
            assert (await hall.get(f"/standings?{query}")).status_code == status, query

    evening(House(tmp_path, log="off"), work)
