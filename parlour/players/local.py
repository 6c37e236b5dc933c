"""Bots in this process."""

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from parlour.core import Asked, Dice, Event, Leave, Notice, Place, Value
from parlour.referee.driver import crashed
from parlour.referee.player import Bot, Post, Resigned, event_hook


class LocalPlayer:
    """A bot at a seat of an async match. It thinks in a thread of its own, so that the others are heard meanwhile."""

    def __init__(self, bot: Bot, dice: Dice) -> None:
        self._bot = bot
        self._dice = dice
        self._hook = event_hook(bot)
        self._thread = ThreadPoolExecutor(1, "parlour-bot")
        self._post: Post | None = None
        self._seat = -1

    def sit(self, place: Place, view: Value, post: Post) -> None:
        self._seat = place.seat
        self._post = post
        self._loop = asyncio.get_running_loop()

    def tell(self, notice: Notice, view: Value | None) -> None:
        if isinstance(notice, Asked):
            thought: Future[Any] = self._thread.submit(self._bot, view, notice.ask, self._dice)
            thought.add_done_callback(lambda done: self._loop.call_soon_threadsafe(self._thought, done, notice.n))
        elif isinstance(notice, Event) and self._hook is not None:
            self._thread.submit(self._hook, notice)

    def _thought(self, thought: "Future[Any]", n: int) -> None:
        if self._post is None or thought.cancelled():
            return
        error = thought.exception()
        if isinstance(error, Resigned):
            self._post(Leave(self._seat, "quit"), None)
        elif isinstance(error, Exception):
            self._post(crashed(error), n)
        else:
            self._post(thought.result(), n)

    def close(self) -> None:
        self._post = None
        self._thread.shutdown(wait=False, cancel_futures=True)
