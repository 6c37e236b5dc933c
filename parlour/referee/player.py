"""The interface between the referee's shells and players."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeAlias

from parlour.core import Ask, BadMessage, Dice, Event, Notice, Place, Seat, Value
from parlour.referee.match import Match, Out

Bot: TypeAlias = Callable[[Any, Any, Dice], Any]
"""A bot in this process: a function of its view, the ask and its own dice.

Optional attributes: `sit` gets the bot's Place before the first ask; `event` gets each event; a true `asked_all` means
that the bot also gets asks that have a default answer.
"""

Post: TypeAlias = Callable[[Any, int | None], None]
"""How a player sends an action, BadMessage, Question or Leave; with the number of the ask it answers, if known."""


class Resigned(Exception):
    """Raised by a bot to leave the match."""


class Player(Protocol):
    """A player at a seat of an async match. None of these calls may block."""

    def sit(self, place: Place, view: Value, post: Post) -> None:
        """The match begins; the player sends everything through `post`."""

    def tell(self, notice: Notice, view: Value | None) -> None:
        """Notices in order. Asks and the end come with the current view; events only if `follows`."""

    @property
    def follows(self) -> bool:
        """Whether events should come with a view."""

    def auto(self, ask: Ask[Any]) -> Any | None:
        """The automatic answer to an ask that this player never gets; None if it must answer itself."""


def place_of(match: Match[Any], seat: Seat) -> Place:
    """The facts that a player is told when the match begins."""
    return Place(match.game.name, match.header.match, seat, tuple(match.names), match.options, match.header_hash)


class Mind:
    """A bot at its seat. An exception in `sit` or `event` is reported at its next ask."""

    def __init__(self, bot: Bot, dice: Dice) -> None:
        self._bot = bot
        self._dice = dice
        self._sit: Callable[[Place], None] | None = getattr(bot, "sit", None)
        self._event: Callable[[Event], None] | None = getattr(bot, "event", None)
        self._asked_all: bool = getattr(bot, "asked_all", False)
        self._trouble: BaseException | None = None
        self.listens = self._event is not None
        self.has_hooks = self._sit is not None or self.listens
        """Whether the bot is told its seat or events, which it may remember."""

    def sit(self, place: Place, past: Iterable[Out] = ()) -> None:
        """Tell the bot its place and, in a resumed match, the past events of its seat."""
        if self._sit is not None:
            self._safely(self._sit, place)
        if self.listens:
            for out in past:
                self.hear(out.to(place.seat))

    def auto(self, ask: Ask[Any]) -> Any | None:
        """The automatic answer to an ask that the bot does not get; None if it decides."""
        return None if self._asked_all else ask.default

    def hear(self, notices: Iterable[Notice]) -> None:
        if self._event is not None:
            for notice in notices:
                if isinstance(notice, Event):
                    self._safely(self._event, notice)

    def decide(self, view: Value, ask: Ask[Any]) -> Any:
        """Get an action; a crash becomes a BadMessage that names file and line. Resigned is passed on."""
        if ask.default is not None and not self._asked_all:
            return ask.default
        if self._trouble is not None:
            trouble, self._trouble = self._trouble, None
            return crashed(trouble)
        try:
            return self._bot(view, ask, self._dice)
        except Resigned:
            raise
        except (Exception, SystemExit) as e:
            return crashed(e)

    def _safely(self, hook: Callable[[Any], None], what: Any) -> None:
        try:
            hook(what)
        except (Exception, SystemExit) as e:
            self._trouble = e


def crashed(error: BaseException) -> BadMessage:
    where = ""
    trace = error.__traceback__
    while trace is not None:
        where = f" at {trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
        trace = trace.tb_next
    return BadMessage("crashed", f"{type(error).__name__}: {str(error)[:200]}{where}")


def bot_dice(seed: bytes, seat: int) -> Dice:
    """A bot's own dice: reproducible from the match, and independent of the game and of other bots."""
    dice = Dice(seed)
    dice.stir(f"the bot at seat {seat}".encode())
    return dice
