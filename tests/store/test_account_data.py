"""What the store has about one account, in both databases."""

from msgspec.structs import replace

from parlour.protocol.records import StoredSeat
from parlour.referee.transcript import match_name, new_seed
from parlour.store.store import NewAccount, Store
from tests.store.stored import kept, table


def test_an_account_has_its_own_tables_and_seats_only(url: str) -> None:
    async def work(store: Store) -> None:
        ada, bob = await store.add_accounts([NewAccount("ada", "$hash"), NewAccount("bob", "$hash")])
        first, second = new_seed(), new_seed()
        seats = [
            StoredSeat(0, "open", "", bob.id, "bob", "salt of bob"),
            StoredSeat(1, "open", "", ada.id, "ada", "salt of ada"),
        ]
        await store.add_match(replace(table(first, *seats), owner=ada.id), first)
        await store.add_match(table(second, *seats[:1]), second)
        tables, matches = await store.data.of(ada.id)
        assert [(each.id, type(each.terms)) for each in tables] == [(match_name(first), dict)]
        assert [(each.id, each.seat, each.name, each.salt) for each in matches] == [
            (match_name(first), 1, "ada", "salt of ada")
        ]
        await store.end_match(match_name(first), "over", {0: (3, 2), 1: (9, 1)}, ["bob", "ada"])
        _, [over] = await store.data.of(ada.id)
        assert (over.state, over.score, over.rank) == ("over", 9, 1) and over.ended_ms is not None
        tables, matches = await store.data.of(bob.id)
        assert not tables and {each.id for each in matches} == {match_name(first), match_name(second)}

    kept(url, work)
