"""Modules that are compiled mean the same in both forms, and no compiled module lies in a clone."""

import importlib
from pathlib import Path
from textwrap import dedent
from types import ModuleType

import pytest

from tests.compiled.listed import compiled_modules
from tests.compiled.traps import traps
from tests.here import ROOT

PRELUDE = """
import msgspec
from msgspec import Struct
from parlour.core import Ask, Comparable, Dice, Event, Position, Public, Value
"""


@pytest.mark.parametrize("name", compiled_modules())
def test_a_compiled_module_has_no_traps(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__file__ is not None
    assert traps(Path(module.__file__).read_text(), vars(module)) == []


def planted(code: str) -> list[str]:
    source = PRELUDE + dedent(code)
    module = ModuleType("planted")
    exec(source, vars(module))  # noqa: S102  # it is ours
    return [found.partition(": ")[2] for found in traps(source, vars(module))]


@pytest.mark.parametrize(
    "code",
    [
        "class Plain(Struct): pass",
        "class Plain(msgspec.Struct, frozen=True): pass",
        "class Plain(Value, frozen=True): pass",
        "class Plain(Public, frozen=True): pass",
        "class Plain(Ask[int], frozen=True): pass",
        "class Other(Public, frozen=True): pass\nclass Plain(Other, frozen=True): pass",
        "def made():\n    class Plain(Value, frozen=True): pass",
    ],
)
def test_a_struct_is_found(code: str) -> None:
    assert "Plain is a msgspec Struct" in planted(code)


def test_a_struct_made_by_a_function_is_found() -> None:
    assert planted("Plain = msgspec.defstruct('Plain', ['x'])") == ["defines a msgspec Struct"]


@pytest.mark.parametrize(
    "code",
    [
        "import json",
        "from json import loads",
        "import msgspec.json",
        "from msgspec.json import decode",
        "from msgspec import json",
        "from msgspec import convert",
        "read = msgspec.json.Decoder(int).decode",
        "def read(raw): return msgspec.json.decode(raw)",
        "def read(raw): return msgspec.convert(raw, int)",
    ],
)
def test_reading_of_foreign_data_is_found(code: str) -> None:
    assert len(planted(code)) == 1 and ("reads" in planted(code)[0] or "read foreign data" in planted(code)[0])


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("def f(): pass\nclass Plain:\n    method = f", "method = f: a method has to be a `def`"),
        ("class Plain:\n    method = lambda self: 1", "method = lambda self: 1: a method has to be a `def`"),
        ("class Plain:\n    __hash__ = None", "__hash__ becomes an attribute of the objects"),
        ("class Plain:\n    def f(self): return vars(self)", "vars() does not see the attributes of compiled objects"),
        ("class Plain:\n    def f(self): return self.__slots__", "self.__slots__ does not exist"),
        ("class Plain:\n    def f(self): return self.__dict__", "self.__dict__ does not exist"),
        ("class Plain:\n    def f(self): return Plain.__new__(Plain)", "Plain.__new__ calls __init__"),
        (
            "class Plain(Position): pass",
            "Plain cannot be copied or pickled without @mypyc_attr(allow_interpreted_subclasses=True)",
        ),
        (
            "from mypy_extensions import mypyc_attr\n@mypyc_attr(serializable=True)\nclass Plain: pass",
            "Plain is serializable, and so its __init__ is not called",
        ),
    ],
)
def test_other_traps_are_found(code: str, why: str) -> None:
    assert planted(code) == [why]


def test_ordinary_code_is_no_trap() -> None:
    code = """
    from mypy_extensions import mypyc_attr
    from msgspec import Raw
    from msgspec.structs import replace

    @mypyc_attr(allow_interpreted_subclasses=True)
    class State(Position[Value]):
        most = 3

        def __init__(self):
            super().__init__()
            self.dice = Dice(b"")

        def copy(self):
            return State.__new__(State)

    def odd(e):
        return isinstance(e, msgspec.MsgspecError) or Dice.__new__(Dice)
    """
    assert planted(code) == []


def test_no_compiled_module_lies_in_the_clone() -> None:
    """It would be imported instead of its source, whose later changes nobody would see."""
    found = [
        path
        for suffix in ("so", "pyd")
        for path in [*(ROOT / "parlour").rglob(f"*.{suffix}"), *ROOT.glob(f"*.{suffix}")]
    ]
    assert found == [], "Remove these files; `make compiled` installs compiled modules elsewhere."
