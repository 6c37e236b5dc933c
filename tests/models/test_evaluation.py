"""A model is evaluated: its requests are counted, and a dry run estimates them without asking it."""

import json
from pathlib import Path

import pytest

from tests.here import printed
from tests.models.server import ModelServer

PRICES = "price_in=2&price_out=10"
SUITE = """
seed = "05"
deals = 1

[[parts]]
game = "forsale"
opponents = ["minimum", "random"]
blunders = false
"""


def test_a_dry_run_asks_nobody_and_estimates_what_a_run_then_takes(server: ModelServer, tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text(SUITE)
    words = ["eval", f"model:local/good?{PRICES}", "--suite", str(tmp_path / "suite.toml"), "--json"]
    told = json.loads(printed(*words, "--dry-run"))["parts"][0]
    estimate = told["model"]
    assert not server.requests and told["matches"] == 6 and told["seconds_per_match"] is None
    assert estimate["nanodollars"] == estimate["tokens_in"] * 2000 + estimate["tokens_out"] * 10_000 > 0
    [part] = json.loads(printed(*words, "--out", str(tmp_path / "out")))["parts"]
    assert part["usage"]["calls"] == part["decisions"] == len(server.requests)
    assert part["usage"]["tokens_in"] == 100 * len(server.requests)
    assert estimate["decisions"] == pytest.approx(part["decisions"], rel=0.5)
    prompts = sum(len(json.dumps(request.body["messages"])) for request in server.requests)
    assert estimate["tokens_in"] * 4 == pytest.approx(prompts, rel=0.5)


def test_words_of_a_dry_run_and_of_a_run(server: ModelServer, tmp_path: Path) -> None:
    (tmp_path / "suite.toml").write_text(SUITE)
    words = ["eval", "model:local/good", "--suite", str(tmp_path / "suite.toml")]
    told = printed(*words, "--dry-run")
    assert "decisions of the model, " in told and "add price_in and price_out to know the cost" in told
    told = printed(*words, "--out", str(tmp_path / "out"))
    assert f"{len(server.requests):,} requests; " in told and "110 a decision" in told
