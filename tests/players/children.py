"""Child processes for tests: small Python programs, good and bad."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest

import parlour.players.starter
import parlour.transports.process
from parlour.core import Game
from parlour.games import game
from parlour.players.play import Played, play
from parlour.players.player_specs import ExecSpec, Spec, load
from parlour.players.terms import Terms
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match, Out
from parlour.referee.replay import verify
from parlour.referee.transcript import Limits

FORSALE = game("forsale")

HELLO = """
import json, sys, time, os
def say(message):
    print(json.dumps(message), flush=True)
def heard():
    for line in sys.stdin:
        yield json.loads(line)
"""

GOOD = """
for message in heard():
    if message["type"] == "hello":
        say({"type": "hello", "name": "good", "salt": "pepper"})
    elif message["type"] == "ask":
        say({"type": "answer", "id": message["id"], "action": message["ask"]["choices"][0]})
"""

EACH_ASK = """
for message in heard():
    if message["type"] == "hello":
        say({"type": "hello"})
    elif message["type"] == "ask":
        BODY
"""


def on_ask(body: str) -> str:
    """A child that does this whenever it is asked."""
    return EACH_ASK.replace("BODY", body)


@contextmanager
def unhurried() -> Iterator[None]:
    """Give child processes a long time to exit, so that a slow machine does not cut off their last output."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parlour.transports.process, "EXIT_S", 30.0)
        patch.setattr(parlour.players.starter, "STATUS_S", 30.0)
        yield


class Table:
    """Plays with children written for the occasion against bots; For Sale, unless told otherwise."""

    def __init__(self, folder: Path, game: Game[Any] = FORSALE, bots: Sequence[str] = ("minimum", "random")) -> None:
        self.folder = folder
        self.game = game
        self.bots = bots
        self.lines: list[bytes] = []
        self.notices: list[Any] = []

    def child(self, code: str, dialect: str = "") -> Spec:
        path = self.folder / "child.py"
        path.write_text(HELLO + code)
        return load(self.game, f"exec{dialect}:{sys.executable} {path}")

    def watch(self, match: Match[Any], out: Out) -> None:
        self.notices += out.notices

    def play(self, code: str, dialect: str = "", limit_ms: int = 20_000, **terms: Any) -> Played:
        bots = [load(self.game, bot) for bot in self.bots]
        return self.play_specs([self.child(code, dialect), *bots], limit_ms, **terms)

    def play_specs(
        self, specs: list[Spec], limit_ms: int = 20_000, *, stays: bool = False, handshake_s: float = 30.0, **terms: Any
    ) -> Played:
        """`stays`: whether a child does not exit by itself at the end."""
        agreed = Terms(game=self.game, limits=Limits(limit_ms), handshake_s=handshake_s, **terms)
        with nullcontext() if stays else unhurried():
            played = play(agreed, specs, b"seed", MemoryLog(self.lines), self.watch)
        data = b"".join(line + b"\n" for line in self.lines)
        assert verify(data, game).holds == "yes"
        return played

    def faults(self) -> list[tuple[str, str]]:
        """Those of the child, which has seat 0."""
        found = [notice for notice in self.notices if hasattr(notice, "fault") and getattr(notice, "seat", None) == 0]
        return [(notice.fault.kind, notice.fault.code) for notice in found]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


__all__ = ["GOOD", "ExecSpec", "Table", "on_ask", "table", "unhurried"]
