"""The messages of the full feed, which a watcher of a match is sent with `full=true`."""

from typing import Any, TypeAlias

from msgspec import Struct

from parlour.core import Fault, Result, Seat, Void
from parlour.referee.timeline import MatchPlayer


class WatchedClock(Struct, frozen=True):
    """The time that a seat has left."""

    seat: Seat
    left_ms: int
    """Until the limit. Of other seats, it is counted from the last event that everybody saw."""
    bank_ms: int | None
    """The time that may be used after that. null: unknown, because it could show how long a secret choice took."""


class WatchedSeat(Struct, frozen=True):
    """A seat of a waiting table."""

    kind: str
    """open, invited, bot or command."""
    name: str | None
    """null: free."""


class FeedWaiting(Struct, frozen=True, tag="waiting"):
    """The table waits for players. Sent again whenever a seat is taken or freed."""

    game: str
    seats: tuple[WatchedSeat, ...]


class FeedDropped(Struct, frozen=True, tag="dropped"):
    """The table never became a match. This is the last message."""


class FeedBegin(Struct, frozen=True, tag="begin"):
    """The match. Sent first, and again when a player joins a match that has begun."""

    match: str
    game: str
    seat: Seat | None
    """Your seat; null for spectators."""
    players: tuple[MatchPlayer, ...]
    """By seat."""
    options: Any
    """House rules of the game."""
    commit: str
    """SHA-256 of the seed, which is published at the end."""
    header: str
    """SHA-256 of the first line of the transcript."""


class FeedEvent(Struct, frozen=True, tag="event"):
    """Something happened."""

    n: int
    """The events that you may see are numbered from 1."""
    seat: Seat | None
    """The seat that the event is about, if it is about one."""
    words: tuple[str, ...]
    """The event in words, line by line."""
    event: Any
    """As in protocol 1."""


class FeedView(Struct, frozen=True, tag="view"):
    """The position after the events so far. Sent after events, and if it has changed without one."""

    n: int
    """The number of the last event before it; 0: none."""
    part: str | None
    """The stage of the match, such as "Round 9"; null if the game does not name its stages."""
    view: Any
    """As in protocol 1."""
    clocks: tuple[WatchedClock, ...]
    """Of the seats that everybody can see have to act, and of your own open ask."""


class FeedAsk(Struct, frozen=True, tag="ask"):
    """Your seat is asked."""

    id: int
    attempt: int
    """1, or more after faults on this ask."""
    limit_ms: int | None
    """The time limit; null: none."""
    left_ms: int | None
    """The rest of the limit."""
    bank_ms: int | None
    """The rest of your bank, which may be used after the limit."""
    ask: Any
    """As in protocol 1."""


class FeedFault(Struct, frozen=True, tag="fault"):
    """A message of your seat was refused, or its answer did not come in time."""

    id: int
    """The open ask, or 0 if there was none."""
    fault: Fault
    cost: Any
    """The action played instead. null: none; unless the kind is "unasked", the seat is asked again."""


class FeedChat(Struct, frozen=True, tag="chat"):
    """A player wrote to the others. Only seats of a table with a chat are sent it, from now on."""

    n: int
    """Messages are numbered in the order in which they were written. A table's numbers have gaps."""
    ms: int
    """When it was written, in milliseconds since 1970."""
    seat: Seat
    name: str
    text: str


class FeedOver(Struct, frozen=True, tag="over"):
    """The match has ended. This is the last message."""

    end: Result | Void
    head: str
    """SHA-256 of the transcript's end line, which covers all lines before it."""
    signature: str | None
    """The server's Ed25519 signature of match, header, head and result, in hexadecimal; null: the server signs none."""
    public_key: str | None
    """The key that checks the signature."""


FeedMessage: TypeAlias = (
    FeedWaiting | FeedDropped | FeedBegin | FeedEvent | FeedView | FeedAsk | FeedFault | FeedChat | FeedOver
)
"""A message of the full feed."""
