"""The example players really play, at real hosts and as real commands."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from parlour.core import Result
from parlour.games import game
from parlour.games.tradecraft.setup import prepare
from parlour.players.play import play
from parlour.players.player_specs import load
from parlour.players.terms import Terms
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match, Out
from parlour.referee.replay import verify
from parlour.referee.transcript import Limits
from tests.docs.hosts import ENVIRONMENT, PATIENCE_S, ROOT, hosting
from tests.players.children import unhurried

TRADECRAFT = game("tradecraft")
PAGE = (ROOT / "docs" / "games" / "tradecraft.md").read_text()
[LIGHTS] = re.findall(r'```json\n(\{"hands": .*?)```', PAGE, re.S)
TORCHES = '{"hands": [{"coal": 2, "dirt": 1}, {"stick": 3}], "targets": [{"torch": 4}, {"cake": 1}], "max_turn": 4}'
GLASS = '{"hands": [{"sand": 1, "dirt": 2}, {"coal": 1}], "targets": [{"glass": 1}, {"cake": 1}], "max_turn": 4}'
LINES = f"exec+tradecraft:{sys.executable} {ROOT / 'examples' / 'tradecraft_lines.py'}"


def example(name: str, *words: object) -> "subprocess.Popen[str]":
    command = [sys.executable, str(ROOT / "examples" / name), *map(str, words)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)


def ending(player: "subprocess.Popen[str]") -> tuple[int, str, str]:
    told, complained = player.communicate(timeout=PATIENCE_S)
    return player.returncode, told, complained


def test_the_turn_on_the_games_page_is_played_like_that(tmp_path: Path) -> None:
    state, record = tmp_path / "lights.json", tmp_path / "m.jsonl"
    state.write_text(LIGHTS)
    with hosting("--state", str(state), "--once", "--record", str(record)) as host:
        ada = example("tradecraft_lines.py", host.port, "ada")
        host.until("ada sits down")
        bob = example("tradecraft_lines.py", host.port, "bob")
        for player in (ada, bob):
            assert ending(player) == (0, "", "win {'ada': 3, 'bob': 0}\n")
        assert host.result()["scores"] == [3, 0]
    command = [sys.executable, "-m", "parlour", "replay", str(record), "--seat", "0"]
    replay = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, check=True, timeout=PATIENCE_S)
    seen = [line for line in replay.stdout.splitlines() if line != "  bob is done crafting."]
    blocks = re.findall(r"```text\n(.*?)```", PAGE[: PAGE.index("### Play, watch, host")], re.S)
    told = "".join(blocks).splitlines()
    assert seen[: len(told)] == told and seen[len(told)].startswith("Result")


def test_two_who_speak_lines_play_a_made_up_problem_without_a_fault() -> None:
    lines: list[bytes] = []
    faults: list[Any] = []

    def watch(match: Match[Any], out: Out) -> None:
        faults.extend(notice for notice in out.notices if hasattr(notice, "fault"))

    terms = Terms(game=TRADECRAFT, limits=Limits(60_000), handshake_s=60.0)
    with unhurried():
        played = play(
            terms, [load(TRADECRAFT, LINES), load(TRADECRAFT, LINES)], bytes.fromhex("c0ffee"), MemoryLog(lines), watch
        )
    assert isinstance(played.end, Result) and max(played.end.scores) > 0
    assert (faults, played.match.gone, played.endings) == ([], {}, {})
    assert verify(b"".join(line + b"\n" for line in lines), game).holds == "yes"


def test_a_player_that_speaks_lines_smelts_with_exact_fuel() -> None:
    terms = Terms(game=TRADECRAFT, start=prepare(GLASS), limits=Limits(60_000), handshake_s=60.0)
    with unhurried():
        played = play(terms, [load(TRADECRAFT, LINES), load(TRADECRAFT, LINES)], b"seed")
    assert isinstance(played.end, Result) and played.end.scores == (3, 0)


def test_two_on_socket_io_play_in_a_hall(tmp_path: Path) -> None:
    state = tmp_path / "glass.json"
    state.write_text(GLASS)
    with hosting("--state", str(state), web=True) as host:
        ada = example("tradecraft_socketio.py", host.web_port, "ada")
        host.until("ada sits down")
        bob = example("tradecraft_socketio.py", host.web_port, "bob")
        for player in (ada, bob):
            assert ending(player) == (0, "win {'ada': 3, 'bob': 0}\n", "")
        assert host.result()["scores"] == [3, 0]


def test_lines_and_socket_io_meet_at_one_table(tmp_path: Path) -> None:
    state = tmp_path / "torches.json"
    state.write_text(TORCHES)
    with hosting("--state", str(state), web=True) as host:
        ada = example("tradecraft_socketio.py", host.web_port, "ada")
        host.until("ada sits down")
        bob = example("tradecraft_lines.py", host.port, "bob")
        for player in (ada, bob):
            code, told, complained = ending(player)
            assert (code, told + complained) == (0, "win {'ada': 3, 'bob': 0}\n")
        result = host.result()
        assert (result["players"], result["scores"]) == (["ada", "bob"], [3, 0])


def test_a_player_that_is_not_let_in_or_loses_the_host_says_so() -> None:
    with hosting(web=True) as host:
        first = example("tradecraft_socketio.py", host.web_port, "ada")
        host.until("ada sits down")
        second = example("tradecraft_socketio.py", host.web_port, "ada")
        assert ending(second) == (1, "", "somebody has that name\n")
    assert ending(first) == (1, "", "the connection is lost\n")
