"""Settings for every test."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from hypothesis import HealthCheck, settings

from parlour.store import passwords as accounts

pytest_plugins = ["parlour.testing", "pytester"]

settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("steady", settings.get_profile("search"), derandomize=True)
settings.register_profile("brief", settings.get_profile("steady"), max_examples=30)
settings.load_profile("steady")  # the same cases everywhere; `pytest --hypothesis-profile search` draws others

HERE = {"NO_PROXY": "*", "no_proxy": "*", "COLUMNS": "120", "LINES": "40", "TERM": "dumb", "NO_COLOR": "1"}
"""All that we connect to is on this machine, and what is printed looks the same on every one."""
COLOURS = ("FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
for name in [name for name in os.environ if name in COLOURS or name.startswith("PARLOUR_")]:
    del os.environ[name]
os.environ |= HERE

pytest.register_assert_rewrite("tests.players.maze_room", "tests.players.maze_misdeeds", "tests.players.maze_command")

LAST = ("docs", "plugins", "client", "players", "cli", "store", "page", "server")
"""What starts programs and servers comes after what fails quickly, in this order."""
SLOWEST_S = 300
"""For one test of these, on a machine that is slow, and busy with others."""


@pytest.fixture(autouse=True, scope="session")
def _cheap_passwords() -> Iterator[None]:
    """Hash with little work in this process; programs that tests start hash as always."""
    usual = accounts._hasher
    accounts._hasher = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    yield
    accounts._hasher = usual


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Folders that are not named come first; within a folder all stays as it was. Those that are named have time."""
    tests = Path(__file__).parent

    def place(item: pytest.Item) -> int:
        folder = item.path.relative_to(tests).parts[0]
        return LAST.index(folder) + 1 if folder in LAST else 0

    items.sort(key=place)
    for item in items:
        if place(item) and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(SLOWEST_S))
