"""A person plays whole matches by clicking: For Sale and Maze at their own tables, another game at the generic one."""

import json
import re
from pathlib import Path

from playwright.async_api import Page, expect

from tests.page.browser import Evening, first_of, spend
from tests.page.forsale import Person, seated
from tests.plugins.conftest import liars_dice as liars_dice
from tests.plugins.packages import installed


async def moves_of(tonight: Evening, match: str) -> list[dict[str, object]]:
    """The accepted actions of seat 0."""
    text = (await tonight.hall.http.get(f"/api/matches/{match}/transcript")).text
    lines = [json.loads(line) for line in text.splitlines()]
    return [line["do"] for line in lines if line.get("by") == 0 and "fault" not in line]


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
                await low.click()
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


async def move_somewhere(page: Page) -> bool:
    """Slide and walk with the first arrow after which there is somewhere to go; False if there is none."""
    arrows = page.get_by_role("toolbar", name="Slides").get_by_role("button")
    lit = page.get_by_role("grid").get_by_role("button", name="reachable")
    for place in range(await arrows.count()):
        await arrows.nth(place).click()
        if await lit.count():
            goal = lit.filter(has=page.get_by_role("button", name="your goal"))
            await (goal if await goal.count() else lit).first.click()
            await page.get_by_role("button", name="Slide and walk").click()
            return True
    return False


def test_maze_is_played_to_the_end(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        visitor = await tonight.visitor()
        page = visitor.page
        match = await seated(tonight, visitor, "maze", "riemann", options={"round_cap": 4})
        dock = page.get_by_role("region", name="Your seat")
        over, go = visitor.button("Replay and proof"), dock.get_by_role("button", name="Slide and walk")
        mine = page.get_by_role("log", name="Log").get_by_role("button", name=re.compile(r"^\d+ guest-"))
        turns = 0
        while await first_of(over, go) == 1:
            turns += 1
            if turns == 1:
                await go.click()
                await page.get_by_role("alert").filter(has_text="Choose an arrow first.").wait_for()
                await dock.get_by_role("button", name="Turn the spare to the left").click()
                await dock.get_by_role("img", name="turned by 90 degrees").wait_for()
                await page.get_by_role("button", name="Slide row 0 left", exact=True).click()
                await page.get_by_role("grid").get_by_role("button", name="you stand here").click()
                await go.click()
                why = "You would stay where you are. Walk to another cell. The page does not send it"
                await page.get_by_role("alert").filter(has_text=why).wait_for()
                await expect(go).to_have_accessible_description(re.compile("You would stay"))
                await visitor.audit()
            if not await move_somewhere(page):
                await dock.get_by_role("button", name="Pass").click()
            await expect(mine).to_have_count(turns)  # the bot may move at once, and then the button hardly disappears
        await visitor.audit()
        told = await tonight.finished(match)
        assert all(seat["score"] is not None for seat in told["seats"])
        moves = [move for move in await moves_of(tonight, match) if move["type"] != "Ack"]
        assert len(moves) == turns and moves[0]["type"] == "Move" and moves[0]["degrees"] == 90

    spend(tmp_path, work)


def test_a_game_of_another_package_is_played_to_the_end(tmp_path: Path, liars_dice: Path) -> None:
    async def work(tonight: Evening) -> None:
        visitor = await tonight.visitor()
        page = visitor.page
        match = await seated(tonight, visitor, "liarsdice", "random", options={"dice": 2})
        dock = page.get_by_role("region", name="Your seat")
        over = visitor.button("Replay and proof")
        challenge, bid = (dock.get_by_role("button", name=each, disabled=False) for each in ("Challenge", "Bid: count"))
        turns = 0
        while (now := await first_of(over, challenge, bid)) > 0:
            await (challenge if now == 1 else bid.first).click()
            await dock.get_by_text("Sent. Waiting").wait_for(state="hidden")
            turns += 1
        await visitor.audit()
        told = await tonight.finished(match)
        assert all(seat["score"] is not None for seat in told["seats"])
        assert len(await moves_of(tonight, match)) == turns > 1

    with installed(liars_dice):
        spend(tmp_path, work)
