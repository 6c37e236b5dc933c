"""A running match of an arena: its lines are stored, its spectators are told, and its result is stored."""

import asyncio
import logging
from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import Any

import msgspec

from parlour.core import Ask, Asked, Fault, Finding, Leave, Notice, Place, Seat, Stop, Table, Value, Void
from parlour.players.play import Begun
from parlour.players.player_specs import LocalSpec, Spec
from parlour.players.remote import RemotePlayer
from parlour.players.starter import Starter
from parlour.players.terms import CannotPlay, Terms
from parlour.protocol.reports import tell, tell_bug
from parlour.protocol.seat_log import SeatTexts
from parlour.referee.log import Log, done
from parlour.referee.match import Match, Out
from parlour.referee.player import Player, Post
from parlour.referee.shell import Shell, Sign, Timed
from parlour.referee.timeline import PlayerKind, stated_kind
from parlour.tables.host import RETURN_S
from parlour.tables.match_feed import Feed, FullFeed
from parlour.tables.seat_log import SeatLog, SeatLogs


class Absent:
    """A seat without a connection. Its owner may resume it at any time.

    Asks with a default are answered with it, so that the absent player loses nothing.
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


class Live:
    """A running match: the owners of its seats, their connections, and its spectators."""

    def __init__(
        self, match: Match[Any], accounts: Sequence[int | None], return_s: float, past: Iterable[Out] = ()
    ) -> None:
        """`past` is the output of a resumed match so far."""
        self.match = match
        self.accounts = [*accounts]
        """The account of each seat; extended when a player joins."""
        self.kinds: dict[Seat, PlayerKind] = {}
        """What is known of players beside what the header tells: bots, and players that joined later."""
        self.feed = Feed()
        self.full_feed = FullFeed(match, self.kinds, partial(tell_bug, "words", match=self.id), past)
        self._first_told = asyncio.Event()
        """Set when the first output was delivered, or when there will be none."""
        self.shell: Shell | None = None
        self.connected: dict[Seat, RemotePlayer] = {}
        self.ended = asyncio.Event()
        """Set when the match is over or has failed."""
        self._began = False
        self._return_s = return_s
        self._leaving: dict[Seat, asyncio.TimerHandle] = {}
        self._kicked: set[Seat] = set()
        self._acts: list[Table] = []
        """Acts of the table that wait for the shell."""
        self.logs: SeatLogs | None = None
        """Keeps the messages of its clients, if somebody may want to see them."""

    @property
    def id(self) -> str:
        return self.match.header.match

    async def settled(self) -> bool:
        """Wait until the current state is durable; False if a write failed."""
        return self.shell is None or await self.shell.settled()

    async def has_begun(self) -> bool:
        """Wait until the first output is durable and delivered; False if the match failed before."""
        await self._first_told.wait()
        return self._began

    def seen(self) -> bytes:
        """The public view as a message."""
        match = self.match
        return msgspec.json.encode({"type": "view", "players": match.names, "view": match.state.view(None)})

    def watch(self, match: Match[Any], out: Out) -> None:
        """Callback for the shell."""
        if match.game.rules.audits is not None:
            self._tell_findings(out)
        self.feed.take(out)
        over = match.over if match.over is None or self.shell is None else self.shell.told(match.over)
        self.full_feed.take(out, asyncio.get_running_loop().time(), over)
        self._began = True
        self._first_told.set()

    def _tell_findings(self, out: Out) -> None:
        for notice in out.notices:
            if isinstance(notice, Finding):
                self._tell_own_fault("finding", notice.fault)

    def _tell_own_fault(self, event: str, fault: Fault | Void) -> None:
        """Log a fault that no seat caused, with the game's explanation if it has one."""
        game = self.match.game
        words = (
            fault.words.partition(":")[0] if fault.code == "bug" else fault.words
        )  # exception texts may contain secrets
        facts = {"match": self.id, "game": game.name, "code": fault.code, "words": words}
        if game.words.explain is not None:
            facts["explained"] = game.words.explain(fault, self.id, -1, None, 0, None)
        tell(event, logging.WARNING, **facts)

    def connect(self, seat: Seat, player: RemotePlayer) -> None:
        """Connect the owner of a seat, and disconnect an earlier connection."""
        if (leaving := self._leaving.pop(seat, None)) is not None:
            leaving.cancel()
        before = self.connected.get(seat)
        if before is not None and before is not player:
            before.let_go()
        self.connected[seat] = player
        if seat >= len(self.match.header.players):
            self.kinds[seat] = stated_kind(player.about)  # the transcript has no facts about players that joined later
        player.lost = partial(self.lose, seat) if player.dialect.keeps else None
        self.keep_log(seat)

    def keep_log(self, seat: Seat) -> None:
        """Keep the messages of the client at a seat, once its account is known."""
        account = self.accounts[seat] if seat < len(self.accounts) else None
        player = self.connected.get(seat)
        if self.logs is not None and account is not None and player is not None:
            self.logs.seated(self.id, self.match.game.name, seat, account, player)

    def take_note(self, seat: Seat, ask: int, record: int, text: str) -> None:
        """Keep a note of a client. Callback for the shell."""
        player = self.connected.get(seat)
        if player is not None and isinstance(player.log, SeatLog):
            player.log.note(record, ask, text)

    def command_stderr(self, seat: Seat) -> SeatTexts | None:
        """What a command of the host at this seat wrote to stderr in this run of the server."""
        return None

    def keep_stderr(self) -> None:
        """Have the stderr of all its commands stored. Called once, when they have stopped."""
        written = [self.command_stderr(seat) for seat in range(len(self.match.names))]
        if self.logs is not None:
            self.logs.pending += [texts for texts in written if texts is not None and texts.stderr]

    def back(self, seat: Seat, player: RemotePlayer) -> None:
        """`connect` during the match."""
        self.connect(seat, player)
        if self.shell is not None:
            self.shell.back(seat, player)

    def lose(self, seat: Seat) -> None:
        """The connection of a seat is lost; its owner has some time to resume."""
        if seat not in self._leaving and seat not in self._kicked:
            later = asyncio.get_running_loop().call_later
            self._leaving[seat] = later(self._return_s, self.leave, seat)

    def leave(self, seat: Seat) -> None:
        """The owner of a seat did not resume in time."""
        if self.shell is not None:
            self.shell.act(Leave(seat, "dead"))

    def kick(self, account: int) -> None:
        """Remove an account from the match for good."""
        for seat, owner in enumerate(self.accounts):
            if owner == account and seat not in self._kicked:
                self._kicked.add(seat)
                if (leaving := self._leaving.pop(seat, None)) is not None:
                    leaving.cancel()
                self._act(Leave(seat, "kicked"))

    def stop(self) -> None:
        """End the match now and score it as it stands."""
        self._act(Stop())

    def _act(self, act: Table) -> None:
        if self.shell is None:
            self._acts.append(act)
        else:
            self.shell.act(act)

    def end(self) -> None:
        """Cancel the timers and end the feed."""
        self.ended.set()
        for leaving in self._leaving.values():
            leaving.cancel()
        for connected in self.connected.values():
            connected.lost = None
        self._first_told.set()
        self.feed.end()
        self.full_feed.end()
        if self.logs is not None:
            self.logs.ended(self.id, self.accounts, is_over=self.match.end is not None)
        if isinstance(self.match.end, Void):
            self._tell_own_fault("match void", self.match.end)

    async def part(self) -> None:
        """Disconnect all clients."""
        for connected in [*self.connected.values()]:
            await connected.peer.close()


class Playing(Live):
    """A match whose seats are known at its beginning, with its bots and commands."""

    def __init__(
        self,
        log: Log,
        terms: Terms,
        begun: Begun,
        accounts: Sequence[int | None],
        *,
        return_s: float = RETURN_S,
        hopeless: Collection[int] = (),
    ) -> None:
        super().__init__(begun.match, accounts, return_s, begun.past)
        self._hopeless = hopeless
        """Accounts that cannot resume, because they have no valid token."""
        self._begun = begun
        self._log = log
        self.timed: Timed | None = None
        self.sign: Sign | None = None
        self._starter = Starter(terms, begun.match.seed)

    async def run(self, specs: Sequence[Spec | RemotePlayer | None]) -> None:
        """Play to the end. A seat has a bot, a command, a connected client, or None for no client yet."""
        for seat, spec in enumerate(specs):
            if isinstance(spec, RemotePlayer) and seat in self.connected:
                spec.let_go()  # its owner has already reconnected
            elif isinstance(spec, RemotePlayer):
                self.connect(seat, spec)
        try:
            await done(self._log.write(self._begun.out.lines))  # before players are seated, or it could not be resumed
            players = [await self._player(seat, spec) for seat, spec in enumerate(specs)]
            for seat, player in self.connected.items():  # some connected while bots were started
                players[seat] = player
            self.shell = Shell(self.match, players, log=self._log, watch=self.watch, record=self.id, timed=self.timed)
            self.shell.sign, self.shell.take_note = self.sign, self.take_note
            for seat, here in enumerate(players):
                if isinstance(here, Absent):
                    (self.lose if self._may_come(seat) else self.leave)(seat)
            for act in self._acts:
                self.shell.act(act)
            await self.shell.run(Out([], self._begun.out.notices))
            await done(self._log.end(self.match))
        finally:
            await self._starter.close()
            self.keep_stderr()
            self._starter.commands.clear()
            self.end()
        self.shell = None  # break the reference cycle, so that memory is freed without the garbage collector

    def command_stderr(self, seat: Seat) -> SeatTexts | None:
        child = self._starter.commands.get(seat)
        return None if child is None else SeatTexts(self.id, seat, None, child.stderr_kept, child.stderr_dropped)

    def _may_come(self, seat: Seat) -> bool:
        return self.accounts[seat] is not None and self.accounts[seat] not in self._hopeless

    async def _player(self, seat: Seat, spec: Spec | RemotePlayer | None) -> Player:
        if isinstance(spec, RemotePlayer):
            return self.connected[seat]
        if spec is None:
            return Absent()
        try:
            return await self._starter.take(spec, seat, self._begun.past)
        except CannotPlay as e:
            if isinstance(spec, LocalSpec):
                raise
            tell_bug("command", e, match=self.id, seat=seat)
            return Absent()
