"""A match in the store: its lines as they come, and its end."""

from collections.abc import Sequence
from typing import Any

from parlour.core import Result
from parlour.referee.match import Match
from parlour.store.store import MatchState, Store


class Kept:
    """Makes the lines of one match durable."""

    def __init__(self, store: Store, match: Match[Any], kept: int = 0) -> None:
        self._store = store
        self._match = match
        self._kept = kept
        """How many lines are there already."""

    async def __call__(self, lines: Sequence[bytes]) -> None:
        await self._store.writer.keep(self._match.header.match, self._kept, lines)
        self._kept += len(lines)

    async def end(self) -> None:
        """The seed is revealed, and the result is kept. Done twice, it is done once."""
        match, end = self._match, self._match.end
        if not match.revealed:
            await self([match.reveal()])
        results = dict(enumerate(zip(end.scores, end.ranks, strict=True))) if isinstance(end, Result) else {}
        state: MatchState = "over" if isinstance(end, Result) else "void"
        await self._store.end_match(match.header.match, state, results, match.names)
