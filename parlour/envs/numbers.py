"""Observations as arrays, actions as indexes."""

from collections.abc import Mapping
from operator import attrgetter
from operator import index as whole
from typing import Any

import numpy as np

from parlour.core import BadMessage, Draft, Encoding, Seat
from parlour.core.encoding import Mask, Numbers
from parlour.envs.episode import Episode
from parlour.envs.extras import needs
from parlour.envs.interface import Interface

with needs("gymnasium", "envs"):
    from gymnasium import spaces

LOW, HIGH = attrgetter("low"), attrgetter("high")


class NumberInterface(Interface):
    """The encoding of a game. With `waits`, one more index is for agents that have nothing to decide."""

    watches = False

    def __init__(self, encoding: Encoding, waits: bool = False) -> None:
        self.encoding = encoding
        self.actions = encoding.actions
        """The indexes of the encoding; with `waits`, the next one is for waiting."""
        self.version = encoding.version
        self._waits = waits

    def observation_space(self) -> "spaces.Dict":
        encoding, kind = self.encoding, np.dtype(self.encoding.dtype).type
        low, high = ([np.full(part.size, bound(part), kind) for part in encoding.parts] for bound in (LOW, HIGH))
        mask = spaces.Box(0, 1, (self.actions + self._waits,), dtype=np.int8)
        return spaces.Dict(
            {"observation": spaces.Box(np.concatenate(low), np.concatenate(high), dtype=kind), "action_mask": mask}
        )

    def action_space(self) -> "spaces.Discrete":
        return spaces.Discrete(self.actions + self._waits)

    def begin(self, episode: Episode, drafts: Mapping[Seat, tuple[int, Draft]] | None = None) -> None:
        self._state = episode.match.state
        self._open = episode.match.open
        self._drafts: dict[Seat, tuple[int, Draft]] = dict(drafts or {})
        self._seen: dict[Seat, tuple[Any, Mask]] = {}

    def drafts(self) -> Mapping[Seat, tuple[int, Draft]]:
        """By seat, the number of an ask and the indexes chosen for it so far."""
        return self._drafts

    def observe(self, seat: Seat) -> dict[str, Numbers]:
        view, open = self._state.view(seat), self._open.get(seat)
        ask = open.ask if open is not None and open.ask.waits else None
        draft = self._draft(seat) if self._drafts else ()
        mask = self.encoding.mask(seat, view, ask, draft)
        self._seen[seat] = view, mask
        shown = np.append(mask, np.int8(0)) if self._waits else mask.copy()
        return {"observation": self.encoding.observe(seat, view, ask, draft), "action_mask": shown}

    def idle(self, seat: Seat) -> dict[str, Numbers]:
        seen = self.observe(seat)
        mask = seen["action_mask"]
        mask[:] = 0
        mask[-1] = 1
        return seen

    def decode(self, seat: Seat, ask: Any, action: Any) -> Any | None:
        index = action if type(action) is int and 0 <= action < self.actions else self._checked(action)
        view, draft = self._state.view(seat), self._draft(seat) if self._drafts else ()
        seen = self._seen.get(seat)
        # A new view is made after each change, so the same view has the same mask.
        mask = seen[1] if seen is not None and seen[0] is view else self.encoding.mask(seat, view, ask, draft)
        if index == self.actions or not mask[index]:
            return BadMessage("masked", f"index {index} is masked")
        chosen = self.encoding.action(index, seat, view, ask, draft)
        if chosen is None:
            self._drafts[seat] = self._open[seat].n, (*draft, index)
            self._seen.pop(seat, None)
        elif draft:
            del self._drafts[seat]
        return chosen

    def _draft(self, seat: Seat) -> Draft:
        n, draft = self._drafts.get(seat, (0, ()))
        return draft if seat in self._open and self._open[seat].n == n else ()

    def _checked(self, action: Any) -> int:
        try:
            index = whole(action)
        except TypeError:
            raise ValueError(f"action {action!r}: not a whole number") from None
        if not 0 <= index < self.actions + self._waits:
            raise ValueError(f"action {index}: there are {self.actions + self._waits} actions, counted from 0")
        return index
