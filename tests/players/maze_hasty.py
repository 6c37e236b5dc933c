"""Clients of Maze that disconnect as soon as they have nothing left to say, and others that keep them waiting."""

from typing import Any, Literal, TypeAlias

from tests.players.maze_room import Course, Player, Source
from tests.turned import until

Ending: TypeAlias = Literal["close", "half close", "reset"]
ENDINGS: tuple[Ending, ...] = ("close", "half close", "reset")


def part(player: Player, how: Ending) -> None:
    """Disconnect, with all that was said sent before."""
    writer = player.line.writer
    if how == "half close":
        writer.write_eof()
    elif how == "reset":
        writer.transport.abort()
    else:
        writer.close()


class Hasty(Course):
    """Disconnects as soon as it has answered `win`."""

    def __init__(self, name: str, how: Ending = "close") -> None:
        super().__init__(name)
        self._how: Ending = how

    def answer(self, message: Any) -> None:
        super().answer(message)
        if message[0] == "win":
            part(self, self._how)


class HastySource(Source):
    """Disconnects right after its nth turn, without waiting for what comes of it."""

    def __init__(self, nth: int, how: Ending = "close") -> None:
        super().__init__()
        self._turn, self._how = nth, how

    def answer(self, message: Any) -> None:
        super().answer(message)
        if self.kinds().count("RequestAction") == self._turn and self.kind(message) == "RequestAction":
            part(self, self._how)


class Reserved(Course):
    """Keeps its answer to `win` to itself until it is told to give it."""

    async def called(self) -> None:
        await until(lambda: self.heard[-1:] and self.heard[-1][0] == "win")

    def answer(self, message: Any) -> None:
        if message[0] != "win":
            super().answer(message)

    def void(self) -> None:
        self.line.say("void")
