"""One game of a room: the match, who plays it, and what it looks like."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from parlour.core import Notice, Over, Place, Refused, Took, Value
from parlour.games import game
from parlour.games.colorfight.frames import CompactFrames, Frames, SourceFrames, room_info
from parlour.games.colorfight.rules import State
from parlour.games.colorfight.values import Command
from parlour.players.accounts import Account
from parlour.referee.match import Match, Out
from parlour.referee.player import Post
from parlour.referee.shell import Shell
from parlour.referee.transcript import Limits, header
from parlour.server.config import Config

GAME = game("colorfight")

Form: TypeAlias = Literal["source", "compact"]


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
    """The match is played by its shell, which whoever holds the game must run."""

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
        more = room_info(config.most, self.count_down, config.allow_manual_mode, self.id)
        return self._frames[form].frame(self.state, self.match.names, more).decode()
