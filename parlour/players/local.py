"""Bots in this process."""

import asyncio
import queue
import threading
from collections.abc import Callable, Iterable
from typing import Any

from parlour.core import Ask, Asked, BadMessage, Event, Leave, Notice, Place, Question, Value
from parlour.referee.match import Out
from parlour.referee.player import Mind, Post, Resigned

PACE_SHARE = 0.9
"""The part of the time left that a paced bot waits at most, so that its answer is never late."""


class LocalPlayer:
    """A bot at a seat of an async match. It runs in its own thread, so that it does not block the others.

    With `pace_s` it takes at least that long for an answer, so that people can follow.
    `past` is the output of a resumed match so far."""

    follows = False

    def __init__(self, mind: Mind, pace_s: float = 0.0, past: Iterable[Out] = ()) -> None:
        self._mind = mind
        self._pace_s = pace_s
        self._not_before = 0.0
        """When the latest ask may be answered, in loop time."""
        self._waiting: asyncio.TimerHandle | None = None
        """The answer that waits until then."""
        self._past = past
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._post: Post | None = None
        self._seat = -1
        self._latest = 0

    def sit(self, place: Place, view: Value, post: Post) -> None:
        is_first, self._post = self._post is None, post
        self._seat = place.seat
        self._loop = asyncio.get_running_loop()
        past, self._past = self._past, ()
        self._work.put(lambda: self._mind.sit(place, past))
        if is_first:
            self._start()

    def _start(self) -> None:
        # A daemon thread: a bot that never returns must not keep the program from exiting.
        threading.Thread(target=self._run, name=f"bot at seat {self._seat}", daemon=True).start()

    def tell(self, notice: Notice, view: Value | None) -> None:
        if isinstance(notice, Asked) and view is not None:
            self._latest = notice.n
            self._set_pace(notice)
            self._work.put(lambda: self._decide(notice, view))
        elif isinstance(notice, Event) and self._mind.listens:
            self._work.put(lambda: self._mind.hear([notice]))

    def auto(self, ask: Ask[Any]) -> Any | None:
        return self._mind.auto(ask)

    def _set_pace(self, asked: Asked) -> None:
        if self._pace_s:
            self._drop_waiting()
            now = self._loop.time()
            most = self._pace_s if asked.due is None else max(0.0, asked.due - now) * PACE_SHARE
            self._not_before = now + min(self._pace_s, most)

    def _drop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()

    def close(self) -> None:
        self._post = None
        self._drop_waiting()
        self._work.put(None)

    def _run(self) -> None:
        while (work := self._work.get()) is not None:
            work()

    def _decide(self, asked: Asked, view: Value) -> None:
        if asked.n != self._latest:
            return  # a newer ask has come
        try:
            said = self._mind.decide(view, asked.ask)
        except Resigned:
            self._send(Leave(self._seat, "quit"), None)
            return
        if isinstance(said, Leave | Question):  # a bot may return actions only
            said = BadMessage("wrong_shape", f"not an action: {type(said).__name__}")
        self._send(said, asked.n)

    def _send(self, said: object, n: int | None) -> None:
        if self._post is not None:
            self._loop.call_soon_threadsafe(self._post_answer, said, n)

    def _post_answer(self, said: object, n: int | None) -> None:
        if self._post is None:
            return
        if n == self._latest and self._loop.time() < self._not_before:  # the thread is free meanwhile
            self._waiting = self._loop.call_at(self._not_before, self._post_answer, said, n)
        else:
            self._post(said, n)
