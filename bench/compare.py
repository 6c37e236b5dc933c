"""Compare the speed of two checkouts of Parlour, row by row.

    python bench/compare.py ../before . --rounds 30

Other programs disturb a machine for seconds at a time. So both checkouts are measured in turns of a tenth of a second,
on the same core, and each pair of turns gives one ratio: above 1 the second checkout is faster. Each checkout needs its
own .venv; without one, this Python is used.
"""

import argparse
import os
import statistics
import subprocess
import sys
from pathlib import Path

TURN_S = 0.1
WORKER = """
import sys
sys.path.insert(0, "bench")
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
    """A process that measures one checkout when it is told to."""

    def __init__(self, checkout: Path) -> None:
        python = checkout / ".venv" / "bin" / "python"
        command = [str(python) if python.exists() else sys.executable, "-c", WORKER]
        environment = {**os.environ, "PYTHONPATH": str(checkout)}
        self._process = subprocess.Popen(
            command, cwd=checkout, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._orders, self._answers = self._process.stdin, self._process.stdout
        self.rows = [self._answers.readline().strip() for _ in range(int(self._answers.readline()))]

    def measure(self, row: int, number: int, turn_s: float) -> tuple[float, int]:
        """The rate of a row, and the number to go on with."""
        print(row, number, turn_s, file=self._orders, flush=True)
        rate, number_after = self._answers.readline().split()
        return float(rate), int(number_after)

    def close(self) -> None:
        self._orders.close()
        self._process.wait()


def ratios(before: Worker, after: Worker, row: int, rounds: int) -> list[float]:
    """How much faster the second is, in each round. They take turns in going first."""
    found, number = [], 1
    for worker in (before, after):
        worker.measure(row, 0, 0.01)
    for turn in range(rounds):
        rates: dict[Worker, float] = {}
        numbers = []
        for worker in (before, after) if turn % 2 else (after, before):
            rates[worker], next_number = worker.measure(row, number, TURN_S)
            numbers.append(next_number)
        number = max(numbers)
        found.append(rates[after] / rates[before])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the speed of two checkouts, row by row.")
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--rounds", type=int, default=30, help="pairs of turns for each row (default: 30)")
    parser.add_argument("--rows", default="", help="only the rows whose name contains this")
    given = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # the workers inherit it
    before, after = Worker(given.before.resolve()), Worker(given.after.resolve())
    print(f"{'row':64} median  quartiles")
    for row, what in enumerate(before.rows):
        if given.rows in what:
            found = ratios(before, after, row, max(given.rounds, 2))
            low, _, high = statistics.quantiles(found, n=4)
            print(f"{what:64} {statistics.median(found):.2f}    {low:.2f} to {high:.2f}", flush=True)
    before.close()
    after.close()


if __name__ == "__main__":
    main()
