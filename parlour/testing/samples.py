"""Sample positions of a game: the same ones in every run, from whole matches under all house rules of the subject."""

from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from parlour.core import Dice
from parlour.testing.subject import Subject
from parlour.testing.walk import Case, Walk

MOST_STEPS = 300
"""Inputs to one match."""
MOST_MOMENTS = 20
"""Positions taken from one match."""
MOST_ACTIONS = 40
"""Actions of the random bot that are tried elsewhere."""


class Moment(Struct, frozen=True):
    """A position, and a seat whose knowledge of it is examined."""

    state: Any
    seat: int
    seats: int
    likes: tuple[Any, ...]
    """Other positions with as many seats: earlier in the match, and of another match under the same rules."""


def redealt(moment: Moment, number: int) -> Any:
    """A redeal of the moment for its seat; the same number always gives the same one."""
    return moment.state.redeal(moment.seat, Dice(b"redeal %d" % number))


class Samples(Struct, frozen=True):
    """Moments of one game, and actions to try in them: some of the random bot's, and the same with absurd numbers."""

    subject: Subject
    moments: tuple[Moment, ...]
    actions: tuple[Any, ...]


def samples_of(subject: Subject) -> Samples:
    """Play two matches under each set of house rules, the second with faults, departures and newcomers."""
    moments: list[Moment] = []
    actions: list[Any] = []
    dice = Dice(b"answers")
    for number, options in enumerate(subject.options):
        seats = subject.seats[-1 - number % len(subject.seats)]
        cases = [Case(subject, seats, options, b"%d %d" % (number, rough), 0, rough) for rough in (False, True)]
        calm, rough = (list(_positions(case)) for case in cases)
        moments += [*_moments(calm, rough), *_moments(rough, calm)]
        actions += [action for state, _ in [*calm, *rough] for action in answers(subject, state, dice)]
    some = actions[:: 1 + len(actions) // MOST_ACTIONS]
    return Samples(subject, tuple(moments), (*some, *map(wild, some)))


def answers(subject: Subject, state: Any, dice: Dice) -> Iterator[Any]:
    """The random bot's answer at each seat that is asked."""
    for seat, ask in state.asks().items():
        if seat is not None:
            yield subject.game.hosting.bots["random"](state.view(seat), ask, dice)


def wild(action: Any) -> Any:
    """The action with numbers that are far too high."""
    numbers = {name: getattr(action, name) for name in action.__struct_fields__}
    return replace(action, **{name: number + 1000 for name, number in numbers.items() if type(number) is int})


def _positions(case: Case) -> Iterator[tuple[Any, int]]:
    """States of a match with their numbers of seats, in order, and equally many for each combination of open asks."""
    walk = Walk(case).begin()
    states = [(walk.match.state.copy(), len(walk.match.names))]
    for _ in range(MOST_STEPS):
        if walk.match.end is not None:
            break
        walk.step()
        states.append((walk.match.state.copy(), len(walk.match.names)))
    phases: dict[frozenset[type], list[tuple[int, tuple[Any, int]]]] = {}
    for number, (state, seats) in enumerate(states):
        phases.setdefault(frozenset(map(type, state.asks().values())), []).append((number, (state, seats)))
    most = max(1, MOST_MOMENTS // len(phases))
    chosen = [entry for entries in phases.values() for entry in entries[:: -(-len(entries) // most)]]
    yield from [position for _, position in sorted(chosen, key=itemgetter(0))]


def _moments(states: list[tuple[Any, int]], others: list[tuple[Any, int]]) -> Iterator[Moment]:
    dice = Dice(b"seats")
    for number, (state, seats) in enumerate(states):
        before, like = states[max(0, number - 1) : number], others[number % len(others) :][:1]
        likes = [*before, *like, *_most_like(state, states[: max(0, number - 1)]), *_most_like(state, others)]
        if seats:
            yield Moment(state, dice.below(seats), seats, tuple(other for other, count in likes if count == seats))


def _most_like(state: Any, others: list[tuple[Any, int]]) -> list[tuple[Any, int]]:
    """The two positions that look most like it to a spectator; their hidden parts differ nevertheless."""
    view = state.view(None)
    fields = view.__struct_fields__

    def likeness(other: tuple[Any, int]) -> int:
        twin = other[0].view(None)
        return sum(getattr(view, field) == getattr(twin, field) for field in fields)

    return sorted(others, key=likeness)[-2:]
