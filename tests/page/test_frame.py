"""The frame of the page: it loads, complains about nothing, and says what is wrong."""

from pathlib import Path

import pytest

from tests.page.browser import Evening, spend

PATHS = (
    "/",
    "/games/forsale",
    "/games/dominion",
    "/matches",
    "/open",
    "/account",
    "/replay",
    "/tournaments",
    "/ladder",
)


@pytest.mark.parametrize("phone", [False, True], ids=["wide", "phone"])
def test_every_page_is_accessible_and_loads_nothing_from_elsewhere(tmp_path: Path, phone: bool) -> None:
    async def work(tonight: Evening) -> None:
        dark = await tonight.visitor(phone=phone, color_scheme="dark")
        light = await tonight.visitor(phone=phone, color_scheme="light")
        for visitor in (dark, light):
            for path in PATHS:
                await visitor.goto(path)
                await visitor.page.get_by_role("heading", level=1).wait_for()
                await visitor.audit()

    spend(tmp_path, work)


def test_an_unknown_page_says_so_and_a_failing_server_too(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        visitor = await tonight.visitor()
        visitor.expected = ["404"]
        await visitor.goto("/games/nothing")
        await visitor.see("This arena has no such game.")
        await visitor.goto("/matches/none")
        await visitor.see("there is no such match")
        await visitor.context.set_offline(True)
        await visitor.see("No connection.")

    spend(tmp_path, work)


def test_after_an_upgrade_an_old_page_asks_to_be_reloaded(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        visitor = await tonight.visitor()

        async def upgraded(route: object) -> None:
            answer = await route.fetch()  # type: ignore[attr-defined]
            headers = {**answer.headers, "parlour-build": "another"}
            await route.fulfill(response=answer, headers=headers)  # type: ignore[attr-defined]

        await visitor.goto("/")
        await visitor.page.route("**/api/matches*", upgraded)
        await visitor.see("The arena has been upgraded")
        await visitor.button("Reload").wait_for()

    spend(tmp_path, work)
