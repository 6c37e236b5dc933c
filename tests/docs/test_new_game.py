"""The page on adding a game shows code that exists, and names every field and method of the interface."""

import re
from typing import Any

import pytest
from msgspec.structs import fields

from parlour.core import Ask, Dialect, Event, Game, Hosting, Rules, Scribe, State, Words
from parlour.testing import Subject
from tests.here import ROOT

PACKAGE = ROOT / "examples" / "liars_dice"
PAGE = (ROOT / "docs" / "new-game.md").read_text()
INTERFACE = (Game, Rules, Words, Hosting, State, Ask, Event, Subject, Dialect, Scribe)


def section(kind: type[Any]) -> str:
    """The part of the reference on this class."""
    (found,) = re.findall(rf"^### {kind.__name__}\n(.*?)(?=^##|\Z)", PAGE, re.M | re.S)
    return str(found)


def members(kind: type[Any]) -> set[str]:
    """Fields and class variables; methods, too, where there are no others."""
    declared = {name for name in kind.__annotations__ if not name.startswith("_")}
    if getattr(kind, "__struct_fields__", ()):
        return declared | set(kind.__struct_fields__)
    return declared | {name for name, it in vars(kind).items() if not name.startswith("_") and callable(it)}


@pytest.mark.parametrize("kind", INTERFACE, ids=lambda kind: kind.__name__)
def test_every_name_of_the_interface_is_in_the_reference(kind: type[Any]) -> None:
    assert set(re.findall(r"^\| (?:\*\*)?`(\w+)`(?:\*\*)? \|", section(kind), re.M)) == members(kind)


@pytest.mark.parametrize("kind", [Game, Rules, Words, Hosting, Subject], ids=lambda kind: kind.__name__)
def test_fields_without_a_default_are_bold(kind: type[Any]) -> None:
    needed = {field.name for field in fields(kind) if field.required}
    assert set(re.findall(r"^\| \*\*`(\w+)`\*\* \|", section(kind), re.M)) == needed


def test_all_code_on_the_page_is_code_of_the_package() -> None:
    code = "\n".join(path.read_text() for path in PACKAGE.rglob("*.py"))
    shown = re.findall(r"^```python\n(.*?)^```", PAGE, re.M | re.S)
    assert len(shown) > 10
    for excerpt in shown:
        assert excerpt in code, excerpt


def test_the_rules_of_the_readme_are_those_that_its_code_and_tests_cite() -> None:
    there = set(re.findall(r"^\*\*(\d\.\d)\*\*", (PACKAGE / "README.md").read_text(), re.M))
    cited = {
        number
        for path in PACKAGE.rglob("*.py")
        for citation in re.findall(r"# (\d\.\d(?:, \d\.\d)*)$|\((\d\.\d(?:, \d\.\d)*)\)", path.read_text(), re.M)
        for number in "".join(citation).split(", ")
    }
    assert cited == there
