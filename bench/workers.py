"""Processes that measure the figures of speed.py when they are told to, so that two can take turns."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

WORKER = """
import sys
sys.path.insert(0, sys.argv[1])
try:
    from speed import FIGURES
except ImportError:  # where it was before
    from parlour.bench import FIGURES
print(len(FIGURES))
for figure in FIGURES:
    print(figure.what, flush=True)
for order in sys.stdin:
    index, number, turn_s = order.split()
    moves, spent, number = 0, 0.0, int(number)
    while spent < float(turn_s):
        more, took = FIGURES[int(index)].once(number)
        moves, spent, number = moves + more, spent + took, number + 1
    print(moves / spent, number, flush=True)
"""


class Worker:
    """A process of one Python that measures the figures of one bench folder."""

    def __init__(self, python: str, bench: Path, cwd: Path, **variables: str) -> None:
        environment = {**{name: value for name, value in os.environ.items() if name != "PYTHONPATH"}, **variables}
        command = [python, "-c", WORKER, str(bench)]
        self._process = subprocess.Popen(
            command, cwd=cwd, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._orders, self._answers = self._process.stdin, self._process.stdout
        self.rows = [self._answers.readline().strip() for _ in range(int(self._answers.readline()))]

    @classmethod
    def of_checkout(cls, checkout: Path) -> "Worker":
        """With the .venv of a checkout, or with this Python."""
        python = checkout / ".venv" / "bin" / "python"
        command = str(python) if python.exists() else sys.executable
        return cls(command, checkout / "bench", checkout, PYTHONPATH=str(checkout))

    def measure(self, row: int, number: int, turn_s: float) -> tuple[float, int]:
        """The rate of a row, and the number to go on with."""
        print(row, number, turn_s, file=self._orders, flush=True)
        rate, number_after = self._answers.readline().split()
        return float(rate), int(number_after)

    def close(self) -> None:
        self._orders.close()
        self._process.wait()


def by_turns(workers: Sequence[Worker], row: int, rounds: int, turn_s: float) -> list[list[float]]:
    """The rates of each worker, round by round. They take turns in going first."""
    rates: list[list[float]] = [[] for _ in workers]
    number = 1
    for worker in workers:
        worker.measure(row, 0, turn_s / 10)
    for turn in range(rounds):
        numbers = []
        for place in sorted(range(len(workers)), reverse=turn % 2 == 1):
            rate, next_number = workers[place].measure(row, number, turn_s)
            rates[place].append(rate)
            numbers.append(next_number)
        number = max(numbers)
    return rates
