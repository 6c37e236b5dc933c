"""Where matches are played: a pool of processes on this machine, or (in ray_executor.py) Ray.

An executor gets matches and returns packages of `playing.packed`, in the order in which the matches finish. A worker
that dies is replaced, and its unfinished matches are played again.
"""

import contextlib
import multiprocessing
import os
import selectors
import signal
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Protocol, TypeAlias

from parlour.tournament.bot_process import die_with_parent
from parlour.tournament.plan import TournamentPlan
from parlour.tournament.playing import is_built_in, packed, play_packed, void_outcome
from parlour.tournament.schedules import Fixture

TRIES = 3
"""A match that has ended its worker this many times is void."""
AHEAD_S = 0.25
"""How much work a worker has in store, so that it never waits for more."""
MOST_AHEAD = 200
MOST_STILLBORN = 20
SEND_S = 0.02
"""How long a worker may keep finished matches before it sends them."""
CLOSE_S = 5.0
"""How long a worker has to end the commands that it started."""


Play: TypeAlias = Callable[[TournamentPlan, Fixture, Path | None], bytes]
"""Plays a match and packs it, as `play_packed` does."""


class WorkersFail(Exception):
    """No worker can be started; the message says why."""


class Executor(Protocol):
    """Plays matches, several at the same time."""

    workers: int

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[Sequence[bytes]]:
        """Play these matches; a package for each, soon after it is finished."""

    def close(self) -> None:
        """Stop at once. Unfinished matches are dropped."""


class MatchAttempts:
    """Counts how often a match has ended its worker."""

    def __init__(self) -> None:
        self._ended: Counter[int] = Counter()

    def failed(self, fixture: Fixture, how: str) -> bytes | None:
        """The package of a void match if this was the last attempt; None if it is to be played again."""
        self._ended[fixture.match] += 1
        if self._ended[fixture.match] < TRIES:
            return None
        return packed(void_outcome(fixture, f"it ended its worker {TRIES} times; the last time the worker {how}"), b"")


class WorkerProcess:
    """A process that plays matches, and the matches that it was given."""

    def __init__(self, plan: TournamentPlan, folder: Path | None, play: Play) -> None:
        context = multiprocessing.get_context("spawn")  # a fork would copy the state of this process
        self.line, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(plan, folder, play, theirs), daemon=True)
        self.process.start()
        theirs.close()
        self.given: deque[Fixture] = deque()
        """In order. It is playing one of the first."""
        self.has_begun = False
        """Whether it has begun to play. Until then no match is to blame for its end."""
        self._began = 0.0
        """When it began with the first."""
        self.seconds = AHEAD_S
        """How long a match takes, about."""

    def give(self, fixtures: Sequence[Fixture]) -> None:
        """Add matches to play. If the worker is dead, it is noticed when it is read from."""
        self._began = self._began if self.given else time.monotonic()
        self.given.extend(fixtures)
        with contextlib.suppress(OSError):
            self.line.send(fixtures)

    def take(self) -> list[bytes] | None:
        """The packages of the first matches, or none when it begins to play; None if the worker died."""
        try:
            packages: list[bytes] = self.line.recv()
        except (EOFError, OSError):
            return None
        now = time.monotonic()
        if not packages:
            self.has_begun, self._began = True, now
            return packages
        self.seconds += 0.3 * (max(1e-5, (now - self._began) / len(packages)) - self.seconds)
        self._began = now
        for _ in packages:
            self.given.popleft()
        return packages

    def end(self) -> str:
        """Wait for the end of a process that has closed its pipe; how it ended."""
        self.process.join(1)
        self.process.kill()
        self.process.join()
        self.line.close()
        code = self.process.exitcode or 0
        return f"was ended by signal {-code}" if code < 0 else f"exited with status {code}"


class ProcessPool:
    """Worker processes on this machine. They are started once and given several matches at a time."""

    def __init__(
        self, plan: TournamentPlan, workers: int, folder: Path | None = None, play: Play = play_packed
    ) -> None:
        """Workers write transcripts into the folder, if there is one."""
        self.workers = workers
        self._plan, self._folder, self._play = plan, folder, play
        self._selector = selectors.DefaultSelector()
        self._pool = [self._start() for _ in range(workers)]
        self._attempts = MatchAttempts()
        self._stillborn = 0
        """How many workers in a row died before they began to play."""

    def _start(self) -> WorkerProcess:
        worker = WorkerProcess(self._plan, self._folder, self._play)
        self._selector.register(worker.line, selectors.EVENT_READ, worker)
        return worker

    def pids(self) -> list[int]:
        """The worker processes."""
        return [worker.process.pid or 0 for worker in self._pool]

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[Sequence[bytes]]:
        waiting = iter(fixtures)
        again: deque[Fixture] = deque()
        """Matches of workers that died."""
        while True:
            for worker in self._pool:
                self._supply(worker, again, waiting)
            if not any(worker.given for worker in self._pool):
                return
            for key, _ in self._selector.select():
                packages = key.data.take()
                if packages is None:
                    packages = self._replace(key.data, again)
                if packages:
                    yield packages

    def _supply(self, worker: WorkerProcess, again: deque[Fixture], waiting: Iterator[Fixture]) -> None:
        """Give a worker that has little left its next matches. One that was lost with a worker is given alone, so that
        it is known to blame if it happens again."""
        ahead = max(1, min(MOST_AHEAD, int(AHEAD_S / worker.seconds)))
        if len(worker.given) > ahead // 2:
            return
        if again:
            if not worker.given:
                worker.give([again.popleft()])
        elif chunk := list(islice(waiting, ahead)):
            worker.give(chunk)

    def _replace(self, worker: WorkerProcess, again: deque[Fixture]) -> list[bytes]:
        """Start a new worker for one that died. The first of its matches is to blame, and may be void now."""
        self._selector.unregister(worker.line)
        how = worker.end()
        self._stillborn = 0 if worker.has_begun else self._stillborn + 1
        if self._stillborn > MOST_STILLBORN:
            raise WorkersFail(f"worker processes do not start: the last one {how}")
        self._pool[self._pool.index(worker)] = self._start()
        if worker.given and worker.has_begun:
            blamed = worker.given.popleft()
            if (void := self._attempts.failed(blamed, how)) is not None:
                again.extend(worker.given)
                return [void]
            worker.given.append(blamed)  # last, so that a match that kills workers is not played again at once
        again.extend(worker.given)
        return []

    def close(self) -> None:
        for worker in self._pool:
            worker.process.terminate()
        for worker in self._pool:
            worker.process.join(CLOSE_S)
            worker.process.kill()
            worker.process.join()
            worker.line.close()
        self._selector.close()


def _work(
    plan: TournamentPlan, folder: Path | None, play: Play, line: "Connection[list[bytes], list[Fixture]]"
) -> None:
    """The life of a worker process."""
    os.setpgrp()  # Ctrl-C is for the process that started this one
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda number, frame: signal.raise_signal(signal.SIGINT))  # end commands, too
    die_with_parent(signal.SIGTERM)
    with contextlib.suppress(EOFError, OSError, KeyboardInterrupt):
        first = line.recv()
        line.send([])  # ready: from now on the match is to blame if this process dies
        for chunk in chain([first], iter(line.recv, None)):
            for packages in _batches(plan, chunk, folder, play):
                line.send(packages)


def _batches(plan: TournamentPlan, chunk: Sequence[Fixture], folder: Path | None, play: Play) -> Iterator[list[bytes]]:
    """Play these matches. Quick ones are sent together, but none waits for a match that other programs may delay."""
    packages: list[bytes] = []
    sent = time.monotonic()
    for fixture in chunk:
        if packages and not all(is_built_in(plan, player) for player in fixture.players):
            yield packages
            packages, sent = [], time.monotonic()
        packages.append(play(plan, fixture, folder))
        if (now := time.monotonic()) - sent > SEND_S:
            yield packages
            packages, sent = [], now
    if packages:
        yield packages
