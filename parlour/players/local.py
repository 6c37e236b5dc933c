"""Bots in this process."""

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Any

from parlour.core import Ask, Asked, BadMessage, Event, Leave, Notice, Place, Question, Value
from parlour.referee.player import Mind, Post, Resigned


class LocalPlayer:
    """A bot at a seat of an async match. It runs in its own thread, so that it does not block the others."""

    follows = False

    def __init__(self, mind: Mind) -> None:
        self._mind = mind
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._post: Post | None = None
        self._seat = -1
        self._latest = 0

    def sit(self, place: Place, view: Value, post: Post) -> None:
        self._seat = place.seat
        self._post = post
        self._loop = asyncio.get_running_loop()
        # A daemon thread: a bot that never returns must not keep the program from exiting.
        threading.Thread(target=self._live, name=f"bot at seat {place.seat}", daemon=True).start()

    def tell(self, notice: Notice, view: Value | None) -> None:
        if isinstance(notice, Asked) and view is not None:
            self._latest = notice.n
            self._work.put(lambda: self._decide(notice, view))
        elif isinstance(notice, Event) and self._mind.listens:
            self._work.put(lambda: self._mind.hear([notice]))

    def auto(self, ask: Ask[Any]) -> Any | None:
        return self._mind.auto(ask)

    def close(self) -> None:
        self._post = None
        self._work.put(None)

    def _live(self) -> None:
        while (work := self._work.get()) is not None:
            work()

    def _decide(self, asked: Asked, view: Value) -> None:
        if asked.n != self._latest:
            return  # a newer ask has come
        try:
            said = self._mind.decide(view, asked.ask)
        except Resigned:
            self._say(Leave(self._seat, "quit"), None)
            return
        if isinstance(said, Leave | Question):  # a bot may return actions only
            said = BadMessage("wrong_shape", f"not an action: {type(said).__name__}")
        self._say(said, asked.n)

    def _say(self, said: object, n: int | None) -> None:
        if self._post is not None:
            self._loop.call_soon_threadsafe(self._say_here, said, n)

    def _say_here(self, said: object, n: int | None) -> None:
        if self._post is not None:
            self._post(said, n)
