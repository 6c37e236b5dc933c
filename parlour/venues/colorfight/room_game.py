"""One game of a room: the match, its players, and its frames."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Sequence
from itertools import dropwhile
from typing import Any, Literal, TypeAlias

from parlour import plugins
from parlour.core import AnswerRefused, Ask, Event, Notice, Over, Place, Seat, Took, Value
from parlour.games.colorfight.frames import CompactFrames, Frames, SourceFrames, room_info
from parlour.games.colorfight.rules import State
from parlour.games.colorfight.values import Command, Joined
from parlour.players.remote import RemotePlayer
from parlour.protocol.records import StoredSeat
from parlour.protocol.seat_log import SeatTexts
from parlour.referee.driver import Watch
from parlour.referee.log import Log
from parlour.referee.match import Match, Out
from parlour.referee.player import Player, Post
from parlour.referee.shell import Shell
from parlour.referee.transcript import Limits, header
from parlour.store.passwords import GameUser
from parlour.tables.live_match import Absent, Live
from parlour.transports.process import ProcessPeer
from parlour.venues.colorfight.room_config import Config

GAME = plugins.game("colorfight")

Form: TypeAlias = Literal["source", "compact"]


class Member:
    """A user of the channels at its seat, over any number of sockets. Sends command lists and gets the replies."""

    follows = False

    def __init__(self) -> None:
        self._post: Post | None = None
        self._early: list[Command] = []
        """Commands that came before the user was seated."""
        self._waiting: deque[asyncio.Future[Took | AnswerRefused | None]] = deque()

    def sit(self, place: Place, view: Value, post: Post) -> None:
        self._post = post
        early, self._early = self._early, []
        for command in early:
            post(command, None)

    def tell(self, notice: Notice, view: Value | None) -> None:
        if isinstance(notice, Took | AnswerRefused) and self._waiting:
            self._answer(self._waiting.popleft(), notice)
        elif isinstance(notice, Over):
            self.let_go()

    def auto(self, ask: Ask[Any]) -> None:
        """Every ask of ColorfightII is a decision."""

    def let_go(self) -> None:
        """End all waiting commands without a reply."""
        self._early.clear()
        while self._waiting:
            self._answer(self._waiting.popleft(), None)

    def _answer(
        self, waiting: "asyncio.Future[Took | AnswerRefused | None]", notice: Took | AnswerRefused | None
    ) -> None:
        if not waiting.done():
            waiting.set_result(notice)

    async def send(self, command: Command) -> Took | AnswerRefused | None:
        """The referee's reply; None if the game ended, or the seat changed hands, before there was one."""
        answer: asyncio.Future[Took | AnswerRefused | None] = asyncio.get_running_loop().create_future()
        self._waiting.append(answer)
        if self._post is None:
            self._early.append(command)
        else:
            self._post(command, None)
        return await answer


class RoomGame(Live):
    """A game of a room. The room must run its shell, which plays the match."""

    shell: Shell

    def __init__(
        self,
        shown: str,
        config: Config,
        match: Match[Any],
        log: Log | None = None,
        *,
        is_kept: bool = False,
        told: Watch | None = None,
        seats: Sequence[StoredSeat] = (),
        begun: Out | None = None,
        past: Sequence[Out] = (),
    ) -> None:
        """`seats`, `begun` and `past` are given for a resumed game: its players and its output so far."""
        super().__init__(match, [], 0.0, past)
        self.shown = shown
        """The id that clients are shown."""
        self.config = config
        self.told = told
        """Called with all output, if set."""
        self.begun = begun
        self.past = past
        self.changed: Callable[[], None] = lambda: None
        """Called when the frames change."""
        self.members: dict[int, Member] = {}
        """By uid, users of the channels."""
        self.users: dict[str, GameUser] = {}
        """By name, users with a password for this game only."""
        self.bots: dict[Seat, str] = {}
        self.count_down = 0
        self._is_kept = is_kept
        self._frames: dict[Form, Frames] = {"source": SourceFrames(), "compact": CompactFrames()}
        players = [self._again(seat) for seat in seats]
        self.shell = Shell(match, players, log=log, watch=self.watch, record=self.id if is_kept else None)

    def _again(self, seat: StoredSeat) -> Player:
        """The player of a resumed seat. Bots are started later, and clients of other protocols reconnect."""
        self.came(seat)
        if seat.spec:
            return Absent()
        self.members[seat.seat + 1] = member = Member()
        return member

    def past_of(self, seat: Seat) -> Sequence[Out]:
        """The output of the resumed game since the player of this seat joined."""
        return [*dropwhile(lambda out: not _joins(out, seat), self.past)]

    def came(self, seat: StoredSeat) -> None:
        """Note that the next seat is taken."""
        self.accounts.append(seat.account)
        self.keep_log(seat.seat)
        if seat.kind == "bot":
            self.kinds[seat.seat] = "bot"
        if seat.spec:
            self.bots[seat.seat] = seat.spec
        if seat.secret is not None and seat.name is not None:
            self.users[seat.name] = GameUser(seat.seat, seat.secret)

    def take(self, seat: Seat) -> None:
        """Give the seat to a user of the channels; disconnect its owner's client of another protocol."""
        if seat + 1 in self.members:
            return
        if (before := self.connected.pop(seat, None)) is not None:
            before.let_go()
        self.members[seat + 1] = member = Member()
        self.shell.back(seat, member)

    def connect(self, seat: Seat, player: RemotePlayer) -> None:
        """Also end the seat's user of the channels, who must register again."""
        if (member := self.members.pop(seat + 1, None)) is not None:
            member.let_go()
        super().connect(seat, player)

    def kick(self, account: int) -> None:
        """Also end the account's user of the channels."""
        super().kick(account)
        for seat in self._kicked:
            if (member := self.members.pop(seat + 1, None)) is not None:
                member.let_go()

    def lose(self, seat: Seat) -> None:
        """Do nothing: a disconnected player keeps the seat until the game ends."""

    def watch(self, match: Match[Any], out: Out) -> None:
        if self.told is not None:
            self.told(match, out)
        if self._is_kept:
            super().watch(match, out)
        if any(isinstance(notice, Event | Over) for notice in out.notices):
            self.changed()

    def command_stderr(self, seat: Seat) -> SeatTexts | None:
        player = self.shell.players[seat] if seat < len(self.shell.players) else None
        peer = player.peer if isinstance(player, RemotePlayer) else None
        if not isinstance(peer, ProcessPeer):
            return None
        return SeatTexts(self.id, seat, None, peer.stderr_kept, peer.stderr_dropped)

    def end(self) -> None:
        self.keep_stderr()
        super().end()
        for member in self.members.values():
            member.let_go()

    @property
    def state(self) -> State:
        state = self.match.state
        assert isinstance(state, State)
        return state

    @property
    def is_empty(self) -> bool:
        """Whether only bots have joined."""
        return len(self.match.names) <= len(self.bots)

    @property
    def runs(self) -> bool:
        """Whether rounds are being played."""
        return self.match.end is None and not self.state.waiting

    def frame(self, form: Form) -> str:
        config = self.config
        more = room_info(config.most, self.count_down, config.allow_manual_mode, self.shown)
        return self._frames[form].frame(self.state, self.match.names, more).decode()


def _joins(out: Out, seat: Seat) -> bool:
    return any(isinstance(notice, Joined) and notice.seat == seat for notice in out.notices)


def new_match(config: Config, seed: bytes) -> Match[Any]:
    """A match without players, who join later."""
    limits = Limits(max(1, round(config.options.round_time * 1000)))
    return Match(GAME, header(GAME, [], seed, options=config.options, limits=limits, eager=False), seed)


def new_id(before: str | None) -> str:
    """The id that the next game is shown by: the time in milliseconds, and always greater than the last."""
    now = int(time.time() * 1000)
    return str(now if before is None else max(now, int(before) + 1))
