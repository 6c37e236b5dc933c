"""Options of games on the command line: read `--set`, and describe the options."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.inspect import (
    BoolType,
    Field,
    FloatType,
    IntType,
    LiteralType,
    Metadata,
    NoneType,
    StructType,
    UnionType,
    VarTupleType,
    type_info,
)

from parlour.cli.common import UserError
from parlour.core import Game, Value


class OptionWords(Struct, frozen=True):
    """The description of an option."""

    name: str
    kind: str
    """Its type in a word or two."""
    values: str
    default: str
    words: str
    """One line on what it does."""
    type: Any

    def allowed(self) -> str:
        """The allowed values and the default, as part of a sentence."""
        return f"allowed: {self.values} (default: {self.default})"

    def fits(self, value: Any) -> bool:
        """Whether the option can have this value."""
        try:
            msgspec.convert(value, self.type)
        except msgspec.ValidationError:
            return False
        return True


def option_words(game: Game[Any]) -> list[OptionWords]:
    """The options of a game, in the order of their declaration."""
    info = type_info(game.rules.options)
    assert isinstance(info, StructType)
    return [*map(_described, info.fields, (field.type for field in msgspec.structs.fields(game.rules.options)))]


def _described(field: Field, type: Any) -> OptionWords:
    of, words = field.type, ""
    if isinstance(of, Metadata):
        words, of = (of.extra_json_schema or {}).get("description", ""), of.type
    kind, values = _kind_and_values(of)
    return OptionWords(field.name, kind, values, json_or_word(field.default), words, type)


def _kind_and_values(of: Any) -> tuple[str, str]:
    match of:
        case Metadata(type=inner):
            return _kind_and_values(inner)
        case LiteralType(values=values):
            return "word", ", ".join(map(str, values))
        case BoolType():
            return "yes or no", "true, false"
        case IntType(ge=least, le=most):
            return "whole number", _range(least, most)
        case FloatType(ge=least, le=most):
            return "number", _range(least, most)
        case NoneType():
            return "", "null"
        case VarTupleType(item_type=item):
            kind, each = _kind_and_values(item)
            return f"list of {kind}s", f"a list, each {each}"
        case UnionType(types=types):
            parts = [_kind_and_values(part) for part in types]
            return " or ".join(kind for kind, _ in parts if kind), " or ".join(part for _, part in parts)
        case _:
            return "text", "any text"


def _range(least: float | None, most: float | None) -> str:
    if least is None or most is None:
        return "any"
    return f"{least:,} to {most:,}" if abs(most - least) >= 10_000 else f"{least} to {most}"


def json_or_word(value: Any) -> str:
    """The value as it is written after `--set option=`."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def read_settings(game: Game[Any], settings: Sequence[str], more: Sequence[str] = ()) -> dict[str, Any]:
    """Read `option=value` for the options of the game and those in `more`. A value is JSON or else a word."""
    options = {option.name: option for option in option_words(game)}
    given: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if name not in options and name not in more:
            known = ", ".join([*options, *more])
            raise UserError(f"--set {setting}: {game.title} has no option {name!r}. It has: {known}")
        if not equals:
            what = f"; {options[name].allowed()}" if name in options else ""
            raise UserError(f"--set {setting}: write {name}=VALUE{what}")
        given[name] = _value(text)
        if name in options and not options[name].fits(given[name]):
            raise UserError(f"--set {setting}: {name} has an invalid value; {options[name].allowed()}")
    return given


def read_options(game: Game[Any], settings: Sequence[str]) -> Value:
    """The options of a game, as set on the command line."""
    given = read_settings(game, settings)
    try:
        options: Value = msgspec.convert({"type": game.rules.options.__name__, **given}, game.rules.options)
    except msgspec.ValidationError as e:
        raise UserError(f"--set: {e}") from None
    return options


def setting_values(settings: Sequence[str]) -> dict[str, Any]:
    """The values of `option=value`, which are not checked."""
    parts = [setting.partition("=") for setting in settings]
    if wrong := [name for name, equals, _ in parts if not equals]:
        raise UserError(f"--set {wrong[0]}: write {wrong[0]}=VALUE")
    return {name: _value(text) for name, _, text in parts}


def _value(text: str) -> Any:
    try:
        return msgspec.json.decode(text.encode())
    except msgspec.DecodeError:
        return text
    except UnicodeEncodeError:
        raise UserError(f"--set: {text!r} is not text") from None
