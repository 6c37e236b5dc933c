"""The comparison of each pair of players, and how many more matches would decide it."""

from parlour.tournament.comparisons import HeadToHead
from parlour.tournament.report.charts import Scale, axis, scale_of
from parlour.tournament.report.data import ReportData
from parlour.tournament.report.heat_map import Duel, heat_map
from parlour.tournament.report.markup import Child, Markup, element
from parlour.tournament.report.numbers import (
    INTERVAL,
    UNKNOWN,
    decimal,
    decimal_range,
    p_value,
    percent,
    percent_range,
)
from parlour.tournament.report.tables import Cell, Column, bar_cell, named, note, section, table, with_range

MOST_PAIRS = 1000
"""Rows of the table of pairs."""
NEVER = 1e15
"""The sort key of pairs that no number of matches would decide."""


def pairs_section(data: ReportData) -> Markup:
    """The heat map, and the table of all pairs."""
    if not data.results.head_to_head:
        return Markup()
    return section("pairs", "Head to head", heat_map(data), element("h3", "All pairs"), *_pair_table(data))


def _pair_table(data: ReportData) -> list[Child]:
    every = sorted(data.results.head_to_head, key=lambda it: (it.holm, -abs(it.share.estimate - 0.5)))
    pairs = every[:MOST_PAIRS]
    scale = scale_of((pair.share for pair in pairs), 0.5)
    foot = axis(scale, [(tick, percent(tick, 0)) for tick in scale.ticks()])
    rank = {player: place for place, player in enumerate(data.order)}
    verdicts, better = data.verdicts(), data.better()
    rows = []
    for pair in pairs:
        key = (pair.first, pair.second)
        decided = key in better or key[::-1] in better
        rows.append((f"{pair.first} {pair.second}", _cells(data, pair, rank, scale, verdicts[key], decided)))
    only = element("label", element("input", type="checkbox", id="undecided"), " only pairs that are not decided")
    parts: list[Child] = [element("p", only, class_="filter")]
    if len(every) > MOST_PAIRS:
        parts.append(note(f"The {MOST_PAIRS:,} most certain of {len(every):,} pairs; results.json has all."))
    return [*parts, table("All pairs", _columns(foot), rows)]


def _columns(foot: Markup) -> list[Column]:
    return [
        Column("Pair", number=False),
        Column("Share", "how often the first is ranked before the second; a tie counts half"),
        Column(INTERVAL, number=False, wide=True, foot=foot),
        Column("Score difference"),
        Column("Holm p", "corrected for the number of pairs; for a fixed number of deals"),
        Column("More matches", "how many would probably decide, if the difference is as it was seen"),
        Column("Verdict", number=False, wide=True),
    ]


def _cells(
    data: ReportData, pair: HeadToHead, rank: dict[int, int], scale: Scale, verdict: str, decided: bool
) -> list[Cell]:
    """The better rated player comes first."""
    turned = rank[pair.first] > rank[pair.second]
    one, other = (pair.second, pair.first) if turned else (pair.first, pair.second)
    duel = Duel(pair, turned)
    return [
        Cell([named(data.names[one]), " \u2013 ", named(data.names[other])], f"{rank[one]:05} {rank[other]:05}"),
        Cell(percent(duel.share.estimate), duel.share.estimate),
        bar_cell(duel.share, scale, 0.5, percent_range(duel.share)),
        with_range(decimal(duel.score.estimate), decimal_range(duel.score), duel.score),
        Cell(p_value(pair.holm), pair.holm),
        _more(pair, decided or bool(data.results.decisions)),
        Cell(element("span", verdict, class_="decided" if decided else "open"), verdict),
    ]


def _more(pair: HeadToHead, settled: bool) -> Cell:
    if settled:
        return Cell("\u2013", 0)
    return Cell(UNKNOWN, NEVER) if pair.more_matches is None else Cell(f"{pair.more_matches:,}", pair.more_matches)
