"""Nothing outside the games, their venues and their commands names a game; every package has its layer."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from parlour import plugins

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "parlour"
OF_GAMES = ("games", "venues", "commands")
NAMES = [word for game in plugins.games() for word in (game.name, game.title)]
NAMING = re.compile(rf"\b({'|'.join(map(re.escape, NAMES))})\b")


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] not in OF_GAMES)


def test_no_module_outside_the_games_names_one() -> None:
    found = {
        f"{path.relative_to(ROOT)}:{number}": line.strip()
        for path in modules()
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if NAMING.search(line)
    }
    assert found == {}


@pytest.mark.parametrize("line", ['game("maze")', "ColorfightII's rooms", "from parlour.games.forsale import rules"])
def test_a_name_would_be_found(line: str) -> None:
    assert NAMING.search(line)


def test_no_module_outside_the_games_imports_one() -> None:
    """Whatever it is called there."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(("parlour.games.", "parlour.venues."))
    ]
    assert found == []


def test_every_package_has_a_layer() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    [layers] = [contract for contract in contracts if contract["type"] == "layers"]
    named = {name.strip() for layer in layers["layers"] for name in layer.split("|")}
    assert layers["exhaustive"] and layers["containers"] == ["parlour"]
    assert named == {path.parent.name for path in PACKAGE.glob("*/__init__.py")}


def test_the_server_has_few_files_of_its_own() -> None:
    assert len([*(PACKAGE / "server").glob("*.py")]) <= 8


def test_functions_are_short() -> None:
    """At most 40 lines; migrations excepted."""
    found = {
        f"{path.relative_to(ROOT)} {node.name}": node.end_lineno - node.lineno + 1
        for path in PACKAGE.rglob("*.py")
        if "migrations" not in path.parts
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None
    }
    assert {name: lines for name, lines in found.items() if lines > 40} == {}
