"""The creator of a table sees in the replay what its models were asked and answered; nobody else does."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.async_api import expect

from parlour.server.accounts import Doorkeeper
from tests.models.conftest import environment
from tests.models.server import ModelServer, Reply, Request, model_server, says_example
from tests.page.browser import Evening, Visitor, spend
from tests.page.test_bots import IMAGE, logged_in
from tests.page.test_host import ADMIN, PASSWORD, log_in

MODELS = {"mini": "local/mini?price_in=10&price_out=100"}
"""A request of the server costs $0.002."""
THOUGHT = f"I bid because {IMAGE}"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with model_server(mini=thinks_aloud) as running:
        for name, value in environment(running).items():
            monkeypatch.setenv(name, value)
        yield running


def thinks_aloud(request: Request, count: int) -> Reply:
    """Writes what a browser must not read as HTML, and cannot be read at its second answer."""
    reply = says_example(request, count)
    return Reply(text=f"{IMAGE} perhaps") if count == 1 else Reply(text=THOUGHT, calls=reply.calls)


async def played(tonight: Evening, token: str) -> str:
    """A match of two models and a bot, which is over."""
    seats = [
        {"kind": "command", "spec": "mini"},
        {"kind": "command", "spec": "mini"},
        {"kind": "bot", "spec": "random"},
    ]
    made = await tonight.hall.post("/tables", token, game="forsale", seats=seats, terms={})
    assert made.status_code == 201, made.text
    match = str(made.json()["table"]["id"])
    await tonight.finished(match)
    return match


async def look_at_the_panel(ada: Visitor, match: str) -> None:
    """Sums, the decision of the moment, its texts; a click shows another moment."""
    page = ada.page
    await ada.goto(f"/matches/{match}")
    panel = page.get_by_role("region", name="Models", exact=True)
    await expect(panel).to_contain_text("1 unreadable")
    await expect(panel).to_contain_text("No model has decided yet at this move.")
    lines = panel.get_by_role("region", name="Decisions of the models").get_by_role("listitem").get_by_role("button")
    await lines.nth(3).focus()
    await page.keyboard.press("Enter")
    move = await lines.nth(3).locator(".at").inner_text()
    await page.get_by_role("region", name=re.compile(f"move {move}$", re.IGNORECASE)).wait_for()
    await expect(lines.nth(3)).to_have_attribute("aria-current", "step")
    await expect(panel).to_contain_text(THOUGHT)
    await expect(panel).to_contain_text("$0.0020")
    await panel.get_by_text("Whole prompt").click()
    await expect(panel.get_by_role("region", name="The whole prompt")).to_contain_text("[system]")
    await page.keyboard.press("Home")
    await expect(panel).to_contain_text("No model has decided yet at this move.")

    troubled = panel.get_by_role("listitem").filter(has_text="unreadable").get_by_role("button")
    await troubled.click()
    await expect(panel).to_contain_text(f"{IMAGE} perhaps")
    await expect(panel).to_contain_text("Why it could not be read:")
    assert await page.locator("img").count() == 0 and "injected" not in await page.title()
    await ada.audit()


async def look_at_the_budget(ada: Visitor, spent: float) -> None:
    await ada.goto("/account")
    budget = ada.page.get_by_role("region", name="Models", exact=True)
    await expect(budget).to_contain_text(f"${spent:.4f} of $5.00 spent")
    await expect(budget).to_contain_text("$10 for a million tokens of prompts, $100 of answers")
    await ada.audit()


async def check_others(tonight: Evening, match: str) -> None:
    """Another account and a guest, who look at the same replay."""
    bob, _ = await logged_in(tonight, "Bob")
    guest = await tonight.visitor(phone=True)
    for other in (bob, guest):
        await other.goto(f"/matches/{match}")
        await other.button("One move on").click()
        await other.page.wait_for_function("!document.querySelector('.board[aria-busy=true]')")
        await other.page.wait_for_load_state("networkidle")
        await expect(other.page.get_by_role("region", name="Models", exact=True)).to_have_count(0)
        assert not any(address.endswith("/models") for address in other.asked_for)
        assert not await other.holds("I bid because") and not await other.holds("You play For Sale")


async def raise_the_limit(tonight: Evening) -> None:
    """An administrator sets what the account may spend."""
    host = await tonight.visitor(phone=True)
    await Doorkeeper(tonight.hall.store).register(ADMIN, PASSWORD, admin=True)
    await log_in(host, ADMIN)
    await host.goto("/host?tab=accounts")
    await host.page.get_by_label("Password").fill(PASSWORD)
    await host.button("Open", exact=True).click()
    await host.page.get_by_role("listitem").filter(has_text="Ada").get_by_role("button", name="Manage").click()
    await host.page.get_by_label("Limit in dollars").fill("7.5")
    await host.button("Set the limit").click()
    await host.see("of $7.50 spent")
    await host.audit()
    await host.button("Use the limit of the settings").click()
    await host.see("of $5.00 spent")


def test_the_creator_of_a_table_sees_what_its_models_said_and_others_do_not(
    server: ModelServer, tmp_path: Path
) -> None:
    async def work(tonight: Evening) -> None:
        ada, token = await logged_in(tonight, "Ada")
        match = await played(tonight, token)
        await look_at_the_panel(ada, match)
        await look_at_the_budget(ada, 0.002 * len(server.requests))
        await check_others(tonight, match)
        await raise_the_limit(tonight)

    spend(tmp_path, work, models=MODELS, model_account_budget=5.0)
