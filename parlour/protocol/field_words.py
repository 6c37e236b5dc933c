"""Descriptions of the fields of values, from the docstrings below them, for JSON Schemas."""

import ast
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from typing import Any, get_origin

import msgspec
from msgspec import Struct


def describe_fields(types: list[Any], schemas: dict[str, Any]) -> None:
    """Add the descriptions of all fields within these types to their schemas by class name."""
    for kind in structs_in(types):
        fields = schemas.get(kind.__name__, {}).get("properties", {})
        for name, words in field_words(kind).items():
            if name in fields and "$ref" not in fields[name]:
                fields[name].setdefault("description", words)


def field_words(kind: type[Struct]) -> dict[str, str]:
    """By field, its docstring: the text directly below it in the class or in a base. Empty without source code."""
    found: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        found |= _words_by_class(base.__module__).get(base.__qualname__, {})
    return found


@cache
def _words_by_class(module: str) -> dict[str, dict[str, str]]:
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (KeyError, OSError, TypeError, SyntaxError):
        return {}
    return {part.name: dict(_documented(part)) for part in tree.body if isinstance(part, ast.ClassDef)}


def _documented(part: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, below in zip(part.body, part.body[1:], strict=False):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(words))):
                yield name, " ".join(words.split())


def structs_in(types: list[Any]) -> Iterator[type[Struct]]:
    """All struct classes within these types."""
    return _structs(msgspec.inspect.multi_type_info(types), set())


def _structs(part: Any, seen: set[Any]) -> Iterator[type[Struct]]:
    if isinstance(part, tuple):
        for each in part:
            yield from _structs(each, seen)
    elif isinstance(part, msgspec.inspect.Type | msgspec.inspect.Field):
        if isinstance(part, msgspec.inspect.StructType):
            if part.cls in seen:
                return
            seen.add(part.cls)
            yield get_origin(part.cls) or part.cls
        for name in part.__struct_fields__:
            yield from _structs(getattr(part, name), seen)
