"""Lets others look on over TCP. Nobody waits for them: who reads too slowly is let go."""

from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from parlour.core import Event, Game
from parlour.referee.driver import Watch
from parlour.referee.match import Match, Out
from parlour.referee.scribe import Written
from parlour.tables.door import Door
from parlour.transports.lines import LineSplitter
from parlour.transports.tcp import SocketPeer

Teller: TypeAlias = Callable[[Match[Any], Out], list[bytes]]
"""What onlookers are told of something that came out, a line each."""


class Gallery:
    """A port on which every match is told. Whoever comes in the middle begins with the last that was told."""

    def __init__(self, title: str, tells: Callable[[bytes], Teller]) -> None:
        self.title = title
        """Whom it is for."""
        self._tells = tells
        self._door = Door()
        self._onlookers: set[SocketPeer] = set()
        self._last: list[bytes] = []

    async def listen(self, address: str, port: int) -> int:
        return await self._door.open(address, port, LineSplitter, self._welcome)

    def watch(self, seed: bytes) -> Watch:
        """Somebody who sees a match, and tells it."""
        tell = self._tells(seed)

        def watch(match: Match[Any], out: Out) -> None:
            if told := tell(match, out):
                self._last = told
                self._onlookers = {onlooker for onlooker in self._onlookers if onlooker.gone is None}
                for onlooker in self._onlookers:
                    onlooker.send(told)

        return watch

    async def close(self) -> None:
        await self._door.close()

    async def _welcome(self, onlooker: SocketPeer) -> None:
        onlooker.listen(lambda line: onlooker.drop("talks"), lambda why: None)
        onlooker.send(self._last)
        self._onlookers.add(onlooker)


def observed(game: Game[Any]) -> Callable[[bytes], Teller]:
    """Everything, in the game's own form: for the host."""

    def tells(seed: bytes) -> Teller:
        written = Written(game, seed)
        return lambda match, out: [told for line in out.lines for told in written.take(line)]

    return tells


def spectated(seed: bytes) -> Teller:
    """What everybody may see: events, and the view after them."""

    def tell(match: Match[Any], out: Out) -> list[bytes]:
        events = [notice for notice in out.to(None) if isinstance(notice, Event)]
        if not events and match.records > 1:
            return []
        view = {"type": "view", "players": match.names, "view": match.state.view(None)}
        return [
            *(msgspec.json.encode({"type": "event", "event": event}) for event in events),
            msgspec.json.encode(view),
        ]

    return tell
