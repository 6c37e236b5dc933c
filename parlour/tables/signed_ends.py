"""Ends of finished matches, signed with the server's key whenever somebody asks for one."""

import contextlib
from hashlib import sha256

from msgspec import Struct

from parlour.core import Over, Result, Void
from parlour.referee.signature import Signer
from parlour.referee.transcript import BadTranscript, End, read_record
from parlour.store.store import Store

MOST_KEPT = 1000
"""How many signed ends are remembered: signing takes longer than all the rest of a request."""


class SignedEnd(Struct, frozen=True):
    """How a match ended, and what binds its transcript."""

    header: str
    """SHA-256 of the transcript's first line."""
    over: Over
    """With the SHA-256 of its end line, and the signature."""


class Ends:
    """Reads and signs the ends of matches in the store."""

    def __init__(self, store: Store, signer: Signer) -> None:
        self._store = store
        self.signer = signer
        self._known: dict[str, SignedEnd] = {}

    async def of(self, match: str) -> SignedEnd | None:
        """None: there is no end in its transcript. Ask only for a match that is over or void in the store."""
        if match not in self._known:
            found = await self._read(match)
            if found is None:
                return None
            if len(self._known) >= MOST_KEPT:
                del self._known[next(iter(self._known))]
            self._known[match] = found
        return self._known[match]

    async def _read(self, match: str) -> SignedEnd | None:
        first, last = await self._store.lines(match, limit=1), await self._store.last_lines(match, 2)
        with contextlib.suppress(BadTranscript):  # a match is void, too, if its lines cannot be read
            for line in reversed(last):
                record = read_record(line, 1)
                if isinstance(record, End):
                    return self._signed(match, sha256(first[0]).hexdigest(), sha256(line).hexdigest(), record.end)
        return None

    def _signed(self, match: str, header: str, head: str, end: Result | Void) -> SignedEnd:
        return SignedEnd(header, Over(end, head, match, self.signer.sign(match, header, head, end)))
