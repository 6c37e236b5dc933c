"""The guides of the games: simple enough for the page to show, long enough to play by."""

import re

import pytest

from parlour.games import game
from parlour.plugins import names
from tests.here import ROOT

GUIDES = {name: game(name).words.guide for name in names()} | {
    "liarsdice": (ROOT / "examples" / "liars_dice" / "liars_dice" / "guide.md").read_text()
}
LINE = re.compile(r"(## |- )?[^\s#\-|<>`\[\]_][^|<>`\[\]_]*")
"""A heading, an entry of a list, or a paragraph; no table, link, code or HTML."""


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_is_simple_markdown(name: str) -> None:
    for line in GUIDES[name].splitlines():
        assert not line or LINE.fullmatch(line), line
        assert line.count("**") % 2 == 0 and "*" not in line.replace("**", ""), line


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_is_short_and_complete(name: str) -> None:
    assert 300 <= len(GUIDES[name].split()) <= 900
    assert {"## The end", "## Time and mistakes"} <= {
        heading.partition(":")[0] for heading in re.findall("^## .*", GUIDES[name], re.M)
    }
