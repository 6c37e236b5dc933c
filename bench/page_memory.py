"""How much memory the page needs for long matches: its JavaScript heap after thousands of events at full speed.

python bench/page_memory.py [--events 20000]

It needs the built page and Chromium. A stub answers the page instead of an arena: a real match of Maze is repeated
until it is long enough, so frames, views and words have their usual size. The replay is stepped on as fast as moves
are shown. The live match is sent as fast as the browser takes it.
"""

import argparse
import asyncio
import json
import shutil
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.async_api import Page, Route, WebSocketRoute, async_playwright

import parlour
from parlour.games import game
from parlour.players.play import play
from parlour.players.player_specs import load
from parlour.players.terms import Terms
from parlour.referee.log import MemoryLog
from parlour.server.main import served
from parlour.server.replays.answers import Answers, recorded
from parlour.server.replays.jobs import ReplayJob
from parlour.server.replays.replay_cache import ReplayCache
from parlour.server.settings import Settings
from parlour.store.store import Store

PAGE = Path(parlour.__file__).parent / "web"
GAME, BOTS, OPTIONS = "maze", ["riemann", "random", "random", "random"], {"round_cap": 60}
MESSAGES_AT_ONCE = 2000
"""Of the live match: after so many, wait until the page has taken them."""

STEP_ON = """async steps => {
    const shown = () => document.querySelector('section.board[aria-busy]')
    for (let i = 0; i < steps; i++) {
        const before = shown().getAttribute('aria-label')
        window.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', cancelable: true }))
        do await new Promise(done => setTimeout(done))
        while (shown().getAttribute('aria-label') === before || shown().getAttribute('aria-busy') === 'true')
    }
}"""
"""Press a key, wait until the next move is drawn, and so on."""


def transcript() -> bytes:
    """A match of bots."""
    rules, log = game(GAME), MemoryLog()
    terms = Terms(game=rules, options=rules.rules.options(**OPTIONS))
    play(terms, [load(rules, bot) for bot in BOTS], bytes(32), log)
    return b"".join(line + b"\n" for line in log.lines)


class LongMatch:
    """A match of any length: the frames of a real one, again and again."""

    def __init__(self, data: bytes, total: int) -> None:
        match = recorded(data, None)
        cache = ReplayCache()
        cache.put("it", match)
        self._answers = Answers(cache)
        self._real = match.total
        self._frames: list[Any] = []
        while len(self._frames) < match.total:
            self._frames += self._ask(kind="frames", first=len(self._frames))["frames"]
        self.total = total

    def _ask(self, **job: Any) -> Any:
        return json.loads(self._answers.answer(ReplayJob(key="it", **job)).body)

    def frames(self, first: int, last: int) -> list[Any]:
        return [{**self._frames[n % self._real], "n": n} for n in range(first, min(last, self.total))]

    def timeline(self) -> Any:
        real = self._ask(kind="timeline")
        times = range(0, self.total, self._real)
        for name in ("log", "marks"):
            repeated = [{**each, "n": each["n"] + n} for n in times for each in real[name]]
            real[name] = [each for each in repeated if each["n"] < self.total]
        real["scores"] = [[at + n, scores] for n in times for at, scores in real["scores"] if at + n < self.total]
        return {**real, "total": self.total}

    def feed(self) -> Iterator[dict[str, Any]]:
        """The live match: an event and a view for each frame."""
        number = 0
        for n in range(self.total):
            frame = self.frames(n, n + 1)[0]
            for each in frame["events"]:
                number += 1
                yield {"type": "event", **each, "n": number}
            yield {"type": "view", "n": number, "part": frame["part"], "view": frame["view"], "clocks": []}


def info(match: str, state: str, players: list[Any]) -> dict[str, Any]:
    """What the arena says about the match, as far as the page reads it."""
    seats = [{"seat": n, "kind": "bot", **player} for n, player in enumerate(players)]
    return {"id": match, "game": GAME, "state": state, "seats": seats, "terms": {}, "proof": None, "commit": None}


async def heap_mb(page: Page) -> float:
    """The heap of the page after a garbage collection."""
    session = await page.context.new_cdp_session(page)
    await session.send("HeapProfiler.enable")
    for _ in range(3):
        await session.send("HeapProfiler.collectGarbage")
    used = await session.send("Runtime.getHeapUsage")
    return float(used["usedSize"]) / 2**20


class Stub:
    """Answers requests about the match instead of the arena."""

    def __init__(self, match: LongMatch, data: bytes, state: str) -> None:
        self._match = match
        self._data = data
        self._state = state

    async def answer(self, route: Route) -> None:
        url = urlsplit(route.request.url)
        query = parse_qs(url.query)
        if url.path.endswith("/timeline"):
            await route.fulfill(json=self._match.timeline())
        elif url.path.endswith("/frames"):
            frames = self._match.frames(int(query["from"][0]), int(query["to"][0]))
            await route.fulfill(json={"total": self._match.total, "next": None, "frames": frames})
        elif url.path.endswith("/transcript"):
            await route.fulfill(body=self._data)
        else:
            await route.fulfill(json=info("long", self._state, self._match.timeline()["players"]))


async def replayed(page: Page, url: str, match: LongMatch) -> None:
    """Show every move of a replay."""
    await page.goto(f"{url}/matches/long")
    await page.locator("section.board[aria-busy=false]").wait_for()
    await report(page, "replay, first move")
    for done in (match.total // 10, match.total):
        at = int(await page.get_by_role("slider").input_value())
        await page.evaluate(STEP_ON, done - 1 - at)
        await report(page, f"replay, {done:,} moves")


async def watched(page: Page, url: str, match: LongMatch) -> None:
    """Watch a live match."""
    sockets: asyncio.Queue[WebSocketRoute] = asyncio.Queue()
    await page.route_web_socket("**/watch/long*", sockets.put_nowait)
    await page.goto(f"{url}/matches/long")
    socket = await sockets.get()
    table = {"match": "long", "game": GAME, "seat": None, "players": match.timeline()["players"]}
    socket.send(json.dumps({"type": "begin", **table, "options": {}, "commit": "", "header": ""}))
    messages, sent = match.feed(), 0
    while some := [*islice(messages, MESSAGES_AT_ONCE)]:
        for message in some:
            socket.send(json.dumps(message))
        sent = max((message["n"] for message in some if message["type"] == "view"), default=sent)
        await page.locator("[role=log] .at", has_text=str(sent)).first.wait_for(state="attached")
    await report(page, f"live, {sent:,} events")


async def report(page: Page, what: str) -> None:
    nodes = await page.evaluate("document.getElementsByTagName('*').length")
    print(f"| {what} | {await heap_mb(page):.1f} MB | {nodes:,} |", flush=True)


async def measure(events: int, only: str) -> None:
    data = transcript()
    match = LongMatch(data, events)
    with tempfile.TemporaryDirectory() as folder:
        address = f"sqlite:///{folder}/arena.db"
        store = await Store.open(address)
        async with (
            served(Settings(store=address, port=0), store, page_folder=PAGE) as serving,
            async_playwright() as it,
        ):
            program = shutil.which("chromium") or shutil.which("google-chrome")
            browser = await it.chromium.launch(executable_path=program, args=["--no-sandbox"])
            print("| | JavaScript heap | elements |\n|---|---|---|")
            for state, work in (("over", replayed), ("running", watched)):
                if only in ("", work.__name__):
                    page = await browser.new_page(reduced_motion="reduce")
                    page.set_default_timeout(0)
                    await page.route("**/api/matches/long**", Stub(match, data, state).answer)
                    await work(page, f"http://127.0.0.1:{serving.port}", match)
                    await page.close()
            await browser.close()
        await store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--only", choices=("replayed", "watched"), default="")
    given = parser.parse_args()
    asyncio.run(measure(given.events, given.only))


if __name__ == "__main__":
    main()
