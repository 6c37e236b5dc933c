"""Write a match in the game's own file format, from the transcript alone: live and later output are equal."""

from collections.abc import Iterator, Sequence
from typing import Any

from parlour.core import Asked, Event, Game, Over, Scribe
from parlour.referee.replay import Replay, Step
from parlour.referee.transcript import Header, Line


class Written:
    """Converts a transcript line by line into the game's own format."""

    def __init__(self, game: Game[Any], seed: bytes) -> None:
        if game.hosting.scribe is None:
            raise ValueError(f"{game.title} has no form of its own to keep matches in")
        self._scribe = game.hosting.scribe()
        self._replay = Replay(game, seed)
        self._over = False

    def take(self, raw: bytes) -> list[bytes]:
        step = self._replay.take(raw)
        self._over = step.match.end is not None
        return list(_told(self._scribe, step))

    def cut(self) -> list[bytes]:
        """The final lines, if the transcript ends here."""
        return [] if self._over else self._scribe.cut()


def written(game: Game[Any], lines: Sequence[bytes], seed: bytes) -> Iterator[bytes]:
    """Convert a whole transcript."""
    it = Written(game, seed)
    for raw in lines:
        yield from it.take(raw)
    yield from it.cut()


def _told(scribe: Scribe, step: Step) -> Iterator[bytes]:
    match, record = step.match, step.record
    if isinstance(record, Header):
        yield from scribe.began(match.names, match.state.view(None))
    elif isinstance(record, Line):
        yield from scribe.took(record.by, match.action(record), record.fault)
    for notice in step.out.notices:
        if isinstance(notice, Event):
            yield from scribe.event(notice)
        elif isinstance(notice, Asked):
            yield from scribe.asked(notice, match.state.view(notice.seat))
    if isinstance(record, Header | Line):
        yield from scribe.after(match.state)
    for notice in step.out.notices:
        if isinstance(notice, Over):
            yield from scribe.over(notice)
