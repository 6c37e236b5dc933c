"""Migrations are frozen: what they do to an old store must not change with the rest of the code."""

import ast
from pathlib import Path

import pytest

from parlour.store import migrations

VERSIONS = sorted((Path(migrations.__file__).parent / "versions").glob("0*.py"))


def imported(path: Path) -> set[str]:
    """The packages that a module imports, wherever it does."""
    nodes = [*ast.walk(ast.parse(path.read_text()))]
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "." for node in nodes if isinstance(node, ast.ImportFrom)}
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("path", VERSIONS, ids=lambda path: path.stem)
def test_a_migration_imports_nothing_of_ours(path: Path) -> None:
    assert imported(path) <= {"alembic", "argon2", "sqlalchemy"}


def test_there_are_migrations_to_look_at() -> None:
    assert len(VERSIONS) >= 7 and "parlour" in imported(Path(migrations.__file__).parent / "env.py")
