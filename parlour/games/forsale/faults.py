"""The catalogue of errors (RULES 7.5): codes, names, printed fields and recoveries."""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from parlour.core import Fault, Void
from parlour.games.forsale.values import Bid, Pass, Sell, SellAny, View


class Entry(Struct, frozen=True):
    """One kind of error."""

    code: str
    name: str
    prints: tuple[str, ...]
    seed_code: str = ""
    """Its number in the source text."""
    terminal: bool = False
    """Whether it ends the match under every policy."""


OVER_PAY = Entry("P0101", "OverPay", ("pid", "balance", "pay"), "#1")
BET_ERROR = Entry("P0301", "BetError", ("pid", "bet", "prev", "amount", "balance"), "#2")
OVER_BET = Entry("P0401", "OverBet", ("pid", "balance", "resp"), "#3")
UNDER_BET = Entry("P0402", "UnderBet", ("pid", "balance", "resp", "cur_bet"), "#4")
NO_RESPONSE = Entry("P0501", "NoResponse", ("pid",))
MALFORMED = Entry("P0502", "MalformedResponse", ("pid",))
WRONG_ESTATE_SIZE = Entry("G0101", "WrongEstateSize", ("gid", "pid"), "#G0101")
MONEY_MISMATCH = Entry("G0102", "MoneyMismatch", ("gid", "pid"), terminal=True)
WRONG_CODE = Entry("G0301", "WrongCodeSTE", ("gid", "pid", "wrong_code"), "#5", terminal=True)
NON_EMPTY_MARKET = Entry("G0302", "NonEmptyMarket", ("gid", "len(market)", "market_raw"), "#6")
NO_SUCH_CARD = Entry("G0401", "NoSuchCard", ("pid", "resp"))

CATALOGUE: Mapping[str, Entry] = {
    entry.code: entry
    for entry in (
        OVER_PAY,
        BET_ERROR,
        OVER_BET,
        UNDER_BET,
        NO_RESPONSE,
        MALFORMED,
        WRONG_ESTATE_SIZE,
        MONEY_MISMATCH,
        WRONG_CODE,
        NON_EMPTY_MARKET,
        NO_SUCH_CARD,
    )
}

Recovery = Literal[
    "retry",
    "forced_pass",
    "forced_minimum",
    "clamped_to_balance",
    "forced_lowest",
    "forced_random",
    "retired",
    "paid_balance",
    "logged",
    "match_aborted",
]


class Report(Struct, frozen=True, kw_only=True):
    """Everything known about one error."""

    code: str
    seed_code: str
    name: str
    gid: str
    pid: int
    phase: int
    round: int
    attempt: int
    details: dict[str, int | str]
    """The printed fields, in the order of the catalogue."""
    recovery: Recovery
    terminal: bool


def entry(fault: Fault | Void) -> Entry:
    """The catalogue entry; covers the referee's timeouts, unreadable messages and bugs as well."""
    if isinstance(fault, Fault) and fault.kind in ("late", "gone"):
        return NO_RESPONSE
    if isinstance(fault, Fault) and fault.kind == "unreadable":
        return MALFORMED
    return CATALOGUE.get(fault.code, MONEY_MISMATCH)


def details(fault: Fault | Void, gid: str, pid: int) -> dict[str, int | str]:
    """The printed fields, in the order of the catalogue."""
    known = {"gid": gid, "pid": pid, **fault.facts}
    return {field: known[field] for field in entry(fault).prints}


def report(
    fault: Fault | Void, gid: str, pid: int, cost: Any = None, attempt: int = 0, view: View | None = None
) -> Report:
    """Describe a seat's fault and its price, or one of our own errors and its recovery.

    Timeouts and unreadable messages do not carry part and round; those come from the view.
    """
    kind = entry(fault)
    facts = fault.facts
    when = (0, 0) if view is None else (view.part, view.round)
    aborted = isinstance(fault, Void)
    return Report(
        code=kind.code,
        seed_code=kind.seed_code,
        name=kind.name,
        gid=gid,
        pid=int(facts.get("pid", pid)),
        phase=int(facts.get("phase", when[0])),
        round=int(facts.get("round", when[1])),
        attempt=attempt,
        details=details(fault, gid, pid),
        recovery="match_aborted" if aborted else _recovery(kind, fault, cost),
        terminal=aborted,
    )


def _recovery(kind: Entry, fault: Fault | Void, cost: Any) -> Recovery:
    if kind is OVER_PAY:
        return "paid_balance"
    if kind in (WRONG_ESTATE_SIZE, NON_EMPTY_MARKET):
        return "logged"
    match cost:
        case None:
            return "retry"
        case Pass():
            return "forced_pass"
        case Bid():
            return "clamped_to_balance" if kind is BET_ERROR else "forced_minimum"
        case Sell():
            return "forced_lowest"
        case SellAny():
            return "forced_random"
        case _:
            return "retired"
