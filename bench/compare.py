"""Compare the speed of two checkouts of Parlour, row by row.

    python bench/compare.py ../before . --rounds 30

Other programs disturb a machine for seconds at a time. So both checkouts are measured in turns of a tenth of a second,
on the same core, and each pair of turns gives one ratio: above 1 the second checkout is faster. Each checkout needs its
own .venv; without one, this Python is used.
"""

import argparse
import os
import statistics
from pathlib import Path

from workers import Worker, by_turns

TURN_S = 0.1


def main() -> None:
    parser = argparse.ArgumentParser(description="Compare the speed of two checkouts, row by row.")
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--rounds", type=int, default=30, help="pairs of turns for each row (default: 30)")
    parser.add_argument("--rows", default="", help="only the rows whose name contains this")
    given = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # the workers inherit it
    before, after = Worker.of_checkout(given.before.resolve()), Worker.of_checkout(given.after.resolve())
    print(f"{'row':64} median  quartiles")
    for row, what in enumerate(before.rows):
        if given.rows in what:
            first, second = by_turns((before, after), row, max(given.rounds, 2), TURN_S)
            found = [new / old for old, new in zip(first, second, strict=True)]
            low, _, high = statistics.quantiles(found, n=4)
            print(f"{what:64} {statistics.median(found):.2f}    {low:.2f} to {high:.2f}", flush=True)
    before.close()
    after.close()


if __name__ == "__main__":
    main()
