"""A dialect translates one seat's messages; it knows no sockets and decides nothing."""

from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from parlour.core.errors import BadMessage
from parlour.core.values import Seat, Sitting, Value

if TYPE_CHECKING:
    from parlour.core.game import Ask, Event
    from parlour.core.notices import Asked, Over, Refused, Replied

Message: TypeAlias = bytes
"""One message on the wire, without its framing."""


class Hello(Struct, frozen=True):
    """What a player is told before it sits down: the commitment stands before any salt is given."""

    game: str
    version: int
    commit: str
    salted: bool


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


class Dialect:
    """One seat's translator. A dialect says what its protocol has words for, and is silent on the rest."""

    introduces: bool = False
    """Whether the peer's first message is its introduction."""

    def hello(self, hello: Hello) -> list[Message]:
        return []

    def introduced(self, raw: Message) -> Sitting:
        """Read the introduction; or raise BadMessage."""
        raise NotImplementedError

    def began(self, place: Place, view: Value) -> list[Message]:
        return []

    def event(self, seen: "Event") -> list[Message]:
        return []

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
        return None
