"""Shorten long lists of orders for the transcript, without changing what anybody is shown."""

import msgspec

from parlour.games.colorfight.orders import read
from parlour.games.colorfight.tables import BUILT_BY
from parlour.games.colorfight.values import MOST_ERROR_BYTES, MOST_RECORDED, Command, Order

MOST_SPELLED = 17
"""Orders of up to this many letters are never changed: two full lists of them fit into a round."""
FULL_LIST = MOST_RECORDED // 2 - 200
"""Size limit in bytes: two lists of this size fit into a round, with the rest of their transcript lines."""
JUNK = ""
"""Replaces an order whose error is counted but not shown."""
MOST_SIZE = 200
MOST_ENERGY = 10**12
"""More than a player can ever have."""

encode = msgspec.json.encode


def shortened(command: Command) -> Command:
    """The same orders in fewer bytes (RULES 5.13)."""
    short = Command(tuple(_without_junk(command.orders)))
    if len(encode(short)) > FULL_LIST:
        short = Command(tuple([_spelled_short(order) for order in short.orders]))
    return short


def _without_junk(orders: tuple[Order, ...]) -> list[Order]:
    """Keep orders that fail on every map only while their errors can be shown. Of later ones only the number matters,
    so an empty text, which also fails, replaces them."""
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
    """The least size of the order's error. It repeats the order, and its shortest end is " is not a command"."""
    return len(encode(order if isinstance(order, str) else order.said)) + len(" is not a command,")


def is_hopeless(order: Order) -> bool:
    """Whether the order fails on every map and for every player."""
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
    """The shortest spelling of a readable order, if it has more than MOST_SPELLED letters."""
    if not isinstance(order, str) or len(order) <= MOST_SPELLED:
        return order
    plan = read(order)
    return order if isinstance(plan, str) else " ".join([str(part) for part in plan if part != ""])
