"""Take pictures of every page and table, at two widths and in both themes: `make screenshots`.

`python tools/screenshots.py NAME ...` takes those of some scenes only.

A server is started with a store of its own, some matches are played, and Chromium looks at all of it. The pictures go
to screenshots/. Those that the README and the documentation show are written to docs/images as well.
"""

import asyncio
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from playwright.async_api import Browser, Page, async_playwright
from rich.progress import track

from parlour.client import Client
from parlour.games import game as game_of
from parlour.protocol.records import now_ms
from parlour.server.accounts import Doorkeeper
from parlour.server.settings import Settings
from parlour.server.startup import started
from parlour.store.store import Store
from parlour.venues.colorfight.settings import RoomSettings

ROOT = Path(__file__).parents[1]
OUT = ROOT / "screenshots"
SHOWN = ROOT / "docs/images"
SIZES: dict[int, Any] = {1280: {"width": 1280, "height": 900}, 390: {"width": 390, "height": 844}}
RICH = {"least_kinds": 6, "most_kinds": 8, "decoys": 2}
"""Options of tradeCraft with which hands are large enough to craft something."""
THEMES: tuple[Any, ...] = ("dark", "light")
DOCUMENTED = {
    "home-dark-1280": "page-home.png",
    "host-dark-1280": "page-host.png",
    "forsale-dark-1280": "page-forsale.png",
    "dominion-dark-1280": "page-dominion.png",
    "maze-light-1280": "page-maze.png",
    "replay-dark-1280": "page-replay.png",
    "tradecraft-dark-1280": "page-tradecraft.png",
    "maze-dark-390": "page-phone.png",
    "colorfight-dark-1280": "page-colorfight.png",
    "bot-match-dark-1280": "page-bot.png",
    "league-dark-1280": "page-league.png",
    "ladder-light-1280": "page-ladder.png",
}
"""Pictures that the documentation shows, and their names there."""
HOST, PASSWORD = "Grace", "long enough"
"""The administrator."""

AUTHORS_BOT = """
import json, sys

most, asked = int(sys.argv[1]), 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        reply = {"type": "hello", "again": True}
    elif message["type"] in ("ask", "again"):
        choices, view, asked = message["ask"]["choices"], message["view"], asked + 1
        best = view["market"][-1]
        print(f"ask {message['id']}: part {view['part']}, the best card is {best}", file=sys.stderr, flush=True)
        if message["type"] == "ask" and asked == most:
            print("Traceback (most recent call last):\\n  the bot waits for its author", file=sys.stderr, flush=True)
            continue
        bids = [each for each in choices if each.get("amount", 99) <= best // 4]
        action = bids[0] if bids else choices[0]
        if message["type"] == "ask" and asked == 3:
            action = {"type": "Bid", "amount": 40}
        note = f"{best} is worth {best // 4}; {len(bids)} bids would do"
        kind = "again" if message["type"] == "again" else "answer"
        reply = {"type": kind, "id": message["id"], "action": action, "note": note}
    else:
        continue
    print(json.dumps(reply), flush=True)
"""
"""A bot that makes a fault, writes notes, and stops at the last of its asks."""

Scene = Callable[["Studio", Page], Awaitable[None]]


class Studio:
    """A server with matches to look at, and the account of the person who looks."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self._http = httpx.AsyncClient(base_url=f"{self.url}/api", timeout=60)
        self.identity = "{}"
        """What the page stores about its user, as JSON."""
        self.finished: dict[str, str] = {}
        """By game, a match that is over."""
        self.host_identity = "{}"
        """The same about an administrator."""
        self.bots: dict[str, str] = {}
        """A match that a bot of the account plays, and one that it has played."""
        self.live: str = ""
        """A match of bots that is still played."""
        self.leagues: dict[str, str] = {}
        """Leagues in different states."""
        self.classes = 0
        """How many classes have been imported."""
        self._rooms: list[str] = []

    async def enter(self) -> None:
        """Make the account."""
        made = (await self._http.post("/accounts", json={"name": "Ada", "password": "long enough"})).json()
        known = {"name": "Ada", "token": made["token"], "isGuest": False, "scopes": made["scopes"]}
        self.identity = json.dumps(known)
        self._http.headers["Authorization"] = f"Bearer {made['token']}"

    async def prepare(self) -> None:
        """Make the account, and play matches to look at."""
        await self.enter()
        for game, bots in (("forsale", "thinker minimum random thinker"), ("maze", "euclid riemann nash")):
            self.finished[game] = await self.table(game, *bots.split())
        rounds = {"max_turn": 120, "width": 24, "height": 24, "ruleset": "classic"}
        self.finished["colorfight"] = await self.table(
            "colorfight", *["general", "greedy", "greedy", "random"], options=rounds
        )
        for game in ("dominion", "tradecraft"):
            self.finished[game] = await self.table(game, "random", "random")
        for match in self.finished.values():
            await self.over(match)
        self.live = await self.table("forsale", "thinker", "minimum", "random", pace_s=5)

    async def prepare_host(self, store: Store) -> None:
        """An administrator, a class, and some refusals."""
        await Doorkeeper(store).register(HOST, PASSWORD, admin=True)
        login = {"name": HOST, "password": PASSWORD, "scopes": ["play", "host", "account"]}
        made = (await self._http.post("/login", json=login)).json()
        known = {"name": HOST, "token": made["token"], "isGuest": False, "scopes": made["scopes"], "isAdmin": True}
        self.host_identity = json.dumps(known)
        for name in ("Bob", "Carol", "Daniel", "Eve"):
            await Doorkeeper(store).register(name, PASSWORD)
        eve = await store.account("Eve")
        assert eve is not None
        await store.people.set_state(eve.id, "banned")
        for name, times in (("Eve", 1), ("Carol", 3), ("nobody", 1)):
            for _ in range(times):
                password = PASSWORD if name == "Eve" else "a wrong password"
                await self._http.post("/login", json={"name": name, "password": password})
        await self._http.get("/admin/overview")
        await self.table("maze", "open", "open", "euclid")
        await self.report()

    async def enter_host(self, page: Page, tab: str) -> None:
        """Open a tab of the page for hosts."""
        await self.goto(page, f"/host?tab={tab}")
        await page.get_by_label("Password").fill(PASSWORD)
        await page.get_by_role("button", name="Open").click()
        await page.get_by_role("button", name="Lock").wait_for()
        await page.wait_for_timeout(1500)

    async def prepare_leagues(self) -> None:
        """A league that can be entered, one that bots and the account have played, and a cup of bots."""
        login = {"name": HOST, "password": PASSWORD, "scopes": ["admin"]}
        host = {"Authorization": f"Bearer {(await self._http.post('/login', json=login)).json()['token']}"}
        four, eight = ("thinker", "minimum", "random"), ("euclid", "riemann", "nash", "random") * 2
        self.leagues["over"] = await self._league(host, "Friday league", *four, game="forsale", seats=3, deals=5)
        self.leagues["cup"] = await self._league(host, "Maze cup", *eight, game="maze", seats=2, format="knock-out")
        self.leagues["open"] = await self._league(
            host, "Course of winter 2026", "thinker", game="forsale", seats=4, team_size=3, anonymous=True
        )
        (await self._http.post(f"/leagues/{self.leagues['over']}/entry")).raise_for_status()
        for name in ("over", "cup"):
            deadline = {"deadline_ms": now_ms() + 100}
            (await self._http.patch(f"/leagues/{self.leagues[name]}", json=deadline, headers=host)).raise_for_status()
        await self._play(self.leagues["over"])
        while (await self._http.get(f"/leagues/{self.leagues['cup']}")).json()["state"] != "over":
            await asyncio.sleep(0.1)

    async def _league(self, host: dict[str, str], name: str, *bots: str, **terms: Any) -> str:
        """A new league with these bots; its id."""
        house = [{"kind": "bot", "spec": bot} for bot in bots]
        form = {"name": name, "deadline_ms": now_ms() + 30 * 3_600_000, "house": house, **terms}
        answer = await self._http.post("/leagues", json=form, headers=host)
        answer.raise_for_status()
        return str(answer.json()["id"])

    async def _play(self, league: str) -> None:
        """Play all matches of the account in a league."""
        client, played = Client(self.url, json.loads(self.identity)["token"]), ""
        while (found := (await self._http.get(f"/leagues/{league}/table")).json())["state"] != "over":
            if found["table"] in (None, played):
                await asyncio.sleep(0.1)
                continue
            played = found["table"]
            await client.play_async("forsale", game_of("forsale").hosting.bots["thinker"], table=played)

    async def send_bots(self, stack: AsyncExitStack, folder: Path) -> None:
        """Let the account's bot play one match to the end, and stop in the middle of another."""
        (folder / "bot.py").write_text(AUTHORS_BOT, encoding="utf-8")
        for name, asks in (("over", 1000), ("live", 9)):
            match = self.bots[name] = await self.table("forsale", "open", "thinker", "minimum")
            await stack.enter_async_context(self._bot(folder, asks, "--table", match))
        await self.over(self.bots["over"])
        await stack.enter_async_context(self._bot(folder, 1000))  # it waits, and can be asked again

    @asynccontextmanager
    async def _bot(self, folder: Path, asks: int, *more: str) -> AsyncIterator[None]:
        command = f"exec:{sys.executable} {folder / 'bot.py'} {asks}"
        told = {**os.environ, "PARLOUR_TOKEN": json.loads(self.identity)["token"]}
        quiet = asyncio.subprocess.DEVNULL
        join = [sys.executable, "-m", "parlour", "join", self.url, "forsale", command, *more]
        process = await asyncio.create_subprocess_exec(*join, env=told, stdout=quiet, stderr=quiet)
        try:
            yield
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()

    async def table(self, game: str, *seats: str, **terms: Any) -> str:
        """A table with these bots; `open` and `invited` are seats for others."""
        plans = [{"kind": seat} if seat in ("open", "invited") else {"kind": "bot", "spec": seat} for seat in seats]
        form = {"game": game, "seats": plans, "terms": {"limit_s": 3600, **terms}}
        answer = await self._http.post("/tables", json=form)
        answer.raise_for_status()
        return str(answer.json()["table"]["id"])

    async def room(self) -> str:
        """A new room of ColorfightII, which waits to be started."""
        name = f"studio-{len(self._rooms) + 1}"
        settings = {
            "round_time": 20,
            "first_round_time": "never",
            "room_description": "Friday evening. Bring your bots.",
        }
        (await self._http.post("/rooms", json={"name": name, "settings": settings})).raise_for_status()
        self._rooms.append(name)
        return name

    async def written(self, table: str, *texts: str) -> None:
        """A guest sits down and writes to the table."""
        guest = (await self._http.post("/guests", json={"name": "Grace"})).json()
        headers = {"Authorization": f"Bearer {guest['token']}"}
        (await self._http.post(f"/tables/{table}/join", json={}, headers=headers)).raise_for_status()
        for text in texts:
            said = await self._http.post(f"/matches/{table}/chat", json={"text": text}, headers=headers)
            said.raise_for_status()

    async def report(self) -> None:
        """Report a message of a guest to the administrators."""
        table = await self.table("forsale", "open", "open", "open", chat=True)
        (await self._http.post(f"/tables/{table}/join", json={})).raise_for_status()
        await self.written(table, "You are all going to lose, as always.", "Is anybody there?")
        reason = {"why": "It is always the same with him."}
        (await self._http.post(f"/matches/{table}/chat/1/report", json=reason)).raise_for_status()

    async def over(self, match: str) -> None:
        """Wait until a match has ended."""
        while (await self._http.get(f"/matches/{match}")).json()["state"] != "over":
            await asyncio.sleep(0.1)

    async def goto(self, page: Page, path: str) -> None:
        await page.goto(self.url + path)
        await page.get_by_role("heading", level=1).first.wait_for()

    async def sit(self, page: Page, game: str, *bots: str, **terms: Any) -> None:
        """Sit down with bots, and wait for the first question."""
        await self.goto(page, f"/matches/{await self.table(game, 'open', *bots, **terms)}")
        await page.get_by_role("button", name="Sit down").click()
        await page.get_by_role("log").wait_for()


def at(path: str) -> Scene:
    """A page that needs no more than its address."""

    async def scene(studio: Studio, page: Page) -> None:
        await studio.goto(page, path)
        await page.wait_for_timeout(2500)  # thumbnails and examples come after the first paint

    return scene


async def buying(studio: Studio, page: Page) -> None:
    await studio.sit(page, "forsale", "minimum", "thinker", "random", options={"balances": "open"})
    for estates in range(1, 4):
        while await page.get_by_role("list", name="Your estates").get_by_role("listitem").count() < estates:
            await page.keyboard.press("p")
            await page.wait_for_timeout(200)
    await page.get_by_role("button", name=re.compile("^Pass")).wait_for()
    low = page.get_by_role("radio", name=re.compile("not enough"))
    if await low.count() > 0:  # a bid that is refused; phones have a field instead
        await low.first.click(force=True)
        await page.get_by_role("button", name=re.compile("^Raise")).click()
        await page.get_by_text("Refused").wait_for()
    await page.wait_for_timeout(800)


async def selling(studio: Studio, page: Page) -> None:
    await studio.sit(page, "forsale", "minimum", "random", options={"balances": "open"})
    pass_, sell = (
        page.get_by_role("button", name=re.compile("^Pass")),
        page.get_by_role("button", name=re.compile("^Sell")),
    )
    while True:
        await pass_.or_(sell).first.wait_for()
        if await sell.is_visible():
            break
        await page.keyboard.press("p")
        await page.wait_for_timeout(200)
    await page.wait_for_timeout(800)


async def sliding(studio: Studio, page: Page) -> None:
    await studio.sit(page, "maze", "euclid", "riemann", "nash")
    await page.get_by_role("button", name=re.compile("^Slide row 2 (right|left)$")).first.click()
    await page.wait_for_timeout(600)
    named = re.compile("reachable")
    cells = page.get_by_role("gridcell", name=named).or_(page.get_by_role("button", name=named))
    if await cells.count() > 0:
        await cells.last.click()
    await page.wait_for_timeout(800)


SHOPPING = ("Gold", "Mine", "Market", "Remodel", "Militia", "Smithy", "Silver", "Village", "Moat")
"""What is bought for pictures of Dominion, the best first."""


async def shop(page: Page, until: re.Pattern[str], turns: int) -> None:
    """Play turns of Dominion until the hand has such a card, or the question has such words."""
    title = page.get_by_role("region", name="Your seat").get_by_role("heading", level=2).first
    asked = title.filter(has_text=re.compile("^(Your turn|Militia:)"))
    for turn in range(turns):
        await asked.wait_for()
        question = await title.inner_text()
        hand = page.get_by_role("group", name="Your hand").get_by_role("button", name=until, disabled=False)
        if until.match(question) or (turn > 8 and question == "Your turn" and await hand.count() > 0):
            break
        piles = [page.get_by_role("button", name=re.compile(f"^{each}, costs"), disabled=False) for each in SHOPPING]
        if question == "Your turn" and (lit := [pile for pile in piles if await pile.count() > 0]):
            await lit[turn % min(2, len(lit))].click()
        for key in "e" if question == "Your turn" else "54e":
            await page.keyboard.press(key)
        await asked.wait_for(state="hidden")


async def shopping(studio: Studio, page: Page) -> None:
    """Cards in the tray, after an action was played."""
    await studio.sit(page, "dominion", "bigsmithy", "militia")
    await shop(page, wanted := re.compile("^(Village|Market|Smithy|Militia)$"), 40)
    await page.get_by_role("group", name="Your hand").get_by_role("button", name=wanted).first.click()
    await page.get_by_role("list", name="In play").wait_for()
    await page.get_by_text("Your turn").wait_for()
    cheap = page.get_by_role("button", name=re.compile("^(Estate|Moat|Copper), costs"), disabled=False)
    await cheap.first.click()
    await page.wait_for_timeout(800)


async def remodelling(studio: Studio, page: Page) -> None:
    """A card that asks what to trash and what to gain."""
    await studio.sit(page, "dominion", "bigmoney")
    await shop(page, wanted := re.compile("^(Remodel|Mine)$"), 40)
    hand = page.get_by_role("group", name="Your hand").get_by_role("button")
    await page.get_by_role("group", name="Your hand").get_by_role("button", name=wanted).first.click()
    await hand.and_(page.get_by_role("button", name=re.compile("^(Silver|Copper|Gold)$"), disabled=False)).first.click()
    await page.get_by_role("group", name="Supply").get_by_role("button", disabled=False).last.click()
    await page.wait_for_timeout(800)


async def attacked(studio: Studio, page: Page) -> None:
    await studio.sit(page, "dominion", "militia", "bigmilitia")
    await shop(page, re.compile("^Militia:"), 40)
    await page.keyboard.press("5")
    await page.wait_for_timeout(800)


PLAY_ROUNDS = """async (rounds) => {
  const map = document.querySelector('[role=application]');
  const press = (key, on = map) =>
    on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  const round = () => Number(document.querySelector('.dock h2')?.textContent.split(' ').at(-1) ?? 0);
  const later = (ms) => new Promise((done) => setTimeout(done, ms));
  let seed = 7;
  const pick = (all) => all[(seed = (seed * 16807) % 2147483647) % all.length];
  const wander = (steps) => {
    press('h');
    for (let i = 0; i < steps; i++) {
      press(pick(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']));
      for (const key of ['a', pick('egx')]) press(key);
    }
  };
  for (let n = 1; n <= rounds; n++) {
    while (round() < n) await later(15);
    wander(n > rounds - 4 ? 0 : 30);
    await later(10);
    press('Enter', document.body);
  }
  while (round() <= rounds) await later(15);
  wander(40);
  press('h');
}"""
"""Walk over the map with the cursor, and attack and build wherever it is possible. Save up for the last round."""


async def conquering(studio: Studio, page: Page) -> None:
    options = {"width": 20, "height": 20, "max_turn": 60, "ruleset": "classic"}
    await studio.sit(page, "colorfight", "greedy", "greedy", "greedy", pace_s=0, options=options)
    await page.get_by_role("application").wait_for()
    await page.evaluate(PLAY_ROUNDS, 45)
    await page.wait_for_timeout(500)


async def trading(studio: Studio, page: Page) -> None:
    """A proposal with a line that is refused."""
    await studio.sit(page, "tradecraft", "planner", "negotiator", options=RICH)
    await page.get_by_role("button", name=re.compile("^Send")).wait_for()
    await page.get_by_role("region", name="Your hand").get_by_role("button").first.click()
    await page.get_by_role("region", name="Hand of planner").get_by_role("button").first.click()
    await page.get_by_role("group", name="You give").get_by_role("textbox").fill("1/2")
    await page.get_by_role("textbox", name="Message, read by").fill("One for one. You wanted wood, I think.")
    await page.wait_for_timeout(800)


async def crafting(studio: Studio, page: Page) -> None:
    """The bench with a recipe on it."""
    await trading(studio, page)
    await page.get_by_role("group", name="You give").get_by_role("textbox").fill("1")
    await page.get_by_role("button", name=re.compile("^Send")).click()
    await page.get_by_role("button", name="Done crafting", exact=True).wait_for()
    hits = page.get_by_role("region", name="Bench").get_by_role("listitem").get_by_role("button")
    smelted = hits.filter(has_text="furnace")
    await (smelted if await smelted.count() else hits).first.click()
    await page.evaluate("scrollTo(0, 0)")
    await page.wait_for_timeout(800)


async def deciding(studio: Studio, page: Page) -> None:
    """A proposal of somebody else."""
    await studio.sit(page, "tradecraft", "random", options=RICH)
    await page.get_by_role("button", name="Pass", exact=True).click()
    await page.get_by_role("button", name="Done crafting", exact=True).click()
    await page.get_by_role("button", name="Accept", exact=True).wait_for()
    await page.wait_for_timeout(800)


async def watching(studio: Studio, page: Page) -> None:
    await studio.goto(page, f"/matches/{studio.live}")
    await page.wait_for_timeout(2500)


def replayed(game: str, query: str = "") -> Scene:
    async def scene(studio: Studio, page: Page) -> None:
        await studio.goto(page, f"/matches/{studio.finished[game]}{query}")
        await page.wait_for_timeout(4000)

    return scene


async def chatting(studio: Studio, page: Page) -> None:
    table = await studio.table("forsale", "open", "open", "minimum", chat=True)
    await studio.goto(page, f"/matches/{table}")
    await page.get_by_role("button", name="Sit down").click()
    await page.get_by_role("region", name="Chat").wait_for()
    await studio.written(table, "Good evening!", "I have never sold the castle for less than 12, and I never will.")
    await page.get_by_role("region", name="Your seat").wait_for()
    if await page.get_by_role("button", name="Show: Chat").is_visible():  # a phone
        await page.get_by_role("button", name="Show: Chat").click()
    field = page.get_by_role("textbox", name="Message to the table")
    await field.fill("We will see about that.")
    await field.press("Enter")
    await page.get_by_role("button", name="More about this message").last.click()
    await page.wait_for_timeout(800)


async def waiting(studio: Studio, page: Page) -> None:
    await studio.goto(page, "/open?game=forsale")
    await page.get_by_role("button", name="Open the table").click()
    await page.get_by_role("img", name="QR code").wait_for()
    await page.wait_for_timeout(500)


def hosting(tab: str) -> Scene:
    """A tab of the page for hosts."""

    async def scene(studio: Studio, page: Page) -> None:
        await watching(studio, await page.context.new_page())
        await studio.enter_host(page, tab)

    return scene


async def managing(studio: Studio, page: Page) -> None:
    await studio.enter_host(page, "accounts")
    await page.get_by_role("listitem").filter(has_text="Ada").get_by_role("button", name="Manage").click()
    await page.wait_for_timeout(500)


async def stopping(studio: Studio, page: Page) -> None:
    await studio.enter_host(page, "matches")
    await page.get_by_role("button", name=re.compile("^Stop: ")).first.click()
    await page.wait_for_timeout(500)


async def refusing_names(studio: Studio, page: Page) -> None:
    await studio.enter_host(page, "accounts")
    await page.get_by_role("button", name="Import a class").click()
    await page.get_by_label("Names").fill("Lin\nMax\nrandom\nLena\nLIN\n")
    await page.get_by_role("button", name="Check 5 names").click()
    await page.get_by_role("alert").wait_for()


async def importing(studio: Studio, page: Page) -> None:
    await studio.enter_host(page, "accounts")
    await page.get_by_role("button", name="Import a class").click()
    studio.classes += 1
    names = ["Lin", "Max", "Lena", "Omar", "Priya"]
    await page.get_by_label("Names").fill("\n".join(f"{name} {studio.classes}" for name in names))
    await page.get_by_role("button", name="Check 5 names").click()
    await page.get_by_role("button", name="Create 5 accounts").click()
    await page.get_by_role("button", name="Download as CSV").wait_for()


def in_league(name: str) -> Scene:
    """The page of a league."""

    async def scene(studio: Studio, page: Page) -> None:
        await studio.goto(page, f"/tournaments/{studio.leagues[name]}")
        await page.get_by_role("region", name="Terms").wait_for()
        await page.wait_for_timeout(800)

    return scene


async def opening_a_league(studio: Studio, page: Page) -> None:
    await studio.goto(page, "/tournaments/new")
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Open", exact=True).click()
    await page.get_by_label("Format").select_option("swiss")
    await page.get_by_text("Players of the house").click()
    await page.get_by_role("button", name="Add", exact=True).click()


async def administering(studio: Studio, page: Page) -> None:
    """The page of a league for administrators."""
    await studio.goto(page, f"/tournaments/{studio.leagues['open']}")
    await page.get_by_role("button", name="Administer this league").click()
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Open", exact=True).click()
    await page.get_by_role("button", name="Lock").wait_for()
    await page.wait_for_timeout(800)


async def in_a_room(studio: Studio, page: Page) -> None:
    room = await studio.room()
    await studio.goto(page, f"/rooms/{room}")
    await page.get_by_role("button", name="Join the game").click()
    await page.get_by_role("button", name="Start the first round").click()
    await page.wait_for_timeout(4000)


async def connecting(studio: Studio, page: Page) -> None:
    await studio.goto(page, "/bots?game=dominion")
    await page.get_by_label("Language").select_option("go")
    await page.get_by_role("button", name="Make a token for a bot").click()
    await page.get_by_text("Your new token").wait_for()
    await page.wait_for_timeout(500)


async def followed(studio: Studio, page: Page) -> None:
    await studio.goto(page, f"/bots/{studio.bots['live']}")
    await page.get_by_role("region", name="Faults").get_by_role("button", name="Position").first.click()
    await page.wait_for_timeout(800)


async def asked_again(studio: Studio, page: Page) -> None:
    await studio.goto(page, f"/matches/{studio.bots['over']}?at=6&seat=0")
    answer, refusal = page.get_by_text("It answers"), page.get_by_role("alert")
    while not await answer.is_visible():
        await page.get_by_role("button", name="One move on").click()
        await page.get_by_role("button", name="Ask my bot again here", disabled=False).click()
        await page.get_by_role("button", name="Asking").wait_for(state="hidden")
        await answer.or_(refusal).first.wait_for()
    await page.wait_for_timeout(800)


SCENES: dict[str, Scene] = {
    "home": at("/"),
    "game-forsale": at("/games/forsale"),
    "game-dominion": at("/games/dominion"),
    "game-tradecraft": at("/games/tradecraft"),
    "open": at("/open"),
    "lobby": waiting,
    "matches": at("/matches"),
    "leagues": at("/tournaments"),
    "league": in_league("over"),
    "league-cup": in_league("cup"),
    "league-open": in_league("open"),
    "host-league": administering,
    "host-league-new": opening_a_league,
    "ladder": at("/ladder"),
    "ladder-player": at("/ladder?player=Ada"),
    "rooms": at("/rooms"),
    "room": in_a_room,
    "account": at("/account"),
    "host": hosting("overview"),
    "host-door": at("/host"),
    "host-matches": stopping,
    "host-accounts": managing,
    "host-names": refusing_names,
    "host-import": importing,
    "host-refusals": hosting("refusals"),
    "host-reports": hosting("reports"),
    "bots": connecting,
    "bot-match": followed,
    "bot-match-over": lambda studio, page: at(f"/bots/{studio.bots['over']}")(studio, page),
    "bot-replay": asked_again,
    "replay-file": at("/replay"),
    "not-found": at("/games/none"),
    "forsale": buying,
    "forsale-selling": selling,
    "chat": chatting,
    "maze": sliding,
    "projector": at("/projector?seconds=600"),
    "colorfight": conquering,
    "game-colorfight": at("/games/colorfight"),
    "watch": watching,
    "dominion": shopping,
    "dominion-attack": attacked,
    "dominion-choice": remodelling,
    "tradecraft": crafting,
    "tradecraft-proposal": trading,
    "tradecraft-decision": deciding,
    "replay": replayed("forsale", "?at=38"),
    "replay-seat": replayed("forsale", "?at=30&seat=1"),
    "replay-maze": replayed("maze", "?at=12"),
    "replay-colorfight": replayed("colorfight", "?at=440"),
    "replay-dominion": replayed("dominion", "?at=20"),
    "replay-dominion-seat": replayed("dominion", "?at=40&seat=0"),
    "replay-tradecraft": replayed("tradecraft", "?at=12&seat=0"),
}


async def picture(studio: Studio, browser: Browser, name: str, theme: Any, width: int) -> None:
    context = await browser.new_context(
        viewport=SIZES[width], color_scheme=theme, reduced_motion="reduce", has_touch=width < 500
    )
    context.set_default_timeout(60_000)
    identity = studio.host_identity if name.startswith("host") else studio.identity
    await context.add_init_script(f"localStorage.setItem('parlour.identity', JSON.stringify({identity}))")
    try:
        page = await context.new_page()
        await SCENES[name](studio, page)
        file = OUT / f"{name}-{theme}-{width}.png"
        await page.screenshot(path=file, full_page=True)
        if (shown := DOCUMENTED.get(file.stem)) is not None:
            await page.screenshot(path=SHOWN / shown)
    finally:
        await context.close()


async def main(names: Sequence[str]) -> None:
    chromium = shutil.which("chromium")
    assert chromium is not None, "there is no Chromium: on Debian, apt-get install chromium"
    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            port=0,
            store=f"sqlite:///{folder}/arena.db",
            log="off",
            tables_per_account=1000,
            house_tables_s=20,
            tries_a_minute=1000,
            chat=True,
            venues={"colorfight": RoomSettings(rooms_per_account=1000)},
        )
        async with started(settings) as (serving, _), async_playwright() as playwright, AsyncExitStack() as bots:
            studio = Studio(serving.port)
            await studio.prepare()
            store = serving.arena.store
            assert isinstance(store, Store), "an arena of the server has the whole store"
            await studio.prepare_host(store)
            await studio.prepare_leagues()
            await studio.send_bots(bots, Path(folder))
            browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            wanted = [(name, theme, width) for name in names or SCENES for theme in THEMES for width in SIZES]
            for name, theme, width in track(wanted, "Taking pictures"):
                await picture(studio, browser, name, theme, width)
            await browser.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
