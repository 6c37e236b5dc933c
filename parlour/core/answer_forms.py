"""How the actions of a game are written in answers, and the JSON Schema of these answers."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from parlour.core.answer_values import spoken

VERB = "action"
"""The field of an answer that names the action."""


class AnswerField(Struct, frozen=True):
    """A field of an action as it is written."""

    name: str
    read: Callable[[object], Any]
    """Read its value, or raise Unclear."""
    schema: Mapping[str, object]
    required: bool = True


class AnswerForm(Struct, frozen=True, kw_only=True):
    """How an action is written: `{"action": NAME, ...}`, `NAME(...)` or `NAME ...`."""

    name: str
    make: Callable[..., Any]
    """Make the action of the fields that were given, by name; or raise Unclear."""
    example: str
    """An answer of this form. Refusals show it."""
    fields: tuple[AnswerField, ...] = ()
    aliases: tuple[str, ...] = ()
    words: Callable[[str], Mapping[str, object] | None] | None = None
    """Split the plain words after the name into values by field; None if they do not fit. Without it, the words are
    the value of the only field."""
    offered: bool = True
    """False: such an answer is read, but schemas and refusals do not name it: the rules refuse it now, or another form
    says the same."""
    bare: re.Pattern[str] | None = None
    """An answer in plain words that fits, without the name, is of this form: `5`."""

    def names(self) -> Iterator[str]:
        return map(spoken, (self.name, *self.aliases))


def schema_of(forms: Sequence[AnswerForm]) -> dict[str, object]:
    """A JSON Schema of the answers of these forms: one object, with the name of the action and all fields."""
    forms = [form for form in forms if form.offered]
    properties: dict[str, Any] = {VERB: {"type": "string", "enum": [form.name for form in forms]}}
    for form in forms:
        for field in form.fields:
            same = properties.setdefault(field.name, dict(field.schema))
            if same != field.schema:
                properties[field.name] = {"anyOf": [*same.get("anyOf", [same]), dict(field.schema)]}
    always = [f.name for f in forms[0].fields if f.required and all(f in form.fields for form in forms)]
    return {"type": "object", "properties": properties, "required": [VERB, *always], "additionalProperties": False}


def written(name: str, fields: Mapping[str, object]) -> str:
    """An answer as one line of JSON."""
    return msgspec.json.encode({VERB: name, **fields}).decode()
