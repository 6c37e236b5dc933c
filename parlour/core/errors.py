"""The kinds of error: unreadable messages, illegal actions, our own bugs, and impossible options."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parlour.core.game import Event

Facts = Mapping[str, int | str]


class Trouble(Exception):
    """An error with a code for programs, words for people, and facts for both."""

    def __init__(self, code: str, words: str, facts: Facts | None = None) -> None:
        super().__init__(code, words)
        self.code = code
        self.words = words
        self.facts = dict(facts or {})

    def __str__(self) -> str:
        return self.words


class BadMessage(Trouble):
    """A message that cannot be read. `n` is the ask it was meant for, if the protocol says so."""

    def __init__(self, code: str, words: str, n: int | None = None) -> None:
        super().__init__(code, words)
        self.n = n


class IllegalAction(Trouble):
    """An action that was read but is not allowed now."""


class Inconsistent(Trouble):
    """An impossible state: a bug of ours. It voids the match and is never blamed on a player."""

    events: "Sequence[Event]" = ()
    """Events of the input from before the rules noticed. Players are told of them before the end."""


class BadOptions(ValueError):
    """The game cannot be played with these house rules, seats or prepared position."""
