"""A seat cannot tell a position from its redeal, in which all is dealt again that it cannot know.

The checks take any game and raise `Leak`, which says what tells the two apart."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from operator import eq
from typing import Any

import msgspec

from parlour.core import By, Close, Dice, Event, Fault, Game, IllegalAction, Join, Leave, Stop
from parlour.testing.gallery import Gallery, redealt
from parlour.testing.parts import seen
from parlour.testing.subject import Scene, Subject

encode = msgspec.json.encode

KINDS: tuple[Any, ...] = ("unreadable", "illegal", "late", "gone", "unasked")
FAULTS = tuple(Fault(kind, "some_code") for kind in KINDS)
SHOWN = ("view", "ask", "spectator's view", "result")
REDEALS = 2
"""Of one position."""
MOST_REDEALS = 200
"""Of a position in which something is likely to be revealed."""
TRIES = 3
"""Actions of other moments that a seat tries."""


class Leak(AssertionError):
    """A seat can learn what it must not know; or redeal keeps it as it is, so that no check would notice."""


# A position and its redeal


def check_position(state: Any, dealt: Any, seat: int) -> None:
    """The seat is shown the same, and its faults cost the same."""
    shown = zip(SHOWN, seen(state, seat), seen(dealt, seat), strict=True)
    for what in [what for what, one, other in shown if one != other]:
        raise Leak(f"the {what} depends on what seat {seat} cannot know")
    for fault in FAULTS if seat in state.asks() else ():
        if encode(state.amends(seat, [fault])) != encode(dealt.amends(seat, [fault])):
            raise Leak(f"the price of a fault ({fault.kind}) depends on what seat {seat} cannot know")


def check_refusals(state: Any, dealt: Any, seat: int, actions: Iterable[Any]) -> None:
    """The same actions are allowed to the seat, and it is told the same where they are not."""
    for action in actions:
        if outcome(state, seat, action) != outcome(dealt, seat, action):
            raise Leak(f"what becomes of {action} depends on what seat {seat} cannot know")


def outcome(state: Any, seat: int, action: Any) -> Any:
    """Whether it is legal, and what the seat is told if not."""
    try:
        state.copy().play(seat, action)
    except IllegalAction as e:
        return e.code, e.words, e.facts
    return "legal"


def check_playing_on(state: Any, dealt: Any, seat: int, picks: Iterable[int]) -> None:
    """The seat goes on by itself, as long as no answer of its own can end a round: it sees and may do the same."""
    twins = state.copy(), dealt.copy()
    for pick in picks:
        ask = twins[0].asks().get(seat)
        if ask is None or not ask.choices or any(len(twin.asks()) == 1 for twin in twins):
            break
        for twin in twins:
            twin.play(seat, ask.choices[pick % len(ask.choices)])
        check_position(*twins, seat)


def check_events(
    state: Any, dealt: Any, seat: int, inputs: Iterable[tuple[By, Any]], revealing: Collection[str]
) -> None:
    """Events tell the seat no more than its view and ask do, but for what is declared as revealing."""
    for by, action in inputs:
        for field in telling(state, dealt, seat, by, action):
            if field not in revealing:
                raise Leak(f"after {action}, {field} depends on what seat {seat} cannot know")


def telling(state: Any, dealt: Any, seat: int, by: By, action: Any) -> set[str]:
    """The fields of events by which the seat, or a spectator, can tell apart what looks the same before and after."""
    (after, events), (after_dealt, events_dealt) = (_played(position, by, action) for position in (state, dealt))
    if after is None or after_dealt is None or not all(map(eq, seen(after, seat), seen(after_dealt, seat))):
        return set()
    return {field for who in (seat, None) for field in _differing(_shown(events, who), _shown(events_dealt, who))}


def _played(state: Any, by: By, action: Any) -> tuple[Any, list[Event]]:
    twin = state.copy()
    try:
        return twin, twin.play(by, action)
    except IllegalAction:
        return None, []


def _shown(events: Sequence[Event], who: By) -> list[Event]:
    return [shown for event in events if (shown := event.seen_by(who)) is not None]


def _differing(one: list[Event], other: list[Event]) -> Iterator[str]:
    """`Class` where only one of them has such an event, or more of them; `Class.field` where the events differ."""
    counts, counts_other = (Counter(map(_name, events)) for events in (one, other))
    unequal = {name for name in counts | counts_other if counts[name] != counts_other[name]}
    yield from unequal
    rest, rest_other = ([event for event in events if _name(event) not in unequal] for events in (one, other))
    for event, twin in zip(rest, rest_other, strict=True):
        if type(event) is not type(twin):
            yield _name(event)  # they come in another order
        else:
            fields = [field for field in event.__struct_fields__ if _bytes(event, field) != _bytes(twin, field)]
            yield from [f"{_name(event)}.{field}" for field in fields]


def _bytes(event: Event, field: str) -> bytes:
    """As it is sent: values may be equal and still be sent in another order."""
    return encode(getattr(event, field))


def _name(event: Event) -> str:
    return type(event).__name__


def inputs(
    game: Game[Any], tried: Sequence[Any], state: Any, dealt: Any, seats: int, dice: Dice
) -> list[tuple[By, Any]]:
    """What may happen next: acts of the table, and of all seats that are asked some answers, prices and other tries."""
    happening: list[tuple[By, Any]] = [(None, act) for act in (Join("newcomer", "salt"), Close(), Stop())]
    happening += [(None, Leave(seat, "quit")) for seat in range(seats)]
    for position in (state, dealt):
        for seat, ask in position.asks().items():
            if seat is not None:
                answer = game.hosting.bots["random"](position.view(seat), ask, dice)
                actions = [answer, *prices(position, seat), *tried]
                happening += [(seat, action) for action in actions if (seat, action) not in happening]
    return happening


def prices(state: Any, seat: int) -> list[Any]:
    """What the rules may play in the seat's place."""
    costs = [state.amends(seat, [fault] * count) for fault in FAULTS for count in (1, 9)]
    return [cost for cost in costs if cost is not None and not isinstance(cost, Leave)]


def check_leaks(gallery: Gallery, redeals: int = REDEALS) -> None:
    """No position can be told from its redeals: neither at sight, nor by trying, nor by what happens next."""
    game, dice = gallery.subject.game, Dice(b"tries")
    for number in range(redeals):
        for moment in gallery.moments:
            state, seat = moment.state, moment.seat
            dealt = redealt(moment, number)
            check_position(state, dealt, seat)
            check_refusals(state, dealt, seat, some(gallery.actions, dice))
            happening = inputs(game, some(gallery.actions, dice), state, dealt, moment.seats, dice)
            fated = dealt if number % 2 else with_dice_of(state, dealt)
            check_events(state, fated, seat, happening, gallery.subject.revealing)


def with_dice_of(state: Any, dealt: Any) -> Any:
    """The redeal with the same chance to come: what is drawn next no longer hides what else is different."""
    twin = dealt.copy()
    twin.dice = state.dice.copy()
    return twin


def some(actions: Sequence[Any], dice: Dice) -> list[Any]:
    return [dice.pick(actions) for _ in range(TRIES)]


# What is declared


def check_reasons(subject: Subject) -> None:
    """Nothing is declared without a reason."""
    for name, reason in (*subject.deducible.items(), *subject.revealing.items()):
        if not reason.strip():
            raise Leak(f"{name} is declared without a reason")


def check_revealing(gallery: Gallery, scenes: Iterable[Scene]) -> None:
    """All that is declared as revealing does reveal something somewhere, or the declaration is stale."""
    unneeded = set(gallery.subject.revealing)
    for told in chain(_told_in_scenes(scenes), _told_in_moments(gallery)):
        unneeded -= told
        if not unneeded:
            return
    raise Leak(f"declared as revealing, but nothing is revealed by: {', '.join(sorted(unneeded))}")


def _told_in_scenes(scenes: Iterable[Scene]) -> Iterator[set[str]]:
    for scene in scenes:
        for number in range(MOST_REDEALS):
            dealt = scene.state.redeal(scene.seat, Dice(b"redeal %d" % number))
            check_position(scene.state, dealt, scene.seat)
            yield telling(scene.state, dealt, scene.seat, scene.by, scene.action)


def _told_in_moments(gallery: Gallery) -> Iterator[set[str]]:
    game, dice = gallery.subject.game, Dice(b"tries")
    for moment in gallery.moments:
        dealt = redealt(moment, 0)
        for by, action in inputs(game, some(gallery.actions, dice), moment.state, dealt, moment.seats, dice):
            yield telling(moment.state, dealt, moment.seat, by, action)
