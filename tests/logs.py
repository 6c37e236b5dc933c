"""Logs that are slow or fail."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from parlour.referee.log import ImmediateLog
from parlour.referee.match import Match


class SlowLog:
    """Keeps lines by this function, which is awaited."""

    def __init__(self, keep: Callable[[Sequence[bytes]], Awaitable[None]]) -> None:
        self.write = keep

    def end(self, match: Match[Any]) -> None:
        """It is not ended."""


class FullLog(ImmediateLog):
    """Keeps no line."""

    def write(self, lines: Sequence[bytes]) -> None:
        raise OSError("disk full")
