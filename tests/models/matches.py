"""Matches with model players in this process, and what they leave."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from parlour.core import AnswerRefused, Result
from parlour.games import game
from parlour.players.models.call_records import ModelCall
from parlour.players.models.desk import ModelDesk, usual_desk
from parlour.players.models.service import ModelService
from parlour.players.play import Played, play
from parlour.players.player_specs import load
from parlour.players.terms import Terms
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match, Out
from parlour.referee.transcript import Limits

FORSALE = game("forsale")
SEED = bytes(range(32))


class Recorded(Struct):
    """A match that was played, and everything that was kept of it."""

    played: Played
    log: MemoryLog
    calls: list[ModelCall]
    refused: list[AnswerRefused]

    def of(self, seat: int) -> list[ModelCall]:
        return [call for call in self.calls if call.seat == seat]

    @property
    def is_over(self) -> bool:
        return isinstance(self.played.end, Result)

    def codes(self) -> set[str]:
        return {refused.fault.code for refused in self.refused}

    def everything(self) -> str:
        """All that anybody could read of it."""
        return repr((self.played, self.log.lines, self.calls, self.refused))


class CallList:
    def __init__(self) -> None:
        self.calls: list[ModelCall] = []

    def add(self, call: ModelCall) -> None:
        self.calls.append(call)


def match_of(
    *players: str, limit_s: float = 60.0, desk: ModelDesk | None = None, name: str = "forsale", options: Any = None
) -> Recorded:
    """Play a match with these players and a time limit."""
    of, sink, log, refused = game(name), CallList(), MemoryLog(), list[AnswerRefused]()

    def watch(match: Match[Any], out: Out) -> None:
        refused.extend(notice for notice in out.notices if isinstance(notice, AnswerRefused))

    service = ModelService(desk or usual_desk(), sink=sink)
    terms = Terms(game=of, options=options, limits=Limits(round(limit_s * 1000), 0), models=service)
    played = play(terms, [load(of, player) for player in players], SEED, log, watch)
    return Recorded(played, log, sink.calls, refused)


def actions(recorded: Recorded) -> Sequence[bytes]:
    """The lines of a match without times."""
    return [line.partition(b',"ms"')[0] for line in recorded.log.lines]
