"""Findings of For Sale's own audits, where the match goes on: in the transcript, and in the logs of host and arena."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from parlour.cli.hosting import NewMatches
from parlour.client import Client
from parlour.core import Finding, Game, Result, Sitting
from parlour.games import game
from parlour.games.forsale import GAME, audit, faults
from parlour.referee.driver import Watch, drive
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match
from parlour.referee.replay import read_header, resume, verify
from parlour.referee.transcript import Line, check_header, encode, header, read_record
from tests import turned
from tests.games.forsale.faulty import miscounting
from tests.releases import joined, with_header
from tests.server.arenas import House

WORDS = "an estate too many"
FAULTY = miscounting(WORDS)


def its_game(name: str) -> Game[Any]:
    return FAULTY


def new_match(policy: str = "lenient", *, recorded: bool = True) -> Match[Any]:
    head = header(
        FAULTY, [Sitting(name) for name in "abc"], b"seed", options=GAME.rules.options(invariant_policy=policy)
    )
    return Match(FAULTY, head if recorded else replace(head, findings=False), b"seed")


def played(match: Match[Any], watch: Watch | None = None) -> list[bytes]:
    lines: list[bytes] = []
    assert isinstance(drive(match, [GAME.hosting.bots["random"]] * 3, MemoryLog(lines), watch), Result)
    return [*lines, match.reveal()]


def findings(lines: list[bytes]) -> list[str]:
    records = [read_record(line, 1) for line in lines]
    return [found.words for record in records if isinstance(record, Line) for found in record.findings]


def test_a_finding_is_in_the_line_of_the_input_that_showed_it() -> None:
    lines = played(new_match())
    assert findings(lines) == [WORDS] and b'"findings":true' in lines[0]
    assert verify(joined(lines), its_game).holds == "yes"


def test_a_match_with_findings_goes_on_from_any_line() -> None:
    lines = played(new_match())
    for cut in range(1, len(lines) - 2):
        match, out = resume(FAULTY, lines[:cut], b"seed", 0.0)
        assert out.lines == lines[cut : cut + len(out.lines)] and not match.end


def test_findings_can_be_neither_left_out_nor_made_up() -> None:
    lines = played(new_match())
    number = next(n for n, line in enumerate(lines) if n and b'"findings"' in line)
    record: Any = read_record(lines[number], 1)
    for other in ((), (*record.findings, *record.findings)):
        changed = [*lines[:number], encode(replace(record, findings=other)), *lines[number + 1 :]]
        verdict = verify(joined(with_header(changed)), its_game)
        assert (verdict.holds, verdict.line) == ("no", number + 1)
    silent = with_header(lines, findings=False)
    assert verify(joined(silent), its_game).holds == "no"


def test_a_match_that_began_under_the_first_release_records_none() -> None:
    lines = played(new_match(recorded=False))
    assert findings(lines) == [] and b"findings" not in lines[0]
    assert verify(joined(lines), its_game).holds == "yes"


def test_a_strict_match_ends_with_its_first_finding_and_its_header_is_as_ever() -> None:
    strict = new_match("strict").header
    assert b"findings" not in encode(strict)
    with pytest.raises(ValueError, match="it records findings, but its options allow none"):
        check_header(GAME, replace(strict, findings=True))
    other = header(game("maze"), [Sitting("a"), Sitting("b")], b"seed")
    with pytest.raises(ValueError, match="it records findings"):
        check_header(game("maze"), replace(other, findings=True))


def test_no_seat_and_no_spectator_is_told() -> None:
    told: list[Any] = []
    played(new_match(), lambda _, out: told.extend(notice for who in (None, 0, 1, 2) for notice in out.to(who)))
    assert told and not any(isinstance(notice, Finding) for notice in told)


@pytest.mark.parametrize("recorded", [True, False])
def test_a_host_is_told_on_its_terminal(recorded: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr("parlour.cli.hosting.stderr.print", lambda text, **_: said.append(str(text)))
    played(new_match(recorded=recorded), NewMatches(once=True)().watch)
    assert any(WORDS in line for line in said) and any("G0101" in line for line in said)


def test_an_arena_has_it_in_its_log_and_in_the_transcript(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The arena finds its games by itself, so the audit of the sources is replaced."""
    monkeypatch.setattr(
        audit, "auction", lambda state: (faults.WRONG_ESTATE_SIZE, WORDS, {"pid": -1}) if state.round == 2 else None
    )

    async def evening() -> str:
        async with House(tmp_path).open() as hall:
            token = await hall.account("ada")
            options = {"invariant_policy": "lenient"}
            table: str = (await hall.table(token, "forsale", "open", "random", "random", options=options))["table"][
                "id"
            ]
            await Client(hall.url, token).play_async("forsale", GAME.hosting.bots["random"], table=table)
            await hall.over(table)
            lines = (await hall.get(f"/matches/{table}/transcript")).content.splitlines()
            assert findings(lines) == [WORDS] and read_header(lines[0]).findings
            return table

    match = turned.run(evening())
    log = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    (told,) = [line for line in log if line["event"] == "finding"]
    assert (told["level"], told["match"], told["code"], told["words"]) == ("warning", match, "G0101", WORDS)
