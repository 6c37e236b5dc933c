"""Small games that leak in one way each fail the leak checks; the honest game that they derive from passes."""

from typing import Any

import pytest

from parlour.core import By, Dice, Event, IllegalAction, Public
from parlour.testing.leaks import Leak, check_leaks, check_reasons, check_revealing
from parlour.testing.redeals import check_redeals
from parlour.testing.samples import samples_of
from parlour.testing.subject import Subject
from tests.toys import cups


def check(kind: type[cups.State], **declared: Any) -> None:
    """Run all checks for games that hide something."""
    game = cups.game(kind, Peeked, Counted)
    samples = samples_of(Subject(game, (2, 3, 4), (cups.Options(), cups.Options(2)), lambda state: None, **declared))
    check_reasons(samples.subject)
    check_redeals(samples)
    check_leaks(samples)
    check_revealing(samples, ())


class Peeked(Public, frozen=True):
    """The dice under all cups."""

    cups: tuple[tuple[int, ...], ...]


class Telling(cups.State):
    """Sends everybody's hidden dice to everybody."""

    def play(self, by: By, action: Any) -> list[Event]:
        return [Peeked(tuple(self.cups)), *super().play(by, action)]


class TellingAtTheEnd(cups.State):
    """Sends the hidden dice only with the last call of a round."""

    def _lift(self, events: list[Event]) -> None:
        events.append(Peeked(tuple(self.cups)))
        super()._lift(events)


class Counted(Public, frozen=True):
    """How many dice each seat has."""

    dice: dict[str, int]


class TellingByOrder(cups.State):
    """Sends equal values, but in the order of the hidden dice."""

    def play(self, by: By, action: Any) -> list[Event]:
        order = sorted(range(len(self.cups)), key=lambda seat: self.cups[seat])
        return [Counted({str(seat): cups.DICE for seat in order}), *super().play(by, action)]


class Copying(cups.State):
    def redeal(self, seat: int, dice: Dice) -> cups.State:
        return self.copy()


class CopyingWithNewDice(cups.State):
    """Deals only the dice of later rounds again."""

    def redeal(self, seat: int, dice: Dice) -> cups.State:
        twin = self.copy()
        twin.dice = dice.split()
        return twin


class KeepingDice(cups.State):
    """Deals everything again except the dice of later rounds."""

    def redeal(self, seat: int, dice: Dice) -> cups.State:
        twin = super().redeal(seat, dice)
        twin.dice = self.dice.copy()
        return twin


class CopyingAndTelling(Copying, Telling):
    """A copy looks the same to everybody, whatever the events tell."""


class Sorting(cups.State):
    """Lists the seats in the order of their hidden dice."""

    def _new_view(self, who: By) -> cups.View:
        seen = super()._new_view(who)
        order = sorted(range(len(self.cups)), key=lambda seat: self.cups[seat])
        return cups.View(seen.seat, seen.round, seen.calls, seen.cup, (*seen.points, *order))


class Hinting(cups.State):
    """Tells the right sum in a refusal."""

    def play(self, by: By, action: Any) -> list[Event]:
        try:
            return super().play(by, action)
        except IllegalAction as e:
            raise IllegalAction(e.code, f"{e.words}; there are {sum(map(sum, self.cups))}") from None


class Pricing(cups.State):
    """Calls the right sum for a seat that makes a mistake."""

    def amends(self, seat: int, faults: Any) -> cups.Call:
        return cups.Call(sum(map(sum, self.cups)))


class ShowingSpectators(cups.State):
    def _new_view(self, who: By) -> cups.View:
        return super()._new_view(0 if who is None else who)


def test_an_honest_game_passes() -> None:
    check(cups.State)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Telling, r"Peeked.cups depends on what seat \d cannot know"),
        (TellingAtTheEnd, "Peeked.cups depends on"),
        (TellingByOrder, "Counted.dice depends on"),
        (Copying, "redeal keeps (cups|dice)"),
        (CopyingWithNewDice, r"redeal keeps cups\[other\]"),
        (KeepingDice, "redeal keeps dice"),
        (CopyingAndTelling, "redeal keeps (cups|dice)"),
        (Sorting, "the view depends on"),
        (Hinting, r"whether Call\(.*\) is legal, or why not, depends on"),
        (Pricing, "the price of a fault"),
        (ShowingSpectators, "the spectator's view depends on|redeal keeps"),
    ],
)
def test_a_game_that_leaks_is_found_out(kind: type[cups.State], words: str) -> None:
    with pytest.raises(Leak, match=words):
        check(kind)


@pytest.mark.parametrize(
    ("kind", "declared"),
    [
        (Telling, {"revealing": {"Peeked.cups": "everybody may look"}}),
        (CopyingWithNewDice, {"deducible": {"cups": "everybody may look"}}),
        (KeepingDice, {"deducible": {"dice": "nobody needs to know"}}),
    ],
)
def test_what_a_game_declares_with_a_reason_is_allowed(kind: type[cups.State], declared: Any) -> None:
    check(kind, **declared)


@pytest.mark.parametrize(
    ("declared", "words"),
    [
        ({"revealing": {"Peeked.cups": "never happens"}}, "nothing is revealed by: Peeked.cups"),
        ({"deducible": {"cups[other]": "not really"}}, "declared as deducible, but redeal changes it"),
        ({"revealing": {"Peeked.cups": ""}}, "without a reason"),
        ({"deducible": {"cups[other]": " "}}, "without a reason"),
        ({"deducible": {"purses": "gone since long"}}, "there is no such part"),
    ],
)
def test_a_declaration_that_is_not_needed_is_found_out(declared: Any, words: str) -> None:
    with pytest.raises(Leak, match=words):
        check(cups.State, **declared)
