"""Events and views in words, for people."""

from collections.abc import Sequence
from typing import Any

from parlour.core import Board, Event, Fault, Seat, Void
from parlour.games.forsale.faults import report
from parlour.games.forsale.values import (
    ChequesOpened,
    Chose,
    EstatesOpened,
    Left,
    Passed,
    Raised,
    Sold,
    Suspected,
    View,
    Won,
)


def say(event: Event, names: Sequence[str]) -> str:
    """One line, or one line per seat for a sale."""
    match event:
        case EstatesOpened(round=round, estates=estates, first=first):
            return f"Auction {round}: estates {cards(estates)} on the table, {names[first]} begins"
        case Raised(seat=seat, bid=bid):
            return f"  {names[seat]} bids {bid}"
        case Passed(seat=seat, estate=estate, paid=paid):
            return f"  {names[seat]} passes and takes estate {estate} for {paid or 'nothing'}"
        case Won(seat=seat, estate=estate, paid=paid):
            return f"  {names[seat]} is the last one standing and takes estate {estate} for {paid or 'nothing'}"
        case ChequesOpened(round=round, cheques=cheques):
            return f"Sale {round}: cheques {cards(cheques)} on the table"
        case Chose(seat=seat, estate=estate):
            return f"  {names[seat]} lays down {'estate ' + str(estate) if estate else 'an estate to be drawn'}"
        case Sold(estates=estates, cheques=cheques):
            by_value = sorted(range(len(estates)), key=lambda seat: -estates[seat])
            return "\n".join(f"  {names[seat]} sells {estates[seat]} for {cheques[seat]}" for seat in by_value)
        case Left(seat=seat, why=why):
            return f"  {names[seat]} has left ({why})"
        case Suspected(fault=fault):
            return f"  inconsistency {fault.code}: {fault.words}"
        case _:
            raise TypeError(f"not an event of For Sale: {event!r}")


def explain(fault: Fault | Void, gid: str, pid: Seat, cost: Any, attempt: int, view: View | None) -> str:
    """As the catalogue prints it: `OverBet P0401 #3 pid=0 balance=18 resp=99 (part 1, round 2, try 1) -> retry`."""
    error = report(fault, gid, pid, cost, attempt, view)
    printed = " ".join(f"{field}={value}" for field, value in error.details.items())
    tried = f", try {error.attempt}" if error.attempt else ""
    when = f"(part {error.phase}, round {error.round}{tried})" if error.phase else ""
    return " ".join(filter(None, (error.name, error.code, error.seed_code, printed, when, "->", error.recovery)))


def board(view: View, names: Sequence[str]) -> Board:
    """A row for each seat; hidden coins show as a dot."""
    own = f"Your estates: {cards(view.hand)}" if view.hand else ""
    seats = range(len(view.coins))
    if view.part == 1:
        heading = f"Auction {view.round} of {view.rounds}: estates {cards(view.market)} on the table"
        return Board(heading, ("player", "coins", "bid", ""), tuple(_bidder(view, seat, names) for seat in seats), own)
    heading = f"Sale {view.round} of {view.rounds}: cheques {cards(view.market)} on the table"
    rows = tuple((names[seat], coins(view, seat)) for seat in seats)
    return Board(heading if view.part == 2 else "All estates are sold", ("player", "coins"), rows, own)


def part(view: View) -> str:
    """`Auction 4`, `Sale 2`, `End`."""
    return "End" if view.part == 3 else f"{'Auction' if view.part == 1 else 'Sale'} {view.round}"


def to_act(view: View) -> tuple[Seat, ...]:
    """The bidder. In a sale, nobody: all choose in secret (RULES 5.3)."""
    return () if view.turn is None else (view.turn,)


def _bidder(view: View, seat: int, names: Sequence[str]) -> tuple[str, ...]:
    state = "to bid" if seat == view.turn else "" if seat in view.inside else "passed"
    return names[seat], coins(view, seat), str(view.bids[seat] or ""), state


def coins(view: View, seat: int) -> str:
    return "·" if view.coins[seat] is None else str(view.coins[seat])


def cards(values: Sequence[int]) -> str:
    return " ".join(map(str, values))


def standing(views: Sequence[View]) -> list[int]:
    """Coins and cheques of each seat, from its own view."""
    return [(view.coins[seat] or 0) + sum(view.cheques) for seat, view in enumerate(views)]
