"""A match as it goes on: watched, and played over connections that are lost and in several tabs."""

import json
from pathlib import Path

from tests.page.browser import Evening, Visitor, spend
from tests.page.forsale import Person, seated
from tests.server.arenas import Seat

LOST = ["WebSocket connection", "ERR_CONNECTION_REFUSED", "Failed to load resource"]
"""What a browser reports while there is no server."""


async def logged(visitor: Visitor) -> list[int]:
    """The numbers of the lines in the log, the oldest first."""
    lines = await visitor.page.get_by_role("log").get_by_role("button").all_inner_texts()
    return [int(line.split()[0]) for line in reversed(lines)]


async def whole_log(visitor: Visitor) -> bool:
    numbers = await logged(visitor)
    return numbers == list(range(1, len(numbers) + 1)) and len(numbers) > 0


async def play_on(seat: Seat) -> None:
    """Answer everything with the first choice until the match is over."""
    async for text in seat.line:
        message = json.loads(text)
        if message["type"] == "ask":
            await seat.say(type="answer", id=message["id"], action=message["ask"]["choices"][0])


def test_a_match_is_watched_from_the_lobby_to_its_end(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        hall = tonight.hall
        watcher = await tonight.visitor()
        token = await hall.guest()
        table = (await hall.table(token, "forsale", "open", "minimum", "random"))["table"]["id"]
        await watcher.goto(f"/matches/{table}")
        await watcher.see("Waiting for players")
        await watcher.audit()
        await hall.post(f"/tables/{table}/join", token)
        async with hall.connect(f"/play/forsale/{table}", token) as line:
            seat = Seat(line)
            await seat.hear("hello")
            await seat.say(type="hello")
            for _ in range(3):
                await seat.first_choice()
            await watcher.page.get_by_role("heading", name="Auction 2").wait_for()
            await watcher.page.get_by_role("log").get_by_role("button").last.click()
            await watcher.see("You are looking at an earlier moment.")
            await watcher.button("Back to now").click()
            await play_on(seat)
        told = await tonight.finished(table)
        best = next(each["name"] for each in told["seats"] if each["rank"] == 1)
        await watcher.page.get_by_role("heading", name=f"{best} won").wait_for()
        assert await whole_log(watcher)
        assert not await watcher.button("Rematch").is_visible() and not await watcher.button("Resign").is_visible()
        views = watcher.told("view")
        assert views and all(told["view"]["seat"] is None and told["view"]["hand"] == [] for told in views)

    spend(tmp_path, work)


def test_a_seat_outlives_the_server_a_reload_and_other_tabs(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        visitor = await tonight.visitor()
        visitor.expected = LOST
        person = Person(visitor)
        match = await seated(tonight, visitor, "forsale", "minimum", "minimum", "minimum")
        await person.play_on(turns=2)
        await tonight.close()
        await visitor.see("The connection is lost. Your seat is kept; the page is reconnecting.")
        await tonight.open(tonight.hall.serving.port)
        await person.play_on(turns=1)
        assert await whole_log(visitor)

        await visitor.page.reload()
        await person.play_on(turns=1)
        assert await whole_log(visitor)

        tab = await tonight.tab(visitor)
        await tab.goto(f"/matches/{match}")
        other = Person(tab)
        await other.play_on(turns=1)
        await visitor.see("You play this seat in another tab or window.")
        await visitor.page.bring_to_front()  # a browser draws a tab in the background slowly
        await visitor.button("Play here").click()
        await tab.see("You play this seat in another tab or window.")
        await person.play_on()
        assert await whole_log(visitor)
        await tab.button("Replay and proof").wait_for()
        assert not await tab.button("Resign").is_visible()
        await tonight.finished(match)
        await person.over.click()
        await visitor.see("of its answers are in the transcript, in order.")

    spend(tmp_path, work)
