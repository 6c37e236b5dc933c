"""A room of ColorfightII: plays one game after another on its own clock; clients join at any time."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Collection, Iterator
from itertools import takewhile
from typing import Any

from msgspec.structs import replace

from parlour.core import Close, Result, Took, Void
from parlour.games.colorfight.values import MOST_LISTS, Command
from parlour.games.colorfight.wire import NOT_JOINED, NOT_RUNNING, TOO_MANY_LISTS, Refused, why_not
from parlour.players.player_specs import LocalSpec, Spec, load
from parlour.referee.known_rules import UnknownRules
from parlour.venues.colorfight.admission import Admission
from parlour.venues.colorfight.room_config import Config
from parlour.venues.colorfight.room_game import GAME, Form, RoomGame, new_id
from parlour.venues.colorfight.room_keys import Guesses, Key
from parlour.venues.colorfight.room_refusals import NO_GAME, RoomRefused
from parlour.venues.colorfight.stored_rooms import KeptRooms, RoomRecord

AT_LEAST_S = 30.0
"""After how long a frame is sent again even if nothing has changed."""
TOGETHER_S = 0.04
"""How long to collect changes within a turn before a frame is sent: often many clients join at once."""
LAST_FRAME_S = 2.0
"""How long the last turn of a game is shown under its own id if no other game follows."""
BEGUN_S = 60.0
"""How long to wait for the first game of a room."""
AFTER_A_BUG_S = 5.0
"""How long a room waits after a game that could not be finished."""


class Room:
    """Plays games until it is closed."""

    def __init__(self, record: RoomRecord, keeping: KeptRooms, guesses: Guesses, bots: tuple[Spec, ...] = ()) -> None:
        self.record = record
        self.guest_address: str | None = None
        """Where a guest created the room from, since the server started."""
        self.game: RoomGame | None = None
        self.closing = asyncio.Event()
        self._time = asyncio.get_running_loop().time
        self._sockets = 0
        self._left = self._time()
        self._keeping = keeping
        self._bots = bots
        self._at_once = len([*takewhile(lambda spec: isinstance(spec, LocalSpec), bots)])
        """How many bots need no time to start, and are in the game from its first round."""
        self.admission = Admission(keeping, Key(record.name, record.join_key, guesses), guesses, self._now)
        self.not_resumed: str | None = None
        """Why this release cannot resume the room's game. The room is then closed and stays as it is stored."""
        self.begun = asyncio.Event()
        """Set when the first game begins, or the room stops before."""
        self._changed = asyncio.Event()
        self._version = 0
        self._shown: dict[Form, tuple[int, str]] = {}
        self._start = asyncio.Event()
        self._restart = asyncio.Event()
        self.playing = asyncio.create_task(self._run())
        """Ends when the room is closed, or with the error that stops it."""
        self.playing.add_done_callback(self._stopped)

    @property
    def name(self) -> str:
        return self.record.name

    @property
    def config(self) -> Config:
        """The config of the next game."""
        return self.record.config

    # For clients

    def _now(self) -> RoomGame:
        if self.not_resumed is not None:
            raise Refused(self.not_resumed)
        if self.game is None or self.playing.done():
            raise RoomRefused(*NO_GAME)
        return self.game

    async def command(self, game: RoomGame | None, uid: int, command: Command, early: bool) -> None:
        """Take a command list for the next round from a user who registered in that game; or Refused. `early`: whether
        one may come before the first round."""
        if game is None or game is not self.game:
            raise Refused(NOT_JOINED)
        if game.match.end is not None or (game.state.waiting and not early):
            raise Refused(NOT_RUNNING)
        if game.state.players[uid - 1].lists >= MOST_LISTS:  # refused here, so that it adds no line to the transcript
            raise Refused(TOO_MANY_LISTS)
        if (member := game.member(uid)) is None:  # the user plays by another protocol now
            raise Refused(NOT_JOINED)
        answer = await member.send(command)
        if not isinstance(answer, Took):
            raise Refused(why_not(game.state, uid - 1, None if answer is None else answer.fault))

    async def frames(self, form: Form) -> AsyncIterator[str]:
        """The frames of all games from now on. A slow client misses some, and does not delay others."""
        last: tuple[object, ...] = ()
        while True:
            game, changed = self.game, self._changed
            closing = self.closing.is_set() or self.not_resumed is not None
            if game is not None and not await game.settled():
                game = None
            now = self._state_of(game, form)
            if game is not None and now is not None and now != last:
                if now[:2] == last[:2]:  # only a player joined, or the countdown changed
                    await asyncio.sleep(TOGETHER_S)
                    game = self.game or game
                    if not await game.settled():
                        continue
                    now = self._state_of(game, form) or now
                last = now
                yield self._frame(game, form)
            elif closing:
                return
            elif not await _done_within(AT_LEAST_S, changed.wait()) and form == "compact":
                last = ()

    def _state_of(self, game: RoomGame | None, form: Form) -> tuple[object, ...] | None:
        """A value that changes with every new frame; None if there is no frame to send yet (RULES 10.5)."""
        if game is None or (form == "source" and not game.state.turn):
            return None
        turn = (game, game.state.turn)
        return turn if form == "source" else (*turn, self._version)

    def _frame(self, game: RoomGame, form: Form) -> str:
        """The current frame, which is encoded once for all clients."""
        version, text = self._shown.get(form, (-1, ""))
        if version != self._version:
            text = game.frame(form)
            self._shown[form] = self._version, text
        return text

    @contextlib.contextmanager
    def visited(self) -> Iterator[None]:
        """Count a connected client during the block."""
        self._sockets += 1
        try:
            yield
        finally:
            self._sockets -= 1
            self._left = self._time()

    def idle_s(self) -> float:
        """The seconds since the last client disconnected; 0 while one is connected."""
        others = () if self.game is None else self.game.seats.connected.values()
        if self._sockets or any(player.peer.gone is None for player in others):
            self._left = self._time()
            return 0.0
        return self._time() - self._left

    # For administrators

    def start(self) -> None:
        """Begin the first round now."""
        self._start.set()

    def restart(self, config: Config | None = None) -> None:
        """End this game and begin another, with this config if given."""
        self.record = replace(self.record, config=config or self.config)
        self._restart.set()

    @property
    def is_restarting(self) -> bool:
        """Whether the next game was ordered and has not begun; an order to start would be lost."""
        return self._restart.is_set()

    @property
    def has_ended(self) -> bool:
        """Whether the last game is over, and not only stopped."""
        return self.game is not None and self.game.match.end is not None

    async def close(self) -> None:
        """Close the room and disconnect its clients. A game that is not over ends as it stands."""
        self.closing.set()
        self._restart.set()
        await asyncio.wait([self.playing])
        self._change()

    async def park(self) -> None:
        """Stop the room and disconnect its clients. A game that is not over can be resumed."""
        self.closing.set()
        self.playing.cancel()
        await asyncio.wait([self.playing])
        await dropped(self.admission.coming)
        self._change()

    # Playing games

    async def has_begun(self) -> None:
        """Wait until the room has had a game or has stopped."""
        await _done_within(BEGUN_S, self.begun.wait())

    def _stopped(self, playing: "asyncio.Task[None]") -> None:
        """Mark the error that stopped the room as retrieved. It was reported to the host."""
        self.begun.set()
        if not playing.cancelled():
            playing.exception()

    def _change(self) -> None:
        self._version += 1
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def _run(self) -> None:
        while not self.closing.is_set():
            try:
                void = await self._play()
            except UnknownRules as e:
                self.not_resumed = f"This server cannot resume the game, and keeps it unchanged: {e.why}"
                self._change()
                return
            except Exception as e:
                await self._rest(self._keeping.trouble(self.name, e))  # a start or restart in the meantime is kept
                continue
            delay_s = AFTER_A_BUG_S if void else self.config.finish_time
            if not delay_s and not await _done_within(LAST_FRAME_S, self._restart.wait()):
                self._let_clients_end()
            await _done_within(delay_s or None, self._restart.wait())
            self._start.clear()
            self._restart.clear()

    async def _rest(self, seconds: float) -> None:
        """Wait after a game was stopped by an error. Its players can return once it is resumed."""
        game, self.game = self.game, None
        if game is not None:
            await game.seats.disconnect_all()
        await _done_within(seconds, self.closing.wait())

    def _let_clients_end(self) -> None:
        """Show a new id if no other game follows by itself, so that current clients notice the end (RULES 10.8)."""
        assert self.game is not None
        self.game.shown = new_id(self.game.shown)
        self._change()

    async def _play(self) -> bool:
        """Play one game; True if it is void."""
        before = None if self.game is None else self.game.shown
        game = self.game = await self._keeping.game(self.name, self.config, before)
        game.changed = self._change
        self._change()
        self.begun.set()
        try:
            async with game.ending():
                end = await self._played(game)
                await self._keeping.end(self.name, game)
        finally:
            self._keeping.leave(game)
        await game.seats.disconnect_all()
        return isinstance(end, Void)

    async def _played(self, game: RoomGame) -> Result | Void:
        running = asyncio.ensure_future(game.running.run(game.begun))
        seating = asyncio.ensure_future(self._seat_bots(game))
        tasks = [running, seating, *map(asyncio.ensure_future, (self._begin(game), self._stop_on_restart(game)))]
        try:
            await asyncio.wait([running, seating], return_when=asyncio.FIRST_COMPLETED)
            if not running.done():
                seating.result()  # raises if a bot cannot play
            return await running
        finally:
            await dropped(tasks)

    async def _seat_bots(self, game: RoomGame) -> None:
        """Restart the bots of a resumed game at their seats; then seat the others."""
        waiting = [*self._bots]
        for seat, chair in enumerate([*game.chairs]):
            name = chair.plan.spec
            spec = next((spec for spec in waiting if spec.name == name), None)
            if spec is not None:
                waiting.remove(spec)
            elif name in GAME.hosting.bots:
                spec = load(GAME, name)
            if spec is not None:
                player, _ = await game.starter.come(spec, seat, game.past_of(seat))
                game.running.reconnect(seat, player)
        game.past = ()
        for spec in waiting:
            await self.admission.bot(game, spec)

    async def _begin(self, game: RoomGame) -> None:
        """Close the first round when it is time (RULES 10.8)."""
        if not game.state.waiting:
            return  # the game is resumed after its first round
        first = game.config.first_round_time
        if first == "never":
            await self._start.wait()
        elif isinstance(first, str):
            while len(game.match.names) < game.config.most and not self._start.is_set():
                await _done_within(1.0, self._changed.wait(), self._start.wait())
        else:
            await self._count_down(game, first)
        while len(game.match.names) < self._at_once:
            await _done_within(None, self._changed.wait())
        game.count_down = 0
        game.running.act(Close())

    async def _count_down(self, game: RoomGame, seconds: float) -> None:
        """Count down to the first round in seconds, which clients show."""
        while not self._keeping.is_host and game.is_empty and not self._start.is_set():
            await _done_within(None, self._changed.wait(), self._start.wait())
        due = self._time() + seconds
        while (left := due - self._time()) > 0 and not self._start.is_set():
            if game.count_down != int(left):
                game.count_down = int(left)
                self._change()
            await _done_within(min(left, max(0.05, left - int(left))), self._start.wait())

    async def _stop_on_restart(self, game: RoomGame) -> None:
        await self._restart.wait()
        game.stop()


async def _done_within(seconds: float | None, *waits: Any) -> bool:
    """Wait until one of these is done, and cancel all; whether it was in time."""
    tasks = [asyncio.ensure_future(each) for each in waits]
    try:
        done, _ = await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        return bool(done)
    finally:
        for task in tasks:
            task.cancel()


async def dropped(tasks: Collection[asyncio.Future[Any]]) -> None:
    """Cancel these and wait until they have ended."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
