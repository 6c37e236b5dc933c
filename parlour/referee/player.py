"""What the referee's shells expect of whoever sits at a seat."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeAlias

from parlour.core import Ask, BadMessage, Dice, Event, Notice, Place, Seat, Value
from parlour.referee.match import Match

Bot: TypeAlias = Callable[[Any, Any, Dice], Any]
"""Decides in process, from its view, the ask and dice of its own.

If it has a method `sit`, it is told its place before the first ask; if it has a method `event`, it hears the news.
Asks that answer themselves are put to it only if it has a true `asked_all`.
"""

Post: TypeAlias = Callable[[Any, int | None], None]
"""How a player speaks: an action, a BadMessage, a Question or a Leave; and the ask it answers, where it knows."""


class Resigned(Exception):
    """Raised by a bot that will not go on."""


class Player(Protocol):
    """Somebody at a seat of an async match. None of these calls may block or wait."""

    def sit(self, place: Place, view: Value, post: Post) -> None:
        """The match begins; what the player says from now on goes to `post`."""

    def tell(self, notice: Notice, view: Value | None) -> None:
        """News, in order. An ask and the end come with the view as it is now; so do events, for those who follow."""

    @property
    def follows(self) -> bool:
        """Whether events are wanted with a view."""

    def auto(self, ask: Ask[Any]) -> Any | None:
        """The answer to an ask that is never put to this player; None if it has to answer itself."""


def place_of(match: Match[Any], seat: Seat) -> Place:
    """What a player is told when the match begins."""
    return Place(
        game=match.game.name,
        match=match.header.match,
        seat=seat,
        players=tuple(match.names),
        options=match.options,
        header=match.header_hash,
    )


class Mind:
    """A bot at its seat. What goes wrong while it listens comes out when it is asked."""

    def __init__(self, bot: Bot, dice: Dice) -> None:
        self._bot = bot
        self._dice = dice
        self._sit: Callable[[Place], None] | None = getattr(bot, "sit", None)
        self._event: Callable[[Event], None] | None = getattr(bot, "event", None)
        self._asked_all: bool = getattr(bot, "asked_all", False)
        self._trouble: BaseException | None = None
        self.listens = self._event is not None

    def sit(self, place: Place) -> None:
        if self._sit is not None:
            self._safely(self._sit, place)

    def auto(self, ask: Ask[Any]) -> Any | None:
        """The answer to an ask that the bot does not want to see; None if it decides."""
        return None if self._asked_all else ask.default

    def hear(self, notices: Iterable[Notice]) -> None:
        if self._event is not None:
            for notice in notices:
                if isinstance(notice, Event):
                    self._safely(self._event, notice)

    def decide(self, view: Value, ask: Ask[Any]) -> Any:
        """An action; a BadMessage for a crash, telling the bot's author where to look. Resigned passes through."""
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
    """A bot's own chance: repeatable with the match, unrelated to its cards and to other bots'."""
    dice = Dice(seed)
    dice.stir(f"the bot at seat {seat}".encode())
    return dice
