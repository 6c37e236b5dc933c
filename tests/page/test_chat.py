"""Two people chat at their table: text stays text, one mutes and reports the other, and an administrator reads that."""

from pathlib import Path

from playwright.async_api import Locator

from parlour.server.accounts import Doorkeeper
from tests.page.browser import Evening, Visitor, spend
from tests.page.test_host import ADMIN, PASSWORD, confirm, log_in

MARKUP = "<img src=x onerror=alert(1)>"
"""A name and a message."""
SECRET = "meet me behind the felt"


class Talker:
    """The chat panel in one browser."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.panel = visitor.page.get_by_role("region", name="Chat")
        self.log = self.panel.get_by_role("log", name="Chat")
        self.field = self.panel.get_by_role("textbox", name="Message to the table")

    async def say(self, text: str) -> None:
        await self.field.fill(text)
        await self.field.press("Enter")
        await self.hears(text)
        assert await self.field.input_value() == ""

    async def hears(self, text: str) -> None:
        await self.log.get_by_text(text, exact=True).wait_for()

    def button(self, name: str) -> Locator:
        return self.panel.get_by_role("button", name=name)


async def seated(tonight: Evening, host: Visitor, guest: Visitor) -> str:
    """The host opens a table with a chat, and the guest comes by the link. A third seat stays free."""
    await host.goto("/open?game=forsale")
    await host.page.get_by_label("Seats").select_option("3")
    await host.page.get_by_label("Seat 3").select_option(label="Anyone")
    await host.page.get_by_label("Chat for the players").check()
    await host.button("Open the table").click()
    link = await host.page.get_by_role("textbox", name="Copy link").input_value()
    await guest.page.goto(link)
    await guest.page.get_by_role("textbox", name="Your name").fill(MARKUP)
    await guest.button("Sit down").click()
    return link.split("/join/")[1].split("#")[0]


async def no_markup(visitor: Visitor) -> None:
    assert await visitor.page.locator("img[src=x], [onerror]").count() == 0
    assert not [url for url in visitor.asked_for if url.endswith("/x")]


async def judge(tonight: Evening) -> None:
    """An administrator reads the report, bans the writer, and deletes the report."""
    await Doorkeeper(tonight.hall.store).register(ADMIN, PASSWORD, admin=True)
    admin = await tonight.visitor(phone=True)
    await log_in(admin, ADMIN)
    await admin.goto("/host?tab=reports")
    await admin.page.get_by_label("Password").fill(PASSWORD)
    await admin.button("Open").click()
    report = admin.page.get_by_role("listitem").filter(has=admin.page.get_by_role("blockquote"))
    await report.get_by_role("blockquote").get_by_text(SECRET, exact=True).wait_for()
    await report.get_by_text("spam", exact=True).wait_for()
    await report.get_by_text("The lines around it").click()
    await report.get_by_text("hello there").wait_for()
    await no_markup(admin)
    await admin.audit()
    await confirm(admin, report.get_by_role("button", name=f"Ban {MARKUP}"), "Ban the account")
    await report.get_by_text("is banned").wait_for()
    await admin.button("Done, delete the report").click()
    await admin.see("No message is reported.")


def test_two_people_chat_and_one_mutes_and_reports_the_other(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        host, guest = await tonight.visitor(), await tonight.visitor(phone=True)
        watcher = await tonight.visitor()
        table = await seated(tonight, host, guest)
        one, other = Talker(host), Talker(guest)
        await watcher.goto(f"/matches/{table}")
        await watcher.see("Waiting for players")
        assert await Talker(watcher).panel.count() == 0

        await one.say("hello there")
        await guest.see("1 new")  # closed on a phone
        await guest.button("Chat: 1 new").click()
        await other.hears("hello there")
        await other.say(MARKUP)
        await one.hears(MARKUP)
        await no_markup(host)

        third = await tonight.hall.account("Cyd")
        await tonight.hall.post(f"/tables/{table}/join", third)
        await host.page.get_by_role("region", name="Your seat").wait_for()
        await one.field.fill("half a")  # the match goes on, and the focus stays in the field
        await other.say(SECRET)
        await one.hears(SECRET)
        assert await one.field.evaluate("field => field === document.activeElement")
        assert await one.field.input_value() == "half a"
        await one.field.press("Escape")
        assert not await one.field.evaluate("field => field === document.activeElement")
        await host.audit()
        await guest.audit()

        await one.button("More about this message").last.click()
        await one.button("Report").click()
        dialog = host.page.get_by_role("dialog")
        await dialog.get_by_label("What is wrong with it?").fill("spam")
        await host.audit()
        await dialog.get_by_role("button", name="Send the report").click()
        await host.see("The administrators will see your report.")
        await one.button("Mute").click()
        await one.panel.get_by_text("is muted in this browser").first.wait_for()
        await other.say("can you hear me?")
        await host.page.reload()
        await one.panel.get_by_text("is muted in this browser").first.wait_for()
        assert await one.log.get_by_text("can you hear me?").count() == 0
        await one.button("Unmute").last.click()
        await one.hears("can you hear me?")

        [report] = (await tonight.hall.get("/admin/reports", await tonight.hall.admin())).json()["reports"]
        assert (report["message"]["text"], report["why"], len(report["around"])) == (SECRET, "spam", 4)
        await guest.button("Resign").click()
        await guest.button("Yes, resign").click()
        await other.panel.get_by_text("You have left this match").wait_for()
        assert await other.field.count() == 0
        assert not await watcher.holds(SECRET)
        await no_markup(host)
        guest.expected = ["403"]  # its page may connect again when it is banned
        await judge(tonight)

    spend(tmp_path, work, chat=True)
