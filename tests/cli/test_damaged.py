"""Commands on a damaged store: one line in the database's words, and no traceback, statement or value."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from parlour.cli.admin import with_store
from parlour.cli.arena import run_arena
from parlour.cli.arguments import app
from parlour.cli.common import StoreFailed
from parlour.store.store import Store
from tests.cli.test_admin_check import without
from tests.here import here
from tests.store.stored import kept, running


def with_a_spoilt_table(name: str) -> Callable[[Path], None]:
    """Overwrite the first page of a table; all others stay as they are."""

    def spoil(file: Path) -> None:
        with closing(sqlite3.connect(file)) as connection:
            [page] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
            [size] = connection.execute("PRAGMA page_size").fetchone()
        with file.open("r+b") as data:
            data.seek((page - 1) * size)
            data.write(b"\xff" * 64)

    return spoil


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "arena.db"


NO_SEATS = (without("seats"), "no such table: seats")
NO_MATCHES = (with_a_spoilt_table("matches"), "database disk image is malformed")


@pytest.mark.parametrize("command", ["matches", "stop MATCH"])
@pytest.mark.parametrize(("harm", "words"), [NO_SEATS, NO_MATCHES])
def test_a_command_on_a_damaged_store_fails_in_one_line(
    file: Path, harm: Callable[[Path], None], words: str, command: str
) -> None:
    url = f"sqlite:///{file}"
    match = kept(url, running)
    harm(file)
    with pytest.raises(StoreFailed) as told:
        app(["admin", *command.replace("MATCH", match).split(), "--store", url], standalone_mode=False)
    assert str(told.value) == f"{url} failed: {words}"


def test_a_server_on_a_damaged_store_fails_in_one_line(file: Path) -> None:
    kept(f"sqlite:///{file}", running)
    without("seats")(file)
    with pytest.raises(StoreFailed) as told:
        run_arena(None, port=0, store=f"sqlite:///{file}")
    assert str(told.value) == f"sqlite:///{file} failed: no such table: seats"


def test_that_line_is_printed(file: Path) -> None:
    kept(f"sqlite:///{file}", running)
    without("seats")(file)
    done = here("admin", "matches", "--store", "sqlite:///arena.db", cwd=file.parent)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "parlour: sqlite:///arena.db failed: no such table: seats\n"


def test_values_are_not_in_the_words(file: Path) -> None:
    url = f"sqlite:///{file}"
    kept(url, running)
    without("accounts")(file)

    async def work(store: Store) -> None:
        await store.add_account("ada", "a-secret-hash")

    with pytest.raises(StoreFailed) as told:
        with_store(url, work)
    assert "no such table" in str(told.value) and "secret" not in str(told.value)
    assert "INSERT" not in str(told.value)
