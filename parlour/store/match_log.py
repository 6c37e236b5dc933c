"""Store the lines and the result of a match."""

from collections.abc import Sequence
from typing import Any

from parlour.core import Result
from parlour.protocol.forms import MatchState
from parlour.referee.match import Match
from parlour.store.store import Store


class StoredLog:
    """Stores the lines of one match; see `parlour.referee.log.Log`."""

    def __init__(self, store: Store, match: Match[Any], kept: int = 0) -> None:
        self._store = store
        self._match = match.header.match
        self._kept = kept
        """Number of stored lines."""

    async def write(self, lines: Sequence[bytes]) -> None:
        await self._store.writer.keep(self._match, self._kept, lines)
        self._kept += len(lines)

    async def end(self, match: Match[Any]) -> None:
        end = match.end
        if not match.revealed:
            await self.write([match.reveal()])
        results = dict(enumerate(zip(end.scores, end.ranks, strict=True))) if isinstance(end, Result) else {}
        state: MatchState = "over" if isinstance(end, Result) else "void"
        await self._store.end_match(match.header.match, state, results, match.names, match.faults)
