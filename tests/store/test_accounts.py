"""Accounts and tokens: names are unique, and of a token only the hash is stored."""

import asyncio

import pytest
from sqlalchemy import select

from parlour.server.accounts import Doorkeeper, hash_of
from parlour.store.schema import tokens
from parlour.store.store import NameTaken, Store
from tests.store.stored import kept


def test_an_account_is_found_by_its_name_after_a_restart(url: str) -> None:
    async def first(store: Store) -> None:
        await store.add_account("ada", "$hash", admin=True)

    async def second(store: Store) -> None:
        ada = await store.account("ada")
        assert ada is not None and (ada.password, ada.admin) == ("$hash", True) and ada.created_ms > 0
        assert await store.account("bob") is None

    kept(url, first)
    kept(url, second)


@pytest.mark.parametrize("name", ["Zoë ☃", "李雷", "🦆" * 64, "a' OR ''='", "%_\\"])
def test_any_printable_name_comes_back_as_it_was(url: str, name: str) -> None:
    async def work(store: Store) -> None:
        await store.add_account(name, None)
        found = await store.account(name)
        assert found is not None and found.name == name

    kept(url, work)


def test_a_name_is_somebodys_once(url: str) -> None:
    async def work(store: Store) -> None:
        await store.add_account("ada", None)
        with pytest.raises(NameTaken):
            await store.add_account("ada", "$hash")
        await store.add_account("Ada", None)
        assert [account.name for account in await store.accounts()] == ["ada", "Ada"]

    kept(url, work)


def test_of_many_who_want_a_name_at_once_one_gets_it(url: str) -> None:
    async def work(store: Store) -> None:
        tried = await asyncio.gather(*(store.add_account("ada", None) for _ in range(30)), return_exceptions=True)
        assert sum(isinstance(each, NameTaken) for each in tried) == 29
        assert len(await store.accounts()) == 1

    kept(url, work)


def test_accounts_are_listed_page_by_page(url: str) -> None:
    async def work(store: Store) -> None:
        for number in range(5):
            await store.add_account(f"p{number}", None)
        first = await store.accounts(limit=2)
        rest = await store.accounts(after=first[-1].id, limit=9)
        assert [each.name for each in first + rest] == [f"p{number}" for number in range(5)]

    kept(url, work)


def test_an_account_is_changed_and_no_other(url: str) -> None:
    async def work(store: Store) -> None:
        ada, _ = await store.add_account("ada", "$hash"), await store.add_account("bob", "$hash")
        assert await store.people.set_admin(ada.id, True)
        assert [each.admin for each in await store.accounts()] == [True, False]

    kept(url, work)


def test_accounts_without_a_token_or_password(url: str) -> None:
    async def work(store: Store) -> None:
        door = Doorkeeper(store)
        ada, bob = await store.add_account("ada", "$hash"), await door.guest_without_token("bob")
        labels = {"cyd": "seat", "dan": "guest", "eve": "guest"}
        cyd, dan, eve = [(await door.guest(name, label))[1].account for name, label in labels.items()]
        [revoked] = await store.tokens_of(eve.id)
        await store.revoke(eve.id, revoked.id)
        ids = [ada.id, bob.id, cyd.id, dan.id, eve.id, 999]
        assert await store.tokenless(ids) == {bob.id, eve.id}
        assert await store.tokenless(ids, but="seat") == {bob.id, cyd.id, eve.id}
        assert await store.tokenless([]) == set()

    kept(url, work)


def test_of_a_token_only_the_hash_is_kept(url: str) -> None:
    async def work(store: Store) -> None:
        token, made = await Doorkeeper(store).guest("ada")
        found = await store.token(hash_of(token))
        assert found == made and found.scopes == {"play"}
        assert await store.token(token) is None
        [row] = await store._database.rows(select(tokens))
        assert token not in map(str, row)

    kept(url, work)


def test_a_revoked_token_is_known_as_such(url: str) -> None:
    async def work(store: Store) -> None:
        ada, bob = await store.add_account("ada", None), await store.add_account("bob", None)
        token = await store.add_token(ada, "1" * 64, ["play", "host"], "laptop")
        other = await store.add_token(ada, "2" * 64, ["play"], "phone")
        assert not await store.revoke(bob.id, token.id), "it is not his"
        assert await store.tokens_of(ada.id) == [token, other]
        assert await store.revoke(ada.id, token.id)
        assert [each.revoked for each in await store.tokens_of(ada.id)] == [True, False]
        found = await store.token("1" * 64)
        assert found is not None and found.revoked
        assert await store.tokens_of(bob.id) == []

    kept(url, work)
