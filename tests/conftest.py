"""Settings for every test."""

import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")

pytest.register_assert_rewrite("tests.players.maze_room", "tests.players.maze_misdeeds", "tests.players.maze_command")
