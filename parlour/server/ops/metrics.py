"""Figures of an arena for Prometheus. They are read from the lines as these become durable, so none counts twice."""

import time
from collections import Counter as Tally
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from parlour.core import By
from parlour.store.writer import Writer

if TYPE_CHECKING:  # which tells its bugs, and so knows of the logs, and these of us
    from parlour.tables.arena import Arena

BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class FaultKind(Struct, frozen=True):
    kind: str
    code: str


class Glance(Struct, frozen=True, tag_field=None):
    """What a line of a transcript is, whoever made it."""

    kind: str
    by: By = None
    fault: FaultKind | None = None


_glance = msgspec.json.Decoder(Glance)

Told = Callable[[str, str, Sequence[Glance]], None]
"""Hears of lines that are durable: of which match, of which game, and what they are."""


class Metrics:
    """Counted while things happen, and read when somebody asks."""

    def __init__(self) -> None:
        self.registry = kept = CollectorRegistry()
        self._of = cache(_labelled)
        """Remembers the parts of figures: to find one takes longer than to count."""
        self._begun = Counter("parlour_matches_begun", "Matches that began", ["game"], registry=kept)
        self._ended = Counter("parlour_matches_ended", "Matches that ended", ["game"], registry=kept)
        self._moves = Counter("parlour_moves", "Actions of seats that were accepted", ["game"], registry=kept)
        self._faults = Counter("parlour_faults", "Faults of seats", ["game", "kind"], registry=kept)
        self._kept = Histogram(
            "parlour_keep_seconds", "From an input to its being durable", buckets=BUCKETS, registry=kept
        )
        self._answered = Histogram(
            "parlour_answer_seconds",
            "From an answer to what follows from it being told",
            ["game"],
            buckets=BUCKETS,
            registry=kept,
        )
        self.connections = Gauge("parlour_connections", "Who is connected, by its way in", ["way"], registry=kept)
        self.dropped = Counter("parlour_dropped", "Connections that we ended", ["why"], registry=kept)
        self.refused = Counter("parlour_refused", "Requests and visitors that were refused", ["code"], registry=kept)

    def durable(self, seconds: float) -> None:
        self._kept.observe(seconds)

    def answered(self, game: str, seconds: float) -> None:
        self._of(self._answered, game).observe(seconds)

    def told(self, match: str, game: str, lines: Sequence[Glance]) -> None:
        for line in lines:
            if line.kind == "header":
                self._of(self._begun, game).inc()
            elif line.kind == "end":
                self._of(self._ended, game).inc()
            elif line.fault is not None:
                self._of(self._faults, game, line.fault.kind).inc()
            elif line.by is not None:
                self._of(self._moves, game).inc()

    def text(self) -> bytes:
        """All figures, as Prometheus reads them."""
        return generate_latest(self.registry)


def _labelled(figure: Any, *labels: str) -> Any:
    """The part of a figure that has these labels."""
    return figure.labels(*labels)


class Watched(Writer):
    """Passes lines on to the writer, and tells what has become durable, and how long it took."""

    def __init__(self, writer: Writer, game_of: Callable[[str], str], durable: Callable[[float], None]) -> None:
        self._writer = writer
        self._game_of = game_of
        self._durable = durable
        self.listeners: list[Told] = []

    async def keep(self, match: str, first: int, raws: Sequence[bytes]) -> None:
        since = time.perf_counter()
        await self._writer.keep(match, first, raws)
        self._durable(time.perf_counter() - since)
        lines = [_glance.decode(raw) for raw in raws]
        for told in self.listeners:
            told(match, self._game_of(match), lines)

    async def close(self) -> None:
        await self._writer.close()

    def __getattr__(self, name: str) -> Any:
        """Its figures are the writer's."""
        return getattr(self._writer, name)


class ArenaFigures(Collector):
    """What need not be counted, because the arena and its store know it."""

    def __init__(self, arena: "Arena", writer: Writer) -> None:
        self._arena = arena
        self._writer = writer

    def collect(self) -> Iterator[Metric]:
        games = [playing.match.game.name for playing in self._arena.playing.values()]
        yield _by_game("parlour_matches", "Matches that are being played", games)
        yield _by_game("parlour_tables", "Tables that wait", [table.game.name for table in self._arena.open.values()])
        yield CounterMetricFamily("parlour_store_commits", "Commits of lines", self._writer.commits)
        yield CounterMetricFamily("parlour_store_lines", "Lines that are kept", self._writer.lines)


def _by_game(name: str, words: str, games: Sequence[str]) -> Metric:
    family = GaugeMetricFamily(name, words, labels=["game"])
    for game, count in Tally(games).items():
        family.add_metric([game], count)
    return family
