"""A new option with a default changes three places at most, and old transcripts still hold.

The change is made in a copy of the program: the option, the import of `legacy`, and the line of the rules that uses it.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
OLD = ROOT / "tests" / "fixtures" / "release-0.1.0" / "forsale"
CHANGES = {
    "values.py": [
        (
            "from parlour.core.values import rule\n",
            "from parlour.core import legacy\nfrom parlour.core.values import rule\n",
        ),
        (
            '    ] = "strict"\n',
            '    ] = "strict"\n'
            "    gift: Annotated[\n"
            '        int, Meta(ge=0, le=99), rule("Coins that everybody is given at the start."), legacy(0)\n'
            "    ] = 5\n",
        ),
    ],
    "rules.py": [("start_coins(seats, options)", "start_coins(seats, options) + options.gift")],
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "parlour", folder / "parlour", ignore=shutil.ignore_patterns("__pycache__"))
    for name, changes in CHANGES.items():
        path = folder / "parlour" / "games" / "forsale" / name
        code = path.read_text()
        for old, new in changes:
            assert code.count(old) == 1, (name, old)
            code = code.replace(old, new)
        path.write_text(code)
    return folder


def parlour(copy: Path, *words: str) -> str:
    done = subprocess.run([sys.executable, "-m", "parlour", *words], cwd=copy, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_three_places_are_enough(copy: Path) -> None:
    assert sum(map(len, CHANGES.values())) <= 3
    assert "gift" in parlour(copy, "games", "forsale")


def test_old_transcripts_still_hold(copy: Path) -> None:
    """An option that they lack has its legacy value. (The unfinished and the voided are tested elsewhere.)"""
    unfit = {path.with_suffix("") for path in OLD.glob("*.seed")} | {OLD / "void.jsonl"}
    finished = [str(path) for path in sorted(OLD.glob("*.jsonl")) if path not in unfit]
    told = [json.loads(line) for line in parlour(copy, "verify", *finished, "--json").splitlines()]
    assert [each["holds"] for each in told] == ["yes"] * len(finished) and len(finished) > 5


def test_new_matches_use_it(copy: Path) -> None:
    match = ("match", "forsale", "random", "random", "random", "--seed", "01", "--json")
    given, ungiven = (json.loads(parlour(copy, *match, "--set", f"gift={gift}")) for gift in (5, 0))
    assert given["scores"] != ungiven["scores"]
    assert json.loads(parlour(copy, *match)) == given
