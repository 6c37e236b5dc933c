"""Numbers as people read them."""

from math import isfinite

from parlour.tournament.resampling import Interval

UNKNOWN = "?"
INTERVAL = "95\u202f% interval"
"""The title of a column of intervals."""
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "\u00b5s"))


def signed(value: float) -> str:
    """A rating or a difference; a proper minus sign keeps columns in line."""
    if not isfinite(value):
        return UNKNOWN
    return f"{value:+,.0f}".replace("-", "\u2212") if round(value) else "0"


def decimal(value: float, digits: int = 1) -> str:
    return f"{value:,.{digits}f}".replace("-", "\u2212") if isfinite(value) else UNKNOWN


def percent(share: float, digits: int = 1) -> str:
    return f"{100 * share:.{digits}f}\u202f%" if isfinite(share) else UNKNOWN


def seconds(value: float) -> str:
    """A duration, with three digits and a unit that fits."""
    for size, unit in _UNITS:
        if value >= 0.9995 * size:
            return f"{value / size:.3g}\u202f{unit}" if value < 1000 * size else f"{value / size:,.0f}\u202f{unit}"
    return f"{value * 1e6:.2g}\u202f\u00b5s"


def signed_range(it: Interval) -> str:
    return f"{signed(it.low)} to {signed(it.high)}" if isfinite(it.high - it.low) else "one deal says too little"


def percent_range(it: Interval) -> str:
    return f"{percent(it.low)} to {percent(it.high)}"


def decimal_range(it: Interval, digits: int = 1) -> str:
    if not isfinite(it.high - it.low):
        return "one deal says too little"
    return f"{decimal(it.low, digits)} to {decimal(it.high, digits)}"


def p_value(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
