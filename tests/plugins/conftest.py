"""Liar's Dice is built and installed once."""

from pathlib import Path

import pytest

from tests.here import ROOT
from tests.plugins.packages import build, without_entry_points


@pytest.fixture(scope="session")
def liars_dice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the package is installed."""
    return build(ROOT / "examples" / "liars_dice", tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="session")
def no_games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that hides the entry points of Parlour's own games, venues and commands."""
    return without_entry_points(tmp_path_factory.mktemp("no_games"))
