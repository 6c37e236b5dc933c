"""Charts as SVG. Places are in percent, so a chart is as wide as its frame and its text keeps its size."""

from collections.abc import Iterable, Sequence
from math import ceil, floor, isfinite, log10

from parlour.tournament.report.markup import Child, Markup, element
from parlour.tournament.report.numbers import seconds
from parlour.tournament.resampling import Interval

COLOURS = 6
DASHES = ("", "6 3", "2 3", "9 3 2 3")
"""A colour is used again with another kind of line."""


class Scale:
    """From values to percent."""

    def __init__(self, low: float, high: float, margin: float = 3.0) -> None:
        self.low, self.high = (low, high) if high > low else (low - 1, low + 1)
        self._margin = margin

    def at(self, value: float) -> float:
        inside = min(max(value, self.low), self.high)
        part = (inside - self.low) / (self.high - self.low)
        return round(self._margin + part * (100 - 2 * self._margin), 2)

    def ticks(self, most: int = 5) -> list[float]:
        """Round values on the scale."""
        step = 10.0 ** floor(log10((self.high - self.low) / most))
        step *= next(times for times in (1, 2, 5, 10) if (self.high - self.low) / (times * step) <= most)
        return [round(step * n, 10) + 0.0 for n in range(ceil(self.low / step), floor(self.high / step) + 1)]


def scale_of(intervals: Iterable[Interval], *also: float) -> Scale:
    """A scale that holds all of these intervals, as far as they are finite."""
    values = [v for it in intervals for v in (it.low, it.estimate, it.high) if isfinite(v)] + [*also]
    return Scale(min(values, default=0.0), max(values, default=1.0))


def _percent(value: float) -> str:
    return f"{value:g}%"


def interval_bar(it: Interval, scale: Scale, mark: float | None = None) -> Markup:
    """An estimate with its interval, and a line that marks a value."""
    low, high, middle = (_percent(scale.at(v)) for v in (it.low, it.high, it.estimate))
    parts: list[Child] = []
    if mark is not None:
        parts.append(
            element("line", class_="zero", x1=_percent(scale.at(mark)), x2=_percent(scale.at(mark)), y2="100%")
        )
    parts.append(element("line", class_="whisker", x1=low, x2=high, y1="50%", y2="50%"))
    parts += [element("line", class_="whisker", x1=end, x2=end, y1="28%", y2="72%") for end in (low, high)]
    parts.append(element("circle", class_="estimate", cx=middle, cy="50%", r="4.5"))
    return element("svg", *parts, class_="bar", aria_hidden="true")


def axis(scale: Scale, written: Iterable[tuple[float, str]]) -> Markup:
    """The numbers under (or over) a column of bars."""
    parts = [
        element("text", words, x=_percent(scale.at(value)), y="70%", text_anchor="middle") for value, words in written
    ]
    return element("svg", *parts, class_="axis", aria_hidden="true")


def time_bar(median: float, late: float, most: float, scale: Scale) -> Markup:
    """From the median to the time that 95 % do not exceed, and the longest."""
    at = [scale.at(log10(max(value, 1e-6))) for value in (median, late, most)]
    return element(
        "svg",
        element("line", class_="reach", x1=_percent(at[0]), x2=_percent(at[2]), y1="50%", y2="50%"),
        element("line", class_="usual", x1=_percent(at[0]), x2=_percent(at[1]), y1="50%", y2="50%"),
        element("circle", class_="estimate", cx=_percent(at[0]), cy="50%", r="4.5"),
        class_="bar",
        aria_hidden="true",
    )


def time_ticks(scale: Scale) -> list[tuple[float, str]]:
    """The powers of ten on a scale of logarithms of seconds."""
    powers = range(ceil(scale.low), floor(scale.high) + 1)
    return [(power, seconds(10.0**power)) for power in powers[:: max(1, ceil(len(powers) / 5))]]


def histogram(heights: Sequence[float], place: int, title: str) -> Markup:
    """Bars of equal width; heights are from 0 to 1."""
    width = 100 / max(1, len(heights))
    bars = [
        element(
            "rect",
            x=_percent(round(at * width, 3)),
            y=_percent(round(100 - 100 * height, 2)),
            width=_percent(round(width * 0.88, 3)),
            height=_percent(round(100 * height, 2)),
        )
        for at, height in enumerate(heights)
        if height
    ]
    return element("svg", *bars, class_=f"histogram c{place % COLOURS}", role="img", aria_label=title)


def line(points: Sequence[tuple[float, float]], place: int) -> Markup:
    """A line in the colour and the kind of a place."""
    dash = DASHES[place // COLOURS % len(DASHES)]
    return element("polyline", class_=f"c{place % COLOURS}", points=_points(points), stroke_dasharray=dash or None)


def band(points: Sequence[tuple[float, float, float]], place: int) -> Markup:
    """The area between the lower and the upper bounds."""
    around = [(x, low) for x, low, _ in points] + [(x, high) for x, _, high in reversed(points)]
    return element("polygon", class_=f"c{place % COLOURS}", points=_points(around))


def _points(points: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:g},{y:g}" for x, y in points)


def key_of(place: int) -> Markup:
    """A short piece of a player's line."""
    dash = DASHES[place // COLOURS % len(DASHES)]
    stroke = element("line", x1="0", x2="100%", y1="50%", y2="50%", stroke_dasharray=dash or None)
    return element("svg", stroke, class_=f"key c{place % COLOURS}", aria_hidden="true")
