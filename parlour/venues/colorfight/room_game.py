"""One game of a room: the match, who plays it, and what it looks like."""

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
from parlour.referee.driver import Watch
from parlour.referee.match import Match, Out
from parlour.referee.player import Player, Post
from parlour.referee.shell import Keep, Shell
from parlour.referee.transcript import Limits, header
from parlour.store.passwords import GameUser
from parlour.store.store import StoredSeat
from parlour.tables.live_match import Absent, Live
from parlour.venues.colorfight.room_config import Config

GAME = plugins.game("colorfight")

Form: TypeAlias = Literal["source", "compact"]


class Member:
    """A user at its seat, whatever sockets it has. It sends lists, and is told whether they were taken."""

    follows = False

    def __init__(self) -> None:
        self._post: Post | None = None
        self._early: list[Command] = []
        """What it has said before it sat."""
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
        """Nobody listens to it any more."""
        self._early.clear()
        while self._waiting:
            self._answer(self._waiting.popleft(), None)

    def _answer(
        self, waiting: "asyncio.Future[Took | AnswerRefused | None]", notice: Took | AnswerRefused | None
    ) -> None:
        if not waiting.done():
            waiting.set_result(notice)

    async def send(self, command: Command) -> Took | AnswerRefused | None:
        """What the referee says to it; None: nothing, since the game or this connection to it has ended."""
        answer: asyncio.Future[Took | AnswerRefused | None] = asyncio.get_running_loop().create_future()
        self._waiting.append(answer)
        if self._post is None:
            self._early.append(command)
        else:
            self._post(command, None)
        return await answer


class RoomGame(Live):
    """The match is played by its shell, which whoever holds the game must run."""

    shell: Shell

    def __init__(
        self,
        shown: str,
        config: Config,
        match: Match[Any],
        *,
        keep: Keep | None = None,
        told: Watch | None = None,
        seats: Sequence[StoredSeat] = (),
        begun: Out | None = None,
        past: Sequence[Out] = (),
    ) -> None:
        """`seats`, `begun` and `past` are of a game that is gone on with: who has come, and what was told so far."""
        super().__init__(match, [], 0.0)
        self.shown = shown
        """What its clients know it by."""
        self.config = config
        self.told = told
        """Sees everything, if there is somebody to."""
        self.begun = begun
        self.past = past
        self.changed: Callable[[], None] = lambda: None
        """Called when it looks otherwise."""
        self.members: dict[int, Member] = {}
        """By uid, users of the channels."""
        self.users: dict[str, GameUser] = {}
        """Those who are known by a password that is good for this game alone."""
        self.bots: dict[Seat, str] = {}
        self.count_down = 0
        self._is_kept = keep is not None
        self._frames: dict[Form, Frames] = {"source": SourceFrames(), "compact": CompactFrames()}
        players = [self._again(seat) for seat in seats]
        self.shell = Shell(match, players, keep=keep, watch=self.watch, record=self.id if self._is_kept else None)

    def _again(self, seat: StoredSeat) -> Player:
        """Who has come before; bots are to be started, and who is connected otherwise comes by itself."""
        self.came(seat)
        if seat.spec:
            return Absent()
        self.members[seat.seat + 1] = member = Member()
        return member

    def past_of(self, seat: Seat) -> Sequence[Out]:
        """What was told since somebody came to this seat."""
        return [*dropwhile(lambda out: not _joins(out, seat), self.past)]

    def came(self, seat: StoredSeat) -> None:
        """Somebody has the next seat."""
        self.accounts.append(seat.account)
        if seat.spec:
            self.bots[seat.seat] = seat.spec
        if seat.secret is not None and seat.name is not None:
            self.users[seat.name] = GameUser(seat.seat, seat.secret)

    def take(self, seat: Seat) -> None:
        """Its owner has come over a channel; who was connected otherwise is let go."""
        if seat + 1 in self.members:
            return
        if (before := self.connected.pop(seat, None)) is not None:
            before.let_go()
        self.members[seat + 1] = member = Member()
        self.shell.back(seat, member)

    def connect(self, seat: Seat, player: RemotePlayer) -> None:
        """And users of the channels must register again."""
        if (member := self.members.pop(seat + 1, None)) is not None:
            member.let_go()
        super().connect(seat, player)

    def kick(self, account: int) -> None:
        """And its user of the channels is not listened to any more."""
        super().kick(account)
        for seat in self._kicked:
            if (member := self.members.pop(seat + 1, None)) is not None:
                member.let_go()

    def lose(self, seat: Seat) -> None:
        """A seat is its owner's as long as the game lasts."""

    def watch(self, match: Match[Any], out: Out) -> None:
        if self.told is not None:
            self.told(match, out)
        if self._is_kept:
            super().watch(match, out)
        if any(isinstance(notice, Event | Over) for notice in out.notices):
            self.changed()

    def end(self) -> None:
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
        """Whether nobody has come but bots."""
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
    """To which all come later."""
    limits = Limits(max(1, round(config.options.round_time * 1000)))
    return Match(GAME, header(GAME, [], seed, options=config.options, limits=limits, eager=False), seed)


def new_id(before: str | None) -> str:
    """What the next game is shown as: the time in milliseconds, and never the same twice."""
    now = int(time.time() * 1000)
    return str(now if before is None else max(now, int(before) + 1))
