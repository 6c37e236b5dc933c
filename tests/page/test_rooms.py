"""People make a room of ColorfightII, play in it, administer it and delete it; others only look."""

import re
from pathlib import Path

from playwright.async_api import Locator, Page, expect

from tests.page.browser import Evening, Visitor, first_of, spend

BAD_TEXT = "<img src=x onerror=alert(1)>"


def dock(page: Page) -> Locator:
    return page.get_by_role("region", name="Your seat")


async def send_orders(page: Page) -> None:
    """Send the list of orders for this round, as soon as the table lets the player."""
    sends = re.compile("^(Send |Command)")  # the button of the game's own table, or of the generic one
    await dock(page).get_by_role("button", name=sends, disabled=False).first.click()


async def make_room(visitor: Visitor, name: str, **fields: str) -> None:
    page = visitor.page
    await visitor.goto("/rooms")
    await page.get_by_label("Name", exact=True).fill(name)
    await page.get_by_text("Settings", exact=True).click()
    for label, value in fields.items():
        await page.get_by_label(label.replace("_", " ")).fill(value)
    await visitor.button("Make the room").click()


def test_a_room_is_made_played_restarted_and_deleted(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        visitor = await tonight.visitor()
        page = visitor.page
        await visitor.goto("/rooms")
        await visitor.button("Make the room").click()
        await visitor.see("begin with a letter or a digit")
        await visitor.audit()
        await make_room(visitor, "den", Seconds_of_a_round="0.1", Description=BAD_TEXT, Join_key="sesame")
        await visitor.see("Use a number from 0.2 to 20.")
        await page.get_by_label("Seconds of a round").fill("1")
        await visitor.button("Make the room").click()
        await page.get_by_role("heading", name="Room den").wait_for()
        await visitor.see(BAD_TEXT)

        other = await tonight.visitor(phone=True)
        await other.goto("/rooms/den")
        await other.see(BAD_TEXT)
        await other.page.get_by_label("Join key").fill("wrong")
        await other.button("Join the game").click()
        await other.page.get_by_role("alert").filter(has_text="key").wait_for()
        assert not await other.page.get_by_role("region", name="Administer the room").is_visible()
        assert not await other.holds("sesame")

        await visitor.button("Join the game").click()  # with the key that was set
        await first_of(dock(page).get_by_role("button", name=re.compile("Send|Command")))
        [began] = (await tonight.hall.get("/matches?room=den")).json()["matches"]
        await visitor.button("Start the first round").click()
        while len(await rounds_with_orders(tonight)) < 3:
            await send_orders(page)
        await visitor.audit()
        await other.audit()

        await page.get_by_label("Ruleset").select_option("classic")
        await page.get_by_label("Rounds of a game").fill("100")
        await visitor.button("Restart with these settings").click()
        await visitor.see("Use a number from 200 to 2000.")
        await page.get_by_label("Rounds of a game").fill("300")
        await visitor.button("Restart with these settings").click()
        for each in (visitor, other):  # both follow the room to its next game
            await each.page.get_by_role("region", name="Former games").get_by_role("link").wait_for()
            await each.page.get_by_role("region", name="This room").get_by_text("300 rounds of 1 s").wait_for()
            await each.see("Join this game")
        assert (await tonight.finished(began["id"]))["seats"][0]["name"] == await name_of(visitor)

        await refused_to(other)
        other.expected = ["404", "403"]  # the room is deleted while somebody looks at it
        await visitor.button("Delete the room").click()
        await visitor.button("Yes, delete it").click()
        await page.get_by_role("heading", name="Rooms of ColorfightII").wait_for()
        await expect(page.get_by_role("link", name="den")).to_have_count(0)
        await other.see("There is no room of this name.")

    spend(tmp_path, work, rooms=5)


async def rounds_with_orders(tonight: Evening) -> set[int]:
    """The rounds of the current game in which its first player sent orders."""
    assert tonight.hall.rooms is not None
    room = tonight.hall.rooms.get("den")
    assert room is not None and room.game is not None
    lines = await tonight.hall.store.lines(room.game.id)
    turn, found = 0, set()
    for line in lines:
        if b'"Close"' in line:
            turn += 1
        if b'"by":0' in line and b'"Command"' in line:
            found.add(turn)
    return found


async def name_of(visitor: Visitor) -> str:
    name: str = await visitor.page.evaluate("JSON.parse(localStorage['parlour.identity']).name")
    return name


async def refused_to(visitor: Visitor) -> None:
    """The API refuses what the page does not offer."""
    visitor.expected = ["403"]
    told = await visitor.page.evaluate(
        """async () => {
            const {token} = JSON.parse(localStorage['parlour.identity']);
            const headers = {authorization: `Bearer ${token}`};
            const answer = await fetch('/api/rooms/den', {method: 'DELETE', headers});
            return [answer.status, (await answer.json()).code];
        }"""
    )
    assert told == [403, "not_yours"]


def test_an_arena_without_rooms_says_so(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        visitor = await tonight.visitor()
        visitor.expected = ["404"]
        for path in ("/rooms", "/rooms/den"):
            await visitor.goto(path)
            await visitor.see("This arena has no rooms.")
            await visitor.audit()

    spend(tmp_path, work, rooms=0)
