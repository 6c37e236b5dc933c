"""Players that keep up with rounds of a fifth of a second, and a way to tell a slow server from a slow machine."""

import asyncio
import contextlib
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from parlour.games.colorfight.values import Options
from parlour.venues.colorfight.room_config import Config
from tests.server.visitors import House
from tests.turned import SOON_S

ROUND_S = 0.2
STALL_S = 0.05
"""A machine that does not let us run for so long in a round cannot keep such a beat: we need much of the rest."""
ATTEMPTS = 5

QUICK = Config(options=Options(round_time=ROUND_S, max_turn=2000), first_round_time="never")


class Machine:
    """Looks on from a thread of its own: how long the loop's thread had to wait for a processor, or all stood still.

    A loop that is busy because of us is no excuse; one that could not run because of others is.
    """

    def __init__(self) -> None:
        self._waits: list[tuple[float, float]] = []
        """When the loop had to wait, and how long."""
        self._stop = threading.Event()
        self._scheduled = Path(f"/proc/self/task/{threading.get_native_id()}/schedstat")

    @contextlib.contextmanager
    def watched(self) -> Iterator["Machine"]:
        thread = threading.Thread(target=self._watch, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._stop.set()
            thread.join()

    def _watch(self) -> None:
        waited = self._waited()
        while not self._stop.is_set():
            before = time.monotonic()
            time.sleep(0.01)
            now, overslept = self._waited(), time.monotonic() - before - 0.01
            self._waits.append((before, max(now - waited, overslept)))
            waited = now

    def _waited(self) -> float:
        """Seconds in which the loop's thread could have run, but others did; where the system tells."""
        with contextlib.suppress(OSError, IndexError):
            return int(self._scheduled.read_text().split()[1]) / 1e9
        return 0.0

    def stalled(self, begin: float, end: float) -> bool:
        """Whether the machine stalled for too long in that time."""
        return sum(lasted for at, lasted in self._waits if begin <= at <= end) > STALL_S


class Miss(Struct, frozen=True):
    """A round that a player missed, and its time."""

    words: str
    begin: float
    end: float


class Named(Struct):
    username: str


class Frame(Struct):
    """The part of a frame that a player needs."""

    turn: int
    users: dict[str, Named]
    error: dict[str, list[str]]


class Player:
    """A player that answers each frame with an order that names the frame; the next frame has the error about it."""

    def __init__(self, house: House, where: str, name: str) -> None:
        self._house = house
        self._where = where
        self.name = name
        self.missed: list[Miss] = []

    async def come(self) -> None:
        self._actor = await self._house.player(self.name, self._where)
        self._viewer = await self._house.viewer(self._where)

    async def play(self, rounds: int) -> None:
        begin, before = time.monotonic(), await self._next(0)
        for _ in range(rounds):
            sent = f"t{before.turn}"
            reply = await self._actor.command(sent)
            frame = await self._next(before.turn)
            if words := self._amiss(before.turn, frame, sent, reply):
                self.missed.append(Miss(words, begin - ROUND_S, time.monotonic()))
            begin, before = time.monotonic(), frame

    def _amiss(self, turn: int, frame: Frame, sent: str, reply: dict[str, Any]) -> str:
        """An error message, or nothing if the next turn has come and has the error about the sent order."""
        (mine,) = [uid for uid, user in frame.users.items() if user.username == self.name]
        if frame.turn != turn + 1:
            return f"{self.name} saw turn {frame.turn} after {turn}"
        if not reply["success"] or frame.error[mine] != [f"{sent} is a wrong command, cmd type {sent} is invalid"]:
            return f"{self.name} came too late in turn {turn}: {reply} {frame.error[mine]}"
        return ""

    async def _next(self, turn: int) -> Frame:
        """A later turn than this."""
        while True:
            async with asyncio.timeout(SOON_S):
                frame = msgspec.json.decode(await self._viewer.connection.recv(decode=False), type=Frame)
            if frame.turn > turn:
                return frame


async def missed(house: House, places: list[str], rounds: int) -> list[Miss]:
    """The rounds that players at these channels miss."""
    players = [Player(house, where, f"p{number}") for number, where in enumerate(places)]
    await asyncio.gather(*(player.come() for player in players))
    house.room().start()
    await asyncio.gather(*(player.play(rounds) for player in players))
    return [miss for player in players for miss in player.missed]


@contextlib.asynccontextmanager
async def attacked(house: House, kind: str) -> AsyncIterator[None]:
    """Attack the server from another process during the block."""
    command = (sys.executable, "-m", "tests.server.attackers", kind, str(house.port))
    process = await asyncio.create_subprocess_exec(*command)
    try:
        await asyncio.sleep(1.0)
        assert process.returncode is None
        yield
        assert process.returncode is None, "it was there until the end"
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
