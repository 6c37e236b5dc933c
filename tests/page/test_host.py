"""An administrator looks after the arena on the page /host. Nobody else sees any of it."""

import json
from pathlib import Path
from typing import Any

from playwright.async_api import Locator

from parlour.server.accounts import Doorkeeper
from tests.page.browser import PHONE, Evening, Visitor, spend

ADMIN, PASSWORD = "Grace", "long enough"
EVIL = "<img src=x onerror=alert(1)>"
"""A name that must stay text."""


async def log_in(visitor: Visitor, name: str) -> None:
    await visitor.goto("/account")
    form = visitor.page.get_by_role("form", name="Log in")
    await form.get_by_label("Name").fill(name)
    await form.get_by_label("Password").fill(PASSWORD)
    await form.get_by_role("button", name="Log in").click()
    await visitor.page.get_by_role("heading", name=name, level=1).wait_for()


async def open_door(visitor: Visitor) -> None:
    """Open the page with the password, after a wrong one."""
    await visitor.link("Host").click()
    door = visitor.page.get_by_role("form", name="Open the host page")
    for password in ("not the password", PASSWORD):
        await door.get_by_label("Password").fill(password)
        await door.get_by_role("button", name="Open").click()
        await visitor.page.get_by_role("alert").or_(visitor.text("Healthy")).first.wait_for()
    await visitor.see("Healthy")


async def show(visitor: Visitor, tab: str) -> None:
    await visitor.page.get_by_role("navigation", name="Parts of this page").get_by_role("link", name=tab).click()
    await visitor.page.get_by_role("heading", name=tab, exact=True, level=2).wait_for(state="attached")


async def confirm(visitor: Visitor, button: Locator, yes: str) -> None:
    """Press a button and answer the question that it asks."""
    await button.click()
    await visitor.page.get_by_role("dialog").get_by_role("button", name=yes).click()
    await visitor.page.get_by_role("dialog").wait_for(state="hidden")


async def stop_match(tonight: Evening, visitor: Visitor) -> None:
    host, player = await tonight.hall.guest(), await tonight.hall.guest()
    table: str = (await tonight.hall.table(host, "forsale", "open", "random", "random"))["table"]["id"]
    assert (await tonight.hall.post(f"/tables/{table}/join", player)).status_code == 200
    await show(visitor, "Matches")
    row = visitor.page.get_by_role("listitem").filter(has_text=table)
    await row.get_by_role("button", name="Stop").click()
    await visitor.see("scored as it stands")
    await visitor.button("Cancel").click()
    await visitor.audit()
    await confirm(visitor, row.get_by_role("button", name="Stop"), "Stop the match")
    await row.wait_for(state="hidden")
    assert (await tonight.finished(table))["state"] == "over"


async def look_after_accounts(tonight: Evening, visitor: Visitor) -> None:
    hall, page = tonight.hall, visitor.page
    token = await hall.account(EVIL)
    await show(visitor, "Accounts")
    await page.get_by_label("Part of a name").fill("ONERROR")
    row = page.get_by_role("listitem").filter(has_text=EVIL)
    await row.get_by_role("button", name="Manage").click()
    await confirm(visitor, row.get_by_role("button", name="Ban"), "Ban the account")
    await row.get_by_text("banned", exact=True).wait_for()
    assert (await hall.get("/me", token)).json()["code"] == "banned"
    await row.get_by_role("button", name="Lift the ban").click()
    await row.get_by_text("banned", exact=True).wait_for(state="hidden")
    assert (await hall.get("/me", token)).status_code == 200
    await confirm(visitor, row.get_by_role("button", name="Reset the password"), "Draw a new password")
    drawn = await row.locator("code").inner_text()
    login = {"name": EVIL, "password": drawn, "label": "a program"}
    assert (await hall.post("/login", **login)).status_code == 200
    await row.get_by_role("button", name="Close").click()
    await row.get_by_role("button", name="Manage").click()
    await confirm(visitor, row.get_by_role("button", name="Revoke: a program"), "Revoke the token")
    await visitor.see("No valid token.")
    await visitor.audit()
    await row.get_by_role("button", name="Delete").click()
    dialog = page.get_by_role("dialog")
    assert await dialog.get_by_role("button", name="Delete the account").is_disabled()
    await dialog.get_by_label("to confirm").fill(EVIL)
    await dialog.get_by_role("button", name="Delete the account").click()
    await visitor.see("There is no such account.")
    assert (await hall.post("/login", **login)).status_code == 401


async def import_class(tonight: Evening, visitor: Visitor, folder: Path) -> None:
    page, file = visitor.page, folder / "class.csv"
    file.write_text(f"name\nLin\nrandom\n{EVIL}\n")
    await page.get_by_label("Part of a name").fill("")
    await visitor.button("Import a class").click()
    await page.get_by_label("Choose a file").set_input_files(file)
    await visitor.button("Check 3 names").click()
    alert = page.get_by_role("region", name="Import a class").get_by_role("alert")
    await alert.get_by_text("1 line cannot be imported").wait_for()
    assert "Line 3" in await alert.inner_text() and "built-in bot" in await alert.inner_text()
    assert await tonight.hall.store.account("Lin") is None
    await visitor.audit()
    await page.get_by_label("Names").fill(f"Lin\nMax\n{EVIL} Jr.")
    await visitor.button("Check 3 names").click()
    await visitor.button("Create 3 accounts").click()
    await visitor.see("3 accounts are created")
    async with page.expect_download() as download:
        await visitor.button("Download as CSV").click()
    rows = [line.split(",") for line in Path(await (await download.value).path()).read_text().splitlines()]
    assert [row[0] for row in rows] == ["name", "Lin", "Max", f"{EVIL} Jr."]
    assert (await tonight.hall.post("/login", name="Lin", password=rows[1][1])).status_code == 200
    await page.emulate_media(media="print")
    assert await page.get_by_text(rows[1][1]).last.is_visible(), "the sheet"
    assert not await page.get_by_role("banner").is_visible(), "and nothing else"
    await page.emulate_media(media="screen")
    await visitor.audit()
    await visitor.button("Done").click()
    await page.get_by_role("listitem").filter(has_text="Max").wait_for()
    assert rows[1][1] not in await page.content() and rows[1][1] not in await visitor.kept()


async def see_refusals(tonight: Evening, visitor: Visitor) -> None:
    await show(visitor, "Refusals")
    refusal = visitor.page.get_by_role("listitem").filter(has_text="wrong_login").filter(has_text=ADMIN)
    assert "127.0.0.1" in await refusal.inner_text()
    await visitor.page.get_by_label("Code").select_option("banned")
    await visitor.page.get_by_role("listitem").filter(has_text=EVIL).first.wait_for()
    await visitor.audit()


async def tokens_kept(visitor: Visitor) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """What the browser keeps: of the user for all tabs, and of the host for this one."""
    kept = await visitor.page.evaluate("[{...localStorage}, {...sessionStorage}]")
    assert "host" not in json.dumps(kept[0]["parlour.identity"]).replace('\\"host\\"', "")
    host = kept[1].get("parlour.host")
    return json.loads(kept[0]["parlour.identity"]), None if host is None else json.loads(host)


def test_an_administrator_looks_after_the_arena(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        await Doorkeeper(tonight.hall.store).register(ADMIN, PASSWORD, admin=True)
        visitor = await tonight.visitor()
        visitor.expected = ["400", "401"]
        await log_in(visitor, ADMIN)
        assert "admin" not in (await tokens_kept(visitor))[0]["scopes"], "an ordinary login cannot administer"
        await open_door(visitor)
        await visitor.audit()
        assert (await tonight.hall.get("/admin/overview", (await tokens_kept(visitor))[0]["token"])).status_code == 403
        await stop_match(tonight, visitor)
        await look_after_accounts(tonight, visitor)
        await import_class(tonight, visitor, tmp_path)
        await see_refusals(tonight, visitor)
        await show(visitor, "Reports")
        await visitor.audit()

        _, host = await tokens_kept(visitor)
        assert host is not None and (await tonight.hall.get("/me", host["token"])).json()["scopes"] == ["admin"]
        await visitor.page.reload()
        await visitor.button("Lock").click()
        await visitor.page.get_by_label("Password").wait_for()
        assert (await tokens_kept(visitor))[1] is None

    spend(tmp_path, work)


def test_nobody_else_sees_link_or_data_and_a_phone_shows_all(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        await Doorkeeper(tonight.hall.store).register(ADMIN, PASSWORD, admin=True)
        await tonight.hall.account("Ada")
        for name in (None, "Ada"):
            visitor = await tonight.visitor()
            if name is not None:
                await log_in(visitor, name)
            await visitor.goto("/host")
            await visitor.see("This page is for administrators")
            assert await visitor.link("Host").count() == 0
            assert not any("/api/admin" in asked or "/api/accounts" in asked for asked in visitor.asked_for)
        await visitor.audit()
        phone = await tonight.visitor(phone=True, color_scheme="light")
        phone.expected = ["401"]
        await log_in(phone, ADMIN)
        await open_door(phone)
        for tab in ("Overview", "Matches", "Accounts", "Refusals"):
            await show(phone, tab)
            await phone.text("Loading").wait_for(state="hidden")
            assert await phone.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]

    spend(tmp_path, work)
