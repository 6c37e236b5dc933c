"""`parlour admin check` on stores that are damaged: plain words, and a status of its own."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from parlour.cli.admin import DAMAGED
from parlour.cli.arguments import app
from tests.here import here as parlour
from tests.store.stored import kept, running


def empty(file: Path) -> None:
    file.write_bytes(b"")


def junk(file: Path) -> None:
    file.write_bytes(b"not a database\n" * 1000)


def truncated(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def spoilt(file: Path) -> None:
    data = bytearray(file.read_bytes())
    for page in range(4096, len(data), 4096):
        data[page : page + 64] = b"\xff" * 64
    file.write_bytes(data)


def without(table: str) -> Callable[[Path], None]:
    def drop(file: Path) -> None:
        with closing(sqlite3.connect(file)) as connection:
            connection.execute(f"DROP TABLE {table}")
            connection.commit()

    return drop


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (empty, "it is empty: there are no tables"),
        (junk, "file is not a database"),
        (truncated, "database disk image is malformed"),
        (spoilt, "database disk image is malformed"),
        (without("lines"), "the table lines is missing"),
        (without("rooms"), "the table rooms is missing"),
        (without("alembic_version"), "the table alembic_version is missing"),
    ],
)
def test_a_damaged_store_is_told_in_words(
    tmp_path: Path, harm: Callable[[Path], None], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    url, file = f"sqlite:///{tmp_path / 'arena.db'}", tmp_path / "arena.db"
    kept(url, running)
    harm(file)
    harmed = file.read_bytes()
    status = app(["admin", "check", "--store", url], standalone_mode=False)
    told = capsys.readouterr()
    assert status == DAMAGED and words in told.out.lower()
    assert told.err == f"{url} is damaged; restore a backup\n"
    assert file.read_bytes() == harmed, "nothing is changed"


def test_the_status_is_the_program_s(tmp_path: Path) -> None:
    (tmp_path / "arena.db").write_bytes(b"junk" * 1000)
    done = parlour("admin", "check", "--store", "sqlite:///arena.db", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (
        3,
        "file is not a database\n",
        "sqlite:///arena.db is damaged; restore a backup\n",
    )
