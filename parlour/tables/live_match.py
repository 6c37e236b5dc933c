"""One match of an arena while it is played: kept line by line, told to whoever watches, and ended in the store."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from parlour.core import Ask, Asked, Event, Fault, Finding, Leave, Notice, Over, Place, Seat, Stop, Table, Value, Void
from parlour.players.load import ExecSpec, LocalSpec, Spec
from parlour.players.local import LocalPlayer
from parlour.players.play import Begun, CannotPlay, Terms, mind_of, start
from parlour.players.remote import NotIntroduced, RemotePlayer
from parlour.referee.match import Match, Out
from parlour.referee.player import Player, Post
from parlour.referee.shell import Shell, Sign, Timed
from parlour.server.ops.logs import tell, tell_bug
from parlour.store.store import Store
from parlour.tables.host import RETURN_S
from parlour.tables.match_log import Kept
from parlour.transports.process import ProcessPeer

TAIL = 200
"""How many of the last events a late comer is told."""
MOST_BEHIND = 500
"""Who is so many messages behind does not read any more."""


class Absent:
    """Nobody is at the seat just now. Its owner may take it again at any time.

    Asks without a decision are answered by their default, so that an absent player loses nothing by them.
    """

    follows = False

    def __init__(self) -> None:
        self._post: Post | None = None

    def sit(self, place: Place, view: Value, post: Post) -> None:
        self._post = post

    def tell(self, notice: Notice, view: Value | None) -> None:
        if isinstance(notice, Asked) and self._post is not None and notice.ask.default is not None:
            self._post(notice.ask.default, notice.n)

    def auto(self, ask: Ask[Any]) -> Any | None:
        return ask.default


class Watcher:
    """Reads at its own pace what it has not read yet; None is the end of it."""

    def __init__(self, messages: Iterable[bytes], gone: Callable[["Watcher"], None]) -> None:
        self._messages: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._gone = gone
        for message in messages:
            self._messages.put_nowait(message)

    @property
    def is_behind(self) -> bool:
        return self._messages.qsize() >= MOST_BEHIND

    def tell(self, message: bytes | None) -> None:
        self._messages.put_nowait(message)

    def __aiter__(self) -> "Watcher":
        return self

    async def __anext__(self) -> bytes:
        if (message := await self._messages.get()) is None:
            raise StopAsyncIteration
        return message

    async def aclose(self) -> None:
        self._gone(self)


class Feed:
    """What everybody may see of a match, as messages; each watcher reads at its own pace, but not for ever."""

    def __init__(self) -> None:
        self._tail: deque[bytes] = deque(maxlen=TAIL)
        self._watchers: set[Watcher] = set()
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
            if watcher.is_behind:
                self._watchers.discard(watcher)
                watcher.tell(None)
            else:
                watcher.tell(message)

    def end(self) -> None:
        self._over = True
        for watcher in self._watchers:
            watcher.tell(None)

    def messages(self, first: bytes) -> Watcher:
        """The view now, the tail before it, and then all that comes from this very moment on."""
        watcher = Watcher([first, *self._tail], self._watchers.discard)
        if self._over:
            watcher.tell(None)
        else:
            self._watchers.add(watcher)
        return watcher


class Live:
    """A match under way: whose its seats are, who is connected to them, and what is told to who watches."""

    def __init__(self, match: Match[Any], accounts: Sequence[int | None], return_s: float) -> None:
        self.match = match
        self.accounts = [*accounts]
        """By seat, whose it is; who joins later is added."""
        self.feed = Feed()
        self.shell: Shell | None = None
        self.connected: dict[Seat, RemotePlayer] = {}
        self.ended = asyncio.Event()
        """Set when nothing more happens here: the match is over, or it could not go on."""
        self._return_s = return_s
        self._leaving: dict[Seat, asyncio.TimerHandle] = {}
        self._kicked: set[Seat] = set()
        self._acts: list[Table] = []
        """What is to be done as soon as the match is played."""

    @property
    def id(self) -> str:
        return self.match.header.match

    async def settled(self) -> bool:
        """Nobody sees what could still be lost; False: it is."""
        return self.shell is None or await self.shell.settled()

    def seen(self) -> bytes:
        """What everybody may see now."""
        match = self.match
        return msgspec.json.encode({"type": "view", "players": match.names, "view": match.state.view(None)})

    def watch(self, match: Match[Any], out: Out) -> None:
        """For the shell to tell what happens."""
        if match.game.rules.audits is not None:
            self._tell_findings(out)
        self.feed.take(out)

    def _tell_findings(self, out: Out) -> None:
        for notice in out.notices:
            if isinstance(notice, Finding):
                self._tell_own_fault("finding", notice.fault)

    def _tell_own_fault(self, event: str, fault: Fault | Void) -> None:
        """Log what is no seat's doing, and in the rule book's terms where the game has some."""
        game = self.match.game
        words = fault.words.partition(":")[0] if fault.code == "bug" else fault.words  # an exception may say anything
        facts = {"match": self.id, "game": game.name, "code": fault.code, "words": words}
        if game.words.explain is not None:
            facts["explained"] = game.words.explain(fault, self.id, -1, None, 0, None)
        tell(event, logging.WARNING, **facts)

    def connect(self, seat: Seat, player: RemotePlayer) -> None:
        """Its owner is connected to a seat; a connection from before is at an end."""
        if (leaving := self._leaving.pop(seat, None)) is not None:
            leaving.cancel()
        before = self.connected.get(seat)
        if before is not None and before is not player:
            before.let_go()
        self.connected[seat] = player
        player.lost = partial(self.lose, seat) if player.dialect.keeps else None

    def back(self, seat: Seat, player: RemotePlayer) -> None:
        """The same, in the middle of the match."""
        self.connect(seat, player)
        if self.shell is not None:
            self.shell.back(seat, player)

    def lose(self, seat: Seat) -> None:
        """Nobody is at the seat; its owner has some time to come back."""
        if seat not in self._leaving and seat not in self._kicked:
            later = asyncio.get_running_loop().call_later
            self._leaving[seat] = later(self._return_s, self.leave, seat)

    def leave(self, seat: Seat) -> None:
        """Nobody will come back to it."""
        if self.shell is not None:
            self.shell.act(Leave(seat, "dead"))

    def kick(self, account: int) -> None:
        """The account has left the match for good."""
        for seat, owner in enumerate(self.accounts):
            if owner == account and seat not in self._kicked:
                self._kicked.add(seat)
                if (leaving := self._leaving.pop(seat, None)) is not None:
                    leaving.cancel()
                self._act(Leave(seat, "kicked"))

    def stop(self) -> None:
        """The match ends now, and is scored as it stands."""
        self._act(Stop())

    def _act(self, act: Table) -> None:
        if self.shell is None:
            self._acts.append(act)
        else:
            self.shell.act(act)

    def end(self) -> None:
        """Nobody waits for anybody any more, and there is nothing to watch."""
        self.ended.set()
        for leaving in self._leaving.values():
            leaving.cancel()
        for connected in self.connected.values():
            connected.lost = None
        self.feed.end()
        if isinstance(self.match.end, Void):
            self._tell_own_fault("match void", self.match.end)

    async def part(self) -> None:
        """Let go of who is connected."""
        for connected in [*self.connected.values()]:
            await connected.peer.close()


class Playing(Live):
    """A match whose seats are known when it begins, and what is at them."""

    def __init__(
        self,
        store: Store,
        terms: Terms,
        begun: Begun,
        kept: int,
        accounts: Sequence[int | None],
        *,
        return_s: float = RETURN_S,
        hopeless: Collection[int] = (),
    ) -> None:
        super().__init__(begun.match, accounts, return_s)
        self._hopeless = hopeless
        """Accounts that cannot come back, because nothing proves who they are."""
        self._terms = terms
        self._begun = begun
        self._kept = Kept(store, begun.match, kept)
        self.timed: Timed | None = None
        self.sign: Sign | None = None
        self._children: dict[Seat, ProcessPeer] = {}
        self._locals: list[LocalPlayer] = []

    async def run(self, specs: Sequence[Spec | RemotePlayer | None]) -> None:
        """Play it to its end, whatever is at the seats: a bot, a command, somebody connected, or nobody yet."""
        for seat, spec in enumerate(specs):
            if isinstance(spec, RemotePlayer) and seat in self.connected:
                spec.let_go()  # its owner has come by another connection, as soon as there was a match
            elif isinstance(spec, RemotePlayer):
                self.connect(seat, spec)
        try:
            await self._kept(self._begun.out.lines)  # nobody is seated at what could not be gone on with
            players = [await self._player(seat, spec) for seat, spec in enumerate(specs)]
            for seat, player in self.connected.items():  # who came while bots were started
                players[seat] = player
            self.shell = Shell(self.match, players, keep=self._kept, watch=self.watch, record=self.id, timed=self.timed)
            self.shell.sign = self.sign
            for seat, here in enumerate(players):
                if isinstance(here, Absent):
                    (self.lose if self._may_come(seat) else self.leave)(seat)
            for act in self._acts:
                self.shell.act(act)
            await self.shell.run(Out([], self._begun.out.notices))
            await self._kept.end()
        finally:
            await asyncio.gather(*(child.close() for child in self._children.values()))
            for local in self._locals:
                local.close()
            self.end()
        self.shell = None  # which knows of us: whoever is over is gone at once, and need not be looked for

    def _may_come(self, seat: Seat) -> bool:
        return self.accounts[seat] is not None and self.accounts[seat] not in self._hopeless

    async def _player(self, seat: Seat, spec: Spec | RemotePlayer | None) -> Player:
        if isinstance(spec, RemotePlayer):
            return self.connected[seat]
        if isinstance(spec, LocalSpec):
            mind = mind_of(spec, self.match.seed, seat)
            self._begun.seat(seat, mind)
            local = LocalPlayer(mind)
            self._locals.append(local)
            return local
        return Absent() if spec is None else await self._command(seat, spec)

    async def _command(self, seat: Seat, spec: ExecSpec) -> Player:
        """Nobody is there, if it cannot be started."""
        dialect = spec.dialect()
        try:
            self._children[seat] = child = await start(spec, dialect, self._terms.cwd)
        except CannotPlay as e:
            tell_bug("command", e, match=self.id, seat=seat)
            return Absent()
        player = RemotePlayer(child, dialect)
        await self._greet(player, seat)
        return player

    async def _greet(self, player: RemotePlayer, seat: Seat) -> None:
        """A command is greeted as its protocol has it, although its name is settled; who does not answer leaves."""
        if not player.dialect.introduces:
            return
        terms = replace(self._terms, salted=False)
        try:
            await player.introduced(terms.hello(self.match.seed, seat), terms.handshake_s)
        except NotIntroduced as e:
            player.excused = e.why
