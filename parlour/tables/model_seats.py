"""What tables need for models at their seats. They are handed one that knows the accounts and their budgets."""

from typing import Protocol

from parlour.players.models.options import ModelTerms
from parlour.players.models.service import ModelService


class ModelSeats(Protocol):
    """Lets models play, and has somebody pay for them."""

    async def check(self, model: ModelTerms, owner: int | None) -> None:
        """RequestError if the owner of a table has no budget for this model."""

    def service(self, owner: int | None) -> ModelService:
        """What the models of a match use. Its owner pays; None: the host."""
