"""Measure tournaments: matches per second on one process, on several and on Ray; how busy the cores are; memory.

    python bench/tournaments.py                      # 100,000 matches of For Sale on two workers, then all games
    python bench/tournaments.py --matches 5000 --seconds 5

The journal is written as in a real tournament, without transcripts. Rates count from the first finished match, so that
starting processes is not part of them.
"""

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from math import nan
from pathlib import Path
from typing import NamedTuple

from parlour import plugins
from parlour.cli.tournament_plan import read_plan
from parlour.cli.tournament_run import write_all
from parlour.tournament.executors import Executor, ProcessPool
from parlour.tournament.journal import Journal
from parlour.tournament.plan import TournamentPlan
from parlour.tournament.playing import play_packed
from parlour.tournament.schedules import Fixture, next_round

QUICK = ("minimum", "random", "random", "random")
WORKERS = 2


class Run(NamedTuple):
    """What was measured. Memory is in MiB, of this process and of the largest worker, early and at the end."""

    matches: int
    seconds: float
    cpu_s: float
    """Of this process and of its workers; not of Ray's."""
    memory: tuple[float, float, float, float]

    @property
    def rate(self) -> float:
        return self.matches / self.seconds if self.matches else nan

    @property
    def busy(self) -> float:
        """The part of all cores."""
        return self.cpu_s / self.seconds / len(os.sched_getaffinity(0))

    @property
    def cost(self) -> str:
        """Which other load on the machine changes least."""
        return f"{1e3 * self.cpu_s / self.matches:.2f} ms" if self.matches else "too few matches"


class InOrder:
    """Plays one match after the other in this process."""

    workers = 1

    def __init__(self, plan: TournamentPlan) -> None:
        self._plan = plan

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[Sequence[bytes]]:
        for fixture in fixtures:
            yield [play_packed(self._plan, fixture)]

    def close(self) -> None:
        pass


def plan_of(game: str, players: Sequence[str], seats: int) -> TournamentPlan:
    keys = {"game": game, "players": [*players], "seats": seats, "deals": 1_000_000, "seed": "05", "transcripts": False}
    return read_plan(keys, lambda key: "")


def measure(plan: TournamentPlan, executor: Executor, most: int, seconds: float, write: bool = False) -> Run:
    """Play until so many matches are finished, or so much time is over."""
    first = next_round(plan, [], [])
    assert first is not None
    began, used = time.monotonic(), cpu()
    done, marks = 0, []
    with tempfile.TemporaryDirectory() as folder, Journal.begin(Path(folder) / "out", plan) as journal:

        def fixtures() -> Iterator[Fixture]:
            for fixture in islice(first.fixtures(), most):
                if time.monotonic() - began > seconds:
                    return
                yield fixture

        for packages in executor.play(fixtures()):
            if not done:
                began, skipped = time.monotonic(), len(packages)
            done += len(packages)
            journal.add(packages)
            if not marks and done > most / 4:
                marks.append(memory(executor))
        took = time.monotonic() - began
        marks.append(memory(executor))
        executor.close()
        spent = cpu() - used
        if write:
            again = time.monotonic()
            write_all(journal, [first], as_csv=False)
            print(f"results, Parquet and report of {done:,} matches: {time.monotonic() - again:.1f} s, ", end="")
            print(f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")
    early, late = marks[0], marks[-1]
    return Run(done - skipped, took, spent, (early[0], late[0], early[1], late[1]))


def cpu() -> float:
    """CPU seconds of this process and of its children that have ended."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in spent)


def memory(executor: Executor) -> tuple[float, float]:
    """The memory of this process and of the largest worker."""
    pids = executor.pids() if isinstance(executor, ProcessPool) else []
    return resident(os.getpid()), max(map(resident, pids), default=0.0)


def resident(process: int) -> float:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def row(what: str, run: Run, alone: Run | None = None) -> str:
    factor = f"{run.rate / alone.rate:.2f}" if alone else ""
    cells = [
        what,
        f"{run.matches:,}",
        f"{run.rate:,.1f}",
        factor,
        *((f"{run.busy:.0%}", run.cost) if run.cpu_s else ("", "")),
    ]
    return "| " + " | ".join(cells) + " |"


def for_sale(most: int, seconds: float) -> None:
    """Many quick matches, with memory; and the same on Ray."""
    plan = plan_of("forsale", QUICK, 4)
    print("| For Sale, 4 quick bots | matches | matches/s | times one process | both cores busy | CPU per match |")
    print("|---" * 6 + "|")
    alone = measure(plan, InOrder(plan), most // 4, seconds)
    print(row("in one process", alone), flush=True)
    for workers in (1, WORKERS):
        run = measure(plan, ProcessPool(plan, workers), most, seconds, write=workers == WORKERS)
        print(row(f"{workers} workers", run, alone), flush=True)
    kept = "this process {:.0f} MiB after a quarter, {:.0f} at the end; a worker {:.0f} and {:.0f}".format(*run.memory)
    print(f"\nMemory: {kept}\n")
    from parlour.tournament.ray_executor import RayExecutor  # not at the top, which worker processes read, too

    for workers in (1, WORKERS):
        it = measure(plan, RayExecutor(plan, workers), most // 4, seconds)
        over = workers / it.rate - 1 / alone.rate
        print(row(f"Ray, {workers} workers", it._replace(cpu_s=0.0), alone))
        print(f"  overhead per match: {1e6 * over:.0f} us of a worker", flush=True)


def every_game(seconds: float) -> None:
    """All built-in bots of each game at a usual table."""
    print("\n| game | matches/s in one process | with 2 workers | times | both cores busy | CPU per match |")
    print("|---" * 6 + "|")
    for game in plugins.games():
        bots = [*game.hosting.bots]
        seats = max(2, min(4, len(bots)), min(game.table_seats()))
        plan = plan_of(game.name, bots, seats)
        alone = measure(plan, InOrder(plan), 1_000_000, seconds)
        run = measure(plan, ProcessPool(plan, WORKERS), 1_000_000, seconds)
        cells = [f"{game.title}, {seats} of {len(bots)} bots", f"{alone.rate:,.2f}", f"{run.rate:,.2f}"]
        print(
            "| " + " | ".join([*cells, f"{run.rate / alone.rate:.2f}", f"{run.busy:.0%}", run.cost]) + " |", flush=True
        )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--matches", type=int, default=100_000, help="of For Sale")
    arguments.add_argument("--seconds", type=float, default=600.0, help="at most, for each row")
    arguments.add_argument("--games-seconds", type=float, default=30.0, help="for each row of the table of games")
    given = arguments.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {len(os.sched_getaffinity(0))} cores before this began\n")
    for_sale(given.matches, given.seconds)
    every_game(min(given.seconds, given.games_seconds))


if __name__ == "__main__":
    main()
