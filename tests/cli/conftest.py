"""One arena for all commands that talk to one: it takes seconds to start."""

from collections.abc import Iterator

import pytest

from tests.cli.served import Served


@pytest.fixture(scope="session")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("arena"))
    served.start()
    yield served
    served.kill()


@pytest.fixture(scope="session")
def host(arena: Served) -> str:
    """A token of an account that may set up tables."""
    return arena.token("host", "play", "host")
