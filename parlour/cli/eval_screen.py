"""The results of an evaluation on the screen."""

from math import isfinite
from typing import Any

from rich.console import Console
from rich.text import Text

from parlour.cli.tables import table_of
from parlour.players.models.budgets import dollars
from parlour.players.models.call_records import ModelUsage
from parlour.tournament.evaluation import BlunderCount, EvaluationResult, PartResult
from parlour.tournament.rehearsal import PromptEstimate
from parlour.tournament.resampling import Interval

MOST_BLUNDERS = 3
"""Blunders of each part that are printed."""
MOST_LETTERS = 60


def print_evaluation(console: Console, result: EvaluationResult) -> None:
    """A row for each part, then what went wrong."""
    figures = (">matches", ">rating (95%)", ">win share", ">faults", ">blunders")
    table = table_of("part", *figures, title=f"{result.player}, suite {result.suite}")
    for part in result.parts:
        table.add_row(*_row(part))
    console.print(table)
    for part in result.parts:
        for line in _remarks(part):
            console.print(line, soft_wrap=True)


def _row(part: PartResult) -> list[Text]:
    rating, counts = part.rating, part.results.counts
    share = "-" if rating is None else f"{part.results.standing.win_share.estimate:.3f}"
    return [
        Text(part.part),
        Text(f"{part.matches:,}"),
        Text("-" if rating is None else _interval(rating)),
        Text(share),
        Text(str(counts.faults or "-"), "red" if counts.faults else ""),
        Text("-" if part.blunders is None else f"{part.blunders.blunders} of {part.blunders.judged}"),
    ]


def _interval(rating: Interval) -> str:
    known = isfinite(rating.low) and isfinite(rating.high)
    return f"{rating.estimate:+.0f} ({f'{rating.low:+.0f} to {rating.high:+.0f}' if known else 'too few deals'})"


def _remarks(part: PartResult) -> list[Text]:
    """The meaning of the scale, and the first fault and the worst blunders with the commands that show them."""
    scale = f"{part.zero_rating:+.0f}" if part.zero_rating else "0"
    opponents = ", ".join(f"{name} {rating:+.0f}" for name, rating in part.opponents.items())
    lines = [Text(f"{part.part}: {' and '.join(part.anchors)} at {scale}; opponents: {opponents}")]
    lines.append(Text(f"  {part.decisions:,} decisions, {in_seconds(part.seconds)} each"))
    if part.usage is not None:
        lines.append(Text(f"  {_usage(part.usage, part.decisions)}"))
    if part.counts:
        lines.append(Text("  " + ", ".join(f"{words}: {count}" for words, count in part.counts.items())))
    if part.results.counts.forfeits:
        lines.append(Text(f"  left {part.results.counts.forfeits} matches before the end", "red"))
    if part.faults:
        lines.append(Text("  faults: " + ", ".join(f"{code} {count}" for code, count in part.faults.items()), "red"))
    if (first := part.results.first_fault) is not None:
        fault = first.fault
        words = f"  first fault in match {first.match}: {fault.kind} {fault.code}, {fault.words}"
        lines.append(Text(words + (f"; it wrote: {fault.stderr}" if fault.stderr else ""), "red"))
        lines += [Text(f"    {first.command}")] if first.command else []
    return lines + ([] if part.blunders is None else _blunders(part.blunders))


def _blunders(count: BlunderCount) -> list[Text]:
    lines: list[Any] = []
    for blunder in count.worst[:MOST_BLUNDERS]:
        words = f"{_short(blunder.played)} instead of {_short(blunder.best)}"
        lines.append(Text(f"  blunder: {words} lets {blunder.loss:.0%} more of the opponents be ranked before it"))
        lines.append(Text(f"    {blunder.command}"))
    if count.unjudged:
        lines.append(Text(f"  {len(count.unjudged)} matches were not judged; {count.unjudged[0]}", "red"))
    return lines


def _short(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 1]}…"


def in_seconds(seconds: float) -> str:
    """A short time in words."""
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{seconds * 1000:.1f} ms" if seconds >= 1e-4 else "under 0.1 ms"


def _usage(usage: ModelUsage, decisions: int) -> str:
    """Requests, tokens and cost of a model, in all and for a decision."""
    each = max(1, decisions)
    cost = (
        f"; {dollars(usage.nanodollars)}, {dollars(usage.nanodollars // each)} a decision" if usage.nanodollars else ""
    )
    trouble = [
        (usage.unreadable, "unreadable"),
        (usage.failed, "failed"),
        (usage.dropped, "too late"),
        (usage.cached, "from the cache"),
    ]
    noted = "".join(f", {count:,} {words}" for count, words in trouble if count)
    per_decision = (usage.tokens_in + usage.tokens_out) // each
    tokens = f"{usage.tokens_in:,} + {usage.tokens_out:,} tokens, {per_decision:,} a decision"
    return f"{usage.calls:,} requests{noted}; {tokens}{cost}"


def estimate_words(estimate: PromptEstimate) -> str:
    """An estimate of the decisions, tokens and cost of a model."""
    cost = (
        f", {dollars(estimate.nanodollars)}"
        if estimate.nanodollars
        else "; add price_in and price_out to know the cost"
    )
    tokens = f"{estimate.tokens_in:,} + {estimate.tokens_out:,} tokens"
    return f"about {estimate.decisions:,} decisions of the model, {tokens}{cost}"
