"""Forms that show to the owner of a seat how its client plays: messages, stderr and notes."""

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from parlour.core import Seat
from parlour.protocol.forms import MatchInfo

MOST_NUMBER = 2**31
SeatState: TypeAlias = Literal["waiting", "running", "over"]


class LoggedMessage(Struct, frozen=True, tag="message"):
    """A message that the server sent to the client, or received from it."""

    n: int
    """The messages of a seat are numbered from 1."""
    ms: int
    """When, in milliseconds since 1970."""
    sender: Literal["server", "client"] = msgspec.field(name="from")
    text: str
    """Its first 16 kB. Tokens, keys and salts are replaced."""
    size: int
    """Its bytes; 0 if it was too large to be read."""
    cut: bool
    """Whether `text` is only a part of it."""


class LoggedStderr(Struct, frozen=True, tag="stderr"):
    """The stderr of the client."""

    ms: int
    text: str


class LoggedNote(Struct, frozen=True, tag="note"):
    """A note that came with an answer."""

    ms: int
    ask: int
    """The id of the ask."""
    text: str


class LogOver(Struct, frozen=True, tag="over"):
    """The match has ended. This is the last message."""


SeatLogMessage: TypeAlias = LoggedMessage | LoggedStderr | LoggedNote | LogOver
"""A message of the live log of a seat."""


class SeatMessages(Struct, frozen=True):
    """The last messages of a seat."""

    messages: tuple[LoggedMessage, ...]
    dropped: int
    """How many earlier messages are no longer kept."""


class SeatStderr(Struct, frozen=True):
    """The stderr of the program at a seat."""

    text: str
    dropped: int
    """How many bytes were not kept."""


class SeatNote(Struct, frozen=True):
    """A note, and where it belongs in the replay."""

    frame: int
    """The frame that the answer led to."""
    ask: int
    """The id of the ask."""
    text: str


class SeatTexts(Struct, frozen=True):
    """The stderr and notes of a seat, to be stored."""

    match: str
    seat: Seat
    account: int | None
    """The owner of the seat; None: a command of the host."""
    stderr: bytes = b""
    dropped: int = 0
    """Bytes of stderr that are not kept."""
    notes: tuple[SeatNote, ...] = ()


class SeatNotes(Struct, frozen=True):
    """The notes of a seat, in order."""

    notes: tuple[SeatNote, ...]


class OwnMatch(Struct, frozen=True):
    """A table or match at which the account has or had a seat."""

    match: MatchInfo
    seat: Seat
    is_connected: bool
    """Whether a client of the account is connected to the seat now."""
    faults: int | None
    """How many faults the seat has made; null while the match runs, and for matches of earlier releases."""


class OwnMatches(Struct, frozen=True):
    """Part of the list of an account's matches."""

    matches: tuple[OwnMatch, ...]
    next: str | None
    """The value of `before` for the next page."""


class OwnSeat(Struct, frozen=True):
    """A seat of the account whose messages are kept."""

    match: str
    game: str
    seat: Seat
    state: SeatState
    """Whether its table still waits for players, its match runs, or is over."""
    way: str
    """How the client is connected, such as `websocket` or `tcp`."""
    is_connected: bool
    takes_again: bool
    """Whether the client said that it answers `again`."""


class OwnSeats(Struct, frozen=True):
    """The seats of the account whose messages are kept, newest first."""

    seats: tuple[OwnSeat, ...]


class AskAgain(Struct, frozen=True, forbid_unknown_fields=True):
    """A request to ask a bot again in a position of a finished match."""

    frame: Annotated[int, Meta(ge=0, le=MOST_NUMBER)]
    """The frame that shows the position."""
    seat: Annotated[int, Meta(ge=0, le=MOST_NUMBER)] | None = None
    """Your seat there; it may be left out if you had only one."""


class AnsweredAgain(Struct, frozen=True):
    """The bot's answer in the position."""

    action: Any
    """Its answer, as in protocol 1; null if it cannot be read."""
    words: str | None
    """The effect of the action in the words of the game; null if it is not legal or has no words."""
    legal: bool
    why: str | None
    """Why it is not legal."""
    ms: int
    """How long the bot took."""
    recorded: Any
    """The action that was played in the match; null if none was."""
