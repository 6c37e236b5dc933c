"""The report: complete, self-contained, and safe whatever players are called."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Page, sync_playwright

from parlour.cli.tournament_run import write_all
from parlour.tournament.journal import Journal
from parlour.tournament.plan import Entrant
from parlour.tournament.playing import SeatFault, packed, play_fixture, void_outcome
from parlour.tournament.runner import run
from parlour.tournament.schedules import Fixture
from tests.page.browser import ARGS, PHONE, WIDE, chromium
from tests.tournament.plans import InOrder, first_round, plan

pytestmark = pytest.mark.timeout(300)  # a browser starts slowly on a busy machine

HOSTILE = ("<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "=1+1", "&amp;'\"`${0}")


def played(folder: Path, names: tuple[str, ...] = HOSTILE, deals: int = 6, transcripts: bool = True) -> str:
    """The report of a tournament between players with these names. The second makes faults, and a match is void."""
    bots = ("minimum", "random", "random", "minimum")
    entrants = tuple(Entrant(name, bot) for name, bot in zip(names, bots, strict=True))
    it = msgspec.structs.replace(plan(deals=deals, transcripts=transcripts), players=entrants)
    with Journal.begin(folder, it) as journal:
        for fixture in list(first_round(it).fixtures())[:7]:
            journal.add([unlucky(fixture) if fixture.match == 6 else faulty(journal, fixture)])
        write_all(journal, run(journal, InOrder(it)), as_csv=True)
    return (folder / "report.html").read_text()


def faulty(journal: Journal, fixture: Fixture) -> bytes:
    """A match in which the second player made a fault, as far as the journal knows."""
    outcome, transcript = play_fixture(journal.plan, fixture)
    seat = fixture.players.index(1) if 1 in fixture.players else None
    if seat is not None:
        fault = SeatFault(seat, 3, "late", "late", "<b>too late</b>", "<i>stderr</i>")
        counted = tuple(int(at == seat) for at in range(len(fixture.players)))
        result = msgspec.structs.replace(outcome.result, faults=counted)
        outcome = msgspec.structs.replace(outcome, faults=[fault], result=result)
    return packed(outcome, transcript)


def unlucky(fixture: Fixture) -> bytes:
    return packed(void_outcome(fixture, "OSError: <u>no space</u>"), b"")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished tournament."""
    folder = tmp_path_factory.mktemp("tournament") / "out"
    played(folder)
    return folder / "report.html"


@pytest.fixture(scope="module")
def page(report: Path) -> Iterator[Page]:
    """The report in a browser. Nothing may be complained about, and nothing asked for."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGS)
        page = browser.new_page(viewport=WIDE)  # type: ignore[arg-type]  # a dictionary of width and height
        complaints: list[str] = []
        page.on("console", lambda said: complaints.append(said.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("request", lambda asked: complaints.append(asked.url) if asked.url != report.as_uri() else None)
        page.goto(report.as_uri())
        yield page
        assert complaints == []
        browser.close()


def test_names_and_texts_of_others_are_escaped(report: Path) -> None:
    text = report.read_text()
    for foreign in (*HOSTILE[:2], "<b>too late", "<i>stderr", "<u>no space"):
        assert foreign not in text and foreign.replace("<", "&lt;").replace(">", "&gt;") in text


class Attributes(HTMLParser):
    """Collects all attributes of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [(name, value or "") for name, value in attrs]


def test_the_file_needs_no_other_and_allows_none(report: Path) -> None:
    text = report.read_text()
    attributes = Attributes(text).found
    policy = next(value for name, value in attributes if name == "content" and "script-src" in value)
    assert policy.startswith("default-src 'none'; script-src 'sha256-") and "unsafe" not in policy
    assert not [name for name, _ in attributes if name.startswith("on") or name == "style"]
    links = [value for name, value in attributes if name in ("href", "src")]
    assert len(links) > 10 and all(link.startswith(("#", "transcripts/")) for link in links)
    assert "url(" not in text and "@import" not in text


def test_a_browser_shows_ratings_and_sorts_tables(page: Page) -> None:
    table = page.locator("#ratings table")
    first = table.locator("tbody tr").first
    best = first.locator(".name").inner_text()
    assert best in (HOSTILE[0], HOSTILE[3]) and re.fullmatch(r"\+\d+", first.locator("td").first.inner_text())
    heading = table.locator("th", has_text="Mean place")
    heading.locator("button").click()
    places = [float(text.split()[0]) for text in table.locator("tbody td:nth-child(6)").all_inner_texts()]
    assert heading.get_attribute("aria-sort") == "descending" and places == sorted(places, reverse=True)
    heading.locator("button").press("Enter")
    places = [float(text.split()[0]) for text in table.locator("tbody td:nth-child(6)").all_inner_texts()]
    assert heading.get_attribute("aria-sort") == "ascending" and places == sorted(places)


def test_the_heat_map_is_read_with_the_keyboard(page: Page) -> None:
    page.locator("#heat td[data-verdict]").first.focus()
    assert "Holm-corrected p" in page.locator("#found").inner_text()
    before = page.locator("#found").inner_text()
    page.keyboard.press("ArrowRight")
    assert page.locator("#found").inner_text() != before
    page.keyboard.press("ArrowDown")
    focused = page.evaluate("document.activeElement.dataset.verdict")
    assert focused and focused in page.locator("#found").inner_text()


def test_ratings_over_time_are_read_with_the_keyboard(page: Page) -> None:
    page.locator("#plot").focus()
    page.keyboard.press("Home")
    assert re.fullmatch(r"after \d+ matches", page.locator("#when").inner_text())
    assert " to " in page.locator(".follow output").first.inner_text()
    page.keyboard.press("End")
    assert page.locator("#when").inner_text() == "after 138 matches"


def test_a_player_is_followed(page: Page) -> None:
    page.locator("#follow").select_option(label=HOSTILE[1])
    assert page.locator("#ratings tbody tr.chosen .name").all_inner_texts() == [HOSTILE[1]]
    page.locator("#follow").select_option("")
    assert page.locator(".chosen").count() == 0


def test_both_themes_and_a_phone_show_it_without_sideways_scrolling(page: Page) -> None:
    for viewport in (PHONE, WIDE):
        page.set_viewport_size(viewport)  # type: ignore[arg-type]  # a dictionary of width and height
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide == 0
    colours = []
    for _ in range(2):
        page.locator("#theme").click()
        colours.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert sorted(colours) == ["rgb(12, 31, 26)", "rgb(239, 230, 210)"]


def test_first_faults_and_voids_are_named_with_the_command(page: Page, report: Path) -> None:
    said = page.locator("#faults").inner_text()
    assert "late late, <b>too late</b>" in said and "<i>stderr</i>" in said and "OSError: <u>no space</u>" in said
    command = page.locator("#faults .command code").inner_text()
    assert re.fullmatch(r"parlour replay \S+/transcripts/deal-00000-lineup-000/match-000000\.jsonl --seat \d", command)
    assert Path(command.split()[2]).is_file()


def test_telling_matches_lead_to_their_transcripts(page: Page, report: Path) -> None:
    groups = page.locator("#matches article h3").all_inner_texts()
    assert {"Closest finish", "Clearest win", "Highest score", "Longest match"} <= set(groups)
    links = [link.get_attribute("href") or "" for link in page.locator("#matches article a").all()]
    assert links and all((report.parent / link).is_file() for link in links)


def test_a_spreadsheet_does_not_take_names_for_formulas(report: Path) -> None:
    for name in ("matches", "decisions"):
        text = (report.parent / f"{name}.csv").read_text()
        assert "'=1+1" in text and ",=1+1" not in text


def test_a_tournament_without_transcripts_or_without_any_result_has_a_report(tmp_path: Path) -> None:
    assert "kept no transcripts" in played(tmp_path / "a", transcripts=False)
    it = plan(deals=1)
    with Journal.begin(tmp_path / "b", it) as journal:
        journal.add([unlucky(fixture) for fixture in first_round(it).fixtures()])
        write_all(journal, [first_round(it)], as_csv=False)
    assert "No match counts yet" in (tmp_path / "b" / "report.html").read_text()
