"""Results of many matches, by player."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct, field
from rich.table import Table
from rich.text import Text

from parlour.cli.tables import table_of
from parlour.core import AnswerRefused, Result, Seat
from parlour.players.play import Played
from parlour.referee.driver import Watch
from parlour.referee.match import Match, Out


class Score(Struct):
    """The results of one player."""

    name: str
    matches: int = 0
    wins: float = 0.0
    """A shared first place counts as a fraction."""
    scores: list[int] = field(default_factory=list)
    ranks: int = 0
    faults: Counter[str] = field(default_factory=Counter)

    @property
    def mean(self) -> float:
        return sum(self.scores) / max(1, len(self.scores))


def interval(share: float, count: int) -> tuple[float, float]:
    """The 95% Wilson score interval of a share."""
    z = 1.96
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    reach = z / (1 + z * z / count) * (share * (1 - share) / count + z * z / (4 * count * count)) ** 0.5
    return max(0.0, middle - reach), min(1.0, middle + reach)


def fault_codes(out: Out) -> Iterator[tuple[Seat, str]]:
    """The seat and code of every fault."""
    for notice in out.notices:
        if isinstance(notice, AnswerRefused) and notice.fault.kind != "unasked":
            yield notice.seat, notice.fault.code


class Tally:
    """Counts results and faults."""

    def __init__(self, names: Sequence[str]) -> None:
        self.players = [Score(name) for name in names]
        self.void = 0

    def watch(self, order: Sequence[int]) -> Watch:
        """Counts the faults of a match; `order` gives the player at each seat."""

        def count(match: Match[Any], out: Out) -> None:
            for seat, code in fault_codes(out):
                self.players[order[seat]].faults[code] += 1

        return count

    def add(self, order: Sequence[int], played: Played) -> None:
        """Count the result, and the players who left before the end."""
        for seat, why in played.match.gone.items():
            self.players[order[seat]].faults[f"left: {why}"] += 1
        end = played.end
        if not isinstance(end, Result):
            self.void += 1
            return
        firsts = max(1, end.ranks.count(1))
        for seat, place in enumerate(order):
            player = self.players[place]
            player.matches += 1
            player.wins += (end.ranks[seat] == 1) / firsts
            player.scores.append(end.scores[seat])
            player.ranks += end.ranks[seat]

    def table(self) -> Table:
        figures = (">wins", ">share (95%)", ">mean score", ">mean rank", ">faults")
        table = table_of("player", *figures, title=f"{self.players[0].matches} matches, seats rotated")
        for player in sorted(self.players, key=lambda player: -player.wins):
            count = max(1, player.matches)
            faults = ", ".join(f"{code} {many}" for code, many in sorted(player.faults.items())) or "-"
            low, high = interval(player.wins / count, count)
            table.add_row(
                Text(player.name),
                f"{round(player.wins, 1):g}",
                f"{player.wins / count:.3f} ({low:.3f}-{high:.3f})",
                f"{player.mean:.1f}",
                f"{player.ranks / count:.2f}",
                Text(faults, "red" if player.faults else ""),
            )
        return table

    def as_json(self) -> list[dict[str, Any]]:
        return [
            {
                "player": player.name,
                "matches": player.matches,
                "wins": player.wins,
                "mean_score": round(player.mean, 3),
                "mean_rank": round(player.ranks / max(1, player.matches), 3),
                "faults": dict(player.faults),
            }
            for player in self.players
        ]
