"""The interface by which rooms store their games, and an implementation that stores nothing."""

from typing import Protocol

from parlour.core import Seat
from parlour.protocol.records import Account, StoredSeat
from parlour.referee.log import ImmediateLog, done
from parlour.tables.host import NewTable
from parlour.venues.colorfight.room_config import Config
from parlour.venues.colorfight.room_game import RoomGame, new_id, new_match, new_starter, room_table


class Keeping(Protocol):
    """Creates or resumes the games of rooms, and stores them."""

    @property
    def waits(self) -> bool:
        """Whether a game waits for its first client before the countdown begins."""

    async def open(self, name: str, config: Config, admin: str | None, join_key: str, owner: int | None) -> None:
        """Store a new room; its secrets are hashes."""

    async def close(self, name: str) -> None:
        """Delete a room, whose last game has ended."""

    async def game(self, room: str, config: Config, before: str | None) -> RoomGame:
        """The next game of a room: an unfinished one, or a new one. `before` is the shown id of the last game."""

    async def join(self, game: RoomGame, seat: StoredSeat) -> bool:
        """Store the next seat before a player joins; False if it is too late."""

    async def drop(self, game: RoomGame, seat: Seat) -> None:
        """Remove a stored seat that no player took."""

    async def end(self, room: str, game: RoomGame) -> None:
        """Store the end of a game."""

    def leave(self, game: RoomGame) -> None:
        """Release a game that is no longer played, whether it has ended or not."""

    async def owner(self, name: str) -> Account | None:
        """The account of that name, if it has a password. Refused if the name only looks like an account's."""

    async def let_in(self, owner: Account, password: str) -> None:
        """Log in an account that has given the right password. Refused if it is banned."""

    def trouble(self, room: str, error: Exception) -> float:
        """The seconds to wait before a room continues after this error; or raise the error again."""


class Unkept:
    """Stores nothing. Games end with the server; the host can record them."""

    waits = False

    def __init__(self, new_table: NewTable) -> None:
        self._new_table = new_table

    async def open(self, name: str, config: Config, admin: str | None, join_key: str, owner: int | None) -> None:
        pass

    async def close(self, name: str) -> None:
        pass

    async def game(self, room: str, config: Config, before: str | None) -> RoomGame:
        next = self._new_table()
        table = room_table(config, next.seed)
        table.begin(new_match(config, next.seed), next.log or ImmediateLog(), new_starter(config, next.seed))
        return RoomGame(new_id(before), config, table, told=next.watch)

    async def join(self, game: RoomGame, seat: StoredSeat) -> bool:
        return True

    async def drop(self, game: RoomGame, seat: Seat) -> None:
        pass

    async def end(self, room: str, game: RoomGame) -> None:
        await done(game.table.log.end(game.match))

    def leave(self, game: RoomGame) -> None:
        pass

    async def owner(self, name: str) -> Account | None:
        return None

    async def let_in(self, owner: Account, password: str) -> None:
        pass

    def trouble(self, room: str, error: Exception) -> float:
        raise error
