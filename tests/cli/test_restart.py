"""A server that has lost its store begins again from it, as often as that is needed."""

from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import pytest
from sqlalchemy.exc import OperationalError

from parlour.cli import arena
from parlour.cli.common import StoreFailed, UserError
from parlour.server.settings import Settings
from parlour.server.startup import LockLost
from parlour.store.database import BadUrl, NewerStore
from parlour.store.failures import StoreGone
from parlour.store.lock import StoreInUse
from tests import turned
from tests.store.stored import kept, running

LOST = LockLost("the session has ended")
FAILED = OperationalError("SELECT 1", {}, Exception("the database is shutting down"))


@pytest.fixture
def url(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'arena.db'}"
    kept(url, running)
    return url


def serve(url: str, errors: Sequence[Exception], monkeypatch: pytest.MonkeyPatch) -> NoReturn:
    """Start a server again and again; each time it ends with the next error, and there are no others."""
    left = [*errors]

    def started(settings: Settings) -> NoReturn:
        raise left.pop(0)

    monkeypatch.setattr(arena, "started", started)
    monkeypatch.setattr(arena, "AGAIN_S", 0.0)
    try:
        turned.run(arena._serve(Settings(store=url)))
    finally:
        assert not left
    raise AssertionError("it has ended")


def test_a_database_that_fails_again_while_the_server_restarts_is_waited_for(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors = [LOST, FAILED, BadUrl("no answer"), StoreGone("closed"), LOST, FAILED, StoreInUse("in use by another")]
    with pytest.raises(UserError, match="store: in use by another"):
        serve(url, errors, monkeypatch)


def test_a_database_that_fails_at_the_first_start_is_not_waited_for(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StoreFailed):
        serve(url, [FAILED], monkeypatch)
    with pytest.raises(UserError, match="store: no answer"):
        serve(url, [BadUrl("no answer")], monkeypatch)


def test_a_store_that_a_newer_release_has_taken_over_is_left_alone(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match="store: of a newer release"):
        serve(url, [LOST, NewerStore("of a newer release")], monkeypatch)
