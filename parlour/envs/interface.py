"""How agents see a match, and how they answer."""

from abc import ABC, abstractmethod
from typing import Any

from parlour.core import Seat
from parlour.envs.episode import Episode


class Interface(ABC):
    """Observations and actions of one form, for one episode at a time."""

    version: int
    """Of the form of observations and actions."""
    watches: bool
    """Whether it needs the outputs of the match."""

    @abstractmethod
    def observation_space(self) -> Any:
        """A new space of observations."""

    @abstractmethod
    def action_space(self) -> Any:
        """A new space of actions."""

    @abstractmethod
    def begin(self, episode: Episode) -> None:
        """Show this episode from now on."""

    @abstractmethod
    def observe(self, seat: Seat) -> Any:
        """The observation of the seat now."""

    @abstractmethod
    def idle(self, seat: Seat) -> Any:
        """The observation of a seat that waits for others, in an environment in which all act at once."""

    @abstractmethod
    def decode(self, seat: Seat, ask: Any, action: Any) -> Any | None:
        """The answer that this action gives: an action of the game, or a BadMessage if it is not possible now.

        None if it is only a part of an answer. ValueError if it is no member of the action space."""
