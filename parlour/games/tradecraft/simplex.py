"""Solve small linear programs with non-negative costs in exact fractions."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from msgspec import Struct

Row: TypeAlias = dict[int, Fraction]
"""Coefficients by the number of the variable."""


class AtLeast(Struct, frozen=True):
    """A constraint: the weighted sum of variables is at least the bound."""

    multiples: Mapping[int, Fraction | int]
    bound: Fraction | int


def least(costs: Sequence[int], constraints: Sequence[AtLeast]) -> list[Fraction] | None:
    """The non-negative values that satisfy all constraints at the least cost; None if there are none.

    This is the dual simplex method. Since no cost is negative, it needs no initial phase. Always choosing the first
    candidate (Bland's rule) guarantees that it ends.
    """
    count = len(costs)
    prices: Row = {number: Fraction(cost) for number, cost in enumerate(costs)}
    rows: dict[int, Row] = {}
    values: dict[int, Fraction] = {}
    for number, constraint in enumerate(constraints, count):  # slack variables
        rows[number] = {column: Fraction(by) for column, by in constraint.multiples.items() if by}
        values[number] = Fraction(-constraint.bound)
    while (leaving := min((number for number, value in values.items() if value < 0), default=None)) is not None:
        row = rows.pop(leaving)
        ratios = [(prices.get(column, 0) / by, column) for column, by in row.items() if by > 0]
        if not ratios:
            return None
        _pivot(leaving, min(ratios)[1], row, rows, values, prices)
    return [values.get(number, Fraction(0)) for number in range(count)]


def _pivot(
    leaving: int, entering: int, row: Row, rows: dict[int, Row], values: dict[int, Fraction], prices: Row
) -> None:
    """Solve the row for the entering variable, and substitute it everywhere."""
    by = row.pop(entering)
    solved = {column: -each / by for column, each in row.items()}
    solved[leaving] = 1 / by
    value = -values.pop(leaving) / by
    for number, other in rows.items():
        factor = other.pop(entering, None)
        if factor is not None:
            values[number] += factor * value
            _add(other, solved, factor)
    factor = prices.pop(entering, None)
    if factor:
        _add(prices, solved, factor)
    rows[entering] = solved
    values[entering] = value


def _add(row: Row, other: Row, factor: Fraction) -> None:
    for column, by in other.items():
        total = row.get(column, 0) + factor * by
        if total:
            row[column] = total
        else:
            row.pop(column, None)
