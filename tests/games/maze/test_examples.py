"""The example players really play, and what the pages show of matches is what was said in them."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from parlour.core import Result
from parlour.games import game
from parlour.games.maze.forms import values
from parlour.games.maze.values import Options
from parlour.players.play import Played, play
from parlour.players.player_specs import load
from parlour.players.terms import Terms
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match, Out
from parlour.referee.replay import verify
from parlour.referee.scribe import written
from parlour.referee.transcript import Limits
from tests.players.children import unhurried

pytestmark = pytest.mark.timeout(600)  # one test starts a program for every case

ROOT = Path(__file__).parents[3]
PAGES = ROOT / "docs" / "games"
MAZE = game("maze")
SEED = bytes.fromhex("c0ffee")
SOURCE = f"{sys.executable} {ROOT / 'examples' / 'maze_source.py'}"
COURSE = f"{sys.executable} {ROOT / 'examples' / 'maze_course.py'}"


# Started by the referee


class Evening:
    """One match on a small board with all that came of it."""

    def __init__(self, *players: str, **options: int) -> None:
        self.lines: list[bytes] = []
        self.faults: list[Any] = []
        board = Options(**{"rows": 3, "columns": 5, **options})
        limits = Limits(4000, bank_ms=60_000)  # the usual one is told, and a slow machine has more
        terms = Terms(game=MAZE, options=board, limits=limits, handshake_s=30.0)
        with unhurried():
            self.played: Played = play(
                terms, [load(MAZE, player) for player in players], SEED, MemoryLog(self.lines), self._watch
            )

    def _watch(self, match: Match[Any], out: Out) -> None:
        self.faults += [notice for notice in out.notices if hasattr(notice, "fault")]

    def assert_clean(self) -> None:
        """All have stayed, and nobody did anything wrong."""
        assert isinstance(self.played.end, Result)
        assert (self.faults, self.played.match.gone, self.played.endings) == ([], {}, {})
        assert verify(b"".join(line + b"\n" for line in self.lines), game).holds == "yes"


def tapped(command: str, folder: Path) -> str:
    """The same command, with all that goes in and out of it written down."""
    return f"sh -c 'tee {folder / 'in'} | {command} | tee {folder / 'out'}'"


def said(folder: Path, what: str) -> list[Any]:
    return list(values((folder / what).read_text()))


def test_the_examples_play_each_other_and_the_bots_as_children() -> None:
    evening = Evening(f"exec+maze:{SOURCE}", f"exec+maze/course:{COURSE} - ada", "euclid", rows=7, columns=7)
    evening.assert_clean()
    assert evening.played.match.names == ["maze_source", "ada", "euclid"]
    told = evening.played.stderr
    assert "signed up as" in told[0] and told[0].splitlines()[-1] in ("won", "not won")
    assert told[1].splitlines() in (["won"], ["not won"])


@pytest.mark.parametrize("number", range(3))
def test_the_examples_play_on_boards_that_are_not_square(number: int) -> None:
    rows, columns = ((4, 6), (9, 3), (2, 11))[number]
    players = [f"exec+maze:{SOURCE}", f"exec+maze/course:{COURSE} - ada"]
    Evening(*players[:: 1 if number else -1], rows=rows, columns=columns, round_cap=40).assert_clean()


# At a host


@contextmanager
def host(*words: str) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """A host on two ports of its own, and which they are. Nobody is in a hurry there."""
    command = [sys.executable, "-m", "parlour", "host", "maze", "--port", "0", "--course-port", "0", "--once"]
    command += ["--limit", "30", "--name-within", "30", *words]
    wide = {**os.environ, "COLUMNS": "200"}  # so that no line is broken
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=wide
    ) as running:
        try:
            assert running.stderr is not None
            ports = re.findall(r"127\.0\.0\.1:(\d+)", running.stderr.readline())
            assert len(ports) == 2
            yield running, ports
        finally:
            running.kill()


def guest(command: str, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen([*command.split(), *words], stderr=subprocess.PIPE, text=True)


def last_words(child: subprocess.Popen[str]) -> str:
    _, told = child.communicate(timeout=60)
    assert child.returncode == 0
    return told.splitlines()[-1]


def test_both_protocols_meet_at_a_host_and_the_result_names_no_misbehaviour() -> None:
    with host("--wait", "30", "--seats", "2") as (running, (source_port, course_port)):
        assert running.stderr is not None
        course = guest(COURSE, course_port, "ada")
        assert running.stderr.readline().startswith("ada signs up")
        source = guest(SOURCE, source_port)
        told, _ = running.communicate(timeout=60)
        winners, removed = json.loads(told)
        words = {"ada": last_words(course), "source": last_words(source)}
    assert removed == [] and len(told.splitlines()) == 1
    assert (words["ada"] == "won") == ("ada" in winners)
    assert (words["source"] == "won") == any(re.fullmatch("[0-9a-f]{32}", name) for name in winners)


def test_one_guest_is_enough_beside_a_bot_when_the_waiting_is_over() -> None:
    with host("euclid", "--wait", "4") as (running, (source_port, _)):
        source = guest(SOURCE, source_port)
        told, _ = running.communicate(timeout=60)
        winners, removed = json.loads(told)
        assert removed == [] and winners
        assert (last_words(source) == "won") == (winners != ["euclid"])


# What the pages show


SCHEMA = json.loads((ROOT / "docs" / "schemas" / "maze-source.json").read_text())


def schema(name: str) -> Any:
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})


@pytest.fixture(scope="module")
def source_match(tmp_path_factory: pytest.TempPathFactory) -> tuple[Evening, list[Any], list[Any]]:
    folder = tmp_path_factory.mktemp("source")
    evening = Evening(f"exec+maze:{tapped(SOURCE, folder)}", "random")
    return evening, said(folder, "in"), said(folder, "out")


@pytest.fixture(scope="module")
def course_match(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Any], list[Any]]:
    folder = tmp_path_factory.mktemp("course")
    Evening(f"exec+maze/course:{tapped(COURSE + ' - ada', folder)}", "random").assert_clean()
    return said(folder, "in"), said(folder, "out")


def shown(page: str, mark: str) -> list[Any]:
    """The JSON after a mark at the beginning of lines of a page."""
    lines = (PAGES / page).read_text().splitlines()
    return [json.loads(line[2:]) for line in lines if line.startswith(f"{mark} ")]


def test_the_published_schema_is_that_of_real_messages(source_match: tuple[Evening, list[Any], list[Any]]) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    _, read, wrote = source_match
    for message in read:
        schema("Request").validate(message)
    for message in wrote:
        schema("Response").validate(message)
    assert {message["body"]["type"] for message in read} == {
        "Registration",
        "GameStart",
        "RequestAction",
        "StateUpdate",
        "GameOver",
    }


def test_the_schema_refuses_what_is_not_in_the_protocol(source_match: tuple[Evening, list[Any], list[Any]]) -> None:
    _, read, wrote = source_match
    request, response = read[1], wrote[0]
    for wrong in (
        {**request, "id": "short"},
        {**request, "body": {**request["body"], "type": "GameStop"}},
        {**request, "body": {**request["body"], "goals": []}},
    ):
        assert not schema("Request").is_valid(wrong)
    move = response["body"]["move"]
    for wrong_move in (
        {**move, "type": "WALK"},
        {**move, "moveTo": {"row": 1}},
        {**move, "slideAction": {**move["slideAction"], "rotations": 4}},
    ):
        assert not schema("Response").is_valid({**response, "body": {"type": "ResponseAction", "move": wrong_move}})


def test_the_types_name_every_key_of_the_schema() -> None:
    types = (ROOT / "docs" / "schemas" / "maze-source.ts").read_text()
    for name, form in SCHEMA["$defs"].items():
        found = re.search(rf"export (?:interface {name} {{(.*?)\n}}|type {name} = )", types, re.S)
        assert found is not None, name
        for key in form.get("properties", ()):
            assert re.search(rf"\b{key}: ", found[1]), f"{name}.{key}"


def test_what_the_page_of_the_protocol_shows_was_said(source_match: tuple[Evening, list[Any], list[Any]]) -> None:
    evening, read, wrote = source_match
    evening.assert_clean()
    requests, responses = shown("maze-protocol.md", "<"), shown("maze-protocol.md", ">")
    assert requests and responses
    for message in requests:
        if message["body"]["type"] == "RegistrationOver":
            schema("Request").validate(message)
        else:
            assert message in read
    for message in responses:
        if message["body"]["move"]["type"] == "PASS":
            schema("Response").validate(message)
        else:
            assert message in wrote
    assert {message["body"]["type"] for message in requests} == set(
        re.findall(r'const": "([A-Z]\w+[a-z])"', SOURCE_TEXT)
    )


SOURCE_TEXT = json.dumps({name: form for name, form in SCHEMA["$defs"].items() if name != "ResponseAction"})


def test_what_the_page_of_the_course_shows_was_said(course_match: tuple[list[Any], list[Any]]) -> None:
    read, wrote = course_match
    calls, answers = shown("maze-course.md", "<"), shown("maze-course.md", ">")
    assert all(call in read for call in calls)
    assert all(answer in wrote or answer == "PASS" for answer in answers)
    assert {call[0] for call in calls} == {"setup", "take-turn", "win"}


def test_what_the_page_shows_observers_is_what_is_stored() -> None:
    evening = Evening(f"exec+maze:{SOURCE}", "random")
    stored = [json.loads(line) for line in written(MAZE, evening.lines, SEED)]
    page = (PAGES / "maze-course.md").read_text()
    lines = page[page.index("## Observers") :].splitlines()
    kinds = tuple(f'{{"type":"{kind}"' for kind in ("state", "choice", "over"))
    shown = [json.loads(line) for line in lines if line.startswith(kinds)]
    assert {line["type"] for line in shown} == {"state", "choice", "over"}
    assert all(line in stored for line in shown)


def test_the_test_cases_of_the_page_have_the_answers_that_it_shows() -> None:
    page = (PAGES / "maze-course.md").read_text()
    cases = re.findall(r"    parlour maze-check (\S+) <<< '(.*)'\n\n```json\n(.*)\n```", page)
    assert {kind for kind, _, _ in cases} >= {"reachable", "slide", "choice"}
    for kind, given, answer in cases:
        command = [sys.executable, "-m", "parlour", "maze-check", kind]
        done = subprocess.run(command, input=given, capture_output=True, text=True, cwd=ROOT)
        assert json.loads(done.stdout) == json.loads(answer), done.stderr


def test_the_bot_on_the_games_page_plays(tmp_path: Path) -> None:
    found = re.search(r"```python\n(.*?)```", (PAGES / "maze.md").read_text(), re.S)
    assert found is not None
    (tmp_path / "my_bot.py").write_text(found[1])
    for rows in (3, 7):
        Evening(str(tmp_path / "my_bot.py"), "euclid", rows=rows, round_cap=50).assert_clean()
