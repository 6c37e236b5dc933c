"""What the documentation shows is what the code does."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from parlour.core import Dice
from parlour.games import game
from parlour.plugins import names

ROOT = Path(__file__).parents[2]


def schemas() -> Any:
    spec = importlib.util.spec_from_file_location("schemas", ROOT / "docs" / "schemas.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", names())
def test_published_schemas_are_those_of_the_types(name: str) -> None:
    published = (ROOT / "docs" / "schemas" / f"{name}.json").read_text()
    assert published == schemas().schema_text(name), "`make docs` writes them anew"


def test_the_vectors_of_the_fairness_page_are_the_dice() -> None:
    page = re.sub(r"\s+", " ", (ROOT / "docs" / "fairness.md").read_text())
    dice = Dice(b"parlour")
    assert ", ".join(str(dice.below(n)) for n in (2, 6, 30, 100, 1000, 10**9)) in page
    cards = list(range(10))
    Dice(b"parlour").shuffle(cards)
    assert ", ".join(map(str, cards)) in page
    stirred = Dice(b"parlour")
    stirred.stir(b"salt")
    assert ", ".join(str(stirred.below(100)) for _ in range(8)) in page


@pytest.mark.parametrize("name", names())
def test_every_option_and_bot_has_its_place_on_the_games_page(name: str) -> None:
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text()
    rules = (ROOT / "parlour" / "games" / name / "RULES.md").read_text()
    for option in game(name).rules.options.__struct_fields__:
        assert f"`{option}`" in page and f"`{option}`" in rules
    for bot in game(name).hosting.bots:
        assert f"`{bot}`" in page


def test_numbers_cited_are_numbers_of_the_rule_book() -> None:
    for name in names():
        rules = (ROOT / "parlour" / "games" / name / "RULES.md").read_text()
        there = set(re.findall(r"\*\*(\d+\.\d+)", rules)) | set(re.findall(r"^#+ (\d+)", rules, re.M))
        folders = (ROOT / "parlour" / "games" / name, ROOT / "tests" / "games" / name)
        for path in [path for folder in folders for path in folder.glob("*.py")]:
            for cited in re.findall(r"RULES (\d+(?:\.\d+)?)", path.read_text()):
                assert cited in there, f"{path.name} cites RULES {cited}"


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "index.html").exists() and (tmp_path / "schemas" / "forsale.json").exists()


def test_the_picture_on_the_front_page_is_a_match_as_it_is_played_now() -> None:
    done = subprocess.run([sys.executable, "tools/picture.py", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, "`python tools/picture.py` draws it anew"


def test_the_ten_lines_of_the_readme_are_the_example() -> None:
    readme = (ROOT / "README.md").read_text()
    example = (ROOT / "examples" / "ten_lines.py").read_text()
    assert example[example.index("def bot") :].strip() in readme


def test_the_readme_names_every_game_and_commands_that_there_are() -> None:
    readme, made = (ROOT / "README.md").read_text(), (ROOT / "Makefile").read_text()
    assert all(f"[{game(name).title}](docs/games/{name}.md)" in readme for name in names())
    assert all(f"\n{target}:" in made for target in re.findall(r"^make (\w+)", readme, re.M))
    for linked in re.findall(r"\]\(([^)#]+)\)", readme):
        assert (ROOT / linked).exists(), linked
