"""The kill soak in short: the server is killed while matches are played, and nothing is lost."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.store.postgres import new_database

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.timeout(600)  # a server is started four times, on a machine that may be busy


@pytest.mark.parametrize("database", ["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def test_nothing_is_lost_when_the_server_is_killed(database: str, tmp_path: Path) -> None:
    url = new_database() if database == "postgresql" else f"sqlite:///{tmp_path / 'kill.db'}"
    command = [sys.executable, "bench/kill.py", "--kills", "3", "--tables", "1", "--answers", "60", "--store", url]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("3 kills") and done.stdout.endswith("nothing was lost\n")
