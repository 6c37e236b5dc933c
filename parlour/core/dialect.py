"""A dialect translates the messages of one seat. It is pure: no sockets, no decisions."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from msgspec import Struct

from parlour.core.errors import BadMessage
from parlour.core.values import Seat, Sitting, Value

if TYPE_CHECKING:
    from parlour.core.game import Ask, By, Event, Fault, Leave
    from parlour.core.notices import AnswerRefused, Asked, Over, Replied

Message: TypeAlias = bytes
"""One message on the wire, without its framing."""


class Hello(Struct, frozen=True):
    """Sent to a player before it is seated, so that the commitment is known before any salt is given."""

    game: str
    version: int
    commit: str
    salted: bool
    seat: Seat
    """The seat the player will get, if it introduces itself."""
    match: str = ""
    """The name of the match."""


class Place(Struct, frozen=True):
    """A player's seat, sent when the table is full."""

    game: str
    match: str
    seat: Seat
    players: tuple[str, ...]
    options: Any
    header: str
    """SHA-256 of the transcript's header."""


class Answer(Struct, frozen=True):
    """An action, and the number of the ask that it answers; None means the open one."""

    action: Any
    n: int | None = None
    note: str = ""
    """Why the player chose it, for its owner only."""


class Noted(Struct, frozen=True):
    """An action with a note for the owner of the seat. A bot may return it instead of the action."""

    action: Any
    note: str


class Stderr(Struct, frozen=True):
    """The stderr of a bot, sent by its client. It is no input of the match."""

    text: str
    dropped: int = 0
    """Bytes that the client did not send."""


class Again(Struct, frozen=True):
    """A position of a finished match, in which a bot is asked again. It is no part of any match."""

    id: int
    seat: Seat
    players: tuple[str, ...]
    options: Any
    ask: Any
    view: Any


class AgainAnswer(Struct, frozen=True):
    """The bot's answer there."""

    id: int
    action: Any


class Question(Struct, frozen=True):
    """A question that costs nothing and changes nothing."""

    id: int
    question: Value


class Brief(Struct, frozen=True):
    """A shorter time limit for an ask that bots often leave unanswered."""

    limit_ms: int
    again_ms: int
    """The limit after the seat has once let such an ask time out."""


class Dialect:
    """Translator for one seat. Methods return the messages to send; what the protocol cannot express is left out."""

    introduces: bool = False
    """Whether the peer's first message is its introduction."""
    frames: ClassVar[Literal["lines", "json"]] = "lines"
    """The framing: one message per line, or JSON values one after the other."""
    follows: ClassVar[bool] = False
    """Whether events are told through the view after them, so that each needs a view."""
    queues_for_next_match: ClassVar[bool] = False
    """Whether a client may wait until a match can be joined, and stay for the next match."""
    can_reconnect: ClassVar[bool] = False
    """Whether a disconnected client can resume its seat with a token."""
    resigns: ClassVar[bool] = False
    """Whether a client can resign, even before its match; `read` then returns Leave."""
    token: str = ""
    """The secret that resumes this seat, where the protocol allows it."""
    said_token: str | None = None
    """The token in the client's introduction, if it had one."""
    answers_ahead: ClassVar[bool] = False
    """Whether a client may answer the next ask before it is told of it."""
    takes_again: bool = False
    """Whether the peer answers `again` messages."""
    told_end: bool = False
    """Whether the peer was told the end while the match still waits for others. Later messages disconnect the peer,
    except for an answer to an earlier ask."""
    briefs: ClassVar[Mapping[str, Brief]] = {}
    """Shorter limits by type of ask, for asks that bots of this protocol are known to leave unanswered."""

    def hello(self, hello: Hello) -> list[Message]:
        return []

    def introduced(self, raw: Message) -> Sitting:
        """Read the introduction, or raise BadMessage."""
        raise NotImplementedError

    def returning(self, raw: Message) -> str | None:
        """The token of the seat to resume, if the introduction asks for that."""
        return None

    def absent(self) -> Sitting | None:
        """Stand-in for a client that sent no introduction; it leaves at once. None: the match does not begin."""
        return None

    def nameless(self, hello: Hello) -> str:
        """The name of a socket client whose protocol has no introduction."""
        return "guest"

    def late(self) -> list[Message]:
        """Sent to a client that must wait because no match can be joined now."""
        return []

    def began(self, place: Place, view: Value) -> list[Message]:
        return []

    def tell_token(self, place: Place, view: Value) -> list[Message]:
        """The part of `began` that tells a guest its token. It is sent before the match is stored."""
        return self.began(place, view)

    def after_token(self, place: Place, view: Value) -> list[Message]:
        """The rest of `began`."""
        return []

    def event(self, seen: "Event") -> list[Message]:
        return []

    def follow(self, seen: "Event", view: Value) -> list[Message]:
        """`event` for dialects with `follows`; the view is from after all events of the same input."""
        return self.event(seen)

    def asked(self, asked: "Asked", view: Value) -> list[Message]:
        return []

    def refused(self, refused: "AnswerRefused") -> list[Message]:
        return []

    def replied(self, replied: "Replied") -> list[Message]:
        return []

    def over(self, over: "Over", view: Value) -> list[Message]:
        return []

    def again(self, again: Again) -> list[Message]:
        """Sent only to a peer that takes it."""
        return []

    def error(self, code: str, words: str) -> list[Message]:
        """An error before the player is seated."""
        return []

    def too_big(self, most: int) -> BadMessage:
        """The error for a message over the size limit, which was not read."""
        return BadMessage("too_big", f"a message of more than {most} bytes")

    def read(self, raw: Message) -> "Answer | Question | Leave | Stderr | AgainAnswer | None":
        """Read a message, or raise BadMessage; None if it needs no action. Leave: the player resigns; its seat
        is filled in later."""
        raise NotImplementedError

    def auto(self, ask: "Ask[Any]") -> Any | None:
        """The automatic answer to an ask that the protocol cannot express; None if the peer must answer."""
        return ask.default


class Scribe:
    """Writes a whole match in the game's own file format. It gets everything, hidden information included."""

    gzipped: ClassVar[bool] = False
    """Whether the file is stored compressed."""

    def began(self, names: Sequence[str], view: Value) -> list[Message]:
        return []

    def took(self, by: "By", action: Any, fault: "Fault | None") -> list[Message]:
        """An input, told before what it caused; `action` is None where a fault was borne."""
        return []

    def event(self, event: "Event") -> list[Message]:
        return []

    def asked(self, asked: "Asked", view: Value) -> list[Message]:
        """An ask, with the view of its seat."""
        return []

    def after(self, state: Any) -> list[Message]:
        """The full state after an input, given after everything else but before the end."""
        return []

    def over(self, over: "Over") -> list[Message]:
        return []

    def cut(self) -> list[Message]:
        """Completes the file if it is wanted before the match is over."""
        return []
