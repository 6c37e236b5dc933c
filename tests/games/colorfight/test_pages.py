"""The examples on the docs pages are real, and their tables are complete."""

import gzip
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from parlour.core import Result
from parlour.games import game
from parlour.games.colorfight import wire
from parlour.games.colorfight.frames import HEADERS
from parlour.games.colorfight.values import (
    MOST_ERROR_BYTES,
    MOST_LETTERS,
    MOST_LISTS,
    MOST_ORDERS,
    MOST_RECORDED,
    Options,
    View,
)
from parlour.players.play import play
from parlour.players.player_specs import load
from parlour.players.terms import Terms
from parlour.server.api import app
from parlour.server.settings import Settings
from parlour.transports import limits as client_limits
from parlour.venues.colorfight import rooms, settings
from parlour.venues.colorfight.calls import ColorfightII
from parlour.venues.colorfight.room_config import CONFIGS, FIELDS, LEAST_ROUND_S
from tests.games.colorfight.hosts import PATIENCE_S, ROOT, hosting, said
from tests.players.children import unhurried

COLORFIGHT = game("colorfight")
RULES = (ROOT / "parlour" / "games" / "colorfight" / "RULES.md").read_text()
GAME_PAGE = (ROOT / "docs" / "games" / "colorfight.md").read_text()
PAGE = (ROOT / "docs" / "games" / "colorfight-channels.md").read_text().replace(" \\\n        ", " ")
"""With every command on one line."""
FULL, COMPACT = (line.split() for line in re.findall(r"^    parlour host colorfight (.*--seed.*)$", PAGE, re.M))
"""How the page starts its hosts."""

Session: TypeAlias = tuple[set[tuple[str, str]], Any]
"""Messages with their replies, and the frame of turn 1."""


def part(page: str, first: str, behind: str = r"\Z") -> str:
    """From one heading to another."""
    found = re.search(rf"^{first}$.*?(?=^{behind})", page, re.M | re.S)
    assert found is not None, first
    return found[0]


def shown(beginning: str) -> list[Any]:
    """The JSON of the page that begins so."""
    blocks = re.findall(r"```json\n(.*?)\n```", PAGE, re.S)
    return [json.loads(block) for block in blocks if block.startswith(beginning)]


def registered(**options: Any) -> ColorfightII:
    """A game that Ada has joined."""
    calls = ColorfightII(Options(**options), seed=b"any")
    calls.parse_action(None, json.dumps({"action": "register", "username": "ada", "password": "x"}))
    return calls


# The channels


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with hosting(*FULL) as host, ExitStack() as stack:
        ada, bob = (stack.enter_context(host.channel("action_channel")) for _ in range(2))
        shows = stack.enter_context(host.channel("game_channel"))
        spoken = {
            said(ada, {"action": "register", "username": "ada", "password": "lovelace"}),
            said(bob, {"action": "register", "username": "bob", "password": "secret"}),
            said(ada, {"action": "command", "cmd_list": ["a 1 0 100", "u 1 0"]}),
            said(bob, {"action": "command", "cmd_list": ["a 0 0 100", "b 5 5 g"]}),
            said(ada, "hm"),
            said(ada, '{"action":"command","cmd_list":"a 1 1 1"}'),
        }
        host.start()
        yield spoken, json.loads(shows.recv(timeout=PATIENCE_S))


def test_what_the_page_shows_was_said_and_answered(session: Session) -> None:
    pairs = re.findall(r"^> (.*)\n< (.*)$", PAGE, re.M)
    assert 2 * len(pairs) == len(re.findall(r"^[<>] ", PAGE, re.M)) and set(pairs) == session[0]


def test_the_full_frame_of_the_page_was_that_of_turn_1(session: Session) -> None:
    assert shown('{\n  "turn"') == [session[1]]


def test_the_page_explains_every_key_of_a_full_frame(session: Session) -> None:
    tables, frame = part(PAGE, r"\| key \| \|", "## The compact frame"), session[1]
    cell = frame["game_map"][0][0]
    for thing in (frame, frame["info"], cell, cell["building"], frame["users"]["1"]):
        assert all(f"`{key}`" in tables for key in thing)


@pytest.fixture(scope="module")
def compact() -> Any:
    """A frame of turn 1 after Ada has joined, and the replies to the calls on the page."""
    with hosting(*COMPACT) as host, ExitStack() as stack:
        shows = stack.enter_context(host.channel("gameroom/public/game_channel"))
        takes = stack.enter_context(host.channel("gameroom/public/action_channel"))
        said(takes, {"action": "register", "username": "ada", "password": "lovelace", "join_key": ""})
        started = host.start()
        while (frame := json.loads(shows.recv(timeout=PATIENCE_S)))["turn"] != 1:
            pass
        return frame, started, host.call("get_gameroom_list")


def test_the_parts_of_a_compact_frame_on_the_page_are_real(compact: Any) -> None:
    frame, _, _ = compact
    [info], [headers], [user] = shown('{"max_turn"'), shown('["attack_cost"'), shown('{"uid"')
    assert {**info, "game_id": ""} == {**frame["info"], "game_id": ""}
    assert headers == frame["game_map"]["headers"] == list(HEADERS)
    assert user == frame["users"]["1"]
    rows, [[x, y]] = frame["game_map"]["data"], user["cells"]
    cells = [json.loads(line) for line in re.findall(r"^\[\d+,0,\[.*\]$", PAGE, re.M)]
    assert cells == [rows[0][0], rows[y][x]]


def test_the_page_explains_what_a_compact_frame_has_besides(compact: Any) -> None:
    section, frame = part(PAGE, "## The compact frame", "## In a room"), compact[0]
    of_users = frame["users"]["1"].keys() - registered().get_game_info()["users"][1].keys()
    assert of_users and frame["chat"] == []
    assert all(f"`{key}`" in section for key in (*frame["info"], *of_users, "chat", "game_map"))


def test_the_calls_of_the_page_are_answered_so(compact: Any) -> None:
    assert shown('{"success"') == [compact[1]] and shown('[{"name"') == [compact[2]]


def test_the_page_has_all_words_of_the_rule_book_for_what_is_refused() -> None:
    section = part(RULES, r"\*\*10\.3 .*", r"\*\*10\.4")
    words = [each for row in re.findall(r"^\|.*\| (`.*`) \|$", section, re.M) for each in re.findall("`(.*?)`", row)]
    assert len(words) > 20
    assert all(f"`{each}`" in PAGE for each in words)


def test_the_limits_of_the_page_are_those_of_the_code() -> None:
    limits = dict(re.findall(r"^\| (.*?) \| (.*) \|$", part(PAGE, "## Limits", "## From Python"), re.M))
    for what, beginning in (
        ("a message over WebSocket", f"{client_limits.FRAME_FACTOR * client_limits.MESSAGE_BYTES // 1024} KiB;"),
        ("a body over HTTP", f"{app.MOST_BODY // 1024} KiB"),
        ("orders in a list", f"{MOST_ORDERS}"),
        ("letters in an order", f"{MOST_LETTERS}"),
        ("lists of a player in a round", f"{MOST_LISTS}"),
        ("lists of a player in a round, as they are recorded", f"{MOST_RECORDED:,} bytes"),
        ("errors of a player in a frame", f"{MOST_ERROR_BYTES} bytes"),
        ("messages of a connection", f"{client_limits.BURST} at once, then {client_limits.A_SECOND:g} a second"),
        ("registrations of a connection", f"{client_limits.REGISTERS_BURST} at once, then one a second"),
        ("wrong keys and passwords of an address", f"{Settings().tries_a_minute} a minute in an"),
        ("a name", f"{wire.MOST_NAME - 1} letters"),
        ("a password", f"{wire.MOST_PASSWORD} letters"),
        ("rooms", f"{settings.MOST_ROOMS};"),
        ("a room in which nobody is", f"{rooms.EMPTY_S / 60:g} minutes"),
        ("connections of a server", f"{client_limits.CONNECTIONS}"),
        ("taking a frame or a reply", f"{client_limits.SEND_S:g} seconds"),
    ):
        assert limits.pop(what).startswith(beginning), what
    assert not limits, "a row that nobody has checked"


def test_the_page_has_every_setting_and_every_config_of_a_room() -> None:
    section = part(PAGE, "### Settings", "## Limits")
    assert all(f"`{name}`" in section for name in (*FIELDS, *CONFIGS, *Options.__struct_fields__))
    assert f"| `round_time` | 0.2 to 20 | {LEAST_ROUND_S:g} to 60 |" in section


def test_the_commands_of_the_page_make_the_replay_that_it_shows(tmp_path: Path) -> None:
    plays, exports = re.findall(r"^    parlour (.*)$", part(PAGE, "## Replays"), re.M)
    for command in (f"{plays} --store stored.json.gz", exports):
        words = [sys.executable, "-m", "parlour", *command.split()]
        subprocess.run(words, cwd=tmp_path, check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE_S)
    packed = (tmp_path / "replay.json.gz").read_bytes()
    assert packed == (tmp_path / "stored.json.gz").read_bytes()
    first, second, *_ = json.loads(gzip.decompress(packed))
    assert first["turn"] == 0 and first["game_map"]["headers"] == list(HEADERS)
    assert shown('{"turn":1,\n "users"') == [second]


def test_the_lines_of_python_on_the_page_give_what_they_say() -> None:
    [code] = re.findall(r"```python\n(from .*?)```", PAGE, re.S)
    names: dict[str, Any] = {}
    for line in code.splitlines():
        does, _, gives = line.partition("  # ")
        if re.match(r"[{\d]", gives):
            assert eval(does, names) == eval(gives)
        else:
            exec(line, names)  # noqa: S102  # our own page


# The game


def test_the_bot_on_the_games_page_plays(tmp_path: Path) -> None:
    found = re.search(r"```python\n(.*?)```", GAME_PAGE, re.S)
    assert found is not None
    (tmp_path / "my_bot.py").write_text(found[1])
    terms = Terms(game=COLORFIGHT, options=Options(width=12, height=9, max_turn=60))
    with unhurried():
        played = play(terms, [load(COLORFIGHT, str(tmp_path / "my_bot.py")), load(COLORFIGHT, "greedy")], b"seed")
    view = played.match.state.view(None)
    assert isinstance(played.end, Result) and played.match.gone == {} and isinstance(view, View)
    assert view.users[0].cells > 10 and view.building.count("e") > 5


def test_the_errors_of_the_games_page_are_said_so() -> None:
    calls = registered(width=2, height=2)
    rows = re.findall(r"^\| `([^`]* [^`]*)`.*? \| `(\1 .*)` \|$", GAME_PAGE, re.M)
    assert len(rows) == 5
    for order, words in rows:
        calls.parse_action(1, json.dumps({"action": "command", "cmd_list": [order]}))
        calls.update()
        assert calls.get_game_info()["error"][1] == [words]
