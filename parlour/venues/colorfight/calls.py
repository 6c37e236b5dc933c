"""ColorfightII as a Python object with the two calls of its source text, `parse_action` and `get_game_info`.

    game = ColorfightII(Options(max_turn=200), seed=b"any")
    game.parse_action(None, '{"action":"register","username":"ada","password":"x"}')  # {"success": True, "uid": 1}
    game.parse_action(1, '{"action":"command","cmd_list":["a 2 3 100"]}')
    game.update()
    game.get_game_info()["users"][1]["energy"]

There is no clock: the caller ends each round with `update`. The calls drive an ordinary match with a transcript.
"""

from typing import Any

from parlour import plugins
from parlour.core import AnswerRefused, Close, IllegalAction, Join, Seat
from parlour.games.colorfight.frames import game_info
from parlour.games.colorfight.rules import State
from parlour.games.colorfight.values import Command, Options
from parlour.games.colorfight.wire import (
    MAP_FULL,
    NAME_TAKEN,
    NO_SUCH_UID,
    NOT_JOINED,
    NOT_RUNNING,
    Refused,
    Register,
    Reply,
    done,
    read,
    refused,
    why_not,
)
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match, Out
from parlour.referee.transcript import header, new_seed
from parlour.store.passwords import GameUser, fits, hashed


class ColorfightII:
    """One game without a clock."""

    def __init__(self, options: Options | None = None, seed: bytes | None = None) -> None:
        self._accounts: dict[str, GameUser] = {}
        rules, seed = plugins.game("colorfight"), new_seed() if seed is None else seed
        self.match: Match[Any] = Match(rules, header(rules, [], seed, options=options, eager=False), seed)
        self.lines: list[bytes] = []
        """The transcript so far."""
        self._log = MemoryLog(self.lines)
        self._keep(self.match.begin(0.0))

    def parse_action(self, uid: int | None, msg: str) -> Reply:
        """Handle a client's message. `uid` is None until the client has registered."""
        try:
            said = read(msg)
            return self._register(said) if isinstance(said, Register) else self._command(uid, said)
        except Refused as e:
            return refused(e.words)

    def get_game_info(self) -> dict[str, Any]:
        """The whole state of the game, as a dictionary."""
        return game_info(self._state, self.match.names)

    def update(self) -> bool:
        """End the round; False if the game is over."""
        if self.match.end is not None:
            return False
        self._keep(self.match.table(Close(), 0.0))
        return True

    @property
    def _state(self) -> State:
        state = self.match.state
        assert isinstance(state, State)
        return state

    def _keep(self, out: Out) -> Out:
        self._log.write(out.lines)
        if self.match.end is not None:
            self._log.end(self.match)
        return out

    def _register(self, said: Register) -> Reply:
        if (account := self._accounts.get(said.username)) is not None:
            if not fits(said.password, account.hash):
                raise Refused(NAME_TAKEN)
            return done(uid=account.seat + 1)
        if self.match.end is not None:
            raise Refused(NOT_RUNNING)
        try:
            self._keep(self.match.table(Join(said.username), 0.0))
        except IllegalAction:
            raise Refused(MAP_FULL) from None
        seat: Seat = len(self.match.names) - 1
        self._accounts[said.username] = GameUser(seat, hashed(said.password))
        return done(uid=seat + 1)

    def _command(self, uid: int | None, said: Command) -> Reply:
        if uid is None:
            raise Refused(NOT_JOINED)
        if not isinstance(uid, int) or not 1 <= uid <= len(self.match.names):
            raise Refused(NO_SUCH_UID)
        if self.match.end is not None:
            raise Refused(NOT_RUNNING)
        out = self._keep(self.match.answer(uid - 1, said, 0.0))
        for notice in out.notices:
            if isinstance(notice, AnswerRefused):
                raise Refused(why_not(self._state, uid - 1, notice.fault))
        return done()
