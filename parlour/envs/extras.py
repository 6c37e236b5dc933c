"""Imports of packages that are installed only with an extra."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(package: str, extra: str) -> Iterator[None]:
    """Within it, a missing package is reported with the extra that installs it."""
    try:
        yield
    except ModuleNotFoundError as e:
        if (e.name or "").partition(".")[0] not in (package, "gymnasium"):
            raise
        raise ModuleNotFoundError(f"{package} is not installed: pip install 'parlour[{extra}]'", name=e.name) from None
