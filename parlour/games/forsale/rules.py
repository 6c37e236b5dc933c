"""The rules of For Sale, in the order of RULES.md."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NoReturn

from mypy_extensions import mypyc_attr

from parlour.core import (
    By,
    Dice,
    Event,
    Fault,
    IllegalAction,
    Inconsistent,
    Leave,
    Position,
    Result,
    Seat,
    Stop,
    Table,
)
from parlour.games.forsale import audit, faults
from parlour.games.forsale.faults import Entry
from parlour.games.forsale.phases import Auction, Phase, Sale
from parlour.games.forsale.setup import CHEQUES, ESTATES, REMOVED, start_coins, step_of
from parlour.games.forsale.values import (
    Action,
    Bid,
    BidOrPass,
    ChequesOpened,
    ChooseEstate,
    Chose,
    EstatesOpened,
    Left,
    Options,
    Pass,
    Passed,
    Raised,
    Sell,
    SellAny,
    Sold,
    Suspected,
    View,
    Won,
)
from parlour.games.forsale.view import view

MOST_CHOICES: Final = 64

PASS: Final = Pass()
SELL_ANY: Final = SellAny()
SELLS: Final = {estate: Sell(estate) for estate in ESTATES}
GAME_SIDE = {"pid": audit.GAME_SIDE}


@lru_cache(maxsize=1 << 14)
def bid_or_pass(record: int, bid: int, coins: int, may_pass: bool) -> BidOrPass:
    """Cached, since the same question is asked often."""
    raises = [Bid(amount) for amount in range(record + 1, min(coins, record + MOST_CHOICES) + 1)]
    choices: tuple[Bid | Pass, ...] = (PASS, *raises) if may_pass or not raises else tuple(raises)
    listed = choices if coins - record <= MOST_CHOICES else None
    return BidOrPass(choices=listed, record=record, bid=bid, coins=coins, may_pass=may_pass)


@mypyc_attr(allow_interpreted_subclasses=True)
class State(Position[View]):
    options: Options
    seats: int
    start: int
    """Coins per seat at the start."""
    step: int
    """1 or -1: the direction of bidding."""
    dice: Dice
    phase: Phase
    round: int
    first: Seat
    coins: list[int]
    """By seat, bids on the table included."""
    bank: int
    hands: list[list[int]]
    """Estates in the order they were bought; sorted from part II on."""
    cheques: list[list[int]]
    estate_deck: list[int]
    removed_estates: list[int]
    cheque_deck: list[int]
    removed_cheques: list[int]
    over: bool

    @classmethod
    def new(cls, seats: int, options: Options, start: None, dice: Dice) -> "State":
        """Shuffle, remove the unused cards, and open the first estates (RULES 1, 2.1)."""
        state = cls()
        state.seats = seats
        state.options = options
        state.dice = dice
        state.start = start_coins(seats, options)
        state.step = step_of(options)
        state.coins = [state.start] * seats
        state.bank = 0
        state.hands = [[] for _ in range(seats)]
        state.cheques = [[] for _ in range(seats)]
        state.estate_deck, state.removed_estates = _shuffled(ESTATES, REMOVED[seats], dice)
        state.cheque_deck, state.removed_cheques = _shuffled(CHEQUES, REMOVED[seats], dice)
        state.round = 0
        state.over = False
        state.first = state._initial_first()
        state._open_estates([])
        return state

    # Part I: buying estates (RULES 2)

    def _initial_first(self) -> Seat:
        first = self.options.initial_first or "seeded_random"
        if first == "seeded_random":
            return self.dice.below(self.seats)
        if first == "youngest":
            ages = self.options.ages or ()
            return ages.index(min(ages))
        return int(first[5:])

    def _open_estates(self, events: list[Event]) -> None:
        self.round += 1
        market = _opened(self.estate_deck, self.seats)
        self.phase = Auction(market, [0] * self.seats, list(range(self.seats)), self.first)
        events.append(EstatesOpened(self.round, tuple(market), self.first))

    def _raise(self, auction: Auction, seat: Seat, amount: int, events: list[Event]) -> None:
        auction.bids[seat] = auction.record = amount
        events.append(Raised(seat, amount))
        auction.turn = self._next(auction, seat)

    def _pass(self, auction: Auction, seat: Seat, events: list[Event]) -> None:
        """Take the cheapest estate and pay half the bid (RULES 2.5). If one bidder is left, that seat wins (2.6)."""
        if len(auction.market) < len(auction.inside):
            self._break(faults.WRONG_ESTATE_SIZE, f"{auction.market} for {len(auction.inside)} bidders")
        following = self._next(auction, seat)
        auction.inside.remove(seat)
        bid = auction.bids[seat]
        paid = self._pay(seat, bid // 2 if self.options.refund_rounding == "up" else bid - bid // 2, events)
        estate = auction.market.pop(0)
        self.hands[seat].append(estate)
        events.append(Passed(seat, estate, paid, bid - paid))
        if len(auction.inside) > 1:
            auction.turn = following
            if audit.COSTLY:
                self._heed(audit.estates(self), events)
        else:
            self._win(auction, auction.inside[0], events)

    def _win(self, auction: Auction, seat: Seat, events: list[Event]) -> None:
        paid = self._pay(seat, auction.bids[seat], events)
        estate = auction.market.pop()
        self.hands[seat].append(estate)
        events.append(Won(seat, estate, paid))
        if audit.COSTLY:
            self._heed(audit.estates(self), events)
        self._heed(audit.auction(self), events)
        self.removed_estates += auction.market  # empty, except after an error under `lenient` (RULES 7.4)
        self.first = self._first_after(seat)
        if self.round < 11 - self.seats:
            self._open_estates(events)
        else:
            self.round = 0
            for hand in self.hands:
                hand.sort()
            self._open_cheques(events)

    def _pay(self, seat: Seat, amount: int, events: list[Event]) -> int:
        """Pay the bank. A seat never pays more than its coins (RULES 7.3)."""
        if amount > self.coins[seat]:
            facts = {"pid": seat, "balance": self.coins[seat], "pay": amount}
            self._suspect(faults.OVER_PAY, "more to pay than there is", facts, events)
            amount = self.coins[seat]
        self.coins[seat] -= amount
        self.bank += amount
        return amount

    def _first_after(self, winner: Seat) -> Seat:
        """RULES 2.7."""
        match self.options.first_player_rule:
            case "last_winner":
                return winner
            case "rotate":
                return (self.first + self.step) % self.seats
            case "fixed":
                return self.first
            case "random":
                return self.dice.below(self.seats)

    def _next(self, auction: Auction, seat: Seat) -> Seat:
        inside = auction.inside
        return inside[(inside.index(seat) + self.step) % len(inside)]

    # Part II: selling estates (RULES 3)

    def _open_cheques(self, events: list[Event]) -> None:
        self.round += 1
        market = _opened(self.cheque_deck, self.seats)
        self.phase = Sale(market, [None] * self.seats)
        events.append(ChequesOpened(self.round, tuple(market)))

    def _choose(self, sale: Sale, seat: Seat, choice: Sell | SellAny, events: list[Event]) -> None:
        sale.chosen[seat] = choice
        events.append(Chose(seat, choice.estate if isinstance(choice, Sell) else None))
        if None not in sale.chosen:
            self._turn_all(sale, events)

    def _turn_all(self, sale: Sale, events: list[Event]) -> None:
        """The n-th best estate fetches the n-th best cheque (RULES 3.3). Random sales are drawn here (6.4)."""
        if len(sale.market) < self.seats:
            self._break(faults.MONEY_MISMATCH, f"cheques {sale.market} for {self.seats} sellers")
        turned = zip(sale.chosen, self.hands, strict=True)
        estates = tuple([it.estate if isinstance(it, Sell) else self.dice.pick(hand) for it, hand in turned])
        fetches = dict(zip(sorted(estates), sale.market, strict=False))
        cheques = tuple([fetches[estate] for estate in estates])
        for hand, estate, won, cheque in zip(self.hands, estates, self.cheques, cheques, strict=True):
            hand.remove(estate)
            won.append(cheque)
        events.append(Sold(estates, cheques))
        if self.round < 11 - self.seats:
            self._open_cheques(events)
        else:
            self.phase = Sale([], [None] * self.seats)
            self.over = True
            self._heed(audit.end(self), events)

    # The referee's interface

    def _new_asks(self) -> dict[By, BidOrPass | ChooseEstate]:
        phase = self.phase
        if self.over:
            return {}
        if isinstance(phase, Auction):
            seat = phase.turn
            may_pass = self.options.opener_may_pass or self._may_pass(phase)
            return {seat: bid_or_pass(phase.record, phase.bids[seat], self.coins[seat], may_pass)}
        return {
            seat: ChooseEstate(choices=tuple([SELLS[estate] for estate in self.hands[seat]]))
            for seat, chosen in enumerate(phase.chosen)
            if chosen is None
        }

    def _may_pass(self, auction: Auction) -> bool:
        """RULES 2.4."""
        return self.options.opener_may_pass or auction.record > 0 or len(auction.inside) < self.seats

    def play(self, by: By, action: Action | Table) -> list[Event]:
        events: list[Event] = []
        phase = self.phase
        try:
            if by is None:
                self._play_table_act(action, events)
            else:
                self._check(by, action)
                if isinstance(phase, Sale):
                    self._choose(phase, by, action, events)  # type: ignore[arg-type]  # _check made sure
                elif isinstance(action, Bid):
                    self._raise(phase, by, action.amount, events)
                else:
                    self._pass(phase, by, events)
            asks = self._asks
            self._changed()
            if asks is not None and phase is self.phase and isinstance(phase, Sale) and not self.over:
                self._asks = asks.copy()  # a sale goes on: only this seat's ask has changed
                self._asks.pop(by, None)
            if audit.COSTLY or isinstance(phase, Auction):  # no coin moves in a sale
                self._heed(audit.money(self), events)
        except Inconsistent as bug:
            self._changed()
            bug.events = events
            raise
        return events

    def _play_table_act(self, act: Action | Table, events: list[Event]) -> None:
        if self.over:
            raise IllegalAction("over", "the match is over")
        match act:
            case Leave(seat=seat, why=why) if 0 <= seat < self.seats:
                events.append(Left(seat, why))
            case Stop():
                self.over = True
            case _:
                raise IllegalAction("not_here", f"{type(act).__name__}: there is no such thing in For Sale")

    def _check(self, seat: Seat, action: Action | Table) -> None:
        """Check an answer; the only place where this is done (RULES 6.8)."""
        phase = self.phase
        if isinstance(phase, Auction):
            if seat != phase.turn or self.over:
                raise IllegalAction("not_asked", "it is not your turn")
            if isinstance(action, Bid):
                if not phase.record < action.amount <= self.coins[seat]:
                    self._refuse_bid(phase, seat, action)
            elif not isinstance(action, Pass):
                self._refuse_kind(seat, action, "bid or pass")
            elif not self._may_pass(phase) and self.coins[seat] > 0:
                resp = self.options.pass_code
                self._refuse(faults.UNDER_BET, "pass: who opens must bid", seat, resp=resp, cur_bet=0)
        else:
            if self.over or not 0 <= seat < self.seats or phase.chosen[seat] is not None:
                raise IllegalAction("not_asked", "you are not asked to choose now")
            if isinstance(action, Sell):
                if action.estate not in self.hands[seat]:
                    words = f"sell {action.estate}: not one of your estates {_listed(self.hands[seat])}"
                    self._refuse(faults.NO_SUCH_CARD, words, seat, resp=action.estate)
            elif not isinstance(action, SellAny):
                self._refuse_kind(seat, action, "sell an estate")

    def _refuse_bid(self, auction: Auction, seat: Seat, bid: Bid) -> NoReturn:
        """RULES 2.3. A bid that is too high and too low is reported as too high (7.1)."""
        record, coins, amount = auction.record, self.coins[seat], bid.amount
        words = f"bid {amount}: must be above {record} and within your {coins} coins"
        resp = amount if bid.said is None else bid.said
        if self.options.bid_fault_policy == "clamp":
            own = auction.bids[seat]
            self._refuse(faults.BET_ERROR, words, seat, bet=own, prev=record, amount=amount, balance=coins)
        if amount > coins:
            self._refuse(faults.OVER_BET, words, seat, balance=coins, resp=resp)
        self._refuse(faults.UNDER_BET, words, seat, balance=coins, resp=resp, cur_bet=record)

    def _refuse_kind(self, seat: Seat, action: object, wanted: str) -> NoReturn:
        if not isinstance(action, Bid | Pass | Sell | SellAny):
            has_repr = type(action).__repr__ is not object.__repr__  # the default shows a memory address
            code = repr(action) if has_repr else type(action).__name__
            self._break(faults.WRONG_CODE, "no answer at all", {"pid": seat, "wrong_code": code})
        self._refuse(faults.MALFORMED, f"{type(action).__name__}: the question is to {wanted}", seat)

    def _refuse(self, kind: Entry, words: str, seat: Seat, **facts: int) -> NoReturn:
        known = {"pid": seat, "balance": self.coins[seat], **facts}
        printed = {field: known[field] for field in kind.prints}
        raise IllegalAction(kind.code, words, self._dated(printed))

    def amends(self, seat: Seat, faults_made: Sequence[Fault]) -> Action | Leave | None:
        """RULES 6: ask again while attempts are left, then pass or sell for the player."""
        last = faults_made[-1]
        phase = self.phase
        if last.kind == "unasked":
            return None
        if (last.kind, last.code) == ("illegal", faults.BET_ERROR.code) and isinstance(phase, Auction):
            return Bid(self.coins[seat]) if self.coins[seat] > phase.record else PASS
        if last.kind != "gone" and len(faults_made) < self.options.max_attempts:
            return None
        if isinstance(phase, Auction):
            return PASS if self._may_pass(phase) or self.coins[seat] == 0 else Bid(1)
        return SELLS[self.hands[seat][0]] if self.options.sell_fallback == "lowest" else SELL_ANY

    def _new_view(self, who: By) -> View:
        return view(self, who)

    def result(self) -> Result | None:
        """RULES 4."""
        if not self.over:
            return None
        scores = [sum(won) + coins for won, coins in zip(self.cheques, self.coins, strict=True)]
        by_coins = self.options.tie_break == "coins_then_shared"
        merits = [(score, coins if by_coins else 0) for score, coins in zip(scores, self.coins, strict=True)]
        return Result(tuple(scores), tuple(1 + sum(other > merit for other in merits) for merit in merits))

    def copy(self) -> "State":
        twin = State()
        twin.options, twin.seats, twin.start, twin.step = self.options, self.seats, self.start, self.step
        twin.round, twin.first, twin.bank, twin.over = self.round, self.first, self.bank, self.over
        twin.dice = self.dice.copy()
        twin.coins = self.coins[:]
        twin.hands = [hand[:] for hand in self.hands]
        twin.cheques = [won[:] for won in self.cheques]
        twin.estate_deck, twin.removed_estates = self.estate_deck[:], self.removed_estates[:]
        twin.cheque_deck, twin.removed_cheques = self.cheque_deck[:], self.removed_cheques[:]
        twin.phase = self.phase.copy()
        return twin

    def redeal(self, seat: Seat, dice: Dice) -> "State":
        """Redraw decks, removed cards, sealed answers and dice. Coins and hands follow from public events."""
        twin = self.copy()
        twin.estate_deck, twin.removed_estates = _dealt_again(self.estate_deck, self.removed_estates, dice)
        twin.cheque_deck, twin.removed_cheques = _dealt_again(self.cheque_deck, self.removed_cheques, dice)
        if isinstance(twin.phase, Sale):
            for other, choice in enumerate(twin.phase.chosen):
                if other != seat and choice is not None:
                    twin.phase.chosen[other] = SELLS[dice.pick(self.hands[other])]
        twin.dice = dice.split()
        return twin

    # Our own errors (RULES 7)

    def _heed(self, finding: "audit.Finding | None", events: list[Event]) -> None:
        """End the match for a finding, or only log it where `invariant_policy` allows that (RULES 7.4)."""
        if finding is None:
            return
        kind, words, facts = finding
        if kind.terminal or self.options.invariant_policy == "strict":
            self._break(kind, words, facts)
        self._suspect(kind, words, facts, events)

    def _suspect(self, kind: Entry, words: str, facts: Mapping[str, int | str], events: list[Event]) -> None:
        events.append(Suspected(Fault("illegal", kind.code, words, self._dated(facts))))

    def _break(self, kind: Entry, words: str, facts: Mapping[str, int | str] = GAME_SIDE) -> NoReturn:
        raise Inconsistent(kind.code, words, self._dated(facts))

    def _dated(self, facts: Mapping[str, int | str]) -> dict[str, int | str]:
        return {**facts, "phase": 1 if isinstance(self.phase, Auction) else 2, "round": self.round}


def has_finished(state: State, seat: Seat) -> bool:
    """Whether the seat has chosen its last estate (RULES 6.6)."""
    phase = state.phase
    return isinstance(phase, Sale) and len(state.hands[seat]) == 1 and phase.chosen[seat] is not None


def _shuffled(cards: Sequence[int], removed: int, dice: Dice) -> tuple[list[int], list[int]]:
    deck = list(cards)
    dice.shuffle(deck)
    return deck[removed:], deck[:removed]


def _opened(deck: list[int], count: int) -> list[int]:
    market = deck[-count:]
    del deck[-count:]
    market.sort()
    return market


def _dealt_again(deck: list[int], removed: list[int], dice: Dice) -> tuple[list[int], list[int]]:
    """Sort before shuffling, so that the result does not depend on the old order."""
    return _shuffled(sorted(deck + removed), len(removed), dice)


def _listed(cards: Sequence[int]) -> str:
    return ", ".join(map(str, sorted(cards)))
