"""How smoothly a page draws ColorfightII at rounds of 0.2 s: `python bench/page_frames.py [SECONDS]`.

A server plays two matches of bots, on maps of 30 by 30 and of 200 by 200. A headless Chromium watches each of them,
first the whole map, then a part of it while the mouse drags it around. Frames are counted in the page with
requestAnimationFrame. A draw is the time that the table's own code takes in a frame. Everything runs on this machine,
the bots included.
"""

import asyncio
import math
import re
import shutil
import sys
import tempfile
from typing import Any

import httpx
from playwright.async_api import Page, async_playwright
from rich.console import Console
from rich.table import Table

from parlour.server.settings import Settings
from parlour.server.startup import started

ROUND_S = 0.2
SIZES = (30, 200)
WARM_ROUNDS = 20
COUNT_FRAMES = """
(() => {
  const next = window.requestAnimationFrame.bind(window);
  let draws = [];
  window.requestAnimationFrame = (draw) => next((now) => {
    const begun = performance.now();
    draw(now);
    draws.push(performance.now() - begun);
  });
  window.countFrames = (seconds) => new Promise((done) => {
    const begun = performance.now();
    let frames = 0, longest = 0, last = begun;
    draws = [];
    const tick = () => {
      const now = performance.now();
      frames += 1;
      longest = Math.max(longest, now - last);
      last = now;
      if (now - begun < seconds * 1000) next(tick);
      else done({ perSecond: frames / ((now - begun) / 1000), longest, draws });
    };
    next(tick);
  });
})();
"""


async def match_of(http: httpx.AsyncClient, size: int) -> str:
    """A match of four bots, whose rounds are closed by the clock."""
    seats = [{"kind": "bot", "spec": bot} for bot in ("general", "greedy", "greedy", "random")]
    options = {"width": size, "height": size, "max_turn": 10_000, "ruleset": "classic"}
    terms = {"limit_s": ROUND_S, "pace_s": 0.95 * ROUND_S, "options": options}
    answer = await http.post("/tables", json={"game": "colorfight", "seats": seats, "terms": terms})
    answer.raise_for_status()
    return str(answer.json()["table"]["id"])


async def turn_of(page: Page) -> int:
    name = await page.get_by_role("img", name=re.compile("^Round ")).get_attribute("aria-label") or ""
    return int(name.split()[1])


async def drag(page: Page, until: asyncio.Event) -> None:
    """Drag the map in circles."""
    box = await page.locator("canvas").first.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    await page.mouse.move(x, y)
    await page.mouse.down()
    angle = 0.0
    while not until.is_set():
        angle += 0.12
        await page.mouse.move(x + 120 * math.cos(angle), y + 120 * math.sin(angle))
    await page.mouse.up()


async def measured(page: Page, seconds: float, *, drags: bool) -> dict[str, Any]:
    enough = asyncio.Event()
    hand = asyncio.ensure_future(drag(page, enough)) if drags else None
    before = await turn_of(page)
    told: dict[str, Any] = await page.evaluate(f"countFrames({seconds})")
    told["rounds"] = (await turn_of(page) - before) / seconds
    enough.set()
    if hand is not None:
        await hand
    return told


async def look(page: Page, url: str, match: str, size: int, seconds: float, table: Table) -> None:
    await page.goto(f"{url}/matches/{match}")
    await page.get_by_role("application").wait_for()
    while await turn_of(page) < WARM_ROUNDS:
        await asyncio.sleep(0.2)
    for what, drags in (("whole map", False), ("zoomed in, dragged", True)):
        if drags:
            for _ in range(3):
                await page.get_by_role("button", name="Zoom in").click()
        told = await measured(page, seconds, drags=drags)
        draws = sorted(told["draws"]) or [0.0]
        row = [f"{size} x {size}, {what}", told["perSecond"], told["longest"], draws[len(draws) // 2], draws[-1]]
        table.add_row(row[0], *[f"{value:.1f}" for value in row[1:]], str(len(draws)), f"{told['rounds']:.1f}")


async def main(seconds: float) -> None:
    chromium = shutil.which("chromium")
    assert chromium is not None, "there is no Chromium: on Debian, apt-get install chromium"
    table = Table("what", "frames/s", "longest, ms", "draw, median ms", "draw, most ms", "draws", "rounds/s")
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(port=0, store=f"sqlite:///{folder}/arena.db", log="off", tables_per_guest=10)
        async with started(settings) as (serving, _), async_playwright() as playwright:
            url = f"http://127.0.0.1:{serving.port}"
            browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            async with httpx.AsyncClient(base_url=f"{url}/api", timeout=60) as http:
                token = (await http.post("/guests")).json()["token"]
                http.headers["Authorization"] = f"Bearer {token}"
                for size in SIZES:
                    page = await browser.new_page(viewport={"width": 1280, "height": 900})
                    await page.add_init_script(COUNT_FRAMES)
                    match = await match_of(http, size)
                    await look(page, url, match, size, seconds, table)
                    await page.close()
                    await http.delete(f"/tables/{match}")
            await browser.close()
    Console(width=120).print(table)


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1]) if len(sys.argv) > 1 else 10))
