"""Options added to a game after its first release, and reading of headers that lack them."""

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar, get_type_hints

import msgspec
from msgspec import Meta, Raw
from msgspec.structs import replace

from parlour.core.values import Value

V = TypeVar("V", bound=Value)

_LEGACY = "legacy"


def legacy(value: Any) -> Meta:
    """Mark a field as added later. A header without the field is read with this value, which keeps the old behaviour.

    Such fields come last in their type, in the order in which they were added:

        refunds: Annotated[Literal["half", "none"], legacy("half")] = "none"
    """
    return Meta(extra={_LEGACY: value})


@cache
def legacy_values(kind: type[Value]) -> Mapping[str, Any]:
    """The fields that old headers may lack, each with the value it is then read as."""
    hints = get_type_hints(kind, include_extras=True)
    return {
        name: mark.extra[_LEGACY]
        for name in kind.__struct_fields__
        for mark in getattr(hints[name], "__metadata__", ())
        if isinstance(mark, Meta) and mark.extra is not None and _LEGACY in mark.extra
    }


def read_house_rules(options: type[V], given: Mapping[str, Any]) -> V:
    """The options of a game by name, or msgspec.ValidationError."""
    return msgspec.convert({"type": options.__name__, **given}, options)


def read_recorded(raw: Raw, kind: type[V]) -> V:
    """Decode options or a position from a header; ValueError unless this or an older release writes these bytes.

    An older release omits the last fields that it does not know; each of these must have a legacy value.
    """
    value = msgspec.json.decode(raw, type=kind)
    if msgspec.json.encode(value) == bytes(raw):
        return value
    given = msgspec.json.decode(raw, type=dict[str, Raw])
    missing = [name for name in kind.__struct_fields__ if name not in given]
    if not missing or missing != [*legacy_values(kind)][-len(missing) :]:
        raise ValueError(f"{kind.__name__} is not written as the game would write it")
    filled = replace(value, **{name: legacy_values(kind)[name] for name in missing})
    whole = msgspec.json.decode(msgspec.json.encode(filled), type=dict[str, Raw])
    if msgspec.json.encode({name: part for name, part in whole.items() if name not in missing}) != bytes(raw):
        raise ValueError(f"{kind.__name__} is not written as an older release would write it")
    return filled
