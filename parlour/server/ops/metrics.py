"""Metrics of an arena for Prometheus. They are counted from durable lines, so nothing is counted twice."""

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
from parlour.server.ops.refusal_log import RefusalLog
from parlour.store.writer import Writer

if TYPE_CHECKING:  # the arena imports logs, which imports this module
    from parlour.tables.arena import Arena

BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class FaultKind(Struct, frozen=True):
    kind: str
    code: str


class Glance(Struct, frozen=True, tag_field=None):
    """The fields of a transcript line that are counted, for all games."""

    kind: str
    by: By = None
    fault: FaultKind | None = None


_glance = msgspec.json.Decoder(Glance)

Told = Callable[[str, str, Sequence[Glance]], None]
"""Called with match, game and lines that are durable."""


class Metrics:
    """The counters and histograms of an arena."""

    def __init__(self) -> None:
        self.registry = kept = CollectorRegistry()
        self._of = cache(_labelled)
        """A cache, because looking up labels takes longer than counting."""
        self._begun = Counter("parlour_matches_begun", "Matches that began", ["game"], registry=kept)
        self._ended = Counter("parlour_matches_ended", "Matches that ended", ["game"], registry=kept)
        self._moves = Counter("parlour_moves", "Actions of seats that were accepted", ["game"], registry=kept)
        self._faults = Counter("parlour_faults", "Faults of seats", ["game", "kind"], registry=kept)
        self._kept = Histogram(
            "parlour_keep_seconds", "Time from an input until it is durable", buckets=BUCKETS, registry=kept
        )
        self._answered = Histogram(
            "parlour_answer_seconds",
            "Time from an answer until its effects are sent",
            ["game"],
            buckets=BUCKETS,
            registry=kept,
        )
        self.connections = Gauge("parlour_connections", "Open connections by transport", ["way"], registry=kept)
        self.dropped = Counter("parlour_dropped", "Connections closed by the server", ["why"], registry=kept)
        self.refused = Counter("parlour_refused", "Refused requests and clients", ["code"], registry=kept)
        self.refusals = RefusalLog()
        self.watchers: Tally[str] = Tally()
        """By match, the number of its spectators."""

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
        """All metrics in the text format of Prometheus."""
        return generate_latest(self.registry)


def _labelled(figure: Any, *labels: str) -> Any:
    return figure.labels(*labels)


class Watched(Writer):
    """Passes lines on to the writer, and reports durable lines and how long they took."""

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
        """Other attributes are the writer's."""
        return getattr(self._writer, name)


class ArenaFigures(Collector):
    """Metrics that are read from the arena and its store instead of being counted."""

    def __init__(self, arena: "Arena", writer: Writer) -> None:
        self._arena = arena
        self._writer = writer

    def collect(self) -> Iterator[Metric]:
        games = [playing.match.game.name for playing in self._arena.playing.values()]
        yield _by_game("parlour_matches", "Running matches", games)
        yield _by_game("parlour_tables", "Open tables", [table.game.name for table in self._arena.open.values()])
        yield CounterMetricFamily("parlour_store_commits", "Commits of lines", self._writer.commits)
        yield CounterMetricFamily("parlour_store_lines", "Stored lines", self._writer.lines)


def _by_game(name: str, words: str, games: Sequence[str]) -> Metric:
    family = GaugeMetricFamily(name, words, labels=["game"])
    for game, count in Tally(games).items():
        family.add_metric([game], count)
    return family
