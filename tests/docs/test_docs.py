"""What the documentation shows is what the code does."""

import importlib.util
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from parlour.core import Dice
from parlour.games import game
from parlour.plugins import names
from parlour.transports import limits as limits_module
from tests.docs.pages import DOCS, ROOT, page, rows
from tests.here import here


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


def test_the_table_of_limits_is_that_of_the_code() -> None:
    table = schemas().limits_table()
    assert table in page("limits.md"), "`make docs` writes it anew"
    limits = [name for name in vars(limits_module) if name.isupper()]
    assert len(rows(table)) == len(limits), "each limit has a unit, and words below it"


def test_the_vectors_of_the_fairness_page_are_the_dice() -> None:
    text = re.sub(r"\s+", " ", page("fairness.md"))
    dice = Dice(b"parlour")
    assert ", ".join(str(dice.below(n)) for n in (2, 6, 30, 100, 1000, 10**9)) in text
    cards = list(range(10))
    Dice(b"parlour").shuffle(cards)
    assert ", ".join(map(str, cards)) in text
    stirred = Dice(b"parlour")
    stirred.stir(b"salt")
    assert ", ".join(str(stirred.below(100)) for _ in range(8)) in text


@pytest.mark.parametrize("name", names())
def test_every_option_and_bot_has_its_place_on_the_games_page(name: str) -> None:
    text = page(f"games/{name}.md")
    rules = (ROOT / "parlour" / "games" / name / "RULES.md").read_text()
    for option in game(name).rules.options.__struct_fields__:
        assert f"`{option}`" in text and f"`{option}`" in rules
    for bot in game(name).hosting.bots:
        assert f"`{bot}`" in text


def test_numbers_cited_are_numbers_of_the_rule_book() -> None:
    for name in names():
        rules = (ROOT / "parlour" / "games" / name / "RULES.md").read_text()
        there = set(re.findall(r"\*\*(\d+\.\d+)", rules)) | set(re.findall(r"^#+ (\d+)", rules, re.M))
        folders = (ROOT / "parlour" / "games" / name, ROOT / "tests" / "games" / name)
        for path in [path for folder in folders for path in folder.glob("*.py")]:
            for cited in re.findall(r"RULES (\d+(?:\.\d+)?)", path.read_text()):
                assert cited in there, f"{path.name} cites RULES {cited}"


def nav_pages(entries: list[Any]) -> list[str]:
    """The pages that a part of the navigation names, in order."""
    found: list[str] = []
    for entry in entries:
        for target in entry.values() if isinstance(entry, dict) else [entry]:
            found += nav_pages(target) if isinstance(target, list) else [target]
    return found


def test_the_navigation_has_every_page_once() -> None:
    nav = tomllib.loads((ROOT / "zensical.toml").read_text())["project"]["nav"]
    assert sorted(nav_pages(nav)) == sorted(str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md"))


def test_every_picture_of_a_page_is_there() -> None:
    for path in DOCS.rglob("*.md"):
        for picture in re.findall(r"!\[[^\]]*\]\(([^)#]+)", path.read_text()):
            assert (path.parent / picture).exists(), f"{path.name} shows {picture}"


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    """In a copy, because the site must lie inside the project."""
    shutil.copytree(DOCS, tmp_path / "docs")
    shutil.copy(ROOT / "zensical.toml", tmp_path)
    for included in ("examples", "parlour", "CHANGELOG.md"):
        (tmp_path / included).symlink_to(ROOT / included)
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    site = tmp_path / "site"
    assert (site / "index.html").exists() and (site / "schemas" / "forsale.json").exists()


def test_the_pictures_of_the_terminal_are_what_it_shows_now() -> None:
    done = subprocess.run([sys.executable, "tools/picture.py", "--check"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, "`python tools/picture.py` draws them again"


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


def test_the_home_page_finds_a_changed_digit(tmp_path: Path) -> None:
    [shown] = re.findall(r"^    \$ parlour match (.*?)^    ```", page("index.md"), re.M | re.S)
    match, *_, holds, changed, _, broken = [line.strip() for line in shown.splitlines()]
    assert here("match", *match.split(), cwd=tmp_path).returncode == 0
    assert holds in here("verify", "m.jsonl", cwd=tmp_path).stdout
    subprocess.run(changed.removeprefix("$ "), shell=True, cwd=tmp_path, check=True)
    assert broken in here("verify", "m.jsonl", cwd=tmp_path).stdout
