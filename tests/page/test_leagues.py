"""An administrator opens a league on the page, accounts enter, bots play it, and everybody sees table and ratings."""

import asyncio
import json
from pathlib import Path
from typing import Any

from playwright.async_api import Locator, expect

from parlour.client import Client
from parlour.games import game
from parlour.protocol.records import now_ms
from parlour.server.accounts import Doorkeeper
from tests.page.browser import Evening, Visitor, spend
from tests.server.arenas import Hall
from tests.server.leagues import BOT, FAR_MS, close_entries, opened, play_all, until, until_over

ADMIN, PASSWORD = "Grace", "long enough"
EVIL = "<img src=x onerror=alert(1)>"
"""A name that must stay text."""
LEAGUE = f"Cup {EVIL}"


async def entered(tonight: Evening, name: str, **more: Any) -> Visitor:
    """A browser that knows an account."""
    made = (await tonight.hall.post("/login", name=name, password=PASSWORD)).json()
    known = {"name": name, "token": made["token"], "isGuest": False, "scopes": ["play", "host", "account"]}
    visitor = await tonight.visitor(**more)
    visitor.expected = ["404"]  # an account that has not entered has no entry
    script = (
        f"localStorage.setItem('parlour.identity', JSON.stringify({json.dumps(known | {'isAdmin': name == ADMIN})}))"
    )
    await visitor.context.add_init_script(script)
    return visitor


async def open_league(admin: Visitor) -> str:
    """Open a league with a built-in bot, after a mistake; its id."""
    page = admin.page
    await admin.goto("/tournaments")
    await admin.see("There is no league yet.")
    await admin.link("Open a league").click()
    await page.get_by_label("Password").fill(PASSWORD)
    await admin.button("Open", exact=True).click()
    form = page.get_by_role("form", name="Open a league")
    await form.get_by_label("Name").fill(LEAGUE)
    await form.get_by_label("Matches of each line-up").fill("2")
    await expect(form.get_by_text("With 8 entries: 112 matches.")).to_be_visible()
    deadline = form.get_by_label("Entries until")
    usual = await deadline.input_value()
    await deadline.fill("2020-01-01T10:00")
    await form.get_by_role("button", name="Open the league").click()
    await admin.see("Choose a time that is not over yet.")
    await deadline.fill(usual)
    await form.get_by_text("Players of the house").click()
    await form.get_by_role("button", name="Add", exact=True).click()
    await admin.audit()
    await form.get_by_role("button", name="Open the league").click()
    await page.get_by_role("heading", name=LEAGUE, level=1).wait_for()
    return page.url.rsplit("/", 1)[1]


async def enter(player: Visitor) -> None:
    """Find the league on the home page, enter it, and make a token for the bot."""
    page = player.page
    await player.goto("/")
    await page.get_by_role("navigation", name="Leagues").get_by_role("link", name=LEAGUE).click()
    await player.see("left to enter")
    await player.button("Enter", exact=True).click()
    await player.see("You take part as")
    await player.button("Make a token for a bot").click()
    token = await page.get_by_role("status").locator("code").inner_text()
    commands = page.get_by_role("region", name="Commands")
    await expect(commands).to_contain_text(f"PARLOUR_TOKEN={token}")
    assert token not in await player.kept()
    await player.audit()


async def play_next(hall: Hall, league: str, token: str) -> None:
    """Play one match of the league."""
    found = await until(hall, f"/leagues/{league}/table", lambda told: told["table"] is not None, token)
    await Client(hall.url, token).play_async("forsale", game("forsale").hosting.bots["random"], table=found["table"])


async def confirm(admin: Visitor, button: Locator, why: str, yes: str) -> None:
    """Press a button, and answer its question with a reason, which is needed."""
    await button.click()
    dialog = admin.page.get_by_role("dialog")
    await expect(dialog.get_by_role("button", name=yes)).to_be_disabled()
    await dialog.get_by_label("Reason").fill(why)
    await admin.audit()
    await dialog.get_by_role("button", name=yes).click()
    await dialog.wait_for(state="hidden")


async def judge(tonight: Evening, admin: Visitor) -> None:
    """Have the first match played again, with a reason, which everybody can read."""
    page, why = admin.page, f"the lab had no network {EVIL}"
    schedule = page.get_by_role("region", name="Matches")
    await confirm(admin, schedule.get_by_role("button", name="Play again: match 1"), why, "Play it again")
    record = page.get_by_role("region", name="What administrators did").get_by_role("listitem")
    await expect(record.filter(has_text="Match played again")).to_contain_text(why)
    await expect(schedule).to_contain_text("attempt 2")


async def download_table(admin: Visitor) -> list[list[str]]:
    """The cells of the table as CSV."""
    async with admin.page.expect_download() as download:
        await admin.button("Download as CSV").click()
    lines = Path(await (await download.value).path()).read_text().splitlines()
    return [line.split(",") for line in lines]


async def see_table(player: Visitor) -> None:
    """The table with the own entry marked, on a page without markup of others."""
    page = player.page
    await expect(page.get_by_role("heading", name=LEAGUE, level=1)).to_be_visible()
    table = page.get_by_role("region", name="Table").get_by_role("row")
    await expect(table).to_have_count(4)
    await expect(table.filter(has_text="Ada")).to_contain_text("you")
    await expect(table.filter(has_text="random")).to_contain_text("built-in bot")
    await expect(page.get_by_role("region", name="Matches").get_by_role("link", name="Replay")).to_have_count(2)
    assert await page.locator("img[src=x], [onerror]").count() == 0
    await player.audit()


async def see_ladder(visitor: Visitor) -> None:
    """The ladder, from which a link leads to the history of a player."""
    page = visitor.page
    await visitor.goto("/ladder?game=maze")
    await visitor.see("Nobody has a rating in Maze yet")
    await page.get_by_role("navigation", name="Games").get_by_role("link", name="For Sale").click()
    await visitor.see("A rank needs 10 rated matches.")
    await visitor.audit()
    await page.get_by_role("link", name=EVIL).click()
    await page.get_by_role("heading", name=EVIL, level=1).wait_for()
    await page.get_by_role("img", name="Estimated skill in For Sale").wait_for()
    assert await page.get_by_role("link", name="Replay").count() > 0
    assert await page.locator("img[src=x], [onerror]").count() == 0
    await visitor.audit()


async def see_projector(visitor: Visitor) -> None:
    """The final table on a screen for a hall."""
    await visitor.goto("/projector?game=forsale&seconds=600")
    await visitor.page.get_by_role("heading", name="Come and play", level=1).wait_for()
    await visitor.page.keyboard.press("ArrowRight")
    await visitor.page.get_by_role("heading", name=LEAGUE, level=1).wait_for()
    await visitor.see("Final table")
    await visitor.audit()


def test_a_league_from_its_opening_to_the_ladder(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        hall = tonight.hall
        await Doorkeeper(hall.store).register(ADMIN, PASSWORD, admin=True)
        tokens = [await hall.account(name) for name in ("Ada", EVIL)]
        admin, player = await entered(tonight, ADMIN), await entered(tonight, "Ada")
        league = await open_league(admin)
        await enter(player)
        assert (await hall.post(f"/leagues/{league}/entry", tokens[1])).status_code == 201
        await admin.page.get_by_role("region", name="Entries").get_by_role("listitem").filter(has_text=EVIL).wait_for()

        boss = (await hall.post("/login", name=ADMIN, password=PASSWORD, scopes=["admin"])).json()["token"]
        await close_entries(hall, league, boss)
        await asyncio.gather(*(play_next(hall, league, token) for token in tokens))
        await judge(tonight, admin)
        await asyncio.gather(*(play_all(hall, league, token) for token in tokens))
        await until_over(hall, league)

        rows = await download_table(admin)
        assert rows[0][:3] == ["rank", "account", "entry"] and {row[1] for row in rows[1:]} == {"Ada", EVIL, ""}
        await see_table(player)
        phone = await tonight.visitor(phone=True, color_scheme="light")
        await until(hall, "/ratings?game=forsale", lambda page: len(page["rows"]) == 3)
        await see_ladder(phone)
        await see_projector(phone)

    spend(tmp_path, work)


async def team_code(player: Visitor) -> str:
    """Enter as a new team; its invitation code, which is gone after the page was loaded again."""
    page = player.page
    await page.get_by_label("A new team").check()
    await page.get_by_label("Name of the team").fill("The Quiet Bidders")
    await player.button("Enter", exact=True).click()
    await player.see("Invitation code of your team")
    code = await page.get_by_role("region", name="Your entry").locator("code").inner_text()
    await player.audit()
    await page.reload()
    await player.see("You take part as")
    assert code not in await page.content() and code not in await player.kept()
    return code


async def answered(player: Visitor, button: str, yes: str) -> None:
    """Press a button and answer its question."""
    await player.button(button, exact=True).click()
    await player.page.get_by_role("dialog").get_by_role("button", name=yes).click()


def test_accounts_share_an_entry_with_a_pseudonym_and_leave_again(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        hall = tonight.hall
        for name in ("Ada", "Bob"):
            await hall.account(name)
        times = {"freeze_ms": now_ms() + FAR_MS}
        league = await opened(hall, await hall.admin(), house=[BOT], team_size=2, anonymous=True, **times)
        ada, bob = await entered(tonight, "Ada"), await entered(tonight, "Bob", phone=True, color_scheme="light")
        guest = await tonight.visitor()
        bob.expected.append("403")  # a wrong code
        for visitor in (ada, bob, guest):
            await visitor.goto(f"/tournaments/{league}")
            await visitor.see("All entries have pseudonyms.")
            await visitor.see("results are hidden until the league is over")
            await expect(visitor.button("Administer this league")).to_have_count(0)
        await guest.see("To enter, you need an account.")
        await guest.audit()

        code = await team_code(ada)
        await bob.page.get_by_label("A team that has invited me").check()
        await bob.page.get_by_label("Invitation code").fill("not the code")
        await bob.button("Enter", exact=True).click()
        await bob.page.get_by_role("alert").wait_for()
        await bob.page.get_by_label("Invitation code").fill(code)
        await bob.button("Enter", exact=True).click()
        await bob.see("Accounts of this entry: Ada, Bob.")
        await bob.audit()
        entries = guest.page.get_by_role("region", name="Entries").get_by_role("listitem")
        await expect(entries).to_have_count(2)
        assert not await guest.holds("The Quiet Bidders")

        await answered(bob, "Leave the team", "Leave the team")
        await bob.button("Enter", exact=True).wait_for()
        await answered(ada, "Withdraw", "Withdraw the entry")
        await expect(entries).to_have_count(1)

    spend(tmp_path, work)
