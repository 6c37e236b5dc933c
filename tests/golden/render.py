"""Whole matches as plain text: every input, and what each audience saw of it."""

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from parlour.core import By, Event, Value
from parlour.games import game
from parlour.referee.match import Match
from parlour.referee.replay import replay
from parlour.referee.transcript import Line
from tests.contract.subjects import SUBJECTS
from tests.contract.walk import Case, Walk

FOLDER = Path(__file__).parent


class Golden(Struct, frozen=True):
    """A match to be kept: seeds, house rules, and whether it is a rough one."""

    game: str
    seats: int
    options: Value
    rough: bool


colorfight = game("colorfight").rules.options
dominion = game("dominion").rules.options
forsale = game("forsale").rules.options
maze = game("maze").rules.options
tradecraft = game("tradecraft").rules.options
GOLDEN = {
    "colorfight-2": Golden("colorfight", 2, colorfight(width=3, height=3, max_turn=16), False),
    "colorfight-2-rough": Golden("colorfight", 2, colorfight(width=3, height=2, max_turn=18), True),
    "colorfight-classic-rough": Golden(
        "colorfight", 2, colorfight(ruleset="classic", width=3, height=2, max_turn=18, last_standing_ends=True), True
    ),
    "colorfight-joined-later": Golden(
        "colorfight", 0, colorfight(ruleset="classic", width=2, height=2, max_turn=18, errors="hidden"), True
    ),
    "dominion-2": Golden("dominion", 2, dominion(turn_cap=14), False),
    "dominion-3-rough": Golden("dominion", 3, dominion(turn_cap=10), True),
    "dominion-4-house-rules": Golden(
        "dominion",
        4,
        dominion(turn_cap=8, top_discard_from="hand_or_played", on_silence="forfeit", militia_on_leave="finish"),
        True,
    ),
    "tradecraft-2": Golden("tradecraft", 2, tradecraft(max_turn=5), False),
    "tradecraft-3-rough": Golden("tradecraft", 3, tradecraft(max_turn=6), True),
    "tradecraft-4-house-rules": Golden(
        "tradecraft",
        4,
        tradecraft(
            max_turn=6, whole_batches=True, order="drawn", max_invalid_proposals=1, max_checks=2, decoys=0, fair=False
        ),
        True,
    ),
    "maze-2": Golden("maze", 2, maze(round_cap=12), False),
    "maze-3-rough": Golden("maze", 3, maze(rows=5, columns=6, goals_per_player=2, round_cap=15), True),
    "maze-signed-up": Golden("maze", 0, maze(rows=4, columns=5, extra_goals=1, round_cap=10), False),
    "forsale-3": Golden("forsale", 3, forsale(), False),
    "forsale-4-rough": Golden("forsale", 4, forsale(), True),
    "forsale-5-house-rules": Golden(
        "forsale",
        5,
        forsale(start_coins="by_count", refund_rounding="up", bid_direction="ccw", sell_fallback="random_seeded"),
        True,
    ),
}


def render(name: str) -> str:
    golden = GOLDEN[name]
    case = Case(SUBJECTS[golden.game], golden.seats, golden.options, name.encode(), 0, golden.rough)
    walk = Walk(case).begin().to_end()
    head = f"{golden.game} {walk.match.header.version}, {golden.seats} seats, seed {case.seed.hex()}"
    text = [head, f"options {bytes(walk.match.header.options).decode()}"]
    for step in replay(case.subject.game, walk.lines, case.seed):
        if isinstance(step.record, Line):
            text += told(line_words(step.record, step.match), step.out.notices, len(step.match.names))
    text.append(f"end {walk.match.end!r}")
    return "\n".join(text) + "\n"


def line_words(line: Line, match: Match[Any]) -> str:
    do = msgspec.json.decode(line.do) if bytes(line.do) else None
    action = "" if do is None else f"{do.pop('type')}({', '.join(f'{value}' for value in do.values())})"
    fault = f" for {line.fault.kind} {line.fault.code}" if line.fault else ""
    return f"{'table' if line.by is None else line.by} {action or 'nothing'}{fault}"


def audience_words(audience: list[By], all: int) -> str:
    """Whom a row is for; where one seat knows more, the rest are the others."""
    if len(audience) > 1:
        return "all" if len(audience) == all else "others"
    return str(audience[0])


def told(what: str, notices: list[Any], seats: int) -> list[str]:
    """The input on the left, and on the right the events, each with its audience."""
    rows = []
    everybody: list[By] = [None, *range(seats)]
    for event in notices:
        if isinstance(event, Event):
            audiences: dict[str, list[By]] = {}
            for who in everybody:
                audiences.setdefault(repr(event.seen_by(who)), []).append(who)
            audiences.pop("None", None)
            for seen, audience in sorted(audiences.items(), key=lambda each: len(each[1])):
                rows.append(f"{audience_words(audience, len(everybody))}: {seen}")
    first, *others = rows or [""]
    return [f"{what:42} {first}".rstrip(), *(f"{'':42} {row}" for row in others)]
