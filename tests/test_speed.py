"""The speed bench runs: on its own, and to compare two checkouts."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.slow
def test_the_bench_measures_every_figure() -> None:
    done = subprocess.run(
        [sys.executable, "bench/speed.py", "--seconds", "0.1"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "yardstick" in done.stdout and "exchanges" in done.stdout
    assert done.stdout.count("CPU-second") >= 20


def test_two_checkouts_are_compared_row_by_row() -> None:
    command = [sys.executable, "bench/compare.py", str(ROOT), str(ROOT), "--rounds", "2", "--rows", "yardstick"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    [row] = done.stdout.splitlines()[1:]
    assert re.fullmatch(r"yardstick: empty calls +\d\.\d\d +\d\.\d\d to \d\.\d\d", row)
