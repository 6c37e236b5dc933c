"""Keep recent replays in a limited amount of memory."""

import gc
import sys
from collections import OrderedDict
from collections.abc import Iterable
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from msgspec import Raw, Struct

from parlour.referee.frames import RecordedMatch

MOST_BYTES = 96 * 2**20
"""The memory of all replays together."""
SHARE = 4
"""A replay that needs more than this part of it is kept with fewer snapshots."""
FEW_SNAPSHOTS = 16
"""With fewer snapshots a frame of a long match takes long, so a replay then rather needs more than its part."""
RAW_BYTES = 64
"""Bytes of memory of a `Raw` without its text."""
_SHARED = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType)
"""Objects of the program, which belong to no replay."""


class ReplayCache:
    """Replays by match. The least recently used ones are dropped for new ones."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most = most_bytes
        self._kept: OrderedDict[str, tuple[RecordedMatch, int]] = OrderedDict()
        self.size = 0
        """Bytes of memory, measured."""

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: str) -> RecordedMatch | None:
        if key not in self._kept:
            return None
        self._kept.move_to_end(key)
        return self._kept[key][0]

    def put(self, key: str, match: RecordedMatch) -> None:
        """Keep a replay, with fewer snapshots if it is large; not at all if it is too large even so."""
        size = size_of(match)
        for limit, fewest in ((self._most // SHARE, FEW_SNAPSHOTS), (self._most, 1)):
            while size > limit and len(match.snapshots) > fewest:
                match.thin()
                size = size_of(match)
        if size > self._most:
            return
        self.size -= self._kept.pop(key, (match, 0))[1]
        self._kept[key] = match, size
        self.size += size
        while self.size > self._most:
            _, (_, freed) = self._kept.popitem(last=False)
            self.size -= freed


def size_of(root: object) -> int:
    """The memory of an object and of all that it refers to, in bytes; without modules, classes and functions."""
    seen: set[int] = {id(root)}
    waiting: list[Any] = [root]
    size = 0
    while waiting:
        each = waiting.pop()
        size += RAW_BYTES + len(memoryview(each)) if isinstance(each, Raw) else sys.getsizeof(each)
        for other in _parts(each):
            if id(other) not in seen and not isinstance(other, _SHARED):
                seen.add(id(other))
                waiting.append(other)
    return size


def _parts(each: object) -> Iterable[object]:
    """The objects that an object refers to. The garbage collector skips structs with `gc=False`."""
    if isinstance(each, Struct):
        return [getattr(each, name) for name in each.__struct_fields__]
    return gc.get_referents(each)
