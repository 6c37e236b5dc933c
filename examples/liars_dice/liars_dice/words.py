"""Events and views in words for people, and the words of a person as actions."""

import re
from collections.abc import Sequence

from liars_dice.rules import CHALLENGE, EXACT, FACES
from liars_dice.values import (
    Action,
    Bid,
    BidOrCall,
    Left,
    Lost,
    Raised,
    Revealed,
    Rolled,
    RoundBegan,
    View,
)
from parlour.core import Board, Event, Seat

ONE = ("one", "two", "three", "four", "five", "six")
MANY = ("ones", "twos", "threes", "fours", "fives", "sixes")
FACE_OF = {name: face for names in (ONE, MANY) for face, name in enumerate(names, start=1)}
CALLS: dict[str, Action] = {"challenge": CHALLENGE, "liar": CHALLENGE, "exact": EXACT}
BID = re.compile(r"(?:bid\s+)?(\d{1,4})\s*(?:x|\s)\s*(\w+)")


def say(event: Event, names: Sequence[str]) -> str:
    """An event in one line, or in one line for each cup that is lifted."""
    match event:
        case RoundBegan(round=round, first=first, counts=counts):
            return f"Round {round}: {sum(counts)} dice, {names[first]} begins"
        case Rolled(seat=seat, dice=dice):
            return f"  {names[seat]} rolls {numbers(dice)}"
        case Raised(seat=seat, bid=bid):
            return f"  {names[seat]} bids {claim(bid)}"
        case Revealed():
            return "\n".join(_reveal(event, names))
        case Lost(seat=seat, lost=lost, left=left):
            return f"  {names[seat]} loses {count(lost)} and {'has ' + str(left) + ' left' if left else 'is out'}"
        case Left(seat=seat, why=why):
            return f"  {names[seat]} has left ({why})"
        case _:
            raise TypeError(f"not an event of Liar's Dice: {event!r}")


def _reveal(event: Revealed, names: Sequence[str]) -> list[str]:
    call = "calls it exact" if event.exact else f"calls {names[event.bidder]} a liar"
    cups = [f"    {names[seat]} had {numbers(cup)}" for seat, cup in enumerate(event.cups) if cup]
    return [f"  {names[event.caller]} {call}", *cups, f"  The bid was {claim(event.bid)}; there are {event.found}"]


def board(view: View, names: Sequence[str]) -> Board:
    """A row for each seat, with its last bid in this round."""
    bids = {raised.seat: claim(raised.bid) for raised in view.bids}
    rows = tuple(
        (names[seat], str(dice), bids.get(seat, ""), _standing(view, seat)) for seat, dice in enumerate(view.counts)
    )
    heading = f"Round {view.round}: {sum(view.counts)} dice on the table"
    own = f"Your dice: {numbers(view.hand)}" if view.hand else ""
    return Board(heading, ("player", "dice", "bid", ""), rows, own)


def part(view: View) -> str:
    """`Round 3`, `End`."""
    return "End" if view.turn is None else f"Round {view.round}"


def to_act(view: View) -> tuple[Seat, ...]:
    """The seat that is to decide."""
    return () if view.turn is None else (view.turn,)


def _standing(view: View, seat: int) -> str:
    if seat == view.turn:
        return "to decide"
    return "left" if seat in view.gone else "" if view.counts[seat] else "out"


def opening(view: View, names: Sequence[str]) -> str:
    """The first bidder and the first roll, which no event tells."""
    first = [] if view.turn is None else [f"  {names[view.turn]} begins"]
    roll = [] if view.seat is None else [say(Rolled(view.seat, view.hand), names)]
    return "\n".join([*first, *roll])


def hint(ask: BidOrCall) -> str:
    """`a bid such as 3 fours; or challenge`."""
    choices = ask.choices or ()
    bids = [f"a bid such as {claim(choice)}" for choice in choices if isinstance(choice, Bid)]
    calls = [type(choice).__name__.lower() for choice in choices if not isinstance(choice, Bid)]
    return "; or ".join([*bids[:1], *calls])


def hear(text: str, view: View, ask: BidOrCall) -> Action | str | None:
    """Read `3 fours`, `3 4`, `3x4`, `bid 3 4`, `challenge`, `liar` or `exact`."""
    words = text.lower().strip()
    meant = CALLS.get(words)
    if bid := BID.fullmatch(words):
        face = FACE_OF.get(bid[2], int(bid[2]) if bid[2].isdecimal() and len(bid[2]) < 5 else 0)
        meant = Bid(int(bid[1]), face)
    if meant is None or meant in (ask.choices or ()):
        return meant
    return _why_not(meant, ask)


def _why_not(action: Action, ask: BidOrCall) -> str:
    if not isinstance(action, Bid):
        return "There is no bid to call." if ask.last is None else "These house rules have no exact call."
    if not 1 <= action.face <= FACES:
        return f"A face is 1 to {FACES}."
    if not 1 <= action.count <= ask.dice:
        return f"There are {ask.dice} dice on the table."
    return "" if ask.last is None else f"Bid higher than {claim(ask.last)}."


def claim(bid: Bid) -> str:
    """`1 four`, `3 fours`."""
    return f"{bid.count} {(ONE if bid.count == 1 else MANY)[bid.face - 1]}"


def count(dice: int) -> str:
    return "1 die" if dice == 1 else f"{dice} dice"


def numbers(dice: Sequence[int]) -> str:
    return " ".join(map(str, dice))


def standing(views: Sequence[View]) -> Sequence[int]:
    """How many dice each seat has, which everybody sees."""
    return views[0].counts if views else ()
