"""The table of a league, computed from its settled matches. The rules are in docs/leagues.md."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from parlour.protocol.league_forms import LeagueFormat
from parlour.store.league_values import SeatResult, Slot, StoredEntry


class EntryFigures(Struct):
    """The figures of an entry."""

    points: float = 0.0
    matches: int = 0
    wins: float = 0.0
    faults: int = 0
    absences: int = 0
    round: int = -1
    """The last round in which it had a match."""
    last: float = 0.0
    """Its points in that round."""

    @property
    def mean(self) -> float:
        return self.points / self.matches if self.matches else 0.0


class TablePlace(Struct, frozen=True):
    """An entry in the table."""

    rank: int | None
    """None: it does not take part any more."""
    entry: StoredEntry
    figures: EntryFigures


def ranks_of(slot: Slot, results: Sequence[SeatResult]) -> list[int]:
    """The ranks of a match, by seat, as the league counts them: absent players come after all others."""
    present = [result.rank for seat, result in enumerate(results) if seat not in slot.absent]
    better = [sum(rank < result.rank for rank in present) for result in results]
    return [len(present) + 1 if seat in slot.absent else 1 + better[seat] for seat in range(len(results))]


def shares(ranks: Sequence[int]) -> list[float]:
    """By seat, the share of the others that are ranked after it; a tie counts half."""
    others = max(1, len(ranks) - 1)
    return [(sum(rank > own for rank in ranks) + (ranks.count(own) - 1) / 2) / others for own in ranks]


def counted(slots: Iterable[Slot]) -> dict[str, EntryFigures]:
    """The figures from the settled matches, by entry. Entries without a match are left out."""
    found: defaultdict[str, EntryFigures] = defaultdict(EntryFigures)
    for slot in slots:
        if slot.state == "missed":
            _count_missed(slot, found)
        elif slot.results is not None:
            _count(slot, slot.results, found)
    return {**found}


def table(
    format: LeagueFormat, entries: Sequence[StoredEntry], figures: Mapping[str, EntryFigures]
) -> list[TablePlace]:
    """All entries: those that take part by rank, and then the others. Equal ones share a rank."""
    own = [(entry, figures.get(entry.id) or EntryFigures()) for entry in entries]
    own.sort(key=lambda item: (not item[0].takes_part, *(-part for part in _merit(format, item[1]))))
    first: dict[tuple[float, ...], int] = {}
    return [
        TablePlace(first.setdefault(_merit(format, counts), place) if entry.takes_part else None, entry, counts)
        for place, (entry, counts) in enumerate(own, start=1)
    ]


def _merit(format: LeagueFormat, figures: EntryFigures) -> tuple[float, ...]:
    """Entries are ranked by this. In a knock-out the round that they have reached comes first."""
    mean = round(figures.mean, 9)
    return (figures.round, round(figures.last, 9), mean) if format == "knock-out" else (mean,)


def _count(slot: Slot, results: Sequence[SeatResult], found: Mapping[str, EntryFigures]) -> None:
    ranks = ranks_of(slot, results)
    for seat, (entry, share) in enumerate(zip(slot.entries, shares(ranks), strict=True)):
        own = _begin(slot, found[entry])
        if seat in slot.absent:
            own.absences += 1
            continue
        own.points += share
        own.last += share
        own.wins += 1 / ranks.count(1) if ranks[seat] == 1 else 0.0
        own.faults += results[seat].faults


def _count_missed(slot: Slot, found: Mapping[str, EntryFigures]) -> None:
    for entry in slot.entries:
        _begin(slot, found[entry]).absences += 1


def _begin(slot: Slot, own: EntryFigures) -> EntryFigures:
    """Count a match, and remember its round."""
    own.matches += 1
    if slot.round > own.round:
        own.round, own.last = slot.round, 0.0
    return own
