"""The base class of all values, and names, seats and texts."""

import re
from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

Seat: TypeAlias = Annotated[int, Meta(extra_json_schema={"format": "seat"})]
"""A place at the table, counted from 0. In a JSON Schema its format tells it from other numbers."""


class Value(Struct, frozen=True, tag=True, forbid_unknown_fields=True, gc=False):
    """A small frozen value. On the wire it is a JSON object with the class name under "type"."""


MOST_NAME = 64
MOST_WORDS = 300
_SHOWN = r"[^\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"
# No control characters and none that change the direction or break the line. (?!\n): $ alone allows a final newline.
Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=MOST_NAME, pattern=rf"^{_SHOWN}*$(?!\n)")]
Word: TypeAlias = Annotated[str, Meta(max_length=32, pattern=r"^[ -~]*$(?!\n)")]
Salt: TypeAlias = Annotated[str, Meta(max_length=128)]


def why_not_a_name(name: object) -> str | None:
    """Why this is not a valid name, or None if it is."""
    if not isinstance(name, str) or not name.strip():
        return f"a name is text of 1 to {MOST_NAME} characters"
    if len(name) > MOST_NAME:
        return f"a name has at most {MOST_NAME} characters, and this one has {len(name)}"
    for place, letter in enumerate(name, start=1):
        if not re.fullmatch(_SHOWN, letter) or "\ud800" <= letter <= "\udfff":
            return f"a name has printable characters only, and character {place} of this one is U+{ord(letter):04X}"
    return None


def rule(words: str) -> Meta:
    """Describe a house rule in one line, beside its type: `fair: Annotated[bool, rule("...")] = True`."""
    return Meta(description=words)


def any_of(types: Iterable[Any]) -> Any:
    """The union of types that are known only at run time."""
    return reduce(or_, types)


def plain(text: str, most: int = MOST_WORDS) -> str:
    """Shorten a foreign text, and replace characters that a terminal might obey."""
    return "".join(c if c.isprintable() else "?" for c in text[:most])


_BREAKS = re.compile("[\t-\r\x1c-\x1f\x85\u2028\u2029]+")
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f\ufff9-\ufffb]")


def without_controls(text: str) -> str:
    """Turn line breaks and tabs into spaces, and remove control and direction characters."""
    return text if text.isprintable() else _CONTROLS.sub("", _BREAKS.sub(" ", text))


def action_words(action: Value) -> str:
    """An action as a person would type it: `bid 5`, `sell any`, `discard estate, copper`."""
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(action).__name__).lower()
    fields = (getattr(action, field) for field in action.__struct_fields__)
    return " ".join([name, *(_field_in_words(value) for value in fields if value not in (None, (), ""))])


def _field_in_words(value: Any) -> str:
    if isinstance(value, tuple | list):
        return ", ".join(map(_field_in_words, value))
    if isinstance(value, dict):
        return ", ".join(f"{amount} {name}" for name, amount in value.items())
    return action_words(value) if isinstance(value, Value) else str(value)


class Sitting(Value, frozen=True):
    """A player about to be seated: a name, a salt for the dice, and facts that the game may use."""

    name: Name
    salt: Salt = ""
    about: dict[str, int | str] = {}
