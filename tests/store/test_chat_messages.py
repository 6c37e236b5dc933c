"""Chat messages in the store, and what is deleted with what."""

import asyncio
import threading
from typing import Any

import pytest
from sqlalchemy import Connection, insert

from parlour.protocol.records import Account, now_ms
from parlour.store import chat_messages
from parlour.store.schema import chat, chat_reports
from parlour.store.store import Store
from parlour.store.tidy import DAY_MS, tidy, tidy_chat
from tests.store.stored import add, kept
from tests.store.test_tidy import count, guest
from tests.turned import settle, until

MOST = 100


async def say(store: Store, match: str, account: Account, text: str) -> int:
    said = await store.chat.add(match, account.id, 0, account.name, text, MOST)
    assert said is not None
    return said.n


async def read(store: Store, match: str, **more: Any) -> list[str]:
    return [message.text for message in await store.chat.of_match(match, **{"after": 0, "limit": 10, **more})]


def test_messages_of_a_match_in_order(url: str) -> None:
    async def work(store: Store) -> None:
        ada = await store.add_account("ada", "$hash")
        here, there = await add(store), await add(store)
        numbers = [await say(store, here, ada, text) for text in "abcd"]
        await say(store, there, ada, "elsewhere")
        assert numbers == sorted({*numbers})
        assert await read(store, here) == ["a", "b", "c", "d"]
        assert await read(store, here, limit=2) == ["c", "d"]
        assert await read(store, here, after=numbers[1]) == ["c", "d"]
        assert await store.chat.writer(there, numbers[0]) is None
        assert await store.chat.add(here, ada.id, 0, "ada", "e", 4) is None

    kept(url, work)


def test_a_number_is_never_used_again(url: str) -> None:
    async def work(store: Store) -> None:
        ada, bob = await store.add_account("ada", "$hash"), await store.add_account("bob", "$hash")
        match = await add(store)
        await say(store, match, ada, "stays")
        last = await say(store, match, bob, "goes")
        assert await store.people.delete(bob.id)
        assert await say(store, match, ada, "new") > last

    kept(url, work)


def test_what_goes_with_an_account(url: str) -> None:
    async def work(store: Store) -> None:
        ada, bob = await store.add_account("ada", "$hash"), await store.add_account("bob", "$hash")
        match = await add(store)
        by_ada, by_bob = await say(store, match, ada, "a"), await say(store, match, bob, "b")
        assert await store.chat.report(by_ada, bob.id, "rude") and await store.chat.report(by_bob, ada.id, "rude")
        assert not await store.chat.report(by_ada, bob.id, "again")
        assert await store.people.delete(bob.id)
        assert await read(store, match) == ["a"] and await count(store, chat_reports) == 0
        assert not await store.chat.report(by_bob, ada.id, "too late")

    kept(url, work)


def test_an_account_that_was_just_deleted_writes_and_reports_nothing(url: str) -> None:
    async def work(store: Store) -> None:
        ada, bob = await store.add_account("ada", "$hash"), await store.add_account("bob", "$hash")
        match = await add(store)
        by_ada = await say(store, match, ada, "a")
        assert await store.people.delete(bob.id)  # while a request of bob, whose token was valid, is answered
        assert await store.chat.add(match, bob.id, 0, "bob", "too late", MOST) is None
        assert not await store.chat.report(by_ada, bob.id, "too late")
        assert await read(store, match) == ["a"] and await count(store, chat_reports) == 0

    kept(url, work)


def test_the_same_report_at_the_same_time_is_one(url: str) -> None:
    async def work(store: Store) -> None:
        ada, bob = await store.add_account("ada", "$hash"), await store.add_account("bob", "$hash")
        n = await say(store, await add(store), ada, "a")
        added = await asyncio.gather(*[store.chat.report(n, bob.id, "rude") for _ in range(8)])
        assert added.count(True) == 1 and await count(store, chat_reports) == 1

    kept(url, work)


def test_an_account_is_deleted_while_its_message_is_reported(url: str) -> None:
    async def work(store: Store) -> None:
        ada, bob = await store.add_account("ada", "$hash"), await store.add_account("bob", "$hash")
        n = await say(store, await add(store), ada, "a")
        began, goes_on = threading.Event(), threading.Event()

        def report(connection: Connection) -> None:
            row = {"n": n, "reporter": bob.id, "why": "", "created_ms": now_ms()}
            connection.execute(insert(chat_reports).values(row))
            began.set()
            goes_on.wait(60)

        other = await Store.open(url)
        reporting = asyncio.create_task(other.writer.do(report))
        await until(began.is_set)
        deleting = asyncio.create_task(store.people.delete(ada.id))
        await settle()
        goes_on.set()
        await reporting
        await other.close()
        assert await deleting
        assert await count(store, chat) == await count(store, chat_reports) == 0

    kept(url, work)


def test_a_guest_who_left_its_table_goes_with_its_messages(url: str) -> None:
    async def work(store: Store) -> None:
        ada, gone = await store.add_account("ada", "$hash"), await guest(store, "gone")
        match = await add(store)
        await store.chat.report(await say(store, match, ada, "stays"), gone.id, "")
        await store.chat.report(await say(store, match, gone, "goes"), ada.id, "")
        assert await tidy(store, 30) == 1
        assert await read(store, match) == ["stays"] and await count(store, chat_reports) == 0

    kept(url, work)


def test_old_messages_go_with_their_reports(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(store: Store) -> None:
        ada, bob = await store.add_account("ada", "$hash"), await store.add_account("bob", "$hash")
        match = await add(store)
        monkeypatch.setattr(chat_messages, "AT_ONCE", 2)
        with monkeypatch.context() as patch:
            patch.setattr(chat_messages, "now_ms", lambda: now_ms() - 30 * DAY_MS)
            old = [await say(store, match, ada, "old") for _ in range(5)]
        await store.chat.report(old[0], bob.id, "")
        await say(store, match, ada, "young")
        assert await tidy_chat(store, 30) == 5
        assert await read(store, match) == ["young"] and await count(store, chat_reports) == 0
        assert await tidy_chat(store, 30) == 0

    kept(url, work)


def test_the_chat_goes_with_its_match(url: str) -> None:
    async def work(store: Store) -> None:
        ada, bob = await store.add_account("ada", "$hash"), await store.add_account("bob", "$hash")
        match = await add(store)
        await store.chat.report(await say(store, match, ada, "a"), bob.id, "")
        await store.change_match(match, state="dropped")
        await store.delete_matches([match])
        assert await count(store, chat) == await count(store, chat_reports) == 0

    kept(url, work)
