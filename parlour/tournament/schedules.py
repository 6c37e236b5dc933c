"""Which matches a tournament has, and in which order. Everything here is pure and follows from the plan.

A tournament is played in rounds. A round depends only on complete earlier rounds, so the order in which matches finish
does not matter.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from hashlib import blake2b
from itertools import combinations, permutations
from math import factorial
from typing import TypeAlias

import numpy as np
from msgspec import Struct

from parlour.tournament.plan import Format, Seatings, TournamentPlan
from parlour.tournament.records import MatchResult, collect, points

ALL_SEATINGS = 6
"""Up to this many seatings of a line-up, all of them are played."""


class Fixture(Struct, frozen=True):
    """A match to be played."""

    match: int
    round: int
    deal: int
    lineup: int
    seating: int
    """Its place in the duplicate set."""
    seatings: int
    """The size of the set."""
    players: tuple[int, ...]
    """The player at each seat."""


class Round(Struct, frozen=True, kw_only=True):
    """The matches of one round. They are computed when they are needed: there may be millions."""

    number: int
    first_match: int
    first_lineup: int
    first_deal: int
    lineups: tuple[tuple[int, ...], ...]
    deals: int
    seatings: tuple[tuple[int, ...], ...]
    duplicate: bool
    byes: tuple[int, ...] = ()
    """The players who do not play."""

    @property
    def size(self) -> int:
        """The number of matches."""
        return self.deals * len(self.lineups) * (len(self.seatings) if self.duplicate else 1)

    def fixtures(self) -> Iterator[Fixture]:
        """All matches, deal by deal, so that the results so far are always about all line-ups."""
        return map(self.fixture, range(self.size))

    def fixture(self, place: int) -> Fixture:
        """One match; all deals of a line-up have the same line-up number."""
        sets, seating = divmod(place, len(self.seatings) if self.duplicate else 1)
        deal, lineup = divmod(sets, len(self.lineups))
        order = self.seatings[seating if self.duplicate else deal % len(self.seatings)]
        return Fixture(
            match=self.first_match + place,
            round=self.number,
            deal=self.first_deal + (deal if self.duplicate else sets),
            lineup=self.first_lineup + lineup,
            seating=seating,
            seatings=len(self.seatings) if self.duplicate else 1,
            players=tuple(self.lineups[lineup][place] for place in order),
        )


def deal_seed(plan: TournamentPlan, deal: int) -> bytes:
    """The seed of a deal. It tells nothing about the seeds of other deals."""
    key = blake2b(bytes.fromhex(plan.seed)).digest()
    return blake2b(deal.to_bytes(8, "big"), key=key, person=b"deal", digest_size=32).digest()


@cache
def seatings(seats: int, how: Seatings) -> tuple[tuple[int, ...], ...]:
    """The orders in which a line-up sits: all, or a balanced set."""
    return tuple(permutations(range(seats))) if how == "all" else balanced_seatings(seats)


def usual_seatings(seats: int) -> Seatings:
    """All seatings if they are few."""
    return "all" if factorial(seats) <= ALL_SEATINGS else "balanced"


def balanced_seatings(seats: int) -> tuple[tuple[int, ...], ...]:
    """A Williams design: everybody sits at each seat, and directly after every other player, equally often.

    It has as many seatings as seats, or twice as many if the number of seats is odd."""
    zigzag = [place // 2 if place % 2 == 0 else seats - 1 - place // 2 for place in range(seats)]
    rows = [tuple((place + turn) % seats for place in zigzag) for turn in range(seats)]
    return tuple(rows if seats % 2 == 0 else [*rows, *(row[::-1] for row in rows)])


def next_round(
    plan: TournamentPlan,
    rounds: Sequence[Round],
    results: Sequence[MatchResult],
    gone: frozenset[int] = frozenset(),
) -> Round | None:
    """The round after these, all of which are complete; None if the tournament is over.

    The results of round-robin and gauntlet are not needed. Whether until-decided is decided is not asked here. Players
    in `gone` have left the tournament; swiss and knock-out draw them no more."""
    drawn = _DRAWS[plan.format](plan, rounds, results, gone)
    if drawn is None:
        return None
    lineups, byes = drawn
    last = rounds[-1] if rounds else None
    return Round(
        number=len(rounds),
        first_match=0 if last is None else last.first_match + last.size,
        first_lineup=_next_lineup(plan.format, last),
        first_deal=0 if last is None else last.first_deal + last.deals * (1 if last.duplicate else len(last.lineups)),
        lineups=tuple(lineups),
        deals=_deals(plan, len(rounds)),
        seatings=seatings(plan.seats, plan.seatings),
        duplicate=plan.duplicate,
        byes=tuple(byes),
    )


_Draw = tuple[list[tuple[int, ...]], list[int]]
"""Line-ups, and players who do not play."""
Gone: TypeAlias = frozenset[int]


def _next_lineup(format: Format, last: Round | None) -> int:
    """The line-ups of until-decided are the same in all batches."""
    return 0 if last is None or format == "until-decided" else last.first_lineup + len(last.lineups)


def _deals(plan: TournamentPlan, number: int) -> int:
    if plan.format != "until-decided":
        return plan.deals
    return min(plan.batch, plan.deals - number * plan.batch)


def every_lineup(players: int, seats: int) -> list[tuple[int, ...]]:
    """All line-ups. If there are fewer players than seats, they hold several seats each, as evenly as possible."""
    each, rest = divmod(seats, players) if players < seats else (0, seats)
    everybody = tuple(range(players)) * each
    return [tuple(sorted((*everybody, *more))) for more in combinations(range(players), rest)]


def _round_robin(
    plan: TournamentPlan, rounds: Sequence[Round], results: Sequence[MatchResult], gone: Gone
) -> _Draw | None:
    return None if rounds else (every_lineup(len(plan.players), plan.seats), [])


def _gauntlet(
    plan: TournamentPlan, rounds: Sequence[Round], results: Sequence[MatchResult], gone: Gone
) -> _Draw | None:
    others = [player for player in range(len(plan.players)) if player != plan.against]
    lineups = [(plan.against, *group) for group in combinations(others, plan.seats - 1)]
    return None if rounds else (lineups, [])


def _until_decided(
    plan: TournamentPlan, rounds: Sequence[Round], results: Sequence[MatchResult], gone: Gone
) -> _Draw | None:
    return None if len(rounds) * plan.batch >= plan.deals else _round_robin(plan, [], results, gone)


def mean_points(results: Sequence[MatchResult], players: int) -> list[float]:
    """By player, the mean share of the others that it was ranked before; a half without a match that counts."""
    sample, _ = collect(results, players)
    total, seen = np.zeros(players), np.zeros(players)
    taken = sample.taken
    np.add.at(total, sample.seats[taken], points(sample)[taken])
    np.add.at(seen, sample.seats[taken], 1)
    means: list[float] = np.where(seen, total / np.maximum(seen, 1), 0.5).tolist()
    return means


def ranked(plan: TournamentPlan, results: Sequence[MatchResult], players: Sequence[int]) -> list[int]:
    """These players, the best first. Equal ones keep the order of the plan."""
    means = mean_points(results, len(plan.players))
    return sorted(players, key=lambda player: (-round(means[player], 9), player))


def _swiss(plan: TournamentPlan, rounds: Sequence[Round], results: Sequence[MatchResult], gone: Gone) -> _Draw | None:
    """Neighbours in the table play each other, if possible those who have met least often. The last players of the
    table who have had the fewest byes do not play if the players do not fill all tables."""
    if len(rounds) >= plan.rounds:
        return None
    order = ranked(plan, results, [player for player in range(len(plan.players)) if player not in gone])
    if len(order) < plan.seats:
        return None
    had = Counter(player for round in rounds for player in round.byes)
    spare = len(order) % plan.seats
    byes = sorted(order, key=lambda player: (had[player], -order.index(player)))[:spare]
    waiting = [player for player in order if player not in byes]
    met = Counter(pair for round in rounds for lineup in round.lineups for pair in permutations(lineup, 2))
    lineups = []
    while waiting:
        table = [waiting.pop(0)]
        while len(table) < plan.seats:
            nearest = min(waiting, key=lambda other: sum(met[other, one] for one in table))
            waiting.remove(nearest)
            table.append(nearest)
        lineups.append(tuple(sorted(table)))
    return lineups, sorted(byes)


def _knock_out(
    plan: TournamentPlan, rounds: Sequence[Round], results: Sequence[MatchResult], gone: Gone
) -> _Draw | None:
    """The best of every table goes on. The first players of the plan have a bye if the players do not fill all
    tables. If too few remain for one table, the best of those who lost last fill it, and it is the final."""
    left = list(range(len(plan.players)))
    for round in rounds:
        last = [result for result in results if 0 <= result.match - round.first_match < round.size]
        order = ranked(plan, last, sorted(player for lineup in round.lineups for player in lineup))
        won = [next(player for player in order if player in lineup) for lineup in round.lineups]
        if len(round.lineups) == 1 and not round.byes:
            return None  # that was the final
        left = sorted(player for player in (*round.byes, *won) if player not in gone)
        if len(left) < plan.seats:
            lost = [player for player in order if player not in left and player not in gone]
            left = sorted([*left, *lost[: plan.seats - len(left)]])
    if len(left) < plan.seats:
        return None
    byes = left[: len(left) % plan.seats] if len(left) > plan.seats else []
    playing = [player for player in left if player not in byes]
    tables = len(playing) // plan.seats
    return [tuple(playing[table::tables]) for table in range(tables)], byes


_DRAWS: dict[Format, Callable[[TournamentPlan, Sequence[Round], Sequence[MatchResult], Gone], _Draw | None]] = {
    "round-robin": _round_robin,
    "gauntlet": _gauntlet,
    "swiss": _swiss,
    "knock-out": _knock_out,
    "until-decided": _until_decided,
}


def most_matches(plan: TournamentPlan) -> int:
    """How many matches the tournament has; of until-decided, at most."""
    rounds: list[Round] = []
    while (round := next_round(plan, rounds, ())) is not None:  # the sizes of rounds do not depend on results
        rounds.append(round)
    return sum(round.size for round in rounds)
