"""Measure steps per CPU-second, with nothing but the standard library, so that peers can use it."""

import json
import time
from collections.abc import Callable

SLICES = 9


def rate(once: Callable[[int], int], seconds: float) -> float:
    """The best rate of several slices of the time given. `once` gets a number and returns how many steps it did."""
    once(0)
    rates, number = [], 1
    for _ in range(SLICES):
        steps, began = 0, time.process_time()
        while (spent := time.process_time() - began) < seconds / SLICES:
            steps, number = steps + once(number), number + 1
        rates.append(steps / spent)
    return max(rates)


def yardstick(number: int) -> int:
    """How quick this machine and this Python are just now: calls of a function that does nothing."""

    def nothing(number: int) -> int:
        return number

    for each in range(20_000):
        nothing(each)
    return 20_000


def report(what: str, once: Callable[[int], int], seconds: float) -> None:
    """Print a figure as a line of JSON, with the yardstick of the same moment."""
    print(
        json.dumps({"what": what, "rate": rate(once, seconds), "yardstick": rate(yardstick, seconds / 5)}), flush=True
    )
