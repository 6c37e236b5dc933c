"""A game as numbers, for learning programs: observations are arrays, actions are indexes."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from msgspec import Struct

from parlour.core.values import Seat

if TYPE_CHECKING:  # games import NumPy only when an encoding is asked for
    import numpy as np
    from numpy.typing import NDArray

Numbers: TypeAlias = "NDArray[np.generic]"
Mask: TypeAlias = "NDArray[np.int8]"
Draft: TypeAlias = tuple[int, ...]
"""The indexes chosen so far for an action that needs several."""


class Part(Struct, frozen=True):
    """A run of numbers in an observation."""

    name: str
    size: int
    high: int
    """The highest value."""
    meaning: str
    low: int = 0
    """The lowest value."""


class IndexRun(Struct, frozen=True):
    """A run of indexes in the action space."""

    name: str
    size: int
    meaning: str


class Encoding(ABC):
    """The fixed encoding of a game for a number of seats and options.

    All methods get a seat and what it may know: its view, its ask (None if it is not asked now) and its draft. Most
    actions are one index. An action of several parts is chosen index by index: `action` returns None while more are
    needed, and the caller adds the index to the draft, which begins empty with each ask.
    """

    version: ClassVar[int]
    """Raised with every change of the meaning of a number or an index."""
    omits: ClassVar[tuple[str, ...]] = ()
    """Facts and acts of the game that the encoding lacks."""
    no_tree: ClassVar[str] = ""
    """Why libraries that keep whole histories of single moves, such as OpenSpiel, do not suit the game; empty if they
    do."""
    most_indexes: ClassVar[int] = 1
    """How many indexes an action needs at most."""

    dtype: Literal["uint8", "int32"]
    """The type of all numbers of an observation."""
    parts: Sequence[Part]
    """The observation, from its first number to its last."""
    choices: Sequence[IndexRun]
    """The action space, from index 0 to the last."""

    @property
    def size(self) -> int:
        """The length of an observation."""
        return sum(part.size for part in self.parts)

    @property
    def actions(self) -> int:
        """The number of indexes."""
        return sum(choices.size for choices in self.choices)

    def starts(self) -> dict[str, int]:
        """Where each part begins, by name."""
        return dict(zip([part.name for part in self.parts], _sums(part.size for part in self.parts), strict=False))

    def first_indexes(self) -> dict[str, int]:
        """The first index of each run of choices, by name."""
        return dict(zip([run.name for run in self.choices], _sums(run.size for run in self.choices), strict=False))

    @abstractmethod
    def observe(self, seat: Seat, view: Any, ask: Any | None, draft: Draft = ()) -> Numbers:
        """The view as numbers; a new array."""

    @abstractmethod
    def mask(self, seat: Seat, view: Any, ask: Any | None, draft: Draft = ()) -> Mask:
        """1 for each index that may be chosen now, else 0. All 0 if the seat is not asked.

        The caller must not change the array, which may be a shared one."""

    @abstractmethod
    def action(self, index: int, seat: Seat, view: Any, ask: Any, draft: Draft = ()) -> Any | None:
        """The action that the index completes; None if more indexes are needed. The index must not be masked."""

    @abstractmethod
    def indexes(self, action: Any, seat: Seat, view: Any, ask: Any) -> Draft | None:
        """The indexes that choose this legal action, or one of the same effect; None if it cannot be expressed."""


def _sums(sizes: Iterable[int]) -> Iterable[int]:
    return accumulate(sizes, initial=0)
