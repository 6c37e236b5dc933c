"""Models on the command line: matches, their records and costs, and tournaments."""

import json
import os
import subprocess
import sys
from pathlib import Path

from parlour.players.models.call_records import read_calls
from tests.here import ROOT, here, mistake_here, printed
from tests.models.server import KEY, ModelServer

MODEL = "model:local/good?price_in=2&price_out=10"


def test_a_match_tells_what_models_took_and_keeps_their_prompts(server: ModelServer, tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    told = printed("match", "forsale", MODEL, "minimum", "random", "--seed", "05", "--record", str(file))
    rows = [line for line in told.splitlines() if "local/good" in line]
    assert len(rows) == 1 and "1,600" in rows[0] and "$0.0048" in rows[0]
    assert f"Prompts and answers are in {tmp_path / 'm.models.jsonl'}" in told
    assert len(read_calls(tmp_path / "m.models.jsonl")) == 16
    shown = printed("replay", str(file), "--models")
    assert "You play For Sale" in shown and "[the model]" in shown and "answered: " in shown
    assert mistake_here("replay", str(file), "--models", "--seat", "1") == "--models: no model was asked at seat 1"
    assert KEY not in told + shown + file.read_text() + (tmp_path / "m.models.jsonl").read_text()
    assert "exists" in mistake_here("match", "forsale", MODEL, "minimum", "random", "--record", str(file))
    assert printed("verify", str(file))


def test_many_matches_as_json_have_the_sums(server: ModelServer, tmp_path: Path) -> None:
    words = ("match", "forsale", MODEL, "minimum", "random", "--games", "2", "--json", "--seed", "05")
    told = json.loads(printed(*words, "--record", str(tmp_path / "all")))
    usage, *others = told["models"]
    assert usage["calls"] == len(server.of("good")) and others == [None, None]
    assert {path.name for path in (tmp_path / "all").glob("*.models.jsonl")} == {
        "000001.models.jsonl", "000002.models.jsonl",
    }  # fmt: skip
    checked = here("verify", str(tmp_path / "all"))
    assert checked.returncode == 0 and "2 transcripts; holds: 2" in checked.stdout and not checked.stderr.strip()


def test_a_cached_match_costs_nothing(server: ModelServer, tmp_path: Path) -> None:
    words = ("match", "forsale", MODEL, "minimum", "random", "--seed", "05", "--model-cache", str(tmp_path))
    try:
        first = json.loads(printed(*words, "--json"))
        server.requests.clear()
        again = json.loads(printed(*words, "--json"))
    finally:
        os.environ.pop("PARLOUR_MODEL_CACHE", None)
    assert not server.requests and again["models"][0]["cached"] == 16 and again["models"][0]["nanodollars"] == 0
    assert first["scores"] == again["scores"]


def test_mistakes_are_one_line(server: ModelServer, tmp_path: Path) -> None:
    match = ("match", "forsale", "minimum", "random")
    assert mistake_here(*match, "model:nowhere/x").startswith("model:nowhere/x: unknown provider 'nowhere'")
    try:
        assert "write an amount in dollars" in mistake_here(*match, "random", "--model-budget", "much")
        assert "a budget needs its prices" in mistake_here(*match, "model:local/x", "--model-budget", "1")
    finally:
        os.environ.pop("PARLOUR_MODEL_BUDGET", None)
    file = tmp_path / "m.jsonl"
    printed("match", "forsale", "minimum", "random", "random", "--record", str(file))
    assert mistake_here("replay", str(file), "--models").startswith("--models: there is no ")
    url = "http://127.0.0.1:1"
    assert mistake_here("join", url, "forsale", "random", "--model-log", "x") == "--model-log: the player is no model"


def test_a_person_plays_against_a_model(server: ModelServer) -> None:
    done = here("play", "forsale", "model:local/good", "random", stdin="q\n")
    assert done.returncode == 0 and "local/good" in done.stdout


def test_a_tournament_keeps_records_and_shares_its_ceiling(server: ModelServer, tmp_path: Path) -> None:
    cup = tmp_path / "cup"
    players = [word for player in (MODEL, "minimum", "random") for word in ("--player", player)]
    command = [sys.executable, "-m", "parlour", "tournament", "--game", "forsale", *players, "--deals", "1"]
    command += ["--seed", "05", "--out", str(cup), "--workers", "2", "--model-budget", "10"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr
    assert "local/good" in done.stdout
    [sums] = json.loads((cup / "models" / "usage.json").read_text())
    assert sums["player"] == "good" and sums["usage"]["calls"] == len(server.of("good"))
    calls = [call for file in (cup / "models").glob("match-*.jsonl") for call in read_calls(file)]
    assert len(calls) == sums["usage"]["calls"] and (cup / "models").stat().st_mode & 0o777 == 0o700
    kept = b"".join(path.read_bytes() for path in cup.rglob("*") if path.is_file())
    assert KEY.encode() not in kept and KEY not in done.stdout + done.stderr
