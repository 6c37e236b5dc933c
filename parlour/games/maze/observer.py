"""Messages for observers: every move, and the whole state with all goals after every turn (RULES 11)."""

from collections.abc import Sequence
from typing import Any

import msgspec

from parlour.core import Event, Message, Over, Result, Scribe, Seat
from parlour.core.values import Value
from parlour.games.maze.forms import choice, coordinate, state
from parlour.games.maze.setup import spot
from parlour.games.maze.strategies import PASS
from parlour.games.maze.values import Began, Joined, Left, Move, Moved, Passed

encode = msgspec.json.Encoder().encode


class Observer(Scribe):
    """Writes the messages. They contain all goals, so while the game runs only the host may read them."""

    def __init__(self) -> None:
        self._names: list[str] = []
        self._removed: list[str] = []
        self._changed = True
        self._playing = False

    def began(self, names: Sequence[str], view: Value) -> list[Message]:
        self._names = list(names)
        return []

    def event(self, event: Event) -> list[Message]:
        match event:
            case Joined(name=name):
                self._names.append(name)
            case Began():
                self._changed = True
            case Moved(seat=seat, index=index, direction=direction, degrees=degrees, to=to):
                return self._did(seat, choice(Move(index, direction, degrees, *to)))
            case Passed(seat=seat):
                return self._did(seat, choice(PASS))
            case Left(seat=seat, why=why) if self._playing:
                self._changed = True
                self._removed.append(self._names[seat])
                return [encode({"type": "removed", "player": self._names[seat], "why": why})]
        return []

    def _did(self, seat: Seat, what: Any) -> list[Message]:
        self._changed = True
        return [encode({"type": "choice", "player": self._names[seat], "choice": what})]

    def after(self, state: Any) -> list[Message]:
        self._playing = state.phase != "registration"
        if not self._changed or not self._playing:
            return []
        self._changed = False
        return [encode({"type": "state", "round": state.round, "turn": state.turn, "state": referee_state(state)})]

    def over(self, over: Over) -> list[Message]:
        if not isinstance(over.end, Result):
            return []
        winners = [self._names[seat] for seat, rank in enumerate(over.end.ranks) if rank == 1]
        return [encode({"type": "over", "winners": sorted(winners), "removed": sorted(self._removed)})]


def referee_state(position: Any) -> dict[str, Any]:
    """The referee's form of a state, which is also the form of a prepared position."""
    form = state(position.view(None))
    players, columns = position.players, position.board.columns
    for entry, seat in zip(form["plmt"], position.order(), strict=True):
        entry["goto"] = coordinate(spot(players[seat].goal, columns))
    return {**form, "goals": [coordinate(spot(goal, columns)) for goal in position.queue]}
