"""Leagues."""

from typing import Any, NoReturn

from parlour.protocol.errors import RequestError
from parlour.protocol.league_forms import LeagueEntry, LeagueStandings


class LeagueDesk:
    """Answers that there are none yet."""

    async def page(self, *args: Any, **named: Any) -> NoReturn:
        raise RequestError(503, "no_leagues", "leagues are not open yet")

    async def info(self, *args: Any, **named: Any) -> NoReturn:
        raise RequestError(503, "no_leagues", "leagues are not open yet")

    async def records(self, *args: Any, **named: Any) -> NoReturn:
        raise RequestError(503, "no_leagues", "leagues are not open yet")

    async def standings(self, *args: Any, **named: Any) -> LeagueStandings:
        raise RequestError(503, "no_leagues", "leagues are not open yet")

    async def matches(self, *args: Any, **named: Any) -> NoReturn:
        raise RequestError(503, "no_leagues", "leagues are not open yet")

    async def entries(self, *args: Any, **named: Any) -> list[LeagueEntry]:
        raise RequestError(503, "no_leagues", "leagues are not open yet")

    async def own_entry(self, *args: Any, **named: Any) -> NoReturn:
        raise RequestError(503, "no_leagues", "leagues are not open yet")

    async def enter(self, *args: Any, **named: Any) -> NoReturn:
        raise RequestError(503, "no_leagues", "leagues are not open yet")

    async def withdraw(self, *args: Any, **named: Any) -> NoReturn:
        raise RequestError(503, "no_leagues", "leagues are not open yet")

    async def new_code(self, *args: Any, **named: Any) -> NoReturn:
        raise RequestError(503, "no_leagues", "leagues are not open yet")

    async def next_table(self, *args: Any, **named: Any) -> NoReturn:
        raise RequestError(503, "no_leagues", "leagues are not open yet")

    async def create(self, *args: Any, **named: Any) -> NoReturn:
        raise RequestError(503, "no_leagues", "leagues are not open yet")

    async def change(self, *args: Any, **named: Any) -> NoReturn:
        raise RequestError(503, "no_leagues", "leagues are not open yet")

    async def cancel(self, *args: Any, **named: Any) -> NoReturn:
        raise RequestError(503, "no_leagues", "leagues are not open yet")

    async def cancel_match(self, *args: Any, **named: Any) -> NoReturn:
        raise RequestError(503, "no_leagues", "leagues are not open yet")

    async def rerun(self, *args: Any, **named: Any) -> NoReturn:
        raise RequestError(503, "no_leagues", "leagues are not open yet")

    async def remove(self, *args: Any, **named: Any) -> NoReturn:
        raise RequestError(503, "no_leagues", "leagues are not open yet")
