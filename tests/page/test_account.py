"""A person registers, plays a quick match, makes a token, and takes all data along."""

import json
from pathlib import Path

from tests.page.browser import Evening, Visitor, spend

NAME, PASSWORD = "Ada", "long enough"


async def fill(visitor: Visitor, form: str) -> None:
    """Fill in and send a form with name and password."""
    fields = visitor.page.get_by_role("form", name=form)
    await fields.get_by_label("Name").fill(NAME)
    await fields.get_by_label("Password").fill(PASSWORD)
    await fields.get_by_role("button", name=form).click()
    await visitor.page.get_by_role("heading", name=NAME, level=1).wait_for()


async def quick_match(visitor: Visitor) -> None:
    """Play now, from the home page, and leave again."""
    await visitor.goto("/")
    await visitor.button("Play now: Maze").click()
    await visitor.page.get_by_role("region", name="Your seat").get_by_role("button", name="Pass").wait_for()
    await visitor.button("Resign").click()
    await visitor.button("Yes, resign").click()
    await visitor.see("You have resigned.")


def test_an_account_from_its_registration_to_its_end(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        visitor = await tonight.visitor()
        visitor.expected = ["401"]
        page = visitor.page
        await visitor.goto("/account")
        await fill(visitor, "Register")
        await visitor.button("Log out").click()
        await fill(visitor, "Log in")
        await quick_match(visitor)

        await visitor.link(NAME).click()
        await page.get_by_label("Label").fill("my program")
        await visitor.button("Make a token").click()
        await visitor.see("Your new token")
        token = await page.locator("code").inner_text()
        assert (await tonight.hall.get("/me", token)).json()["name"] == NAME
        await visitor.audit()
        row = page.get_by_role("row", name="my program")
        await row.get_by_role("button", name="Revoke").click()
        await row.wait_for(state="hidden")
        assert (await tonight.hall.get("/me", token)).status_code == 401

        async with page.expect_download() as download:
            await visitor.button("Export my data").click()
        data = json.loads(Path(await (await download.value).path()).read_text())
        assert NAME in json.dumps(data) and PASSWORD not in json.dumps(data)

        await visitor.button("Delete my account").click()
        await page.get_by_label("Type your password").fill("not the password")
        await visitor.button("Delete it").click()
        await page.get_by_role("alert").wait_for()
        await page.get_by_label("Type your password").fill(PASSWORD)
        await visitor.button("Delete it").click()
        await page.get_by_role("heading", name="Log in or register").wait_for()
        assert (await tonight.hall.post("/login", name=NAME, password=PASSWORD)).status_code == 401
        kept = await visitor.kept()
        assert "token" not in kept and "salt" not in kept and "receipt" not in kept

    spend(tmp_path, work, quick_s=0.05)
