"""HTML in which every text is escaped, unless it was made here."""

from collections.abc import Iterable
from html import escape
from typing import TypeAlias

Child: TypeAlias = "str | Iterable[Child]"
Attribute: TypeAlias = str | float | bool | None

VOID = {"meta", "input", "br"}
SVG_VOID = {"line", "circle", "rect", "polyline", "polygon", "path"}


class Markup(str):
    """HTML that may be written as it is. Every other text is escaped."""

    __slots__ = ()


def element(tag: str, *children: Child, **attributes: Attribute) -> Markup:
    """An element. `class_` is the attribute class, `data_value` is data-value; None and False are left out."""
    begin = f"<{tag}{''.join(_attribute(name, value) for name, value in attributes.items())}"
    if tag in VOID:
        return Markup(f"{begin}>")
    inside = "".join(map(_written, children))
    if tag in SVG_VOID and not inside:
        return Markup(f"{begin}/>")
    return Markup(f"{begin}>{inside}</{tag}>")


def _written(child: Child) -> str:
    if isinstance(child, Markup):
        return child
    if isinstance(child, str):
        return escape(child)
    return "".join(map(_written, child))


def _attribute(name: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    name = name.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    return f' {name}="{escape(f"{value:g}" if isinstance(value, float) else str(value))}"'
