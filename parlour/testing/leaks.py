"""Find leaks: a seat must not be able to tell a position from its redeal, in which everything it cannot know differs.

The checks work for every game. They raise `Leak`, which says how a seat can tell the two apart.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from operator import eq
from typing import Any

import msgspec

from parlour.core import By, Close, Dice, Event, Fault, Game, IllegalAction, Join, Leave, Stop
from parlour.testing.samples import Samples, redealt
from parlour.testing.state_parts import seen
from parlour.testing.subject import Scene, Subject

encode = msgspec.json.encode
decode = msgspec.json.decode

KINDS: tuple[Any, ...] = ("unreadable", "illegal", "late", "gone", "unasked")
FAULTS = tuple(Fault(kind, "some_code") for kind in KINDS)
SHOWN = ("view", "ask", "spectator's view", "result")
REDEALS = 2
"""Redeals of one position."""
MOST_REDEALS = 200
"""Redeals of a scene, in which something is likely to be revealed."""
TRIES = 3
"""Actions from other moments that a seat tries."""


class Leak(AssertionError):
    """A seat can learn something that it must not know, or redeal keeps a secret, so that no check would notice."""


# A position and its redeal


def check_position(state: Any, dealt: Any, seat: int) -> None:
    """The seat is shown the same, and its faults cost the same."""
    shown = zip(SHOWN, seen(state, seat), seen(dealt, seat), strict=True)
    for what in [what for what, one, other in shown if one != other]:
        raise Leak(f"the {what} depends on what seat {seat} cannot know: {_both(state, dealt, seat, what)}")
    for fault in FAULTS if seat in state.asks() else ():
        if encode(state.amends(seat, [fault])) != encode(dealt.amends(seat, [fault])):
            raise Leak(f"the price of a fault ({fault.kind}) depends on what seat {seat} cannot know; see amends")


def _both(state: Any, dealt: Any, seat: int, what: str) -> str:
    """The difference between the position and its redeal as the seat is shown them: single fields, if possible."""
    one, other = (list(seen(position, seat))[SHOWN.index(what)] for position in (state, dealt))
    fields, fields_dealt = decode(one), decode(other)
    if isinstance(fields, dict) and isinstance(fields_dealt, dict) and fields.keys() == fields_dealt.keys():
        differing = [name for name in fields if fields[name] != fields_dealt[name]]
        if differing:
            return ", ".join(f"{name} is {fields[name]}, or {fields_dealt[name]} after a redeal" for name in differing)
    return f"it is {one.decode()}, or {other.decode()} after a redeal"


def check_refusals(state: Any, dealt: Any, seat: int, actions: Iterable[Any]) -> None:
    """The same actions are allowed to the seat, and it is told the same where they are not."""
    for action in actions:
        if outcome(state, seat, action) != outcome(dealt, seat, action):
            both = f"{outcome(state, seat, action)}, or {outcome(dealt, seat, action)} after a redeal"
            raise Leak(f"whether {action} is legal, or why not, depends on what seat {seat} cannot know: {both}")


def outcome(state: Any, seat: int, action: Any) -> Any:
    """Whether the action is legal, and the refusal that the seat is told otherwise."""
    try:
        state.copy().play(seat, action)
    except IllegalAction as e:
        return e.code, e.words, e.facts
    return "legal"


def check_playing_on(state: Any, dealt: Any, seat: int, picks: Iterable[int]) -> None:
    """Let the seat play on alone, as long as others are asked, too: in both positions it sees and may do the same."""
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
    """Events tell the seat no more than its view and ask do, except for fields that are declared as revealing."""
    for by, action in inputs:
        for field in telling(state, dealt, seat, by, action):
            if field not in revealing:
                raise Leak(
                    f"after {action}, the event {field} depends on what seat {seat} cannot know, and no view shows it. "
                    "Hide it in seen_by; or, if the rules reveal it, declare it in Subject.revealing."
                )


def telling(state: Any, dealt: Any, seat: int, by: By, action: Any) -> set[str]:
    """Fields of events by which the seat or a spectator tells apart positions that look the same before and after."""
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
    """`Class` if the numbers of such events differ; `Class.field` if a field differs."""
    counts, counts_other = (Counter(map(_name, events)) for events in (one, other))
    unequal = {name for name in counts | counts_other if counts[name] != counts_other[name]}
    yield from unequal
    rest, rest_other = ([event for event in events if _name(event) not in unequal] for events in (one, other))
    for event, twin in zip(rest, rest_other, strict=True):
        if type(event) is not type(twin):
            yield _name(event)  # the events are in another order
        else:
            fields = [field for field in event.__struct_fields__ if _bytes(event, field) != _bytes(twin, field)]
            yield from [f"{_name(event)}.{field}" for field in fields]


def _bytes(event: Event, field: str) -> bytes:
    """The field as it is sent: equal mappings may be sent in different orders."""
    return encode(getattr(event, field))


def _name(event: Event) -> str:
    return type(event).__name__


def inputs(
    game: Game[Any], tried: Sequence[Any], state: Any, dealt: Any, seats: int, dice: Dice
) -> list[tuple[By, Any]]:
    """Inputs to try: acts of the table, and for each asked seat an answer, its prices and some other actions."""
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
    """Actions that the rules may play in place of the seat."""
    costs = [state.amends(seat, [fault] * count) for fault in FAULTS for count in (1, 9)]
    return [cost for cost in costs if cost is not None and not isinstance(cost, Leave)]


def check_leaks(samples: Samples, redeals: int = REDEALS) -> None:
    """No position can be told from its redeals: not by its view, not by trying actions, not by what happens next."""
    game, dice = samples.subject.game, Dice(b"tries")
    for number in range(redeals):
        for moment in samples.moments:
            state, seat = moment.state, moment.seat
            dealt = redealt(moment, number)
            check_position(state, dealt, seat)
            check_refusals(state, dealt, seat, some(samples.actions, dice))
            happening = inputs(game, some(samples.actions, dice), state, dealt, moment.seats, dice)
            fated = dealt if number % 2 else with_dice_of(state, dealt)
            check_events(state, fated, seat, happening, samples.subject.revealing)


def with_dice_of(state: Any, dealt: Any) -> Any:
    """The redeal with the dice of the original, so that different draws do not cover other differences."""
    twin = dealt.copy()
    twin.dice = state.dice.copy()
    return twin


def some(actions: Sequence[Any], dice: Dice) -> list[Any]:
    return [dice.pick(actions) for _ in range(TRIES)]


# What is declared


def check_reasons(subject: Subject) -> None:
    """Every declaration has a reason."""
    for name, reason in (*subject.deducible.items(), *subject.revealing.items()):
        if not reason.strip():
            raise Leak(f"{name} is declared in the subject without a reason.")


def check_revealing(samples: Samples, scenes: Iterable[Scene]) -> None:
    """Every field that is declared as revealing reveals something in some position."""
    unneeded = set(samples.subject.revealing)
    for told in chain(_told_in_scenes(scenes), _told_in_moments(samples)):
        unneeded -= told
        if not unneeded:
            return
    raise Leak(
        f"declared as revealing, but nothing is revealed by: {', '.join(sorted(unneeded))}. Remove the declaration, "
        "or add a position in which it reveals something to Subject.scenes."
    )


def _told_in_scenes(scenes: Iterable[Scene]) -> Iterator[set[str]]:
    for scene in scenes:
        for number in range(MOST_REDEALS):
            dealt = scene.state.redeal(scene.seat, Dice(b"redeal %d" % number))
            check_position(scene.state, dealt, scene.seat)
            yield telling(scene.state, dealt, scene.seat, scene.by, scene.action)


def _told_in_moments(samples: Samples) -> Iterator[set[str]]:
    game, dice = samples.subject.game, Dice(b"tries")
    for moment in samples.moments:
        dealt = redealt(moment, 0)
        for by, action in inputs(game, some(samples.actions, dice), moment.state, dealt, moment.seats, dice):
            yield telling(moment.state, dealt, moment.seat, by, action)
