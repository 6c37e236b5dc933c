"""The common base of all parts of the contract."""

from typing import Any, ClassVar

from parlour.core import Game
from parlour.testing.draws import NEEDS
from parlour.testing.subject import Subject


class ContractTests:
    """A part of the contract. Failing tests say in their message what the game does wrong."""

    subject: ClassVar[Subject]

    def __init_subclass__(cls) -> None:
        """Leave out the tests of what this game does not have."""
        super().__init_subclass__()
        if "subject" in vars(cls):
            for test in [test for test, holds in NEEDS.items() if not holds(cls.subject)]:
                setattr(cls, test, None)

    @property
    def game(self) -> Game[Any]:
        return self.subject.game
