"""Collect times and instructive matches for the report, while finished matches are written to the other files."""

from collections.abc import Iterable, Iterator, Sequence
from math import inf

import numpy as np
from msgspec import Struct

from parlour.tournament.plan import TournamentPlan
from parlour.tournament.playing import Outcome
from parlour.tournament.records import MatchResult

STEPS = 40
"""Bars of the histogram of times for each factor of ten."""
DECADES = 10
"""From a microsecond to some hours."""
KEPT = 3
"""Matches kept for each rule."""


class TellingMatch(Struct, frozen=True, order=True):
    """A match that stands out by a rule. The larger the key, the more it does; equal ones keep the schedule's order."""

    key: tuple[float, ...]
    before: int
    """Minus the number of the match."""
    result: MatchResult = MatchResult(0, 0, 0, ())
    seat: int | None = None
    """The seat that it is about."""
    words: str = ""


class Times(Struct):
    """How long the decisions of a player took, as a histogram with steps that grow by 6 %."""

    counts: np.ndarray[tuple[int], np.dtype[np.int64]]
    total_s: float = 0.0
    most_s: float = 0.0

    @property
    def decisions(self) -> int:
        return int(self.counts.sum())

    @property
    def mean(self) -> float:
        return self.total_s / max(1, self.decisions)

    def quantile(self, share: float) -> float:
        """The time that this share of all decisions did not exceed, in seconds, to about 3 %."""
        if not self.decisions:
            return 0.0
        at = int(np.searchsorted(self.counts.cumsum(), share * self.decisions))
        return min(float(10 ** ((at + 0.5) / STEPS - 6)), self.most_s)


class Observer:
    """Looks at each outcome that goes by. It keeps sums and a few matches, so its size does not grow."""

    def __init__(self, plan: TournamentPlan, ratings: Sequence[float]) -> None:
        """`ratings` are by player."""
        self._plan, self._ratings = plan, ratings
        self.times = [Times(np.zeros(STEPS * DECADES, dtype=np.int64)) for _ in plan.players]
        self.seconds = 0.0
        """For all matches together."""
        self.decisions = 0
        self.telling: dict[str, list[TellingMatch]] = {rule: [] for rule in RULES}

    def watch(self, outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
        """The same outcomes, once they have been looked at."""
        for outcome in outcomes:
            self._time(outcome)
            if not outcome.result.void:
                self._note(outcome)
            yield outcome

    def _time(self, outcome: Outcome) -> None:
        self.seconds += outcome.took
        self.decisions += len(outcome.micros)
        micros = np.array(outcome.micros, dtype=np.float64)
        places = np.clip(np.log10(np.maximum(micros, 1)) * STEPS, 0, STEPS * DECADES - 1).astype(np.int64)
        ends = np.searchsorted(outcome.decisions.seat, range(len(outcome.result.players) + 1))
        for seat, player in enumerate(outcome.result.players):
            own = slice(ends[seat], ends[seat + 1])
            if own.start < own.stop:
                times = self.times[player]
                np.add.at(times.counts, places[own], 1)
                times.total_s += float(micros[own].sum()) / 1e6
                times.most_s = max(times.most_s, float(micros[own].max()) / 1e6)

    def _note(self, outcome: Outcome) -> None:
        result = outcome.result
        for rule, (key, seat, words) in _told(outcome, self._ratings).items():
            kept = self.telling[rule]
            noted = TellingMatch(key, -result.match, result, seat, words)
            if len(kept) < KEPT or noted > kept[-1]:
                self.telling[rule] = sorted([*kept, noted], reverse=True)[:KEPT]


RULES = {
    "Biggest upset": "The winner is rated lowest compared with the best opponent at the table; among equal ones, the "
    "match that it won by most points.",
    "Clearest win": "The winner is ahead of the second by most points.",
    "Closest finish": "The fewest points, but not none, lie between first and last.",
    "Highest score": "A player has more points than in any other match.",
    "Longest match": "The players made most decisions.",
}
"""The rules by which telling matches are chosen."""


def _told(outcome: Outcome, ratings: Sequence[float]) -> dict[str, tuple[tuple[float, ...], int | None, str]]:
    """By rule: the key, the seat and the words for a match. Rules that do not apply to it are missing."""
    result = outcome.result
    order = sorted(range(len(result.players)), key=lambda seat: (result.ranks[seat], seat))
    first, scores = order[0], result.scores
    lead = scores[first] - scores[order[1]]
    spread = max(scores) - min(scores)
    best = max(range(len(scores)), key=lambda seat: scores[seat])
    told: dict[str, tuple[tuple[float, ...], int | None, str]] = {
        "Highest score": ((scores[best],), best, f"{scores[best]:,g} points"),
        "Longest match": ((float(len(outcome.micros)),), None, f"{len(outcome.micros):,} decisions"),
    }
    if 0 < spread < inf:
        told["Closest finish"] = ((-spread,), None, f"{spread:,g} points from first to last")
    if result.ranks.count(1) == 1:
        if lead > 0:
            told["Clearest win"] = ((lead,), first, f"{lead:,g} points ahead")
        gap = max(ratings[player] for player in result.players) - ratings[result.players[first]]
        if gap > 0:
            told["Biggest upset"] = ((gap, lead), first, f"rated {gap:,.0f} below the best at the table")
    return told
