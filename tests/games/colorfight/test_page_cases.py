"""The page judges orders before it sends them. Its tests compare it with lists that the rules have judged."""

import runpy

from tests.here import ROOT


def test_the_lists_for_the_page_are_what_the_rules_say() -> None:
    script = runpy.run_path(str(ROOT / "web/scripts/colorfight_cases.py"))
    assert (ROOT / "web/src/tables/colorfight/cases.json").read_text() == script["text"]()
