"""Writes docs/schemas/GAME.json, the JSON Schema of protocol 1, for every game; the site publishes these files."""

from pathlib import Path

import msgspec

from parlour.games import game
from parlour.plugins import names
from parlour.protocol.v1 import schema

FOLDER = Path(__file__).parent / "schemas"


def schema_text(name: str) -> str:
    """The whole file for one game, which is also what `parlour schema` prints."""
    return msgspec.json.format(msgspec.json.encode(schema(game(name))), indent=2).decode() + "\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in names():
        (FOLDER / f"{name}.json").write_text(schema_text(name), encoding="utf-8")


if __name__ == "__main__":
    main()
