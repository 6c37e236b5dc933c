"""`parlour replay`: what spectators and seats saw, and which faults were made."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from parlour.core import Fault, Sitting
from parlour.games.forsale import GAME, audit, faults
from parlour.referee.driver import drive
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match
from parlour.referee.transcript import encode, header
from tests.here import mistake_here as refused
from tests.here import printed
from tests.releases import FIXTURES, joined, lines_of

OLD = FIXTURES / "release-0.1.0"
FAULTY = OLD / "forsale" / "faults.jsonl"


def recorded(path: Path) -> list[tuple[int, Fault]]:
    """The faults of a transcript, by seat."""
    found = []
    for line in lines_of(path)[1:-2]:
        record = msgspec.json.decode(line)
        if "fault" in record:
            act = record.get("do", {})
            seat = act["seat"] if act.get("type") == "Leave" else record["by"]
            found.append((seat, msgspec.convert(record["fault"], Fault)))
    return found


def shown(path: Path, *words: str, seats: int = 4) -> list[str]:
    """The faults that are shown, with the player's name before them."""
    names = tuple(f"player {seat}: " for seat in range(seats))
    lines = [line.strip() for line in printed("replay", str(path), *words).splitlines()]
    return [line for line in lines if line.startswith(names)]


def begin(found: list[tuple[int, Fault]]) -> list[str]:
    return [f"player {seat}: {fault.kind} {fault.code}, " for seat, fault in found]


def begun(lines: list[str], found: list[tuple[int, Fault]]) -> bool:
    return len(lines) == len(found) and all(map(str.startswith, lines, begin(found)))


def test_a_seat_sees_its_own_faults_and_nobody_elses() -> None:
    for seat in range(4):
        own = [(by, fault) for by, fault in recorded(FAULTY) if by == seat]
        assert own and begun(shown(FAULTY, "--seat", str(seat)), own)


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ([], []),
        (["--seat", "0"], ["target of player 0: 4 torch"]),
        (["--seat", "1"], ["target of player 1: 1 beacon"]),
    ],
)
def test_the_first_hands_of_tradecraft_are_shown_and_to_a_seat_its_own_target(
    words: list[str], target: list[str]
) -> None:
    path = OLD / "tradecraft" / "problem.jsonl"
    _, *lines = [line.strip() for line in printed("replay", str(path), *words).splitlines()]
    assert lines[:3] == ["Hands:", "player 0: 2 coal, 1 dirt", "player 1: 3 stick"]
    assert [line for line in lines if line.startswith("target of ")] == target


def test_a_spectator_sees_none() -> None:
    assert shown(FAULTY) == []


def test_everybodys_faults_are_shown_with_all() -> None:
    assert begun(shown(FAULTY, "--all"), recorded(FAULTY))


def test_what_a_fault_has_cost_is_told() -> None:
    kicked = OLD / "maze" / "faults.jsonl"
    lines = shown(kicked, "--all", seats=6)
    assert begun(lines, recorded(kicked))
    assert [line.partition("(")[2] for line in lines] == [
        "has to leave the match: not_asked)",
        "has to leave the match: late)",
        "has to leave the match: no_such_line)",
        "has to leave the match: junk)",
    ]


def test_the_price_of_a_seat_that_is_gone_is_shown_too() -> None:
    left = OLD / "forsale" / "leaves.jsonl"
    gone = [seat for seat, fault in recorded(left) if fault.kind == "gone"]
    prices = [line for line in shown(left, "--all", seats=6) if ": gone, has left (played instead: " in line]
    assert gone and [line.partition(":")[0] for line in prices] == [f"player {seat}" for seat in gone]


def test_all_seats_are_side_by_side_where_they_saw_different_things() -> None:
    told = printed("replay", str(FAULTY), "--all")
    for seat in range(4):
        assert told.count(f"seen by player {seat}") == 2, "at the beginning and at the end"
        assert told.count(f"player {seat} lays") == 7, "once in each sale, to itself"
    assert "Auction 2:" in told and told.count("player 3 bids 18\n") == 1, "what all saw alike is told once"
    public = printed("replay", str(FAULTY))
    assert "lays" not in public


def test_all_is_for_matches_that_are_over(tmp_path: Path) -> None:
    unfinished = OLD / "forsale" / "unfinished.jsonl"
    words = "--all is for a match that is over: until then each seat's view is its own"
    assert refused("replay", str(unfinished), "--all") == words
    assert begun(shown(unfinished, "--seat", "0"), [it for it in recorded_so_far(unfinished) if it[0] == 0])
    unrevealed = OLD / "forsale" / "unrevealed.jsonl"
    assert "seen by a" in printed("replay", str(unrevealed), "--all")
    assert refused("replay", str(FAULTY), "--all", "--seat", "1") == "--all shows all seats, and --seat one; choose"


def recorded_so_far(path: Path) -> list[tuple[int, Fault]]:
    records = [msgspec.json.decode(line) for line in lines_of(path)[1:]]
    return [(it["by"], msgspec.convert(it["fault"], Fault)) for it in records if "fault" in it]


def test_a_seat_that_joined_later_can_be_looked_at() -> None:
    signed_up = OLD / "maze" / "signed-up.jsonl"
    own = printed("replay", str(signed_up), "--seat", "1")
    assert own != printed("replay", str(signed_up)) and "Result" in own
    assert refused("replay", str(signed_up), "--seat", "3") == "--seat 3: there are seats 0 to 2"
    assert "Result" in printed("replay", str(signed_up), "--all")


@pytest.mark.parametrize("name", ["dominion/lines", "maze/faults", "colorfight/joins", "tradecraft/faults"])
def test_every_game_can_be_shown_to_all(name: str) -> None:
    path = OLD / f"{name}.jsonl"
    assert "Result" in printed("replay", str(path), "--all")


def test_findings_of_audits_are_shown_with_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def found(state: Any) -> Any:
        return (faults.WRONG_ESTATE_SIZE, "an estate too many", {"pid": -1}) if state.round == 2 else None

    monkeypatch.setattr(audit, "auction", found)
    head = header(GAME, [Sitting(name) for name in "abc"], b"s", options=GAME.rules.options(invariant_policy="lenient"))
    match: Match[Any] = Match(GAME, head, b"s")
    lines: list[bytes] = []
    drive(match, [GAME.hosting.bots["random"]] * 3, MemoryLog(lines))
    path = tmp_path / "m.jsonl"
    path.write_bytes(joined([*lines, match.reveal()]))
    assert "G0101" in printed("replay", str(path), "--all")
    assert "G0101" not in printed("replay", str(path), "--seat", "0")


@pytest.mark.parametrize("act", [b"5", b"[]", b'"Join"', b'{"type":5}', b'{"type":"Join","name":5}', b'{"name":"x"}'])
def test_a_forged_act_of_the_table_is_answered_in_one_line(tmp_path: Path, act: bytes) -> None:
    lines = lines_of(OLD / "colorfight" / "joins.jsonl")
    first = msgspec.json.decode(lines[1])
    forged = tmp_path / "m.jsonl"
    forged.write_bytes(joined([lines[0], encode({**first, "do": Raw(act)}), *lines[2:]]))
    for words in ((), ("--seat", "1"), ("--all",)):
        said = refused("replay", str(forged), *words)
        assert "line 2" in said and "\n" not in said


def test_a_replay_may_begin_in_any_position() -> None:
    whole = printed("replay", str(FAULTY), "--seat", "0").splitlines()
    moves = len(lines_of(FAULTY)) - 3
    for at in (1, moves // 2, moves - 1):
        later = printed("replay", str(FAULTY), "--seat", "0", "--at", str(at)).splitlines()
        table = next(place for place, line in enumerate(later) if line.startswith("└"))
        told = [line for line in later[table + 1 :] if not line.startswith("Your ")]
        assert 0 < len(told) < len(whole) and whole[-len(told) :] == told
    assert f"--at {moves + 1}: the match has {moves} moves" in refused("replay", str(FAULTY), "--at", str(moves + 1))
