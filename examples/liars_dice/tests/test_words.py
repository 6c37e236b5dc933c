"""What people read and type."""

import pytest

from liars_dice.rules import State
from liars_dice.values import Bid, Challenge, Exact, Left, Lost, Options, Raised, Revealed, Rolled, RoundBegan
from liars_dice.words import board, hear, hint, opening, part, say, to_act
from parlour.core import Dice, Event, Stop

NAMES = ("Ada", "Bob", "Cyd")
REVEAL = """\
  Bob calls Ada a liar
    Ada had 1 4
    Bob had 5 5
  The bid was 3 fives; there are 3"""


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (RoundBegan(2, 1, (1, 2, 0)), "Round 2: 3 dice, Bob begins"),
        (Rolled(0, (1, 4)), "  Ada rolls 1 4"),
        (Raised(2, Bid(1, 6)), "  Cyd bids 1 six"),
        (Revealed(1, False, 0, Bid(3, 5), ((1, 4), (5, 5), ()), 3), REVEAL),
        (
            Revealed(1, True, 0, Bid(3, 5), ((1, 4), (5, 5), ()), 3),
            REVEAL.replace("calls Ada a liar", "calls it exact"),
        ),
        (Lost(0, 1, 2), "  Ada loses 1 die and has 2 left"),
        (Lost(0, 2, 0), "  Ada loses 2 dice and is out"),
        (Left(0, "quit"), "  Ada has left (quit)"),
    ],
)
def test_events(event: Event, words: str) -> None:
    assert say(event, NAMES) == words


@pytest.fixture
def state() -> State:
    state = State.new(3, Options(dice=2), None, Dice(b"words"))
    state.cups, state.turn = [(1, 4), (5, 5), (2, 2)], 0
    state.play(0, Bid(3, 5))
    return state


def test_a_seat_is_told_its_first_roll(state: State) -> None:
    assert opening(state.view(1), NAMES) == "  Bob begins\n  Bob rolls 5 5"
    assert opening(state.view(None), NAMES) == "  Bob begins"


def test_the_board_has_a_row_for_each_seat(state: State) -> None:
    shown = board(state.view(1), NAMES)
    assert shown.rows == (("Ada", "2", "3 fives", ""), ("Bob", "2", "", "to decide"), ("Cyd", "2", "", ""))
    assert shown.footer == "Your dice: 5 5"
    assert "4" not in str(board(state.view(None), NAMES))


def test_everybody_sees_the_round_and_the_seat_that_is_to_decide(state: State) -> None:
    assert (part(state.view(None)), to_act(state.view(None))) == ("Round 1", (1,))
    state.play(None, Stop())
    assert (part(state.view(None)), to_act(state.view(None))) == ("End", ())


@pytest.mark.parametrize("text", ["4 fives", "4 five", "4 5", "4x5", "bid 4 5", " BID 4 fives "])
def test_a_bid_can_be_typed_in_many_ways(state: State, text: str) -> None:
    assert hear(text, state.view(1), state.asks()[1]) == Bid(4, 5)


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ("liar", Challenge()),
        ("challenge", Challenge()),
        ("exact", "These house rules have no exact call."),
        ("3 5", "Bid higher than 3 fives."),
        ("7 5", "There are 6 dice on the table."),
        ("3 9", "A face is 1 to 6."),
        ("3 elephants", "A face is 1 to 6."),
        ("bid", None),
        ("", None),
    ],
)
def test_what_a_person_types_is_read_or_explained(state: State, text: str, heard: object) -> None:
    assert hear(text, state.view(1), state.asks()[1]) == heard


def test_the_hint_names_what_can_be_typed(state: State) -> None:
    assert hint(state.asks()[1]) == "a bid such as 3 sixes; or challenge"


def test_a_call_before_the_first_bid_is_explained() -> None:
    state = State.new(2, Options(), None, Dice(b"first"))
    assert hear("liar", state.view(state.turn), state.asks()[state.turn]) == "There is no bid to call."


def test_exact_is_heard_where_it_is_allowed() -> None:
    state = State.new(2, Options(dice=1, exact=True), None, Dice(b"exact"))
    state.play(state.turn, Bid(1, 1))
    assert hear("exact", state.view(state.turn), state.asks()[state.turn]) == Exact()
