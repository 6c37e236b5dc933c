"""Plans for tests, and an executor in this process."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from parlour.tournament.plan import Entrant, Format, TournamentPlan
from parlour.tournament.playing import play_packed
from parlour.tournament.schedules import Fixture, Round, next_round, usual_seatings

QUICK = ("minimum", "random", "random")


def plan(players: Sequence[str] = QUICK, format: Format = "round-robin", seats: int = 3, **keys: Any) -> TournamentPlan:
    """A tournament of For Sale; a player is called by its place in the alphabet."""
    entrants = tuple(Entrant("abcdefghijklmnopqrstuvwxyz"[place], player) for place, player in enumerate(players))
    usual = {"deals": 2, "seed": "05", "seatings": usual_seatings(seats)}
    return TournamentPlan(game="forsale", rules=1, format=format, players=entrants, seats=seats, **{**usual, **keys})


def first_round(it: TournamentPlan) -> Round:
    """The first round of a plan."""
    round = next_round(it, [], [])
    assert round is not None
    return round


class InOrder:
    """Plays one match after the other in this process."""

    workers = 1

    def __init__(self, it: TournamentPlan) -> None:
        self._plan = it

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[Sequence[bytes]]:
        for fixture in fixtures:
            yield [play_packed(self._plan, fixture)]

    def close(self) -> None:
        pass
