"""One table: it is open until its match begins; then the match runs, is stored and is watched; then it is over."""

import asyncio
import contextlib
import hmac
import logging
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from parlour.core import Fault, Finding, Game, Hello, Leave, Seat, Sitting, Stop, Void
from parlour.core import Table as Act
from parlour.players.local import LocalPlayer
from parlour.players.models.model_player import ModelPlayer
from parlour.players.play import Begun
from parlour.players.player_specs import LocalSpec, ModelSpec, Spec
from parlour.players.remote import RemotePlayer
from parlour.players.starter import Started, Starter
from parlour.players.terms import CannotPlay
from parlour.protocol.errors import RequestError
from parlour.protocol.forms import TableTerms
from parlour.protocol.reports import tell, tell_bug
from parlour.protocol.seat_log import SeatTexts
from parlour.referee.driver import Watch
from parlour.referee.log import Log, done
from parlour.referee.match import Match, Out
from parlour.referee.player import Player
from parlour.referee.shell import Shell, Sign, Timed
from parlour.referee.timeline import PlayerKind, stated_kind
from parlour.referee.transcript import commitment, match_name
from parlour.tables.match_feed import Feeds
from parlour.tables.seat_keeper import Absent, Chair, Occupant, SeatKeeper
from parlour.tables.seat_log import SeatLog, SeatLogs, waiting_log
from parlour.tables.waiting_feed import WaitingFeed
from parlour.transports.limits import RETURN_S

if TYPE_CHECKING:  # that module imports this one
    from parlour.tables.seating import SeatingPolicy


class Origin(Struct, frozen=True):
    """How a table came about. It is stored with the table, under the same names."""

    owner: int | None = None
    """The account that created it, and pays for its models; None: the host."""
    key_hash: str | None = None
    """The hash of the key for its invited seats."""
    rematch_of: str | None = None
    """The match whose players play again here."""
    league: str | None = None
    """The league that its match is played in. All of its seats are assigned."""
    is_rated: bool = False
    """Whether its match changes ratings. Only the store knows this after a restart."""


BY_HOST = Origin()


class Table:
    """A table from its first free seat to the end of its match."""

    is_kept: bool = False
    """Whether it is stored. A quick table is stored when its first seat is taken."""

    # While it is open
    policy: "SeatingPolicy[Any]"
    """Decides who is seated and when the match begins. The table of a room, which is never open, has none."""
    is_due: bool = False
    """Whether its waiting time is over. No more quick players are sent here, or the wait might never end."""
    latest: float = 0.0
    """When a table that is due stops waiting for guests that have not connected."""
    is_retried: bool = False
    """Whether another attempt to begin its match is scheduled after a failure of the store."""
    _timer: asyncio.TimerHandle | None = None
    due_at: float = 0.0
    """When its waiting time is over. It is kept here because the timers of some event loops do not tell it."""
    salted: bool = True
    """Whether the players' salts are used."""

    # From the beginning of its match
    match: Match[Any]
    log: Log
    starter: Starter
    feeds: Feeds
    shell: Shell | None = None
    timed: Timed | None = None
    sign: Sign | None = None
    logs: SeatLogs | None = None
    """Keeps the messages of its clients, if somebody may want to see them."""
    observe: Watch | None = None
    """Called with all output after spectators were told, if set."""
    endings: Mapping[Seat, str] = {}
    """How commands ended before the match did; set at its end."""
    _began: bool = False
    _time: Callable[[], float]

    def __init__(
        self,
        game: Game[Any],
        terms: TableTerms,
        seed: bytes,
        chairs: list[Chair],
        return_s: float | None = RETURN_S,
        origin: Origin = BY_HOST,
    ) -> None:
        """`return_s`: see SeatKeeper."""
        self.game = game
        self.terms = self.first_terms = terms
        """`terms` change when people or language models join a quick table, because they get more time."""
        self.seed = seed
        self.origin = origin
        self.id = match_name(seed)
        self.chairs = chairs
        self.seats = SeatKeeper(chairs, return_s)
        self.lock = asyncio.Lock()
        self.waiting = WaitingFeed(game.name, self.seats)
        self.closed = asyncio.Event()
        """Set when its match has begun or the table was dropped."""
        self.ended = asyncio.Event()
        """Set when the match is over or has failed."""
        self.kinds: dict[Seat, PlayerKind] = {}
        """The kinds of players that the header does not tell: bots, and players that joined later."""
        self._first_told = asyncio.Event()
        """Set when the first output was delivered, or when there will be none."""
        self._acts: list[Act] = []
        """Acts of the table that wait for the shell."""

    # Open

    @property
    def commit(self) -> str:
        """The hash of the seed, published before the match."""
        return commitment(self.seed)

    def wait(self, wait_s: float, is_over: Callable[[], None]) -> None:
        """Wait that long from now for players; then call `is_over`, unless the table is closed."""
        loop = asyncio.get_running_loop()
        self.due_at = loop.time() + max(0.0, wait_s)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = loop.call_at(self.due_at, is_over)

    def close(self) -> None:
        """The match begins, the table was dropped, or the server stops."""
        self.closed.set()
        if self._timer is not None:
            self._timer.cancel()
        self.waiting.end()

    def hello(self, player: RemotePlayer) -> Hello:
        """The greeting of a client for which a seat is reserved."""
        version = self.game.rules.version
        return Hello(self.game.name, version, self.commit, self.salted, self.seats.place_for(player), self.id)

    def is_ready(self) -> bool:
        """Whether the match can begin."""
        return self.seats.is_full() and not any(chair.is_awaited or chair.is_missed for chair in self.chairs)

    def connect(self, seat: Seat, player: RemotePlayer, *, guest: bool, untold: bool = False) -> None:
        """Connect the player of a seat before the match, and disconnect an earlier connection. `untold`: see Chair."""
        chair = self.chairs[seat]
        if self.seats.has_newer(chair, player):
            return
        log = waiting_log(chair.player)
        if log is not None and waiting_log(player) is not None and chair.player is not player:
            log.add_connection(player)
        self.seats.occupy(chair, player)
        chair.guest, chair.is_untold = guest, untold
        self.policy.connected(self, player)

    def free_seat(self, account: int, key: str) -> Seat:
        """The free seat that is reserved for the account; with the key an invited one; or an open one. RequestError if
        there is none."""
        key_hash = self.origin.key_hash
        is_invited = key_hash is not None and hmac.compare_digest(sha256(key.encode()).hexdigest(), key_hash)
        free = [(seat, chair) for seat, chair in enumerate(self.chairs) if chair.free]
        own = [seat for seat, chair in free if chair.reserved_for == account]
        invited = [seat for seat, chair in free if chair.plan.kind == "invited" and is_invited]
        if fitting := [*own, *invited, *(seat for seat, chair in free if chair.plan.kind == "open")]:
            return fitting[0]
        if any(chair.reserved_for is not None and not chair.taken for chair in self.chairs):
            raise RequestError(403, "not_yours", "the free seats are for players of the match before")
        if key_hash is not None and not is_invited and not self.seats.is_full():
            raise RequestError(403, "key_needed", "the free seats need the key of the table")
        raise RequestError(409, "table_full", "all seats are taken")

    # Running

    def begin(self, match: Match[Any], log: Log, starter: Starter, past: Iterable[Out] = ()) -> None:
        """The match begins, or goes on after `past`."""
        self.match, self.log, self.starter = match, log, starter
        self._time = asyncio.get_running_loop().time
        self.feeds = Feeds(match, self.kinds, partial(tell_bug, "words", match=self.id), past)
        self.seats.left = lambda seat, why: self._act(Leave(seat, why))
        for seat in range(len(self.chairs)):
            self._keep(seat)

    async def play(self, begun: Begun, own: Sequence[Spec | Started | None]) -> None:
        """Play to the end. `own`: the bots and commands by seat, which are started if they are not yet."""
        async with self.ending():
            await done(self.log.write(begun.out.lines))  # before players are seated, or it could not be resumed
            started = await self._all_started(own, begun.past)
            shell = self._opened([chair.occupant or player for chair, player in zip(self.chairs, started, strict=True)])
            await shell.run(Out([], begun.out.notices))
            await done(self.log.end(self.match))
            self.endings = await self.starter.endings(self.match)
        self.shell = None  # break the reference cycle, so that memory is freed without the garbage collector

    @contextlib.asynccontextmanager
    async def ending(self) -> AsyncIterator[None]:
        """Stop bots and commands after the block, in which the match is played and its end is stored; then end it."""
        try:
            yield
        finally:
            try:
                await self.starter.close()
            finally:
                self.end()

    async def _all_started(self, own: Sequence[Spec | Started | None], past: Sequence[Out]) -> list[Player]:
        """Start bots and commands at the same time. If one raises an error, those that are still being started are
        waited for, so that they can be stopped."""
        starting = (self._started(seat, spec, past) for seat, spec in enumerate(own))
        started: list[Player] = []
        for result in await asyncio.gather(*starting, return_exceptions=True):
            if isinstance(result, BaseException):
                raise result
            started.append(result)
        return started

    async def _started(self, seat: Seat, spec: Spec | Started | None, past: Sequence[Out]) -> Player:
        """The bot or command of a seat. If a command cannot be started, the seat is absent."""
        if spec is None:
            return Absent()
        if isinstance(spec, LocalPlayer | RemotePlayer | ModelPlayer):
            return spec
        if isinstance(spec, LocalSpec | ModelSpec):
            self.kinds[seat] = "bot" if isinstance(spec, LocalSpec) else "model"
        try:
            return await self.starter.take(spec, seat, past)
        except CannotPlay as e:
            if isinstance(spec, LocalSpec):
                raise
            tell_bug("command", e, match=self.id, seat=seat)
            return Absent()

    def _opened(self, players: Sequence[Player]) -> Shell:
        """The shell of a match that begins with these players, of whom some may be absent."""
        shell = self.open_shell(players)
        for chair, player in zip(self.chairs, players, strict=True):
            if isinstance(player, Absent):
                self.seats.begin_absent(chair)
        for act in self._acts:
            shell.act(act)
        return shell

    def open_shell(self, players: Sequence[Player]) -> Shell:
        """The shell in which these players play."""
        self.shell = Shell(self.match, players, log=self.log, watch=self._watch, record=self.id, timed=self.timed)
        self.shell.sign, self.shell.take_note = self.sign, self._take_note
        return self.shell

    async def join(self, chair: Chair, player: Player) -> bool:
        """Add a player to the running match, at the next seat; False if the game takes no player now."""
        assert self.shell is not None, "only players of a match that runs can be joined"
        seat = len(self.match.names)
        self.seats.keep(chair)
        self._note_kind(seat, chair)  # before watchers are told of it
        joined = None
        try:
            joined = await self.shell.join(player, Sitting(chair.name or "", chair.salt))
        finally:
            if joined is None:
                self.kinds.pop(seat, None)
        if joined is None:
            return False
        self.chairs.append(chair)
        self._keep(seat)
        return True

    def is_played_by(self, account: int) -> bool:
        """Whether the account has a seat in the running match, and has not left it for good."""
        seat = self.seats.seat_of(account)
        return seat is not None and seat not in self.match.gone

    def reconnect(self, seat: Seat, occupant: Occupant) -> None:
        """Connect the owner of a seat during the match, and disconnect an earlier connection."""
        if self.seats.has_newer(self.chairs[seat], occupant):
            return
        self.seats.occupy(self.chairs[seat], occupant)
        self._keep(seat)
        if self.shell is not None:
            self.shell.reconnect(seat, occupant)

    def _keep(self, seat: Seat) -> None:
        """Keep the seat for the client that is connected, and its messages, once its account is known."""
        chair = self.chairs[seat]
        self.seats.keep(chair)
        self._note_kind(seat, chair)
        if self.logs is not None and chair.account is not None and chair.player is not None:
            self.logs.seated(self.id, self.game.name, seat, chair.account, chair.player)

    def _note_kind(self, seat: Seat, chair: Chair) -> None:
        if chair.plan.kind == "bot":
            self.kinds[seat] = "bot"
        elif chair.player is not None and seat >= len(self.match.header.players):
            self.kinds[seat] = stated_kind(chair.player.about)  # the transcript has no facts about those who joined

    def stop(self) -> None:
        """End the match now and score it as it stands."""
        self._act(Stop())

    def _act(self, act: Act) -> None:
        if self.shell is None:
            self._acts.append(act)
        else:
            self.shell.act(act)

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

    def _watch(self, match: Match[Any], out: Out) -> None:
        """Callback for the shell."""
        if match.game.rules.audits is not None:
            self._tell_findings(out)
        over = match.over if match.over is None or self.shell is None else self.shell.told(match.over)
        self.feeds.take(out, self._time(), over)
        self._began = True
        self._first_told.set()
        if self.observe is not None:
            self.observe(match, out)

    def _tell_findings(self, out: Out) -> None:
        for notice in out.notices:
            if isinstance(notice, Finding):
                self._tell_own_fault("finding", notice.fault)

    def _tell_own_fault(self, event: str, fault: Fault | Void) -> None:
        """Log a fault that no seat caused, with the game's explanation if it has one."""
        # The text of an exception may contain secrets.
        words = fault.words.partition(":")[0] if fault.code == "bug" else fault.words
        facts = {"match": self.id, "game": self.game.name, "code": fault.code, "words": words}
        if self.game.words.explain is not None:
            facts["explained"] = self.game.words.explain(fault, self.id, -1, None, 0, None)
        tell(event, logging.WARNING, **facts)

    def _take_note(self, seat: Seat, ask: int, record: int, text: str) -> None:
        """Keep a note of a client. Callback for the shell."""
        player = None if self.shell is None else self.shell.players[seat]
        if isinstance(player, RemotePlayer) and isinstance(player.log, SeatLog):
            player.log.note(record, ask, text)

    def command_stderr(self, seat: Seat) -> SeatTexts | None:
        """The stderr of a command of the host at this seat, since the server started."""
        child = self.starter.commands.get(seat)
        return None if child is None else SeatTexts(self.id, seat, None, bytes(child.stderr_kept), child.stderr_dropped)

    def end(self) -> None:
        """The match is over or has failed, and its commands have stopped. Cancel the timers and end the feeds."""
        written = [self.command_stderr(seat) for seat in self.starter.commands]
        self.starter.commands.clear()
        self.ended.set()
        self.seats.end()
        self._first_told.set()
        self.feeds.end()
        if self.logs is not None:
            self.logs.pending += [texts for texts in written if texts is not None and texts.stderr]
            self.logs.ended(self.id, self.seats.accounts, is_over=self.match.end is not None)
        if isinstance(self.match.end, Void):
            self._tell_own_fault("match void", self.match.end)
