"""Every test of the store is one of both databases."""

from pathlib import Path

import pytest

from tests.store.postgres import new_database


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a store that does not exist yet."""
    return new_database() if request.param == "postgresql" else f"sqlite:///{tmp_path / 'arena.db'}"
