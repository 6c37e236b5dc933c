"""Transcripts that somebody has changed."""

import hashlib
import json
import re
from typing import Any


def rechained(lines: list[bytes]) -> bytes:
    """Compute all hashes again, as a forger would."""
    made = lines[:1]
    for line in lines[1:]:
        digest = hashlib.sha256(made[-1]).hexdigest().encode()
        made.append(re.sub(rb'"prev":"[0-9a-f]{64}"', b'"prev":"' + digest + b'"', line, count=1))
    return b"".join(line + b"\n" for line in made)


class Forger:
    """Changes one transcript in several ways. Lines count from 1."""

    def __init__(self, data: bytes) -> None:
        self.lines = data.split(b"\n")[:-1]

    def line_of(self, seat: int, action: str) -> int:
        """The last line in which the seat did something of this type."""
        records: list[dict[str, Any]] = [json.loads(line) for line in self.lines]
        found = [n for n, each in enumerate(records, 1) if each.get("by") == seat and each["do"]["type"] == action]
        return found[-1]

    def one_byte(self, line: int) -> bytes:
        """Another digit in one line."""
        other = {digit: b"%d" % (9 - digit) for digit in range(10)}
        return self._with(line, rb'"estate":(\d)', lambda digit: b'"estate":' + other[int(digit)], joined=True)

    def another_move(self, line: int, action: bytes) -> bytes:
        """Another action, and all later hashes computed again."""
        return self._with(line, rb'"do":(\{[^}]*\})', lambda _: b'"do":' + action)

    def another_seed(self) -> bytes:
        return self._with(len(self.lines), rb'"seed":"([0-9a-f]{64})"', lambda _: b'"seed":"' + b"5" * 64 + b'"')

    def another_salt(self, salt: bytes) -> bytes:
        """Another salt of one player in the header, and all hashes computed again."""
        return self._with(1, b'"salt":"(' + salt + b')"', lambda _: b'"salt":"' + salt[::-1] + b'"')

    def _with(self, line: int, pattern: bytes, new: Any, *, joined: bool = False) -> bytes:
        changed, count = re.subn(pattern, lambda found: new(found[1]), self.lines[line - 1], count=1)
        assert count == 1 and changed != self.lines[line - 1]
        lines = [*self.lines[: line - 1], changed, *self.lines[line:]]
        return b"".join(each + b"\n" for each in lines) if joined else rechained(lines)
