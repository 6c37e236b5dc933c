"""How a game introduces itself: the version of the interface, names, and a protocol that can carry its values."""

import re

from parlour.core import INTERFACE
from parlour.protocol.v1 import schema
from parlour.testing.contract.base import ContractTests

NAME = re.compile(r"[a-z][a-z0-9_-]*")
MOST_NAME = 32
"""Characters in the name of a game, which the arena's store has room for."""


class DefinitionContract(ContractTests):
    """The fields of `Game`, and the names of what it offers."""

    def test_the_game_is_made_for_this_version_of_the_interface(self) -> None:
        made_for = self.game.interface
        assert made_for == INTERFACE, (
            f"The game was made for version {made_for} of the Game interface; this Parlour has version {INTERFACE}."
        )

    def test_names_can_be_typed_and_stored(self) -> None:
        """They stand in addresses, on command lines and in settings."""
        hosting = self.game.hosting
        for name in (self.game.name, *hosting.bots, *hosting.dialects):
            usable = NAME.fullmatch(name) and len(name) <= MOST_NAME
            assert usable, (
                f"{name!r} cannot be a name. A name begins with a lower-case letter and has at most {MOST_NAME} "
                "lower-case letters, digits, '_' and '-'."
            )

    def test_title_and_summary_are_lines_of_text(self) -> None:
        for what, text in (("title", self.game.title), ("summary", self.game.summary)):
            assert text.strip() and text.isprintable(), f"The {what} of the game is not one line of text: {text!r}"

    def test_protocol_1_can_carry_everything(self) -> None:
        """Every action, ask, event and view has a JSON Schema."""
        assert schema(self.game), "The schema of the game's messages is empty."
