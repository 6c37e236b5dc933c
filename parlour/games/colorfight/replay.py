"""Replay files in the format of today's page: a full frame, then the changes of each turn (RULES 11)."""

from collections.abc import Sequence
from typing import Any, ClassVar

import msgspec

from parlour.core import Event, Message, Over, Scribe, Value
from parlour.games.colorfight.frames import CompactFrames, building_counts, compact_user, room_info
from parlour.games.colorfight.rules import State
from parlour.games.colorfight.tables import LETTERS
from parlour.games.colorfight.values import Joined

encode = msgspec.json.encode


class Replay(Scribe):
    """Writes a JSON array with one element per line. A cell lists its values up to the last one that changed."""

    gzipped: ClassVar[bool] = True

    def __init__(self) -> None:
        self._names: list[str] = []
        self._turn = -1
        self._before: list[tuple[Any, ...]] = []

    def began(self, names: Sequence[str], view: Value) -> list[Message]:
        self._names = list(names)
        return []

    def event(self, event: Event) -> list[Message]:
        if isinstance(event, Joined):
            self._names.append(event.name)
        return []

    def after(self, state: Any) -> list[Message]:
        assert isinstance(state, State)
        if state.turn == self._turn:
            return []
        element = self._whole(state) if self._turn < 0 else self._change(state)
        self._turn = state.turn
        return [element]

    def over(self, over: Over) -> list[Message]:
        return [b"]"]

    def cut(self) -> list[Message]:
        return [b"]"]

    def _whole(self, state: State) -> Message:
        self._before = self._values(state)
        return b"[" + CompactFrames().frame(state, self._names, room_info(state.land.width * state.land.height))

    def _change(self, state: State) -> Message:
        before, self._before = self._before, self._values(state)
        width = state.land.width
        cells = [_prefix(old, new) for old, new in zip(before, self._before, strict=True)]
        rows = [cells[start : start + width] for start in range(0, len(cells), width)]
        counts = building_counts(state)
        users = {
            uid: compact_user(uid, name, player, counts[uid])
            for uid, (name, player) in enumerate(zip(self._names, state.players, strict=True), start=1)
        }
        return b"," + encode({"turn": state.turn, "users": users, "game_map": {"data": rows}})

    def _values(self, state: State) -> list[tuple[Any, ...]]:
        """For every cell, the values that can change, in the order of HEADERS."""
        land = state.land
        gold, energy = land.outputs()
        costs = land.attack_cost(state.rules.home_by_level)
        buildings = [
            [LETTERS[kind], level] for kind, level in zip(land.building.tolist(), land.level.tolist(), strict=True)
        ]
        columns = (costs.tolist(), land.field.tolist(), buildings, gold.tolist(), energy.tolist(), land.owner.tolist())
        return list(zip(*columns, strict=True))


def _prefix(old: tuple[Any, ...], new: tuple[Any, ...]) -> tuple[Any, ...]:
    """The new values up to the last one that changed."""
    if old == new:
        return ()
    last = max(place for place in range(len(new)) if old[place] != new[place])
    return new[: last + 1]
