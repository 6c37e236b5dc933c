"""The part of the store that tables use. The SQL store implements it."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeAlias

from parlour.core import Seat
from parlour.protocol.records import StoredMatch, StoredSeat
from parlour.referee.log import Log
from parlour.referee.match import Match

NewLog: TypeAlias = Callable[[Match[Any], int], Log]
"""Makes the log of a match of which this many lines are stored already."""


class TableStore(Protocol):
    """Stores tables and their seats, and reads matches. When a call that writes returns, its changes are durable."""

    async def signing_key(self, new: Callable[[], bytes]) -> bytes:
        """The private key for signing results; created at the first call."""

    async def add_match(self, match: StoredMatch, seed: bytes) -> None:
        """Add an open table."""

    async def sit(self, match: str, seat: Seat, account: int | None, name: str, salt: str) -> None:
        """Assign a seat."""

    async def stand_up(self, match: str, seat: Seat) -> None:
        """Free a seat."""

    async def begin_match(
        self, id: str, those: Sequence[StoredSeat], guests: Sequence[int] = (), label: str = ""
    ) -> None:
        """Turn a table into a match with these seats. The tokens of these guests get this label."""

    async def change_match(self, id: str, **changes: Any) -> None:
        """Change columns of a table or match."""

    async def match(self, id: str) -> StoredMatch | None:
        """A table or match."""

    async def unfinished(self) -> list[StoredMatch]:
        """Tables and matches to resume at the start."""

    async def seed(self, match: str) -> bytes:
        """The seed of a table or match."""

    async def lines(self, match: str, first: int = 0, limit: int | None = None) -> list[bytes]:
        """The transcript of a match."""

    async def last_lines(self, match: str, count: int) -> list[bytes]:
        """The last lines, in order."""

    async def tokenless(self, ids: Iterable[int], but: str | None = None) -> set[int]:
        """Those accounts that cannot return: guests without a valid token (tokens with the label `but` do not count),
        and accounts that are banned or deleted."""

    async def guests(self, ids: Iterable[int]) -> set[int]:
        """Those accounts that are guests, without a password."""

    async def hides_result(self, match: str) -> bool:
        """Whether the result of a match is hidden, because it ended after the freeze of its league."""

    async def teams(self, match: str) -> dict[Seat, frozenset[int]]:
        """The accounts that share a seat of a league's match."""

    async def note_absent(self, match: str, absent: Sequence[Seat]) -> None:
        """A match of a league is about to begin, or to be given up, without the players of these seats."""
