"""Find JSON values and function calls in a text. Python's and JavaScript's way to write them is understood, too."""

import json
import math
import re
import string
from collections.abc import Collection, Iterator
from typing import Any

from msgspec import Struct

MOST_DEPTH = 12
MOST_VALUES = 50_000
"""Values that are read in one text, nested ones included."""

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"' + r"|'(?:[^'\\]|\\.)*'", re.DOTALL)
_NUMBER = re.compile(r"[-+]?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]{1,3})?(?![\w.])|[-+]?[0-9]+(?=\.(?:\s|$))")
_WORD = re.compile(r"[A-Za-z_][\w-]*", re.ASCII)
_SPACE = re.compile(r"\s*")
_OPENING = re.compile(r"[\[{(]")
_NAME = re.compile(r"(?<![\w'\"])[A-Za-z_][\w-]*", re.ASCII)
_NAME_LETTERS = f"{string.ascii_letters}{string.digits}_-"
_CONSTANTS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
MOST_DIGITS = 18


class NotAValue(Exception):
    """There is no value at this place; reading got stuck at `at`."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


class OddValue(ValueError):
    """A value that must not be guessed at: a name that is given twice, or too much of something."""


class Call(Struct, frozen=True):
    """A function call: `bid(5)`, `bid(amount=5)`."""

    name: str
    arguments: list[Any]
    named: dict[str, Any]


class Found(Struct, frozen=True):
    """A value, and where it begins and ends in the text."""

    value: Any
    begin: int
    end: int


def values_in(text: str, calls: Collection[str]) -> Iterator[Found]:
    """Objects, arrays, and calls of these functions (in lower case), in order. Those within others are not listed.

    Raises OddValue for a value with a name that is given twice, and for one that is too deep or too long."""
    reader = _Reader(text)
    at = 0
    while (opening := _OPENING.search(text, at)) is not None:
        begin, name = opening.start(), None
        if opening[0] == "(":
            if (called := _name_before(text, at, begin)) is None:
                at = opening.end()
                continue
            begin, name = called.start(), called[0]
        at = opening.end()
        try:
            if name is None:
                value, at = reader.value(begin, 0)
            elif name.lower() in calls:
                value, at = reader.call(name, at)
            else:
                continue
        except NotAValue as stuck:  # go on from there: what is within a broken value is no answer
            at = max(at, stuck.at)
            continue
        yield Found(value, begin, at)


def _name_before(text: str, first: int, end: int) -> re.Match[str] | None:
    """The name that ends here and does not begin before `first`, if there is one. Looks at each letter once."""
    before = text[first:end]
    return _NAME.search(text, first + len(before.rstrip(_NAME_LETTERS)), end)


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._read = 0

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        """The value that begins here, and where it ends."""
        self._read += 1
        if depth > MOST_DEPTH or self._read > MOST_VALUES:
            raise OddValue(f"a value with more than {MOST_DEPTH} levels or {MOST_VALUES} parts")
        match self._text[at : at + 1]:
            case "{":
                return self._object(at + 1, depth)
            case "[":
                return self._array(at + 1, depth)
            case '"' | "'":
                return self._string(at)
        if number := _NUMBER.match(self._text, at):
            return _number(number[0]), number.end()
        if word := _WORD.match(self._text, at):
            return _CONSTANTS.get(word[0], word[0]), word.end()
        raise NotAValue(at)

    def call(self, name: str, at: int) -> tuple[Call, int]:
        """The arguments, which begin here, of a call."""
        call, at = Call(name, [], {}), self._skip(at)
        while self._text[at : at + 1] != ")":
            word = _WORD.match(self._text, at)
            after = self._skip(word.end()) if word else at
            if word and self._text[after : after + 1] in ("=", ":"):
                value, at = self.value(self._skip(after + 1), 1)
                _put(call.named, word[0], value)
            else:
                value, at = self.value(at, 1)
                call.arguments.append(value)
            at = self._comma(at, ")")
        return call, at + 1

    def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        at = self._skip(at)
        while self._text[at : at + 1] != "}":
            name, at = self._key(at)
            at = self._skip(at)
            if self._text[at : at + 1] != ":":
                raise NotAValue(at)
            value, at = self.value(self._skip(at + 1), depth + 1)
            _put(found, name, value)
            at = self._comma(at, "}")
        return found, at + 1

    def _array(self, at: int, depth: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        at = self._skip(at)
        while self._text[at : at + 1] != "]":
            value, at = self.value(at, depth + 1)
            found.append(value)
            at = self._comma(at, "]")
        return found, at + 1

    def _key(self, at: int) -> tuple[str, int]:
        if self._text[at : at + 1] in ('"', "'"):
            return self._string(at)
        if word := _WORD.match(self._text, at):
            return word[0], word.end()
        raise NotAValue(at)

    def _string(self, at: int) -> tuple[str, int]:
        found = _STRING.match(self._text, at)
        if found is None:
            raise NotAValue(at)
        return _unescaped(found[0]), found.end()

    def _comma(self, at: int, end: str) -> int:
        """The place after a comma, or that of the end. A comma before the end is allowed."""
        at = self._skip(at)
        if self._text[at : at + 1] == ",":
            return self._skip(at + 1)
        if self._text[at : at + 1] != end:
            raise NotAValue(at)
        return at

    def _skip(self, at: int) -> int:
        space = _SPACE.match(self._text, at)
        return space.end() if space else at


def _put(found: dict[str, Any], name: str, value: Any) -> None:
    if name in found:
        raise OddValue(f"the name {name[:40]!a} twice in one object")
    found[name] = value


def _number(text: str) -> int | float:
    if len(text) > MOST_DIGITS:
        raise OddValue(f"a number of more than {MOST_DIGITS} characters")
    if text.lstrip("+-").isdecimal():
        return int(text)
    value = float(text)
    if not math.isfinite(value):
        raise OddValue("a number that is too large")
    return value


def _unescaped(literal: str) -> str:
    """The content of a string in quotes of either kind."""
    if literal[0] == "'":
        literal = '"' + literal[1:-1].replace("\\'", "'").replace('\\"', '"').replace('"', '\\"') + '"'
    try:
        text: str = json.loads(literal, strict=False)
        text.encode()
    except ValueError:
        raise OddValue("a text that is no valid JSON string") from None
    return text
