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
from parlour.games.dominion.values import FIRST_GAME, Gained, Played, Trashed
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
    for module in (setup, messages):
        monkeypatch.setattr(module, "KINGDOM", (*cards.KINGDOM, "moneylender"))
    monkeypatch.setattr(messages, "PILES", (*messages.PILES, "moneylender"))


@pytest.mark.usefixtures("moneylender")
def test_it_trashes_a_copper_for_three_money() -> None:
    state = table(["moneylender copper estate", "copper"], kingdom=(*FIRST_GAME, "moneylender"))
    before = everywhere(state)
    events = play(state, "0 plays moneylender")
    assert events == [Played(0, ("moneylender",)), Trashed(0, "copper")]
    assert state.holdings[0].hand == ["estate"] and state.money == 3 and state.actions == 0
    assert state.trash[-1] == "copper" and everywhere(state) == before


@pytest.mark.usefixtures("moneylender")
def test_without_a_copper_it_does_nothing() -> None:
    state = table(["moneylender silver", "copper"], kingdom=(*FIRST_GAME, "moneylender"))
    assert play(state, "0 plays moneylender") == [Played(0, ("moneylender",))]
    assert state.holdings[0].hand == ["silver"] and state.money == 0


@pytest.mark.usefixtures("moneylender")
def test_it_has_a_pile_from_which_it_is_bought() -> None:
    state = table(["copper copper copper copper", "copper"], kingdom=(*FIRST_GAME, "moneylender"))
    assert state.supply["moneylender"] == 10
    assert Gained(0, "moneylender", bought=True) in play(state, "0 buys moneylender")
    *_, supply = Lines().began(Place("dominion", "m", 0, ("a", "b"), state.options, ""), state.view(0))
    assert supply.endswith(b'"market":10,"moneylender":9}}'), "bots hear of it last"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the program and its tests, with the two pieces where the page wants them."""
    folder = tmp_path_factory.mktemp("copy")
    for name in ("parlour", "tests", "docs", "examples", "bench"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "fixtures"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder)
    path = folder / "parlour" / "games" / "dominion" / "cards.py"
    code = re.sub(r'^    "moat": .*\n', lambda row: f"{row[0]}    {ROW}", path.read_text(), flags=re.M)
    path.write_text(code.replace("# The table\n", f"{FUNCTION}\n\n# The table\n"))
    return folder


def parlour(copy: Path, *words: str) -> str:
    done = subprocess.run([sys.executable, "-m", "parlour", *words], cwd=copy, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


MATCH = ("match", "dominion", "random", "random", "random", "--seed", "01")


def test_no_other_line_of_code_is_needed(copy: Path) -> None:
    """Bots buy it and play it, where a host has chosen it."""
    kingdom = json.dumps([*FIRST_GAME, "moneylender"])
    parlour(copy, *MATCH, "--games", "3", "--store", "kept", "--set", f"kingdom={kingdom}", "--json")
    kept = [json.loads(line) for file in sorted((copy / "kept").iterdir()) for line in file.read_text().splitlines()]
    told = next(line["kingdom_cards"] for line in kept if line["type"] == "game-info")
    assert "moneylender" in told and told == sorted(told)
    assert [line for line in kept if line["type"] == "play-reply" and line.get("card") == "moneylender"]
    assert not [line for line in kept if line["type"] == "invalid-reply"]


def test_other_matches_stay_as_they_were(copy: Path, tmp_path: Path) -> None:
    for where, name in ((copy, "new"), (ROOT, "old")):
        parlour(where, *MATCH, "--record", str(tmp_path / name), "--json")
    assert (tmp_path / "new").read_bytes() == (tmp_path / "old").read_bytes()


@pytest.mark.slow
def test_no_other_test_changes(copy: Path) -> None:
    """But those that show every card: the rule book's table, and this page's own example."""
    skipped = "not new_card and not rule_book and not statistics"
    command = [sys.executable, "-m", "pytest", "-q", "-k", skipped, "tests/games/dominion", "tests/golden"]
    done = subprocess.run(command, cwd=copy, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
