"""The parts of tradeCraft's halls: tables for users who are ready, and tokens for users who log in."""

from collections.abc import Callable
from typing import Protocol

from parlour.core import Dialect
from parlour.transports.peer import Peer


def hall_name(seats: int) -> str:
    """The name by which current clients look for the hall."""
    return f"{seats}-player-pool-matching"


class Hall(Protocol):
    """Seats users who are ready at tables of one size."""

    @property
    def seats(self) -> int:
        """The seats of each table."""

    @property
    def playing(self) -> int:
        """How many matches are running."""

    def greet(self, peer: Peer, dialect: Dialect) -> None:
        """Seat a user who is ready, or who returns to its seat."""

    def keeps(self, token: str) -> bool:
        """Whether the holder of the token has a seat to return to."""


class Registry(Protocol):
    """Gives users their tokens, and may know tokens from before the server started."""

    async def token(self, name: str, address: str) -> str:
        """A new token; or NotGiven."""

    async def hall(self, name: str, token: str) -> str | None:
        """The hall in which the token's holder has a seat under that name, if any; NotGiven if the match of
        that seat cannot be resumed."""

    def forget(self, token: str) -> None:
        """Drop a token that is no longer needed."""

    def on_ended(self, told: Callable[[str, str, str], None]) -> None:
        """Call `told` when a token is no longer valid, with an error code and a message for its user."""


class NotGiven(Exception):
    """A user cannot have a token; `code` gives the reason."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code
