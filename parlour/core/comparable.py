"""A base class for states and their parts: equality by public attributes."""

from typing import Any

from mypy_extensions import mypyc_attr


def fields_of(thing: Any) -> list[str]:
    """The names of all attributes of an object that are set."""
    kind = type(thing)
    names: list[str] = [*getattr(thing, "__dict__", ())]
    names += getattr(kind, "__mypyc_attrs__", ())  # of compiled classes, whose objects have no dict
    for parent in kind.__mro__:
        names += parent.__dict__.get("__slots__", ())
    return [name for name in dict.fromkeys(names) if name != "__dict__" and hasattr(thing, name)]


def public_fields(thing: Any) -> list[str]:
    """The same without those that begin with an underscore."""
    return [name for name in fields_of(thing) if name[0] != "_"]


@mypyc_attr(allow_interpreted_subclasses=True)
class Comparable:  # noqa: PLW1641  # mutable, so it has no hash
    """Equal to another object of its class if all public attributes are equal. Mutable, so without a hash.

    It can be copied and pickled, compiled or not; a compiled class needs the decorator above for that."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = public_fields(self)
        return {*names} == {*public_fields(other)} and all(getattr(self, it) == getattr(other, it) for it in names)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in fields_of(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
