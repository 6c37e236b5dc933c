"""A person who plays For Sale by clicking and by keys."""

from typing import Any, Literal

from playwright.async_api import Locator

from tests.page.browser import Evening, Visitor, first_of

Stage = Literal["over", "bid", "sell"]
STAGES: tuple[Stage, ...] = ("over", "bid", "sell")


async def seated(tonight: Evening, visitor: Visitor, game: str, *bots: str, **terms: Any) -> str:
    """A table with bots, at which the visitor sits down as a guest; its id."""
    host = await tonight.hall.guest()
    table: str = (await tonight.hall.table(host, game, "open", *bots, **terms))["table"]["id"]
    await visitor.goto(f"/matches/{table}")
    await visitor.button("Sit down").click()
    return table


class Person:
    """One seat of a table of For Sale, in one browser."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.page = visitor.page
        self.dock = self.page.get_by_role("region", name="Your seat")
        self.passes = self.dock.get_by_role("button", name="Pass", disabled=False)
        self.raises = self.dock.get_by_role("button", name="Raise to", disabled=False)
        self.hand = self.dock.get_by_role("radiogroup", name="Choose an estate to sell")
        self.over = visitor.button("Replay and proof")

    async def stage(self) -> Stage:
        """Wait until something is to be decided, or the match is over."""
        return STAGES[await first_of(self.over, self.passes, self.estates())]

    def estates(self) -> Locator:
        """The estates of which one is to be sold. None are there after the choice."""
        return self.hand.get_by_role("radio")

    def amount(self, words: str, *, exact: bool = False) -> Locator:
        """The label that is clicked for an amount."""
        return self.page.locator("label").filter(has=self.page.get_by_role("radio", name=words, exact=exact))

    async def settled(self) -> None:
        """The referee has taken the answer."""
        await self.page.get_by_text("Sent, waiting").wait_for(state="hidden")

    async def bid(self, amount: int) -> None:
        await self.amount(str(amount), exact=True).click()
        await self.page.get_by_role("button", name=f"Raise to {amount}", exact=True).click()

    async def sell(self) -> int:
        """Sell the first estate of the hand."""
        estate = self.estates().first
        value = int(await estate.get_attribute("value") or 0)
        await self.hand.locator("label").first.click()
        await self.page.get_by_role("button", name=f"Sell {value}", exact=True).click()
        return value

    async def play_on(self, *, turns: int = 1000) -> Stage:
        """Pass and sell until the match is over, or for a number of turns."""
        while (stage := await self.stage()) != "over" and turns > 0:
            await (self.passes.click() if stage == "bid" else self.sell())
            await self.settled()
            turns -= 1
        return stage
