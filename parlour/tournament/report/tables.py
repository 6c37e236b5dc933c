"""Tables that can be sorted by each column, and other things that several sections use."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from parlour.tournament.report.charts import Scale, interval_bar
from parlour.tournament.report.markup import Child, Markup, element
from parlour.tournament.resampling import Interval

MOST_ROWS = 24
"""A table with more rows scrolls by itself."""


class Column(Struct, frozen=True):
    """A column; `hint` explains it, and `wide` ones hold a chart or a sentence."""

    title: str
    hint: str = ""
    number: bool = True
    wide: bool = False
    sorts: bool = True
    foot: Markup | str = ""


class Cell(Struct, frozen=True):
    """The text of a cell, and its sort key."""

    shown: Child
    value: float | str = ""


def table(title: str, columns: Sequence[Column], rows: Iterable[tuple[str, Sequence[Cell]]]) -> Markup:
    """A table. Each row names the players that it is about, as numbers with spaces; the first cell is its heading."""
    head = element("tr", (_heading(column) for column in columns))
    body = [
        element(
            "tr",
            (_cell(column, cell, at) for at, (column, cell) in enumerate(zip(columns, cells, strict=True))),
            data_p=about,
        )
        for about, cells in rows
    ]
    parts = [element("thead", head), element("tbody", body)]
    if any(column.foot for column in columns):
        parts.append(element("tfoot", element("tr", (element("td", column.foot) for column in columns))))
    inside = element("table", element("caption", title, class_="unseen"), *parts)
    tall = " tall" if len(body) > MOST_ROWS else ""
    return element("div", inside, class_=f"scroll{tall}", tabindex="0", role="region", aria_label=title)


def _class(column: Column) -> str | None:
    return "number" if column.number else "wide" if column.wide else None


def _heading(column: Column) -> Markup:
    hint = column.hint or None
    if not column.sorts:
        return element("th", column.title, class_=_class(column), scope="col", title=hint)
    button = element("button", column.title, type="button", title=hint)
    return element("th", button, class_=_class(column), scope="col", aria_sort="none")


def _cell(column: Column, cell: Cell, at: int) -> Markup:
    value = cell.value if isinstance(cell.value, str) else f"{cell.value:.9g}"
    if at == 0:
        return element("th", cell.shown, class_=_class(column), scope="row", data_value=value)
    return element("td", cell.shown, class_=_class(column), data_value=value)


def with_range(shown: str, words: str, it: Interval) -> Cell:
    """An estimate, with its interval in small letters."""
    return Cell([shown, element("span", words, class_="small")], it.estimate)


def bar_cell(it: Interval, scale: Scale, mark: float, words: str) -> Cell:
    """An interval as a picture and in words."""
    return Cell([interval_bar(it, scale, mark), element("span", words, class_="small")], it.low)


def section(name: str, title: str, *parts: Child) -> Markup:
    """A section of the report, which the navigation leads to."""
    return element("section", element("h2", title), *parts, id=name)


def note(*words: Child) -> Markup:
    return element("p", *words, class_="note")


def named(name: str) -> Markup:
    """The name of a player, which may be in any script."""
    return element("bdi", name, class_="name", title=name if len(name) > 24 else None)


def command(words: str) -> Markup:
    """A command, with a button that copies it."""
    copy = element("button", "Copy", type="button", class_="copy", data_copy=words)
    return element("span", element("code", words), copy, class_="command")
