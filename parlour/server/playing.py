"""One match of an arena while it is played: kept line by line, told to whoever watches, and ended in the store."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from typing import Any

import msgspec

from parlour.core import Event, Notice, Over, Place, Seat, Value
from parlour.players.load import ExecSpec, LocalSpec, Spec
from parlour.players.local import LocalPlayer
from parlour.players.play import Begun, Terms, mind_of, start
from parlour.players.remote import RemotePlayer
from parlour.referee.match import Match, Out
from parlour.referee.player import Player, Post
from parlour.referee.shell import Shell
from parlour.server.kept import Kept
from parlour.store.store import Store
from parlour.transports.process import ProcessPeer

TAIL = 200
"""How many of the last events a late comer is told."""
MOST_BEHIND = 500
"""Who is so many messages behind does not read any more."""


class Absent:
    """Nobody is at the seat just now. It may be taken again at any time, by who it belongs to."""

    follows = False

    def sit(self, place: Place, view: Value, post: Post) -> None:
        pass

    def tell(self, notice: Notice, view: Value | None) -> None:
        pass


class Feed:
    """What everybody may see of a match, as messages; each watcher reads at its own pace, but not for ever."""

    def __init__(self) -> None:
        self._tail: deque[bytes] = deque(maxlen=TAIL)
        self._watchers: set[asyncio.Queue[bytes | None]] = set()
        self._over = False

    def take(self, out: Out) -> None:
        for notice in out.to(None):
            if isinstance(notice, Event):
                self._send(msgspec.json.encode({"type": "event", "event": notice}))
            elif isinstance(notice, Over):
                self._send(msgspec.json.encode({"type": "over", "end": notice.end, "head": notice.head}))

    def _send(self, message: bytes) -> None:
        self._tail.append(message)
        for watcher in [*self._watchers]:
            if watcher.qsize() >= MOST_BEHIND:
                self._watchers.discard(watcher)
                watcher.put_nowait(None)
            else:
                watcher.put_nowait(message)

    def end(self) -> None:
        self._over = True
        for watcher in self._watchers:
            watcher.put_nowait(None)

    async def messages(self, first: bytes) -> AsyncIterator[bytes]:
        """The view now, the tail before it, and then all that comes."""
        queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        tail = [*self._tail]
        if not self._over:
            self._watchers.add(queue)
        try:
            yield first
            for message in tail:
                yield message
            while not self._over and (later := await queue.get()) is not None:
                yield later
        finally:
            self._watchers.discard(queue)


class Playing:
    """A match, its shell, and what is at its seats."""

    def __init__(self, store: Store, terms: Terms, begun: Begun, kept: int, accounts: Sequence[int | None]) -> None:
        self.accounts = accounts
        """By seat, whose it is."""
        self._connected: dict[Seat, RemotePlayer] = {}
        self._terms = terms
        self._begun = begun
        self.match: Match[Any] = begun.match
        self._kept = Kept(store, begun.match, kept)
        self.feed = Feed()
        self._children: dict[Seat, ProcessPeer] = {}
        self._locals: list[LocalPlayer] = []
        self._shell: Shell | None = None

    @property
    def id(self) -> str:
        return self.match.header.match

    async def run(self, specs: Sequence[Spec | RemotePlayer | None]) -> None:
        """Play it to its end, whatever is at the seats: a bot, a command, somebody connected, or nobody yet."""
        for seat, spec in enumerate(specs):
            if isinstance(spec, RemotePlayer):
                self._connected.setdefault(seat, spec)
        try:
            await self._kept(self._begun.out.lines)  # nobody is seated at what could not be gone on with
            players = [await self._player(seat, spec) for seat, spec in enumerate(specs)]
            for seat, player in self._connected.items():  # who came while bots were started
                players[seat] = player
            self._shell = Shell(self.match, players, keep=self._kept, watch=self._watch, record=self.id)
            await self._shell.run(Out([], self._begun.out.notices))
            await self._kept.end()
        finally:
            await asyncio.gather(*(child.close() for child in self._children.values()))
            for local in self._locals:
                local.close()
            self.feed.end()
        await self.part()

    async def part(self) -> None:
        """Let go of who is connected."""
        for connected in self._connected.values():
            await connected.peer.close()

    def back(self, seat: Seat, player: RemotePlayer) -> None:
        """Its owner has connected to a seat; a connection from before is at an end."""
        if (before := self._connected.get(seat)) is not None:
            before.let_go()
        self._connected[seat] = player
        if self._shell is not None:
            self._shell.back(seat, player)

    def seen(self) -> bytes:
        """What everybody may see now."""
        match = self.match
        return msgspec.json.encode({"type": "view", "players": match.names, "view": match.state.view(None)})

    async def _player(self, seat: Seat, spec: Spec | RemotePlayer | None) -> Player:
        if isinstance(spec, RemotePlayer):
            return self._connected[seat]
        if isinstance(spec, LocalSpec):
            mind = mind_of(spec, self.match.seed, seat)
            self._begun.seat(seat, mind)
            local = LocalPlayer(mind)
            self._locals.append(local)
            return local
        if isinstance(spec, ExecSpec):
            dialect = spec.dialect()
            self._children[seat] = child = await start(spec, dialect, self._terms.cwd)
            return RemotePlayer(child, dialect)
        return Absent()

    def _watch(self, match: Match[Any], out: Out) -> None:
        self.feed.take(out)
