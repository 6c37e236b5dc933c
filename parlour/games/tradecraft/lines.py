"""The game's own protocol as lines of JSON, for commands and sockets (RULES 11)."""

from collections import deque
from collections.abc import Collection
from typing import Any

import msgspec
from msgspec import Struct

from parlour.core import (
    Answer,
    AnswerRefused,
    Asked,
    BadMessage,
    Brief,
    Dialect,
    Event,
    Message,
    Over,
    Place,
    Question,
    Replied,
    Sitting,
    Value,
    Void,
)
from parlour.core.values import MOST_NAME, plain, why_not_a_name
from parlour.games.tradecraft import requests
from parlour.games.tradecraft.answers import answered, question
from parlour.games.tradecraft.messages import SHORT, Style, Teller, Told, phase_error, table_names
from parlour.games.tradecraft.values import (
    Accepted,
    Answered,
    Applied,
    Apply,
    Checked,
    CraftItems,
    Decided,
    DecideProposal,
    Done,
    Finished,
    MakeProposal,
    Phase,
    Proposed,
    Rejected,
    TurnBegan,
    View,
)

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder().decode

MOST_REMEMBERED = 2000
FITS: dict[str, type[Any]] = {
    "propose": MakeProposal,
    "decide": DecideProposal,
    "check": CraftItems,
    "apply": CraftItems,
    "done_crafting": CraftItems,
}
"""Message types, and the ask that each answers."""


class Pending(Struct, frozen=True):
    """A message without an answer so far, and the reason if it is unreadable."""

    kind: str
    body: dict[str, Any] = {}
    why: str = ""
    code: str = ""


class Lines(Dialect):
    """One seat with a client of this protocol. There are no asks on the wire: events tell the client when to act."""

    answers_ahead = True

    # Proposals and decisions have less time than crafting (RULES 8.5).
    briefs = {"MakeProposal": Brief(60_000, 60_000), "DecideProposal": Brief(60_000, 60_000)}
    style: Style = SHORT
    yes: Collection[str] = requests.YES
    """Words that mean acceptance."""

    def __init__(self) -> None:
        self._teller = Teller((), -1, 0, self.style)
        self._phase: Phase = "propose"
        self._turn = 0
        self._ask: type[Any] | None = None
        """The type of the last ask."""
        self._pending: deque[Pending] = deque(maxlen=MOST_REMEMBERED)
        """Answered in order, by a refusal or by an event."""
        self._defaulted = False
        """Whether the seat's next event comes from a default, not from a message."""

    # From the referee

    def began(self, place: Place, view: Value) -> list[Message]:
        assert isinstance(view, View)
        self._teller = Teller(table_names(place.players), place.seat, view.max_turn, self.style)
        self._phase, self._turn = view.phase, view.turn
        return self._lines(self._teller.started(view))

    def event(self, seen: Event) -> list[Message]:
        self._follow_phase(seen)
        told = self._teller.happened(seen)  # type: ignore[arg-type]  # every event of this game is a Happening
        said = self._answered(seen)
        if isinstance(seen, Checked) and said is not None and said.why:
            [(kind, body)] = told
            told = [(kind, {**body, "reason": said.why})]
        return self._lines(told)

    def asked(self, asked: Asked, view: Value) -> list[Message]:
        self._ask = type(asked.ask)
        return []

    def refused(self, refused: AnswerRefused) -> list[Message]:
        fault = refused.fault
        self._defaulted = refused.cost is not None
        if fault.kind in ("late", "gone"):
            return []
        said = self._pending.popleft() if self._pending else Pending("")
        if said.kind in FITS and (fault.kind == "unasked" or fault.code == "phase_error"):
            return self._lines([phase_error(self._phase, said.kind)])
        if fault.code in ("proposal_invalid", "decision_invalid"):
            return self._lines([self._teller.invalid(fault.code, said.body, fault.words, fault.facts)])
        return self._lines([("error", {"code": said.code or fault.code, "message": said.why or fault.words})])

    def replied(self, replied: Replied) -> list[Message]:
        return self._lines([answered(replied.answer, self._teller)])

    def over(self, over: Over, view: Value) -> list[Message]:
        return self._lines([("game_over", {"reason": "void"})]) if isinstance(over.end, Void) else []

    def error(self, code: str, words: str) -> list[Message]:
        return self._lines([("error", {"code": code, "message": words})])

    def _lines(self, told: list[Told]) -> list[Message]:
        return [encode({"type": kind, **body}) for kind, body in told]

    def _follow_phase(self, seen: Event) -> None:
        match seen:
            case TurnBegan(turn=turn):
                self._phase, self._turn = "propose", turn
            case Proposed():
                self._phase = "decide"
            case Accepted() | Rejected():
                self._phase = "craft"
            case Decided():
                self._phase = "over"

    def _answered(self, seen: Event) -> Pending | None:
        """The message that caused this event; None if another seat or a default did."""
        match seen:
            case Proposed(proposer=seat) | Answered(partner=seat) | Checked(seat=seat):
                pass
            case Applied(seat=seat) | Finished(seat=seat):
                pass
            case _:
                return None
        if seat != self._teller.me:
            return None
        if self._defaulted:
            self._defaulted = False
            return None
        return self._pending.popleft() if self._pending else None

    # From the player

    def too_big(self, most: int) -> BadMessage:
        bad = super().too_big(most)
        self._pending.append(Pending("", {}, bad.words, bad.code))
        return bad

    def read(self, raw: Message) -> Answer | Question | None:
        body = _object(raw)
        kind = body.pop("type", None)
        if kind == "login":
            return None
        try:
            return Question(0, question(body)) if kind == "query" else self._read(kind, body)
        except BadMessage as e:
            self._pending.append(Pending(kind if isinstance(kind, str) else "", body, e.words, e.code))
            raise

    def _read(self, kind: object, body: dict[str, Any]) -> Answer:
        if not isinstance(kind, str) or kind not in FITS:
            what = f"a message is a JSON object whose type is one of {', '.join(FITS)} or query"
            raise BadMessage("bad_message", what)
        if body.get("turn_index", self._turn) != self._turn:
            raise BadMessage("phase_error", f"{kind}: turn {self._turn} is on")
        try:
            action, why = self._action(kind, body)
        except BadMessage:
            if self._ask is not FITS[kind]:
                raise BadMessage("phase_error", f"{kind}: not now") from None
            raise
        self._pending.append(Pending(kind, body, why))
        return Answer(action)

    def _action(self, kind: str, body: dict[str, Any]) -> tuple[Any, str]:
        match kind:
            case "propose":
                return requests.proposal(body, body.get("message"), self._teller.names, self._teller.me), ""
            case "decide":
                return requests.decision(body.get("decision"), body.get("message"), self.yes), ""
            case "check":
                return requests.recipe(body)
            case "apply":
                return Apply(), ""
        return Done(), ""


class LoginLines(Lines):
    """The same over sockets: the client first sends its name, or the token it was given, to resume its seat."""

    introduces = True
    can_reconnect = True

    def returning(self, raw: Message) -> str | None:
        body = _object(raw)
        token = body.get("token")
        return token if body.get("type") == "login" and isinstance(token, str) and token else None

    def introduced(self, raw: Message) -> Sitting:
        body = _object(raw)
        name = body.get("username")
        if body.get("type") != "login" or not isinstance(name, str) or not plain(name, MOST_NAME).strip():
            why = why_not_a_name(name) if body.get("type") == "login" else "this is another message"
            raise BadMessage("bad_login", f'first of all comes {{"type": "login", "username": YOUR NAME}}: {why}')
        return Sitting(plain(name, MOST_NAME).strip())

    def began(self, place: Place, view: Value) -> list[Message]:
        return self.tell_token(place, view) + self.after_token(place, view)

    def after_token(self, place: Place, view: Value) -> list[Message]:
        return super().began(place, view)

    def tell_token(self, place: Place, view: Value) -> list[Message]:
        name = table_names(place.players)[place.seat]
        token = {"token": self.token} if self.token else {}
        body = {"status_code": 0, "message": f"you are {name}", "username": name, **token}
        return self._lines([("login_success", body)])


def _object(raw: Message) -> dict[str, Any]:
    """Decode a JSON object; anything else gives an empty one."""
    try:
        said = decode(raw)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}
