"""A person plays ColorfightII to the end by clicking and by keys, and looks at the map with mouse, keys and fingers."""

import json
import re
from pathlib import Path
from typing import Any

from playwright.async_api import Page, expect

from tests.page.browser import Evening, Visitor, spend
from tests.page.forsale import seated

SIZE, ROUNDS = 7, 13
GUTTER_X, GUTTER_Y, LARGEST = 28, 18, 72
"""Room for the numbers beside the map, and the largest cell, in pixels."""


class Player:
    """A person in front of a map that is shown as a whole."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.page: Page = visitor.page
        self.map = self.page.get_by_role("application", name="Map of")
        self.dock = self.page.get_by_role("region", name="Your seat")
        self.fit = visitor.button("Fit")
        self.list = self.dock.get_by_role("list", name="Your list")
        self.over = visitor.button("Replay and proof")

    def view(self) -> dict[str, Any]:
        """The newest view that the page was sent."""
        view: dict[str, Any] = self.visitor.told("view")[-1]["view"]
        return view

    def home(self) -> int:
        view = self.view()
        return next(cell for cell in range(SIZE * SIZE) if view["owner"][cell] == 1 and view["building"][cell] == "h")

    def target(self) -> int:
        """The cheapest cell beside the home."""
        x, y = self.home() % SIZE, self.home() // SIZE
        near = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        cells = [b * SIZE + a for a, b in near if 0 <= a < SIZE and 0 <= b < SIZE]
        return min(cells, key=lambda cell: self.view()["attack_cost"][cell])

    async def point(self, cell: int) -> tuple[float, float]:
        """Where the middle of a cell is on the screen."""
        box = await self.map.bounding_box()
        assert box is not None
        width, height = box["width"] - GUTTER_X, box["height"] - GUTTER_Y
        side = min(width / SIZE, height / SIZE, LARGEST)
        left = box["x"] + GUTTER_X + (width - side * SIZE) / 2
        top = box["y"] + GUTTER_Y + (height - side * SIZE) / 2
        return left + (cell % SIZE + 0.5) * side, top + (cell // SIZE + 0.5) * side

    async def click(self, cell: int) -> None:
        await self.page.mouse.click(*await self.point(cell))

    async def round(self, number: int) -> None:
        """Wait for a round in which orders can be sent."""
        await self.dock.get_by_role("heading", name=f"Orders for round {number}", exact=True).wait_for()
        await self.dock.get_by_role("button", name="Send", disabled=False).wait_for()

    async def card(self) -> str:
        """The card of the cell under the pointer."""
        return await self.map.locator(".card").inner_text()


async def look_around(player: Player, target: int) -> None:
    """Numbers of a cell, then zoom and pan with the mouse and with keys."""
    page, at = player.page, await player.point(target)
    await page.mouse.move(*at)
    assert f"{target % SIZE}, {target // SIZE}" in await player.card()
    assert re.search(rf"To take it\s*{player.view()['attack_cost'][target]}\b", await player.card())
    await expect(player.fit).to_be_disabled()
    await page.mouse.wheel(0, -600)
    await expect(player.fit).to_be_enabled()
    await page.mouse.move(at[0] + 1, at[1])
    assert f"{target % SIZE}, {target // SIZE}" in await player.card()  # the cell under the pointer stays
    await page.mouse.down()
    inward = 150 if target % SIZE < SIZE / 2 else -150
    await page.mouse.move(at[0] - inward, at[1], steps=4)
    await page.mouse.up()
    await page.mouse.move(*at)
    assert f"{target % SIZE}, {target // SIZE}" not in await player.card()
    await player.fit.click()
    await player.map.focus()
    for key in ("+", "Shift+ArrowLeft", "-", "0"):
        await page.keyboard.press(key)
    await expect(player.fit).to_be_disabled()
    await page.keyboard.press("h")
    await page.keyboard.press("0")
    where = f"Column {player.home() % SIZE}, row {player.home() // SIZE}, you, home of level 1"
    await expect(page.get_by_text(where)).to_be_attached()


async def attack(player: Player, target: int) -> None:
    """Attack with the least energy, change the amount, send the list, and take the change back."""
    await player.click(target)
    cell = player.dock.get_by_role("region", name="The selected cell")
    least = player.view()["attack_cost"][target]
    await cell.get_by_role("spinbutton", name="Energy to spend").fill(str(least - 1))
    await expect(cell.get_by_text("This is less than the cell costs.")).to_be_visible()
    await cell.get_by_role("button", name="Least").click()
    await cell.get_by_role("button", name="More energy").click()
    await cell.get_by_role("button", name="Attack", exact=True).click()
    await player.list.get_by_text(f"Attack {target % SIZE}, {target // SIZE} with {least + 10}").wait_for()
    await expect(
        player.dock.get_by_text(f"Energy {player.view()['users'][0]['energy'] - least - 10} of")
    ).to_be_visible()
    await player.visitor.audit()


async def orders_of(tonight: Evening, match: str) -> list[str]:
    """All orders of seat 0, in order."""
    text = (await tonight.hall.http.get(f"/api/matches/{match}/transcript")).text
    lines = [json.loads(line) for line in text.splitlines()]
    return [order for line in lines if line.get("by") == 0 for order in line["do"]["orders"]]


def test_colorfight_is_played_to_the_end(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        visitor = await tonight.visitor()
        player = Player(visitor)
        options = {"width": SIZE, "height": SIZE, "max_turn": ROUNDS}
        match = await seated(tonight, visitor, "colorfight", "random", options=options, limit_s=600)
        await player.round(1)
        await look_around(player, player.target())
        await player.click(player.home())
        await expect(player.dock.get_by_role("button", name="Upgrade to level 2")).to_be_disabled()
        await player.dock.get_by_text("There is not enough energy left.").first.wait_for()
        number, attacked, built = 1, None, None
        while number <= ROUNDS:
            await player.round(number)
            user, target = player.view()["users"][0], player.target()
            if attacked is None and user["energy"] >= player.view()["attack_cost"][target] + 10:
                attacked = target
                await attack(player, target)
                await player.dock.get_by_role("button", name="Send 1 order").click()
            elif attacked is not None and built is None and user["gold"] >= 100:
                built = attacked
                await player.click(built)
                await player.dock.get_by_role("button", name="Energy well").click()
                await player.list.get_by_text("Energy well at").wait_for()
                await player.map.focus()
                await visitor.page.keyboard.press("Enter")
            else:
                await player.dock.get_by_role("button", name="Send no orders").click()
            number += 1
        await player.over.wait_for()
        await visitor.audit()
        assert attacked is not None and built is not None
        orders, where = await orders_of(tonight, match), f"{built % SIZE} {built // SIZE}"
        assert [order.split()[0] for order in orders] == ["a", "b"] and orders[1] == f"b {where} e"
        final = player.view()
        assert final["over"] and final["building"][built] == "e"
        await player.over.click()
        await visitor.page.get_by_role("region", name="Charts").get_by_role("img", name="Gold by round").wait_for()
        await fingers(tonight, match)

    spend(tmp_path, work)


async def fingers(tonight: Evening, match: str) -> None:
    """On a phone two fingers zoom the map, and one moves it."""
    visitor = await tonight.visitor(phone=True)
    await visitor.goto(f"/matches/{match}")
    player = Player(visitor)
    await player.map.wait_for()
    await expect(player.fit).to_be_disabled()
    box = await player.map.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = visitor.touch
    await touch("touchStart", (x - 20, y), (x + 20, y))
    for spread in (40, 70, 100):
        await touch("touchMove", (x - spread, y), (x + spread, y))
    await touch("touchEnd")
    await expect(player.fit).to_be_enabled()
    await visitor.page.touchscreen.tap(x, y)
    card = visitor.page.locator(".below .card").first
    before = await card.inner_text()
    await touch("touchStart", (x, y))
    for way in (30, 60, 90):
        await touch("touchMove", (x + way, y + way))
    await touch("touchEnd")
    await visitor.page.touchscreen.tap(x, y)
    await expect(card).not_to_have_text(before)
    await visitor.audit()
