"""Messages of players are text, and a game with forms is played at the generic table."""

import asyncio
import json
from pathlib import Path

from tests.page.browser import Evening, Visitor, first_of, spend
from tests.server.arenas import Seat

MESSAGE = "<img src=x onerror=alert(1)>"


def test_a_message_stays_text_and_is_answered_with_a_form(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        hall = tonight.hall
        visitor = await tonight.visitor()
        page = visitor.page
        token = await hall.guest()
        table = (await hall.table(token, "tradecraft", "open", "open", options={"max_turn": 1}))["table"]["id"]
        await hall.post(f"/tables/{table}/join", token)
        await visitor.goto(f"/matches/{table}")
        await visitor.button("Sit down").click()
        async with hall.connect(f"/play/tradecraft/{table}", token) as line:
            other = Seat(line)
            await other.hear("hello")
            await other.say(type="hello")
            asked = await other.hear("ask")
            await other.say(type="answer", id=asked["id"], action={"type": "Propose", "partner": 1, "message": MESSAGE})
            await visitor.see(MESSAGE)
            assert await page.locator("img[src=x], [onerror]").count() == 0
            playing = asyncio.create_task(play_on(other))
            await play_by_forms(visitor)
            await playing
        await visitor.audit()
        assert not [url for url in visitor.asked_for if url.endswith("/x")]
        told = await tonight.finished(table)
        assert all(seat["score"] is not None for seat in told["seats"])

    spend(tmp_path, work)


async def play_on(seat: Seat) -> None:
    """Propose nothing, reject everything and craft nothing until the match is over."""
    answers = {
        "MakeProposal": {"type": "Propose", "partner": 1},
        "DecideProposal": {"type": "Decide", "decision": "reject"},
        "CraftItems": {"type": "Done"},
    }
    async for text in seat.line:
        message = json.loads(text)
        if message["type"] == "ask":
            await seat.say(type="answer", id=message["id"], action=answers[message["ask"]["type"]])


async def play_by_forms(visitor: Visitor) -> None:
    """Fill in every form; the first time it is sent before it is complete."""
    dock = visitor.page.get_by_role("region", name="Your seat")
    over = visitor.button("Replay and proof")
    headings = [dock.get_by_role("heading", name=each) for each in ("Decide proposal", "Make proposal", "Craft items")]
    while (now := await first_of(over, *headings)) > 0:
        if now == 1:
            await dock.get_by_role("button", name="Decide").click()
            await dock.get_by_text("One field needs another look.").wait_for()
            await dock.get_by_role("radio", name="reject").check()
            await dock.get_by_role("textbox", name="Message").fill(MESSAGE)
            await dock.get_by_role("button", name="Decide").click()
        elif now == 2:
            await dock.get_by_label("Partner").select_option(index=1)
            await dock.get_by_role("button", name="Propose").click()
        else:
            await dock.get_by_role("button", name="Done").click()
        await headings[now - 1].wait_for(state="hidden")
