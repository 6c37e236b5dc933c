"""Play matches on Ray, on this machine or on a cluster."""

import logging
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import ray
from ray.exceptions import RayError

from parlour.tournament.executors import AHEAD_S, MOST_AHEAD, MatchAttempts, Play
from parlour.tournament.plan import TournamentPlan
from parlour.tournament.playing import play_packed
from parlour.tournament.schedules import Fixture


def _play_chunk(plan: TournamentPlan, fixtures: Sequence[Fixture], play: Play) -> tuple[list[bytes], float]:
    """Play these matches in a Ray worker: their packages, and the seconds per match."""
    began = time.monotonic()
    packages = [play(plan, fixture, None) for fixture in fixtures]
    return packages, (time.monotonic() - began) / len(fixtures)


class RayExecutor:
    """Ray tasks, as many at a time as there are workers. Transcripts come back with the results."""

    def __init__(
        self, plan: TournamentPlan, workers: int, address: str | None = None, play: Play = play_packed
    ) -> None:
        self.workers = workers
        self._play = play
        if not ray.is_initialized():
            local: dict[str, Any] = {"num_cpus": workers, "include_dashboard": False} if address is None else {}
            ray.init(address, log_to_driver=False, logging_level=logging.ERROR, **local)
        self._plan = ray.put(plan)
        self._task: Any = ray.remote(num_cpus=1, max_retries=0)(_play_chunk)
        self._attempts = MatchAttempts()
        self._seconds = AHEAD_S

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[Sequence[bytes]]:
        waiting = iter(fixtures)
        again: deque[Fixture] = deque()
        """Matches that were lost with a worker; each is played alone."""
        running: dict[Any, list[Fixture]] = {}
        while True:
            while len(running) < 2 * self.workers and (chunk := self._chunk(again, waiting)):
                running[self._task.remote(self._plan, chunk, self._play)] = chunk
            if not running:
                return
            done, _ = ray.wait([*running], num_returns=1)
            for ref in done:
                if packages := self._take(ref, running.pop(ref), again):
                    yield packages

    def _chunk(self, again: deque[Fixture], waiting: Iterator[Fixture]) -> list[Fixture]:
        if again:
            return [again.popleft()]
        return list(islice(waiting, max(1, min(MOST_AHEAD, int(AHEAD_S / self._seconds)))))

    def _take(self, ref: Any, chunk: list[Fixture], again: deque[Fixture]) -> list[bytes]:
        """The packages of a task. If its worker died, a match that was alone is to blame, and may be void now."""
        try:
            packages, seconds = ray.get(ref)
        except RayError as e:
            if len(chunk) == 1 and (void := self._attempts.failed(chunk[0], f"failed: {type(e).__name__}")) is not None:
                return [void]
            again.extend(chunk)
            return []
        self._seconds += 0.3 * (max(1e-5, seconds) - self._seconds)
        played: list[bytes] = packages
        return played

    def close(self) -> None:
        ray.shutdown()
