"""The rules of Liar's Dice, in the order of the README. Numbers in comments are those of its rules."""

from collections.abc import Sequence
from functools import lru_cache

from liars_dice.values import (
    Action,
    Bid,
    BidOrCall,
    Challenge,
    Exact,
    Left,
    Lost,
    Options,
    Raised,
    Revealed,
    Rolled,
    RoundBegan,
    View,
)
from liars_dice.view import view
from parlour.core import (
    By,
    Dice,
    Event,
    Fault,
    IllegalAction,
    Leave,
    Position,
    Result,
    Seat,
    Sitting,
    Stop,
    Table,
)

SEATS = range(2, 7)
FACES = 6
MOST_DICE = 6 * SEATS[-1]
BIDS = tuple(Bid(count, face) for count in range(1, MOST_DICE + 1) for face in range(1, FACES + 1))
"""All bids, lowest first (2.2). With so many dice on the table, the first FACES times so many are possible."""
CHALLENGE = Challenge()
EXACT = Exact()


@lru_cache(maxsize=1 << 12)
def bid_or_call(last: Bid | None, dice: int, may_say_exact: bool) -> BidOrCall:
    """The same question is the same value, however often it is asked."""
    if last is None:
        return BidOrCall(choices=BIDS[: dice * FACES], last=None, dice=dice)
    calls = (CHALLENGE, EXACT) if may_say_exact else (CHALLENGE,)
    return BidOrCall(choices=(*calls, *BIDS[rank(last) + 1 : dice * FACES]), last=last, dice=dice)


def rank(bid: Bid) -> int:
    """The place of a bid among all bids."""
    return (bid.count - 1) * FACES + bid.face - 1


def matching(dice: Sequence[int], face: int, wild_ones: bool) -> int:
    """How many of the dice count for a bid on this face (3.2)."""
    wild = dice.count(1) if wild_ones and face != 1 else 0
    return dice.count(face) + wild


class State(Position[View]):
    """A position of Liar's Dice."""

    options: Options
    dice: Dice
    round: int
    cups: list[tuple[int, ...]]
    """By seat, the dice that it rolled, lowest first; empty once it is out."""
    turn: Seat
    bids: list[Raised]
    """Of this round."""
    gone: list[Seat]
    """Seats that have left, lowest first."""
    went_out: list[int]
    """By seat, the round in which it lost its last die; 0 for a seat that still has dice."""
    revealed: Revealed | None
    stopped: bool

    @classmethod
    def new(cls, seats: int, options: Options, start: None, dice: Dice) -> "State":
        """Draw the first bidder and roll (1.1, 1.2)."""
        state = cls()
        state.options, state.dice = options, dice
        state.round, state.turn = 1, dice.below(seats)
        state.cups = [rolled(options.dice, dice) for _ in range(seats)]
        state.bids, state.gone, state.went_out = [], [], [0] * seats
        state.revealed, state.stopped = None, False
        return state

    # A turn (2)

    def _new_asks(self) -> dict[By, BidOrCall]:
        if self.result() is not None:
            return {}
        return {self.turn: bid_or_call(self._last_bid(), self._total(), self.options.exact)}

    def _last_bid(self) -> Bid | None:
        return self.bids[-1].bid if self.bids else None

    def _total(self) -> int:
        return sum(map(len, self.cups))

    def play(self, by: By, action: Action | Table) -> list[Event]:
        if self.result() is not None:
            raise IllegalAction("over", "the match is over")
        events: list[Event] = []
        if by is None:
            self._happen(action, events)
        elif by != self.turn:
            raise IllegalAction("not_asked", "it is not your turn")
        elif isinstance(action, Bid):
            self._check_bid(action)
            self._raise(by, action, events)
        elif isinstance(action, Challenge | Exact):
            self._check_call(action)
            self._call(by, isinstance(action, Exact), events)
        else:
            raise IllegalAction("not_a_move", f"{type(action).__name__}: bid or call")
        self._changed()
        return events

    def _check_bid(self, bid: Bid) -> None:
        """A bid is higher than the last, and possible (2.2, 2.3)."""
        last, total = self._last_bid(), self._total()
        words = f"bid {bid.count} {bid.face}"
        if not 1 <= bid.face <= FACES:
            raise IllegalAction("no_such_face", f"{words}: a face is 1 to {FACES}", {"face": bid.face})
        if not 1 <= bid.count <= total:
            facts = {"count": bid.count, "dice": total}
            raise IllegalAction("no_such_count", f"{words}: there are 1 to {total} dice to bid on", facts)
        if last is not None and rank(bid) <= rank(last):
            facts = {"count": last.count, "face": last.face}
            raise IllegalAction("too_low", f"{words}: must be higher than {last.count} {last.face}", facts)

    def _check_call(self, call: Challenge | Exact) -> None:
        if isinstance(call, Exact) and not self.options.exact:
            raise IllegalAction("no_exact", "exact: not under these house rules")
        if not self.bids:
            raise IllegalAction("no_bid", f"{type(call).__name__.lower()}: there is no bid to call")

    def _raise(self, seat: Seat, bid: Bid, events: list[Event]) -> None:
        raised = Raised(seat, bid)
        self.bids.append(raised)
        events.append(raised)
        self.turn = self._next_from(seat + 1)

    def _next_from(self, seat: Seat) -> Seat:
        """This seat if it still plays, otherwise the next that does."""
        order = ((seat + step) % len(self.cups) for step in range(len(self.cups)))
        return next(other for other in order if self._plays(other))

    def _plays(self, seat: Seat) -> bool:
        return bool(self.cups[seat]) and seat not in self.gone

    # A call (3)

    def _call(self, caller: Seat, exact: bool, events: list[Event]) -> None:
        bidder, bid = self.bids[-1].seat, self.bids[-1].bid
        dice = [die for cup in self.cups for die in cup]
        found = matching(dice, bid.face, self.options.wild_ones)
        self.revealed = Revealed(caller, exact, bidder, bid, tuple(self.cups), found)
        events.append(self.revealed)
        if exact and found == bid.count:
            for seat in range(len(self.cups)):
                if seat != caller and self.cups[seat]:
                    self._lose(seat, 1, events)
            self._end_round(caller, events)
        else:
            loser = bidder if found < bid.count and not exact else caller
            off = max(1, abs(found - bid.count)) if self.options.penalty == "difference" else 1
            self._lose(loser, off, events)
            self._end_round(loser, events)

    def _lose(self, seat: Seat, count: int, events: list[Event]) -> None:
        had = self.cups[seat]
        self.cups[seat] = had[min(count, len(had)) :]
        lost, left = len(had) - len(self.cups[seat]), len(self.cups[seat])
        if not left:
            self.went_out[seat] = self.round
        events.append(Lost(seat, lost, left))

    def _end_round(self, first: Seat, events: list[Event]) -> None:
        """Seats that left lose their dice; the others roll, unless only one is left (1.3, 4.1, 5.2)."""
        for seat in self.gone:
            if self.cups[seat]:
                self._lose(seat, len(self.cups[seat]), events)
        self.bids = []
        if self.result() is not None:
            return
        self.round += 1
        self.turn = self._next_from(first)
        self.cups = [rolled(len(cup), self.dice) for cup in self.cups]
        events.append(RoundBegan(self.round, self.turn, tuple(map(len, self.cups))))
        events += [Rolled(seat, cup) for seat, cup in enumerate(self.cups) if cup]

    # The end (4)

    def result(self) -> Result | None:
        """The later a seat goes out, the better; a seat beats those that went out in an earlier round (4.2)."""
        if not self.stopped and sum(map(bool, self.cups)) > 1:
            return None
        merits = [(out or self.round + 1, len(cup)) for out, cup in zip(self.went_out, self.cups, strict=True)]
        beaten = tuple(sum(other < merit for other in merits) for merit in merits)
        return Result(beaten, tuple(1 + sum(other > merit for other in merits) for merit in merits))

    # Faults and leaving (5)

    def amends(self, seat: Seat, faults: Sequence[Fault]) -> Action | Leave | None:
        """After the last attempt, a challenge; or the lowest bid, if there is nothing to challenge (5.1)."""
        kind = faults[-1].kind
        if kind == "unasked" or (kind != "gone" and len(faults) < self.options.attempts):
            return None
        return CHALLENGE if self.bids else BIDS[0]

    def _happen(self, act: Action | Table, events: list[Event]) -> None:
        match act:
            case Leave(seat=seat, why=why) if 0 <= seat < len(self.cups):
                events.append(Left(seat, why))
                if seat not in self.gone:
                    self._leave(seat, events)
            case Stop():
                self.stopped = True
            case _:
                raise IllegalAction("not_here", f"{type(act).__name__}: there is no such thing in Liar's Dice")

    def _leave(self, seat: Seat, events: list[Event]) -> None:
        """Its dice stay until the round ends, because bids count on them (5.2). A single player left wins (5.3)."""
        self.gone = sorted([*self.gone, seat])
        playing = [other for other in range(len(self.cups)) if self._plays(other)]
        if len(playing) == 1:
            self._end_round(playing[0], events)
        elif self.turn == seat:
            self.turn = self._next_from(seat)

    # What players can see, and copies

    _new_view = view

    def copy(self) -> "State":
        twin = State()
        twin.options, twin.dice = self.options, self.dice.copy()
        twin.round, twin.turn, twin.stopped = self.round, self.turn, self.stopped
        twin.cups, twin.bids, twin.gone = self.cups[:], self.bids[:], self.gone[:]
        twin.went_out, twin.revealed = self.went_out[:], self.revealed
        return twin

    def redeal(self, seat: Seat, dice: Dice) -> "State":
        """Roll the dice of all other seats again."""
        twin = self.copy()
        twin.cups = [cup if other == seat else rolled(len(cup), dice) for other, cup in enumerate(self.cups)]
        twin.dice = dice.split()
        return twin


def rolled(count: int, dice: Dice) -> tuple[int, ...]:
    """Sorted, so that the order in which the dice fell tells nothing."""
    return tuple(sorted(1 + dice.below(FACES) for _ in range(count)))


def resolve(options: Options, players: Sequence[Sitting]) -> Options:
    """All house rules fit together, whoever plays."""
    return options


def bound(seats: int, options: Options) -> int:
    """In each round every possible bid and one call; each round costs at least one die."""
    return sum(FACES * dice + 1 for dice in range(2, seats * options.dice + 1))


def is_out(state: State, seat: Seat) -> bool:
    """A seat without dice has nothing left to decide."""
    return not state.cups[seat]
