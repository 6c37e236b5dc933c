"""The example that trains a policy for For Sale: what it writes is a bot that beats `random`."""

import subprocess
import sys
from pathlib import Path

import pytest

from parlour import plugins
from parlour.core import Result, Sitting
from parlour.players.player_specs import LocalSpec, load
from parlour.referee.driver import drive
from parlour.referee.match import Match
from parlour.referee.transcript import header
from tests.here import ROOT, here

TRAIN = ROOT / "examples" / "forsale_policy.py"


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bot after a short training."""
    out = tmp_path_factory.mktemp("policy") / "trained.py"
    subprocess.run([sys.executable, str(TRAIN), "--matches", "1280", "--seed", "1", "--out", str(out)], check=True)
    return out


def test_it_wins_against_random_more_often_than_chance_explains(trained: Path) -> None:
    game, matches, wins = plugins.game("forsale"), 120, 0
    spec = load(game, str(trained))
    assert isinstance(spec, LocalSpec)
    for number in range(matches):
        seed, seat = b"policy %d" % number, number % 4
        bots = [game.hosting.bots["random"]] * 4
        bots[seat] = spec.make()
        end = drive(Match(game, header(game, [Sitting("bot")] * 4, seed), seed), bots)
        assert isinstance(end, Result)
        wins += end.ranks[seat] == 1
    # Of 120 matches of four equals each wins about 30; more than 52 happens once in 100,000 times.
    assert wins > 52, wins


def test_it_plays_where_players_are_named(trained: Path) -> None:
    played = here("match", "forsale", str(trained), "random", "random")
    assert played.returncode == 0 and "trained" in played.stdout
