"""Record a short animated picture of each game for the documentation: `make animations`.

`python tools/animations.py NAME ...` records those of some games only.

A server is started with a store of its own, bots play a match, and Chromium steps through its replay. The pictures are
animated WebP files in docs/images.
"""

import asyncio
import io
import shutil
import sys
import tempfile
from collections.abc import Sequence

from msgspec import Struct
from PIL import Image
from playwright.async_api import Browser, Page, async_playwright
from rich.progress import Progress

from parlour.server.settings import Settings
from parlour.server.startup import started
from screenshots import SHOWN, Studio

WIDTH = 720
"""Pixels of a picture."""
LAST_MS = 2500
"""How long the last frame is shown before the picture starts again."""
DRAWN = "section.board[aria-busy=false]"
"""The table of a replay; it is busy until the chosen moment is drawn."""


class Film(Struct, frozen=True):
    """What is recorded of a game."""

    bots: str
    first: int
    """The frame of the replay that comes first."""
    frames: int
    ms: int
    """How long a frame is shown."""
    step: int = 1
    """Every so many frames of the replay."""
    options: dict[str, object] = {}


FILMS = {
    "forsale": Film("thinker minimum random thinker", 4, 26, 600),
    "dominion": Film("militia bigsmithy", 30, 30, 450),
    "maze": Film("euclid riemann nash", 2, 40, 650),
    "colorfight": Film("general greedy general greedy", 1, 48, 160, step=5, options={"max_turn": 60}),
    "tradecraft": Film("planner planner", 0, 24, 800),
}


async def record(studio: Studio, browser: Browser, game: str, film: Film) -> list[Image.Image]:
    """Step through a match of bots."""
    match = await studio.table(game, *film.bots.split(), options=film.options)
    await studio.over(match)
    context = await browser.new_context(
        viewport={"width": 1280, "height": 900}, color_scheme="dark", reduced_motion="reduce"
    )
    context.set_default_timeout(60_000)
    page = await context.new_page()
    taken = []
    for place in range(film.frames):
        if place == 0:
            await studio.goto(page, f"/matches/{match}?at={film.first}")
        else:
            await _step(page, film.step)
        await page.locator(DRAWN).wait_for()
        await page.wait_for_timeout(150)  # fonts and canvases
        taken.append(Image.open(io.BytesIO(await page.locator(DRAWN).screenshot())).convert("RGB"))
    await context.close()
    return taken


async def _step(page: Page, frames: int) -> None:
    for _ in range(frames):
        await page.keyboard.press("ArrowRight")


def save(game: str, frames: Sequence[Image.Image], ms: int) -> None:
    """Write the frames as one picture; all have the size of the largest."""
    width, height = max(each.width for each in frames), max(each.height for each in frames)
    size = (WIDTH, round(height * WIDTH / width))
    scaled = []
    for each in frames:
        whole = Image.new("RGB", (width, height), each.getpixel((0, 0)))
        whole.paste(each, (0, 0))
        scaled.append(whole.resize(size, Image.Resampling.LANCZOS))
    times = [ms] * (len(scaled) - 1) + [LAST_MS]
    first, *rest = scaled
    first.save(
        SHOWN / f"play-{game}.webp", save_all=True, append_images=rest, duration=times, loop=0, quality=72, method=6
    )


async def main(names: Sequence[str]) -> None:
    chromium = shutil.which("chromium")
    assert chromium is not None, "there is no Chromium: on Debian, apt-get install chromium"
    with tempfile.TemporaryDirectory() as folder, Progress() as progress:
        settings = Settings(port=0, store=f"sqlite:///{folder}/arena.db", log="off", tables_per_account=1000)
        async with started(settings) as (serving, _), async_playwright() as playwright:
            studio = Studio(serving.port)
            await studio.enter()
            browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            for game in progress.track(list(names or FILMS), description="Recording"):
                save(game, await record(studio, browser, game, FILMS[game]), FILMS[game].ms)
            await browser.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
