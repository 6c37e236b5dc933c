"""The page on the architecture shows the packages and modules that there are."""

import re
import tomllib

from tests.docs.pages import ROOT, page, rows

LAYERS = [(int(row[1]), row[0].strip("`")) for row in rows(page("architecture.md")) if row[1].isdigit()]
BUILT = {"parlour/web"}
"""Folders that are there only after `make page`."""


def test_every_package_has_its_layer() -> None:
    packages = {path.parent.name for path in (ROOT / "parlour").glob("*/__init__.py")}
    assert packages <= {name for _, name in LAYERS}


def test_the_layers_are_those_that_imports_are_checked_by() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    [checked] = [contract["layers"] for contract in contracts if contract["type"] == "layers"]
    shown = {name: layer for layer, name in LAYERS}
    for place, layer in enumerate(reversed(checked), start=1):
        for package in layer.split(" | "):
            assert shown[package] == place, package


def test_every_file_it_names_is_there() -> None:
    named = set(re.findall(r"`(parlour/[\w/.]+)`", page("architecture.md")))
    assert len(named) > 10
    assert [path for path in named - BUILT if not (ROOT / path).exists()] == []
