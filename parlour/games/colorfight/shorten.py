"""Long lists of orders as they are recorded. Junk takes up a few bytes, and everybody is shown the same as before."""

import msgspec

from parlour.games.colorfight.orders import read
from parlour.games.colorfight.tables import BUILT_BY
from parlour.games.colorfight.values import MOST_ERROR_BYTES, MOST_RECORDED, Command, Order

MOST_SPELLED = 17
"""Letters of an order that is left as it was written: two full lists of such orders fit into a round."""
FULL_LIST = MOST_RECORDED // 2 - 200
"""Bytes of a list, of which two fit with the rest of their lines."""
JUNK = ""
"""Stands for an order whose error is counted and not shown."""
MOST_SIZE = 200
MOST_ENERGY = 10**12
"""More than anybody can have in any game."""

encode = msgspec.json.encode


def shortened(command: Command) -> Command:
    """The same orders in fewer bytes (RULES 5.13)."""
    short = Command(tuple(_without_junk(command.orders)))
    if len(encode(short)) > FULL_LIST:
        short = Command(tuple([_spelled_short(order) for order in short.orders]))
    return short


def _without_junk(orders: tuple[Order, ...]) -> list[Order]:
    """Orders that fail on any map are kept as long as their errors may be shown; of the others only the number counts,
    so an empty text, which fails too, can take their place."""
    short: list[Order] = []
    errors = 0
    for order in orders:
        if is_hopeless(order):
            errors += _error_bytes(order)
            if errors > MOST_ERROR_BYTES:
                order = JUNK
        short.append(order)
    return short


def _error_bytes(order: Order) -> int:
    """How long the error is at least: it repeats the order, and the shortest goes on " is not a command"."""
    return len(encode(order if isinstance(order, str) else order.said)) + len(" is not a command,")


def is_hopeless(order: Order) -> bool:
    """Whether the order fails on every map, whoever gives it."""
    plan = read(order)
    if isinstance(plan, str):
        return True
    letter, x, y, what = plan
    if not (0 <= x < MOST_SIZE and 0 <= y < MOST_SIZE):
        return True
    if letter == "a":
        return not (isinstance(what, int) and 0 < what < MOST_ENERGY)
    return letter == "b" and what not in BUILT_BY


def _spelled_short(order: Order) -> Order:
    """An order that can be read, in its shortest spelling, if it is longer than most."""
    if not isinstance(order, str) or len(order) <= MOST_SPELLED:
        return order
    plan = read(order)
    return order if isinstance(plan, str) else " ".join([str(part) for part in plan if part != ""])
