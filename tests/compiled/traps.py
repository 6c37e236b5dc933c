"""Find code that means something else when it is compiled. docs/compiled.md explains each trap."""

import ast
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any

from msgspec import Struct

from parlour.core import Dice
from parlour.core.comparable import Copyable

READERS = frozenset({"convert", "json", "msgpack", "toml", "yaml"})
"""Names of msgspec that read foreign data."""
DECORATOR = "mypyc_attr(allow_interpreted_subclasses=True)"


def traps(source: str, names: Mapping[str, Any]) -> list[str]:
    """What must not be in a compiled module, with its lines; `names` are those of the module when it is imported."""
    return [f"line {node.lineno}: {why}" for node, why in _found(ast.parse(source), names)]


def _found(tree: ast.Module, names: Mapping[str, Any]) -> Iterator[tuple[Any, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef():
                yield from _of_class(node, names)
            case ast.Import(names=imported) if any(it.name.partition(".")[0] == "json" for it in imported):
                yield node, "reads JSON"
            case ast.Import(names=imported) if any(it.name.startswith("msgspec.") for it in imported):
                yield node, "imports a part of msgspec, which may read foreign data"
            case ast.ImportFrom(module="json"):
                yield node, "reads JSON"
            case ast.ImportFrom(module=str(module), names=imported) if module.partition(".")[0] == "msgspec":
                if {*module.split(".")} & READERS or {it.name for it in imported} & READERS:
                    yield node, "reads foreign data"
            case ast.Attribute(value=ast.Name(id=of), attr=attr) if attr in READERS and _is_msgspec(names.get(of)):
                yield node, f"reads foreign data with msgspec.{attr}"
            case ast.Attribute(attr="defstruct") | ast.Name(id="defstruct"):
                yield node, "defines a msgspec Struct"
            case ast.Attribute(attr="__slots__" | "__dict__" as attr, value=ast.Name(id="self")):
                yield node, f"self.{attr} does not exist"
            case ast.Call(func=ast.Name(id="vars")):
                yield node, "vars() does not see the attributes of compiled objects"
            case ast.Call(func=ast.Attribute(attr="__new__", value=of)) if not _is_super(of):
                if not _can_be_made_empty(_value(of, names)):
                    yield node, f"{ast.unparse(of)}.__new__ calls __init__"


def _of_class(node: ast.ClassDef, names: Mapping[str, Any]) -> Iterator[tuple[Any, str]]:
    bases = [_value(base, names) for base in node.bases]
    kinds = [base for base in bases if isinstance(base, type)]
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    if any(issubclass(kind, Struct) for kind in kinds):
        yield node, f"{node.name} is a msgspec Struct"
    if any(issubclass(kind, Copyable) for kind in kinds) and DECORATOR not in decorators:
        yield node, f"{node.name} cannot be copied or pickled without @{DECORATOR}"
    if any("serializable=True" in decorator for decorator in decorators):
        yield node, f"{node.name} is serializable, and so its __init__ is not called"
    for line in node.body:
        if isinstance(line, ast.Assign):
            if isinstance(_value(line.value, names), FunctionType) or isinstance(line.value, ast.Lambda):
                yield line, f"{ast.unparse(line)}: a method has to be a `def`"
            if any(ast.unparse(target) == "__hash__" for target in line.targets):
                yield line, "__hash__ becomes an attribute of the objects"


def _value(expression: ast.expr, names: Mapping[str, Any]) -> Any:
    """What a name, an attribute or a generic type of the module stands for; None if that is known only later."""
    match expression:
        case ast.Name(id=name):
            return names.get(name)
        case ast.Attribute(value=of, attr=attr):
            return getattr(_value(of, names), attr, None)
        case ast.Subscript(value=of):
            return _value(of, names)
        case _:
            return None


def _is_msgspec(thing: Any) -> bool:
    return getattr(thing, "__name__", "") == "msgspec"


def _is_super(expression: ast.expr) -> bool:
    return isinstance(expression, ast.Call) and ast.unparse(expression.func) == "super"


def _can_be_made_empty(kind: Any) -> bool:
    """Whether the class allows interpreted subclasses, as these do, and so makes objects without `__init__`."""
    return isinstance(kind, type) and issubclass(kind, Copyable | Dice)
