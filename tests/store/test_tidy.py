"""Housekeeping: old guests that never had a seat are deleted, and no other account is."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import func, insert, select, update
from sqlalchemy.exc import IntegrityError

from parlour.protocol.records import Account, StoredSeat, now_ms
from parlour.server.accounts import Doorkeeper
from parlour.store import tidy as housekeeping
from parlour.store.schema import accounts, model_budgets, model_calls, tokens
from parlour.store.store import Store
from parlour.store.tidy import DAY_MS, tidy, tidy_bot_matches, tidy_tokens
from tests.store.stored import add, executed, kept, scalar


async def aged(store: Store, account: Account, days: float) -> Account:
    """Make an account and its tokens this old."""
    ms = now_ms() - round(days * DAY_MS)
    old = update(accounts).where(accounts.c.id == account.id).values(created_ms=ms)
    await executed(store, old, update(tokens).where(tokens.c.account == account.id).values(created_ms=ms))
    return account


async def guest(store: Store, name: str, days: float = 40, *, returns: bool = True) -> Account:
    door = Doorkeeper(store)
    account = (await door.guest(name))[1].account if returns else await door.guest_without_token(name)
    return await aged(store, account, days)


async def names(store: Store) -> list[str]:
    return [account.name.partition("-")[0] for account in await store.accounts()]


async def count(store: Store, table: Any) -> int:
    found: int = await scalar(store, select(func.count()).select_from(table))
    return found


def test_guests_of_long_ago_go_with_their_tokens(url: str) -> None:
    async def work(store: Store) -> None:
        await guest(store, "tokenless", returns=False)
        await guest(store, "old")
        revoked = await guest(store, "revoked")
        [token] = await store.tokens_of(revoked.id)
        await store.revoke(revoked.id, token.id)
        await guest(store, "new", 29)
        assert await tidy(store, 30) == 3
        assert await names(store) == ["new"] and await count(store, tokens) == 1
        assert await tidy(store, 30) == 0 and await names(store) == ["new"]

    kept(url, work)


def test_a_guest_that_has_an_account_stays(url: str) -> None:
    async def work(store: Store) -> None:
        await aged(store, await store.add_account("ada", "$hash"), 400)
        await aged(store, await store.add_account("root", None, admin=True), 400)
        assert await tidy(store, 30) == 0 and await names(store) == ["ada", "root"]

    kept(url, work)


def test_a_guest_that_has_a_seat_or_a_table_stays(url: str) -> None:
    async def work(store: Store) -> None:
        sits, owns, stood = [await guest(store, name) for name in ("sits", "owns", "stood")]
        table = await add(store)
        await store.sit(table, 0, sits.id, "sits", "")
        await store.sit(table, 1, stood.id, "stood", "")
        await store.stand_up(table, 1)
        await store.change_match(await add(store), owner=owns.id)
        await store.change_match(table, state="dropped")
        assert await tidy(store, 30) == 1 and await names(store) == ["sits", "owns"], "who stood up had none in the end"

    kept(url, work)


def test_a_guest_that_has_got_a_token_since_stays(url: str) -> None:
    async def work(store: Store) -> None:
        await store.add_token(await guest(store, "ada"), "1" * 64, ["play"], "another")
        assert await tidy(store, 30) == 0 and await names(store) == ["ada"]

    kept(url, work)


def test_a_dry_run_counts_and_removes_nobody(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(housekeeping, "AT_ONCE", 2)

    async def work(store: Store) -> None:
        for number in range(5):
            await guest(store, f"g{number}")
        assert await tidy(store, 30, dry_run=True) == 5 == len(await store.accounts())
        assert await tidy(store, 30) == 5 and await store.accounts() == []

    kept(url, work)


def test_a_few_go_at_a_time(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(housekeeping, "AT_ONCE", 3)

    async def work(store: Store) -> None:
        for number in range(7):
            await guest(store, f"g{number}", 40 if number != 3 else 1)
        sizes, remove = [], store.remove_guests

        async def counted(ids: Sequence[int]) -> int:
            sizes.append(len(ids))
            return await remove(ids)

        monkeypatch.setattr(store, "remove_guests", counted)
        assert await tidy(store, 30) == 6 and sizes == [3, 3] and await names(store) == ["g3"]

    kept(url, work)


def test_guests_of_long_ago_go_with_their_budgets_for_models(url: str) -> None:
    async def work(store: Store) -> None:
        await store.models.set_most((await guest(store, "ada")).id, 5)
        await store.models.set_most((await guest(store, "bob", 1)).id, 5)
        assert await tidy(store, 30) == 1
        assert await names(store) == ["bob"] and await count(store, model_budgets) == 1

    kept(url, work)


def test_a_guest_who_cannot_be_removed_keeps_no_others_from_it(url: str) -> None:
    async def work(store: Store) -> None:
        guests = [await guest(store, f"g{number}") for number in range(9)]
        call = {"match": await add(store), "seat": 0, "n": 0, "account": guests[4].id, "record": b"{}"}
        await executed(store, insert(model_calls).values(call))
        assert await tidy(store, 30) == 8 and await names(store) == ["g4"]
        assert await tidy(store, 30) == 0 and await names(store) == ["g4"]

    kept(url, work)


def test_a_guest_that_sits_down_meanwhile_stays(url: str) -> None:
    async def work(store: Store) -> None:
        ada, _ = await guest(store, "ada"), await guest(store, "bob")
        found = await store.idle_guests(now_ms())
        await store.sit(await add(store), 0, ada.id, "ada", "")
        assert len(found) == 2 and await store.remove_guests(found) == 1
        assert await names(store) == ["ada"] and await store.remove_guests([]) == 0

    kept(url, work)


def test_a_guest_that_sits_down_at_the_same_moment_sits_or_is_gone(url: str) -> None:
    """No deleted guest has a seat."""

    async def work(store: Store) -> None:
        table = await add(store, *(StoredSeat(seat, "open", "", None, None, "") for seat in range(30)))
        guests = [await guest(store, f"g{number}") for number in range(30)]
        sitting = [store.sit(table, seat, each.id, each.name, "") for seat, each in enumerate(guests)]
        tidying = [store.remove_guests([each.id]) for each in guests]
        works = [work for pair in zip(sitting, tidying, strict=True) for work in pair]
        told = await asyncio.gather(*works, return_exceptions=True)
        match = await store.match(table)
        assert match is not None
        seated = {seat.account for seat in match.seats if seat.account is not None}
        assert {account.id for account in await store.accounts()} == seated
        assert all(isinstance(each, IntegrityError | int | None) for each in told)

    kept(url, work)


def test_tokens_are_forgotten_long_after_they_have_ended_and_no_others(url: str) -> None:
    def days_ago(days: float) -> int:
        return now_ms() - round(days * DAY_MS)

    async def work(store: Store) -> None:
        ada = await store.add_account("ada", "$hash")

        async def token(label: str, **changes: Any) -> None:
            made = await store.add_token(ada, label.ljust(64), ["play"], label)
            if changes:
                await executed(store, update(tokens).where(tokens.c.id == made.id).values(changes))

        await token("valid", created_ms=days_ago(400))
        await token("expires later", created_ms=days_ago(400), expires_ms=days_ago(-1))
        await token("expired", expires_ms=days_ago(31))
        await token("just expired", created_ms=days_ago(400), expires_ms=days_ago(29))
        await token("revoked", revoked=True, expires_ms=days_ago(31))
        await token("just revoked", created_ms=days_ago(400))
        await store.revoke(ada.id, (await store.tokens_of(ada.id))[-1].id)
        await token("revoked by an older release", revoked=True, created_ms=days_ago(31))
        await token("newest", expires_ms=days_ago(31))
        assert await tidy_tokens(store) == 3
        stay = ["valid", "expires later", "just expired", "just revoked", "newest"]
        assert [each.label for each in await store.tokens_of(ada.id)] == stay
        await token("newer")
        assert await tidy_tokens(store) == 1
        assert [each.label for each in await store.tokens_of(ada.id)] == [*stay[:-1], "newer"]

    kept(url, work)


def test_a_few_tokens_go_at_a_time(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(housekeeping, "AT_ONCE", 3)

    async def work(store: Store) -> None:
        ada = await store.add_account("ada", "$hash")
        for n in range(8):
            await store.add_token(ada, f"{n:064}", ["play"], "", expires_ms=None if n in (2, 7) else 1)
        assert await tidy_tokens(store) == 6 and await tidy_tokens(store) == 0
        assert len(await store.tokens_of(ada.id)) == 2

    kept(url, work)


def test_an_old_transcript_holds_whoever_is_forgotten(url: str) -> None:
    async def work(store: Store) -> None:
        ada = await guest(store, "ada")
        match = await add(store)
        await store.begin_match(match, [StoredSeat(0, "open", "", ada.id, "ada", "")])
        await store.end_match(match, "over", {0: (1, 1)}, ["ada"])
        before = await store.match(match)
        assert await tidy(store, 30) == 0
        assert await store.match(match) == before

    kept(url, work)


def test_old_matches_of_bots_alone_are_deleted_and_no_others(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(housekeeping, "KEPT", 2)

    def seats(kind: str) -> list[StoredSeat]:
        return [StoredSeat(seat, kind, "random", None, "random", "") for seat in range(3)]

    async def work(store: Store) -> None:
        owner = await store.add_account("ada", "hash")
        ids = [await add(store, *seats("bot"), created_ms=number) for number in range(9)]
        people = await add(store, *seats("bot")[:2], *seats("open")[2:], created_ms=0)
        running = await add(store, *seats("bot"), created_ms=0)
        await store.change_match(ids[0], owner=owner.id)
        for id in (*ids, people):
            await store.change_match(id, state="over")
        assert await tidy_bot_matches(store, "dominion") == 0
        assert await tidy_bot_matches(store, "forsale") == 6
        assert {match.id for match in await store.matches()} == {ids[0], *ids[-2:], people, running}
        await store.delete_matches([running])
        assert await store.match(running) is not None, "a match that is not finished is never deleted"

    kept(url, work)
