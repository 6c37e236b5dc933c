"""The starter bots really play, and what the pages show of matches is what was said in them."""

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parlour.core import Asked, Dice, Hello, Result
from parlour.games import game
from parlour.games.dominion.dialect import Lines
from parlour.games.dominion.rules import State
from parlour.games.dominion.values import AnswerAttack, Options, TakeTurn
from parlour.players.play import Played, play
from parlour.players.player_specs import Spec, load
from parlour.players.terms import Terms
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match, Out
from parlour.referee.replay import verify
from parlour.referee.scribe import written
from parlour.referee.transcript import Limits
from tests.games.dominion.tables import waited_for
from tests.players.children import unhurried

ROOT = Path(__file__).parents[3]
PAGES = ROOT / "docs" / "games"
DOMINION = game("dominion")
SEED = bytes.fromhex("c0ffee")


def command(language: str) -> list[str]:
    """What starts a starter; without Node there is nothing to try, which on a build server must not go unnoticed."""
    if language == "python":
        return [sys.executable, str(ROOT / "examples" / "dominion_starter.py")]
    node = shutil.which("node")
    if node is None:
        missing = "Node is not installed, so examples/dominion_starter.js cannot be tried"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    return [node, str(ROOT / "examples" / "dominion_starter.js")]


class Evening:
    """One match with all that came of it."""

    def __init__(self, *players: str, limit_ms: int = 30_000) -> None:
        self.lines: list[bytes] = []
        self.notices: list[Any] = []
        terms = Terms(game=DOMINION, limits=Limits(limit_ms), handshake_s=30.0)
        specs: list[Spec] = [load(DOMINION, player) for player in players]
        with unhurried(), waited_for():
            self.played: Played = play(terms, specs, SEED, MemoryLog(self.lines), self.watch)

    def watch(self, match: Match[Any], out: Out) -> None:
        self.notices += out.notices

    def assert_clean(self) -> None:
        """All have stayed, and nobody did anything wrong."""
        assert isinstance(self.played.end, Result)
        assert [notice for notice in self.notices if hasattr(notice, "fault")] == []
        assert (self.played.match.gone, self.played.endings) == ({}, {})
        assert not any(self.played.stderr.values())
        assert verify(b"".join(line + b"\n" for line in self.lines), game).holds == "yes"

    def attacks(self, seat: int) -> int:
        return sum(
            isinstance(it, Asked) and it.seat == seat and isinstance(it.ask, AnswerAttack) for it in self.notices
        )

    def stored(self) -> set[str]:
        return {line.decode() for line in written(DOMINION, self.lines, SEED)}


SHAPES = ["dominion", "dominion/text"]


@pytest.mark.parametrize("shape", SHAPES)
def test_the_starters_play_each_other(shape: str) -> None:
    evening = Evening(*(f"exec+{shape}:{' '.join(command(language))}" for language in ("python", "node")))
    evening.assert_clean()
    assert evening.played.match.names == ["Python starter", "Node starter"]
    assert isinstance(evening.played.end, Result) and min(evening.played.end.scores) > 3, "somebody bought nothing"


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("language", ["python", "node"])
def test_a_starter_bears_attacks(language: str, shape: str) -> None:
    evening = Evening(f"exec+{shape}:{' '.join(command(language))}", "militia")
    evening.assert_clean()
    assert evening.attacks(0) > 0


@pytest.mark.parametrize("language", ["python", "node"])
def test_a_starter_shows_a_moat_and_otherwise_discards_the_worst(language: str) -> None:
    said = (
        '{"type":"attack-request","discard":2,"options":["gold","moat","estate","copper","copper"],"discards":2}\n'
        '{"type":"attack-request","discard":2,"options":["gold","copper","estate","market","smithy"]}\n'
    )
    done = subprocess.run(command(language), input=said, capture_output=True, text=True, timeout=60)
    shown, discarded = (msgspec.json.decode(line) for line in done.stdout.splitlines())
    assert shown == {"type": "attack-reply-reaction", "reaction": "moat"}
    assert discarded == {"type": "attack-reply", "discard": ["estate", "market"]}
    assert done.returncode == 0, "at the end of its input it leaves"


@pytest.mark.parametrize("dialect", [[], ["--dialect", "text"]])
def test_two_starters_meet_at_a_host(dialect: list[str]) -> None:
    words = ["-m", "parlour", "host", "dominion", "--port", "0", "--seats", "2", "--once", "--limit", "30", *dialect]
    with subprocess.Popen(
        [sys.executable, *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as host:
        assert host.stderr is not None
        found = re.search(r"127\.0\.0\.1:(\d+)", host.stderr.readline())
        assert found is not None
        guests = [guest(int(found[1])) for _ in range(2)]
        told, _ = host.communicate(timeout=60)
        assert [child.wait(timeout=60) for child in guests] == [0, 0]
    (line,) = told.splitlines()
    result = msgspec.json.decode(line)
    assert host.returncode == 0 and result["players"] == ["Python starter"] * 2
    assert (result["void"], result["left"], sorted(result["ranks"])[0]) == (None, {}, 1)


def guest(port: int) -> subprocess.Popen[bytes]:
    """The Python starter, its standard input and output being one connection."""
    with socket.create_connection(("127.0.0.1", port)) as link:
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return subprocess.Popen(command("python"), stdin=link.fileno(), stdout=link.fileno())


# The pages


def shown(page: str, beginning: str) -> list[str]:
    """All lines of a page that begin so, without that beginning."""
    lines = (PAGES / page).read_text().splitlines()
    return [line.removeprefix(beginning) for line in lines if line.startswith(beginning + '{"type"')]


def test_what_the_protocol_page_shows_was_said(tmp_path: Path) -> None:
    heard, said = tmp_path / "in.txt", tmp_path / "out.txt"
    for shape in SHAPES:
        seen = f"tee -a {heard} | {' '.join(command('python'))} | tee -a {said}"
        Evening(f"exec+{shape}:sh -c '{seen}'", "militia", "random").assert_clean()
    page = shown("dominion-protocol.md", "< ")
    assert set(page) <= set(heard.read_text().splitlines())
    assert {kind(line) for line in page} == {kind(line) for line in heard.read_text().splitlines()}
    assert len(set(shown("dominion-protocol.md", "> ")) & set(said.read_text().splitlines())) >= 4


def kind(line: str) -> str:
    return str(msgspec.json.decode(line)["type"])


def test_every_reply_on_the_protocol_page_can_be_read() -> None:
    bot = Lines()
    bot.hello(Hello("dominion", 1, "", False, 0))
    for line in shown("dominion-protocol.md", "> "):
        if kind(line) == "player-name-reply":
            assert bot.introduced(line.encode()).name == "Python starter"
            continue
        on_turn = kind(line) == "play-reply"
        ask = TakeTurn(actions=1, buys=1, money=0) if on_turn else AnswerAttack(card="militia", discard=2)
        bot.asked(Asked(0, 1, ask, 1, None, None, None, None), State.new(2, Options(), None, Dice(b"")).view(0))
        assert bot.read(line.encode()) is not None


BLUNDERS = """
import json, sys
turns = ['{"type": "play-reply", "phase": "action", "card": "smithy"}', "hm"]
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "player-name-request":
        print(json.dumps({**message, "type": "player-name-reply", "name": "Ada"}), flush=True)
    elif message["type"] == "play-turn" and turns:
        print(turns.pop(0), flush=True)
"""


def test_what_the_store_page_shows_was_stored(tmp_path: Path) -> None:
    (tmp_path / "blunders.py").write_text(BLUNDERS)
    evening = Evening(f"exec+dominion:{' '.join(command('python'))}", "militia", "random")
    unhappy = Evening(f"exec+dominion:{sys.executable} {tmp_path / 'blunders.py'}", "money", limit_ms=3000)
    assert unhappy.played.match.gone == {0: "silent"}
    stored = evening.stored() | unhappy.stored()
    page = shown("dominion-store.md", "")
    assert set(page) <= stored
    assert {kind(line) for line in page} == {kind(line) for line in stored}


def test_the_python_bot_on_the_games_page_plays(tmp_path: Path) -> None:
    code = re.search(r"^```python\n(.*?)^```$", (PAGES / "dominion.md").read_text(), re.M | re.S)
    assert code is not None
    (tmp_path / "my_bot.py").write_text(code[1])
    evening = Evening(str(tmp_path / "my_bot.py"), "militia")
    evening.assert_clean()
    assert evening.attacks(0) > 0
