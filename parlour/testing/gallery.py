"""Positions of a game to try things in: the same ones every time, from whole matches under all house rules."""

from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from parlour.core import Dice
from parlour.testing.subject import Subject
from parlour.testing.walk import Case, Walk

MOST_STEPS = 300
"""Of one match."""
MOST_MOMENTS = 20
"""From one match."""
MOST_ACTIONS = 40
"""Of the bot's."""


class Moment(Struct, frozen=True):
    """A position, and a seat that looks at it."""

    state: Any
    seat: int
    seats: int
    likes: tuple[Any, ...]
    """Other positions with as many seats: earlier in the match, and of another match under the same rules."""


def redealt(moment: Moment, number: int) -> Any:
    """One of the moment's redeals; the same number gives the same."""
    return moment.state.redeal(moment.seat, Dice(b"redeal %d" % number))


class Gallery(Struct, frozen=True):
    """Many moments of one game, and actions to try: what the random bot chose in some of them, and wilder ones."""

    subject: Subject
    moments: tuple[Moment, ...]
    actions: tuple[Any, ...]


def gallery(subject: Subject) -> Gallery:
    """Two matches under each set of house rules, the second with faults, departures and newcomers."""
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
    return Gallery(subject, tuple(moments), (*some, *map(wild, some)))


def answers(subject: Subject, state: Any, dice: Dice) -> Iterator[Any]:
    """What the random bot would answer in each seat that is asked."""
    for seat, ask in state.asks().items():
        if seat is not None:
            yield subject.game.hosting.bots["random"](state.view(seat), ask, dice)


def wild(action: Any) -> Any:
    """The action with numbers that are far too high."""
    numbers = {name: getattr(action, name) for name in action.__struct_fields__}
    return replace(action, **{name: number + 1000 for name, number in numbers.items() if type(number) is int})


def _positions(case: Case) -> Iterator[tuple[Any, int]]:
    """States and numbers of seats, from the beginning to the end of a match, and of each kind of question as many."""
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
    most = MOST_MOMENTS // len(phases)
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
    """The two that look most like it to a spectator: what is hidden differs all the same."""
    view = state.view(None)
    fields = view.__struct_fields__

    def likeness(other: tuple[Any, int]) -> int:
        twin = other[0].view(None)
        return sum(getattr(view, field) == getattr(twin, field) for field in fields)

    return sorted(others, key=likeness)[-2:]
