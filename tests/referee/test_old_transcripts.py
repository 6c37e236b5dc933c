"""Transcripts of earlier releases: a later release with their rules verifies them, and resumes unfinished ones."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from parlour.core import Close, Dice, Game, Void
from parlour.core.options import legacy_values
from parlour.games import game
from parlour.plugins import names
from parlour.referee.match import Match
from parlour.referee.replay import Replay, read_header, resume, verify
from parlour.referee.transcript import End, read_record
from tests.releases import TRANSCRIPTS, is_known, joined, lines_of, named, seed_beside

FINISHED = [path for path in TRANSCRIPTS if seed_beside(path) is None and path.name != "void.jsonl"]
UNFINISHED = [path for path in TRANSCRIPTS if seed_beside(path) is not None]


def test_every_game_has_some() -> None:
    assert {path.parent.name for path in FINISHED} == {path.parent.name for path in UNFINISHED} == set(names())
    told = b"".join(path.read_bytes() for path in FINISHED)
    for kind in ("unreadable", "illegal", "late", "gone", "unasked"):
        assert f'"kind":"{kind}"'.encode() in told
    for part in (b'"type":"Leave"', b'"type":"Join"', b'"start":{', b'"limits":{', b'"briefs":[', b'"bears":'):
        assert part in told


@pytest.mark.parametrize("path", FINISHED, ids=named)
def test_a_finished_one_holds(path: Path) -> None:
    verdict = verify(path.read_bytes(), game)
    assert verdict.holds == ("yes" if is_known(lines_of(path)) else "not replayed"), verdict.why


@pytest.mark.parametrize("path", UNFINISHED, ids=named)
def test_an_unfinished_one_is_played_to_its_end(path: Path) -> None:
    lines, seed = lines_of(path), seed_beside(path)
    assert seed is not None and verify(joined(lines), game).holds == "so far"
    if is_known(lines):
        match, out = resume(game(path.parent.name), lines, seed, 0.0)
        lines += out.lines
        lines += [*to_end(match), match.reveal()]
        verdict = verify(joined(lines), game)
        assert verdict.holds == "yes", verdict.why


def to_end(match: Match[Any]) -> list[bytes]:
    """Go on with bots that answer at once; the table closes rounds in which no seat is asked."""
    lines, dice = [], Dice(match.seed + b"to the end")
    while match.end is None:
        waiting = sorted(seat for seat, open in match.open.items() if open.ask.waits and seat not in match.gone)
        if waiting:
            seat = waiting[0]
            action = match.game.hosting.bots["random"](match.state.view(seat), match.open[seat].ask, dice)
            lines += match.answer(seat, action, 0.0).lines
        else:
            lines += match.table(Close(), 0.0).lines
    return lines


@pytest.mark.parametrize("path", [path for path in TRANSCRIPTS if path.name == "void.jsonl"], ids=named)
def test_a_void_one_replays_up_to_what_came_from_outside(path: Path) -> None:
    lines = lines_of(path)
    if is_known(lines):
        seed = bytes.fromhex(msgspec.json.decode(lines[-1])["seed"])
        taken = Replay(game(path.parent.name), seed)
        for line in lines[:-2]:
            taken.take(line)
    end = read_record(lines[-2], len(lines) - 1)
    assert isinstance(end, End) and isinstance(end.end, Void)


@pytest.mark.parametrize("name", names())
def test_what_old_headers_lack_has_a_legacy_value(name: str) -> None:
    """So an option cannot be added without one: the first release's headers lack it."""
    rules: Game[Any] = game(name)
    for path in TRANSCRIPTS:
        header = read_header(lines_of(path)[0])
        if header.game == name and is_known(lines_of(path)):
            for raw, kind in ((header.options, rules.rules.options), (header.start, rules.rules.start)):
                if kind is not None and bytes(raw):
                    missing = set(kind.__struct_fields__) - set(msgspec.json.decode(raw))
                    assert missing <= set(legacy_values(kind)), f"{named(path)} lacks {missing}"
