"""A base class for states: caching of asks and views."""

from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from mypy_extensions import mypyc_attr

from parlour.core.comparable import Comparable
from parlour.core.game import By
from parlour.core.values import Value

V = TypeVar("V", bound=Value)


@mypyc_attr(allow_interpreted_subclasses=True)
class Position(Comparable, Generic[V]):
    """Caches asks and views until the next change. Equality ignores attributes that begin with an underscore."""

    def __init__(self) -> None:
        self._asks: dict[By, Any] | None = None
        self._views: dict[By, V] = {}

    def asks(self) -> Mapping[By, Any]:
        if self._asks is None:
            self._asks = self._new_asks()
        return self._asks

    def view(self, who: By) -> V:
        seen = self._views.get(who)
        if seen is None:
            seen = self._views[who] = self._new_view(who)
        return seen

    def _changed(self) -> None:
        """Clear the caches."""
        self._asks = None
        if self._views:
            self._views.clear()

    def _new_asks(self) -> dict[By, Any]:
        raise NotImplementedError

    def _new_view(self, who: By) -> V:
        raise NotImplementedError
