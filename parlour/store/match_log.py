"""Store the lines and the result of a match."""

from collections.abc import Awaitable, Sequence
from typing import Any

from parlour.core import Result
from parlour.protocol.forms import MatchState
from parlour.referee.match import Match
from parlour.store.store import Store


class StoredLog:
    """Stores the lines of one match; see `parlour.referee.log.Log`."""

    def __init__(self, store: Store, match: Match[Any], kept: int = 0) -> None:
        """`kept` lines are stored already."""
        self._store = store
        self._match = match.header.match
        self._next = kept
        """The number of the next line."""

    def write(self, lines: Sequence[bytes]) -> Awaitable[None]:
        """Store lines. If that fails, this log cannot be used any more: resume the match from the store."""
        first, self._next = self._next, self._next + len(lines)
        return self._store.writer.keep(self._match, first, lines)

    async def end(self, match: Match[Any]) -> None:
        end = match.end
        if not match.revealed:
            await self.write([match.reveal()])
        results = dict(enumerate(zip(end.scores, end.ranks, strict=True))) if isinstance(end, Result) else {}
        state: MatchState = "over" if isinstance(end, Result) else "void"
        await self._store.end_match(match.header.match, state, results, match.names, match.faults)
