"""Plant leaks: states whose rules tell a seat one bit of a secret. One bit must be enough for the checks."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from typing import Any, cast

from msgspec.structs import replace

from parlour.core import Ask, By, Dice, Event, Fault, IllegalAction, Result, Seat, Value
from parlour.testing.leaks import outcome
from parlour.testing.redeals import Secret, covers
from parlour.testing.samples import Moment, Samples
from parlour.testing.state_parts import StatePart, parts
from tests.toys.variants import with_hosting


class Whispered(Event, frozen=True):
    """A bit of a secret, told to the seat that must not know it."""

    seat: Seat
    bit: int

    def seen_by(self, who: By) -> "Whispered | None":
        return self if who == self.seat else None


class Leaky:
    """A state that knows a secret of the rules. The classes below tell a seat one bit of it."""

    def __init__(self, state: Any, secret: str, seat: Seat, seats: int) -> None:
        self.state = state
        self.secret = secret
        self.seat = seat
        self.seats = seats

    def bit(self) -> int:
        return digest([part.of(self.state) for part in self._kept()])

    def _kept(self) -> list[StatePart]:
        return [part for part in parts(self.state, self.seat, self.seats) if covers(self.secret, part.name)]

    @property
    def dice(self) -> Dice:
        dice: Dice = self.state.dice
        return dice

    @dice.setter
    def dice(self, dice: Dice) -> None:
        self.state.dice = dice

    def again(self, state: Any) -> Any:
        return type(self)(state, self.secret, self.seat, self.seats)

    def asks(self) -> Mapping[By, Ask[Any]]:
        asks: Mapping[By, Ask[Any]] = self.state.asks()
        return asks

    def play(self, by: By, action: Any) -> list[Event]:
        events: list[Event] = self.state.play(by, action)
        return events

    def amends(self, seat: int, faults: Sequence[Fault]) -> Any:
        return self.state.amends(seat, faults)

    def view(self, who: By) -> Value:
        view: Value = self.state.view(who)
        return view

    def result(self) -> Result | None:
        result: Result | None = self.state.result()
        return result

    def copy(self) -> Any:
        return self.again(self.state.copy())

    def redeal(self, seat: int, dice: Dice) -> Any:
        return self.again(self.state.redeal(seat, dice))


def digest(values: list[Any]) -> int:
    texts = [str(value.copy().below(1 << 30)) if isinstance(value, Dice) else repr(value) for value in values]
    return blake2b("".join(texts).encode(), digest_size=1).digest()[0] & 1


class InView(Leaky):
    def view(self, who: By) -> Value:
        view: Any = super().view(who)
        if who != self.seat:
            return cast(Value, view)
        first = view.__struct_fields__[0]
        return cast(Value, replace(view, **{first: (getattr(view, first), self.bit())}))


class InOrder(Leaky):
    """Reverses a list of the view if the bit is set."""

    def view(self, who: By) -> Value:
        view: Any = super().view(who)
        fields = view.__struct_fields__ if who == self.seat and self.bit() else ()
        lists = {name: getattr(view, name) for name in fields if isinstance(getattr(view, name), tuple)}
        turned = {name: entries[::-1] for name, entries in lists.items() if entries != entries[::-1]}
        return cast(Value, replace(view, **dict(list(turned.items())[:1])))


class InAsk(Leaky):
    def asks(self) -> Mapping[By, Ask[Any]]:
        asks = super().asks()
        return {who: replace(ask, span=self.bit()) if who == self.seat else ask for who, ask in asks.items()}


class InError(Leaky):
    def play(self, by: By, action: Any) -> list[Event]:
        try:
            return super().play(by, action)
        except IllegalAction as e:
            raise IllegalAction(e.code, f"{e.words} {self.bit()}", e.facts) from None


class InEvent(Leaky):
    def play(self, by: By, action: Any) -> list[Event]:
        return [Whispered(self.seat, self.bit()), *super().play(by, action)]


MOST_MOMENTS = 5
"""How many positions one leak is planted in."""

KINDS: Mapping[str, type[Leaky]] = {
    "view": InView,
    "order of a list": InOrder,
    "ask": InAsk,
    "error": InError,
    "event": InEvent,
}


def leaky(samples: Samples, kind: type[Leaky], secret: Secret) -> Samples:
    """Samples of a game that gives a secret away, in the moments in which it can."""
    moments = tuple(
        replace(moment, state=kind(moment.state, secret.name, moment.seat, moment.seats))
        for moment in secret.dealt
        if can_show(samples, kind, moment)
    )[:MOST_MOMENTS]
    bots = {"random": lambda view, ask, dice: dice.pick(samples.actions)}  # others would trip over a changed view
    game = with_hosting(samples.subject.game, bots=bots, strengths=dict.fromkeys(bots, "random"))
    subject = replace(samples.subject, game=game)
    return Samples(subject, moments, samples.actions)


def can_show(samples: Samples, kind: type[Leaky], moment: Moment) -> bool:
    """Only a seat that is asked has an ask, and only a seat that is refused something reads an error."""
    if kind is InAsk:
        return moment.seat in moment.state.asks()
    if kind is InError:
        return any(outcome(moment.state, moment.seat, action) != "legal" for action in samples.actions)
    return True


def keeping(samples: Samples, secret: Secret | None = None) -> Samples:
    """Samples with a redeal that keeps a secret; without one, the redeal is a plain copy."""

    def redeal(state: Any, seat: Seat, seats: int, dice: Dice) -> Any:
        if secret is None:
            return state.copy()
        dealt = state.redeal(seat, dice)
        for part in parts(state, seat, seats):
            if covers(secret.name, part.name):
                dealt = _restored(dealt, part, state)
        return dealt

    moments = (samples.moments if secret is None else secret.dealt)[:2]
    kept = [replace(it, state=_with_redeal(it.state, partial(redeal, it.state, it.seat, it.seats))) for it in moments]
    return Samples(samples.subject, tuple(kept), samples.actions)


def _restored(dealt: Any, part: StatePart, state: Any) -> Any:
    """The redeal with this part as in the state. If it has no such part, the part that encloses it is restored."""
    try:
        return part.put(dealt, part.of(state))
    except (AttributeError, LookupError, TypeError):
        return _restored(dealt, StatePart(part.name, part.path[:-1]), state)


def _with_redeal(state: Any, redeal: Callable[[Dice], Any]) -> Any:
    """A copy of the state whose class has this redeal for all seats."""
    twin = state.copy()
    twin.__class__ = type("Keeping", (type(state),), {"__slots__": (), "redeal": lambda self, seat, dice: redeal(dice)})
    return twin
