"""The forms in which a recorded match is shown: its timeline and its frames."""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from parlour.core import By, Game, Result, Seat, Sitting, Void

PlayerKind: TypeAlias = Literal["person", "bot", "model", "program"]
MarkKind: TypeAlias = Literal["part", "fault", "lead", "left"]


def stated_kind(about: Mapping[str, int | str]) -> PlayerKind:
    """The kind of player that a client stated; `program` if it stated none."""
    kind = about.get("kind")
    return "person" if kind == "person" else "model" if kind == "model" else "program"


class MatchPlayer(Struct, frozen=True):
    """A player of a match."""

    name: str
    kind: PlayerKind
    """bot: built in. person, model: what the client said of itself. program: any other client."""


def match_player(game: Game[Any], player: Sitting) -> MatchPlayer:
    """A player of a recorded match, as far as its header tells."""
    is_bot = player.name in game.hosting.bots and not player.about
    return MatchPlayer(player.name, "bot" if is_bot else stated_kind(player.about))


class Mark(Struct, frozen=True, gc=False):
    """A moment worth looking at: a new part of the match, a fault, a new leader, or a seat that left."""

    n: int
    """The frame."""
    kind: MarkKind
    seat: Seat | None
    words: str


class LogLine(Struct, frozen=True, gc=False):
    """One line of the story of a match, as one seat or a spectator was told it."""

    n: int
    """The frame."""
    seat: Seat | None
    """The seat that the line is about."""
    words: str


class Timeline(Struct, frozen=True):
    """A recorded match at a glance."""

    match: str
    game: str
    version: int
    """The version of the rules."""
    players: tuple[MatchPlayer, ...]
    """By seat, with those who joined later."""
    total: int
    """How many frames there are. They are numbered from 0, which is the first position."""
    end: Result | Void | None
    """null: the transcript stops before the end of the match."""
    label: str | None
    """The unit of `scores`; null if the game has no scores before the end."""
    scores: tuple[tuple[int, tuple[int, ...]], ...]
    """The frame, and the scores by seat from there on; only frames in which they change."""
    marks: tuple[Mark, ...]
    log: tuple[LogLine, ...]
    hidden: bool
    """Whether older lines of the log were left out because there are too many."""


class FrameEvent(Struct, frozen=True):
    """An event as the viewer saw it."""

    seat: Seat | None
    words: tuple[str, ...]
    event: Any
    """The event as in protocol 1."""


class FrameFault(Struct, frozen=True):
    """A fault of a seat."""

    kind: Literal["unreadable", "illegal", "late", "gone", "unasked"]
    code: str
    words: str


class Frame(Struct, frozen=True):
    """The table after one input, as one seat or a spectator saw it."""

    n: int
    by: By
    """The seat whose answer or fault this was; null: the table itself, or the first position."""
    ms: int
    """How long the seat took."""
    part: str | None
    """The part of the match, such as a round."""
    view: Any
    """The view as in protocol 1."""
    events: tuple[FrameEvent, ...]
    fault: FrameFault | None
    answer: Any
    """The action that the seat sent, if it could be read; null if it sent none."""


class Frames(Struct, frozen=True):
    """Some frames of a match, in order."""

    total: int
    next: int | None
    """The number of the next frame, if fewer were returned than asked for; null otherwise."""
    frames: tuple[Frame, ...]


class Example(Struct, frozen=True):
    """A short match between built-in bots."""

    timeline: Timeline
    frames: tuple[Frame, ...]
    """At most 150, evenly chosen, with views but without events and answers."""
