"""What the referee's shells expect of whoever sits at a seat."""

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from parlour.core import Dice, Event, Notice, Place, Value

Bot: TypeAlias = Callable[[Any, Any, Dice], Any]
"""Decides in process, from its view, the ask and dice of its own. If it has a method `event`, it hears the news."""

Post: TypeAlias = Callable[[Any, int | None], None]
"""How a player speaks: an action, a BadMessage, a Question or a Leave; and the ask it answers, where it knows."""


class Resigned(Exception):
    """Raised by a bot that will not go on."""


class Player(Protocol):
    """Somebody at a seat of an async match. None of these calls may block or wait."""

    def sit(self, place: Place, view: Value, post: Post) -> None:
        """The match begins; what the player says from now on goes to `post`."""

    def tell(self, notice: Notice, view: Value | None) -> None:
        """News, in order. An ask and the end come with the view as it is now."""


def event_hook(bot: Bot) -> Callable[[Event], None] | None:
    """Where the bot wants its news, if it does."""
    hook: Callable[[Event], None] | None = getattr(bot, "event", None)
    return hook


def bot_dice(seed: bytes, seat: int) -> Dice:
    """A bot's own chance: repeatable with the match, unrelated to its cards and to other bots'."""
    dice = Dice(seed)
    dice.stir(f"the bot at seat {seat}".encode())
    return dice
