"""Metrics of an arena for Prometheus. They are counted from durable lines, so nothing is counted twice."""

import logging
import time
from bisect import bisect_left
from collections import Counter as Tally
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate

import msgspec
from msgspec import Struct
from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

from parlour.core import By
from parlour.protocol.reports import log, tell
from parlour.server.net.occupancy import Occupancy
from parlour.server.ops.refusal_log import RefusalLog
from parlour.store.batcher import Batcher, NewLines
from parlour.tables.arena import Arena

BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class FaultKind(Struct, frozen=True):
    kind: str
    code: str


class CountedFields(Struct, frozen=True, tag_field=None):
    """The fields of a transcript line that are counted, for all games."""

    kind: str
    by: By = None
    fault: FaultKind | None = None


_counted_fields = msgspec.json.Decoder(CountedFields)


class Counts:
    """Plain numbers by labels, which cost far less than the counters of Prometheus."""

    def __init__(self, name: str, words: str, *labels: str) -> None:
        self._name, self._words, self._labels = name, words, labels
        self._of: dict[tuple[str, ...], int] = {}
        self._since: dict[tuple[str, ...], float] = {}

    def add(self, *labels: str) -> None:
        if labels not in self._of:
            self._of[labels], self._since[labels] = 0, time.time()
        self._of[labels] += 1

    def family(self) -> Metric:
        family = CounterMetricFamily(self._name, self._words, labels=self._labels)
        for labels, count in self._of.items():
            family.add_metric(labels, count, created=self._since[labels])
        return family


class Durations:
    """The numbers of a histogram for one set of labels."""

    def __init__(self) -> None:
        self._counts = [0] * (len(BUCKETS) + 1)
        self._total_s = 0.0
        self._since = time.time()

    def add(self, seconds: float) -> None:
        self._counts[bisect_left(BUCKETS, seconds)] += 1
        self._total_s += seconds

    def show(self, family: HistogramMetricFamily, labels: dict[str, str]) -> None:
        """Add the samples to a family."""
        bounds = [*map(floatToGoString, BUCKETS), "+Inf"]
        buckets = [*zip(bounds, accumulate(self._counts), strict=True)]
        family.add_metric([*labels.values()], buckets, self._total_s)
        family.add_sample(f"{family.name}_created", labels, self._since)


class Metrics(Collector):
    """The counters and histograms of an arena."""

    def __init__(self) -> None:
        self.registry = kept = CollectorRegistry()
        kept.register(self)
        self.begun = Counts("parlour_matches_begun", "Matches that began", "game")
        self.ended = Counts("parlour_matches_ended", "Matches that ended", "game")
        self.moves = Counts("parlour_moves", "Actions of seats that were accepted", "game")
        self.faults = Counts("parlour_faults", "Faults of seats", "game", "kind")
        self.kept = Durations()
        self._answered: defaultdict[str, Durations] = defaultdict(Durations)
        self.connections = Gauge("parlour_connections", "Open connections by transport", ["way"], registry=kept)
        self.dropped = Counter("parlour_dropped", "Connections closed by the server", ["why"], registry=kept)
        self.refused = Counter("parlour_refused", "Refused requests and clients", ["code"], registry=kept)
        self.refusals = RefusalLog()
        self.watchers = Occupancy()
        """By match, the number of its spectators."""

    def answered(self, game: str, seconds: float) -> None:
        self._answered[game].add(seconds)

    def collect(self) -> Iterator[Metric]:
        for counts in (self.begun, self.ended, self.moves, self.faults):
            yield counts.family()
        kept = HistogramMetricFamily("parlour_keep_seconds", "Time from an input until it is durable")
        self.kept.show(kept, {})
        yield kept
        words = "Time from an answer until its effects are sent"
        answered = HistogramMetricFamily("parlour_answer_seconds", words, labels=["game"])
        for game, durations in self._answered.items():
            durations.show(answered, {"game": game})
        yield answered

    def text(self) -> bytes:
        """All metrics in the text format of Prometheus."""
        return generate_latest(self.registry)


class DurableLines:
    """Counts and logs the lines of each commit. It is a listener of the store's writer."""

    def __init__(self, arena: Arena, metrics: Metrics) -> None:
        self._arena = arena
        self._metrics = metrics

    def __call__(self, batches: Sequence[NewLines]) -> None:
        now = time.perf_counter()
        for batch in batches:
            self._metrics.kept.add(now - batch.since)
            playing = self._arena.playing.get(batch.match)
            game = "" if playing is None else playing.match.game.name
            for raw in batch.raws:
                self._take(batch.match, game, _counted_fields.decode(raw))

    def _take(self, match: str, game: str, line: CountedFields) -> None:
        if line.kind == "header":
            self._metrics.begun.add(game)
            tell("match begun", match=match, game=game)
        elif line.kind == "end":
            self._metrics.ended.add(game)
            tell("match ended", match=match, game=game)
        elif line.fault is not None:
            self._metrics.faults.add(game, line.fault.kind)
            tell("fault", match=match, game=game, seat=line.by, kind=line.fault.kind, code=line.fault.code)
        else:
            if line.by is not None:
                self._metrics.moves.add(game)
            if log.isEnabledFor(logging.DEBUG):
                tell("move", logging.DEBUG, match=match, game=game, seat=line.by)


class ArenaFigures(Collector):
    """Metrics that are read from the arena and its store instead of being counted."""

    def __init__(self, arena: Arena, writer: Batcher) -> None:
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
