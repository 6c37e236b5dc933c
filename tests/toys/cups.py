"""A game for tests: everybody has dice under a cup, seen by nobody else, and guesses what all of them add up to."""

from collections.abc import Sequence

from parlour.core import (
    Ask,
    Board,
    By,
    Dice,
    Event,
    Fault,
    Game,
    Hosting,
    IllegalAction,
    Leave,
    Position,
    Public,
    Result,
    Rules,
    Seat,
    Sitting,
    Stop,
    Table,
    Value,
    Words,
)

SIDES = 6
DICE = 2


class Options(Value, frozen=True):
    rounds: int = 4


class Call(Value, frozen=True):
    """Guess a sum."""

    total: int


class CallAsk(Ask[Call], frozen=True, kw_only=True):
    """What do all dice add up to?"""


class Called(Public, frozen=True):
    seat: Seat
    total: int


class Rolled(Event, frozen=True):
    """To its seat alone."""

    seat: Seat
    dice: tuple[int, ...]

    def seen_by(self, who: By) -> "Rolled | None":
        return self if who == self.seat else None


class View(Value, frozen=True):
    seat: Seat | None
    round: int
    calls: tuple[int, ...]
    cup: tuple[int, ...]
    """Own."""
    points: tuple[int, ...]


class State(Position[View]):
    """A position of Cups. Seats call in turn; then the nearest has a point, and all roll again."""

    options: Options
    dice: Dice
    cups: list[tuple[int, ...]]
    calls: list[int]
    points: list[int]
    round: int
    stopped: bool

    @classmethod
    def new(cls, seats: int, options: Options, start: None, dice: Dice) -> "State":
        state = cls()
        state.options, state.dice, state.round, state.stopped = options, dice, 0, False
        state.calls, state.points = [], [0] * seats
        state.cups = [rolled(dice) for _ in range(seats)]
        return state

    def _new_asks(self) -> dict[By, CallAsk]:
        return {} if self.result() else {len(self.calls): CallAsk()}

    def play(self, by: By, action: Call | Table) -> list[Event]:
        events: list[Event] = []
        match action:
            case _ if self.result():
                raise IllegalAction("over", "the match is over")
            case Call(total=total) if by in self.asks() and by is not None:
                if not 0 < total <= SIDES * DICE * len(self.cups):
                    raise IllegalAction("impossible", f"call {total}: so much cannot be")
                self.calls.append(total)
                events.append(Called(by, total))
                if len(self.calls) == len(self.cups):
                    self._lift(events)
            case Stop() if by is None:
                self.stopped = True
            case Leave(seat=seat) if by is None and 0 <= seat < len(self.cups):
                pass
            case _:
                raise IllegalAction("not_now", "this cannot be done now")
        self._changed()
        return events

    def _lift(self, events: list[Event]) -> None:
        total = sum(map(sum, self.cups))
        misses = [abs(total - call) for call in self.calls]
        self.points[misses.index(min(misses))] += 1
        self.calls, self.round = [], self.round + 1
        self.cups = [rolled(self.dice) for _ in self.cups]
        events += [Rolled(seat, cup) for seat, cup in enumerate(self.cups)]

    def amends(self, seat: Seat, faults: Sequence[Fault]) -> Call | Leave | None:
        return None if faults[-1].kind == "unasked" else Call(1)

    def _new_view(self, who: By) -> View:
        cup = () if who is None else self.cups[who]
        return View(who, self.round, tuple(self.calls), cup, tuple(self.points))

    def result(self) -> Result | None:
        if not self.stopped and self.round < self.options.rounds:
            return None
        ranks = tuple(1 + sum(other > mine for other in self.points) for mine in self.points)
        return Result(tuple(self.points), ranks)

    def copy(self) -> "State":
        twin = type(self)()
        twin.options, twin.dice, twin.cups = self.options, self.dice.copy(), self.cups[:]
        twin.calls, twin.points, twin.round, twin.stopped = self.calls[:], self.points[:], self.round, self.stopped
        return twin

    def redeal(self, seat: Seat, dice: Dice) -> "State":
        twin = self.copy()
        twin.cups = [cup if other == seat else rolled(dice) for other, cup in enumerate(self.cups)]
        twin.dice = dice.split()
        return twin


def rolled(dice: Dice) -> tuple[int, ...]:
    return tuple(1 + dice.below(SIDES) for _ in range(DICE))


def random(view: View, ask: CallAsk, dice: Dice) -> Call:
    return Call(1 + dice.below(SIDES * DICE))


def resolve(options: Options, players: Sequence[Sitting]) -> Options:
    return options


def game(kind: type[State] = State, *events: type[Event]) -> Game[Call]:
    """The game, or another whose states and events are somewhat different."""
    return Game(
        interface=1,
        name="cups",
        title="Cups",
        summary="guess the sum of all dice",
        rules=Rules(
            version=1,
            seats=range(2, 5),
            options=Options,
            actions=(Call,),
            asks=(CallAsk,),
            events=(Called, Rolled, *events),
            view=View,
            new=kind.new,
            resolve=resolve,
            bound=lambda seats, options: seats * options.rounds,
        ),
        words=Words(
            say=lambda event, names: repr(event),
            board=lambda view, names: Board("cups", ("player",), tuple((name,) for name in names)),
        ),
        hosting=Hosting(
            bots={"random": random},
            strengths={"random": "random"},
        ),
    )


GAME = game()
