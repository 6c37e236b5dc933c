"""Leagues."""

from typing import Any, NoReturn

from parlour.protocol.errors import RequestError


class Ratings:
    """Answers that there are none yet."""

    async def leaderboard(self, *args: Any, **named: Any) -> NoReturn:
        raise RequestError(503, "no_leagues", "leagues are not open yet")

    async def of(self, *args: Any, **named: Any) -> NoReturn:
        raise RequestError(503, "no_leagues", "leagues are not open yet")
