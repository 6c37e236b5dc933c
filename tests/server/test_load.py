"""The load bench in short: a few matches over sockets, all of whose moves are counted, and nobody is refused."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.timeout(300)  # a server is started, on a machine that may be busy


@pytest.mark.parametrize("way", ["websocket", pytest.param("tcp", marks=pytest.mark.slow)])
def test_matches_are_held_and_their_moves_are_counted(way: str) -> None:
    command = [sys.executable, "bench/load.py", "--matches", "5", "--seconds", "2", "--rate", "200", "--way", way]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    heads, _, cells, _, kept, *troubles = done.stdout.splitlines()
    row = dict(zip(heads.split(" | "), cells.split(" | "), strict=True))
    assert int(row["durable moves/s"].replace(",", "")) > 0 and int(row["seen by bots"].replace(",", "")) > 0
    assert kept.startswith("5 matches at once") and kept.endswith("0 wrong") and troubles == []
