"""The course's protocol: the player sends its name, then the referee calls and the player answers (RULES 10)."""

import json
import re
from typing import Any, ClassVar, Literal

import msgspec

from parlour.core import Answer, Ask, Asked, BadMessage, Dialect, Message, Sitting
from parlour.core.values import Value, plain
from parlour.games.maze.forms import BadForm, coordinate, read_choice, state
from parlour.games.maze.values import Ack, Hear, SetUp, View

NAME = re.compile("[a-zA-Z0-9]{1,20}")
ACK = Ack()


class Course(Dialect):
    """The protocol for one seat. Normally at most one call is unanswered."""

    introduces = True
    frames: ClassVar[Literal["json"]] = "json"

    def __init__(self) -> None:
        self._open: Asked | None = None
        self._owed = 0
        """Late answers still expected: to calls that were closed when the time of the game was up."""

    def introduced(self, raw: Message) -> Sitting:
        name = strict(raw)
        if not isinstance(name, str) or not NAME.fullmatch(name):
            why = f"{plain(name, 40)!r} has others" if isinstance(name, str) else f"{plain(repr(name), 40)} is not text"
            raise BadMessage("bad_name", f"the first value must be a name of 1 to 20 letters and digits; {why}")
        return Sitting(name)

    def auto(self, ask: Ask[Any]) -> None:
        """None: the client answers every call itself."""

    def asked(self, asked: Asked, view: Value) -> list[Message]:
        assert isinstance(view, View)
        self._owed += self._open is not None
        self._open = asked
        match asked.ask:
            case SetUp(goal=goal, whole=whole):
                call = ["setup", [state(view) if whole else False, coordinate(goal)]]
            case Hear(won=won):
                call = ["win", [won]]
            case _:
                call = ["take-turn", [state(view)]]
        return [msgspec.json.encode(call)]

    def read(self, raw: Message) -> Answer | None:
        """The answer to the open call. Anything else is misbehaviour, unless it is a late answer."""
        if self._owed and not self._answers_open(raw):
            self._owed -= 1
            return None
        asked, self._open = self._open, None
        if asked is None:
            raise BadMessage("unsolicited", "nobody asked for that")
        said = strict(raw, asked.n)
        if isinstance(asked.ask, SetUp | Hear):
            if said != "void":
                raise BadMessage("wrong_shape", 'the answer to this call is "void"', asked.n)
            return Answer(ACK, asked.n)
        try:
            return Answer(read_choice(said), asked.n)
        except BadForm as e:
            raise BadMessage("wrong_shape", str(e), asked.n) from None

    def _answers_open(self, raw: Message) -> bool:
        """Whether this is the "void" that the open call expects; a closed call may stay unanswered."""
        if self._open is None or not isinstance(self._open.ask, SetUp | Hear):
            return False
        try:
            return bool(strict(raw) == "void")
        except BadMessage:
            return False


def strict(raw: Message, n: int | None = None) -> Any:
    """Parse JSON; refuse duplicate keys, NaN and infinity."""
    try:
        return json.loads(raw.decode(), object_pairs_hook=_once, parse_constant=_never, parse_float=_whole)
    except (ValueError, RecursionError):
        raise BadMessage("not_json", "not JSON, or a key twice, or a number that is none", n) from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key twice")
    return found


def _never(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def _whole(text: str) -> int | float:
    """Read 1.0 as an integer; keep 1.5, which no message accepts."""
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError("too big a number")
    return int(number) if number.is_integer() else number
