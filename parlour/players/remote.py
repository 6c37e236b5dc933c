"""A player at the other end of a line: a peer that carries the lines and a dialect that understands them."""

import asyncio
from collections.abc import Callable
from typing import Any

from parlour.core import (
    Answer,
    Ask,
    Asked,
    BadMessage,
    Dialect,
    Event,
    Hello,
    Leave,
    Notice,
    Over,
    Place,
    Refused,
    Replied,
    Sitting,
    Value,
)
from parlour.referee.player import Post
from parlour.transports.lines import MOST_BYTES
from parlour.transports.peer import Peer

UNASKED_BORNE = 1000
REPLACED = "replaced"
"""Why somebody is gone who has not left: its seat is taken by another connection."""


class NotIntroduced(Exception):
    """The peer did not say who it is; the words say what it did instead, and `why` in one word."""

    def __init__(self, why: str, words: str, *, told: bool = False) -> None:
        super().__init__(words)
        self.why = why
        self.told = told
        """Whether it was told so already."""


class Returns(Exception):
    """The peer does not introduce itself, but comes back to the seat that it has this token of."""

    def __init__(self, token: str) -> None:
        super().__init__("comes back")
        self.token = token


class RemotePlayer:
    """Sits at a seat for its peer. It sends on what it is told, and posts what it hears."""

    def __init__(self, peer: Peer, dialect: Dialect) -> None:
        self.peer = peer
        self.dialect = dialect
        self._introduction: asyncio.Future[Sitting] | None = None
        self._patience: asyncio.Timeout | None = None
        self._post: Post | None = None
        """Takes what the peer says; None when nobody listens to it."""
        self._auto_post: Post | None = None
        """Takes the answers that its protocol has no words for; also while the connection is lost."""
        self._announced: Place | None = None
        """The seat that it was told of before the match was stored."""
        self._seat = -1
        self._credit = UNASKED_BORNE
        self.talked = False
        """Whether it said something that nobody listened to."""
        self.excused: str | None = None
        """Why it will leave as soon as it sits."""
        self.lost: Callable[[], None] | None = None
        """Told when the connection is lost, where the seat is then kept; else the player has left."""

    @property
    def follows(self) -> bool:
        return self.dialect.follows and self.peer.gone is None

    async def introduced(self, hello: Hello, limit_s: float) -> Sitting:
        """Greet the peer and wait for its name; or raise NotIntroduced, or Returns."""
        self._introduction = asyncio.get_running_loop().create_future()
        self.peer.listen(self._hear, self._end)
        self.peer.send(self.dialect.hello(hello))
        try:
            async with asyncio.timeout(limit_s) as self._patience:
                return await self._introduction
        except TimeoutError:
            raise NotIntroduced("silent", f"did not introduce itself within {limit_s:g} s") from None
        except BadMessage as e:
            self.peer.send(self.dialect.error(e.code, e.words))
            raise NotIntroduced(e.code, e.words, told=True) from None

    def hurry(self, within_s: float) -> None:
        """Others wait: whoever has not introduced itself has only so long now."""
        due = asyncio.get_running_loop().time() + within_s
        if self._patience is not None and not self._patience.expired() and (self._patience.when() or due) > due:
            self._patience.reschedule(due)

    def sit(self, place: Place, view: Value, post: Post) -> None:
        self._seat = place.seat
        if self.excused is not None:
            post(Leave(place.seat, self.excused), None)
            return
        self._post = self._auto_post = post
        announced, self._announced = self._announced, None
        if self._introduction is None or announced is not None:
            self.peer.listen(self._hear, self._end)
        begin = self.dialect.began if place != announced else self.dialect.after_token
        self.peer.send(begin(place, view))
        if self.peer.gone is not None:
            self._end(self.peer.gone)

    async def announce(self, place: Place, view: Value) -> bool:
        """Tell the peer its token before the match is stored, and not again when it sits down; what it says meanwhile
        is kept. False: it is gone, or does not read, and so was not told."""
        self._announced = place
        self.peer.hold()
        self.peer.send(self.dialect.tell_token(place, view))
        return await self.peer.all_sent()

    def unannounce(self) -> None:
        """The match does not begin after all."""
        if self._announced is not None:
            self.peer.listen(self._hear, self._end)

    def wait(self) -> None:
        """Between two matches, or before the first: whoever says anything now is let go."""
        self._post = self._talks
        self.peer.listen(self._hear, self._end)

    def let_go(self) -> None:
        """Somebody else has the seat now; it is told so, or it might come back and take it again."""
        self._post = self._auto_post = None
        self.peer.send(self.dialect.error(REPLACED, "you play over another connection now"))
        self.peer.part(REPLACED)

    def _talks(self, said: Any, n: int | None) -> None:
        if not isinstance(said, Leave) and n is None:  # with a number it answers what was asked before the end
            self.peer.drop("talks")

    def tell(self, notice: Notice, view: Value | None) -> None:
        if self.excused is not None:
            return
        if isinstance(notice, Event):
            messages = self.dialect.event(notice) if view is None else self.dialect.follow(notice, view)
        elif isinstance(notice, Asked) and view is not None:
            messages = self._asked(notice, view)
        elif isinstance(notice, Refused):
            messages = self.dialect.refused(notice)
        elif isinstance(notice, Replied):
            self._credit += 1  # a question that was answered is no flood
            messages = self.dialect.replied(notice)
        elif isinstance(notice, Over) and view is not None:
            messages = self.dialect.over(notice, view)
            self._post = self._auto_post = None
        else:
            return
        self.peer.send(messages)

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
        if self._introduction is not None and not self._introduction.done():
            self._read_introduction(raw)
            return
        self._credit -= 1
        if self._credit < 0:
            self.peer.drop("flood")
        elif self._post is None:
            self.talked = True
        else:
            said, n = self._read(raw)
            if n is None and self.dialect.told_end:
                self.peer.drop("talks")
            elif said is not None:
                self._post(said, n)

    def _read_introduction(self, raw: bytes | None) -> None:
        assert self._introduction is not None
        try:
            if raw is None and self.dialect.absent() is None:
                raise self.dialect.too_big(MOST_BYTES)
            if (token := self.dialect.returning(raw or b"")) is not None:
                self._introduction.set_exception(Returns(token))
                return
            self._introduction.set_result(self.dialect.introduced(raw or b""))
        except BadMessage as e:
            self._introduction.set_exception(e)

    def _read(self, raw: bytes | None) -> tuple[Any, int | None]:
        try:
            if raw is None:
                raise self.dialect.too_big(MOST_BYTES)
            said = self.dialect.read(raw)
        except BadMessage as e:
            return e, e.n
        if isinstance(said, Answer):
            return said.action, said.n
        return said, None

    def _end(self, why: str) -> None:
        if self._introduction is not None and not self._introduction.done():
            self._introduction.set_exception(NotIntroduced("dead", "was gone before it introduced itself"))
        elif self._post is not None:
            post, self._post = self._post, None
            if self.lost is not None and why == "dead":
                self.lost()
            elif why != REPLACED:
                post(Leave(self._seat, why), None)
