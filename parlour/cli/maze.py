"""The course's test programs for Maze, as one command."""

import sys
from collections import Counter
from enum import StrEnum
from typing import Annotated, Any

import msgspec
import typer

from parlour.cli.arguments import app
from parlour.cli.common import UserError
from parlour.core import Ask, Dice, Result, Sitting
from parlour.games import game
from parlour.games.maze.check import CHECKS, STRATEGIES
from parlour.games.maze.course import NAME
from parlour.games.maze.forms import BadForm, Json, read_state, values
from parlour.games.maze.strategies import strategy
from parlour.referee.driver import drive
from parlour.referee.match import Match
from parlour.referee.transcript import header


class Kind(StrEnum):
    """What is to be checked, by what the course's milestones 3 to 8 call for."""

    reachable = "reachable"
    slide = "slide"
    choice = "choice"
    game = "game"
    bad_game = "bad-game"


@app.command("maze-check")
def maze_check(kind: Annotated[Kind, typer.Argument(help="What to check.")]) -> None:
    """Answer a test case of the Maze course: JSON values on standard input, one line of JSON on standard output."""
    try:
        given = list(values(sys.stdin.buffer.read().decode()))
        answer = CHECKS[kind.value](given) if kind.value in CHECKS else played(given, kind is Kind.bad_game)
    except (BadForm, UnicodeDecodeError) as e:
        raise UserError(f"maze-check {kind.value}: {e}") from None
    print(msgspec.json.encode(answer).decode())


def played(given: list[Json], bad: bool) -> Json:
    """Players by name, strategy and fault, and the referee's state: who won and, if asked for, who misbehaved."""
    match given:
        case [list() as players, said_state]:
            prepared = read_state(said_state, goals=True)
            if len(players) > len(prepared.players):
                raise BadForm(f"{len(players)} players for a state of {len(prepared.players)}")
            bots = [Scripted(player) for player in reversed(players)]  # who signs up last is first in the state
            maze, seed = game("maze"), b"nothing is drawn"
            head = header(maze, [Sitting(bot.name) for bot in bots], seed, start=prepared)
            match_ = Match(maze, head, seed)
            end = drive(match_, bots)
            assert isinstance(end, Result), end
            winners = sorted(bot.name for bot, rank in zip(bots, end.ranks, strict=True) if rank == 1)
            removed = sorted(match_.names[seat] for seat in match_.gone)
            return [winners, removed] if bad else winners
    raise BadForm("give a list of players and the referee's state")


class Scripted:
    """A player of a test case: a strategy that fails at one of its calls, by an exception or by never answering.

    A player that never answers is as gone as one that raises, so it is not waited for.
    """

    asked_all = True
    METHODS = {"SetUp": "setUp", "TakeTurn": "takeTurn", "Hear": "win"}

    def __init__(self, said: Json) -> None:
        match said:
            case [str() as name, str() as plays] if plays in STRATEGIES:
                self._fails, self._at = "", 0
            case [str() as name, str() as plays, ("setUp" | "takeTurn" | "win") as fails] if plays in STRATEGIES:
                self._fails, self._at = fails, 1
            case [str() as name, str() as plays, ("setUp" | "takeTurn" | "win") as fails, int() as at] if (
                plays in STRATEGIES and 1 <= at <= 7 and not isinstance(at, bool)
            ):
                self._fails, self._at = fails, at
            case _:
                raise BadForm(f"{msgspec.json.encode(said).decode()[:80]} is no player")
        if not NAME.fullmatch(name):
            raise BadForm(f"{name[:40]!r} is no name: it has 1 to 20 letters and digits")
        self.name = name
        self._bot = strategy(STRATEGIES[plays])
        self._calls: Counter[str] = Counter()

    def __call__(self, view: Any, ask: Ask[Any], dice: Dice) -> Any:
        method = self.METHODS[type(ask).__name__]
        self._calls[method] += 1
        if method == self._fails and self._calls[method] == self._at:
            raise RuntimeError(f"{self._at}. {method}")
        return self._bot(view, ask, dice)
