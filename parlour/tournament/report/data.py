"""Everything that the report shows."""

from pathlib import Path

from msgspec import Struct

from parlour.tournament.comparisons import HeadToHead
from parlour.tournament.history import RatingsSoFar
from parlour.tournament.journal import TranscriptFolder
from parlour.tournament.records import MatchResult, Sample
from parlour.tournament.report.observations import Observer
from parlour.tournament.results import Results
from parlour.tournament.sequential import PairDecision

CHARTED = 40
"""Players in charts and in the heat map; tables have all."""


class ReportData(Struct, frozen=True, kw_only=True):
    """The results of a tournament. Players are named by their number in the plan."""

    results: Results
    title: str
    """Of the game."""
    sample: Sample
    history: list[RatingsSoFar]
    observed: Observer
    transcripts: TranscriptFolder

    @property
    def names(self) -> list[str]:
        return [entrant.name for entrant in self.results.tournament.players]

    @property
    def order(self) -> list[int]:
        """The players, the best first."""
        return [it.standing.player for it in self.results.players]

    @property
    def charted(self) -> list[int]:
        """The players in the charts, the best first."""
        return self.order[:CHARTED]

    def transcript(self, result: MatchResult) -> Path | None:
        """The transcript of a match, if there is one."""
        path = self.transcripts.path(result)
        return path if path.exists() else None

    def verdicts(self) -> dict[tuple[int, int], str]:
        """By pair, the lower number first: what was found about it, in words."""
        judged: list[PairDecision | HeadToHead] = [*(self.results.decisions or self.results.head_to_head)]
        return {(it.first, it.second): words for it, words in zip(judged, self.results.sentences, strict=True)}

    def better(self) -> set[tuple[int, int]]:
        """Pairs of which the first is better than the second, for sure."""
        if self.results.decisions:
            turned = {"first": 1, "second": -1, "close": 0, "open": 0}
            signs = [(it.first, it.second, turned[it.outcome]) for it in self.results.decisions]
        else:
            signs = [
                (it.first, it.second, (1 if it.share.estimate > 0.5 else -1) if it.decided() else 0)
                for it in self.results.head_to_head
            ]
        return {(a, b) if sign > 0 else (b, a) for a, b, sign in signs if sign}
