"""The examples on the docs pages are real, and their tables are complete."""

import asyncio
import re
import shlex
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from parlour.cli.arguments import app
from parlour.core import Ask, BadOptions, Dice, Result
from parlour.games import game
from parlour.games.tradecraft.events import ACTIONS, QUESTIONS
from parlour.games.tradecraft.recipes import SMELT, book
from parlour.games.tradecraft.rules import FREE, State
from parlour.games.tradecraft.setup import prepare
from parlour.games.tradecraft.values import CraftItems, DecideProposal, MakeProposal, Options, View
from parlour.games.tradecraft.words import hear
from parlour.players.play import play
from parlour.players.player_specs import load
from parlour.players.terms import Terms
from parlour.transports.limits import MOST_USERS, RETURN_S
from tests.docs.hosts import ENVIRONMENT, PATIENCE_S, ROOT, hosting
from tests.docs.talks import at_a_table, in_a_hall
from tests.players.children import unhurried

TRADECRAFT = game("tradecraft")
RULES = (ROOT / "parlour" / "games" / "tradecraft" / "RULES.md").read_text()
PAGES = ROOT / "docs" / "games"
GAME_PAGE = (PAGES / "tradecraft.md").read_text()
RECIPES = (PAGES / "tradecraft-recipes.md").read_text()
PROTOCOL = (PAGES / "tradecraft-protocol.md").read_text()


def part(page: str, first: str, behind: str = r"\Z") -> str:
    """From one heading to another."""
    found = re.search(rf"^{first}$.*?(?=^{behind})", page, re.M | re.S)
    assert found is not None, first
    return found[0]


[LIGHTS] = re.findall(r'```json\n(\{"hands": .*?)```', GAME_PAGE, re.S)
"""The problem of the pages."""


@pytest.fixture(scope="module")
def lights(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("problem") / "lights.json"
    path.write_text(LIGHTS)
    return str(path)


@pytest.fixture(scope="module")
def lines(lights: str) -> set[str]:
    """All messages at a table, with their players."""
    with hosting("--state", lights, "--seed", "c0ffee") as host:
        return at_a_table(host)


@pytest.fixture(scope="module")
def events(lights: str) -> set[str]:
    """All messages in a hall, with their players."""
    with hosting("--state", lights, "--seed", "c0ffee", web=True) as host:
        return asyncio.run(in_a_hall(host.web_port, host.hall))


# What the page of the protocol shows


def plain(line: str) -> str:
    """The line without the token, which always differs."""
    return re.sub(r'(token": ?)"(?:parlour_)?[\w-]{43}"', r'\1"TOKEN"', line)


def test_what_the_page_shows_was_said(lines: set[str], events: set[str], tmp_path: Path) -> None:
    said = {plain(line) for line in lines | events | left(tmp_path)}
    shown = [plain(line) for line in re.findall(r"^\w+ [<>] .*$", PROTOCOL, re.M)]
    assert len(shown) > 100
    assert [line for line in shown if line not in said] == []


def left(folder: Path) -> set[str]:
    """The messages to a player when the other one, a command, ends at once."""
    [command] = re.findall(r"^    parlour (match .*) exec\+tradecraft:true$", PROTOCOL, re.M)
    words = [*shlex.split(command.replace("examples/", f"{ROOT}/examples/")), "exec+tradecraft:true"]
    words = [sys.executable, "-m", "parlour", *words, "--set", "max_turn=1", "--limit", "60"]
    subprocess.run(words, cwd=folder, env=ENVIRONMENT, check=True, capture_output=True, timeout=4 * PATIENCE_S)
    return {f"sh < {line}" for line in (folder / "in.txt").read_text().splitlines()}


def test_every_message_of_a_line_is_shown(lines: set[str]) -> None:
    said = {kind for line in lines for kind in re.findall(r'^\w+ [<>] {"type": ?"(\w+)"', line)}
    shown = set(re.findall(r'^\w+ [<>] {"type": ?"(\w+)"', PROTOCOL, re.M))
    told = set(
        re.findall(
            r"`(\w+)`", "\n".join(re.findall(r"^\| (`.*?) \|", part(RULES, r"\*\*11\.4 .*", r"\*\*11\.5"), re.M))
        )
    )
    assert said | told == shown and len(shown) > 20


def test_every_event_of_a_player_has_its_place_on_the_page() -> None:
    section, rules = part(PROTOCOL, "## Socket.IO"), part(RULES, r"\*\*11\.9 .*", r"\*\*11\.10")
    for name in (*ACTIONS, *QUESTIONS, "quit_game"):
        assert f"`player__{name}`" in section and f"`player__{name}`" in rules


def test_every_event_that_was_said_in_the_hall_is_shown(events: set[str]) -> None:
    said, shown = [set(re.findall(r"^\w+ [<>] (\w+) ", text, re.M)) for text in ("\n".join(events), PROTOCOL)]
    assert len(said) > 40 and said - shown == set()


def test_all_codes_of_errors_in_a_hall_are_on_the_page() -> None:
    codes = set(
        re.findall(
            r'client\.tell\("(\w+)"', (ROOT / "parlour" / "venues" / "tradecraft" / "socketio_halls.py").read_text()
        )
    )
    section = part(PROTOCOL, "### Halls", "### A turn")
    assert codes and {code for code in codes if f"| `{code}` |" not in section} == set()
    assert f"there are {MOST_USERS} users" in section


def test_a_host_announces_itself_as_on_its_page() -> None:
    page = (ROOT / "docs" / "hosting.md").read_text()
    with hosting(web=True) as host:
        said = "".join(host.announced)
    ports = {str(host.port): "4020", str(host.web_port): "4021"}
    assert re.sub("|".join(ports), lambda port: ports[port[0]], said) in page


def test_a_seat_is_kept_as_long_as_the_page_says() -> None:
    assert RETURN_S == 120 and PROTOCOL.count("kept for two minutes") == 2


# The recipe book


def recipe(*words: str) -> str:
    done = CliRunner().invoke(app, ["recipe", *words])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_what_the_page_says_of_recipes_is_what_the_command_says() -> None:
    pairs = re.findall(r"^> (\{.*\})( --whole-batches)?\n< (.*)$", RECIPES, re.M)
    assert len(pairs) == RECIPES.count("\n< ") > 15
    for message, option, verdict in pairs:
        assert recipe(message, *option.split()) == f"{verdict}\n"


def test_the_commands_of_the_page_print_what_it_shows() -> None:
    shown = re.findall(r"^    parlour recipe (.*)\n\n```\w+\n((?:.*\n)*?)```", RECIPES, re.M)
    assert len(shown) == 4
    for command, output in shown:
        assert recipe(*shlex.split(command)) == output


def test_what_cannot_be_read_is_said_as_on_the_page_of_commands() -> None:
    page = (ROOT / "docs" / "cli.md").read_text()
    for words in (["{}", "--hand", '{"coal": "many"}'], ["--item", "stik"]):
        done = CliRunner().invoke(app, ["recipe", *words])
        assert done.exit_code == 2 and done.stderr in page


def test_the_page_counts_what_is_in_the_book() -> None:
    kinds = Counter(recipe.kind for recipe in book().recipes)
    assert {kind: int(count) for kind, count in re.findall(r"^\| `(\w+)` \| (\d+) \|", RECIPES, re.M)} == kinds
    numbers = len(book().recipes), len(book().makers), len(book().items)
    assert "{} recipes for {} products, with {} items in all".format(*numbers) in RECIPES
    assert f"{len(book().fuels)} items burn" in RECIPES
    assert f"There are {len(book().tags)}: " in RECIPES
    assert all(f"`#{tag}`" in RECIPES for tag in book().tags)


def test_the_page_has_all_that_fuels_give_and_all_containers() -> None:
    rows = re.findall(r"^\| .* \| (\d+) \| ([\d/]+) \|$", part(RECIPES, "## Fuel", "## Containers"), re.M)
    assert {int(ticks) for ticks, _ in rows} == set(book().fuels.values())
    assert all(Fraction(amount) == Fraction(SMELT, int(ticks)) for ticks, amount in rows)
    section = part(RECIPES, "## Containers", "## Tags")
    assert all(word in section for pair in book().containers.items() for word in pair)


def test_the_lines_of_python_on_the_page_give_what_they_say() -> None:
    [code] = re.findall(r"```python\n(.*?)```", RECIPES, re.S)
    names: dict[str, Any] = {}
    for line in code.splitlines():
        does, _, gives = line.partition("  # ")
        if gives:
            assert eval(does, names) == eval(gives), does
        else:
            exec(line, names)  # noqa: S102  # our own page


# The game


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files of the game's page."""
    bot, model = re.findall(r"```python\n(.*?)```", GAME_PAGE, re.S)
    for name, text in (("my_bot.py", bot), ("bob.py", bot), ("ada.py", model), ("lights.json", LIGHTS)):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_bot_on_the_games_page_wins_a_game_that_can_be_won(folder: Path) -> None:
    bots = [load(TRADECRAFT, str(folder / name)) for name in ("my_bot.py", "bob.py")]
    with unhurried():
        played = play(Terms(game=TRADECRAFT, start=prepare(LIGHTS)), bots, b"seed")
    assert isinstance(played.end, Result) and played.match.gone == {}
    assert max(played.end.scores) > 0


def test_a_model_reads_what_the_page_shows(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [says] = re.findall(r"has said `(.*?)` and then\n?\s*`(.*?)`", GAME_PAGE)
    [shown] = re.findall(r"```text\n(lantern is made.*?)\n```", GAME_PAGE, re.S)
    answers = iter([*says, *["done"] * 50])
    prompts: list[str] = []
    monkeypatch.setattr("builtins.print", prompts.append)
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    bots = [load(TRADECRAFT, str(folder / name)) for name in ("ada.py", "bob.py")]
    with unhurried():
        played = play(Terms(game=TRADECRAFT, start=prepare(LIGHTS.replace("]}", '], "max_turn": 1}'))), bots, b"seed")
    assert isinstance(played.end, Result) and played.match.gone == {}
    assert prompts[2].replace("of 1,", "of 15,") == shown


def test_what_a_person_types_is_understood() -> None:
    view = State.new(2, Options(), prepare(LIGHTS), Dice(b"seed")).view(0)
    asks = MakeProposal(turn=1), DecideProposal(turn=1), CraftItems(turn=1, checks=9, ready=True)
    rows = re.findall(r"^\| (`.*?) \| ", part(GAME_PAGE, r"\| you type \| \|", r"The second"), re.M)
    typed = [words for row in rows for words in re.findall("`(.*?)`", row)]
    assert len(typed) == 9
    for words in typed:
        assert any(hear(words, view, ask) is not None for ask in asks), words


@pytest.mark.parametrize(
    ("problem", "why"),
    [
        ('{"hands": [{"coal": 2}], "targets": [{"torch": 4}]}', "a problem has 2 to 6 hands, not 1"),
        ('{"hands": [{"stik": 2}, {}], "targets": [{"torch": 4}, {"torch": 4}]}', "there is no item 'stik'"),
        (
            '{"hands": [{"coal": 2}, {}], "targets": [{"coal": 1}, {"torch": 4}]}',
            "seat 0 has its target in hand from the start",
        ),
    ],
)
def test_what_is_wrong_with_a_problem_is_said_as_on_the_page(problem: str, why: str) -> None:
    with pytest.raises((ValueError, BadOptions), match=why):
        prepare(problem)
    assert f"parlour: --state bad.json: {why}\n" in GAME_PAGE


def test_the_tables_of_the_page_have_all_there_is() -> None:
    for kinds, first, behind in (
        (TRADECRAFT.rules.actions, "### Actions", "### Asks"),
        (TRADECRAFT.rules.asks, "### Asks", "### Events"),
        (TRADECRAFT.rules.events, "### Events", "### View"),
        (TRADECRAFT.rules.questions, "### Questions", "## Its own protocol"),
    ):
        section = part(GAME_PAGE, first, behind)
        for kind in kinds:
            [row] = re.findall(rf"^\| `{kind.__name__}` \|.*$", section, re.M)
            assert all(f"`{name}`" in row for name in kind.__struct_fields__ if name not in Ask.__struct_fields__)
    section = part(GAME_PAGE, "### View", "### Questions")
    assert all(f"`{name}`" in section for name in View.__struct_fields__)


def test_the_page_says_which_mistakes_are_free() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ", part(GAME_PAGE, "## Errors"), re.M)
    assert set(rows[:3]) == FREE
