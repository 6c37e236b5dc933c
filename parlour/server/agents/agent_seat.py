"""The seat of an agent. It plays as an ordinary connected player, whose connection is in this process.

The seat keeps the messages of the referee until the agent asks for them."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET, Struct

from parlour.core import (
    AnswerRefused,
    Asked,
    Dialect,
    Event,
    Game,
    Hello,
    Leave,
    Notice,
    Over,
    Place,
    Replied,
    Seat,
    Sitting,
    Took,
    Value,
)
from parlour.players.remote import RemotePlayer
from parlour.players.session import Dropped, Session
from parlour.protocol.v1 import V1, AnswerMessage, LeaveMessage, QueryMessage
from parlour.referee.player import Post
from parlour.transports.limits import MOST_TOLD
from parlour.transports.peer import Peer

WAY = "mcp"
"""The transport name of agents, in metrics and logs."""

News: TypeAlias = Event | AnswerRefused


class SeatClosed(Struct, frozen=True):
    """The reason why the seat has no connection any more."""

    code: str
    words: str


class AgentSeat:
    """The seat of an agent: the messages of the referee that the agent has not fetched yet, and the open ask."""

    def __init__(self, game: Game[Any], account: int, token: str) -> None:
        self.game = game
        self.account = account
        self.token = token
        self.table = ""
        """The table or match, once it is known."""
        self.handle = ""
        """How the agent names the seat."""
        self.place: Place | None = None
        """Set when the match has begun."""
        self.known_names: Sequence[str] = ()
        self.known_number: Seat | None = None
        """The names and the seat in a match that was over before the agent returned."""
        self.view: Value | None = None
        """The last view."""
        self.asked: Asked | None = None
        """The open ask, as far as is known."""
        self.accepted = 0
        """The number of the last ask whose answer was accepted."""
        self.outcome: Took | AnswerRefused | None = None
        """The outcome of the last answer; None: not known yet."""
        self.reply: Replied | AnswerRefused | None = None
        """The reply to the last question."""
        self.over: Over | None = None
        self.closed: SeatClosed | None = None
        self.news = deque[News](maxlen=MOST_TOLD)
        """Events and refusals since the agent's last decision."""
        self.untold = 0
        """Earlier news that are not kept."""
        self.has_left = False
        """Whether it has left the match because of a fault."""
        self.is_open: Callable[[int], bool] = lambda n: True
        """Whether the ask of this number is still open. Players are not told when the table closes a round."""
        self.calls = 0
        """Calls of tools that use the seat now."""
        self.lock = asyncio.Lock()
        """Held while an answer or a question is on its way."""
        self.answering = 0
        """The number of the ask that the agent has answered last; 0: it has asked a question since."""
        self._changed = asyncio.Event()

    @property
    def names(self) -> Sequence[str]:
        """The players' names by seat; empty before the match."""
        return self.known_names if self.place is None else self.place.players

    @property
    def number(self) -> Seat | None:
        """The number of the seat, once the match has begun."""
        return self.known_number if self.place is None else self.place.seat

    @property
    def is_asked(self) -> bool:
        """Whether the agent has to decide something."""
        asked = self.asked
        return asked is not None and asked.n != self.accepted and self.over is None and self.is_open(asked.n)

    @property
    def is_settled(self) -> bool:
        """Whether there is nothing to wait for."""
        return self.is_asked or self.over is not None or self.closed is not None or self.has_left

    async def changed(self, within_s: float) -> None:
        """Wait for the next message of the referee, at most that long."""
        try:
            async with asyncio.timeout(within_s):
                await self._changed.wait()
        except TimeoutError:
            return

    async def until(self, is_true: Callable[[], bool], within_s: float) -> bool:
        """Wait until something is true, or the connection is closed, at most that long; whether it is true."""
        until = asyncio.get_running_loop().time() + within_s
        while not is_true() and self.closed is None:
            rest_s = until - asyncio.get_running_loop().time()
            if rest_s <= 0:
                break
            await self.changed(rest_s)
        return is_true()

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """A block in which a call uses the seat, so that it is not idle."""
        self.calls += 1
        try:
            yield
        finally:
            self.calls -= 1

    def _tell(self) -> None:
        """Wake all that wait for a change."""
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    # From the referee

    def greeted(self, hello: Hello) -> None:
        self.table = hello.match
        self._tell()

    def sat(self, place: Place, view: Value) -> None:
        """The match begins, or the seat is resumed."""
        self.place, self.view, self.table, self.asked = place, view, place.match, None
        self._tell()

    def told(self, notice: Notice, view: Value | None) -> None:
        if view is not None and not isinstance(notice, Event):
            self.view = view
        match notice:
            case Asked():
                self.asked = notice
            case Took(n=n):
                self._took(n)
            case AnswerRefused():
                self._refused(notice)
            case Replied():
                self.reply = notice
            case Over():
                self.over, self.asked = notice, None
            case _:
                self._note(notice)
        self._tell()

    def _took(self, n: int) -> None:
        """An answer was accepted. If it was the agent's own, earlier news are dropped."""
        self.accepted = n
        if n == self.answering:
            self.outcome = Took(0, n)
            self.news.clear()
            self.untold = 0

    def _refused(self, refused: AnswerRefused) -> None:
        if refused.fault.code == "no_reply":
            self.reply = refused
            return
        if refused.fault.kind != "unasked" and self.asked is not None and refused.n == self.asked.n:
            self.asked = None  # if the seat is asked again, the ask follows
        self.has_left = self.has_left or isinstance(refused.cost, Leave)
        self.outcome = refused
        self._note(refused)

    def _note(self, news: News) -> None:
        self.untold += len(self.news) == MOST_TOLD
        self.news.append(news)

    def ended(self, code: str, words: str) -> None:
        """The connection is closed. The first reason counts."""
        if self.closed is None:
            self.closed = SeatClosed(code, words)
        self._tell()


class AgentPeer(Peer):
    """The connection of an agent. It discards messages, because the seat has them already."""

    def __init__(self) -> None:
        super().__init__()
        self._is_closing = False
        self.on_lost: Callable[[], None] = lambda: None

    def send(self, messages: Iterable[bytes]) -> None:
        return

    def say(self, message: AnswerMessage[Any] | QueryMessage[Any] | LeaveMessage) -> None:
        """A message of the agent to the referee."""
        self.receive(msgspec.json.encode(message))

    def abort(self) -> None:
        if not self._is_closing:
            self._is_closing = True
            self.on_lost()
            asyncio.get_running_loop().call_soon(self._close)

    def _close(self) -> None:
        if self.gone is None:
            self.gone = "dead"
            self._ended("dead")


class AgentDialect(V1):
    """Protocol 1, which the logs of the seat show. Errors are given to the seat as well."""

    def __init__(self, game: Game[Any], seat: AgentSeat) -> None:
        super().__init__(game)
        self._seat = seat

    def over(self, over: Over, view: Value) -> list[bytes]:
        """The end, which a client that returns too late is told without a player."""
        self._seat.told(over, None)
        return super().over(over, view)

    def error(self, code: str, words: str) -> list[bytes]:
        self._seat.ended(code, words)
        return super().error(code, words)


class AgentPlayer(RemotePlayer):
    """The player of an agent. It also gives all notices to the seat."""

    def __init__(self, peer: AgentPeer, dialect: Dialect, seat: AgentSeat, sitting: Sitting) -> None:
        super().__init__(peer, dialect)
        self._seated = seat
        self._sitting = sitting

    async def introduced(self, hello: Hello, limit_s: float) -> Sitting:
        """The introduction, which is known from the beginning."""
        self.peer.listen(self._hear, self._end)
        self.send(self.dialect.hello(hello))
        self._seated.greeted(hello)
        self.about = self._sitting.about
        return self._sitting

    def sit(self, place: Place, view: Value, post: Post) -> None:
        super().sit(place, view, post)
        self._seated.sat(place, view)

    def tell(self, notice: Notice, view: Value | None) -> None:
        super().tell(notice, view)
        if not isinstance(notice, Asked) or self.dialect.auto(notice.ask) is None:
            self._seated.told(notice, view)


class AgentSession(Session):
    """The session of an agent."""

    def __init__(self, seat: AgentSeat, sitting: Sitting, address: str, dropped: Dropped) -> None:
        self.agent = AgentPeer()
        self.dialect = AgentDialect(seat.game, seat)
        super().__init__(self.agent, WAY, address, self.dialect.error, dropped)
        self.seat = seat
        self._sitting = sitting

    def speak(self, dialect: Dialect) -> RemotePlayer:
        """The player, which exists before the session is welcomed, because a seat is reserved for it."""
        if self._player is None:
            self._player = AgentPlayer(self.agent, dialect, self.seat, self._sitting)
        return self._player

    def answer(self, n: int, action: Any, note: str) -> None:
        """Send an answer to an ask."""
        self.seat.answering, self.seat.outcome = n, None
        self.agent.say(AnswerMessage(n, action, note or UNSET))

    def ask(self, question: Any) -> None:
        """Send a free question."""
        self.seat.answering, self.seat.reply = 0, None
        self.agent.say(QueryMessage(0, question))

    def leave(self) -> None:
        """Leave the match for good."""
        self.agent.say(LeaveMessage())
