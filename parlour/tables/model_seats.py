"""The interface through which tables let models play. The server implements it with accounts and their budgets."""

from typing import Protocol

from parlour.players.models.options import ModelTerms
from parlour.players.models.service import ModelService


class ModelSeats(Protocol):
    """Checks and charges the budgets that pay for models at tables."""

    async def check(self, model: ModelTerms, owner: int | None) -> None:
        """RequestError if the owner of a table has no budget for this model."""

    def service(self, owner: int | None) -> ModelService:
        """The service for the models of a match. Its owner pays; None: the host."""
