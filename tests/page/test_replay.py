"""Replays: every moment of a finished match, links to moments, and transcript files."""

import re
from pathlib import Path

from playwright.async_api import Locator, expect

from parlour.games import game
from parlour.referee.replay import verify
from tests.page.browser import PHONE, Evening, Visitor, spend

MOST_BYTES = 5_000_000


async def finished_match(tonight: Evening) -> str:
    """A match of bots; its id."""
    host = await tonight.hall.guest()
    table: str = (await tonight.hall.table(host, "forsale", "random", "minimum", "random"))["table"]["id"]
    await tonight.finished(table)
    return table


def board(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("region", name="Table at move")


async def at(visitor: Visitor, move: int) -> None:
    """Wait until this move is shown."""
    shown = visitor.page.get_by_role("region", name=f"Table at move {move}", exact=True)
    await expect(shown).to_have_attribute("aria-busy", "false")
    slider = visitor.page.get_by_role("slider", name="Move")
    await expect(slider).to_have_value(str(move))
    await expect(slider).to_have_attribute("aria-valuetext", re.compile(f"Move {move} of"))


async def last_move(visitor: Visitor) -> int:
    return int(await visitor.page.get_by_role("slider", name="Move").get_attribute("max") or 0)


async def stepped(visitor: Visitor) -> None:
    """Keys, buttons, slider and playing all lead to the move that they name."""
    page, last = visitor.page, await last_move(visitor)
    await at(visitor, 0)
    for key, move in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0)):
        await page.keyboard.press(key)
        await at(visitor, move)
    await visitor.button("One move on").click()
    await at(visitor, 1)
    await visitor.button("To the end").click()
    await at(visitor, last)
    await page.get_by_role("slider", name="Move").fill(str(last - 3))
    await at(visitor, last - 3)
    await visitor.page.get_by_role("group", name="Speed").get_by_role("button").last.click()
    await visitor.button("Play", exact=True).click()
    await visitor.button("Pause").wait_for()
    await visitor.button("Play", exact=True).wait_for()
    await at(visitor, last)


async def seen_by_others(visitor: Visitor) -> None:
    """Each seat's view shows what that seat knew; a spectator does not know the coins."""
    by = visitor.page.get_by_role("group", name="Seen by")
    await visitor.page.keyboard.press("Home")
    await at(visitor, 0)
    views = {}
    for name in ("Spectator", "minimum", "Everything"):
        await by.get_by_role("button", name=name).click()
        await expect(by.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
        await at(visitor, 0)
        await visitor.page.wait_for_url(
            "**/matches/*" + {"Spectator": "", "minimum": "seat=1", "Everything": "seat=all"}[name]
        )
        views[name] = await board(visitor).locator("div.cloth").aria_snapshot()
    assert len(set(views.values())) == 3
    await by.get_by_role("button", name="minimum").click()


async def line_opened(visitor: Visitor) -> int:
    """A line of the log leads to its move; the move."""
    log = visitor.page.get_by_role("complementary", name="Log")
    line = log.get_by_role("button", name=re.compile("takes estate")).nth(2)
    move = int((await line.inner_text()).split()[0])
    await line.click()
    await at(visitor, move)
    await expect(log.locator("li .now").first).to_be_visible()
    return move


async def link_leads_to_the_same_moment(tonight: Evening, visitor: Visitor, move: int) -> None:
    """The copied link shows the same board to somebody else."""
    await visitor.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await visitor.button(f"Copy link to move {move}").click()
    await visitor.button("Copied").wait_for()
    link = await visitor.page.evaluate("navigator.clipboard.readText()")
    assert link.endswith(f"?at={move}&seat=1")
    await visitor.page.wait_for_url(link)
    other = await tonight.visitor(color_scheme="light")
    await other.page.goto(link)
    await at(other, move)
    pressed = other.page.get_by_role("group", name="Seen by").get_by_role("button", name="minimum")
    await expect(pressed).to_have_attribute("aria-pressed", "true")
    table = "div.cloth"
    assert await board(other).locator(table).inner_text() == await board(visitor).locator(table).inner_text()
    await other.page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    await other.audit()


def test_a_match_is_replayed_and_a_link_shows_its_moment(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        match = await finished_match(tonight)
        visitor = await tonight.visitor(color_scheme="dark")
        await visitor.goto(f"/matches/{match}")
        await stepped(visitor)
        await seen_by_others(visitor)
        move = await line_opened(visitor)
        await visitor.audit()
        await link_leads_to_the_same_moment(tonight, visitor, move)
        async with visitor.page.expect_download() as started:
            await visitor.button("Transcript", exact=True).click()
        data = (await (await started.value).path()).read_bytes()
        assert data == (await tonight.hall.http.get(f"/api/matches/{match}/transcript")).content
        assert verify(data, game).holds == "yes"

    spend(tmp_path, work)


def wrong_files(data: bytes) -> list[tuple[str, bytes, str]]:
    """Files that cannot be replayed, and what the page says about each."""
    header, rest = data.split(b"\n", 1)
    return [
        ("words.jsonl", b"This is not a transcript.\n", "Line 1 cannot be read"),
        ("empty.jsonl", b"", "The file is empty"),
        ("cut.jsonl", data[: len(data) // 2], "the file was cut here"),
        ("big.jsonl", data + b" " * MOST_BYTES, "The file has more than 5 MB"),
        ("game.jsonl", header.replace(b'"forsale"', b'"chess"') + b"\n" + rest, "chess"),
        ("rules.jsonl", header.replace(b'"forsale"', b'"maze"') + b"\n" + rest, "The match cannot be shown"),
        ("picture.png", bytes(range(256)) * 40, "Line 1 cannot be read"),
    ]


async def dropped(visitor: Visitor, name: str, data: bytes) -> None:
    """Drop a file onto the page, as from the desktop."""
    transfer = await visitor.page.evaluate_handle(
        """([name, bytes]) => {
            const transfer = new DataTransfer()
            transfer.items.add(new File([new Uint8Array(bytes)], name))
            return transfer
        }""",
        [name, [*data]],
    )
    place = visitor.page.get_by_role("main")
    for event in ("dragover", "drop"):
        await place.dispatch_event(event, {"dataTransfer": transfer})


def test_a_file_is_replayed_and_a_wrong_one_explained(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        match = await finished_match(tonight)
        data = (await tonight.hall.http.get(f"/api/matches/{match}/transcript")).content
        visitor = await tonight.visitor()
        visitor.expected = ["status of 4"]
        await visitor.goto("/replay")
        for name, wrong, words in wrong_files(data):
            file = {"name": name, "mimeType": "text/plain", "buffer": wrong}
            await visitor.page.get_by_label("Choose a file").last.set_input_files(file)  # type: ignore[arg-type]
            await visitor.see(words)
        await dropped(visitor, "mine.jsonl", data)
        await at(visitor, 0)
        await visitor.page.keyboard.press("End")
        await at(visitor, await last_move(visitor))
        await visitor.see("This is the match as it was played")
        async with visitor.page.expect_file_chooser() as chooser:
            await visitor.button("Another file").click()
        await (await chooser.value).set_files({"name": "again.jsonl", "mimeType": "", "buffer": data})
        await visitor.see("parlour verify again.jsonl")
        await at(visitor, 0)
        await visitor.page.keyboard.press("ArrowRight")
        await at(visitor, 1)

    spend(tmp_path, work)
