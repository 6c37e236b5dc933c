"""Observations and actions as text, for language models."""

import re
import string
from typing import Any

from parlour.core import BadMessage, Event, Seat
from parlour.core.generated_text import rules_text, text_of
from parlour.envs.episode import Episode
from parlour.envs.extras import needs
from parlour.envs.interface import Interface
from parlour.envs.setting import Setting

with needs("gymnasium", "envs"):
    from gymnasium import spaces

MOST_OBSERVED = 200_000
MOST_SAID = 4_000
CHARACTERS = frozenset(string.printable)
_OTHER = re.compile("[^" + re.escape(string.printable) + "]")


class TextInterface(Interface):
    """The text form of a game: the events since the agent's last decision, its view, and its ask."""

    version = 0
    watches = True

    def __init__(self, setting: Setting) -> None:
        self._form = text_of(setting.game)
        self._names = setting.names
        self.rules = rules_text(setting.game, setting.options)
        """The rules, for a reader that does not know the game."""

    def observation_space(self) -> "spaces.Text":
        return spaces.Text(MOST_OBSERVED, charset=CHARACTERS)

    def action_space(self) -> "spaces.Text":
        return spaces.Text(MOST_SAID, charset=CHARACTERS)

    def begin(self, episode: Episode) -> None:
        self._episode = episode
        self._read: dict[Seat, int] = {}
        """By seat, how many outputs of the match its last decision had seen."""

    def observe(self, seat: Seat) -> str:
        view, ask = self._episode.match.state.view(seat), self._episode.ask(seat)
        parts = [*self._news(seat), self._form.view(view, self._names)]
        if ask is not None:
            parts.append(self._form.ask(ask, view, self._names))
        return _OTHER.sub("?", "\n".join(parts))[:MOST_OBSERVED]

    idle = observe

    def _news(self, seat: Seat) -> list[str]:
        outs = self._episode.outs[self._read.get(seat, 0) :]
        seen = [notice for out in outs for notice in out.to(seat) if isinstance(notice, Event)]
        return [self._form.event(event, self._names, seat) for event in seen]

    def decode(self, seat: Seat, ask: Any, action: Any) -> Any | None:
        if not isinstance(action, str):
            raise ValueError(f"action {action!r}: not a text")
        if len(action) > MOST_SAID:
            raise ValueError(f"an action of {len(action)} characters: at most {MOST_SAID} are read")
        view = self._episode.match.state.view(seat)
        self._read[seat] = len(self._episode.outs)
        try:
            return self._form.parse(action, ask, view, self._names)
        except BadMessage as unclear:
            return unclear
