"""Games that break the contract in one way each fail one test, which says in plain words what is wrong."""

from typing import Any

import pytest
from hypothesis import assume
from hypothesis.strategies import DataObject
from msgspec.structs import replace

from parlour.core import Board, By, Dialect, Event, Game, Public, Value
from parlour.testing import GameContract, Subject
from parlour.testing.draws import few
from tests.toys import cups
from tests.toys.variants import with_hosting, with_rules

pytestmark = pytest.mark.usefixtures("unshrunk")


def contract(game: Game[Any], **more: Any) -> Any:
    """The tests that the game inherits."""
    return type("TestBroken", (GameContract,), {"subject": Subject(game, **more)})()


def with_words(**changes: Any) -> Game[Any]:
    return replace(cups.GAME, words=replace(cups.GAME.words, **changes))


# What a game says of itself


def worst(view: Any, ask: Any, dice: Any) -> cups.Call:
    return cups.Call(999)


class OtherOptions(Value, frozen=True):
    pass


TWO_BOTS = {"random": cups.random, "worst": worst}


@pytest.mark.parametrize(
    ("game", "test", "words"),
    [
        (replace(cups.GAME, interface=99), "the_game_is_made_for", "version 99 of the Game interface"),
        (replace(cups.GAME, name="Three Cups"), "names_can_be", "'Three Cups' cannot be a name"),
        (replace(cups.GAME, name="c" * 33), "names_can_be", "at most 32"),
        (replace(cups.GAME, summary="one\ntwo"), "title_and_summary", "summary of the game is not one line"),
        (with_hosting(cups.GAME, bots={"random": cups.State}), "there_is_a_random_bot", "is a class"),
        (with_hosting(cups.GAME, bots={}), "there_is_a_random_bot", "has no 'random'"),
        (with_hosting(cups.GAME, bots=TWO_BOTS), "every_bot_has", "Bots without a strength: .'worst'."),
        (with_hosting(cups.GAME, strengths={"random": "random", "gone": "easy"}), "every_bot_has", "without a bot"),
        (with_hosting(cups.GAME, strengths={"random": "good"}), "every_bot_has", "Unknown strengths"),
        (with_hosting(cups.GAME, strengths={"random": "hard"}), "every_bot_has", "has the strength 'hard'"),
        (with_hosting(cups.GAME, house_bot="butler"), "the_house_bot", "'butler', which is no bot. Bots: random"),
        (with_hosting(cups.GAME, seating="open"), "seating_agrees", "0 is not in rules.seats"),
        (with_rules(cups.GAME, seats=range(5)), "seating_agrees", "'fixed', but rules.seats has 0"),
        (with_hosting(cups.GAME, served=range(2, 9)), "seating_agrees", r"do not allow: \[5, 6, 7, 8\]"),
        (with_hosting(cups.GAME, short=OtherOptions()), "random_bots_finish", "hosting.short is no Options"),
        (with_hosting(cups.GAME, command_dialect="old"), "dialects_that_are", "the dialect 'old'. Dialects: none"),
        (with_hosting(cups.GAME, ports={"old": 9}), "dialects_that_are", "hosting.ports names the dialect 'old'"),
        (
            with_hosting(cups.GAME, dialects={"old": Dialect}, socket_dialect="old"),
            "socket_dialects_of",
            "'old' does not introduce its players",
        ),
        (
            with_hosting(cups.GAME, bots=TWO_BOTS, strengths={"random": "random", "worst": "easy"}),
            "every_bot_answers",
            r"'worst' answered CallAsk\(.*\) by Call\(total=999\): call 999: so much cannot be",
        ),
        (with_words(say=lambda event, names: ""), "there_are_words_for_every_event", "instead of text"),
        (with_words(board=lambda view, names: "a board"), "every_view_can", "a str, which is no Board"),
        (
            with_words(board=lambda view, names: Board("cups", ("one", "two"), (("x",),))),
            "every_view_can",
            r"row \('x',\) does not fit the columns",
        ),
        (with_words(opening=lambda view, names: None), "there_are_words_for_every_first", "None, which is no text"),
        (with_words(hint=lambda ask: 5), "there_is_a_hint", "5, which is no text"),
    ],
)
def test_a_wrong_definition_is_found_out(game: Game[Any], test: str, words: str) -> None:
    tests = contract(game)
    [method] = [name for name in dir(tests) if name.startswith(f"test_{test}")]
    with pytest.raises(AssertionError, match=words):
        getattr(tests, method)()


# What its rules do


class Sloppy(cups.State):
    """Changes something before it refuses."""

    def play(self, by: By, action: Any) -> list[Event]:
        self.round += isinstance(action, cups.Call) and action.total < 0
        return super().play(by, action)


class Sharing(cups.State):
    def copy(self) -> cups.State:
        twin = super().copy()
        twin.calls = self.calls
        return twin


class Unequal(cups.State):
    def copy(self) -> cups.State:
        twin = super().copy()
        twin.round += 1
        return twin


class Losing(cups.State):
    """A cup is lost together with its player."""

    def _lift(self, events: list[Event]) -> None:
        super()._lift(events)
        self.cups[0] = self.cups[0][:1]


class Endless(cups.State):
    def _lift(self, events: list[Event]) -> None:
        super()._lift(events)
        self.round = 0


class Unpayable(cups.State):
    def amends(self, seat: int, faults: Any) -> cups.Call:
        return cups.Call(0)


class Patient(cups.State):
    def amends(self, seat: int, faults: Any) -> None:
        return None


class Shouted(Public, frozen=True):
    loudness: float


class Floating(cups.State):
    def play(self, by: By, action: Any) -> list[Event]:
        return [*super().play(by, action), Shouted(0.5)]


class Whistled(Public, frozen=True):
    """In no list of the game's events."""


class Undeclared(cups.State):
    def play(self, by: By, action: Any) -> list[Event]:
        return [*super().play(by, action), Whistled()]


class Remembering(cups.State):
    """Keeps something outside of the state."""

    played = 0

    def play(self, by: By, action: Any) -> list[Event]:
        events = super().play(by, action)
        Remembering.played += 1
        if Remembering.played % 3 == 0:
            self.points[0] += 1
        return events


def dice_under_cups(state: Any) -> list[int]:
    return [len(cup) for cup in state.cups]


@pytest.mark.parametrize(
    ("kind", "test", "words"),
    [
        (Sloppy, "what_is_not_allowed", r"is illegal \(.*\), but changed the"),
        (Sharing, "a_copy_is", "Playing on in a copy changes the state that was copied"),
        (Unequal, "a_copy_is", "A copy of the state is not equal to it"),
        (Losing, "nothing_is_lost", r"The treasure was \[2, 2.*\] at the start, and is \[1, 2.*\] after"),
        (Endless, "a_match_has_a_result", r"not over after \d+ actions, which is what rules.bound promises"),
        (Unpayable, "amends_are", r"by Call\(total=0\): illegal, call 0: so much cannot be"),
        (Patient, "silence_is", "1000 times, and amends still asks again"),
        (Patient, "all_may_leave", "call the match off: .* amends with the fault GONE must"),
        (Floating, "views_events_and_asks", "There is a float in Shouted"),
        (Undeclared, "views_events_and_asks", "Whistled is in none of rules.view, rules.events and rules.asks"),
        (Remembering, "any_prefix_replays", "is not what it was|does not verify"),
    ],
)
def test_a_broken_rule_is_found_out(kind: type[cups.State], test: str, words: str) -> None:
    tests = contract(cups.game(kind, Shouted), treasure=dice_under_cups)
    [method] = [name for name in dir(tests) if name.startswith(f"test_{test}")]
    with pytest.raises(AssertionError, match=words):
        getattr(tests, method)()


def test_seats_that_are_asked_together_are_noticed() -> None:
    class Hasty(cups.State):
        def _new_asks(self) -> dict[By, cups.CallAsk]:
            return {} if self.result() else dict.fromkeys(range(len(self.cups)), cups.CallAsk())

    with pytest.raises(
        AssertionError, match=r"Seats \[0, 1.*\] are asked at once, but the subject says together=False"
    ):
        contract(cups.game(Hasty), together=False).test_seats_are_asked_one_at_a_time()


def test_a_moment_that_no_match_has_is_noticed() -> None:
    class Picky:
        @few
        def test_nothing_suits(self, data: DataObject) -> None:
            assume(False)

    with pytest.raises(AssertionError, match="No match that was drawn had a moment for this test"):
        Picky().test_nothing_suits()
