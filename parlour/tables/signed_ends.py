"""Read the ends of finished matches from the store, and sign them with the server's key."""

import contextlib
from hashlib import sha256

from msgspec import Struct

from parlour.core import Over
from parlour.referee.signature import Signer
from parlour.referee.transcript import BadTranscript, End, read_record
from parlour.tables.table_store import TableStore

MOST_KEPT = 1000
"""How many signed ends are cached, because signing takes longer than the rest of a request."""


class SignedEnd(Struct, frozen=True):
    """The signed end of a match."""

    header: str
    """SHA-256 of the transcript's first line."""
    over: Over
    """Includes the SHA-256 of the end line, and the signature."""


class Ends:
    """Reads and signs the ends of matches in the store."""

    def __init__(self, store: TableStore, signer: Signer) -> None:
        self._store = store
        self.signer = signer
        self._known: dict[str, SignedEnd] = {}

    async def of(self, match: str) -> SignedEnd | None:
        """The signed end; None if the transcript has no end. Only for matches that are over or void in the store."""
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
        with contextlib.suppress(BadTranscript):  # a match with unreadable lines is void too
            for line in reversed(last):
                record = read_record(line, 1)
                if isinstance(record, End):
                    header, head = sha256(first[0]).hexdigest(), sha256(line).hexdigest()
                    signed = self.signer.sign(match, header, head, record.end)
                    return SignedEnd(header, Over(record.end, head, match, signed))
        return None
