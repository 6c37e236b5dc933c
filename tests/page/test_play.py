"""A person plays whole matches by clicking: For Sale and Maze at their own tables."""

from pathlib import Path
from typing import Any

from playwright.async_api import Locator, Page

from tests.page.browser import Evening, Visitor, spend

SECONDS = 3600
"""Nobody is hurried."""


async def seated(tonight: Evening, visitor: Visitor, game: str, *bots: str, **terms: Any) -> str:
    """A table with bots, at which the visitor sits down as a guest; its id."""
    host = await tonight.hall.account("host")
    table = (await tonight.hall.table(host, game, "open", *bots, **terms))["table"]["id"]
    await visitor.goto(f"/matches/{table}")
    await visitor.button("Sit down").click()
    return str(table)


async def first_of(page: Page, *these: Locator) -> Locator:
    """Wait until one of them can be seen, and return it."""
    either = these[0]
    for other in these[1:]:
        either = either.or_(other)
    await either.first.wait_for()
    for each in these:
        if await each.first.is_visible():
            return each
    return await first_of(page, *these)


async def is_over(visitor: Visitor) -> bool:
    return await visitor.button("Replay and proof").is_visible()


def test_for_sale_is_played_to_the_end(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        visitor = await tonight.visitor()
        page = visitor.page
        match = await seated(tonight, visitor, "forsale", "minimum", "random")
        raise_, pass_ = page.get_by_role("button", name="Raise to"), page.get_by_role("button", name="Pass")
        sell, over = page.get_by_role("button", name="Sell"), visitor.button("Replay and proof")
        tried = False
        while (now := await first_of(page, over, pass_, sell)) is not over:
            if now is sell:
                await page.get_by_role("group", name="Your estates").get_by_role("button").first.click()
                await sell.click()
            elif not tried:
                tried = True
                await page.get_by_role("spinbutton").fill("99")
                await raise_.click()
                await visitor.see("Refused: bid 99: must be above")
                await visitor.audit()
            else:
                await pass_.click()
            await page.wait_for_function("() => !document.body.innerText.includes('Sent, waiting')")
        told = await tonight.finished(match)
        assert all(seat["score"] is not None for seat in told["seats"])
        lines = (await tonight.hall.http.get(f"/api/matches/{match}/transcript")).text.splitlines()
        assert sum('"by":0' in line and '"fault"' not in line for line in lines) > 8, "the page played its own moves"

    spend(tmp_path, work)
