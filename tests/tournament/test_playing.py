"""One match of a tournament, with good and bad players."""

import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parlour.core import Result
from parlour.games import game
from parlour.players.play import play
from parlour.players.player_specs import load
from parlour.players.terms import Terms
from parlour.referee.replay import verify
from parlour.tournament.playing import Outcome, play_fixture, play_packed
from parlour.tournament.records import MatchResult
from tests.tournament.plans import QUICK, first_round, plan

pytestmark = pytest.mark.timeout(300)  # programs start slowly on a busy machine

EXAMPLES = Path(__file__).parents[2] / "examples"
FIRST = "def bot(view, ask, dice):\n    return ask.choices[0]\n"
REMEMBERS = """
seen = {}

class bot:
    def sit(self, place):
        self.known = place.match in seen
        seen[place.match] = True

    def __call__(self, view, ask, dice):
        return ask.choices[-1 if self.known and KNOWS else 0]
"""


def outcome_of(*players: str, place: int = 0, **keys: Any) -> tuple[Outcome, bytes]:
    it = plan(players, seats=len(players), **keys)
    return play_fixture(it, first_round(it).fixture(place))


def results(it_players: tuple[str, ...]) -> list[MatchResult]:
    it = plan(it_players)
    return [play_fixture(it, fixture)[0].result for fixture in first_round(it).fixtures()]


def untimed(outcome: Outcome) -> Outcome:
    return msgspec.structs.replace(outcome, micros=[], took=0.0)


def test_a_match_of_built_in_bots_is_the_same_every_time_and_its_transcript_verifies() -> None:
    (outcome, transcript), (again, same) = (
        outcome_of("minimum", "random", "random"),
        outcome_of(*QUICK),
    )
    assert untimed(outcome) == untimed(again) and transcript == same
    verdict = verify(transcript, game)
    assert verdict.holds == "yes" and isinstance(verdict.end, Result)
    assert outcome.result.ranks == verdict.end.ranks and outcome.result.scores == verdict.end.scores
    made = outcome.decisions
    assert len(made.seat) == len(outcome.micros) > 30 and not made.fault
    assert [*zip(made.seat, made.ask, strict=True)] == sorted(set(zip(made.seat, made.ask, strict=True)))
    assert b'"do":' + bytes(made.action[0]) in transcript


def test_seatings_of_a_set_have_the_same_deal() -> None:
    it = plan(deals=1)
    headers = [play_fixture(it, fixture)[1].split(b"\n")[0] for fixture in first_round(it).fixtures()]
    assert len({msgspec.json.decode(header)["commit"] for header in headers}) == 1 and len(headers) == 6


def test_python_files_and_commands_play_and_are_the_same_every_time(tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text(FIRST)
    players = (str(tmp_path / "first.py"), f"exec+forsale:sh {EXAMPLES / 'forsale_numbers.sh'}", "minimum")
    one, two = outcome_of(*players)[0], outcome_of(*players)[0]
    assert untimed(one) == untimed(two) and one.result.faults == (0, 0, 0) and not one.faults


def test_a_python_bot_may_print_and_gets_reproducible_dice(tmp_path: Path) -> None:
    source = "def bot(view, ask, dice):\n    print('thinking')\n    return dice.pick(ask.choices)\n"
    (tmp_path / "prints.py").write_text(source)
    players = (str(tmp_path / "prints.py"), "minimum", "random")
    one, two = outcome_of(*players)[0], outcome_of(*players)[0]
    assert untimed(one) == untimed(two) and one.result.faults == (0, 0, 0)


@pytest.mark.parametrize(
    ("source", "code", "stderr"),
    [
        ("def bot(view, ask, dice):\n    return 1 / 0\n", "wrong_shape", "ZeroDivisionError: division by zero"),
        ("def bot(view, ask, dice):\n    raise SystemExit(3)\n", "wrong_shape", "SystemExit: 3"),
        ("import os\ndef bot(view, ask, dice):\n    os._exit(3)\n", "dead", ""),
        ("def bot(view, ask, dice):\n    return object()\n", "wrong_shape", "not an action"),
    ],
)
def test_a_crashing_bot_costs_itself_only(tmp_path: Path, source: str, code: str, stderr: str) -> None:
    (tmp_path / "bad.py").write_text(source)
    outcome, _ = outcome_of("minimum", str(tmp_path / "bad.py"), "minimum", bears=3)
    result = outcome.result
    assert not result.void and result.forfeits == (False, True, False)
    [fault] = outcome.faults
    assert fault.seat == 1 and fault.code == code and stderr in fault.stderr


@pytest.mark.parametrize("command", ["exec:false", "exec:/no/such/program", "exec:echo hello"])
def test_a_command_that_does_not_start_costs_itself_only(command: str) -> None:
    outcome, transcript = outcome_of("minimum", command, "random")
    assert outcome.result.forfeits == (False, True, False) and outcome.left == {1: "did_not_start"}
    assert outcome.faults[0].code == "did_not_start" and outcome.result.faults == (0, 1, 0)
    assert verify(transcript, game).holds == "yes"


def test_a_silent_bot_costs_itself_only(tmp_path: Path) -> None:
    (tmp_path / "silent.py").write_text("def bot(view, ask, dice):\n    while True: pass\n")
    outcome, _ = outcome_of("minimum", str(tmp_path / "silent.py"), "random", limit_s=0.3, bears=1)
    assert outcome.faults[0].kind == "late" and outcome.result.forfeits == (False, True, False)


def test_a_flooding_bot_costs_itself_only() -> None:
    flood = "import sys, json; print(json.dumps({'type': 'hello'})); [print('x' * 1000) for _ in range(10**6)]"
    outcome, _ = outcome_of("minimum", f'exec:{sys.executable} -c "{flood}"', "random", limit_s=1.0, bears=3)
    assert not outcome.result.void and outcome.result.forfeits[1] and outcome.faults[0].seat == 1


def test_a_bot_that_remembers_deals_gains_nothing(tmp_path: Path) -> None:
    """Every match of a duplicate set has a fresh process, so there is nothing to remember."""
    for name, knows in (("remembers", True), ("honest", False)):
        (tmp_path / f"{name}.py").write_text(f"KNOWS = {knows}\n{REMEMBERS}")
    told = [results((str(tmp_path / f"{name}.py"), "random", "minimum")) for name in ("remembers", "honest")]
    assert told[0] == told[1]


def test_a_bot_that_remembers_deals_would_be_found(tmp_path: Path) -> None:
    """In one process it plays the same deal differently the second time."""
    (tmp_path / "remembers.py").write_text(f"KNOWS = True\n{REMEMBERS}")
    specs = [load(game("forsale"), player) for player in (str(tmp_path / "remembers.py"), "random", "minimum")]
    first, second = (play(Terms(game=game("forsale")), specs, b"deal") for _ in range(2))
    assert first.match.head != second.match.head


def test_an_error_of_ours_voids_the_match() -> None:
    it = plan(options={"no": 1}, deals=1)
    broken = msgspec.structs.replace(it, seed="zz")
    outcome = msgspec.json.decode(play_packed(broken, first_round(it).fixture(0)).partition(b"\n")[0], type=Outcome)
    assert outcome.result.void and outcome.void.startswith("ValueError")
