"""The page has its own copy of a few rules. Its tests compare it with positions that these rules have judged."""

import runpy

from tests.here import ROOT


def test_the_positions_for_the_page_are_what_the_rules_say() -> None:
    script = runpy.run_path(str(ROOT / "web/scripts/tradecraft_cases.py"))
    assert (ROOT / "web/src/tables/tradecraft/cases.json").read_text() == script["text"]()
