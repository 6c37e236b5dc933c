"""The programs that the bench of environments compares with: their pins, and errors that say what to do."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.here import ROOT

RUNS = ROOT / "bench" / "peer_runs.py"
PINS = sorted((ROOT / "bench" / "peers").glob("*.txt"))


def mistake(*words: str) -> str:
    done = subprocess.run([sys.executable, str(RUNS), *words], capture_output=True, text=True)
    assert done.returncode == 1 and not done.stdout
    return done.stderr.strip()


@pytest.mark.parametrize("pins", PINS, ids=[path.stem for path in PINS])
def test_every_package_is_pinned_and_no_host_is_named(pins: Path) -> None:
    lines = [line for line in pins.read_text().splitlines() if not line.startswith("#")]
    assert lines and all(re.fullmatch(r"[\w-]+==[\d.]+", line) for line in lines)
    assert not any(line.startswith("torch") for line in lines)


def test_mistakes_are_named() -> None:
    assert mistake("install", "nobody") == ("unknown peer 'nobody'. Peers: openspiel, pettingzoo, pyminion, rlcard")
    assert mistake("run", "nobody", "script.py").startswith("unknown peer 'nobody'")
    assert mistake("play").startswith("usage: peer_runs.py install")


@pytest.mark.slow
def test_the_bench_measures_our_environments() -> None:
    command = [sys.executable, "bench/environments.py", "--seconds", "0.05"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "For Sale, 4 seats: AEC" in done.stdout and "tradeCraft" in done.stdout
