"""Settings for the tests of the contract."""

from collections.abc import Iterator

import pytest
from hypothesis import Phase, settings


@pytest.fixture(scope="module")
def unshrunk() -> Iterator[None]:
    """For tests that expect failures: the first one is enough."""
    usual = settings.default
    settings.register_profile("unshrunk", usual, phases=[Phase.generate], print_blob=False)
    settings.load_profile("unshrunk")
    yield
    settings.load_profile("steady")
