"""Leaks that are planted in our games are noticed, and so is a redeal that keeps a secret."""

from functools import cache

import pytest

from parlour.core import BadMessage
from parlour.testing import Leak
from parlour.testing.gallery import Gallery, gallery
from parlour.testing.hidden import check_leaks
from parlour.testing.redeals import Secret, check_redeals, secrets
from parlour.testing.walk import Case, walked
from tests.contract.leaks import KINDS, keeping, leaky
from tests.contract.subjects import SUBJECTS

each_game = pytest.mark.parametrize("name", sorted(SUBJECTS))


@cache
def positions(name: str) -> Gallery:
    return gallery(SUBJECTS[name])


@cache
def found(name: str) -> list[Secret]:
    return secrets(positions(name))


HIDDEN = {
    "colorfight": {"players[other].given", "players[other].lists", "players[other].errors"},
    "dominion": {"holdings[other].hand", "holdings[other].deck", "holdings[other].discard", "holdings[own].deck"},
    "forsale": {"estate_deck", "cheque_deck", "removed_estates", "removed_cheques", "phase.chosen[other]"},
    "lotto": {"guesses[other]"},
    "maze": {"players[other].goal", "players[other].treasures", "players[other].going_home", "queue", "told"},
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


@each_game
def test_what_the_rules_hide_is_found_to_be_hidden(name: str) -> None:
    """The tests around this one are worth as much as the experiments that find the secrets."""
    assert HIDDEN[name] | {"dice"} <= {secret.name for secret in found(name) if secret.dealt}


@each_game
@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_secret_that_leaks_is_noticed(name: str, kind: str) -> None:
    planted = [leaky(positions(name), KINDS[kind], secret) for secret in found(name) if secret.dealt]
    able = [it for it in planted if it.moments]
    assert len(able) > len(planted) / 2
    for it in able:
        with pytest.raises(Leak):
            check_leaks(it, redeals=12)


@each_game
def test_a_secret_that_is_not_dealt_again_is_noticed(name: str) -> None:
    for secret in found(name):
        if secret.dealt:
            with pytest.raises(Leak, match="redeal keeps"):
                check_redeals(keeping(positions(name), secret))


@each_game
def test_a_redeal_that_is_a_plain_copy_is_noticed(name: str) -> None:
    with pytest.raises(Leak, match="redeal keeps"):
        check_redeals(keeping(positions(name)))


def test_a_planted_leak_through_ask_numbers_is_caught() -> None:
    """One count of asks for the whole table would tell who has acted; a seat's own does not."""
    case = Case(SUBJECTS["forsale"], 3, SUBJECTS["forsale"].options[0], b"seed", 0, False)

    def numbers(leaky: bool) -> set[int]:
        """Seat 0's number after seat 1 needed one try or three, in a sale."""
        told = set()
        for tries in (0, 2):
            walk = walked(case)
            while not all(open.ask.sealed for open in walk.match.open.values()):
                walk.step()
            for _ in range(tries):
                walk.take(walk.match.answer(1, BadMessage("junk", "junk"), 0.0))
            open = walk.match.open[0]
            asked = walk.match._asked
            told.add(sum(asked.values()) if leaky else open.n)
        return told

    assert len(numbers(leaky=True)) > 1
    assert len(numbers(leaky=False)) == 1
