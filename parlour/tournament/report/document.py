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
from parlour.tournament.report.markup import Markup, element
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
    drawn = [(name, words, part) for name, words, make in SECTIONS if (part := make(data))]
    body = element(
        "body",
        element("a", "Skip to the results", href="#ratings", class_="skip"),
        _header(data),
        _navigation(data, [(name, words) for name, words, _ in drawn]),
        element("main", (part for _, _, part in drawn), _plan_section(data)),
        element("script", _asset("report.js")),
    )
    return f"<!doctype html>\n{element('html', _head(data), body, lang='en')}\n"


def _head(data: ReportData) -> Markup:
    """Everything is forbidden that is not in this file."""
    style, script = _asset("report.css"), _asset("report.js")
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; base-uri 'none'; form-action 'none'"
    )
    plan = data.results.tournament
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="dark light"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", f"{data.title}: {plan.format} of {len(plan.players)} players"),
        element("style", style),
    )


def _header(data: ReportData) -> Markup:
    plan = data.results.tournament
    format = plan.format.replace("-", " ").capitalize()
    matches = f"{data.results.matches:,} match{'' if data.results.matches == 1 else 'es'}"
    lead = f"{format} of {len(plan.players)} players at tables of {plan.seats}, {matches}"
    return element(
        "header",
        element("p", "Parlour ", element("span", __version__), class_="brand"),
        element("h1", data.title),
        element("p", lead, class_="lead"),
    )


def _navigation(data: ReportData, sections: Sequence[tuple[str, str]]) -> Markup:
    followed = element(
        "select",
        element("option", "nobody", value=""),
        (element("option", data.names[player], value=str(player)) for player in data.order),
        id="follow",
    )
    return element(
        "nav",
        element("div", (element("a", words, href=f"#{name}") for name, words in sections), class_="links"),
        element("label", "Follow", for_="follow"),
        followed,
        element("button", "Light or dark", type="button", id="theme"),
        aria_label="Sections",
    )


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
    """Write `report.html`; it replaces an older one only when it is complete."""
    new = folder / f".{REPORT}.new"
    new.write_text(document(data), encoding="utf-8")
    new.replace(folder / REPORT)
