"""Stored accounts, tables and matches: the values that tables and the store exchange."""

import time
from typing import Literal, TypeAlias

from msgspec import Struct

from parlour.core import Seat
from parlour.protocol.forms import MatchState

AccountState: TypeAlias = Literal["active", "banned", "deleted"]
UNTOLD = "seat"
"""The label of a token that a guest is told only when its match begins."""
TOLD = "match"
"""The label of such a token from just before the guest is told."""


def now_ms() -> int:
    """Milliseconds since 1970, as in all timestamps that are stored."""
    return int(time.time() * 1000)


class Account(Struct, frozen=True):
    id: int
    name: str
    password: str | None
    """The hash; None for a guest."""
    admin: bool
    created_ms: int
    state: AccountState = "active"


class StoredSeat(Struct, frozen=True):
    seat: Seat
    kind: str
    spec: str
    account: int | None
    name: str | None
    salt: str | None
    score: int | None = None
    rank: int | None = None
    secret: str | None = None
    """The hash of a password for this match only."""
    faults: int | None = None
    """None: the match runs, or an earlier release has stored it."""


class StoredMatch(Struct, frozen=True):
    """A table or a match, without its seed and its lines."""

    id: str
    game: str
    state: MatchState
    terms: str
    """JSON of its options and limits."""
    owner: int | None
    key_hash: str | None
    waits_until_ms: int | None
    created_ms: int
    ended_ms: int | None
    seats: tuple[StoredSeat, ...]
    rematch_of: str | None = None
    """The match whose players play again here."""
    rematch: str | None = None
    """The table or match at which the players of this one play again; it is stored there, as `rematch_of`."""
    room: str | None = None
    """The name of the room in which it is played."""
    league: str | None = None
    """The league that it is played in. Its seats were assigned when it was created."""
    is_rated: bool = False
    """Whether a new match changes ratings when it is over. It is not read again."""

    @property
    def is_over(self) -> bool:
        """Whether it was played and has ended."""
        return self.state in ("over", "void")

    def seat_of(self, account: int) -> StoredSeat | None:
        """The seat of an account; None if it has none."""
        return next((seat for seat in self.seats if seat.account == account), None)
