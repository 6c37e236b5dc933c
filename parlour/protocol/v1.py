"""Parlour's protocol 1: the same for every game; each message is one JSON object."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType
from msgspec.structs import replace

from parlour import __version__
from parlour.core import (
    Again,
    AgainAnswer,
    Answer,
    AnswerRefused,
    Asked,
    BadMessage,
    Dialect,
    Event,
    Game,
    Hello,
    Leave,
    Message,
    Over,
    Place,
    Question,
    Replied,
    Result,
    Sitting,
    Stderr,
    Value,
    Void,
)
from parlour.core.values import Name, Salt, any_of, why_not_a_name
from parlour.protocol.field_words import describe_fields
from parlour.protocol.forms import Facts
from parlour.referee.action_json import decoder
from parlour.referee.transcript import encode
from parlour.transports.limits import NOTE_BYTES

VERSION: Literal[1] = 1
TAKES = ("note", "stderr")
"""Additions to the first release of protocol 1 that this referee understands."""

Ask_ = TypeVar("Ask_")
View_ = TypeVar("View_")
Event_ = TypeVar("Event_")
Action_ = TypeVar("Action_")
Options_ = TypeVar("Options_")
Question_ = TypeVar("Question_")
Reply_ = TypeVar("Reply_")


# From the referee


class HelloMessage(Struct, frozen=True, tag="hello"):
    """The first message: the game, and the commitment to the seed."""

    protocol: Literal[1]
    server: str
    game: str
    version: int
    commit: str
    salted: bool
    """Whether a salt in your hello is used."""
    takes: tuple[str, ...] = ()
    """Optional parts of the protocol that the referee understands: `note` in an answer, and `stderr`. An older referee
    sends none, and takes a `stderr` message for a mistake."""


class SeatMessage(Struct, Generic[Options_, View_], frozen=True, tag="seat"):
    """The match begins, and this is your seat."""

    game: str
    match: str
    seat: int
    players: tuple[str, ...]
    options: Options_
    header: str
    """SHA-256 of the transcript's first line."""
    view: View_
    token: str | UnsetType = UNSET
    """For guests of a server: send it in your hello to resume your seat."""


class AskMessage(Struct, Generic[Ask_, View_], frozen=True, tag="ask"):
    """A decision is due. Answer with this id."""

    id: int
    attempt: int
    limit_ms: int | None
    """Milliseconds to answer; null: no limit."""
    bank_ms: int | None
    """Extra milliseconds left for the whole match."""
    last_ms: int | None
    """How long your last answer took, measured by the referee."""
    ask: Ask_
    view: View_


class EventMessage(Struct, Generic[Event_], frozen=True, tag="event"):
    """Something happened that your seat may see."""

    event: Event_


class FaultMessage(Struct, Generic[Action_], frozen=True, tag="fault"):
    """Your message was refused, or your answer did not come in time."""

    id: int
    """The open ask, or 0 if there was none."""
    kind: Literal["unreadable", "illegal", "late", "gone", "unasked"]
    code: str
    words: str
    facts: dict[str, int | str]
    cost: Action_ | None
    """The action played in your place. null: none; unless the kind is "unasked", you are asked again."""


class ReplyMessage(Struct, Generic[Reply_], frozen=True, tag="reply"):
    """The reply to your query."""

    id: int
    answer: Reply_


class OverMessage(Struct, frozen=True, tag="over"):
    """The match has ended."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    void: Void | None
    """Set if a bug of the referee ended the match without a result."""
    head: str
    """SHA-256 of the transcript's end line, which covers all lines before it."""
    record: str | None
    """Where the transcript is stored, if it is."""
    signature: str | UnsetType = UNSET
    """From a server: its Ed25519 signature of match, header, head and result, in hexadecimal."""
    public_key: str | UnsetType = UNSET
    """The key that checks the signature."""


class AgainMessage(Struct, Generic[Ask_, View_, Options_], frozen=True, tag="again"):
    """Your owner asks what you would do in this position of a finished match. Answer with this id; nothing depends on
    it. Only for players whose hello said `again`, while they are not asked in their own match."""

    id: int
    seat: int
    """Your seat there."""
    players: tuple[str, ...]
    options: Options_
    ask: Ask_
    view: View_


class ErrorMessage(Struct, frozen=True, tag="error"):
    """An error before you had a seat; the connection is closed."""

    code: str
    words: str


# From the player


class PlayerHello(Struct, frozen=True, tag="hello"):
    """Your introduction. Every field except the type is optional."""

    name: Name | UnsetType = UNSET
    salt: Salt = ""
    about: Facts = {}
    """Facts that the game may use, such as an age."""
    token: str | UnsetType = UNSET
    """For servers with accounts."""
    again: bool | UnsetType = UNSET
    """Whether you answer `again` messages."""


class AnswerMessage(Struct, Generic[Action_], frozen=True, tag="answer"):
    """Your decision."""

    id: Annotated[int, Meta(ge=0)]
    action: Action_
    note: str | UnsetType | None = UNSET
    """Why, for your owner only. At most 1 kB is kept."""


class StderrMessage(Struct, frozen=True, tag="stderr", omit_defaults=True):
    """The stderr of your program, for your owner only. 64 kB of a match are kept."""

    text: str
    dropped: Annotated[int, Meta(ge=0, le=2**40)] = 0
    """Bytes that it wrote after that and that you do not send."""


class AgainAnswerMessage(Struct, Generic[Action_], frozen=True, tag="again"):
    """Your answer in the position of an `again` message."""

    id: int
    action: Action_


class QueryMessage(Struct, Generic[Question_], frozen=True, tag="query"):
    """A free question, in games that support them."""

    id: Annotated[int, Meta(ge=0)]
    question: Question_


class LeaveMessage(Struct, frozen=True, tag="leave"):
    """You leave the match for good, at the price that the game has for it; before the match, your seat is free."""


_hello = msgspec.json.Decoder(PlayerHello)
Said: TypeAlias = AnswerMessage[Raw] | QueryMessage[Raw] | LeaveMessage | StderrMessage | AgainAnswerMessage[Raw]
_said: "msgspec.json.Decoder[Said]" = msgspec.json.Decoder(Said)
_LEAVE = Leave(-1, "quit")


def _why_not_this_name(raw: Message) -> str | None:
    """Why the name in a hello is invalid; None if the hello cannot be parsed."""
    try:
        return why_not_a_name(msgspec.json.decode(raw)["name"])
    except (msgspec.MsgspecError, ValueError, KeyError, TypeError, RecursionError):
        return None


def error(code: str, words: str) -> list[Message]:
    """An error for a client that may not have a game yet."""
    return [encode(ErrorMessage(code, words))]


class V1(Dialect):
    """Protocol 1 for one seat."""

    introduces = True
    can_reconnect = True
    resigns = True
    _told: ClassVar[tuple[Event | None, Message]] = None, b""
    """The event that was encoded last, and its message."""

    def __init__(self, game: Game[Any], name: str = "guest") -> None:
        self._name = name
        self._question = decoder(game.rules.questions) if game.rules.questions else None

    def hello(self, hello: Hello) -> list[Message]:
        server = f"parlour {__version__}"
        return [encode(HelloMessage(VERSION, server, hello.game, hello.version, hello.commit, hello.salted, TAKES))]

    def introduced(self, raw: Message) -> Sitting:
        try:
            hello = _hello.decode(raw)
        except (msgspec.MsgspecError, ValueError, RecursionError) as e:
            why = _why_not_this_name(raw) or e if "$.name" in str(e) else e
            raise BadMessage("bad_hello", f"the first message must be a hello: {why}") from None
        self.said_token = None if hello.token is UNSET else hello.token
        self.takes_again = hello.again is True
        return Sitting(self._name if hello.name is UNSET else hello.name, hello.salt, hello.about)

    def began(self, place: Place, view: Value) -> list[Message]:
        p, token = place, self.token or UNSET
        return [encode(SeatMessage(p.game, p.match, p.seat, p.players, p.options, p.header, view, token))]

    def event(self, seen: Event) -> list[Message]:
        """A public event is the same object for every seat, and is told to one after the other."""
        told = V1._told
        if told[0] is not seen:
            told = V1._told = seen, encode(EventMessage(seen))
        return [told[1]]

    def asked(self, asked: Asked, view: Value) -> list[Message]:
        a = asked
        return [encode(AskMessage(a.n, a.attempt, a.limit_ms, a.bank_ms, a.last_ms, a.ask, view))]

    def refused(self, refused: AnswerRefused) -> list[Message]:
        f = refused.fault
        return [encode(FaultMessage(refused.n, f.kind, f.code, f.words, f.facts, refused.cost))]

    def replied(self, replied: Replied) -> list[Message]:
        return [encode(ReplyMessage(replied.id, replied.answer))]

    def over(self, over: Over, view: Value) -> list[Message]:
        end = over.end
        void = end if isinstance(end, Void) else None
        scores, ranks = (end.scores, end.ranks) if isinstance(end, Result) else ((), ())
        message = OverMessage(scores, ranks, void, over.head, over.record)
        if over.signed is not None:
            message = replace(message, signature=over.signed.signature, public_key=over.signed.public_key)
        return [encode(message)]

    def again(self, again: Again) -> list[Message]:
        a = again
        return [encode(AgainMessage(a.id, a.seat, a.players, a.options, a.ask, a.view))]

    def error(self, code: str, words: str) -> list[Message]:
        return error(code, words)

    def read(self, raw: Message) -> Answer | Question | Leave | Stderr | AgainAnswer | None:
        """The action stays raw JSON: the referee decodes and checks it, as for every dialect."""
        try:
            said = _said.decode(raw)
        except (msgspec.MsgspecError, ValueError, RecursionError) as e:
            if (repaired := _repaired(raw)) is None:
                raise BadMessage("not_a_message", f"not a message of protocol {VERSION}: {e}") from None
            said = repaired
        match said:
            case AnswerMessage():
                return Answer(said.action, said.id, shortened(said.note) if isinstance(said.note, str) else "")
            case LeaveMessage():
                return _LEAVE
            case StderrMessage():
                return Stderr(said.text, said.dropped)
            case AgainAnswerMessage():
                return AgainAnswer(said.id, said.action)
            case QueryMessage():
                return self._query(said)

    def _query(self, said: QueryMessage[Raw]) -> Question:
        if self._question is None:
            raise BadMessage("no_queries", "this game answers no queries")
        try:
            return Question(said.id, self._question.decode(said.question))
        except (msgspec.MsgspecError, ValueError, RecursionError) as e:
            raise BadMessage("bad_query", f"not a question of this game: {e}") from None


def shortened(note: str) -> str:
    """The beginning of a note, cut between two characters."""
    return note.encode("utf-8", "replace")[:NOTE_BYTES].decode("utf-8", "ignore")


def _repaired(raw: Message) -> Said | None:
    """A message whose note or stderr is not valid text, such as half of a surrogate pair, with that text replaced. This
    is no fault. None if something else is wrong with the message."""
    try:
        said = json.loads(raw, parse_constant=_no_constant)
        if not isinstance(said, dict):
            return None
        if said.get("type") == "stderr":
            return StderrMessage(_valid(said.get("text")))
        if said.get("type") != "answer" or "note" not in said:
            return None
        note = said.pop("note")
        return replace(_said.decode(msgspec.json.encode(said)), note=_valid(note))
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError):
        return None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _valid(text: Any) -> str:
    """The text with `?` in place of invalid characters; empty if it is no text."""
    return text.encode("utf-8", "replace").decode() if isinstance(text, str) else ""


def told_by_referee(game: Game[Any]) -> list[Any]:
    """The types of all messages to a player of this game."""
    prices = (*game.rules.actions, *game.rules.prices)
    told = [
        HelloMessage,
        _filled(SeatMessage, game.rules.options, game.rules.view),
        _filled(AskMessage, any_of(game.rules.asks), game.rules.view),
        _filled(EventMessage, any_of(game.rules.events)),
        _filled(FaultMessage, any_of((*prices, Leave))),
        OverMessage,
        _filled(AgainMessage, any_of(game.rules.asks), game.rules.view, game.rules.options),
        ErrorMessage,
    ]
    return [*told, _filled(ReplyMessage, any_of(game.rules.replies))] if game.rules.questions else told


def told_by_player(game: Game[Any]) -> list[Any]:
    """The types of all messages from a player of this game."""
    actions = any_of(game.rules.actions)
    told = [
        PlayerHello,
        _filled(AnswerMessage, actions),
        LeaveMessage,
        StderrMessage,
        _filled(AgainAnswerMessage, actions),
    ]
    return [*told, _filled(QueryMessage, any_of(game.rules.questions))] if game.rules.questions else told


def schema(game: Game[Any]) -> dict[str, Any]:
    """JSON Schema of all messages of this game, in both directions."""
    messages = {"FromReferee": any_of(told_by_referee(game)), "FromPlayer": any_of(told_by_player(game))}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Parlour protocol {VERSION}, {game.title} {game.rules.version}",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in messages],
        "$defs": definitions(messages, "#/$defs/{name}"),
    }


def definitions(types: Mapping[str, Any], place: str) -> dict[str, Any]:
    """JSON Schemas of these types, and of all types in them, by name. References name them by their `place`."""
    made, named = msgspec.json.schema_components([*types.values()], ref_template=place)
    text = encode({**dict(zip(types, made, strict=True)), **named})
    for name in sorted(named, key=len, reverse=True):  # generic types are named after their arguments
        short = name.partition("_")[0]
        text = text.replace(f'"{name}"'.encode(), f'"{short}"'.encode())
        text = text.replace(f'/{name}"'.encode(), f'/{short}"'.encode())
    short_named: dict[str, Any] = msgspec.json.decode(text)
    for definition in short_named.values():
        if "title" in definition:
            definition["title"] = definition["title"].partition("[")[0]
    describe_fields([*types.values()], short_named)
    return short_named


def _filled(message: Any, *types: Any) -> Any:
    return message[types]
