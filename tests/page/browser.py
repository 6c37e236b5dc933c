"""People in front of browsers: headless Chromium on pages of a real server."""

import asyncio
import json
import os
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, CDPSession, Locator, Page, WebSocket, async_playwright, expect

import parlour
from tests.players.clients import run
from tests.server.arenas import Hall, House

ROOT = Path(__file__).parents[2]
PAGE = Path(parlour.__file__).parent / "web"
"""The built page."""
AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
WAIT_MS = 60_000
"""How long to wait for something that should happen at once: machines stall."""
expect.set_options(timeout=WAIT_MS)
PLAIN_HOST = "parlour.test"
"""A name of this machine that browsers do not treat as secure, as they do 127.0.0.1."""
ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    f"--host-resolver-rules=MAP {PLAIN_HOST} 127.0.0.1",
]


def chromium() -> str:
    """The program. Without it the tests of the page are skipped, except where everything must be tried."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("there is no Chromium")
    if not (PAGE / "index.html").exists():
        (pytest.fail if os.environ.get("CI") else pytest.skip)("the page is not built: make page")
    return found


class Visitor:
    """One person with one browser, which shares nothing with other browsers. Everything it is told is remembered."""

    def __init__(self, context: BrowserContext, page: Page, url: str) -> None:
        self.context = context
        self.page = page
        self.url = url
        self.complaints: list[str] = []
        """Errors in the console, exceptions, and requests to other servers."""
        self.heard: list[str] = []
        """Everything that the server sent."""
        self.asked_for: list[str] = []
        """The addresses of all requests."""
        self.expected: list[str] = []
        """Parts of complaints that a test expects."""
        self._screen: CDPSession | None = None
        self._listen(page)

    def _listen(self, page: Page) -> None:
        page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("websocket", self._follow)
        page.on("request", lambda asked: self._check(asked.url))
        page.on("response", lambda answer: asyncio.ensure_future(self._remember(answer)))

    def _check(self, url: str) -> None:
        self.asked_for.append(url)
        if not url.startswith((self.url, "data:", "blob:")):
            self.complaints.append(f"a request to another server: {url}")

    def _follow(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: self.heard.append(data if isinstance(data, str) else ""))

    async def _remember(self, answer: Any) -> None:
        if "/api/" in answer.url:
            try:
                self.heard.append(await answer.text())
            except Exception:  # the page has moved on
                return

    def told(self, kind: str) -> list[dict[str, Any]]:
        """All messages of a kind that came over WebSockets or as answers."""
        messages = [json.loads(text) for text in self.heard if text.startswith("{")]
        return [message for message in messages if message.get("type") == kind]

    async def goto(self, path: str) -> None:
        await self.page.goto(self.url + path)

    def button(self, name: str, *, exact: bool = False) -> Locator:
        return self.page.get_by_role("button", name=name, exact=exact)

    def link(self, name: str) -> Locator:
        return self.page.get_by_role("link", name=name)

    def text(self, words: str) -> Locator:
        return self.page.get_by_text(words)

    async def see(self, words: str) -> None:
        """Wait until the text is shown."""
        await self.page.get_by_text(words).first.wait_for()

    async def touch(self, kind: str, *points: tuple[float, float]) -> None:
        """One of the events touchStart, touchMove and touchEnd, with the place of each finger."""
        if self._screen is None:
            self._screen = await self.context.new_cdp_session(self.page)
        places = [{"x": x, "y": y, "id": n} for n, (x, y) in enumerate(points)]
        await self._screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    async def kept(self) -> str:
        """Everything that the browser stores for the page."""
        kept: str = await self.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")
        return kept + json.dumps(await self.context.cookies())

    async def holds(self, words: str) -> bool:
        """Whether the text is anywhere in the page, in what its browser stores, or in what it was ever sent."""
        everything = [*self.heard, await self.page.content(), await self.kept(), self.page.url]
        return any(words in text for text in everything)

    async def audit(self) -> None:
        """Check the page with axe; and that it does not scroll sideways."""
        await self.page.evaluate(AXE.read_text())
        found = await self.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        told = [f"{each['id']}: {node['html'][:160]}" for each in found["violations"] for node in each["nodes"]]
        assert not told, "\n".join(told)
        wide = await self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"the page is {wide} pixels wider than the window"

    def check(self) -> None:
        """No error was reported that the test did not expect."""
        left = [each for each in self.complaints if not any(part in each for part in self.expected)]
        assert not left, left


async def first_of(*these: Locator) -> int:
    """Wait until at least one of them can be seen; the place of the first that can."""
    either = these[0]
    for other in these[1:]:
        either = either.or_(other)
    async with asyncio.timeout(WAIT_MS / 1000):
        while True:
            await either.first.wait_for()
            for place, each in enumerate(these):
                if await each.first.is_visible():
                    return place


class Evening:
    """A server, and the browsers of its visitors."""

    def __init__(self, house: Callable[[int], House], browser: Browser) -> None:
        """`house` is given the port that its server is to have, 0 for any."""
        self._house = house
        self._browser = browser
        self._opened = AsyncExitStack()
        self.visitors: list[Visitor] = []

    async def open(self, port: int = 0) -> None:
        self.hall: Hall = await self._opened.enter_async_context(self._house(port).open())

    async def close(self) -> None:
        await self._opened.aclose()

    async def reopen(self) -> None:
        """Stop the server, and start another one on the same port, with the same store."""
        await self.close()
        await self.open(self.hall.serving.port)

    async def visitor(self, *, phone: bool = False, plain: bool = False, **more: Any) -> Visitor:
        """A new browser. `plain`: over an address that browsers do not treat as secure."""
        size: Any = PHONE if phone else WIDE
        options = {"viewport": size, "reduced_motion": "reduce", "has_touch": phone, **more}
        context = await self._browser.new_context(**options)
        context.set_default_timeout(WAIT_MS)
        port = self.hall.serving.port
        visitor = Visitor(context, await context.new_page(), f"http://{PLAIN_HOST if plain else '127.0.0.1'}:{port}")
        self.visitors.append(visitor)
        return visitor

    async def tab(self, visitor: Visitor) -> Visitor:
        """Another tab in the browser of a visitor."""
        tab = Visitor(visitor.context, await visitor.context.new_page(), visitor.url)
        self.visitors.append(tab)
        return tab

    async def describe(self) -> None:
        """Print what every visitor sees, for somebody who looks for the reason of a failure."""
        for visitor in self.visitors:
            drawn = await visitor.page.locator("body").aria_snapshot()
            print(visitor.page.url, drawn, *visitor.complaints, *(text[:200] for text in visitor.heard[-10:]), sep="\n")

    async def finished(self, match: str) -> dict[str, Any]:
        """The match, once it is over."""
        async with asyncio.timeout(WAIT_MS / 1000):
            while True:
                told: dict[str, Any] = (await self.hall.get(f"/matches/{match}")).json()
                if told["state"] == "over":
                    return told
                await asyncio.sleep(0.05)


@asynccontextmanager
async def evening(folder: Path, **settings: Any) -> AsyncIterator[Evening]:
    """A server with the built page, and a Chromium. At the end no browser may have complained."""
    program = chromium()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=ARGS)
        tonight = Evening(lambda port: House(folder, PAGE, **{**settings, "port": port}), browser)
        try:
            await tonight.open()
            yield tonight
            for visitor in tonight.visitors:
                visitor.check()
        except BaseException:
            await tonight.describe()
            raise
        finally:
            await browser.close()
            await tonight.close()


def spend(folder: Path, work: Callable[[Evening], Awaitable[None]], **settings: Any) -> None:
    """Run an evening of a test."""

    async def all_of_it() -> None:
        async with evening(folder, **settings) as tonight:
            await work(tonight)

    run(all_of_it())


def only(texts: list[str]) -> str:
    """All texts as one, with what JSON escapes made readable."""
    return "\n".join(texts + [json.dumps(text)[1:-1] for text in texts])
