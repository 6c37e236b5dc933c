"""One game of a room: its table, the users of its channels, and its frames."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from itertools import dropwhile
from typing import Any, Literal, TypeAlias

import msgspec

from parlour import plugins
from parlour.core import AnswerRefused, Ask, Event, Notice, Over, Place, Seat, Took, Value
from parlour.games.colorfight.frames import CompactFrames, Frames, SourceFrames, room_info
from parlour.games.colorfight.rules import State
from parlour.games.colorfight.values import Command, Joined
from parlour.players.starter import Starter
from parlour.protocol.forms import TableTerms
from parlour.protocol.records import StoredSeat
from parlour.referee.driver import Watch
from parlour.referee.log import Log
from parlour.referee.match import Match, Out
from parlour.referee.player import Post
from parlour.referee.shell import Shell
from parlour.referee.transcript import Limits, header
from parlour.store.passwords import GameUser
from parlour.tables.seat_keeper import Absent, Occupant
from parlour.tables.stored_tables import stored_chair
from parlour.tables.table import Table
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
            self.on_replaced()

    def auto(self, ask: Ask[Any]) -> None:
        """Every ask of ColorfightII is a decision."""

    def on_replaced(self) -> None:
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


class RoomGame(Table):
    """A game of a room: a table that players join at any time, with its frames and the users of the channels. The room
    runs its shell, which plays the match."""

    past: Sequence[Out] = ()
    """The output of a resumed game so far."""
    begun: Out | None = None
    """The last of it, with the open questions; None: the match has no output yet."""

    def __init__(
        self,
        shown: str,
        config: Config,
        seed: bytes,
        seats: Sequence[StoredSeat] = (),
        told: Watch | None = None,
    ) -> None:
        """Players of a resumed game are in `seats`: bots are started later, and clients of other protocols reconnect.
        All keep their seats until its end."""
        chairs = [stored_chair(seat) for seat in seats]
        for chair in chairs:
            chair.occupant = None if chair.plan.spec else Member()
        terms = TableTerms(options=msgspec.to_builtins(config.options), limit_s=config.options.round_time)
        super().__init__(GAME, terms, seed, chairs, return_s=None)
        self.is_kept = True
        self.shown = shown
        """The id that clients are shown."""
        self.config = config
        self.told = told
        """Called with all output, if set."""
        self.changed: Callable[[], None] = lambda: None
        """Called when the frames change."""
        self.users: dict[str, GameUser] = {}
        """By name, users with a password for this game only."""
        self.count_down = 0
        self._frames: dict[Form, Frames] = {"source": SourceFrames(), "compact": CompactFrames()}
        self.observe = self._observe
        for seat in seats:
            self.came(seat)

    def begin(self, match: Match[Any], log: Log, starter: Starter, past: Iterable[Out] = ()) -> None:
        self.past = [*past]
        super().begin(match, log, starter, self.past)
        self.open_shell([chair.occupant or Absent() for chair in self.chairs])

    @property
    def running(self) -> Shell:
        """The shell of the match, which has begun."""
        assert self.shell is not None
        return self.shell

    def past_of(self, seat: Seat) -> Sequence[Out]:
        """The output of the resumed game since the player of this seat joined."""
        return [*dropwhile(lambda out: not _joins(out, seat), self.past)]

    def came(self, seat: StoredSeat) -> None:
        """Note a user with a password for this game only."""
        if seat.secret is not None and seat.name is not None:
            self.users[seat.name] = GameUser(seat.seat, seat.secret)

    def member(self, uid: int) -> Member | None:
        """The user of the channels at a seat; None if its owner plays by another protocol, or has left."""
        occupant = self.chairs[uid - 1].occupant
        return occupant if isinstance(occupant, Member) else None

    def take(self, seat: Seat, owner: Occupant) -> None:
        """Connect the owner of a seat, and disconnect an earlier connection. A user of the channels has its seat over
        any number of sockets."""
        if not isinstance(owner, Member) or self.member(seat + 1) is None:
            self.reconnect(seat, owner)

    def _observe(self, match: Match[Any], out: Out) -> None:
        if self.told is not None:
            self.told(match, out)
        if any(isinstance(notice, Event | Over) for notice in out.notices):
            self.changed()

    def end(self) -> None:
        super().end()
        for player in (*self.running.players, *(chair.occupant for chair in self.chairs)):
            if isinstance(player, Member):
                player.on_replaced()

    @property
    def state(self) -> State:
        state = self.match.state
        assert isinstance(state, State)
        return state

    @property
    def is_empty(self) -> bool:
        """Whether only bots have joined."""
        return len(self.match.names) <= sum(bool(chair.plan.spec) for chair in self.chairs)

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
