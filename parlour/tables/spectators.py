"""Spectators over TCP. A spectator that reads too slowly is disconnected."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeAlias

import msgspec

from parlour.core import Event, Game
from parlour.referee.driver import Watch
from parlour.referee.match import Match, Out
from parlour.referee.scribe import Written
from parlour.transports.limits import HOST_CONNECTIONS
from parlour.transports.tcp import SocketPeer

Teller: TypeAlias = Callable[[Match[Any], Out], list[bytes]]
"""The lines to send to spectators for one output of a match."""


class SpectatorGallery:
    """A port that reports every match. A new spectator is first sent the latest report."""

    def __init__(self, title: str, tells: Callable[[bytes], Teller]) -> None:
        self.title = title
        """The audience."""
        self._tells = tells
        self._server: asyncio.Server | None = None
        self.onlookers: set[SocketPeer] = set()
        """The connections; some may be closed."""
        self._last: list[bytes] = []

    async def listen(self, address: str, port: int) -> int:
        """Listen on a port; returns its number, which the system chooses if it was 0."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: SocketPeer(made=self._welcome), address, port)
        chosen: int = self._server.sockets[0].getsockname()[1]
        return chosen

    def watch(self, seed: bytes) -> Watch:
        """A watcher that reports a match to the spectators."""
        tell = self._tells(seed)

        def watch(match: Match[Any], out: Out) -> None:
            if told := tell(match, out):
                self._last = told
                for onlooker in self.onlookers:
                    onlooker.send(told)

        return watch

    async def close(self) -> None:
        """Stop listening and close all connections."""
        if self._server is not None:
            self._server.close()
        for onlooker in self.onlookers:
            await onlooker.close()

    def _welcome(self, onlooker: SocketPeer) -> None:
        self.onlookers = {other for other in self.onlookers if other.gone is None}
        if len(self.onlookers) >= HOST_CONNECTIONS:
            onlooker.drop("flood")
            return
        self.onlookers.add(onlooker)
        onlooker.listen(lambda line: onlooker.drop("talks"), lambda why: None)
        onlooker.send(self._last)


def observed(game: Game[Any]) -> Callable[[bytes], Teller]:
    """Report everything in the game's own file format; for the host."""

    def tells(seed: bytes) -> Teller:
        written = Written(game, seed)
        return lambda match, out: [told for line in out.lines for told in written.take(line)]

    return tells


def spectated(seed: bytes) -> Teller:
    """Report what spectators may see: events, and the view after them."""

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
