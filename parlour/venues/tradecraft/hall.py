"""What a hall of tradeCraft is made of: tables that come about in it, and tokens for those who enter."""

import secrets
from collections.abc import Callable
from typing import Protocol

from parlour.core import Dialect
from parlour.transports.peer import Peer


def hall_name(seats: int) -> str:
    """Under which today's clients look for it."""
    return f"{seats}-player-pool-matching"


class Hall(Protocol):
    """Where tables come about for who is ready."""

    @property
    def seats(self) -> int:
        """Of each table."""

    @property
    def playing(self) -> int:
        """How many matches are under way."""

    def greet(self, peer: Peer, dialect: Dialect) -> None:
        """Somebody is ready, or comes back to its seat."""

    def keeps(self, token: str) -> bool:
        """Whether a seat is kept for who comes back with this."""


class Registry(Protocol):
    """Who gives users their tokens, and may know them from before."""

    async def token(self, name: str, address: str) -> str:
        """A new one; or NotGiven."""

    async def hall(self, name: str, token: str) -> str | None:
        """The hall in which a seat is kept for who has this token and is called so; None: there is none. NotGiven, if
        there is a seat in a match that cannot be gone on with."""

    def forget(self, token: str) -> None:
        """Nobody needs it any more."""

    def on_ended(self, told: Callable[[str, str, str], None]) -> None:
        """Whom to tell of a token that does not hold any more, with a code and words for its user."""


class NotGiven(Exception):
    """There is no token for somebody; `code` says why."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code


class Strangers:
    """Nobody is known from before."""

    async def token(self, name: str, address: str) -> str:
        return secrets.token_urlsafe()

    async def hall(self, name: str, token: str) -> str | None:
        return None

    def forget(self, token: str) -> None:
        pass

    def on_ended(self, told: Callable[[str, str, str], None]) -> None:
        pass
