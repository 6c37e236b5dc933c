"""The summary and the ratings."""

from parlour.tournament.report.charts import Scale, axis, scale_of
from parlour.tournament.report.data import ReportData
from parlour.tournament.report.markup import Child, Markup, element
from parlour.tournament.report.numbers import (
    INTERVAL,
    decimal,
    decimal_range,
    percent,
    percent_range,
    seconds,
    signed,
    signed_range,
)
from parlour.tournament.report.tables import Cell, Column, bar_cell, named, note, section, table, with_range
from parlour.tournament.results import PlayerResult

MOST_NAMED = 6


def summary(data: ReportData) -> Markup:
    """The main results."""
    results, observed = data.results, data.observed
    plan = results.tournament
    faults = sum(player.counts.faults for player in results.players)
    tiles = [
        ("matches", f"{results.matches:,}"),
        ("players", f"{len(plan.players):,}"),
        ("seats", str(plan.seats)),
        ("deals", f"{data.sample.number_of_deals:,}"),
        ("decisions", f"{observed.decisions:,}"),
        ("faults", f"{faults:,}"),
        ("void", f"{results.counts.void:,}"),
        ("all matches took", seconds(observed.seconds)),
    ]
    return section(
        "summary",
        "What was found",
        element("p", _answer(data), class_="answer"),
        [element("p", words) for words in (_decided(data), _gain(data)) if words],
        element(
            "dl", (element("div", element("dt", title), element("dd", value)) for title, value in tiles), class_="tiles"
        ),
    )


def _answer(data: ReportData) -> Child:
    results, names = data.results, data.names
    if not data.sample.size:
        return "No match counts yet, so nothing can be said about the players."
    if results.winner is not None:
        return [named(results.winner), " won the final."]
    best, *others = data.order
    better = data.better()
    rest = [player for player in others if (best, player) not in better]
    if not rest:
        return [named(names[best]), " is the best: it beats every other player."]
    listed: list[Child] = [[", " if at else "", named(names[player])] for at, player in enumerate(rest[:MOST_NAMED])]
    more = f" and {len(rest) - MOST_NAMED} more" if len(rest) > MOST_NAMED else ""
    return [named(names[best]), " is rated highest, but it is not certain that it is better than ", listed, more, "."]


def _decided(data: ReportData) -> Child:
    results, names = data.results, data.names
    if results.decisions:
        left = sum(it.outcome == "open" for it in results.decisions)
        return f"The sequential test has decided {len(results.decisions) - left:,} of {len(results.decisions):,} pairs."
    pairs = results.head_to_head
    if not pairs:
        return ""
    decided = sum(pair.decided() for pair in pairs)
    words = f"{decided:,} of {len(pairs):,} pairs are decided (95\u202f% confidence over all pairs together). "
    open_pairs = [(pair.more_matches, pair) for pair in pairs if pair.more_matches is not None]
    if not open_pairs:
        return words
    more, next_one = min(open_pairs, key=lambda it: it[0])
    return [
        f"{words}About {more:,} more matches of ",
        *(named(names[next_one.first]), " and ", named(names[next_one.second])),
        " would decide the next one.",
    ]


def _gain(data: ReportData) -> str:
    gain = data.results.duplicate
    if gain is None:
        return "Every match had a deal of its own, so luck did not cancel."
    if gain.error_cut <= 0:
        few = percent(gain.variance_ratio, 0)
        return f"Duplicate play did not narrow the errors here: with independent deals {few} of the matches would do."
    return (
        f"Duplicate play made the errors of head-to-head shares {percent(gain.error_cut)} smaller: with independent "
        f"deals as many as {gain.variance_ratio:.2f} times the matches would be needed."
    )


def ratings_section(data: ReportData) -> Markup:
    """The final table."""
    players = data.results.players
    scale = scale_of(it.rating for it in players)
    foot = axis(scale, [(tick, signed(tick)) for tick in scale.ticks()])
    rows = [(str(it.standing.player), _cells(it, place, scale)) for place, it in enumerate(players, start=1)]
    return section(
        "ratings",
        "Ratings",
        note(
            "A difference of 400 points means odds of 10 to 1 to be ranked before the other. Intervals come from "
            "drawing whole deals again; two players whose intervals overlap may still be decided ",
            element("a", "head to head", href="#pairs"),
            ".",
        ),
        table("Ratings", _columns(foot), rows),
    )


def _columns(foot: Markup) -> list[Column]:
    return [
        Column("Player", number=False),
        Column("Rating", "Elo points; 0 is the mean of all players"),
        Column(INTERVAL, "it holds the true rating in 95 of 100 such tournaments", wide=True, number=False, foot=foot),
        Column("Win share", "wins, of which those who tie have equal parts"),
        Column("Points", "the share of opponents that the player is ranked before"),
        Column("Mean place"),
        Column("Mean score"),
        Column("Skill", "openskill: mean and three standard deviations, after the last match"),
        Column("Matches"),
        Column("Faults"),
    ]


def _cells(it: PlayerResult, place: int, scale: Scale) -> list[Cell]:
    stood, rated = it.standing, it.rating
    return [
        Cell([element("span", str(place), class_="place"), named(it.name)], place),
        Cell(signed(rated.estimate), rated.estimate),
        bar_cell(rated, scale, 0.0, signed_range(rated)),
        with_range(percent(stood.win_share.estimate), percent_range(stood.win_share), stood.win_share),
        with_range(percent(stood.points.estimate), percent_range(stood.points), stood.points),
        with_range(decimal(stood.mean_place.estimate, 2), decimal_range(stood.mean_place, 2), stood.mean_place),
        with_range(decimal(stood.mean_score.estimate), decimal_range(stood.mean_score), stood.mean_score),
        Cell(f"{it.skill.mu:.1f} \u00b1 {3 * it.skill.sigma:.1f}", it.skill.mu),
        Cell(f"{stood.matches:,}", stood.matches),
        Cell(f"{it.counts.faults:,}", it.counts.faults),
    ]
