"""A page for a hall: the address to join, standings, recorded matches, and what is being played."""

from pathlib import Path

from playwright.async_api import Locator

from tests.page.browser import Evening, Visitor, spend
from tests.server.test_standings import over

MARKUP = "<img src=x onerror=alert(1)>"
GAME = "/projector?game=forsale&seconds=600"


def title(visitor: Visitor, words: str) -> Locator:
    return visitor.page.get_by_role("heading", name=words, level=1)


def test_a_hall_sees_how_to_join_who_won_and_what_is_played(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        hall, host = tonight.hall, await tonight.hall.account("host")
        await over(hall.store, {await hall.id(await hall.account(MARKUP)): 1, await hall.id(host): 2})
        screen, phone = await tonight.visitor(), await tonight.visitor(phone=True)
        page = screen.page
        await screen.goto(GAME)
        await title(screen, "Come and play").wait_for()
        await page.get_by_role("img", name=f"QR code of {screen.url}").wait_for()
        assert await page.get_by_role("navigation").count() == 0
        await screen.audit()

        await page.keyboard.press("ArrowRight")
        await title(screen, "For Sale").wait_for()
        row = page.get_by_role("row", name=MARKUP)
        assert await row.get_by_role("cell").all_inner_texts() == ["1", "1", "1"]
        assert await page.locator("img[src=x], [onerror]").count() == 0
        await screen.audit()
        size = await row.evaluate("row => parseFloat(getComputedStyle(row).fontSize)")
        assert size >= 32  # on a screen of 1280 points

        await page.keyboard.press("ArrowRight")
        await screen.see("A recorded match")
        await page.keyboard.press("ArrowRight")
        await title(screen, "Come and play").wait_for()
        await page.keyboard.press("Space")
        await screen.button("Go on").wait_for()

        table = (await hall.table(host, "forsale", "open", "random", "random"))["table"]["id"]
        await hall.post(f"/tables/{table}/join", host)
        await phone.goto(GAME)
        await title(phone, "For Sale").wait_for()
        await phone.see("round 1 of")
        await phone.audit()
        assert all("token" not in text for text in phone.heard)

    spend(tmp_path, work)
