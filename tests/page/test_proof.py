"""The proof of a match that people played in their browsers, and forgeries of it."""

import asyncio
import json
from pathlib import Path

from playwright.async_api import Locator, expect
from typer.testing import CliRunner

from parlour.cli.arguments import app
from parlour.referee.receipt import SeatEntry, read_receipt
from tests.page.browser import Evening, Visitor, spend
from tests.page.forgery import Forger
from tests.page.forsale import Person, seated

HOLDS, FAILS = "This is the match as it was played", "This transcript does not hold"
CHECKS = {
    "Commitment": "The seed it showed after the end has that fingerprint",
    "Salts": "The salt of this browser is in line 1 as it was given",
    "Chain": "Every line holds the fingerprint of the line before it",
    "Replay": "The arena played all moves again by the rules",
    "Signature": "The arena signed the last fingerprint and the result",
    "Your receipt": "All 10 of its answers are in the transcript, in order",
}
"""By name of a check: words that tell what holds."""


def proof(visitor: Visitor) -> Locator:
    return visitor.page.get_by_role("region", name="Proof", exact=True)


def fact(visitor: Visitor, check: str) -> Locator:
    """What is told about one check."""
    heading = visitor.page.get_by_role("heading", name=check, level=3)
    return proof(visitor).get_by_role("listitem").filter(has=heading)


async def proved(visitor: Visitor, title: str) -> None:
    """Wait until everything is checked."""
    await proof(visitor).get_by_role("heading", name=title, level=2).wait_for()


async def told(visitor: Visitor, check: str, state: str, *words: str) -> None:
    """The check has come to this, and says so in words."""
    await expect(fact(visitor, check).get_by_role("heading")).to_have_text(f"{check}{state}")
    for each in words:
        await expect(fact(visitor, check)).to_contain_text(each)


async def saved(visitor: Visitor, button: str, folder: Path) -> Path:
    """A file that the page offers, as the browser saved it."""
    async with visitor.page.expect_download() as started:
        await visitor.button(button, exact=True).click()
    download = await started.value
    path = folder / download.suggested_filename
    await download.save_as(path)
    return path


async def played(tonight: Evening, first: Visitor, second: Visitor) -> str:
    """Two people play For Sale. The first reloads the page, and then both lose their connection."""
    match = await seated(tonight, first, "forsale", "open", *["minimum"] * 4)
    await second.goto(f"/matches/{match}")
    await second.button("Sit down").click()
    one, other = Person(first), Person(second)

    async def with_losses() -> None:
        await one.play_on(turns=1)
        await first.page.reload()
        await one.play_on(turns=2)
        await tonight.reopen()
        await one.play_on()

    for visitor in (first, second):
        visitor.expected = ["WebSocket connection", "ERR_CONNECTION"]  # while the server is down
    await asyncio.gather(with_losses(), other.play_on())
    for person in (one, other):
        await person.over.click()
    return match


async def verified(tonight: Evening, visitor: Visitor, folder: Path) -> Path:
    """Transcript and receipt of the page satisfy `parlour verify`; the transcript's file."""
    transcript, receipt = await saved(visitor, "Transcript", folder), await saved(visitor, "Receipt", folder)
    key = (await tonight.hall.get("/key")).json()["public_key"]
    done = CliRunner().invoke(app, ["verify", str(transcript), "--receipt", str(receipt), "--key", key])
    assert done.exit_code == 0, done.output
    kept = read_receipt(receipt.read_bytes())
    assert kept.over is not None and kept.over.signed is not None
    assert [entry.returned for entry in kept.entries if isinstance(entry, SeatEntry)][-1]
    return transcript


async def opened(visitor: Visitor, name: str, data: bytes) -> None:
    """Open a file on the page for files."""
    file = {"name": name, "mimeType": "application/x-ndjson", "buffer": data}
    await visitor.page.get_by_label("Choose a file").last.set_input_files(file)  # type: ignore[arg-type]


async def forgeries_are_named(visitor: Visitor, data: bytes, salt: str) -> None:
    """Each way to change a transcript is told by the check that finds it."""
    forger = Forger(data)
    visitor.expected.append("status of 4")
    sale, bid = forger.line_of(0, "Sell"), forger.line_of(0, "Pass")
    await visitor.goto("/replay")
    await opened(visitor, "byte.jsonl", forger.one_byte(sale))
    await proved(visitor, FAILS)
    await told(visitor, "Chain", "does not hold", f"Line {sale + 1} does not hold the fingerprint of line {sale}")
    await told(visitor, "Commitment", "holds")
    await visitor.see("The match cannot be shown")
    await opened(visitor, "move.jsonl", forger.another_move(bid, b'{"type":"Bid","amount":17}'))
    await told(visitor, "Chain", "holds")
    await told(visitor, "Signature", "does not hold", "all later fingerprints were computed again")
    await told(visitor, "Your receipt", "does not hold", 'Your answer {"type":"Pass"}', f"Line {bid} has", "17")
    await opened(visitor, "seed.jsonl", forger.another_seed())
    last = len(forger.lines)
    await told(visitor, "Commitment", "does not hold", f"The seed in line {last} is not the one")
    await told(visitor, "Replay", "does not hold", f"line {last} is wrong")
    await told(visitor, "Chain", "holds")
    await opened(visitor, "salt.jsonl", forger.another_salt(salt.encode()))
    await told(visitor, "Salts", "does not hold", "The salt of seat 0 is not the one that this browser gave")
    await told(visitor, "Chain", "holds")
    await opened(visitor, "real.jsonl", data)
    await proved(visitor, HOLDS)


async def forged_receipt_is_named(visitor: Visitor, match: str) -> None:
    """Somebody has changed an answer in the storage of the browser."""
    changed = await visitor.page.evaluate(
        """match => {
            const key = `parlour.receipt.${match}/0`, before = localStorage.getItem(key)
            const after = before.replace('{"type":"Pass"}', '{"type":"Bid","amount":3}')
            localStorage.setItem(key, after)
            return before !== after
        }""",
        match,
    )
    assert changed
    await visitor.goto(f"/matches/{match}")
    await proved(visitor, FAILS)
    await told(
        visitor, "Your receipt", "does not hold", 'Your answer {"type":"Bid","amount":3}', '{"type":"Pass"} instead'
    )
    await told(visitor, "Signature", "holds")


def test_a_match_is_proved_and_forgeries_are_named(tmp_path: Path) -> None:
    async def work(tonight: Evening) -> None:
        secure = await tonight.visitor(color_scheme="dark")
        plain = await tonight.visitor(plain=True, phone=True, color_scheme="light")
        match = await played(tonight, secure, plain)
        for visitor, by in ((secure, "checked in your browser"), (plain, "checked just now by code in this page")):
            await proved(visitor, HOLDS)
            for check, words in CHECKS.items():
                await told(visitor, check, "holds", words)
            await expect(proof(visitor)).to_contain_text(by)
            await visitor.audit()
            (folder := tmp_path / by).mkdir()
            transcript = await verified(tonight, visitor, folder)
        data = transcript.read_bytes()
        salt = json.loads(data.split(b"\n")[0])["players"][0]["salt"]
        await forgeries_are_named(secure, data, salt)
        await forged_receipt_is_named(secure, match)

    spend(tmp_path, work)
