"""The report of an evaluation: one player in all games."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from parlour import __version__
from parlour.players.models.budgets import dollars
from parlour.tournament.evaluation import Blunder, BlunderCount, EvaluationResult, PartResult
from parlour.tournament.report.charts import Scale, axis, scale_of
from parlour.tournament.report.document import REPORT, page_header, whole_page, write_page
from parlour.tournament.report.markup import Child, Markup, element
from parlour.tournament.report.numbers import INTERVAL, percent, percent_range, seconds, signed, signed_range
from parlour.tournament.report.tables import Cell, Column, bar_cell, command, named, note, section, table, with_range


def write_evaluation(folder: Path, result: EvaluationResult) -> None:
    """Write `report.html` of an evaluation. The folder of each part has a report of its matches."""
    write_page(folder, evaluation_page(result))


def evaluation_page(result: EvaluationResult) -> str:
    """The whole file."""
    parts = result.parts
    drawn = [
        ("ratings", "Strength", strength_section(parts)),
        ("faults", "Faults", faults_section(parts)),
        ("blunders", "Blunders", blunders_section(parts)),
        ("usage", "Tokens and cost", usage_section(parts)),
        ("counts", "Counts", counts_section(parts)),
    ]
    matches = sum(part.matches for part in parts)
    games = f"{len(parts)} part{'' if len(parts) == 1 else 's'}"
    name = parts[0].results.name
    header = page_header(named(name), f"{result.player} in the suite {result.suite}: {games}, {matches:,} matches")
    found = [(name, title, part) for name, title, part in drawn if part is not None]
    return whole_page(f"{name}: evaluation", header, found, _data_section(result))


def strength_section(parts: Sequence[PartResult]) -> Markup:
    """How strong the player is, beside its opponents."""
    rated = [part.rating for part in parts if part.rating is not None]
    opponents = [rating for part in parts for rating in part.opponents.values()]
    scale = scale_of(rated, *opponents)
    columns = [
        Column("Part", number=False),
        Column("Rating", "Elo points; each part has a scale of its own"),
        Column(
            INTERVAL,
            "it holds the true rating in 95 of 100 such evaluations",
            wide=True,
            number=False,
            foot=axis(scale, [(tick, signed(tick)) for tick in scale.ticks()]),
        ),
        Column("Opponents", "their ratings on the same scale", number=False, wide=True),
        Column("Win share", "wins, of which those who tie have equal parts"),
        Column("Matches"),
        Column("A decision", "mean time"),
    ]
    rows = [(str(number), _strength(part, scale)) for number, part in enumerate(parts)]
    words = (
        "The player met every group of opponents on duplicate deals. A difference of 400 points means odds of 10 to 1 "
        "to be ranked before the other. The line marks the fixed point of each scale: the mean of the opponents whose "
        "ratings were known, or the random bot at 0. Each part leads to a report of its matches."
    )
    return section("ratings", "Strength", note(words), table("Strength", columns, rows))


def _strength(part: PartResult, scale: Scale) -> list[Cell]:
    share = part.results.standing.win_share
    rating: list[Cell] = [Cell("?", ""), Cell("no match counts", "")]
    if part.rating is not None:
        bar = bar_cell(part.rating, scale, part.zero_rating, signed_range(part.rating))
        rating = [Cell(signed(part.rating.estimate), part.rating.estimate), bar]
    return [
        Cell(element("a", part.part, href=f"{part.part}/{REPORT}"), part.part),
        *rating,
        Cell(_opponents(part), min(part.opponents.values(), default=0.0)),
        with_range(percent(share.estimate), percent_range(share), share),
        Cell(f"{part.matches:,}", part.matches),
        Cell(seconds(part.seconds), part.seconds),
    ]


def _opponents(part: PartResult) -> list[Child]:
    ordered = sorted(part.opponents.items(), key=lambda it: -it[1])
    return [[", " if at else "", named(name), f" {signed(rating)}"] for at, (name, rating) in enumerate(ordered)]


def faults_section(parts: Sequence[PartResult]) -> Markup | None:
    """Faults by code, and the first of each part with the command that shows it."""
    faulty = [part for part in parts if part.faults or part.results.first_fault or part.results.counts.forfeits]
    if not faulty:
        return section("faults", "Faults", note("The player made no fault, and left no match."))
    columns = [
        Column("Part", number=False),
        Column("Code", number=False),
        Column("Faults"),
        Column("For each decision"),
    ]
    rows = [
        (part.part, [Cell(part.part, part.part), Cell(code, code), Cell(f"{count:,}", count), _rate(count, part)])
        for part in faulty
        for code, count in part.faults.items()
    ]
    firsts = [element("li", _first_fault(part)) for part in faulty if part.results.first_fault is not None]
    left = [
        element("p", f"{part.part}: left {part.results.counts.forfeits:,} matches before the end.")
        for part in faulty
        if part.results.counts.forfeits
    ]
    return section("faults", "Faults", table("Faults", columns, rows), *left, element("ul", firsts))


def _rate(count: int, part: PartResult) -> Cell:
    rate = count / max(1, part.decisions)
    return Cell(percent(rate), rate)


def _first_fault(part: PartResult) -> list[Child]:
    first = part.results.first_fault
    assert first is not None
    fault = first.fault
    wrote = f"; it wrote: {fault.stderr}" if fault.stderr else ""
    words = f"{part.part}, first fault, in match {first.match}: {fault.kind} {fault.code}, {fault.words}{wrote} "
    return [words, command(first.command) if first.command else ""]


def blunders_section(parts: Sequence[PartResult]) -> Markup | None:
    """How much decisions lose, and the worst of them."""
    judged = [(part, part.blunders) for part in parts if part.blunders is not None]
    if not judged:
        return None
    columns = [
        Column("Part", number=False),
        Column("Judged", "decisions, spread evenly over each match"),
        Column("Blunders"),
        Column("Share"),
        Column("Mean loss", "how much worse than the best choice that was found, over all judged decisions"),
        Column("Played on by", number=False),
        Column("Margin", "the smallest loss that counts"),
    ]
    rows = [(part.part, _judged(part.part, count)) for part, count in judged]
    worst = [(part, blunder) for part, count in judged for blunder in count.worst]
    unjudged = [f"{part.part}: {why}" for part, count in judged for why in count.unjudged]
    words = (
        "Everything that the player could not know was dealt again, and each choice was played on to the end by the "
        "named bot at all seats. A loss is the share of opponents that are no longer ranked after the player. It "
        "counts if it is at least the margin and two standard errors."
    )
    return section(
        "blunders",
        "Blunders",
        note(words),
        table("Blunders", columns, rows),
        element("h3", "The worst") if worst else "",
        _worst(worst) if worst else "",
        [element("p", f"Not judged: {why}") for why in unjudged[:5]],
    )


def _judged(name: str, count: BlunderCount) -> list[Cell]:
    share = count.blunders / max(1, count.judged)
    return [
        Cell(name, name),
        Cell(f"{count.judged:,}", count.judged),
        Cell(f"{count.blunders:,}", count.blunders),
        Cell(percent(share), share),
        Cell(percent(count.mean_loss), count.mean_loss),
        Cell(count.rule.bot, count.rule.bot),
        Cell(percent(count.rule.margin, 0), count.rule.margin),
    ]


def _worst(worst: Sequence[tuple[PartResult, Blunder]]) -> Markup:
    columns = [
        Column("Part", number=False),
        Column("Loss"),
        Column("Played", number=False, wide=True),
        Column("Better", number=False, wide=True),
        Column("See it", number=False, wide=True, sorts=False),
    ]
    rows = [
        (
            part.part,
            [
                Cell(part.part, part.part),
                Cell(percent(blunder.loss, 0), blunder.loss),
                Cell(element("code", blunder.played), blunder.played),
                Cell(element("code", blunder.best), blunder.best),
                Cell(command(blunder.command)),
            ],
        )
        for part, blunder in worst
    ]
    return table("The worst blunders", columns, rows)


def usage_section(parts: Sequence[PartResult]) -> Markup | None:
    """Requests, tokens and cost of models."""
    used = [(part, part.usage) for part in parts if part.usage is not None]
    if not used:
        return None
    titles = ("Requests", "From the cache", "Unreadable", "Failed", "Too late", "Tokens in", "Tokens out")
    columns = [
        Column("Part", number=False),
        *map(Column, titles),
        Column("Tokens for a decision"),
        Column("Cost"),
        Column("Cost of a decision"),
    ]
    rows = []
    for part, usage in used:
        counts = (usage.calls, usage.cached, usage.unreadable, usage.failed, usage.dropped)
        each = max(1, part.decisions)
        tokens = (usage.tokens_in + usage.tokens_out) // each
        cells = [
            Cell(part.part, part.part),
            *(Cell(f"{count:,}", count) for count in (*counts, usage.tokens_in, usage.tokens_out)),
            Cell(f"{tokens:,}", tokens),
            Cell(dollars(usage.nanodollars) if usage.nanodollars else "unknown", usage.nanodollars),
            Cell(dollars(usage.nanodollars // each) if usage.nanodollars else "unknown", usage.nanodollars // each),
        ]
        rows.append((part.part, cells))
    return section("usage", "Tokens and cost", table("Tokens and cost", columns, rows))


def counts_section(parts: Sequence[PartResult]) -> Markup | None:
    """The games' own counts."""
    counted = [(part, words, count) for part in parts for words, count in part.counts.items()]
    if not counted:
        return None
    columns = [Column("Part", number=False), Column("What", number=False), Column("Count"), Column("A match")]
    rows = []
    for part, words, count in counted:
        each = count / max(1, part.matches)
        cells = [Cell(part.part, part.part), Cell(words, words), Cell(f"{count:,}", count), Cell(f"{each:.2f}", each)]
        rows.append((part.part, cells))
    return section("counts", "What the games count", table("What the games count", columns, rows))


def _data_section(result: EvaluationResult) -> Markup:
    data = msgspec.json.format(msgspec.json.encode(result), indent=2).decode()
    return section(
        "data",
        "The data",
        note(f"Made with Parlour {__version__}. The same is in evaluation.json."),
        element("details", element("summary", "All results"), element("pre", data, tabindex="0")),
    )
