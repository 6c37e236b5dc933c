"""Base classes for objects that are copied, and for states and their parts, which are also compared."""

from functools import cache
from typing import Any

from mypy_extensions import mypyc_attr


@cache
def _outside_dict(kind: Any) -> tuple[str, ...]:
    """The names of attributes that objects of this class have outside of `__dict__`, as those of compiled classes."""
    slots = [name for parent in kind.__mro__ for name in parent.__dict__.get("__slots__", ())]
    names = (*getattr(kind, "__mypyc_attrs__", ()), *slots)
    return tuple([name for name in names if name != "__dict__"])


def fields_of(thing: Any) -> list[str]:
    """The names of all attributes of an object that are set."""
    kind: Any = type(thing)
    inside: list[str] = [*getattr(thing, "__dict__", ())]
    return inside + [name for name in _outside_dict(kind) if hasattr(thing, name)]


def _inside(thing: Any) -> dict[str, Any] | None:
    """The dict of an object that has all its attributes there."""
    kind: Any = type(thing)
    return None if _outside_dict(kind) else thing.__dict__


def public_fields(thing: Any) -> list[str]:
    """The same without those that begin with an underscore."""
    return [name for name in fields_of(thing) if name[0] != "_"]


@mypyc_attr(allow_interpreted_subclasses=True)
class Copyable:
    """Can be copied and pickled, compiled or not. A compiled subclass needs the decorator above, too."""

    __slots__ = ()

    def __getstate__(self) -> dict[str, Any]:
        inside = _inside(self)
        return {name: getattr(self, name) for name in fields_of(self)} if inside is None else inside

    def __setstate__(self, state: dict[str, Any]) -> None:
        inside = _inside(self)
        if inside is not None:
            inside.update(state)
            return
        for name, value in state.items():
            setattr(self, name, value)


@mypyc_attr(allow_interpreted_subclasses=True)
class Comparable(Copyable):  # noqa: PLW1641  # mutable, so it has no hash
    """Equal to another object of its class if all public attributes are equal."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = public_fields(self)
        return {*names} == {*public_fields(other)} and all(getattr(self, it) == getattr(other, it) for it in names)
