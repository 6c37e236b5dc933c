"""The page on new cards does not lie: its own lines are added, and the card is played."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from parlour.core import Place
from parlour.games.dominion import cards, messages, setup
from parlour.games.dominion.cards import CARDS
from parlour.games.dominion.dialect import Lines
from parlour.games.dominion.values import Gained, Played, Trashed
from tests.games.dominion.tables import everywhere, play, table

ROOT = Path(__file__).parents[3]
FUNCTION, ROW = re.findall(
    r"^```python\n(.*?)^```$", (ROOT / "docs" / "games" / "dominion-cards.md").read_text(), re.M | re.S
)


@pytest.fixture
def moneylender(monkeypatch: pytest.MonkeyPatch) -> None:
    """The card, for one test."""
    words: dict[str, Any] = dict(vars(cards))
    exec(FUNCTION, words)  # noqa: S102  # what the page says is what is tested
    monkeypatch.setitem(CARDS, "moneylender", eval(f"{{{ROW}}}", words)["moneylender"])
    monkeypatch.setattr(setup, "KINGDOM", (*cards.KINGDOM, "moneylender"))
    monkeypatch.setattr(messages, "PILES", (*messages.PILES, "moneylender"))


@pytest.mark.usefixtures("moneylender")
def test_it_trashes_a_copper_for_three_money() -> None:
    state = table(["moneylender copper estate", "copper"])
    before = everywhere(state)
    events = play(state, "0 plays moneylender")
    assert events == [Played(0, ("moneylender",)), Trashed(0, "copper")]
    assert state.holdings[0].hand == ["estate"] and state.money == 3 and state.actions == 0
    assert state.trash[-1] == "copper" and everywhere(state) == before


@pytest.mark.usefixtures("moneylender")
def test_without_a_copper_it_does_nothing() -> None:
    state = table(["moneylender silver", "copper"])
    assert play(state, "0 plays moneylender") == [Played(0, ("moneylender",))]
    assert state.holdings[0].hand == ["silver"] and state.money == 0


@pytest.mark.usefixtures("moneylender")
def test_it_has_a_pile_from_which_it_is_bought() -> None:
    state = table(["copper copper copper copper", "copper"])
    assert state.supply["moneylender"] == 10
    assert Gained(0, "moneylender", bought=True) in play(state, "0 buys moneylender")
    *_, supply = Lines().began(Place("dominion", "m", 0, ("a", "b"), state.options, ""), state.view(0))
    assert supply.endswith(b'"market":10,"moneylender":9}}'), "bots hear of it last"


def test_no_other_line_of_code_is_needed(tmp_path: Path) -> None:
    """In a copy of the program, with the two pieces where the page wants them, bots buy it and play it."""
    shutil.copytree(ROOT / "parlour", tmp_path / "parlour", ignore=shutil.ignore_patterns("__pycache__"))
    path = tmp_path / "parlour" / "games" / "dominion" / "cards.py"
    code = re.sub(r'^    "moat": .*\n', lambda row: f"{row[0]}    {ROW}", path.read_text(), flags=re.M)
    path.write_text(code.replace("# The table\n", f"{FUNCTION}\n\n# The table\n"))
    words = ["match", "dominion", "random", "random", "random", "--seed", "01", "--games", "3", "--store", "kept"]
    done = subprocess.run([sys.executable, "-m", "parlour", *words, "--json"], cwd=tmp_path, capture_output=True)
    assert done.returncode == 0, done.stderr.decode()
    kept = [
        json.loads(line) for file in sorted((tmp_path / "kept").iterdir()) for line in file.read_text().splitlines()
    ]
    kingdom = next(line["kingdom_cards"] for line in kept if line["type"] == "game-info")
    assert "moneylender" in kingdom and kingdom == sorted(kingdom)
    assert [line for line in kept if line["type"] == "play-reply" and line.get("card") == "moneylender"]
    assert not [line for line in kept if line["type"] == "invalid-reply"]
