"""The terms of a match, and the error of a player that cannot play."""

from typing import Any

from msgspec import Struct

from parlour.core import Game, Hello, Seat, Value
from parlour.players.models.service import ModelService
from parlour.players.session import Dropped
from parlour.referee.transcript import Limits, commitment, match_name
from parlour.transports.limits import HELLO_S

MODEL_LIMIT_S = 120.0
"""Time limit for an answer if a model plays and no limit was chosen, unless the game's own is longer."""


class CannotPlay(Exception):
    """A player could not be started or seated; the message names the player and the reason."""

    seat: Seat | None = None
    """The seat of the player, if it has one."""


class Terms(Struct, frozen=True, kw_only=True):
    """Game, options and limits of a match."""

    game: Game[Any]
    options: Value | None = None
    start: Value | None = None
    """A prepared position to begin from."""
    limits: Limits | None = None
    bears: int | None = None
    salted: bool = False
    """Whether players' salts are used. Without them a match can be repeated from its seed."""
    handshake_s: float = HELLO_S
    cwd: str | None = None
    """Working directory of commands."""
    record: str | None = None
    """The location of the transcript, as players are told at the end."""
    pace_s: float = 0.0
    """How long bots in this process take at least for an answer."""
    models: ModelService | None = None
    """The service that model players use; None: the one that the environment of this process sets."""
    dropped: Dropped | None = None
    """Called for each command that is disconnected because it exceeds a limit."""

    def hello(self, seed: bytes, seat: Seat) -> Hello:
        return Hello(self.game.name, self.game.rules.version, commitment(seed), self.salted, seat, match_name(seed))
