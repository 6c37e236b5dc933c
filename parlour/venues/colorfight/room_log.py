"""Where the games of rooms are kept: in an arena's store, or nowhere. A room does not know which."""

from typing import Protocol

from parlour.core import Seat
from parlour.referee.match import Out
from parlour.store.store import Account, StoredSeat
from parlour.tables.host import NewTable
from parlour.venues.colorfight.room_config import Config
from parlour.venues.colorfight.room_game import RoomGame, new_id, new_match


class Keeping(Protocol):
    """Gives rooms their games, and takes what becomes of them."""

    @property
    def waits(self) -> bool:
        """Whether a game is not begun before somebody has come."""

    async def open(self, name: str, config: Config, admin: str | None, join_key: str) -> None:
        """A room is made; its secrets are hashes."""

    async def close(self, name: str) -> None:
        """A room is no more; its last game has ended before."""

    async def game(self, room: str, config: Config, before: str | None) -> RoomGame:
        """What is played there now: a game that was not finished, or a new one, after what was shown as `before`."""

    async def join(self, game: RoomGame, seat: StoredSeat) -> bool:
        """Somebody is about to have the next seat; False, if it is too late."""

    async def drop(self, game: RoomGame, seat: Seat) -> None:
        """Nobody has come to it after all."""

    async def end(self, room: str, game: RoomGame) -> None:
        """It was played to its end."""

    def leave(self, game: RoomGame) -> None:
        """It is played no more, whether it has ended or not."""

    async def owner(self, name: str) -> Account | None:
        """Whose name it is, anywhere in the arena: an account that has a password. Refused, if the name is none but
        looks like one."""

    async def let_in(self, owner: Account, password: str) -> None:
        """The owner of a name has given the right password. Refused, if the account is banned."""

    def trouble(self, room: str, error: Exception) -> float:
        """How many seconds a room rests after this, and then goes on; or the error is raised again."""


class Unkept:
    """Games that are lost with the server; but whoever hosts them may watch, and write down what they see."""

    waits = False

    def __init__(self, new_table: NewTable) -> None:
        self._new_table = new_table

    async def open(self, name: str, config: Config, admin: str | None, join_key: str) -> None:
        pass

    async def close(self, name: str) -> None:
        pass

    async def game(self, room: str, config: Config, before: str | None) -> RoomGame:
        seed, watch = self._new_table()
        return RoomGame(new_id(before), config, new_match(config, seed), told=watch)

    async def join(self, game: RoomGame, seat: StoredSeat) -> bool:
        return True

    async def drop(self, game: RoomGame, seat: Seat) -> None:
        pass

    async def end(self, room: str, game: RoomGame) -> None:
        if game.told is not None:
            game.told(game.match, Out([game.match.reveal()], []))

    def leave(self, game: RoomGame) -> None:
        pass

    async def owner(self, name: str) -> Account | None:
        return None

    async def let_in(self, owner: Account, password: str) -> None:
        pass

    def trouble(self, room: str, error: Exception) -> float:
        raise error
