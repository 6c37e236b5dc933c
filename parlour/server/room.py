"""A room of ColorfightII: one game after the other, by the room's own clock, for whoever comes."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from parlour.core import Close, Event, Over, Sitting, Stop, Void
from parlour.games.colorfight.values import MOST_LISTS, Command
from parlour.games.colorfight.wire import (
    MAP_FULL,
    NAME_TAKEN,
    NO_LATE_JOIN,
    NOT_RUNNING,
    TOO_MANY_LISTS,
    WRONG_JOIN_KEY,
    Refused,
    Register,
    why_not,
)
from parlour.players.accounts import Account, fits_soon, hashed_soon
from parlour.players.bots import Bots
from parlour.players.host import NewTable
from parlour.players.load import Spec
from parlour.players.play import Terms
from parlour.referee.driver import Watch
from parlour.referee.match import Match, Out
from parlour.server.config import Config
from parlour.server.game import GAME, Form, Game, Member

AT_LEAST_S = 30.0
"""A frame is sent again after so long, even if nothing has changed."""
TOGETHER_S = 0.04
"""What changes within a turn is shown after so long: newcomers come in crowds."""
LAST_FRAME_S = 2.0
"""How long the last turn of a game is shown as its own, where no other game follows."""
AFTER_A_BUG_S = 5.0
"""How long a room rests whose game could not go on."""


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
        ended: Callable[[Match[Any]], None] = lambda match: None,
    ) -> None:
        self.name = name
        self.config = config
        self.admin = admin
        """The hash of the password that lets one restart, start and delete it."""
        self.game: Game | None = None
        self.closing = asyncio.Event()
        self._time = asyncio.get_running_loop().time
        self._sockets = 0
        self._left = self._time()
        self._ended = ended
        self._new_table = new_table
        self._bots = bots
        self._join_key = join_key
        self._registering = asyncio.Lock()
        self._changed = asyncio.Event()
        self._version = 0
        self._shown: dict[Form, tuple[int, str]] = {}
        self._start = asyncio.Event()
        self._restart = asyncio.Event()
        self.playing = asyncio.create_task(self._run())
        """Ends when the room is closed, or with what keeps it from going on."""

    # For clients

    async def register(self, said: Register) -> tuple[Game, int]:
        """The uid of a user, new or old, in the game that is played now; or Refused."""
        if said.join_key != self._join_key:
            raise Refused(WRONG_JOIN_KEY)
        async with self._registering:
            game = self.game
            if game is None:
                raise Refused(NOT_RUNNING)
            account = game.accounts.get(said.username)
            if account is None:
                account = await self._new_user(game, said)
            elif not await fits_soon(said.password, account.hash):
                raise Refused(NAME_TAKEN)
            return game, account.seat + 1

    async def _new_user(self, game: Game, said: Register) -> Account:
        self._admit(game, said)
        hash = await hashed_soon(said.password)
        self._admit(game, said)  # time has passed
        member = Member()
        coming = game.shell.join(member, lambda seat: Sitting(said.username))
        seat = await asyncio.shield(coming)  # who goes now has come nevertheless
        if seat is None:
            raise Refused(MAP_FULL if game.match.end is None else NOT_RUNNING)
        game.members[seat + 1] = member
        game.accounts[said.username] = Account(seat, hash)
        return game.accounts[said.username]

    def _admit(self, game: Game, said: Register) -> None:
        """Refused if there is no place for a newcomer of that name, in the order of RULES 10.3."""
        config, match = game.config, game.match
        if said.username in match.names:
            raise Refused(NAME_TAKEN)
        if match.end is not None:
            raise Refused(NOT_RUNNING)
        if game.runs and not config.allow_join_after_start:
            raise Refused(NO_LATE_JOIN)
        if len(match.names) >= config.most:
            raise Refused(MAP_FULL)

    async def command(self, game: Game, uid: int, command: Command, early: bool) -> None:
        """Take a list for the next round; or Refused. `early`: whether the first round may have one."""
        if game.match.end is not None or (game.state.waiting and not early):
            raise Refused(NOT_RUNNING)
        if game.state.players[uid - 1].lists >= MOST_LISTS:  # and so leaves no line, however many there are
            raise Refused(TOO_MANY_LISTS)
        if not await game.members[uid].send(command):
            raise Refused(why_not(game.state, uid - 1))

    async def frames(self, form: Form) -> AsyncIterator[str]:
        """The frames of all games from now on. Who is slow misses some, and delays nobody."""
        last: tuple[object, ...] = ()
        while True:
            game, changed, closing = self.game, self._changed, self.closing.is_set()
            now = self._state_of(game, form)
            if game is not None and now is not None and now != last:
                if now[:2] == last[:2]:  # only somebody has come, or a second has passed
                    await asyncio.sleep(TOGETHER_S)
                    game = self.game or game
                    now = self._state_of(game, form) or now
                last = now
                yield self._frame(game, form)
            elif closing:
                return
            elif not await _within(AT_LEAST_S, changed.wait()) and form == "compact":
                last = ()

    def _state_of(self, game: Game | None, form: Form) -> tuple[object, ...] | None:
        """What must differ for a new frame; None: there is none to be shown yet (RULES 10.5)."""
        if game is None or (form == "source" and not game.state.turn):
            return None
        turn = (game, game.state.turn)
        return turn if form == "source" else (*turn, self._version)

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
            self._left = self._time()

    def idle_s(self) -> float:
        """How long nobody has been here."""
        return 0.0 if self._sockets else self._time() - self._left

    # For whoever runs the room

    def start(self) -> None:
        """Begin the first round now."""
        self._start.set()

    def restart(self, config: Config | None = None) -> None:
        """End this game and begin another."""
        self.config = config or self.config
        self._restart.set()

    async def close(self) -> None:
        """Play no more, and let everybody go. A game that is not over ends as it stands, and so does its record."""
        self.closing.set()
        self._restart.set()
        await asyncio.wait([self.playing])
        self._change()

    # The life of a room

    def _change(self) -> None:
        self._version += 1
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def _run(self) -> None:
        while not self.closing.is_set():
            self._start.clear()
            self._restart.clear()
            void = await self._play()
            rest_s = AFTER_A_BUG_S if void else self.config.finish_time
            if not rest_s and not await _within(LAST_FRAME_S, self._restart.wait()):
                self._let_clients_end()
            await _within(rest_s or None, self._restart.wait())

    def _let_clients_end(self) -> None:
        """No other game follows by itself; but today's clients know of the end only by a new id (RULES 10.8)."""
        assert self.game is not None
        self.game.id = _game_id(self.game)
        self._change()

    async def _play(self) -> bool:
        """One game; whether it could not be played to its end."""
        seed, watch = self._new_table()
        game = self.game = Game(_game_id(self.game), self.config, seed, self._watched(watch))
        self._change()
        bots = Bots(Terms(game=GAME, options=self.config.options), seed)
        running = asyncio.ensure_future(game.shell.run())
        seating = asyncio.ensure_future(self._seat(game, bots))
        tasks = [running, seating, *map(asyncio.ensure_future, (self._begin(game), self._stop_on_restart(game)))]
        try:
            await asyncio.wait([running, seating], return_when=asyncio.FIRST_COMPLETED)
            if not running.done():
                seating.result()  # if a bot cannot play, nobody can
            end = await running
        finally:
            await _dropped(tasks)
            await bots.close()
        if watch is not None:
            watch(game.match, Out([game.match.reveal()], []))
        self._ended(game.match)
        return isinstance(end, Void)

    def _watched(self, watch: Watch | None) -> Watch:
        def watched(match: Match[Any], out: Out) -> None:
            if watch is not None:
                watch(match, out)
            if any(isinstance(notice, Event | Over) for notice in out.notices):
                self._change()

        return watched

    async def _seat(self, game: Game, bots: Bots) -> None:
        for spec in self._bots:
            await bots.join(game.shell, spec)

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
        due = self._time() + seconds
        while (left := due - self._time()) > 0 and not self._start.is_set():
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


async def _dropped(tasks: list[Any]) -> None:
    """Nobody waits for these any more."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
