"""What is done to accounts and tokens in the store, in both databases."""

import asyncio

import pytest
from sqlalchemy import create_engine, inspect, text

from parlour.protocol.records import StoredSeat, now_ms
from parlour.server.accounts import hash_of
from parlour.store.database import _upgrade, with_driver
from parlour.store.store import NameTaken, NewAccount, Store
from parlour.store.tokens import ParentEnded, PasswordChanged, TooManyTokens
from tests.store.stored import add, executed, kept

FAR = 2**50
"""A time in the far future."""


# Names


def test_a_new_account_does_not_look_like_another(url: str) -> None:
    async def work(store: Store) -> None:
        await store.add_account("modern", "$hash")
        for name in ("modern", "Modern", "rnodern", "modem", "m\u043edern"):
            with pytest.raises(NameTaken):
                await store.add_account(name, "$hash")
        await store.add_account("moderna", "$hash")
        assert [each.name for each in await store.accounts()] == ["modern", "moderna"]

    kept(url, work)


def test_of_many_names_that_look_alike_one_gets_an_account(url: str) -> None:
    async def work(store: Store) -> None:
        names = ["ll", "l1", "1l", "11", "lI", "Il", "II", "|l", "l|", "||"]
        tried = await asyncio.gather(*(store.add_account(name, "$hash") for name in names), return_exceptions=True)
        assert sum(isinstance(each, NameTaken) for each in tried) == len(names) - 1
        assert len(await store.accounts()) == 1

    kept(url, work)


def test_many_accounts_are_created_together_or_not_at_all(url: str) -> None:
    async def work(store: Store) -> None:
        await store.add_account("ada", "$hash")
        with pytest.raises(NameTaken, match="Ada"):
            await store.add_accounts([NewAccount("bob", "$hash"), NewAccount("Ada", "$hash"), NewAccount("cyd", "$h")])
        assert [each.name for each in await store.accounts()] == ["ada"]
        await store.add_accounts([NewAccount("bob", "$hash"), NewAccount("cyd", "$hash")])
        assert [each.name for each in await store.accounts()] == ["ada", "bob", "cyd"]

    kept(url, work)


ACCOUNT = text("INSERT INTO accounts (name, password, admin, created_ms) VALUES (:name, '$old', :no, :at)")
TOKEN = text(
    "INSERT INTO tokens (account, hash, scopes, label, created_ms, revoked)"
    " SELECT min(id), :hash, 'host play', '', :at, :no FROM accounts"
)


def before_the_keys(url: str, *names: str) -> None:
    """A store of the release before the skeletons of names, with these accounts."""
    parsed = with_driver(url)
    driver = "postgresql+psycopg" if parsed.get_backend_name() == "postgresql" else "sqlite"
    engine = create_engine(parsed.set(drivername=driver))
    with engine.begin() as connection:
        _upgrade(connection, "0005")
        assert "names" not in inspect(connection).get_table_names()
        for name in names:
            connection.execute(ACCOUNT, {"name": name, "at": now_ms(), "no": False})
        connection.execute(TOKEN, {"hash": hash_of("parlour_old"), "at": now_ms(), "no": False})
    engine.dispose()


def test_accounts_of_an_older_store_keep_their_names_even_if_they_look_alike(url: str) -> None:
    before_the_keys(url, "modern", "rnodern", "ada", "Ada", "ADA")

    async def work(store: Store) -> None:
        assert [each.name for each in await store.accounts()] == ["modern", "rnodern", "ada", "Ada", "ADA"]
        assert all(each.state == "active" for each in await store.accounts())
        token = await store.token(hash_of("parlour_old"))
        assert token is not None and token.expires_ms is None and token.parent is None
        first, second = (await store.accounts())[:2]
        for name in ("Modern", "aDa"):
            with pytest.raises(NameTaken):
                await store.add_account(name, "$hash")
        assert await store.people.holder("antique") is None
        assert await store.people.delete(first.id)
        with pytest.raises(NameTaken):
            await store.add_account("modern", "$hash")
        assert await store.people.holder("modern") == second.id, "the other one has the key now"

    kept(url, work)
    kept(url, lambda store: store.people.fill_names())


# Tokens


def test_a_token_ends_with_the_one_it_was_made_from(url: str) -> None:
    async def work(store: Store) -> None:
        ada, bob = await store.add_account("ada", "$hash"), await store.add_account("bob", "$hash")
        first = await store.add_token(ada, "1" * 64, ["play"], "")
        child = await store.add_token(ada, "2" * 64, ["play"], "", parent=first.id)
        grandchild = await store.add_token(ada, "3" * 64, ["play"], "", parent=child.id)
        sibling = await store.add_token(ada, "4" * 64, ["play"], "")
        other = await store.add_token(bob, "5" * 64, ["play"], "")
        assert await store.revoke(bob.id, first.id) == [], "it is not his"
        assert await store.revoke(ada.id, first.id) == [first.id, child.id, grandchild.id]
        held = [each.id for each in await store.tokens_of(ada.id) if not each.revoked]
        assert held == [sibling.id] and not (await store.tokens_of(bob.id))[0].revoked
        for parent in (first, child, grandchild, other):
            with pytest.raises(ParentEnded):
                await store.add_token(ada, "6" * 64, ["play"], "", parent=parent.id)
        assert other.account == bob

    kept(url, work)


CHILDREN = text(
    "INSERT INTO tokens (account, hash, scopes, label, created_ms, revoked, parent)"
    " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :count)"
    " SELECT :account, CAST(i AS VARCHAR(64)), 'play', '', 1, :yes, :parent FROM n"
)


def test_a_token_is_revoked_however_many_were_made_from_it(url: str) -> None:
    count = 66_000 if url.startswith("postgresql") else 251_000  # more than a statement has parameters

    async def work(store: Store) -> None:
        ada = await store.add_account("ada", "$hash")
        parent = await store.add_token(ada, "p" * 64, ["play"], "")
        children = CHILDREN.bindparams(count=count, account=ada.id, yes=True, parent=parent.id)
        await executed(store, children)
        child = await store.add_token(ada, "c" * 64, ["play"], "", parent=parent.id)
        ended = await store.revoke(ada.id, parent.id)
        assert len(ended) == count + 2 and {parent.id, child.id} < {*ended}
        for hash in ("p" * 64, "c" * 64):
            found = await store.token(hash)
            assert found is not None and found.revoked

    kept(url, work)


def test_a_token_has_no_child_that_is_made_while_it_ends(url: str) -> None:
    async def work(store: Store) -> None:
        ada = await store.add_account("ada", "$hash")
        parent = await store.add_token(ada, "0" * 64, ["play"], "")
        made = [store.add_token(ada, f"{n:064}", ["play"], "", parent=parent.id) for n in range(1, 20)]
        await asyncio.gather(*made[:9], store.revoke(ada.id, parent.id), *made[9:], return_exceptions=True)
        assert all(each.revoked for each in await store.tokens_of(ada.id))

    kept(url, work)


def test_an_account_has_so_many_tokens_that_hold(url: str) -> None:
    async def work(store: Store) -> None:
        ada, bob = await store.add_account("ada", "$hash"), await store.add_account("bob", "$hash")
        tried = await asyncio.gather(
            *(store.add_token(ada, f"{n:064}", ["play"], "", most=3) for n in range(10)), return_exceptions=True
        )
        assert sum(isinstance(each, TooManyTokens) for each in tried) == 7
        await store.add_token(bob, "b" * 64, ["play"], "", most=3)
        [first, *_] = await store.tokens_of(ada.id)
        await store.revoke(ada.id, first.id)
        await store.add_token(ada, "c" * 64, ["play"], "", most=3, expires_ms=FAR)
        with pytest.raises(TooManyTokens):
            await store.add_token(ada, "d" * 64, ["play"], "", most=3)

    kept(url, work)


def test_an_expired_token_counts_for_nothing(url: str) -> None:
    async def work(store: Store) -> None:
        ada, guest = await store.add_account("ada", "$hash"), await store.add_account("guest", None)
        old = await store.add_token(ada, "1" * 64, ["play"], "", expires_ms=1)
        await store.add_token(ada, "2" * 64, ["play"], "", most=1, expires_ms=FAR)
        with pytest.raises(ParentEnded):
            await store.add_token(ada, "3" * 64, ["play"], "", parent=old.id)
        await store.add_token(guest, "4" * 64, ["play"], "", expires_ms=1)
        assert await store.tokenless([ada.id, guest.id]) == {guest.id}
        await store.add_token(guest, "5" * 64, ["play"], "", expires_ms=FAR)
        assert await store.tokenless([ada.id, guest.id]) == set()

    kept(url, work)


def test_valid_tokens_are_listed_before_others_and_newer_before_older_ones(url: str) -> None:
    async def work(store: Store) -> None:
        ada = await store.add_account("ada", "$hash")
        made = [await store.add_token(ada, f"{n:064}", ["play"], "", expires_ms=FAR) for n in range(6)]
        for token in made[2:5]:
            await store.revoke(ada.id, token.id)
        wanted = {2: (1, 5), 3: (0, 1, 5), 4: (0, 1, 4, 5), None: range(6)}
        for most, those in wanted.items():
            assert [each.id for each in await store.tokens_of(ada.id, most)] == [made[n].id for n in those]
        assert sorted(await store.revoked_tokens(ada.id)) == [each.id for each in made[2:5]]

    kept(url, work)


def test_a_revoked_token_keeps_the_time_of_its_end(url: str) -> None:
    async def work(store: Store) -> None:
        ada = await store.add_account("ada", "$hash")
        before = now_ms()
        for n, expires_ms in enumerate((None, FAR, 1)):
            await store.add_token(ada, f"{n:064}", ["play"], "", expires_ms=expires_ms)
        first = (await store.tokens_of(ada.id))[0]
        await store.revoke(ada.id, first.id)
        for _ in range(2):
            await store.people.end_tokens(ada)
            ended = [each.expires_ms or 0 for each in await store.tokens_of(ada.id)]
            assert before <= ended[0] <= ended[1] <= now_ms() and ended[2] == 1

    kept(url, work)


# What administrators do


def test_a_ban_is_kept_and_told_and_taken_back(url: str) -> None:
    async def work(store: Store) -> None:
        ada = await store.add_account("ada", "$hash")
        assert await store.people.set_state(ada.id, "banned") and not await store.people.set_state(99, "banned")
        assert [(each.kind, each.subject) for each in await store.orders.open()] == [
            ("account", str(ada.id)),
            ("account", "99"),
        ]
        found = await store.account("ada")
        assert found is not None and found.state == "banned" and await store.tokenless([ada.id]) == {ada.id}
        await store.people.set_state(ada.id, "active")
        assert await store.tokenless([ada.id]) == set()
        await store.orders.done([each.id for each in await store.orders.open()])
        assert await store.orders.open() == []

    kept(url, work)


def test_another_password_ends_all_tokens(url: str) -> None:
    async def work(store: Store) -> None:
        ada, guest = await store.add_account("ada", "$old"), await store.add_account("guest", None)
        tokens = [await store.add_token(ada, f"{n:064}", ["play"], "") for n in range(3)]
        assert await store.people.set_password(ada.id, "$new", instead_of="$other") is None
        assert not any(each.revoked for each in await store.tokens_of(ada.id))
        assert await store.people.set_password(ada.id, "$new", instead_of="$old") == [each.id for each in tokens]
        assert all(each.revoked for each in await store.tokens_of(ada.id))
        assert await store.people.set_password(guest.id, "$new") is None, "a guest has none"
        assert not await store.people.renew_hash(ada.id, "$old", "$older")
        found = await store.account("ada")
        assert found is not None and found.password == "$new"

    kept(url, work)


def test_a_login_with_a_password_that_is_changed_meanwhile_gets_no_token(url: str) -> None:
    async def work(store: Store) -> None:
        ada = await store.add_account("ada", "$old")
        told = await asyncio.gather(
            *(store.add_token(ada, f"{n:064}", ["play"], "", most=99) for n in range(9)),
            store.people.set_password(ada.id, "$new"),
            *(store.add_token(ada, f"{n:064}", ["play"], "", most=99) for n in range(9, 18)),
            return_exceptions=True,
        )
        assert any(isinstance(each, PasswordChanged) for each in told)
        assert all(each.revoked for each in await store.tokens_of(ada.id))
        for most in (None, 99):
            with pytest.raises(PasswordChanged):
                await store.add_token(ada, "a" * 64, ["play"], "", most=most)
        now = await store.account_of(ada.id)
        assert now is not None
        first = await store.add_token(now, "b" * 64, ["play"], "")
        with pytest.raises(PasswordChanged):
            await store.people.end_tokens(ada)
        await store.add_token(ada, "c" * 64, ["play"], "", parent=first.id)

    kept(url, work)


def test_the_name_of_a_deleted_account_is_free_again_unless_a_match_shows_it(url: str) -> None:
    async def work(store: Store) -> None:
        ada, bob = await store.add_account("ada", "$hash", admin=True), await store.add_account("bob", "$hash")
        await store.add_token(ada, "1" * 64, ["play"], "")
        match = await add(store, StoredSeat(0, "open", "", ada.id, "ada", ""))
        for account in (ada, bob):
            assert await store.people.delete(account.id) and not await store.people.delete(account.id)
            assert await store.account(account.name) is None
            found = await store.account_of(account.id)
            assert found is not None and (found.state, found.password, found.admin) == ("deleted", None, False)
            assert not await store.people.set_state(account.id, "active"), "nobody brings it back"
        assert all(each.revoked for each in await store.tokens_of(ada.id))
        with pytest.raises(NameTaken):
            await store.add_account("Ada", "$hash")
        again = await store.add_account("bob", "$hash")
        assert again.id not in (ada.id, bob.id)
        stored = await store.match(match)
        assert stored is not None and (stored.seats[0].account, stored.seats[0].name) == (ada.id, "ada")

    kept(url, work)


def test_banned_guests_are_not_forgotten(url: str) -> None:
    """Otherwise another account might get their number."""

    async def work(store: Store) -> None:
        guests = [await store.add_account(name, None) for name in ("one", "two")]
        await store.people.set_state(guests[1].id, "banned")
        assert await store.idle_guests(FAR) == [guests[0].id]
        assert await store.remove_guests([each.id for each in guests]) == 1

    kept(url, work)
