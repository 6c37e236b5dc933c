"""Tables on the terminal."""

from typing import Any

from rich.table import Table


def table_of(*columns: str, folds: bool = False, **style: Any) -> Table:
    """An empty table. A `>` before the name of a column aligns it right. `folds`: no value is cut off."""
    table = Table(**{"title_justify": "left", "title_style": "bold", **style})
    for column in columns:
        table.add_column(
            column.removeprefix(">"),
            justify="right" if column.startswith(">") else "left",
            overflow="fold" if folds else "ellipsis",
        )
    return table
