"""How ratings and their intervals changed as more deals were played."""

from math import isfinite

import msgspec

from parlour.tournament.history import RatingsSoFar
from parlour.tournament.report.charts import Scale, band, key_of, line, scale_of
from parlour.tournament.report.data import ReportData
from parlour.tournament.report.markup import Markup, element
from parlour.tournament.report.numbers import signed
from parlour.tournament.report.tables import named, note, section

LEAST_LOOKS = 3
MOST_BANDS = 6
"""With more players, only the intervals of the one that is followed are drawn."""


def history_section(data: ReportData) -> Markup:
    """The ratings after the first deals, as lines."""
    looks, players = data.history, data.charted
    if len(looks) < LEAST_LOOKS:
        return Markup()
    last = f"{looks[-1].matches:,}"
    below = [
        element("span", "0 matches"),
        element("output", f"after {last} matches", id="when"),
        element("span", last),
    ]
    return section(
        "history",
        "Ratings over time",
        note(
            "The same estimate from the first deals only. Point at the chart, or use the arrow keys in it, to read the "
            "ratings at that time; press a name to follow a player."
        ),
        element(
            "figure",
            _chart(data),
            element("figcaption", below, class_="below"),
            element("ul", (_legend(data, place, player) for place, player in enumerate(players)), class_="legend"),
            class_="history" if len(players) <= MOST_BANDS else "history many",
        ),
        element("script", _json(looks, players), type="application/json", id="looks"),
    )


def _scale(data: ReportData) -> Scale:
    """It holds all estimates, and the intervals except the first and widest."""
    looks, players = data.history, data.charted
    settled = [look.ratings[player] for look in looks[len(looks) // 3 :] for player in players]
    return scale_of(settled, *(look.ratings[player].estimate for look in looks for player in players))


def _chart(data: ReportData) -> Markup:
    scale, last = _scale(data), data.history[-1]
    heights = [(tick, f"{100 - scale.at(tick):g}") for tick in scale.ticks()]
    grid = [
        element("line", class_="rule" if tick else "zero", x2="100", y1=height, y2=height) for tick, height in heights
    ]
    ticks = [
        element("text", signed(tick), x="100%", y=f"{height}%", dy="4", text_anchor="end") for tick, height in heights
    ]
    lines = [_course(data, scale, place, player) for place, player in enumerate(data.charted)]
    steps = str(len(data.history) - 1)
    plot = element(
        "div",
        element("svg", grid, lines, viewBox="0 0 100 100", preserveAspectRatio="none", aria_hidden="true"),
        element("div", class_="cross", hidden=True),
        class_="plot",
        id="plot",
        tabindex="0",
        role="slider",
        aria_label="Matches played",
        aria_valuemin="0",
        aria_valuemax=steps,
        aria_valuenow=steps,
        aria_valuetext=f"after {last.matches:,} matches",
    )
    return element("div", element("svg", ticks, class_="left", aria_hidden="true"), plot, class_="chart")


def _course(data: ReportData, scale: Scale, place: int, player: int) -> Markup:
    """The line of a player, and the area of its intervals."""
    points, edges = [], []
    for look in data.history:
        x, it = round(100 * look.matches / data.history[-1].matches, 2), look.ratings[player]
        points.append((x, 100 - scale.at(it.estimate)))
        edges.append((x, 100 - scale.at(it.low), 100 - scale.at(it.high)))
    return element(
        "g",
        element("g", band(edges, place), class_="band"),
        element("g", line(points, place), class_="course"),
        data_p=str(player),
    )


def _legend(data: ReportData, place: int, player: int) -> Markup:
    shown = element("output", signed(data.history[-1].ratings[player].estimate))
    parts = (key_of(place), named(data.names[player]), shown)
    button = element("button", *parts, type="button", class_="follow", data_follow=str(player), aria_pressed="false")
    return element("li", button, data_p=str(player))


def _json(looks: list[RatingsSoFar], players: list[int]) -> Markup:
    """The numbers for the script. There is no text in them that could end the element."""
    told = [
        {
            "matches": look.matches,
            "ratings": {
                str(player): [round(value) if isfinite(value) else None for value in (it.estimate, it.low, it.high)]
                for player in players
                for it in (look.ratings[player],)
            },
        }
        for look in looks
    ]
    return Markup(msgspec.json.encode(told).decode())
