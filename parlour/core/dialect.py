"""A dialect translates one seat's messages; it knows no sockets and decides nothing."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from msgspec import Struct

from parlour.core.errors import BadMessage
from parlour.core.values import Seat, Sitting, Value

if TYPE_CHECKING:
    from parlour.core.game import Ask, By, Event, Fault
    from parlour.core.notices import Asked, Over, Refused, Replied

Message: TypeAlias = bytes
"""One message on the wire, without its framing."""


class Hello(Struct, frozen=True):
    """What a player is told before it sits down: the commitment stands before any salt is given."""

    game: str
    version: int
    commit: str
    salted: bool
    seat: Seat
    """Where the player will sit, if it introduces itself."""
    match: str = ""
    """What the match will be called."""


class Place(Struct, frozen=True):
    """Where a player sits, told once the table is full."""

    game: str
    match: str
    seat: Seat
    players: tuple[str, ...]
    options: Any
    header: str
    """SHA-256 of the transcript's header."""


class Answer(Struct, frozen=True):
    """A reply, and the number of the ask it is for (None: whichever is open)."""

    action: Any
    n: int | None = None


class Question(Struct, frozen=True):
    """A free question."""

    id: int
    question: Value


class Brief(Struct, frozen=True):
    """How long an ask may stay open that is not worth the usual wait; less, once it was met with silence."""

    limit_ms: int
    again_ms: int


class Dialect:
    """One seat's translator. A dialect says what its protocol has words for, and is silent on the rest."""

    introduces: bool = False
    """Whether the peer's first message is its introduction."""
    frames: ClassVar[Literal["lines", "json"]] = "lines"
    """How messages are told apart: one a line, or as JSON values that follow each other."""
    follows: ClassVar[bool] = False
    """Whether it tells of events by the view after them, and so wants one with each."""
    stays: ClassVar[bool] = False
    """Whether who speaks it may wait for a match that can be joined, and stay for the one after."""
    keeps: ClassVar[bool] = False
    """Whether a seat is kept for who loses the connection, and comes back with the token it was given."""
    token: str = ""
    """What lets this player come back, where that is possible. Whoever has it has the seat."""
    told_end: bool = False
    """Whether the peer has been told the end although the match still waits for others. Nothing that it says from then
    on is heard; it is disconnected for it, unless it answers what it was asked before."""
    briefs: ClassVar[Mapping[str, Brief]] = {}
    """By the name of the ask: what bots of this protocol are known to leave unanswered."""

    def hello(self, hello: Hello) -> list[Message]:
        return []

    def introduced(self, raw: Message) -> Sitting:
        """Read the introduction; or raise BadMessage."""
        raise NotImplementedError

    def returning(self, raw: Message) -> str | None:
        """The token of the seat to come back to, if that is what the introduction says."""
        return None

    def absent(self) -> Sitting | None:
        """Who sits in the place of somebody who did not introduce itself, and leaves at once; None: nobody plays."""
        return None

    def nameless(self, hello: Hello) -> str:
        """What somebody is called whose protocol has no introduction, and who comes by a socket."""
        return "guest"

    def late(self) -> list[Message]:
        """What is told to who comes when nobody can join, and may wait."""
        return []

    def began(self, place: Place, view: Value) -> list[Message]:
        return []

    def tell_token(self, place: Place, view: Value) -> list[Message]:
        """The part of `began` that tells a guest its token, which it hears before the match is stored."""
        return self.began(place, view)

    def after_token(self, place: Place, view: Value) -> list[Message]:
        """The rest of `began`."""
        return []

    def event(self, seen: "Event") -> list[Message]:
        return []

    def follow(self, seen: "Event", view: Value) -> list[Message]:
        """The same for dialects that follow: with the view as it is after all that happened at once."""
        return self.event(seen)

    def asked(self, asked: "Asked", view: Value) -> list[Message]:
        return []

    def refused(self, refused: "Refused") -> list[Message]:
        return []

    def replied(self, replied: "Replied") -> list[Message]:
        return []

    def over(self, over: "Over", view: Value) -> list[Message]:
        return []

    def error(self, code: str, words: str) -> list[Message]:
        """Trouble before the player is seated."""
        return []

    def too_big(self, most: int) -> BadMessage:
        """What a message of more than so many bytes is, which nobody has read."""
        return BadMessage("too_big", f"a message of more than {most} bytes")

    def read(self, raw: Message) -> Answer | Question | None:
        """What the peer says (None: nothing that matters); or raise BadMessage."""
        raise NotImplementedError

    def auto(self, ask: "Ask[Any]") -> Any | None:
        """The answer to an ask that the protocol has no words for."""
        return ask.default


class Scribe:
    """Writes a whole match down in the game's own form. It is told everything, the hidden things included."""

    gzipped: ClassVar[bool] = False
    """Whether the form is kept compressed."""

    def began(self, names: Sequence[str], view: Value) -> list[Message]:
        return []

    def took(self, by: "By", action: Any, fault: "Fault | None") -> list[Message]:
        """An input, told before what it caused; `action` is None where a fault was borne."""
        return []

    def event(self, event: "Event") -> list[Message]:
        return []

    def asked(self, asked: "Asked", view: Value) -> list[Message]:
        """An ask, with the view of whoever is asked."""
        return []

    def after(self, state: Any) -> list[Message]:
        """The whole truth, when an input has changed it; told after all else, but before the end."""
        return []

    def over(self, over: "Over") -> list[Message]:
        return []

    def cut(self) -> list[Message]:
        """What makes the form whole, if it is wanted before the match is over."""
        return []
