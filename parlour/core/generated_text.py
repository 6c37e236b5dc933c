"""The text form of a game that has none of its own, generated from its types; and house rules in words."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

import msgspec

from parlour.core.answer_forms import VERB, AnswerField, AnswerForm, schema_of, written
from parlour.core.answer_reading import read_answer
from parlour.core.answer_values import Unclear, seat_of, spoken, whole
from parlour.core.definition import Game
from parlour.core.game import Event
from parlour.core.quoting import one_line, player
from parlour.core.text import TextForm
from parlour.core.values import Seat

MOST_LISTED = 60
"""Legal answers that are listed one by one."""

MOST_VALUE = 4000
"""Characters of one field of a view, or of one event."""


def text_of(game: Game[Any]) -> TextForm:
    """The game's own text form, or one generated from its types."""
    if game.text is not None:
        return game.text
    known = _known.get(game.name)
    if known is None or known[0] is not game:
        known = _known[game.name] = game, _generated(game)
    return known[1]


_known: dict[str, tuple[Game[Any], TextForm]] = {}
"""The last generated form of each name, with its game."""


def house_rules(game: Game[Any], options: Any) -> str:
    """The house rules of a match as a list, one line each. Those that differ from the usual ones are marked."""
    usual = game.rules.options()
    lines = []
    for field in msgspec.inspect.type_info(game.rules.options).fields:  # type: ignore[attr-defined]
        value = getattr(options, field.name)
        words = (getattr(field.type, "extra_json_schema", None) or {}).get("description", "")
        note = "" if value == getattr(usual, field.name) else " (not the usual value)"
        lines.append(f"- {field.name} = {_compact(value)}{note}. {words}".rstrip())
    return "\n".join(lines)


def rules_text(game: Game[Any], options: Any = None) -> str:
    """The rules for a reader that does not know the game, with the house rules of this match; None: the usual ones."""
    rules = text_of(game).rules.rstrip()
    listed = house_rules(game, game.rules.options() if options is None else options)
    return f"{rules}\n\n## House rules of this match\n\n{listed}\n" if listed else f"{rules}\n"


def _compact(value: Any) -> str:
    """A value as one line of ASCII, in which foreign text can neither end a line or a fence nor begin a tag."""
    text = (
        json.dumps(msgspec.to_builtins(value), separators=(", ", ": ")).replace("`", "\\u0060").replace("<", "\\u003c")
    )
    left = len(text) - MOST_VALUE
    return text if left <= 0 else f"{text[:MOST_VALUE]} ... and {left} more characters"


def _generated(game: Game[Any]) -> TextForm:
    """Writes views and events as JSON by field, and reads actions by their fields."""
    kinds = game.rules.actions
    return TextForm(
        rules=_rules(game),
        view=_view,
        event=_event,
        ask=lambda ask, view, names: _question(ask, kinds, names),
        schema=lambda ask, view, names: _schema(ask, kinds, names),
        render=_render,
        parse=lambda text, ask, view, names: read_answer(text, [_form(kind, names) for kind in kinds]),
    )


def _rules(game: Game[Any]) -> str:
    actions = [f"- `{_verb(kind)}`: {_about(kind)}" for kind in game.rules.actions]
    guide = game.words.guide or f"{game.summary.capitalize()}."
    return "\n".join([f"# {game.title}", "", guide.strip(), "", "## Actions", "", *actions]) + "\n"


def _question(ask: Any, kinds: Sequence[Any], names: Sequence[str]) -> str:
    facts = [f"{name}: {_compact(getattr(ask, name))}" for name in ask.__struct_fields__ if name not in _ASKS]
    if ask.choices is not None and len(ask.choices) <= MOST_LISTED:
        forms = ["Answer with one of:", *(f"- {_render(choice, names)}" for choice in ask.choices)]
    else:
        forms = ["Answer in one of these forms:", *(f"- {form}" for form in _examples(ask, kinds, names))]
    return "\n".join([f"Your decision: {_about(type(ask))}", *facts, *forms])


_ASKS = ("choices", "waits", "span")


def _view(view: Any, names: Sequence[str]) -> str:
    seats = ", ".join(player(names, seat) for seat in range(len(names)))
    own = getattr(view, "seat", None)
    fields = [name for name in view.__struct_fields__ if name != "seat" or own is None]
    you = [] if own is None else [f"You are {player(names, own)}."]
    return "\n".join([f"Players: {seats}.", *you, *(f"{name}: {_compact(getattr(view, name))}" for name in fields)])


def _event(event: Event, names: Sequence[str], reader: Seat | None) -> str:
    seats = [name for name, kind in _types(type(event)).items() if _is_seat(kind)]
    who = {name: getattr(event, name) for name in seats if isinstance(getattr(event, name), int)}
    noted = "".join(f" [{name}: {player(names, seat, reader)}]" for name, seat in who.items())
    fields = {name: msgspec.to_builtins(getattr(event, name)) for name in event.__struct_fields__}
    return f"{type(event).__name__}{noted} {_compact(fields)}"


def _about(kind: Any) -> str:
    return one_line(kind.__doc__ or kind.__name__)


def _verb(kind: Any) -> str:
    return spoken(kind.__name__).replace(" ", "_")


@cache
def _types(kind: Any) -> dict[str, Any]:
    """The types of the fields."""
    return {field.encode_name: field.type for field in msgspec.inspect.type_info(kind).fields}  # type: ignore[attr-defined]


def _is_seat(kind: Any) -> bool:
    return (getattr(kind, "extra_json_schema", None) or {}).get("format") == "seat"


@cache
def _field_schemas(kind: Any) -> tuple[dict[str, Any], dict[str, Any], frozenset[str]]:
    """The schemas of the fields, the definitions that they refer to, and the names of the fields that are required."""
    (_,), defs = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    own = defs.pop(kind.__name__)
    schemas = {name: part for name, part in own["properties"].items() if name != "type"}
    return schemas, defs, frozenset(own.get("required", ()))


def _form(kind: Any, names: Sequence[str]) -> AnswerForm:
    types, (schemas, _, required) = _types(kind), _field_schemas(kind)
    fields = [AnswerField(_free(name), _reader(types[name], names), schemas[name], name in required) for name in types]
    words = partial(_positional, tuple(types)) if fields else _nothing
    make = partial(_made, kind)
    return AnswerForm(
        name=_verb(kind), make=make, example=_pattern(kind), fields=tuple(fields), aliases=(kind.__name__,), words=words
    )


def _free(name: str) -> str:
    """The name of a field in an answer, in which `action` names the action."""
    return f"{name}_" if name == VERB else name


def _reader(kind: Any, names: Sequence[str]) -> Callable[[object], Any]:
    if _is_seat(kind):
        return seat_of(names)
    plain = kind.type if isinstance(kind, msgspec.inspect.Metadata) else kind
    return whole if isinstance(plain, msgspec.inspect.IntType) else lambda value: value


def _made(kind: Any, **fields: Any) -> Any:
    given = {name: fields[_free(name)] for name in _types(kind) if _free(name) in fields}
    try:
        return msgspec.convert(given | {"type": kind.__name__}, kind, strict=False)
    except msgspec.ValidationError as e:
        raise Unclear(one_line(str(e))) from None


def _nothing(rest: str) -> Mapping[str, object] | None:
    return None if rest else {}


def _positional(names: tuple[str, ...], rest: str) -> Mapping[str, object] | None:
    """Plain words as values by position. Only single words and numbers are possible."""
    said = rest.replace(",", " ").split()
    if len(said) > len(names):
        return None
    return {_free(name): word.strip(".\"'") for name, word in zip(names, said, strict=False)}


def _pattern(kind: Any) -> str:
    """An example of the action, with values that its types allow."""
    schemas, defs, required = _field_schemas(kind)
    return written(_verb(kind), {_free(name): _example(schemas[name], defs) for name in schemas if name in required})


def _examples(ask: Any, kinds: Sequence[Any], names: Sequence[str]) -> list[str]:
    """The first and the last legal answer of each kind; if they are not known, a possible answer of each kind."""
    if ask.choices is None:
        return [_pattern(kind) for kind in kinds]
    legal = [[choice for choice in ask.choices if type(choice) is kind] for kind in kinds]
    ends = [choice for some in legal for choice in (*some[:1], *some[1:][-1:])]
    return [_render(choice, names) for choice in ends]


def _example(schema: Mapping[str, Any], defs: Mapping[str, Any]) -> object:
    """A value that the schema allows, for schemas as msgspec makes them."""
    if "$ref" in schema:
        return _example(defs[schema["$ref"].rpartition("/")[2]], defs)
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return _example(schema["anyOf"][0], defs)
    match schema.get("type"):
        case "object":
            needed = schema.get("required", ())
            return {name: _example(schema["properties"][name], defs) for name in needed}
        case "array":
            first = schema.get("prefixItems") or [schema.get("items") or {}] * schema.get("minItems", 0)
            return [_example(part, defs) for part in first]
        case "string":
            return "x" * schema.get("minLength", 1)
        case "boolean":
            return True
        case "null":
            return None
    return max(1, schema.get("minimum", 1)) if schema.get("maximum", 1) >= 1 else schema["maximum"]


def _render(action: Any, names: Sequence[str]) -> str:
    fields = msgspec.to_builtins(action)
    return written(_verb(type(action)), {_free(name): value for name, value in fields.items() if name != "type"})


def _schema(ask: Any, kinds: Sequence[Any], names: Sequence[str]) -> Mapping[str, object]:
    """The fields of all actions; if the legal answers are listed, only their values."""
    if ask.choices:
        kinds = [kind for kind in kinds if any(type(choice) is kind for choice in ask.choices)]
    schema: dict[str, Any] = schema_of([_form(kind, names) for kind in kinds])
    if ask.choices is not None and 0 < len(ask.choices) <= MOST_LISTED:
        chosen = [json.loads(_render(choice, names)) for choice in ask.choices]
        schema["properties"] = {
            name: {
                "enum": list({json.dumps(choice[name]): choice[name] for choice in chosen if name in choice}.values())
            }
            for name in schema["properties"]
            if any(name in choice for choice in chosen)
        }
        return schema
    defs = {name: part for kind in kinds for name, part in _field_schemas(kind)[1].items()}
    return schema | {"$defs": defs} if defs else schema
