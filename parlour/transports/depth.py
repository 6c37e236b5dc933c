"""How deep lists and objects are nested in a message."""

import re

_string = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
_bracket = re.compile(rb"[\[\]{}]")


def is_too_deep(raw: bytes, most: int) -> bool:
    """Whether lists and objects are nested deeper than `most`."""
    if len(raw) <= most or raw.count(b"[") + raw.count(b"{") <= most:
        return False
    depth = 0
    for bracket in _bracket.findall(_string.sub(b"", raw)):
        depth += 1 if bracket in b"[{" else -1
        if depth > most:
            return True
    return False
