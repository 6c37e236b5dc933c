"""A game for tests, with what For Sale has not: joining at any time, rounds that the table closes, answers that may be
replaced, a free question, and a fault that costs the seat."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from msgspec import Meta

from parlour.core import (
    Ask,
    Board,
    By,
    Close,
    Dice,
    Event,
    Fault,
    Game,
    Hosting,
    IllegalAction,
    Join,
    Leave,
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

NUMBERS = 6
MOST_SEATS = 4
REPLACEMENTS = 2


class Options(Value, frozen=True):
    rounds: Annotated[int, Meta(ge=1, le=20)] = 3
    kicks: bool = False
    """Whether an illegal guess costs the seat."""


class Guess(Value, frozen=True):
    number: int


class GuessAsk(Ask[Guess], frozen=True, kw_only=True):
    sealed: ClassVar[bool] = True
    left: int


class Guessed(Event, frozen=True):
    seat: Seat
    number: int

    def seen_by(self, who: By) -> "Guessed | None":
        return self if who == self.seat else None


class Drawn(Public, frozen=True):
    number: int
    winners: tuple[Seat, ...]


class Joined(Public, frozen=True):
    name: str


class Left(Public, frozen=True):
    seat: Seat


class View(Value, frozen=True):
    seat: Seat | None
    round: int
    points: tuple[int, ...]
    guess: int | None


class HowOften(Value, frozen=True):
    """Have I guessed in this round?"""


class ThisOften(Value, frozen=True):
    times: int


class State:
    def __init__(self, seats: int, options: Options, dice: Dice) -> None:
        self.options = options
        self.dice = dice
        self.round = 0
        self.points = [0] * seats
        self.guesses: list[int | None] = [None] * seats
        self.left = [REPLACEMENTS + 1] * seats
        self.here = [True] * seats
        self.over = False

    @classmethod
    def new(cls, seats: int, options: Options, start: None, dice: Dice) -> "State":
        return cls(seats, options, dice)

    def asks(self) -> dict[By, Ask[Guess]]:
        if self.over:
            return {}
        asks: dict[By, Ask[Guess]] = {None: Ask(span=self.round)}
        for seat, here in enumerate(self.here):
            if here and self.left[seat]:
                choices = tuple(map(Guess, range(NUMBERS)))
                waits = self.guesses[seat] is None
                asks[seat] = GuessAsk(choices=choices, waits=waits, span=self.round, left=self.left[seat])
        return asks

    def play(self, by: By, action: Guess | Table) -> list[Event]:
        if self.over:
            raise IllegalAction("over", "the match is over")
        match action:
            case Guess(number=number) if by is not None:
                if by not in self.asks():
                    raise IllegalAction("not_asked", "no guess is left")
                if not 0 <= number < NUMBERS:
                    raise IllegalAction("no_such_number", f"guess {number}: not from 0 to {NUMBERS - 1}")
                self.guesses[by] = number
                self.left[by] -= 1
                return [Guessed(by, number)]
            case Join(name=name, salt=salt) if by is None and len(self.points) < MOST_SEATS:
                if salt:
                    self.dice.stir(salt.encode())
                self.points.append(0)
                self.guesses.append(None)
                self.left.append(REPLACEMENTS + 1)
                self.here.append(True)
                return [Joined(name)]
            case Leave(seat=seat) if by is None and 0 <= seat < len(self.here):
                self.here[seat] = False
                return [Left(seat)]
            case Close() if by is None:
                return self._draw()
            case Stop() if by is None:
                self.over = True
                return []
            case _:
                raise IllegalAction("not_here", "there is no such thing in lotto")

    def _draw(self) -> list[Event]:
        number = self.dice.below(NUMBERS)
        winners = tuple(seat for seat, guess in enumerate(self.guesses) if guess == number)
        for seat in winners:
            self.points[seat] += 1
        self.round += 1
        self.guesses = [None] * len(self.points)
        self.left = [REPLACEMENTS + 1] * len(self.points)
        self.over = self.round == self.options.rounds
        return [Drawn(number, winners)]

    def amends(self, seat: Seat, faults: Sequence[Fault]) -> Guess | Leave | None:
        return Leave(seat, "kicked") if self.options.kicks and faults[-1].kind == "illegal" else None

    def view(self, who: By) -> View:
        return View(who, self.round, tuple(self.points), None if who is None else self.guesses[who])

    def result(self) -> Result | None:
        if not self.over:
            return None
        ranks = tuple(1 + sum(other > mine for other in self.points) for mine in self.points)
        return Result(tuple(self.points), ranks)

    def copy(self) -> "State":
        twin = State(0, self.options, self.dice.copy())
        twin.round, twin.over = self.round, self.over
        twin.points, twin.guesses, twin.left, twin.here = (
            self.points[:],
            self.guesses[:],
            self.left[:],
            self.here[:],
        )
        return twin

    def redeal(self, seat: Seat, dice: Dice) -> "State":
        twin = self.copy()
        for other, guess in enumerate(self.guesses):
            if other != seat and guess is not None:
                twin.guesses[other] = dice.below(NUMBERS)
                twin.left[other] = dice.below(REPLACEMENTS + 1)
        twin.dice = dice.split()
        return twin

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]


def random(view: View, ask: GuessAsk, dice: Dice) -> Guess:
    return dice.pick(ask.choices or ())


def resolve(options: Options, players: Sequence[Sitting]) -> Options:
    return options


def bound(seats: int, options: Options) -> int:
    return options.rounds * (MOST_SEATS * (REPLACEMENTS + 1) + 1)


def query(view: View, question: HowOften) -> ThisOften:
    return ThisOften(0 if view.guess is None else 1)


GAME: Game[Guess] = Game(
    interface=1,
    name="lotto",
    title="Lotto",
    summary="guess the number",
    rules=Rules(
        version=1,
        seats=range(MOST_SEATS + 1),
        options=Options,
        actions=(Guess,),
        asks=(GuessAsk,),
        events=(Guessed, Drawn, Joined, Left),
        view=View,
        new=State.new,
        resolve=resolve,
        bound=bound,
        query=query,
        questions=(HowOften,),
        replies=(ThisOften,),
    ),
    words=Words(
        say=lambda event, names: repr(event),
        board=lambda view, names: Board("lotto", ("player",), tuple((name,) for name in names)),
    ),
    hosting=Hosting(
        bots={"random": random},
        strengths={"random": "random"},
        seating="open",
    ),
)
