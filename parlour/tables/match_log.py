"""Store the lines and the result of a match."""

from collections.abc import Sequence
from typing import Any

from parlour.core import Result
from parlour.protocol.forms import MatchState
from parlour.referee.match import Match
from parlour.store.store import Store


class MatchLog:
    """Stores the lines of one match."""

    def __init__(self, store: Store, match: Match[Any], kept: int = 0) -> None:
        self._store = store
        self._match = match
        self._kept = kept
        """Number of stored lines."""

    async def __call__(self, lines: Sequence[bytes]) -> None:
        await self._store.writer.keep(self._match.header.match, self._kept, lines)
        self._kept += len(lines)

    async def end(self) -> None:
        """Reveal the seed and store the result. Calling it again changes nothing."""
        match, end = self._match, self._match.end
        if not match.revealed:
            await self([match.reveal()])
        results = dict(enumerate(zip(end.scores, end.ranks, strict=True))) if isinstance(end, Result) else {}
        state: MatchState = "over" if isinstance(end, Result) else "void"
        await self._store.end_match(match.header.match, state, results, match.names, match.faults)
