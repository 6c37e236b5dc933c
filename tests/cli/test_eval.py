"""`parlour eval`: a player in every game, its faults and blunders; killed runs go on; wrong suites are explained."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.here import mistake_here as refused
from tests.here import printed

SUITE = """
name = "short"
seed = "05"
deals = 1

[[parts]]
game = "forsale"
opponents = [{ player = "minimum", rating = 100 }, { player = "random", rating = -100 }]
blunders = { bot = "minimum", worlds = 4, decisions = 2, choices = 3 }

[[parts]]
name = "two-seats"
game = "dominion"
opponents = ["random"]
blunders = false
"""
FAULTY = """
def bot(view, ask, dice):
    return None if dice.below(10) == 0 else ask.choices[0]
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    path = tmp_path / "suite.toml"
    path.write_text(SUITE)
    return path


def evaluated(*words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(printed("eval", *words, "--json"))
    return found


def test_a_bot_is_rated_on_the_scale_of_its_opponents_and_judged(tmp_path: Path, suite: Path) -> None:
    out = tmp_path / "out"
    found = evaluated("random", "--suite", str(suite), "--out", str(out))
    first, second = found["parts"]
    assert (first["game"], first["matches"], second["part"]) == ("forsale", 6, "two-seats")
    assert sum(first["opponents"].values()) == pytest.approx(0, abs=1e-6)  # the mean of 100 and -100
    assert first["rating"]["estimate"] < first["opponents"]["minimum"]
    assert first["blunders"]["judged"] and second["blunders"] is None
    assert json.loads((out / "evaluation.json").read_text()) == found
    assert (out / "forsale-3" / "results.json").exists()
    page = (out / "report.html").read_text()
    assert (
        "forsale-3/report.html" in page
        and "Content-Security-Policy" in page
        and (out / "forsale-3/report.html").exists()
    )
    again = evaluated("random", "--suite", str(suite), "--out", str(out), "--resume")
    assert again == found


def test_faults_are_counted_by_code_and_shown_with_a_command(tmp_path: Path) -> None:
    (tmp_path / "faulty.py").write_text(FAULTY)
    words = ["--game", "forsale", "--deals", "1", "--no-blunders", "--seed", "05", "--out", str(tmp_path / "out")]
    told = printed("eval", str(tmp_path / "faulty.py"), *words)
    assert "faults: wrong_shape " in told and "first fault in match" in told and "too few deals" in told
    [command] = [line.split()[1:] for line in told.splitlines() if line.strip().startswith("parlour replay")]
    assert "faulty" in printed(*command)


def test_a_name_stays_text_in_the_report(tmp_path: Path, suite: Path) -> None:
    name = tmp_path / "<img src=x onerror=alert(1)>.py"
    name.write_text(FAULTY)
    evaluated(str(name), "--suite", str(suite), "--no-blunders", "--out", str(tmp_path / "out"))
    page = (tmp_path / "out" / "report.html").read_text()
    assert "<img" not in page and "&lt;img src=x onerror=alert(1)&gt;" in page


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, suite: Path) -> None:
    out, words = tmp_path / "out", ["eval", "random", "--suite", str(suite)]
    run = subprocess.Popen([sys.executable, "-m", "parlour", *words, "--out", str(out), "--json"])
    try:
        while not (out / "forsale-3" / "blunders.jsonl").exists() and run.poll() is None:
            time.sleep(0.01)
    finally:
        run.send_signal(signal.SIGKILL)
        run.wait()
    with (out / "forsale-3" / "blunders.jsonl").open("ab") as file:
        file.write(b'{"match": 3, "deci')  # a line that was cut
    resumed = json.loads(printed(*words, "--out", str(out), "--resume", "--json"))
    whole = json.loads(printed(*words, "--out", str(tmp_path / "whole"), "--json"))
    for part in [*resumed["parts"], *whole["parts"]]:
        part.pop("seconds")
        part["results"].pop("first_fault")
        for blunder in (part["blunders"] or {}).get("worst", []):
            blunder.pop("command")
    assert resumed == whole


def test_a_dry_run_says_what_would_be_played(suite: Path) -> None:
    told = printed("eval", "random", "--suite", str(suite), "--dry-run")
    assert "forsale-3: 6 matches against minimum, random 2" in told and "two-seats: 2 matches against random 2" in told


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('name = "short"', 'names = "short"', "line 2: unknown key 'names'; allowed: name, seed, deals, parts"),
        ('game = "forsale"', 'game = "forsal"', "line 7: there is no game 'forsal'"),
        ('player = "minimum"', 'player = "minimal"', "line 8: unknown player 'minimal'"),
        ("rating = 100", 'rating = "high"', "line 8: rating = high: allowed: Elo points"),
        ('bot = "minimum"', 'bot = "nobody"', "line 9: bot = 'nobody': allowed: random, minimum, thinker"),
        ("worlds = 4", "worlds = 0", "line 9: blunders: "),
        ("worlds = 4", "world = 4", "line 9: blunders: Object contains unknown field `world`"),
        ('opponents = ["random"]', "opponents = []", "line 14: opponents are missing"),
        ('name = "two-seats"', 'name = "forsale-3"', "two parts are named 'forsale-3'"),
        ('name = "two-seats"', 'name = "../up"', "line 12: name = ../up: allowed: letters, digits"),
        ('name = "two-seats"', f'name = "{"x" * 300}"', "allowed: letters, digits, - and _, at most 60"),
        ("blunders = false", "blunders = true", "line 15: blunders = True: allowed: false, or a table of bot"),
        ('seed = "05"', "seed = " + "[" * 5000, "is not TOML that can be read: it has too many levels"),
        ("deals = 1", "deals = 0", "deals = 0: allowed: a whole number"),
        ('seed = "05"', 'seed = "5"', "seed = "),
        ("[[parts]]", "[parts]", "parts are missing"),
        ('seed = "05"', "seed = ", "is not TOML"),
    ],
)
def test_a_wrong_suite_is_explained_in_one_line(suite: Path, old: str, new: str, words: str) -> None:
    text = SUITE.replace(old, new, 1) if old != "[[parts]]" else "[parts]\ngame = 'forsale'\n"
    suite.write_text(text)
    told = refused("eval", "random", "--suite", str(suite), "--dry-run")
    assert words in told and "\n" not in told.strip()


def test_wrong_arguments_are_explained(tmp_path: Path, suite: Path) -> None:
    assert "--out FOLDER is missing" in refused("eval", "random", "--suite", str(suite))
    assert "leave out --game" in refused("eval", "random", "--suite", str(suite), "--game", "maze")
    assert "there is no game 'chess'" in refused("eval", "random", "--game", "chess", "--dry-run")
    assert "PLAYER: unknown player 'nobody'" in refused("eval", "nobody", "--game", "maze", "--dry-run")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    assert "is not empty" in refused("eval", "random", "--suite", str(suite), "--out", str(tmp_path / "full"))
    nothing = refused("eval", "random", "--suite", str(suite), "--out", str(tmp_path / "no"), "--resume")
    assert "has no evaluation to resume" in nothing
    evaluated("random", "--suite", str(suite), "--no-blunders", "--out", str(tmp_path / "other"))
    other = refused("eval", "random", "--suite", str(suite), "--out", str(tmp_path / "other"), "--resume")
    assert "has another evaluation" in other
