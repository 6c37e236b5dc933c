"""`parlour maze-check`: answer the test cases of the Maze course."""

import sys
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
import typer

from parlour import plugins
from parlour.cli.common import UserError
from parlour.core import Ask, Dice, Result, Sitting
from parlour.games.maze.check import CHECKS, STRATEGIES
from parlour.games.maze.course import NAME
from parlour.games.maze.forms import BadForm, Json, read_state, values
from parlour.games.maze.setup import SERVED
from parlour.games.maze.strategies import strategy
from parlour.games.maze.values import Prepared
from parlour.referee.driver import drive
from parlour.referee.match import Match
from parlour.referee.transcript import header

Kind: TypeAlias = Literal[
    "reachable", "slide", "choice", "game", "bad-game", "server-game", "3", "4", "5", "6", "7", "8", "9", "10"
]
"""The kind of test case, by name or by the number of the course's milestone."""

MILESTONES = {
    "3": "reachable",
    "4": "slide",
    "5": "choice",
    "6": "game",
    "7": "bad-game",
    "8": "bad-game",
    "9": "server-game",
    "10": "server-game",
}


def maze_check(kind: Annotated[Kind, typer.Argument(help="Kind of test case, or milestone.")]) -> None:
    """Answer a test case of the Maze course: JSON values on standard input, one line of JSON on standard output."""
    try:
        answer = checked(MILESTONES.get(kind, kind), list(values(sys.stdin.buffer.read().decode())))
    except (BadForm, UnicodeDecodeError) as e:
        raise UserError(f"maze-check {kind}: {e}") from None
    print(msgspec.json.encode(answer).decode())


def checked(kind: str, given: list[Json]) -> Json:
    if kind == "server-game":
        return served(given)
    return CHECKS[kind](given) if kind in CHECKS else played(given, kind == "bad-game")


def played(given: list[Json], bad: bool) -> Json:
    """Players by name, strategy and fault, and the referee's state: the winners and, if `bad`, the misbehavers."""
    match given:
        case [list() as players, said_state]:
            prepared = read_state(said_state, goals=True)
            if len(players) > len(prepared.players):
                raise BadForm(f"{len(players)} players for a state of {len(prepared.players)}")
            # The last player to sign up has the first entry of the state.
            winners, removed = outcome([Scripted(player) for player in reversed(players)], prepared)
            return [winners, removed] if bad else winners
    raise BadForm("give a list of players and the referee's state")


def served(given: list[Json]) -> Json:
    """The referee's state, and clients in connection order, all within the first period (RULES 10.3)."""
    match given:
        case [list() as clients, dict() as said_state] | [dict() as said_state, list() as clients]:
            prepared = read_state(said_state, goals=True)
            most = min(len(prepared.players), SERVED[-1])
            bots = [bot for client in clients if (bot := signed_up(client)) is not None][:most]
            return [[], []] if len(bots) < SERVED[0] else [*outcome(bots, prepared)]
    raise BadForm("give a list of clients and the referee's state")


def signed_up(client: Json) -> "Scripted | None":
    """The client as a player; None if its name is invalid (RULES 10.2)."""
    match client:
        case [str() as name, *_] if NAME.fullmatch(name):
            return Scripted(client)
        case [_, *rest]:
            Scripted(["somebody", *rest])  # check the other values as well
            return None
    raise BadForm(f"{msgspec.json.encode(client).decode()[:80]} is not a client")


def outcome(bots: "Sequence[Scripted]", prepared: Prepared) -> tuple[list[str], list[str]]:
    """Play a game with the bots in sign-up order; the names of the winners and of the misbehavers."""
    maze, seed = plugins.game("maze"), b"nothing is drawn"
    head = header(maze, [Sitting(bot.name) for bot in bots], seed, start=prepared)
    match = Match(maze, head, seed)
    end = drive(match, bots)
    assert isinstance(end, Result), end
    winners = sorted(bot.name for bot, rank in zip(bots, end.ranks, strict=True) if rank == 1)
    return winners, sorted(match.names[seat] for seat in match.gone)


class Scripted:
    """A player of a test case: a strategy that may fail at one of its calls.

    A player that should never answer raises as well: the result is the same, without the wait.
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
                raise BadForm(f"{msgspec.json.encode(said).decode()[:80]} is not a player")
        if not NAME.fullmatch(name):
            raise BadForm(f"bad name {name[:40]!r}: a name has 1 to 20 letters and digits")
        self.name = name
        self._bot = strategy(STRATEGIES[plays])
        self._calls: Counter[str] = Counter()

    def __call__(self, view: Any, ask: Ask[Any], dice: Dice) -> Any:
        method = self.METHODS[type(ask).__name__]
        self._calls[method] += 1
        if method == self._fails and self._calls[method] == self._at:
            raise RuntimeError(f"{self._at}. {method}")
        return self._bot(view, ask, dice)
