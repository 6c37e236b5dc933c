"""A room of ColorfightII: one game after the other, by the room's own clock, for whoever comes."""

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from parlour.core import Close, Event, Notice, Over, Place, Refused, Sitting, Stop, Took, Value, Void
from parlour.games import game
from parlour.games.colorfight.frames import CompactFrames, Frames, SourceFrames
from parlour.games.colorfight.rules import State
from parlour.games.colorfight.values import MOST_LISTS, Command, Options
from parlour.games.colorfight.wire import (
    MAP_FULL,
    NAME_TAKEN,
    NO_LATE_JOIN,
    NOT_RUNNING,
    TOO_MANY_LISTS,
    WRONG_JOIN_KEY,
    Register,
    why_not,
)
from parlour.games.colorfight.wire import Refused as Refusal
from parlour.players.accounts import Account, fits, hashed
from parlour.players.bots import Bots
from parlour.players.host import NewTable
from parlour.players.load import Spec
from parlour.players.play import Terms
from parlour.referee.match import Match, Out
from parlour.referee.player import Post
from parlour.referee.shell import Shell
from parlour.referee.transcript import Limits, header

GAME = game("colorfight")
AT_LEAST_S = 30.0
"""A frame is sent again after so long, even if nothing has changed."""
AFTER_A_BUG_S = 5.0
"""How long a room rests whose game could not go on."""
SIZE_OF_TODAY = (30, 30)
"""Today's clients know no other map."""

Form: TypeAlias = Literal["source", "compact"]
FirstRound: TypeAlias = float | Literal["full", "never"]


class Config(Struct, frozen=True, kw_only=True):
    """How a room is run, besides the rules of its games."""

    options: Options = Options()
    first_round_time: FirstRound = 1.0
    """Seconds until the first round of a game is played; "full": when all have come; "never": when told to."""
    finish_time: float = 0.0
    """Seconds from the end of a game to the next one; 0: there is none until the room is restarted."""
    max_player: int | None = None
    """None: as many as there are cells."""
    allow_join_after_start: bool = True
    allow_manual_mode: bool = False
    replay_enable: Literal["always", "never", "end"] = "always"
    room_description: str = ""

    @property
    def most(self) -> int:
        return self.max_player or self.options.width * self.options.height


class Member:
    """A user at its seat, whatever sockets it has. It sends lists, and is told whether they were taken."""

    follows = False

    def __init__(self) -> None:
        self._post: Post | None = None
        self._waiting: deque[asyncio.Future[bool]] = deque()

    def sit(self, place: Place, view: Value, post: Post) -> None:
        self._post = post

    def tell(self, notice: Notice, view: Value | None) -> None:
        if isinstance(notice, Took | Refused) and self._waiting:
            self._answer(self._waiting.popleft(), isinstance(notice, Took))
        elif isinstance(notice, Over):
            while self._waiting:
                self._answer(self._waiting.popleft(), False)

    def _answer(self, waiting: "asyncio.Future[bool]", taken: bool) -> None:
        if not waiting.done():
            waiting.set_result(taken)

    async def send(self, command: Command) -> bool:
        """Whether the referee has taken it."""
        assert self._post is not None
        taken: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append(taken)
        self._post(command, None)
        return await taken


class Game:
    """One game of a room: the match, who plays it, and what it looks like."""

    def __init__(self, id: str, config: Config, seed: bytes, watch: Callable[[Match[Any], Out], None]) -> None:
        self.id = id
        self.config = config
        limits = Limits(max(1, round(config.options.round_time * 1000)))
        head = header(GAME, [], seed, options=config.options, limits=limits, eager=False)
        self.match: Match[Any] = Match(GAME, head, seed)
        self.shell = Shell(self.match, [], watch=watch)
        self.members: dict[int, Member] = {}
        """By uid."""
        self.accounts: dict[str, Account] = {}
        self.count_down = 0
        self._frames: dict[Form, Frames] = {"source": SourceFrames(), "compact": CompactFrames()}

    @property
    def state(self) -> State:
        state = self.match.state
        assert isinstance(state, State)
        return state

    @property
    def runs(self) -> bool:
        """Whether rounds are being played."""
        return self.match.end is None and not self.state.waiting

    def frame(self, form: Form) -> str:
        config = self.config
        more = {
            "max_player": config.most,
            "start_count_down": self.count_down,
            "allow_manual_mode": config.allow_manual_mode,
            "game_id": self.id,
            "replay_version": 2,
            "game_version": 2,
        }
        return self._frames[form].frame(self.state, self.match.names, more).decode()


class Room:
    """Plays games until it is closed."""

    def __init__(
        self,
        name: str,
        config: Config,
        new_table: NewTable,
        *,
        bots: tuple[Spec, ...] = (),
        admin: str | None = None,
        join_key: str = "",
    ) -> None:
        self.name = name
        self.config = config
        self.admin = admin
        """The hash of the password that lets one restart, start and delete it."""
        self.game: Game | None = None
        self.closed = False
        self._sockets = 0
        self._left = time.monotonic()
        self.ended: Callable[[Match[Any]], None] = lambda match: None
        """Told of every game that has ended."""
        self._new_table = new_table
        self._bots = bots
        self._join_key = join_key
        self._registering = asyncio.Lock()
        self._changed = asyncio.Event()
        self._version = 0
        self._shown: dict[Form, tuple[int, str]] = {}
        self._start = asyncio.Event()
        self._restart = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    # For clients

    async def register(self, said: Register) -> tuple[Game, int]:
        """The uid of a user, new or old, in the game that is played now; or Refusal."""
        if said.join_key != self._join_key:
            raise Refusal(WRONG_JOIN_KEY)
        async with self._registering:
            game = self._playing()
            account = game.accounts.get(said.username)
            if account is None:
                account = await self._new_user(game, said)
            elif not await asyncio.to_thread(fits, said.password, account.hash):
                raise Refusal(NAME_TAKEN)
            return game, account.seat + 1

    async def _new_user(self, game: Game, said: Register) -> Account:
        config, match = game.config, game.match
        if match.end is not None:
            raise Refusal(NOT_RUNNING)
        if game.runs and not config.allow_join_after_start:
            raise Refusal(NO_LATE_JOIN)
        if said.username in match.names:
            raise Refusal(NAME_TAKEN)
        if len(match.names) >= config.most:
            raise Refusal(MAP_FULL)
        hash = await asyncio.to_thread(hashed, said.password)
        member = Member()
        seat = await game.shell.join(member, lambda seat: Sitting(said.username))
        if seat is None:
            raise Refusal(MAP_FULL if match.end is None else NOT_RUNNING)
        game.members[seat + 1] = member
        game.accounts[said.username] = Account(seat, hash)
        return game.accounts[said.username]

    async def command(self, game: Game, uid: int, command: Command, early: bool) -> None:
        """Take a list for the next round; or Refusal. `early`: whether the first round may have one."""
        if game.match.end is not None or (game.state.waiting and not early):
            raise Refusal(NOT_RUNNING)
        if game.state.players[uid - 1].lists >= MOST_LISTS:  # and so leaves no line, however many there are
            raise Refusal(TOO_MANY_LISTS)
        if not await game.members[uid].send(command):
            raise Refusal(why_not(game.state, uid - 1))

    async def frames(self, form: Form) -> AsyncIterator[str]:
        """The frames of all games from now on. Who is slow misses some, and delays nobody."""
        last: tuple[object, ...] = ()
        while not self.closed:
            game, changed = self.game, self._changed
            now = self._state_of(game, form)
            if game is not None and now is not None and now != last:
                last = now
                yield self._frame(game, form)
            elif not await _within(AT_LEAST_S, changed.wait()) and form == "compact":
                last = ()

    def _state_of(self, game: Game | None, form: Form) -> tuple[object, ...] | None:
        """What must differ for a new frame; None: there is none to be shown (RULES 10.5)."""
        if game is None:
            return None
        if form == "compact":
            return (self._version,)
        return (game.id, game.state.turn) if game.state.turn else None

    def _frame(self, game: Game, form: Form) -> str:
        """Written once, however many look at it."""
        version, text = self._shown.get(form, (-1, ""))
        if version != self._version:
            text = game.frame(form)
            self._shown[form] = self._version, text
        return text

    @contextlib.contextmanager
    def visited(self) -> Iterator[None]:
        """While somebody is here."""
        self._sockets += 1
        try:
            yield
        finally:
            self._sockets -= 1
            self._left = time.monotonic()

    def idle_s(self) -> float:
        """How long nobody has been here."""
        return 0.0 if self._sockets else time.monotonic() - self._left

    # For whoever runs the room

    def start(self) -> None:
        """Begin the first round now."""
        self._start.set()

    def restart(self, config: Config | None = None) -> None:
        """End this game and begin another."""
        self.config = config or self.config
        self._restart.set()

    async def close(self) -> None:
        """Play no more, and let everybody go."""
        self.closed = True
        self._change()
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    async def until(self, event: Coroutine[Any, Any, object]) -> None:
        """Wait for something else; but whatever keeps the room from going on, such as CannotPlay, is raised."""
        waiting = asyncio.ensure_future(event)
        try:
            await asyncio.wait([self._task, waiting], return_when=asyncio.FIRST_COMPLETED)
            if self._task.done():
                self._task.result()
        finally:
            waiting.cancel()

    # The life of a room

    def _playing(self) -> Game:
        if self.game is None:
            raise Refusal(NOT_RUNNING)
        return self.game

    def _change(self) -> None:
        self._version += 1
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def _run(self) -> None:
        while True:
            self._start.clear()
            self._restart.clear()
            void = await self._play()
            rest_s = AFTER_A_BUG_S if void else self.config.finish_time
            await _within(rest_s or None, self._restart.wait())

    async def _play(self) -> bool:
        """One game; whether it could not be played to its end."""
        seed, watch = self._new_table()

        def seen(match: Match[Any], out: Out) -> None:
            if watch is not None:
                watch(match, out)
            if any(isinstance(notice, Event | Over) for notice in out.notices):
                self._change()

        game = self.game = Game(_game_id(self.game), self.config, seed, seen)
        bots = Bots(Terms(game=GAME, options=self.config.options), seed)
        running = asyncio.ensure_future(game.shell.run())
        helping = [asyncio.ensure_future(self._begin(game)), asyncio.ensure_future(self._stop_on_restart(game))]
        try:
            for spec in self._bots:
                await bots.join(game.shell, spec)
            end = await running
            if watch is not None:
                watch(game.match, Out([game.match.reveal()], []))
            self.ended(game.match)
            return isinstance(end, Void)
        finally:
            for task in (running, *helping):
                task.cancel()
            await bots.close()

    async def _begin(self, game: Game) -> None:
        """Close the first round when it is time (RULES 10.8)."""
        first = game.config.first_round_time
        if first == "never":
            await self._start.wait()
        elif isinstance(first, str):
            while len(game.match.names) < game.config.most and not self._start.is_set():
                await _within(1.0, self._changed.wait(), self._start.wait())
        else:
            await self._count_down(game, first)
        game.count_down = 0
        game.shell.act(Close())

    async def _count_down(self, game: Game, seconds: float) -> None:
        """Second by second, so that clients can show it."""
        loop = asyncio.get_running_loop()
        due = loop.time() + seconds
        while (left := due - loop.time()) > 0 and not self._start.is_set():
            if game.count_down != int(left):
                game.count_down = int(left)
                self._change()
            await _within(min(left, max(0.05, left - int(left))), self._start.wait())

    async def _stop_on_restart(self, game: Game) -> None:
        await self._restart.wait()
        game.shell.act(Stop())


def _game_id(before: Game | None) -> str:
    """The time in milliseconds, and never the same twice."""
    now = int(time.time() * 1000)
    return str(now if before is None else max(now, int(before.id) + 1))


async def _within(seconds: float | None, *waits: Any) -> bool:
    """Whether one of these comes in time."""
    tasks = [asyncio.ensure_future(each) for each in waits]
    try:
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        return bool(done)
    finally:
        for task in tasks:
            task.cancel()
