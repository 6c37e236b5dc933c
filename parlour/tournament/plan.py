"""The plan of a tournament: game, players, format, deals and limits. It does not say where or how fast it is played."""

from typing import Any, Literal, TypeAlias, get_args

from msgspec import Struct

from parlour import plugins
from parlour.core.options import read_house_rules
from parlour.players.terms import Terms
from parlour.referee.transcript import Limits

Format: TypeAlias = Literal["round-robin", "swiss", "gauntlet", "knock-out", "until-decided"]
FORMATS: tuple[Format, ...] = get_args(Format)
Seatings: TypeAlias = Literal["all", "balanced"]
SEATINGS: tuple[Seatings, ...] = get_args(Seatings)


class Entrant(Struct, frozen=True, forbid_unknown_fields=True):
    """A player of a tournament, as `parlour match` names it, and its name in the results."""

    name: str
    player: str


class TournamentPlan(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A tournament. Two equal plans have the same matches with the same seeds."""

    game: str
    rules: int
    """The version of the game's rules."""
    options: dict[str, Any] = {}
    """House rules by name."""
    format: Format
    players: tuple[Entrant, ...]
    seats: int
    deals: int
    """Per line-up; of swiss and knock-out in every round, of until-decided at most."""
    seed: str
    """Hexadecimal; the seeds of all deals are derived from it."""
    seatings: Seatings
    duplicate: bool = True
    """Whether a line-up plays the same deal in several seatings. Otherwise every match has a deal of its own."""
    against: int = 0
    """The player that a gauntlet is against."""
    rounds: int = 1
    """The number of rounds of swiss."""
    batch: int = 20
    """The number of deals that until-decided plays before it looks at the results again."""
    margin: float = 20.0
    """The smallest difference that matters to until-decided, in Elo points."""
    limit_s: float | None = None
    """Time for an answer, in matches that have a player other than built-in bots; None: the game's own."""
    bank_s: float = 0.0
    bears: int | None = None
    transcripts: bool = True

    def terms(self, *, timed: bool) -> Terms:
        """The terms of a match. Only players that this process does not run itself need time limits."""
        game = plugins.game(self.game)
        limit_s = game.hosting.limit_s if self.limit_s is None else self.limit_s
        limits = Limits(max(1, round(limit_s * 1000)), round(self.bank_s * 1000)) if timed else None
        options = read_house_rules(game.rules.options, self.options)
        return Terms(game=game, options=options, limits=limits, bears=self.bears)
