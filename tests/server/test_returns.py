"""The soak of returns in short: connections are cut during matches, and every client can return."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.timeout(600)  # it takes some seconds, on a machine that is not busy


def test_nobody_is_forgotten_whose_connection_is_cut() -> None:
    command = [sys.executable, "bench/returns.py", "--seconds", "6", "--stops", "1", "--tables", "1", "--seed", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("seed 1: ") and done.stdout.endswith("nobody was forgotten\n")
