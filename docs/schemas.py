"""Writes the parts of the documentation that are made of the code.

These are docs/schemas/GAME.json, the JSON Schema of protocol 1 for every game, which the site publishes, the table of
all limits on clients in docs/limits.md, and docs/encodings.md, every game as numbers for learning programs.
"""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec

from parlour.core import Encoding, Sitting
from parlour.games import game
from parlour.plugins import names
from parlour.protocol.v1 import schema
from parlour.server.settings import Settings
from parlour.transports import limits

FOLDER = Path(__file__).parent / "schemas"
LIMITS_PAGE = Path(__file__).parent / "limits.md"
ENCODINGS_PAGE = Path(__file__).parent / "encodings.md"
ENCODINGS = """# Encodings

Every game as numbers, as the [environments](environments.md) use it: an observation is one array, and an action is an
index, or several of them one after the other. The version is raised with every change of a meaning. The tables are made
of the code by `make docs`, for the usual house rules and the number of seats that each names; where a size depends on
seats or options, `parlour.envs` gives it.

``` python
from parlour.envs.pettingzoo import env

encoding = env("forsale", seats=4).interface.encoding
print(encoding.starts())  # where each part of the observation begins
print(encoding.first_indexes())  # the first index of each kind of action
```
"""
LIMITS_TABLE = re.compile(r"(?<=<!-- of the code -->\n\n).*?(?=\n<!-- end -->)", re.S)


def bytes_in_words(count: int) -> str:
    """A number of bytes, in the largest binary unit that divides it."""
    for unit, size in (("MiB", 2**20), ("KiB", 2**10)):
        if count % size == 0:
            return f"{count // size} {unit}"
    return f"{count:,} bytes"


UNITS = {
    "Bytes": bytes_in_words,
    "Count": lambda value: f"{value:,}",
    "PerSecond": lambda value: f"{value:,g} a second",
    "PerMinute": lambda value: f"{value} a minute",
    "Seconds": lambda value: f"{value:g} s",
}


def schema_text(name: str) -> str:
    """The whole file for one game, which is also what `parlour schema` prints."""
    return msgspec.json.format(msgspec.json.encode(schema(game(name))), indent=2).decode() + "\n"


def limits_table() -> str:
    """The table of all limits on clients."""
    rows = [f"| {words} | {value} | {setting} |\n" for words, value, setting in _limits()]
    return "".join(["| what is limited | to | setting |\n", "|---|---|---|\n", *rows])


def _limits() -> Iterator[tuple[str, str, str]]:
    """The words, value and setting of each limit."""
    parts = ast.parse(Path(limits.__file__).read_text(encoding="utf-8")).body
    for part, words in pairwise(parts):
        match part, words:
            case (
                ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id=unit)),
                ast.Expr(value=ast.Constant(value=str() as text)),
            ):
                setting = name.lower() if name.lower() in Settings.__struct_fields__ else ""
                yield " ".join(text.split()), UNITS[unit](getattr(limits, name)), setting and f"`{setting}`"


def encodings_page() -> str:
    """The page of all encodings."""
    return "\n".join([ENCODINGS, *[part for name in names() for part in _encoding_parts(name)]])


def _encoding_parts(name: str) -> Iterator[str]:
    """The tables of a game that has an encoding."""
    about = game(name)
    if about.encoding is None:
        return
    seats = next(seats for seats in about.table_seats() if seats > 1)
    sittings = [Sitting(f"seat {seat}") for seat in range(seats)]
    encoding = about.encoding(seats, about.rules.resolve(about.rules.options(), sittings))
    yield f"## {about.title}\n"
    sizes = f"{encoding.size:,} numbers of type `{encoding.dtype}`, {encoding.actions:,} actions"
    yield f"Version {encoding.version}, {seats} seats: {sizes}.\n"
    yield "| observation | from | numbers | values | meaning |\n|---|---|---|---|---|"
    yield from _observation_rows(encoding)
    yield "\n| action | from | indexes | meaning |\n|---|---|---|---|"
    for first, run in zip(encoding.first_indexes().values(), encoding.choices, strict=True):
        yield f"| {run.name} | {first} | {run.size:,} | {run.meaning} |"
    yield "\nOmitted:\n"
    yield from [f"- {words}" for words in encoding.omits]
    yield ""


def _observation_rows(encoding: Encoding) -> Iterator[str]:
    for first, part in zip(encoding.starts().values(), encoding.parts, strict=True):
        high = "2^31 - 1" if part.high == 2**31 - 1 else f"{part.high:,}"
        yield f"| {part.name} | {first} | {part.size:,} | {part.low} to {high} | {part.meaning} |"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in names():
        (FOLDER / f"{name}.json").write_text(schema_text(name), encoding="utf-8")
    ENCODINGS_PAGE.write_text(encodings_page(), encoding="utf-8")
    page = LIMITS_PAGE.read_text(encoding="utf-8")
    LIMITS_PAGE.write_text(LIMITS_TABLE.sub(lambda _: limits_table(), page), encoding="utf-8")


if __name__ == "__main__":
    main()
