"""A game of another package is played with every command, beside our games and without them."""

import ast
import json
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.served import Served
from tests.cli.test_host_dialects import hosting
from tests.here import ROOT
from tests.plugins.shell import Shell, environment, shell

PACKAGE = ROOT / "examples" / "liars_dice"
OURS = ("forsale", "dominion", "maze", "colorfight", "tradecraft")
MATCH = ("match", "liarsdice", "reckoner", "random", "random", "--seed", "00ff", "--set", "dice=2")
SETTINGS = """
port = {port}
store = "{store}"
log = "off"
quick_s = 0.1
[listeners]
"""
"""House bots take empty seats almost at once."""


@pytest.fixture(scope="module", params=["beside", "alone"])
def folders(request: pytest.FixtureRequest, liars_dice: Path, no_games: Path) -> tuple[Path, ...]:
    """What is installed in front of the tests' own packages."""
    return (liars_dice,) if request.param == "beside" else (no_games, liars_dice)


@pytest.fixture(scope="module")
def parlour(folders: tuple[Path, ...], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    with shell(folders, tmp_path_factory.mktemp("work")) as it:
        it.printed(*MATCH, "--record", "match.jsonl")
        yield it


def is_alone(folders: tuple[Path, ...]) -> bool:
    return len(folders) == 2


def test_the_game_is_listed_with_its_package(parlour: Shell, folders: tuple[Path, ...]) -> None:
    listed = parlour.printed("games")
    assert "Liar's Dice" in listed and "reckoner" in listed and "host liarsdice" not in listed
    assert [game in listed for game in OURS] == [not is_alone(folders)] * len(OURS)
    assert "parlour-liars-dice 1.0.0" in parlour.printed("games", "--plugins")
    assert "wild_ones" in parlour.printed("games", "liarsdice")


def test_the_page_is_tested_with_the_schema_of_the_game(parlour: Shell) -> None:
    """If this fails: `parlour schema liarsdice > web/tests/schemas/liarsdice.json`."""
    kept = json.loads((ROOT / "web" / "tests" / "schemas" / "liarsdice.json").read_text())
    assert json.loads(parlour.printed("schema", "liarsdice")) == kept


def test_commands_of_single_games_come_with_these_games(parlour: Shell, folders: tuple[Path, ...]) -> None:
    told = parlour.printed("--help")
    assert "match" in told and ("recipe" in told or "maze-check" in told) == (not is_alone(folders))


def test_a_match_is_played_and_told(parlour: Shell) -> None:
    told = parlour.printed(*MATCH)
    assert "Round 1: 6 dice on the table" in told and "calls random" in told and "Result" in told
    assert json.loads(parlour.printed(*MATCH, "--json"))["ranks"][0] == 1


def test_a_record_is_replayed_and_each_seat_sees_only_its_own_dice(parlour: Shell) -> None:
    public, own = parlour.printed("replay", "match.jsonl"), parlour.printed("replay", "match.jsonl", "--seat", "1")
    assert " rolls " not in public and "Result" in public
    assert set(re.findall(r"^ +(.*) rolls ", own, re.M)) == {"random"}


def test_a_record_is_proved(parlour: Shell) -> None:
    assert parlour.printed("verify", "match.jsonl").startswith("holds: ")


def test_a_person_plays_and_is_told_how(parlour: Shell) -> None:
    told = parlour.printed("play", "liarsdice", "reckoner", "--seed", "00", stdin="99 sixes\n9 sixes\nq\n")
    assert "such as" in told and "There are 10 dice on the table." in told and "human bids 9 sixes" in told


def test_the_demonstration_shows_it_and_the_schema_describes_it(parlour: Shell) -> None:
    assert "Result" in parlour.printed("demo", "liarsdice")
    assert "BidOrCall" in parlour.printed("schema", "liarsdice")


def test_a_bot_joins_an_arena_whose_record_is_proved(parlour: Shell, folders: tuple[Path, ...], tmp_path: Path) -> None:
    receipt, record = str(tmp_path / "receipt.json"), str(tmp_path / "arena.jsonl")
    arena = Served(tmp_path, SETTINGS, environment(folders))
    try:
        arena.start()
        told = parlour.printed("join", arena.url, "liarsdice", "reckoner", "--name", "ada", "--receipt", receipt)
        joined = re.search(r"^(\S+): rank \d of 2 with \d, seat \d$", told, re.M)
        assert joined is not None, told
        parlour.printed("table", "transcript", arena.url, joined[1], "--out", record)
    finally:
        arena.kill()
    assert "your match: " in parlour.printed("verify", record, "--receipt", receipt)


def test_a_host_has_protocol_1_on_its_port(liars_dice: Path) -> None:
    """The game has no protocol of its own."""
    variables = environment([liars_dice])
    with hosting("liarsdice", "reckoner", env=variables) as host:
        port = int(host.found(r"^Liar's Dice on 127\.0\.0\.1:(\d+)"))
        assert f"/play/liarsdice, and TCP 127.0.0.1:{port}\n" in host.announced and "/ws" not in host.announced
        with socket.create_connection(("127.0.0.1", port)) as client, client.makefile("rw") as lines:
            print('{"type": "enter", "game": "liarsdice"}', file=lines, flush=True)
            hello = json.loads(lines.readline())
        assert (hello["type"], hello["game"]) == ("hello", "liarsdice")
        join = [sys.executable, "-m", "parlour", "join", host.found(r"in a browser: (\S+)"), "liarsdice", "random"]
        done = subprocess.run(join, cwd=ROOT, env=variables, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert sorted(host.result()["players"]) == ["random", "reckoner"]


def test_its_own_tests_pass_where_it_is_installed(liars_dice: Path, tmp_path: Path) -> None:
    tests = Path(shutil.copytree(PACKAGE / "tests", tmp_path / "tests"))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--hypothesis-profile", "ci", str(tests)]
    variables = {**environment([liars_dice]), "HYPOTHESIS_STORAGE_DIRECTORY": str(tmp_path / "hypothesis")}
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stdout


def test_it_uses_nothing_of_parlour_but_core_and_testing() -> None:
    used = {
        module
        for file in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        for module in imported(node)
        if module.partition(".")[0] == "parlour"
    }
    assert {".".join(module.split(".")[:2]) for module in used} == {"parlour.core", "parlour.testing"}


def imported(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=names):
            return [name.name for name in names]
        case ast.ImportFrom(module=str(module)):
            return [module]
        case _:
            return []
