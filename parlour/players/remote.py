"""A remote player: a peer that transports messages, and a dialect that translates them."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, Protocol

from msgspec.structs import replace

from parlour.core import (
    Again,
    AgainAnswer,
    Answer,
    AnswerRefused,
    Ask,
    Asked,
    BadMessage,
    Dialect,
    Event,
    Hello,
    Leave,
    Noted,
    Notice,
    Over,
    Place,
    Replied,
    Sitting,
    Stderr,
    Value,
)
from parlour.referee.player import Post
from parlour.transports.limits import MESSAGE_BYTES, STDERR_READ, UNASKED_BORNE
from parlour.transports.peer import Peer

REPLACED = "replaced"
"""The reason when another connection has taken over the seat; the player has not left."""


_order = count()


class SessionLog(Protocol):
    """Keeps what a client and the server say to each other."""

    def sent(self, messages: Sequence[bytes], secret: str) -> None:
        """The server sent messages. `secret` is the token in them, if there is one."""

    def heard(self, raw: bytes | None) -> None:
        """The client sent a message; None: one that was too long."""

    def wrote(self, text: str, dropped: int) -> None:
        """The client's program wrote to stderr; so many more bytes were not sent."""


class NotIntroduced(Exception):
    """The peer did not introduce itself. The message says what it did instead; `why` is one word for it."""

    def __init__(self, why: str, words: str, *, told: bool = False) -> None:
        super().__init__(words)
        self.why = why
        self.told = told
        """Whether the peer has been sent an error."""


class Returns(Exception):
    """The peer did not introduce itself: it wants to resume the seat of this token."""

    def __init__(self, token: str) -> None:
        super().__init__("comes back")
        self.token = token


class RemotePlayer:
    """A remote player at a seat. It sends notices to its peer, and posts the peer's messages."""

    def __init__(self, peer: Peer, dialect: Dialect) -> None:
        self.peer = peer
        self.dialect = dialect
        self._introduction: asyncio.Future[Sitting] | None = None
        self.order = next(_order)
        """Clients that introduced themselves later have higher numbers."""
        self.about: dict[str, int | str] = {}
        """The facts in its introduction."""
        self._patience: asyncio.Timeout | None = None
        self._pressed_s: float | None = None
        """The most time for the introduction, counted from the greeting; None: the usual time."""
        self._post: Post | None = None
        """Takes the peer's messages; None while they are ignored."""
        self._auto_post: Post | None = None
        """Takes the automatic answers, also while the peer is disconnected."""
        self._announced: Place | None = None
        """The place that the peer was told before the match was stored."""
        self._seat = -1
        self._credit = UNASKED_BORNE
        self.talked = False
        """Whether a message of the peer was ignored."""
        self.excused: str | None = None
        """If set, the player leaves for this reason as soon as it is seated."""
        self.lost: Callable[[], None] | None = None
        """Called when the connection is lost and the seat can be resumed; if not set, the player leaves."""
        self._has_resigned = False
        """Whether the peer resigned before it was seated."""
        self._told_resigned: Callable[[], None] | None = None
        self.log: SessionLog | None = None
        """Keeps the messages of the client, if its owner may want to see them."""
        self._stderr_read = 0
        self._agains: dict[int, asyncio.Future[Any]] = {}
        """Answers to `again` that have not come yet."""
        self._again_id = 0

    def send(self, messages: Sequence[bytes]) -> None:
        """Send messages to the peer. Everything that it is sent goes through here."""
        if self.log is not None:
            self.log.sent(messages, self.dialect.token)
        self.peer.send(messages)

    async def ask_again(self, again: Again) -> Any:
        """Ask the peer for its answer in a position of another match. The id is filled in. Waits without a limit;
        ConnectionError if the peer disconnects."""
        self._again_id += 1
        id, answer = self._again_id, asyncio.get_running_loop().create_future()
        self._agains[id] = answer
        self._credit += 1
        try:
            self.send(self.dialect.again(replace(again, id=id)))
            return await answer
        finally:
            del self._agains[id]

    @property
    def follows(self) -> bool:
        return self.dialect.follows and self.peer.gone is None

    async def introduced(self, hello: Hello, limit_s: float) -> Sitting:
        """Greet the peer and wait for its introduction. Raises NotIntroduced or Returns."""
        self._introduction = asyncio.get_running_loop().create_future()
        self.send(self.dialect.hello(hello))  # before a message is read that came early
        self.peer.listen(self._hear, self._end)
        limit_s = limit_s if self._pressed_s is None else min(limit_s, self._pressed_s)
        try:
            async with asyncio.timeout(limit_s) as self._patience:
                sitting = await self._introduction
        except TimeoutError:
            raise NotIntroduced("silent", f"did not introduce itself within {limit_s:g} s") from None
        except BadMessage as e:
            self.send(self.dialect.error(e.code, e.words))
            raise NotIntroduced(e.code, e.words, told=True) from None
        finally:
            self._patience = None  # the time limit of an introduction that has come cannot be shortened
        self.about = sitting.about
        return sitting

    def hurry(self, within_s: float) -> None:
        """Shorten the time for the introduction, because other clients wait for the seat."""
        self._pressed_s, due = within_s, asyncio.get_running_loop().time() + within_s
        if self._patience is not None and not self._patience.expired() and (self._patience.when() or due) > due:
            self._patience.reschedule(due)

    def sit(self, place: Place, view: Value, post: Post) -> None:
        self._seat = place.seat
        self._told_resigned = None  # the callback refers to the table, which can then be freed at once
        if self.excused is not None:
            post(Leave(place.seat, self.excused), None)
            return
        self._post = self._auto_post = post
        announced, self._announced = self._announced, None
        if self._introduction is None or announced is not None:
            self.peer.listen(self._hear, self._end)
        begin = self.dialect.began if place != announced else self.dialect.after_token
        self.send(begin(place, view))
        if self._has_resigned:
            post(Leave(place.seat, "quit"), None)
        if self.peer.gone is not None:
            self._end(self.peer.gone)

    async def announce(self, place: Place, view: Value) -> bool:
        """Tell the peer its token before the match is stored; `sit` does not repeat it. Messages are buffered until
        then. False: the peer is gone or does not read, so it was not told."""
        self._announced = place
        self.peer.hold()
        self.send(self.dialect.tell_token(place, view))
        return await self.peer.all_sent()

    def unannounce(self) -> None:
        """Undo `announce`: the match does not begin."""
        if self._announced is not None:
            self.peer.listen(self._hear, self._end)

    def on_resigned(self, told: Callable[[], None]) -> None:
        """Call this once if the peer resigns while it waits for its match, or has already done so."""
        self._told_resigned = told
        if self._has_resigned:
            told()

    def wait(self) -> None:
        """Wait for a match, and disconnect the peer if it sends anything before."""
        self._post = self._on_early_message
        self.peer.listen(self._hear, self._end)

    def on_replaced(self) -> None:
        """Disconnect, because another connection has the seat. The peer is told, so that it does not reconnect."""
        self._post = self._auto_post = None
        self.send(self.dialect.error(REPLACED, "you play over another connection now"))
        self.peer.disconnect(REPLACED)

    def _on_early_message(self, said: Any, n: int | None) -> None:
        if not isinstance(said, Leave) and n is None:  # a numbered message answers an earlier ask
            self.peer.drop("talks")

    def tell(self, notice: Notice, view: Value | None) -> None:
        if self.excused is not None:
            return
        if isinstance(notice, Event):
            messages = self.dialect.event(notice) if view is None else self.dialect.follow(notice, view)
        elif isinstance(notice, Asked) and view is not None:
            messages = self._asked(notice, view)
        elif isinstance(notice, AnswerRefused):
            messages = self.dialect.refused(notice)
        elif isinstance(notice, Replied):
            self._credit += 1  # answered questions do not count as a flood
            messages = self.dialect.replied(notice)
        elif isinstance(notice, Over) and view is not None:
            messages = self.dialect.over(notice, view)
            self._post = self._auto_post = None
        else:
            return
        self.send(messages)

    def _asked(self, asked: Asked, view: Value) -> list[bytes]:
        self._credit += 1
        answer = self.dialect.auto(asked.ask)
        if answer is None:
            return self.dialect.asked(asked, view)
        if self._auto_post is not None:
            self._auto_post(answer, asked.n)
        return []

    def auto(self, ask: Ask[Any]) -> Any | None:
        return self.dialect.auto(ask)

    def _hear(self, raw: bytes | None) -> None:
        if self.log is not None:
            self.log.heard(raw)
        if self._introduction is not None and not self._introduction.done():
            self._read_introduction(raw)
            return
        said, n = self._read(raw) if self._post is not None or self.dialect.resigns else (None, None)
        if isinstance(said, Stderr):
            self._wrote(said, len(raw or b""))
        elif self._has_credit():
            if isinstance(said, AgainAnswer):
                self._answer_again(said)
            else:
                self._take(said, n)

    def _has_credit(self) -> bool:
        """Count a message; a peer that sends too many is disconnected."""
        self._credit -= 1
        if self._credit < 0:
            self.peer.drop("flood")
        return self._credit >= 0

    def _wrote(self, said: Stderr, size: int) -> None:
        """Take a message with stderr. It does not count as a message, up to a limit of bytes."""
        self._stderr_read += size
        if self._stderr_read > STDERR_READ and not self._has_credit():
            return
        if self.log is not None:
            self.log.wrote(said.text, said.dropped)

    def _answer_again(self, said: AgainAnswer) -> None:
        """Take the answer to an `again`; one that is late, second, or has another id is ignored."""
        answer = self._agains.get(said.id)
        if answer is not None and not answer.done():
            answer.set_result(said.action)

    def _take(self, said: Any, n: int | None) -> None:
        """Take a message that belongs to the match."""
        if self._post is None:
            self.talked = True
            if self.dialect.resigns and isinstance(said, Leave) and not self._has_resigned:
                if self._told_resigned is not None:
                    self._told_resigned()
                self._has_resigned = True
        elif n is None and self.dialect.told_end:
            self.peer.drop("talks")
        elif said is not None:
            self._post(said, n)

    def _read_introduction(self, raw: bytes | None) -> None:
        assert self._introduction is not None
        self.order = next(_order)
        try:
            if raw is None and self.dialect.absent() is None:
                raise self.dialect.too_big(MESSAGE_BYTES)
            if (token := self.dialect.returning(raw or b"")) is not None:
                self._introduction.set_exception(Returns(token))
                return
            self._introduction.set_result(self.dialect.introduced(raw or b""))
        except BadMessage as e:
            self._introduction.set_exception(e)

    def _read(self, raw: bytes | None) -> tuple[Any, int | None]:
        try:
            if raw is None:
                raise self.dialect.too_big(MESSAGE_BYTES)
            said = self.dialect.read(raw)
        except BadMessage as e:
            return e, e.n
        if isinstance(said, Answer):
            return Noted(said.action, said.note) if said.note else said.action, said.n
        return Leave(self._seat, said.why) if isinstance(said, Leave) else said, None

    def _end(self, why: str) -> None:
        for answer in self._agains.values():
            if not answer.done():
                answer.set_exception(ConnectionError("the client has disconnected"))
        if self._introduction is not None and not self._introduction.done():
            self._introduction.set_exception(NotIntroduced("dead", "was gone before it introduced itself"))
        elif self._post is not None:
            post, self._post = self._post, None
            if self.lost is not None and why == "dead":
                self.lost()
            elif why != REPLACED:
                post(Leave(self._seat, why), None)
