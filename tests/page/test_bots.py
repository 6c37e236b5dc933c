"""The author of a bot connects it, sees what it says and does, and asks it again; nobody else sees anything of it."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Page, expect

from tests.page.browser import WAIT_MS, Evening, Visitor, spend
from tests.page.snippets import FILES, GAMES, program

IMAGE = "<img src=x onerror=document.title='injected'>"
STDERR, NOTE = f"\x1b[31mthinking {IMAGE}", f"because {IMAGE}"
BOT = """
import json, sys, time
from pathlib import Path

go, asked = Path(sys.argv[1]), 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        reply = {"type": "hello", "name": "bot", "again": True}
    elif message["type"] in ("ask", "again"):
        choices, asked = message["ask"]["choices"], asked + 1
        reply = {"type": "answer", "id": message["id"], "action": choices[0]}
        if message["type"] == "again":
            reply["type"] = "again"
        elif asked == 1:
            print(STDERR, "x" * 2000, file=sys.stderr, flush=True)
            reply["action"] = {"type": "Bid", "amount": 99}
        elif asked == 2:
            reply["note"] = NOTE
        else:
            while not go.exists():
                time.sleep(0.02)
    else:
        continue
    print(json.dumps(reply), flush=True)
"""
"""Makes a fault, then plays on with a note, and then waits until it may go on."""


async def logged_in(tonight: Evening, name: str) -> tuple[Visitor, str]:
    """A person with a new account, and the token of the page."""
    token = await tonight.hall.account(name)
    known = json.dumps({"name": name, "token": token, "isGuest": False, "scopes": ["play", "host", "account"]})
    visitor = await tonight.visitor()
    await visitor.context.add_init_script(f"localStorage.setItem('parlour.identity', JSON.stringify({known}))")
    return visitor, token


@asynccontextmanager
async def joined(folder: Path, url: str, token: str, *more: str) -> AsyncIterator[None]:
    """A bot that plays through `parlour join` in a process of its own, until the block ends."""
    code = BOT.replace("STDERR", repr(STDERR)).replace("NOTE", repr(NOTE))
    (folder / "bot.py").write_text(code, encoding="utf-8")
    command = f"exec:{sys.executable} {folder / 'bot.py'} {folder / 'go'}"
    join = [sys.executable, "-m", "parlour", "join", url, "forsale", command, *more]
    quiet = asyncio.subprocess.DEVNULL
    told = {**os.environ, "PARLOUR_TOKEN": token}
    process = await asyncio.create_subprocess_exec(*join, env=told, stdout=quiet, stderr=quiet)
    try:
        yield
    finally:
        if process.returncode is None:
            process.terminate()
        await process.wait()


async def shown_code(page: Page) -> str:
    return await page.get_by_role("region", name="The program").locator("code").inner_text()


async def look_at_programs(tonight: Evening) -> None:
    """A visitor on a phone sees the programs that the tests run, and makes a token as a guest."""
    visitor = await tonight.visitor(phone=True)
    page, serving = visitor.page, tonight.hall.serving
    await visitor.goto("/bots?game=maze")
    await expect(page.get_by_label("Game")).to_have_value("maze")
    for n, way in enumerate(FILES):
        game = GAMES[n % len(GAMES)]
        await page.get_by_label("Language").select_option(way)
        await page.get_by_label("Game").select_option(game)
        assert (await shown_code(page)).strip() == program(way, game, serving.port, serving.tcp_port).strip()
    await visitor.button("Make a token for a bot").click()
    token = await page.get_by_role("status").locator("code").inner_text()
    assert (await tonight.hall.get("/me", token)).json()["scopes"] == ["play"]
    assert token in await page.get_by_role("region", name="Commands").inner_text()
    assert token not in await visitor.kept() and token not in page.url
    await visitor.see("You are the guest")
    await visitor.audit()


async def check_private(tonight: Evening, match: str) -> None:
    """Another account and a guest see nothing of the bot, neither on the page nor over the API."""
    bob, token = await logged_in(tonight, "Bob")
    for other in (token, await tonight.hall.guest(), None):
        for part in ("messages", "stderr", "notes"):
            said = await tonight.hall.get(f"/matches/{match}/{part}", other)
            assert said.status_code in (401, 403, 404) and "thinking" not in said.text, said.text
    await bob.goto(f"/bots/{match}")
    await bob.see("You have no seat in this match.")
    await bob.goto(f"/matches/{match}")
    await bob.page.get_by_role("heading", level=1).wait_for()
    await expect(bob.page.get_by_role("heading", name="Your bot")).to_have_count(0)
    assert not await bob.holds("thinking") and not await bob.holds("because")


async def look_while_it_plays(visitor: Visitor) -> None:
    page = visitor.page
    messages, stderr = page.get_by_role("region", name="Messages"), page.get_by_role("log", name="stderr")
    await expect(stderr).to_contain_text(f"␛[31mthinking {IMAGE}")
    await stderr.get_by_role("button", name="Show all").click()
    await stderr.get_by_role("button", name="Show less").wait_for()

    await expect(messages).to_contain_text("fault 1: bid 99")
    await messages.get_by_role("button", name="ask 1: BidOrPass").click()
    await expect(messages).to_contain_text('"may_pass": true')
    notes = page.get_by_role("group", name="Show").get_by_role("button", name="notes")
    await notes.click()
    await expect(messages).not_to_contain_text("because")
    await notes.click()
    await page.get_by_role("searchbox").fill("BECAUSE")
    await expect(messages.get_by_role("listitem")).to_have_count(2)  # the answer and its note
    await page.get_by_role("searchbox").fill("")
    await visitor.button("Pause").click()
    await visitor.button("Go on").click()

    faults = page.get_by_role("region", name="Faults")
    await expect(faults).to_contain_text("P0401")
    await faults.get_by_role("button", name="Position").click()
    await page.get_by_role("figure", name="What your bot was shown with ask 1").wait_for()
    assert await page.locator("img").count() == 0 and "injected" not in await page.title()
    await visitor.audit()


async def look_at_the_replay(visitor: Visitor) -> None:
    """Follow the fault into the replay, read the note, and ask the bot again."""
    page = visitor.page
    await page.get_by_role("region", name="Faults").get_by_role("link", name="in the replay").click()
    panel = page.get_by_role("region", name="Your bot")
    await expect(visitor.button("Ask my bot again here")).to_be_enabled()
    await visitor.button("Ask my bot again here").click()
    await expect(panel.get_by_role("status")).to_contain_text("legal")
    await expect(panel.get_by_role("status")).to_contain_text("The same answer as in the match")
    while not await panel.get_by_text(NOTE).is_visible():
        await visitor.button("One move on").click()
        await page.wait_for_function("!document.querySelector('.board[aria-busy=true]')")
    assert await page.locator("img").count() == 0 and "injected" not in await page.title()
    await visitor.audit()


def test_an_author_sees_everything_of_the_own_bot_and_others_nothing(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        await look_at_programs(tonight)
        author, _ = await logged_in(tonight, "Ada")
        hall, page = tonight.hall, author.page
        await author.goto("/bots")
        await author.button("Make a token for a bot").click()
        token = await page.get_by_role("status").locator("code").inner_text()
        host = await hall.guest()
        match = (await hall.table(host, "forsale", "open", "minimum", "minimum"))["table"]["id"]
        async with joined(tmp_path, hall.url, token, "--table", match):
            await page.get_by_role("region", name="Your bots").get_by_role("link", name="Messages").click()
            await look_while_it_plays(author)
            await check_private(tonight, match)
            (tmp_path / "go").touch()
            await author.see("the match is over")
        async with joined(tmp_path, hall.url, token):  # it waits for the next match
            await look_at_the_replay(author)
        await check_after(tonight, match)

    spend(tmp_path, work, tables_per_guest=10)


async def check_after(tonight: Evening, match: str) -> None:
    """Notes stay with the owner, although the match is public now."""
    said = await tonight.hall.get(f"/matches/{match}/notes", await tonight.hall.guest())
    assert said.status_code in (403, 404)
    async with asyncio.timeout(WAIT_MS / 1000):
        transcript = (await tonight.hall.http.get(f"/api/matches/{match}/transcript")).text
    assert "because" not in transcript and "thinking" not in transcript
