"""Write a whole match as plain text: each input, and what each audience was told of it."""

from typing import Any

import msgspec

from parlour.core import By, Event
from parlour.referee.replay import replay
from parlour.referee.transcript import Line
from parlour.testing.subject import Subject
from parlour.testing.walk import Case, Walk


def render(subject: Subject, name: str) -> str:
    """The golden match of that name as text."""
    golden, game = subject.golden[name], subject.game
    options = golden.options or game.hosting.short or game.rules.options()
    case = Case(subject, golden.seats, options, name.encode(), 0, golden.rough)
    walk = Walk(case).begin().to_end()
    head = f"{game.name} {walk.match.header.version}, {golden.seats} seats, seed {case.seed.hex()}"
    text = [head, f"options {bytes(walk.match.header.options).decode()}"]
    for step in replay(game, walk.lines, case.seed):
        if isinstance(step.record, Line):
            text += told(line_words(step.record), step.out.notices, len(step.match.names))
    text.append(f"end {walk.match.end!r}")
    return "\n".join(text) + "\n"


def line_words(line: Line) -> str:
    """An input: who did what, and for which fault."""
    do = msgspec.json.decode(line.do) if bytes(line.do) else None
    action = "" if do is None else f"{do.pop('type')}({', '.join(f'{value}' for value in do.values())})"
    fault = f" for {line.fault.kind} {line.fault.code}" if line.fault else ""
    return f"{'table' if line.by is None else line.by} {action or 'nothing'}{fault}"


def audience_words(audience: list[By], all: int) -> str:
    """The audience of a row: all, one seat, or the others, if one seat is told more."""
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
