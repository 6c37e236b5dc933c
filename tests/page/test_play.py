"""A person plays whole matches by clicking: For Sale and Maze at their own tables, another game at the generic one."""

import json
import re
from pathlib import Path

from playwright.async_api import expect

from tests.page.browser import Evening, spend
from tests.page.forsale import Person, seated


async def moves_of(tonight: Evening, match: str) -> list[dict[str, object]]:
    """The accepted actions of seat 0."""
    text = (await tonight.hall.http.get(f"/api/matches/{match}/transcript")).text
    lines = [json.loads(line) for line in text.splitlines()]
    return [line["action"] for line in lines if line.get("by") == 0 and "action" in line]


def test_for_sale_is_played_to_the_end_with_mouse_and_keys(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        visitor = await tonight.visitor()
        page, person = visitor.page, Person(visitor)
        match = await seated(tonight, visitor, "forsale", "minimum", "minimum", "minimum")
        keys = refused = clicked = False
        while (stage := await person.stage()) != "over":
            if stage == "sell":
                await person.sell()
            elif not keys and await person.raises.is_visible():
                keys = True
                await page.keyboard.press("ArrowRight")
                await page.keyboard.press("Enter")
            elif not refused and await person.amount("not enough").first.is_visible():
                refused = True
                low = person.amount("not enough").first
                await low.check()
                await person.raises.click()
                why = page.get_by_role("alert").filter(has_text=re.compile(r"Refused: bid \d+: must be above \d+"))
                await why.wait_for()
                await expect(person.raises).to_have_accessible_description(re.compile("Refused"))
                await visitor.audit()
            elif not clicked and await person.raises.is_visible():
                clicked = True
                lowest = int((await person.raises.inner_text()).removeprefix("Raise to "))
                await person.bid(lowest)
            else:
                await person.passes.click()
            await person.settled()
        assert keys and refused and clicked
        await visitor.audit()
        told = await tonight.finished(match)
        assert all(seat["score"] is not None for seat in told["seats"])
        moves = await moves_of(tonight, match)
        assert [move["type"] for move in moves].count("Sell") == 7 and moves[0]["type"] == "Bid"
        await person.over.click()
        await page.get_by_role("slider").first.wait_for()

    spend(tmp_path, work)
