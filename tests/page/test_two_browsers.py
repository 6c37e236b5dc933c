"""Two people at one table: invited by a link, with secrets from each other and names that are no markup."""

import asyncio
import re
from pathlib import Path
from typing import Any

from tests.page.browser import Evening, Visitor, spend
from tests.page.forsale import Person

NAME = "<img src=x onerror=alert(1)>"


async def stored(visitor: Visitor, key: str) -> Any:
    """A value that the page keeps in its local storage."""
    return await visitor.page.evaluate(f"JSON.parse(localStorage['parlour.{key}'])")


async def no_markup(visitor: Visitor) -> None:
    """The name is shown, and it is text."""
    await visitor.see(NAME)
    assert await visitor.page.locator("img[src=x], [onerror]").count() == 0
    assert not [url for url in visitor.asked_for if url.endswith("/x")]


async def invited(host: Visitor, guest: Visitor) -> str:
    """The host opens a table of three with a bot, and the guest comes by the link of the lobby. The id of the table."""
    await host.goto("/open?game=forsale")
    await host.page.get_by_label("Seats").select_option("3")
    await host.page.get_by_label("Seat 3").select_option(label="Bot: minimum (easy)")
    await host.button("Open the table").click()
    await host.see("Waiting for players")
    await host.page.get_by_role("img", name="QR code of the link").wait_for()
    link = await host.page.get_by_role("textbox", name="Copy link").input_value()
    await host.audit()
    await guest.page.goto(link)
    await guest.page.get_by_role("textbox", name="Your name").fill(NAME)
    await guest.audit()
    await guest.button("Sit down").click()
    return link.split("/join/")[1].split("#")[0]


async def secrets_of(visitor: Visitor, table: str) -> list[str]:
    """The token and the salt."""
    identity, salts = await stored(visitor, "identity"), await stored(visitor, "salts")
    return [identity["token"], dict(salts)[table]]


def test_two_people_keep_their_secrets_and_their_names_stay_text(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        host, guest, watcher = [await tonight.visitor() for _ in range(3)]
        table = await invited(host, guest)
        key = await stored(host, f"key.{table}")
        await watcher.goto(f"/matches/{table}")
        people = {host: Person(host), guest: Person(guest)}
        own = {visitor: await secrets_of(visitor, table) for visitor in people}
        await asyncio.gather(*(auctions(person) for person in people.values()))
        for visitor in (host, guest, watcher):
            await no_markup(visitor)
        for sale in range(8):
            first, second = (host, guest) if sale % 2 else (guest, host)
            await people[second].stage()
            estate = await people[first].sell()
            await people[first].settled()
            await first.see(f"You have laid down {estate}.")
            for visitor in (second, watcher):
                await unknown(visitor, estate)
            if sale == 7:
                await private(own, watcher, key)
            await people[second].sell()
        await asyncio.gather(*(person.over.wait_for() for person in people.values()))
        await tonight.finished(table)
        await host.button("Rematch").click()
        await host.see("kept for a friend")
        await guest.see("The others want a rematch.")
        await guest.button("Rematch").click()
        await people[host].dock.wait_for()
        await resigned(guest)
        await watcher.goto("/matches?state=over")
        await no_markup(watcher)
        await watcher.goto("/")
        await watcher.page.get_by_role("heading", name="Recent results").wait_for()
        await no_markup(watcher)

    spend(tmp_path, work)


async def resigned(visitor: Visitor) -> None:
    """Resign, after a question that can be answered with no."""
    await visitor.button("Resign").click()
    await visitor.button("Keep playing").click()
    await visitor.button("Resign").click()
    await visitor.button("Yes, resign").click()
    await visitor.see("You have resigned.")


async def auctions(person: Person) -> None:
    """Pass in every auction."""
    while await person.stage() == "bid":
        await person.passes.click()
        await person.settled()


async def unknown(visitor: Visitor, estate: int) -> None:
    """The visitor has not been told that another one sells this estate."""
    events = [told["event"] for told in visitor.told("event")]
    assert not [event for event in events if event["type"] == "Chose" and event["estate"] == estate]
    assert not [event for event in events if event["type"] == "Sold" and estate in event["estates"]]
    assert await visitor.page.get_by_text(re.compile(f"(lays down estate|sells) {estate}\\b")).count() == 0


async def private(own: dict[Visitor, list[str]], watcher: Visitor, key: str) -> None:
    """While the match goes on, tokens, salts, coins and hands are known to one browser only."""
    for visitor in (*own, watcher):
        for holder, secrets in own.items():
            for secret in secrets:
                assert await visitor.holds(secret) == (visitor is holder), secret
        views = [told["view"] for told in visitor.told("view")]
        seats = {view["seat"] for view in views} - {None}
        assert len(seats) == (0 if visitor is watcher else 1)
        for view in views:
            assert all(coins is None or seat in seats for seat, coins in enumerate(view["coins"]))
            assert view["seat"] is not None or view["hand"] == []
    assert not await watcher.holds(key)
