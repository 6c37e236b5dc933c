"""A plug-in that cannot be used is named and skipped, and everything else works."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour import plugins
from parlour.core import INTERFACE
from tests.here import here, mistake_here, printed
from tests.plugins.packages import installed, write

CUPS = "from msgspec.structs import replace\nfrom tests.toys.cups import game\n"

BROKEN = {
    "an import that fails": ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
    "a module that stops": ("raise SystemExit('no display')", "SystemExit: no display"),
    "no such object": ("", "AttributeError: module 'other_games' has no attribute 'GAME'"),
    "not a game": ("GAME = 'cups'", "a str is not a Game"),
    "an older interface": (
        f"{CUPS}GAME = replace(game(), interface=0)",
        f"made for version 0 of the Game interface; this Parlour has version {INTERFACE}",
    ),
    "another name": (f"{CUPS}GAME = replace(game(), name='saucers')", "the game calls itself 'saucers'"),
}


@pytest.fixture(params=BROKEN)
def why(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Why the game `cups` of the package other-games, which is installed, cannot be used."""
    code, reason = BROKEN[request.param]
    with installed(write(tmp_path, "other-games", {"cups": "GAME"}, code)):
        yield reason


def test_a_broken_game_is_named_and_skipped(why: str) -> None:
    done = here("games")
    assert done.returncode == 0 and "forsale" in done.stdout and "cups" not in done.stdout
    assert done.stderr == f"plug-in 'cups' of other-games 1.0 is skipped: {why}\n"
    shown = " ".join(printed("games", "--plugins").split())
    assert "other-games 1.0" in shown and "other_games:GAME" in shown
    assert mistake_here("match", "cups", "random", "random") == f"the game 'cups' cannot be used: {why}"
    assert "Result" in printed("match", "forsale", "random", "random", "random")


def test_a_game_whose_only_bot_is_random_is_used(tmp_path: Path) -> None:
    with installed(write(tmp_path, "other-games", {"cups": "GAME"}, f"{CUPS}GAME = game()")):
        assert plugins.skipped() == [] and plugins.names()[-1] == "cups"
        assert "Result" in printed("match", "cups", "random", "random")
        assert "Result" in printed("demo", "cups")
        assert "human" in here("play", "cups", stdin="call 4\nq\n").stdout
    assert plugins.find_game("cups") is None


def test_a_game_with_the_name_of_ours_does_not_replace_it(tmp_path: Path) -> None:
    with installed(
        write(tmp_path, "other-games", {"forsale": "GAME"}, f"{CUPS}GAME = replace(game(), name='forsale')")
    ):
        (skipped,) = plugins.skipped()
        assert (skipped.name, skipped.package) == ("forsale", "other-games 1.0")
        assert skipped.error.startswith("parlour ") and skipped.error.endswith(" has a plug-in of the same name")
        assert plugins.game("forsale").title == "For Sale"


def test_of_two_others_with_one_name_neither_is_used(tmp_path: Path) -> None:
    for package in ("other-games", "more-games"):
        write(tmp_path, package, {"cups": "GAME"}, f"{CUPS}GAME = game()")
    with installed(tmp_path):
        errors = {plugin.package: plugin.error for plugin in plugins.skipped()}
        assert errors == {
            "other-games 1.0": "more-games 1.0 has a plug-in of the same name",
            "more-games 1.0": "other-games 1.0 has a plug-in of the same name",
        }
        assert mistake_here("match", "cups", "random", "random").startswith("the game 'cups' cannot be used: ")


def test_a_broken_command_is_skipped_and_a_good_one_is_listed(tmp_path: Path) -> None:
    code = "def shout(word: str) -> None:\n    '''Say it loudly.'''\n    print(word.upper())\n"
    points = {"shout": "shout", "whisper": "whisper", "match": "shout"}
    with installed(write(tmp_path, "other-games", points, code, "parlour.commands")):
        told = printed("--help")
        assert "Say it loudly." in told and "whisper" not in told
        assert printed("shout", "dice") == "DICE\n"
        assert here("whisper", "dice").returncode != 0
        assert "Let bots, programs and language models play one match, or many." in told


def test_commands_without_any_game_say_so(no_games: Path) -> None:
    with installed(no_games):
        assert plugins.games() == [] and here("games").returncode == 0
        assert mistake_here("demo") == "no game is installed"
