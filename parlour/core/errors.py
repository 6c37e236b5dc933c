"""The three kinds of trouble, and nothing else: unreadable, forbidden, and our own bugs."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from parlour.core.game import Event

Facts = Mapping[str, int | str]


class Trouble(Exception):
    """A code for programs, words for people, and the facts both may want."""

    def __init__(self, code: str, words: str, facts: Facts | None = None) -> None:
        super().__init__(code, words)
        self.code = code
        self.words = words
        self.facts = dict(facts or {})

    def __str__(self) -> str:
        return self.words


class BadMessage(Trouble):
    """Cannot be read. `n` names the ask it was meant for, where the protocol tells."""

    def __init__(self, code: str, words: str, n: int | None = None) -> None:
        super().__init__(code, words)
        self.n = n


class IllegalAction(Trouble):
    """Read, but forbidden now."""


class Inconsistent(Trouble):
    """A state that cannot be: our bug. It ends its match and is never laid on a player."""

    events: "Sequence[Event]" = ()
    """What the input caused before the rules noticed. The players are told of it before the end."""


class BadOptions(ValueError):
    """House rules, seats or a prepared position that the game cannot be played with."""
