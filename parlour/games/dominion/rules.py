"""The rules of Dominion, in the order of RULES.md."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from mypy_extensions import mypyc_attr

from parlour.core import By, Comparable, Dice, Event, Fault, IllegalAction, Leave, Position, Result, Seat, Stop, Table
from parlour.games.dominion.cards import (
    CARDS,
    WORTH,
    Attack,
    Bonus,
    Discarding,
    Drawing,
    Gaining,
    Moment,
    Step,
    Trashing,
    held,
)
from parlour.games.dominion.setup import HAND, STARTING, supply
from parlour.games.dominion.values import (
    Action,
    AnswerAttack,
    AnyDiscard,
    Buy,
    CleanedUp,
    CleanUp,
    CutShort,
    Discard,
    Discarded,
    Drew,
    EndTurn,
    Gained,
    Left,
    Options,
    Play,
    Played,
    Reveal,
    Revealed,
    Shuffled,
    TakeTurn,
    Trashed,
    TurnBegan,
    View,
    Waste,
    Wasted,
)
from parlour.games.dominion.view import view

STARTING_COUNTS: Final = dict(Counter(STARTING))

WASTE: Final = Waste()
END_TURN: Final = EndTurn()
ANY_DISCARD: Final = AnyDiscard()

WASTES = ("unknown_card", "not_an_action", "not_in_hand", "bad_choice")
"""Faults that cost an action and not the turn (RULES 6.2)."""


@lru_cache(maxsize=1 << 12)
def take_turn(actions: int, buys: int, money: int) -> TakeTurn:
    """Cached, since the same question is asked often."""
    return TakeTurn(actions=actions, buys=buys, money=money)


@mypyc_attr(allow_interpreted_subclasses=True)
class Holding(Comparable):
    """The cards of one seat, except those played this turn. The top of deck and discard pile is their end."""

    def __init__(self, hand: list[str], deck: list[str], discard: list[str], owned: dict[str, int]) -> None:
        self.hand = hand
        self.deck = deck
        self.discard = discard
        self.owned = owned
        """Counts of all cards of the seat, those played this turn included."""

    def copy(self) -> "Holding":
        return Holding(self.hand[:], self.deck[:], self.discard[:], self.owned.copy())


@mypyc_attr(allow_interpreted_subclasses=True)
class State(Position[View]):
    options: Options
    seats: int
    dice: Dice
    supply: dict[str, int]
    trash: list[str]
    holdings: list[Holding]
    gone: list[Seat]
    turn: Seat
    turns: list[int]
    """Turns begun, by seat."""
    actions: int
    buys: int
    money: int
    """From actions; treasures are played and spent within one buy."""
    played: list[str]
    gained: list[str]
    bought: list[str]
    steps: list[Step]
    """The remaining steps of the played card, the next one last."""
    over: bool

    @classmethod
    def new(cls, seats: int, options: Options, start: None, dice: Dice) -> "State":
        """RULES 1."""
        state = cls()
        state.seats = seats
        state.options = options
        state.dice = dice
        state.supply = supply(seats, options)
        state.trash = []
        state.holdings = [Holding([], [], list(STARTING), STARTING_COUNTS.copy()) for _ in range(seats)]
        state.gone = []
        state.turns = [0] * seats
        state.steps = []
        state.over = False
        for seat in range(seats):
            state._draw(seat, HAND, [])
        state._begin_turn(0, [])
        return state

    # A turn (RULES 2)

    def _begin_turn(self, seat: Seat, events: list[Event]) -> None:
        self.turn = seat
        self.turns[seat] += 1
        self.actions = self.buys = 1
        self.money = 0
        self.played, self.gained, self.bought = [], [], []
        events.append(TurnBegan(seat, self.turns[seat]))

    def _clean_up(self, top: str | None, events: list[Event]) -> None:
        """Discard hand and played cards, all copies of the named card last (RULES 2.5)."""
        seat, played = self.turn, self.played
        holding = self.holdings[seat]
        cards = holding.hand + played
        if top is not None and top in (holding.hand if self.options.top_discard_from == "hand" else cards):
            cards.sort(key=top.__eq__)
        holding.discard += cards
        holding.hand = []
        events.append(CleanedUp(seat, tuple(played), cards[-1] if cards else None))
        self.played = []
        self._draw(seat, HAND, events)
        self._next_turn(events)

    def _next_turn(self, events: list[Event]) -> None:
        """End the match (RULES 7.1, 7.2), or begin the next seat's turn."""
        seat = self._after(self.turn)
        empty = list(self.supply.values()).count(0)
        if not self.supply["province"] or empty >= 3 or self.turns[seat] >= self.options.turn_cap:
            self.over = True
        else:
            self._begin_turn(seat, events)

    def _after(self, seat: Seat) -> Seat:
        """The next seat that has not left."""
        seat = (seat + 1) % self.seats
        while seat in self.gone:
            seat = (seat + 1) % self.seats
        return seat

    def _draw(self, seat: Seat, count: int, events: list[Event]) -> None:
        """Shuffle the discard pile only when the deck runs out (RULES 2.6)."""
        holding = self.holdings[seat]
        drawn = _taken(holding.deck, count)
        if len(drawn) < count and holding.discard:
            holding.deck, holding.discard = holding.discard, []
            self.dice.shuffle(holding.deck)
            events.append(Shuffled(seat))
            drawn += _taken(holding.deck, count - len(drawn))
        if drawn:
            holding.hand += drawn
            events.append(Drew(seat, len(drawn), tuple(drawn)))

    # Buying (RULES 3)

    def _buy(self, buy: Buy, events: list[Event]) -> None:
        """Play treasures, then buy cards, both left to right up to the first impossible one."""
        if self._play_treasures(buy.treasures, events):
            for place, card in enumerate(buy.cards[: self.buys]):
                if not self.supply.get(card) or CARDS[card].cost > self.money:
                    events.append(CutShort(self.turn, "cards", place))
                    break
                self.money -= CARDS[card].cost
                self.bought.append(card)
                self._gain(self.turn, card, events, bought=True)
        self.actions = self.buys = self.money = 0

    def _play_treasures(self, named: Sequence[str] | None, events: list[Event]) -> bool:
        """False if a named treasure could not be played; then nothing is bought (RULES 3.2)."""
        holding = self.holdings[self.turn]
        if named is None:
            played = [card for card in holding.hand if card in WORTH]
            holding.hand = [card for card in holding.hand if card not in WORTH]
        else:
            played = held(named, [card for card in holding.hand if card in WORTH])
            for card in played:
                holding.hand.remove(card)
        if played:
            self.money += sum([WORTH[card] for card in played])
            self.played += played
            events.append(Played(self.turn, tuple(played)))
        if named is not None and len(played) < len(named):
            events.append(CutShort(self.turn, "treasures", len(played)))
            return False
        return True

    def _gain(self, seat: Seat, card: str, events: list[Event], bought: bool = False, to_hand: bool = False) -> None:
        """RULES 2.7."""
        self.supply[card] -= 1
        holding = self.holdings[seat]
        holding.owned[card] = holding.owned.get(card, 0) + 1
        (holding.hand if to_hand else holding.discard).append(card)
        if seat == self.turn:
            self.gained.append(card)
        events.append(Gained(seat, card, bought, to_hand))

    # Playing actions (RULES 4)

    def _steps_of(self, play: Play) -> list[Step]:
        """The steps of the card in order; raises IllegalAction if it cannot be played."""
        card, hand = play.card, self.holdings[self.turn].hand
        if not self.actions:
            raise IllegalAction("no_actions", f"play {card!r}: you have no action left")
        if card not in CARDS:
            raise IllegalAction("unknown_card", f"play {card!r}: there is no such card")
        face = CARDS[card]
        if face.kind != "action":
            raise IllegalAction("not_an_action", f"play {card}: it is no action")
        if card not in hand:
            raise IllegalAction("not_in_hand", f"play {card}: it is not in your hand")
        rest = hand[:]
        rest.remove(card)
        steps: list[Step] = [Drawing(self.turn, face.cards)] if face.cards else []
        if face.effect is not None:
            others = [other % self.seats for other in range(self.turn + 1, self.turn + self.seats)]
            steps += face.effect(Moment(play, self.turn, rest, self.supply, others))
        if face.bonus is not None:
            steps.append(face.bonus)
        return steps

    def _play_action(self, card: str, steps: Sequence[Step], events: list[Event]) -> None:
        self.holdings[self.turn].hand.remove(card)
        self.played.append(card)
        self.actions -= 1
        events.append(Played(self.turn, (card,)))
        self.steps += reversed(steps)

    def _run(self, events: list[Event]) -> None:
        """Take steps until one of them asks a seat, or none is left."""
        while self.steps and self.victim() is None:
            self._take(self.steps.pop(), events)
        if not self.steps and self.turn in self.gone and not self.over:
            self.holdings[self.turn].discard += self.played
            self.played = []
            self._next_turn(events)

    def _take(self, step: Step, events: list[Event]) -> None:
        match step:
            case Drawing(seat=seat, count=count):
                self._draw(seat, count, events)
            case Discarding(seat=seat, cards=cards):
                self._discard(seat, cards, events)
            case Trashing(seat=seat, card=card):
                self._trash(seat, card, events)
            case Gaining(seat=seat, card=card, to_hand=to_hand):
                self._gain(seat, card, events, to_hand=to_hand)
            case Bonus(actions=actions, buys=buys, money=money):
                self.actions += actions
                self.buys += buys
                self.money += money
            case Attack():
                pass  # the victim has left, or has few enough cards

    def _discard(self, seat: Seat, cards: Sequence[str], events: list[Event]) -> None:
        holding = self.holdings[seat]
        for card in cards:
            holding.hand.remove(card)
        holding.discard += cards
        events.append(Discarded(seat, len(cards), cards[-1], tuple(cards)))

    def _trash(self, seat: Seat, card: str, events: list[Event]) -> None:
        holding = self.holdings[seat]
        holding.hand.remove(card)
        holding.owned[card] -= 1
        if not holding.owned[card]:
            del holding.owned[card]
        self.trash.append(card)
        events.append(Trashed(seat, card))

    # Attacks (RULES 5)

    def victim(self) -> Seat | None:
        """The seat that must answer an attack: it has not left, and has cards to discard."""
        step = self.steps[-1] if self.steps else None
        if not isinstance(step, Attack) or self._excess(step) <= 0 or step.victim in self.gone:
            return None
        return step.victim

    def _excess(self, attack: Attack) -> int:
        return len(self.holdings[attack.victim].hand) - attack.keep

    def _answer(self, attack: Attack, action: Action | Table, events: list[Event]) -> None:
        seat, excess = attack.victim, self._excess(attack)
        hand = self.holdings[seat].hand
        match action:
            case Discard(cards=cards):
                if len(cards) != excess:
                    raise IllegalAction("wrong_count", f"discard {len(cards)} cards: it must be {excess}")
                if Counter(cards) - Counter(hand):
                    raise IllegalAction("not_in_hand", "discard: not all of these cards are in your hand")
                self._discard(seat, cards, events)
            case Reveal(card=card):
                if card not in hand or not CARDS[card].reaction:
                    raise IllegalAction("no_reaction", f"reveal {card!r}: no reaction of that name is in your hand")
                events.append(Revealed(seat, card))
            case AnyDiscard():
                rest = hand[:]
                self._discard(seat, [rest.pop(self.dice.below(len(rest))) for _ in range(excess)], events)
            case _:
                raise IllegalAction("wrong_kind", f"{type(action).__name__}: you are attacked, discard or reveal")
        self.steps.pop()

    # The referee's interface

    def _new_asks(self) -> dict[By, TakeTurn | AnswerAttack]:
        if self.over:
            return {}
        if self.steps and isinstance(step := self.steps[-1], Attack):
            return {step.victim: AnswerAttack(card=step.card, discard=self._excess(step))}
        return {self.turn: take_turn(self.actions, self.buys, self.money)}

    def play(self, by: By, action: Action | Table) -> list[Event]:
        events: list[Event] = []
        if by is None:
            self._play_table_act(action, events)
        elif by not in (self._asks or self.asks()):
            raise IllegalAction("not_asked", "you are not asked anything now")
        elif self.steps and isinstance(attack := self.steps[-1], Attack):
            self._answer(attack, action, events)
        else:
            self._take_turn(action, events)
        if self.steps or self.turn in self.gone:
            self._run(events)
        self._changed()
        return events

    def _take_turn(self, action: Action | Table, events: list[Event]) -> None:
        match action:
            case Buy():
                if not self.buys:
                    raise IllegalAction("no_buys", "buy: you have no buy left")
                self._buy(action, events)
            case CleanUp(top=top):
                self._clean_up(top, events)
            case Play(card=card):
                self._play_action(card, self._steps_of(action), events)
            case Waste() if self.actions:
                self.actions -= 1
                events.append(Wasted(self.turn))
            case EndTurn():
                self._clean_up(None, events)
            case _:
                raise IllegalAction("wrong_kind", f"{type(action).__name__}: it is your turn, play, buy or clean up")

    def _play_table_act(self, act: Action | Table, events: list[Event]) -> None:
        if self.over:
            raise IllegalAction("over", "the match is over")
        match act:
            case Leave(seat=seat, why=why) if 0 <= seat < self.seats and seat not in self.gone:
                self._leave(seat, why, events)
            case Stop():
                self.over = True
            case _:
                raise IllegalAction("not_here", f"{type(act).__name__}: there is no such thing in Dominion now")

    def _leave(self, seat: Seat, why: str, events: list[Event]) -> None:
        """RULES 6.5. An open attack of this seat may be cut short (5.5)."""
        events.append(Left(seat, why))
        asked = self.victim()
        self.gone.append(seat)
        self.over = len(self.gone) == self.seats - 1
        if seat == self.turn:
            spared = self.options.militia_on_leave == "spare"
            self.steps = [
                step for step in self.steps if isinstance(step, Attack) and not (spared and step.victim != asked)
            ]

    def amends(self, seat: Seat, faults: Sequence[Fault]) -> Action | Leave | None:
        """RULES 6."""
        last = faults[-1]
        if last.kind == "unasked":
            return None
        if self.victim() is not None:
            return ANY_DISCARD
        if last.kind == "illegal" and last.code in WASTES and self.actions:
            return WASTE
        if last.kind == "late" and self._forfeits(seat):
            return Leave(seat, "silent")
        return END_TURN

    def _forfeits(self, seat: Seat) -> bool:
        """RULES 6.4."""
        silence = self.options.on_silence
        return (silence[seat] if isinstance(silence, tuple) else silence) == "forfeit"

    def _new_view(self, who: By) -> View:
        return view(self, who)

    def result(self) -> Result | None:
        """RULES 7."""
        if not self.over:
            return None
        scores = [sum(CARDS[card].points * many for card, many in each.owned.items()) for each in self.holdings]
        merits = [(seat not in self.gone, scores[seat], -self.turns[seat]) for seat in range(self.seats)]
        return Result(tuple(scores), tuple(1 + sum(other > merit for other in merits) for merit in merits))

    def copy(self) -> "State":
        twin = State()
        twin.options, twin.seats, twin.over = self.options, self.seats, self.over
        twin.turn, twin.turns = self.turn, self.turns[:]
        twin.actions, twin.buys, twin.money = self.actions, self.buys, self.money
        twin.played, twin.gained, twin.bought = self.played[:], self.gained[:], self.bought[:]
        twin.steps, twin.gone, twin.trash = self.steps[:], self.gone[:], self.trash[:]
        twin.supply = self.supply.copy()
        twin.holdings = [holding.copy() for holding in self.holdings]
        twin.dice = self.dice.copy()
        return twin

    def redeal(self, seat: Seat, dice: Dice) -> "State":
        """Redraw where cards are and in which order. Who owns which cards follows from public events."""
        twin = self.copy()
        for other, holding in enumerate(twin.holdings):
            if other == seat:
                holding.deck.sort()  # so that the result does not depend on the old order
                dice.shuffle(holding.deck)
            else:
                _deal_again(holding, dice)
        twin.dice = dice.split()
        return twin


def _taken(pile: list[str], count: int) -> list[str]:
    """Remove and return up to `count` cards from the top, topmost first."""
    taken = pile[: -count - 1 : -1]
    del pile[len(pile) - len(taken) :]
    return taken


def _deal_again(holding: Holding, dice: Dice) -> None:
    """Redraw the cards, keeping all counts and the top of the discard pile."""
    top = holding.discard[-1:]
    pool = sorted(holding.hand + holding.deck + holding.discard[:-1])
    dice.shuffle(pool)
    holding.hand, pool = pool[: len(holding.hand)], pool[len(holding.hand) :]
    holding.deck, holding.discard = pool[: len(holding.deck)], pool[len(holding.deck) :] + top
