"""A person enters a hall of tradeCraft, meets a user of Socket.IO, and plays to the end against a bot."""

import json
import re
from pathlib import Path

from playwright.async_api import Locator, expect

from tests.page.browser import Evening, Visitor, first_of, spend
from tests.page.forsale import seated
from tests.server.guests import Guest

TWO = "2-player-pool-matching"
NASTY = "<img src=x onerror=alert(1)>"
RICH = {"max_turn": 2, "least_kinds": 8, "most_kinds": 10, "decoys": 3}
"""Two turns, and hands from which something can be crafted."""


class Trader:
    """One seat of a table of tradeCraft, in one browser."""

    def __init__(self, visitor: Visitor) -> None:
        self.page = page = visitor.page
        dock = page.get_by_role("region", name="Your seat")
        self.over = visitor.button("Replay and proof")
        self.send, self.accept, self.done = (
            dock.get_by_role("button", name=name, disabled=False) for name in ("Send", "Accept", "Done crafting")
        )
        self.craft = dock.get_by_role("button", name=re.compile("^Craft .*[0-9½⅓]"), disabled=False)
        self.own = page.get_by_role("region", name="Your hand")
        self.other = page.get_by_role("region", name="Hand of")
        self.proposal = page.get_by_role("region", name="Your proposal")
        self.bench = page.get_by_role("region", name="Bench")

    def line(self, side: str) -> Locator:
        """The amounts of one side of the proposal."""
        return self.proposal.get_by_role("group", name=side).get_by_role("textbox")

    async def drag(self, item: Locator, to: Locator) -> None:
        """With the mouse, in steps as a hand does it."""
        await item.scroll_into_view_if_needed()
        start, end = await item.bounding_box(), await to.bounding_box()
        assert start is not None and end is not None
        await self.page.mouse.move(start["x"] + 20, start["y"] + 20)
        await self.page.mouse.down()
        await self.page.mouse.move(end["x"] + 30, end["y"] + 12, steps=5)
        await self.page.mouse.up()

    async def propose(self, visitor: Visitor) -> None:
        """One item by dragging, one by keys; a fraction is refused with the reason."""
        await self.drag(self.own.get_by_role("button").first, self.other)
        await expect(self.line("You give")).to_have_value("1")
        await self.other.get_by_role("button").first.focus()
        for key in ("ArrowRight", "Enter", "Enter", "-"):
            await self.page.keyboard.press(key)
        await expect(self.line("You ask for")).to_have_value("1")
        await expect(self.other.get_by_role("button").nth(1)).to_have_accessible_name(re.compile("1 in your proposal"))
        await self.line("You give").fill("1/2")
        await expect(self.line("You give")).to_have_accessible_description(re.compile("Only whole items can be traded"))
        await self.send.click()
        await expect(self.send).to_have_accessible_description(re.compile("1 line to mend"))
        await visitor.audit()
        await self.line("You give").fill("1")
        await self.proposal.get_by_role("textbox", name="Message, read by").fill(f"good for both {NASTY}")
        await self.send.click()

    async def make_something(self) -> str:
        """Search for a product that the hand can make, and craft one; its name."""
        hits = self.bench.get_by_role("listitem").get_by_role("button")
        product = (await hits.first.locator("b").inner_text()).strip()
        search = self.bench.get_by_role("searchbox", name="Search recipes")
        await search.fill("no such thing")
        await self.bench.get_by_text("No recipe makes that.").wait_for()
        await search.fill(product)
        await search.press("Enter")
        await self.bench.get_by_text("Fits exactly").wait_for()
        amount = self.bench.get_by_role("textbox", name=f"How many {product}", exact=True)
        enough = await amount.input_value()
        await amount.fill("900")
        await self.bench.get_by_text("Not possible now").wait_for()
        await expect(self.bench.get_by_role("status").filter(has_text="needed,")).to_be_visible()
        await amount.fill(enough)
        await amount.press("Enter")
        await self.bench.get_by_text("Made in this turn").wait_for()
        return product


async def meet_a_user(tonight: Evening, visitor: Visitor) -> None:
    """Enter a hall through the page of the game, and get the message of a user who came over Socket.IO."""
    page, bob = visitor.page, Guest()
    await visitor.goto("/games/tradecraft")
    hall = page.get_by_role("region", name="Halls").get_by_role("listitem").filter(has_text="Two players")
    await hall.get_by_text("nobody waits").wait_for()
    await page.get_by_role("heading", name="Items on the table").wait_for()
    await visitor.audit()
    await hall.get_by_role("button", name="Enter the hall for 2 players").click()
    await visitor.button("Leave the table").wait_for()
    await bob.connect(tonight.hall.serving.port)
    await bob.login("bob")
    await bob.ready(TWO)
    names = (await bob.hears("game_start"))["player_list"]
    trader = Trader(visitor)
    await trader.send.click()
    await bob.hears("proposal")
    await bob.plays("approval_or_reject", decision="accept", message=f"deal {NASTY}")
    letters = page.get_by_role("region", name="Private messages")
    await expect(letters.get_by_text(f"deal {NASTY}")).to_be_visible()
    assert names[1] == "bob" and await page.locator("img[src=x]").count() == 0
    await bob.plays("quit_game")
    await visitor.button("Resign").click()
    await visitor.button("Yes, resign").click()
    await trader.over.wait_for()
    await bob.leave()


async def drag_with_a_finger(tonight: Evening) -> None:
    """On a phone a finger that rests on an item lifts it; one that moves at once scrolls the page."""
    visitor = await tonight.visitor(phone=True)
    trader = Trader(visitor)
    await seated(tonight, visitor, "tradecraft", "random", options=RICH)
    await trader.send.wait_for()
    await trader.other.evaluate("hand => hand.scrollIntoView({block: 'center'})")
    item, hand = await trader.own.get_by_role("button").last.bounding_box(), await trader.other.bounding_box()
    assert item is not None and hand is not None
    start, end = (item["x"] + 30, item["y"] + 30), (hand["x"] + 60, hand["y"] + 20)
    await visitor.touch("touchStart", start)
    await visitor.page.locator(".ghost").wait_for()
    await visitor.touch("touchMove", end)
    await visitor.touch("touchEnd")
    await expect(trader.line("You give")).to_have_value("1")
    before = await visitor.page.evaluate("scrollY")
    await visitor.touch("touchStart", start)
    for way in (20, 60, 100):
        await visitor.touch("touchMove", (start[0], start[1] - way))
    await visitor.page.wait_for_function("before => scrollY > before", arg=before)
    await visitor.touch("touchEnd")
    await expect(trader.line("You give")).to_have_value("1")


def test_tradecraft_is_played_to_the_end(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        visitor = await tonight.visitor()
        page, trader = visitor.page, Trader(visitor)
        await meet_a_user(tonight, visitor)
        match = await seated(tonight, visitor, "tradecraft", "random", options=RICH)
        made, decided = "", 0
        while (now := await first_of(trader.over, trader.send, trader.accept, trader.done)) > 0:
            if now == 1:
                await trader.propose(visitor)
            elif now == 2:
                decided += 1
                await page.get_by_role("textbox", name="Reply, read by").fill("gladly")
                await visitor.audit()
                await trader.accept.click()
            else:
                made = made or await trader.make_something()
                await visitor.audit()
                await trader.done.click()
            await page.get_by_text("Sent, waiting.").wait_for(state="hidden")
        assert decided == 1 and made
        await page.get_by_role("region", name="All targets").wait_for()
        await visitor.audit()
        told = await tonight.finished(match)
        assert all(seat["score"] is not None for seat in told["seats"])
        lines = (await tonight.hall.http.get(f"/api/matches/{match}/transcript")).text.splitlines()
        moves = [line["do"] for line in map(json.loads, lines) if line.get("by") == 0]
        proposal, decision = (next(move for move in moves if move["type"] == kind) for kind in ("Propose", "Decide"))
        assert proposal["message"] == f"good for both {NASTY}"
        assert [*proposal["offer"].values()] == [*proposal["request"].values()] == [1]
        assert decision == {"type": "Decide", "decision": "accept", "message": "gladly"}
        applied = [move["type"] for move in moves].index("Apply")
        assert [*moves[applied - 1]["output"]] == [made.replace(" ", "_")]
        await drag_with_a_finger(tonight)

    spend(tmp_path, work)
