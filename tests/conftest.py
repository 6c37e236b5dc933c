"""Settings for every test."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

pytest.register_assert_rewrite("tests.players.maze_room", "tests.players.maze_misdeeds", "tests.players.maze_command")

LAST = ("docs", "client", "players", "cli", "store", "server")
"""What starts programs and servers comes after what fails quickly, in this order."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Folders that are not named come first; within a folder all stays as it was."""
    tests = Path(__file__).parent

    def place(item: pytest.Item) -> int:
        folder = item.path.relative_to(tests).parts[0]
        return LAST.index(folder) + 1 if folder in LAST else 0

    items.sort(key=place)
