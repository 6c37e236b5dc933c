"""Put the report together: one file without any request, whatever the names of players are."""

from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import msgspec

from parlour import __version__
from parlour.tournament.report.data import ReportData
from parlour.tournament.report.distributions_section import scores_section, seats_section, times_section
from parlour.tournament.report.history_section import history_section
from parlour.tournament.report.markup import Child, Markup, element
from parlour.tournament.report.matches_section import faults_section, matches_section
from parlour.tournament.report.pairs_section import pairs_section
from parlour.tournament.report.ratings_section import ratings_section, summary
from parlour.tournament.report.tables import note, section

REPORT = "report.html"
SECTIONS = (
    ("summary", "Summary", summary),
    ("ratings", "Ratings", ratings_section),
    ("pairs", "Head to head", pairs_section),
    ("history", "Over time", history_section),
    ("scores", "Scores", scores_section),
    ("seats", "Seats", seats_section),
    ("times", "Times", times_section),
    ("faults", "Faults", faults_section),
    ("matches", "Matches", matches_section),
)


@cache
def _asset(name: str) -> Markup:
    """A file of this package that is written into the report."""
    return Markup(files(__package__).joinpath(name).read_text(encoding="utf-8"))


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def document(data: ReportData) -> str:
    """The whole file."""
    plan = data.results.tournament
    drawn = [(name, words, part) for name, words, make in SECTIONS if (part := make(data))]
    title = f"{data.title}: {plan.format} of {len(plan.players)} players"
    return whole_page(title, _header(data), drawn, _plan_section(data), _followed(data))


def whole_page(
    title: str, header: Markup, sections: Sequence[tuple[str, str, Markup]], end: Markup, tools: Sequence[Markup] = ()
) -> str:
    """A file that needs nothing else. `sections`: their names, their titles in the navigation, and what they show."""
    links = (element("a", words, href=f"#{name}") for name, words, _ in sections)
    navigation = element(
        "nav",
        element("div", links, class_="links"),
        *tools,
        element("button", "Light or dark", type="button", id="theme"),
        aria_label="Sections",
    )
    body = element(
        "body",
        element("a", "Skip to the results", href="#ratings", class_="skip"),
        header,
        navigation,
        element("main", (part for _, _, part in sections), end),
        element("script", _asset("report.js")),
    )
    return f"<!doctype html>\n{element('html', _head(title), body, lang='en')}\n"


def _head(title: str) -> Markup:
    """Everything is forbidden that is not in this file."""
    style, script = _asset("report.css"), _asset("report.js")
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    )
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="dark light"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", title),
        element("style", style),
    )


def _header(data: ReportData) -> Markup:
    plan = data.results.tournament
    format = plan.format.replace("-", " ").capitalize()
    matches = f"{data.results.matches:,} match{'' if data.results.matches == 1 else 'es'}"
    lead = f"{format} of {len(plan.players)} players at tables of {plan.seats}, {matches}"
    return page_header(data.title, lead)


def page_header(title: Child, lead: Child) -> Markup:
    """The top of a report."""
    return element(
        "header",
        element("p", "Parlour ", element("span", __version__), class_="brand"),
        element("h1", title),
        element("p", lead, class_="lead"),
    )


def _followed(data: ReportData) -> list[Markup]:
    """The player that is highlighted everywhere."""
    followed = element(
        "select",
        element("option", "nobody", value=""),
        (element("option", data.names[player], value=str(player)) for player in data.order),
        id="follow",
    )
    return [element("label", "Follow", for_="follow"), followed]


def _plan_section(data: ReportData) -> Markup:
    plan = msgspec.json.format(msgspec.json.encode(data.results.tournament), indent=2).decode()
    return section(
        "plan",
        "The plan",
        note(
            f"Made with Parlour {__version__}. Equal plans have the same deals, and equal results give the same "
            "numbers here, on any number of processes. The documentation says how each number is computed (How "
            "tournaments are judged)."
        ),
        element(
            "details",
            element("summary", "Everything that the tournament follows from"),
            element("pre", plan, tabindex="0"),
        ),
    )


def write_report(folder: Path, data: ReportData) -> None:
    """Write `report.html` of a tournament."""
    write_page(folder, document(data))


def write_page(folder: Path, page: str) -> None:
    """Write `report.html`; it replaces an older one only when it is complete."""
    new = folder / f".{REPORT}.new"
    new.write_text(page, encoding="utf-8")
    new.replace(folder / REPORT)
