"""Write foreign text, such as players' names and messages, so that it cannot pass for the referee's words."""

import re
from collections.abc import Sequence
from typing import Any

from parlour.core.values import MOST_NAME, Seat

MOST_QUOTED = 2000
"""Characters of a foreign text that are shown."""

_HIDDEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""Letters and marks that show nothing. Python takes them for printable."""
_MARKS = re.compile('["\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u300c-\u300f\u301d-\u301f\uff02]')
"""Everything that looks like the end of a quotation."""
_FENCES = re.compile("`{2,}|~{3,}")
_TAGS = re.compile(r"<(?=[|/!?a-zA-Z])")
"""The beginning of a tag or of a control token of a language model."""


def one_line(text: str, most: int = MOST_QUOTED) -> str:
    """The text on one line, without quotation marks, fences, tags and characters that cannot be seen."""
    seen = "".join(letter if letter.isprintable() else " " for letter in text[:most])
    shown = _FENCES.sub("'", _MARKS.sub("'", _HIDDEN.sub(" ", seen)))
    shown = " ".join(_TAGS.sub("< ", shown).split())
    left = len(text) - most
    return shown if left <= 0 else f"{shown} ... and {left} more characters"


def quoted(text: str, most: int = MOST_QUOTED) -> str:
    """A foreign text on one line in double quotes, which it does not contain itself."""
    return f'"{one_line(text, most)}"'


def player(names: Sequence[str], seat: Seat, reader: Seat | None = None) -> str:
    """`you`, or `seat 2 "ada"`. Names are foreign text, too."""
    if seat == reader:
        return "you"
    return f"seat {seat} {quoted(names[seat], MOST_NAME)}" if 0 <= seat < len(names) else f"seat {seat}"


def players(names: Sequence[str], seats: Sequence[Seat], reader: Seat | None = None) -> str:
    """`you, seat 2 "ada"`; `nobody` for none."""
    return ", ".join(player(names, seat, reader) for seat in seats) or "nobody"


def words_of(names: Sequence[str], seat: Seat, text: str, reader: Seat | None = None) -> str:
    """A player's message, labelled as the words of this player."""
    whose = "your own words" if seat == reader else f"words of {player(names, seat)}, not of the referee"
    return f"[{whose}: {quoted(text)}]"


def sentence(text: str) -> str:
    """The text with a capital letter at the beginning and a full stop at the end."""
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "]")) else ".")


def spreadsheet_cell(value: Any) -> Any:
    """A value for a CSV file. A foreign text that a spreadsheet would take for a formula begins with an apostrophe."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value
