"""The contract of our own games, and proof that it is worth something: leaks that are planted in them are noticed."""

from pathlib import Path

import pytest

from parlour.testing import GameContract, Leak
from parlour.testing.contract.hidden import positions_of, secrets_of
from parlour.testing.leaks import check_leaks
from parlour.testing.redeals import Secret, check_redeals
from tests.contract.planted import KINDS, keeping, leaky

HIDDEN = {
    "colorfight": {"players[other].given", "players[other].lists", "players[other].errors"},
    "dominion": {"holdings[other].hand", "holdings[other].deck", "holdings[other].discard", "holdings[own].deck"},
    "forsale": {"estate_deck", "cheque_deck", "removed_estates", "removed_cheques", "phase.chosen[other]"},
    "lotto": {"guesses[other]"},
    "maze": {"players[other].goal", "players[other].treasures", "players[other].going_home", "queue", "pending"},
    "tradecraft": {
        "phase.benches[other].hand",
        "phase.benches[other].ready",
        "phase.proposal.message",
        "phase.proposal.offer",
        "phase.proposal.partner",
        "phase.proposal.request",
        "targets[other]",
        "told[other]",
    },
}
"""What the rules of each game hide from a seat, apart from the dice."""


class OurContract(GameContract):
    golden_folder = Path(__file__).parent.parent / "golden"

    def dealt_secrets(self) -> list[Secret]:
        return [secret for secret in secrets_of(self) if secret.dealt]

    def test_what_the_rules_hide_is_found_to_be_hidden(self) -> None:
        """The tests around this one are worth as much as the experiments that find the secrets."""
        assert HIDDEN[self.game.name] | {"dice"} <= {secret.name for secret in self.dealt_secrets()}

    @pytest.mark.parametrize("kind", sorted(KINDS))
    def test_every_secret_that_leaks_is_noticed(self, kind: str) -> None:
        planted = [leaky(positions_of(self), KINDS[kind], secret) for secret in self.dealt_secrets()]
        able = [it for it in planted if it.moments]
        assert len(able) > len(planted) / 2
        for it in able:
            with pytest.raises(Leak):
                check_leaks(it, redeals=12)

    def test_a_secret_that_is_not_dealt_again_is_noticed(self) -> None:
        for secret in self.dealt_secrets():
            with pytest.raises(Leak, match="redeal keeps"):
                check_redeals(keeping(positions_of(self), secret))

    def test_a_redeal_that_is_a_plain_copy_is_noticed(self) -> None:
        with pytest.raises(Leak, match="redeal keeps"):
            check_redeals(keeping(positions_of(self)))
