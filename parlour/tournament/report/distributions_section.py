"""Scores, seats and times."""

from collections.abc import Sequence
from math import ceil, floor, log10

import numpy as np

from parlour.tournament.records import Floats
from parlour.tournament.report.charts import Scale, axis, histogram, scale_of, time_bar, time_ticks
from parlour.tournament.report.data import CHARTED, ReportData
from parlour.tournament.report.markup import Markup, element
from parlour.tournament.report.numbers import INTERVAL, decimal, percent, percent_range, seconds
from parlour.tournament.report.tables import Cell, Column, bar_cell, named, note, section, table, with_range
from parlour.tournament.standings import SeatStanding

BARS = 40


def scores_section(data: ReportData) -> Markup:
    """How the scores of each player are spread."""
    sample = data.sample
    if not sample.size:
        return Markup()
    taken = sample.taken
    edges = bins(sample.scores[taken])
    by_player = {player: sample.scores[taken & (sample.seats == player)] for player in data.charted}
    parts = {player: np.histogram(own, edges)[0] / len(own) for player, own in by_player.items() if len(own)}
    highest = max(float(part.max()) for part in parts.values())
    pictures = [
        _picture(data, place, player, by_player[player], parts[player] / highest, edges)
        for place, player in enumerate(data.charted)
        if player in parts
    ]
    few = f" The best {CHARTED} players are shown." if len(data.charted) < len(data.names) else ""
    return section(
        "scores",
        "Scores",
        note(f"How often a player had which score. All pictures have the same scales.{few}"),
        element("ul", pictures, class_="pictures"),
    )


def _picture(data: ReportData, place: int, player: int, own: Floats, heights: Floats, edges: list[float]) -> Markup:
    low, middle, high = (_score(value) for value in np.quantile(own, (0.1, 0.5, 0.9)).tolist())
    words = f"median {middle}; 80\u202f% between {low} and {high}"
    rest = f"Mean {decimal(float(own.mean()))}, {words}, from {_score(float(own.min()))} to {_score(float(own.max()))}."
    return element(
        "li",
        element("h3", named(data.names[player])),
        histogram(heights.tolist(), place, f"{data.names[player]}: {words}"),
        element("p", element("span", _score(edges[0])), element("span", _score(edges[-1])), class_="below"),
        element("p", rest, class_="small"),
        data_p=str(player),
    )


def _score(value: float) -> str:
    return f"{value:,.6g}".replace("-", "\u2212")


def bins(scores: Floats) -> list[float]:
    """The edges of at most BARS bars. Whole scores are in the middle of their bars."""
    low, high = float(scores.min()), float(scores.max())
    if np.equal(np.mod(scores, 1), 0).all():
        width = max(1, ceil((high - low + 1) / BARS))
        first = floor(low / width) * width
        count = int((high - first) // width) + 1
        return (
            [first + width * at - 0.5 for at in range(count + 1)]
            if width == 1
            else [float(first + width * at) for at in range(count + 1)]
        )
    return [float(edge) for edge in np.linspace(low, high, BARS + 1)]


def seats_section(data: ReportData) -> Markup:
    """The advantage of each seat."""
    seats = data.results.seats
    if not seats:
        return Markup()
    scale = scale_of((it.advantage for it in seats), 0.0)
    foot = axis(scale, [(tick, _signed_percent(tick)) for tick in scale.ticks()])
    columns = [
        Column("Seat", number=False),
        Column("Advantage", "the win share less that of an average seat"),
        Column(INTERVAL, number=False, wide=True, foot=foot),
        Column("Win share"),
        Column("Points", "the share of opponents that the seat is ranked before"),
        Column("Matches"),
    ]
    sizes = len({it.seats for it in seats}) > 1
    rows = [("", _seat_cells(it, scale, f" of {it.seats}" if sizes else "")) for it in seats]
    return section(
        "seats",
        "Seats",
        note(
            "The results of each seat over all players. Seats are counted from 0, as in transcripts.",
            _seat_words(data),
        ),
        table("Seats", columns, rows),
    )


def _seat_cells(it: SeatStanding, scale: Scale, size: str) -> list[Cell]:
    gain = it.advantage
    return [
        Cell(f"Seat {it.seat}{size}", it.seats * 1000 + it.seat),
        Cell(_signed_percent(gain.estimate), gain.estimate),
        bar_cell(gain, scale, 0.0, f"{_signed_percent(gain.low)} to {_signed_percent(gain.high)}"),
        with_range(percent(it.win_share.estimate), percent_range(it.win_share), it.win_share),
        with_range(percent(it.points.estimate), percent_range(it.points), it.points),
        Cell(f"{it.matches:,}", it.matches),
    ]


def _seat_words(data: ReportData) -> str:
    sure = [it for it in data.results.seats if it.advantage.low > 0 or it.advantage.high < 0]
    return (
        " The interval of some seats does not contain 0: the seat matters."
        if sure
        else " No seat is surely better or worse than another."
    )


def _signed_percent(share: float) -> str:
    return f"{100 * share:+.1f}\u202f%".replace("-", "\u2212") if round(share, 3) else "0\u202f%"


def times_section(data: ReportData) -> Markup:
    """How long decisions took."""
    times = data.observed.times
    if not any(it.decisions for it in times):
        return Markup()
    limits = [log10(max(v, 1e-6)) for it in times if it.decisions for v in (it.quantile(0.5), it.most_s)]
    scale = Scale(floor(min(limits)), ceil(max(limits)), margin=6.0)
    columns = [
        Column("Player", number=False),
        Column("Median"),
        Column("Median, 95\u202f%, longest", number=False, wide=True, sorts=False, foot=axis(scale, time_ticks(scale))),
        Column("Mean"),
        Column("95\u202f%", "19 of 20 decisions took no longer"),
        Column("99\u202f%"),
        Column("Longest"),
        Column("In all"),
        Column("Decisions"),
    ]
    rows = [(str(player), _time_cells(data, player, scale)) for player in data.order]
    return section(
        "times",
        "Time per decision",
        note(
            "From the question to the answer, as this run measured it; for programs, with the way there and back. It "
            "depends on the machine and on what else it did. Nothing else in this report depends on time."
        ),
        table("Time per decision", columns, rows),
    )


def _time_cells(data: ReportData, player: int, scale: Scale) -> Sequence[Cell]:
    times = data.observed.times[player]
    median, late, later = (times.quantile(share) for share in (0.5, 0.95, 0.99))
    bar = time_bar(median, late, times.most_s, scale) if times.decisions else Markup()
    shown = (median, times.mean, late, later, times.most_s, times.total_s)
    cells = [Cell(seconds(value) if times.decisions else "\u2013", value) for value in shown]
    return [
        Cell(named(data.names[player]), data.names[player]),
        cells[0],
        Cell(bar),
        *cells[1:],
        Cell(f"{times.decisions:,}", times.decisions),
    ]
