"""Read single values of a player's answer: numbers, words, seats."""

import re
from collections.abc import Callable, Sequence

from parlour.core.quoting import one_line

MOST_SHOWN = 60
"""Characters of an answer that are repeated in a refusal."""
WRAPPING = " \t\r\n\"'`*_#>.,!;:()\u201c\u201d\u2018\u2019"
"""Quotes, marks and punctuation around an answer."""


_SEAT = re.compile(r"seat\s+([0-9]{1,4})", re.I)


class Unclear(ValueError):
    """Why a part of an answer cannot be read."""


def spoken(word: str) -> str:
    """The word in lower case, with spaces: `CleanUp`, `clean_up` and `clean-up` are `clean up`."""
    return re.sub(r"[\s_-]+", " ", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", word)).strip().lower()


def whole(value: object) -> int:
    """A whole number: 5, 5.0 or "5". In a text, 1.000 could be a thousand."""
    if isinstance(value, str) and re.fullmatch(r"[-+]?[0-9]{1,15}(?:\.0{1,2})?", value.strip(), re.ASCII):
        return int(value.strip().partition(".")[0])
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    if type(value) is int:
        return value
    raise Unclear(f"{shown(value)} is no whole number")


def words(value: object) -> str:
    """A text."""
    if not isinstance(value, str):
        raise Unclear(f"{shown(value)} is no text")
    return value


def one_of(choices: Sequence[str]) -> Callable[[object], str]:
    """One of these words, in any case, with spaces, _ or -."""
    by_word = {spoken(choice): choice for choice in choices}

    def read(value: object) -> str:
        found = by_word.get(spoken(value.strip(WRAPPING))) if isinstance(value, str) else None
        if found is None:
            raise Unclear(f"{shown(value)} is none of {', '.join(choices)}")
        return found

    return read


def seat_of(names: Sequence[str]) -> Callable[[object], int]:
    """A seat: its number, `seat 1`, or its player's whole name in any case, if no other player has it.

    `seat 1` always means the seat, whatever names players choose."""

    def read(value: object) -> int:
        said = value.strip() if isinstance(value, str) else ""
        if (numbered := _SEAT.fullmatch(said)) and int(numbered[1]) < len(names):
            return int(numbered[1])
        found = {seat for seat, name in enumerate(names) if said and said in (name, one_line(name))}
        found = found or {seat for seat, name in enumerate(names) if said and _same_name(said, name)}
        found |= _numbered(value, len(names))
        if len(found) != 1:
            which = "could be several players: give the number of the seat" if found else "is no player"
            raise Unclear(f"{shown(value)} {which}")
        return found.pop()

    return read


def _same_name(said: str, name: str) -> bool:
    return said.strip(WRAPPING).casefold() in (name.casefold(), one_line(name).casefold())


def _numbered(value: object, seats: int) -> set[int]:
    """The seat of this number, if the value is one."""
    said = re.sub(r"^(?:seat|player)\s+", "", value.strip().lower()) if isinstance(value, str) else value
    said = re.sub(r"^([0-9]+)\s+[\"'].*$", r"\1", said, flags=re.DOTALL) if isinstance(said, str) else said
    try:
        seat = whole(said)
    except Unclear:
        return set()
    return {seat} if 0 <= seat < seats else set()


def shown(value: object) -> str:
    """A foreign value in a refusal: short, on one line."""
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    return f"'{one_line(str(value), MOST_SHOWN)}'" if isinstance(value, str) else one_line(str(value), MOST_SHOWN)
