"""Take a state apart, and find out by experiment which parts of it are hidden from a seat.

A part is hidden if giving it another value, taken from another position, changes neither the seat's view, nor its ask,
nor the view of a spectator. So no game has to declare its secrets.
"""

import copy
from collections.abc import Iterator, Mapping
from operator import eq
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct

from parlour.core import By
from parlour.core.comparable import fields_of

encode = msgspec.json.encode

Step: TypeAlias = Any
"""The name of a field, or the index or key of an entry."""


class StatePart(Struct, frozen=True):
    """A place inside a state."""

    name: str
    """Its name from the point of view of one seat, such as `holdings[other].hand`."""
    path: tuple[Step, ...]

    def of(self, state: Any) -> Any:
        value = state
        for step in self.path:
            value = value[step] if isinstance(value, Mapping | list | tuple) else getattr(value, step)
        return value

    def put(self, state: Any, new: Any) -> Any:
        """A copy of the state with this part replaced."""
        return _put(state.copy(), self.path, new)


def parts(state: Any, seat: int, seats: int, like: Any = None) -> Iterator[StatePart]:
    """The smallest parts, named from the seat's point of view. If `like` is a state, only parts that both have."""
    yield from _Apart(seat, seats).parts(state, state if like is None else like, StatePart("", ()))


def hidden(state: Any, seat: int, seats: int, like: Any) -> Iterator[StatePart]:
    """The parts that the seat cannot see, among those that are different in the other state."""
    shown = list(seen(state, seat))
    for part in parts(state, seat, seats, like):
        new = part.of(like)
        if not equal(part.of(state), new) and _looks(part.put(state, new), seat, shown):
            yield part


def seen(state: Any, seat: int) -> Iterator[bytes]:
    """Everything that a position shows to a seat: its view and ask, the spectator's view, and the result."""
    yield encode(state.view(seat))
    yield encode(state.asks().get(seat))
    yield encode(state.view(None))
    yield encode(state.result())


def equal(one: Any, other: Any) -> bool:
    """Whether two values are equal. They may be NumPy arrays, which compare entry by entry."""
    same = one == other
    return same if isinstance(same, bool) else bool(same.all())


def _looks(state: Any, seat: int, shown: list[bytes]) -> bool:
    try:
        return all(map(eq, seen(state, seat), shown))
    except Exception:  # the value does not fit into this state, which says nothing about the part
        return False


class _Apart(Struct, frozen=True):
    """Takes apart objects with fields, collections with one entry for each seat, and collections of objects."""

    seat: int
    seats: int
    by_seat: bool = True
    """False below the entry of a seat: a collection with as many entries as there are seats is so by chance."""

    def parts(self, one: Any, other: Any, at: StatePart) -> Iterator[StatePart]:
        alike = isinstance(one, type(other)) or isinstance(other, type(one))
        entries = self.entries(one) if alike else []
        if not entries or entries != self.entries(other):
            yield at
            return
        for label, step in entries:
            below = StatePart("", (step,))
            whole = StatePart(f"{at.name}{label}".removeprefix("."), (*at.path, step))
            inside = _Apart(self.seat, self.seats, by_seat=False) if label in WHOSE else self
            yield from inside.parts(below.of(one), below.of(other), whole)

    def entries(self, value: Any) -> list[tuple[str, Step]]:
        """The labelled entries of a value; none if the value is not taken apart."""
        if isinstance(value, Mapping):
            if self.by_seat and value.keys() <= {None, *range(self.seats)}:
                return [(self.whose(key), key) for key in value]
            composed = any(isinstance(entry, list | tuple | Mapping) or _fields(entry) for entry in value.values())
            return [(f".{key}", key) for key in value] if composed else []
        if isinstance(value, list | tuple):
            if self.by_seat and len(value) == self.seats:
                return [(self.whose(index), index) for index in range(self.seats)]
            each = isinstance(value, list) and any(map(_fields, value))
            return [("[each]", index) for index in range(len(value))] if each else []
        return [(f".{name}", name) for name in _fields(value)]

    def whose(self, who: By) -> str:
        return "[spectator]" if who is None else "[own]" if who == self.seat else "[other]"


WHOSE = ("[own]", "[other]", "[spectator]")


def _fields(value: Any) -> list[str]:
    if isinstance(value, str | int | float | type) or callable(value):
        return []
    names = getattr(value, "__struct_fields__", None) or fields_of(value)
    return [name for name in names if name[0] != "_"]


def _put(value: Any, path: tuple[Step, ...], new: Any) -> Any:
    if not path:
        return new
    step, *rest = path
    if isinstance(value, Mapping):
        return {**value, step: _put(value[step], tuple(rest), new)}
    if isinstance(value, list | tuple):
        return type(value)([*value[:step], _put(value[step], tuple(rest), new), *value[step + 1 :]])
    inner = _put(getattr(value, step), tuple(rest), new)
    if isinstance(value, Struct):
        return msgspec.structs.replace(value, **{step: inner})
    twin = copy.copy(value)
    object.__setattr__(twin, step, inner)
    return twin
