"""Writes the parts of the documentation that are made of the code.

These are docs/schemas/GAME.json, the JSON Schema of protocol 1 for every game, which the site publishes, and the table
of all limits on clients in docs/limits.md.
"""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import msgspec

from parlour.games import game
from parlour.plugins import names
from parlour.protocol.v1 import schema
from parlour.server.settings import Settings
from parlour.transports import limits

FOLDER = Path(__file__).parent / "schemas"
LIMITS_PAGE = Path(__file__).parent / "limits.md"
LIMITS_TABLE = re.compile(r"(?<=<!-- of the code -->\n\n).*?(?=\n<!-- end -->)", re.S)
UNITS = {
    "Bytes": lambda value: f"{value // 2**20} MiB" if value >= 2**20 else f"{value // 2**10} KiB",
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


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in names():
        (FOLDER / f"{name}.json").write_text(schema_text(name), encoding="utf-8")
    page = LIMITS_PAGE.read_text(encoding="utf-8")
    LIMITS_PAGE.write_text(LIMITS_TABLE.sub(lambda _: limits_table(), page), encoding="utf-8")


if __name__ == "__main__":
    main()
