"""The rules of the README, one by one."""

from collections.abc import Sequence

import pytest

from liars_dice.rules import BIDS, State, bound, is_out, rank
from liars_dice.values import Action, Bid, Challenge, Exact, Lost, Options, Raised, Revealed, Rolled, RoundBegan
from parlour.core import Dice, Event, Fault, IllegalAction, Leave, Stop

CALLS: dict[str, Action] = {"challenges": Challenge(), "says exact": Exact()}


def table(*cups: str, turn: int = 0, **options: object) -> State:
    """A table on which these dice lie under the cups."""
    state = State.new(len(cups), Options(**options), None, Dice(b"table"))  # type: ignore[arg-type]
    state.cups = [tuple(map(int, cup)) for cup in cups]
    state.went_out = [0 if cup else 1 for cup in cups]
    state.turn = turn
    return state


def play(state: State, *moves: str) -> list[Event]:
    """`0 bids 3 4`, `1 challenges` or `1 says exact`, one after the other."""
    return [event for move in moves for event in state.play(int(move[0]), read(move[2:]))]


def read(move: str) -> Action:
    return CALLS[move] if move in CALLS else Bid(*map(int, move.removeprefix("bids ").split()))


def counts(state: State) -> list[int]:
    return [len(cup) for cup in state.cups]


def refusal(state: State, move: str) -> str:
    before = state.copy()
    with pytest.raises(IllegalAction) as caught:
        play(state, move)
    assert state == before
    return caught.value.code


# 1. Rounds


def test_all_begin_with_as_many_dice_and_one_seat_begins() -> None:  # 1.1, 1.2
    state = State.new(4, Options(dice=3), None, Dice(b"seed"))
    assert counts(state) == [3, 3, 3, 3]
    assert list(state.asks()) == [state.turn]


def test_a_seat_hears_only_its_own_roll() -> None:  # 1.2
    events = play(table("25", "33"), "0 bids 3 3", "1 challenges")
    rolls = [event for event in events if isinstance(event, Rolled)]
    assert [roll.seat for roll in rolls] == [0, 1]
    assert [roll.seen_by(0) for roll in rolls] == [rolls[0], None]
    assert [roll.seen_by(None) for roll in rolls] == [None, None]


def test_a_view_shows_own_dice_only() -> None:  # 1.2
    state = table("25", "33")
    assert [state.view(who).hand for who in (0, 1, None)] == [(2, 5), (3, 3), ()]
    assert state.view(1).counts == (2, 2)


def test_the_loser_begins_the_next_round() -> None:  # 1.3
    events = play(table("25", "33"), "0 bids 3 3", "1 challenges")
    assert [event for event in events if isinstance(event, RoundBegan)] == [RoundBegan(2, 0, (1, 2))]


def test_if_the_loser_is_out_the_next_seat_begins() -> None:  # 1.3
    state = table("5", "33", "4")
    play(state, "0 bids 3 3", "1 challenges")
    assert counts(state) == [0, 2, 1] and state.turn == 1


# 2. Bids


def test_bids_are_ordered_by_count_and_then_by_face() -> None:  # 2.2
    assert [rank(bid) for bid in BIDS] == list(range(len(BIDS)))
    assert rank(Bid(2, 6)) < rank(Bid(3, 1)) < rank(Bid(3, 2))


@pytest.mark.parametrize("low", ["2 4", "2 3", "1 6"])
def test_a_bid_must_be_higher_than_the_last(low: str) -> None:  # 2.2
    state = table("25", "33")
    play(state, "0 bids 2 4")
    assert refusal(state, f"1 bids {low}") == "too_low"


@pytest.mark.parametrize(("bid", "code"), [("5 3", "no_such_count"), ("0 3", "no_such_count"), ("1 7", "no_such_face")])
def test_a_bid_must_be_possible(bid: str, code: str) -> None:  # 2.3
    assert refusal(table("25", "33"), f"0 bids {bid}") == code


def test_the_turn_goes_around_and_skips_seats_without_dice() -> None:  # 2.1
    state = table("25", "", "33")
    assert play(state, "0 bids 1 2") == [Raised(0, Bid(1, 2))]
    assert list(state.asks()) == [2]


def test_after_the_highest_bid_there_is_only_the_challenge() -> None:  # 2.3
    state = table("2", "3")
    play(state, "0 bids 2 6")
    assert state.asks()[1].choices == (Challenge(),)


def test_what_may_be_answered_is_listed() -> None:
    state = table("2", "3", exact=True)
    assert state.asks()[0].choices == BIDS[:12]
    play(state, "0 bids 2 4")
    assert state.asks()[1].choices == (Challenge(), Exact(), Bid(2, 5), Bid(2, 6))


# 3. Calls


def test_there_must_be_a_bid_to_call() -> None:  # 3.1
    assert refusal(table("2", "3", exact=True), "0 challenges") == "no_bid"
    assert refusal(table("2", "3", exact=True), "0 says exact") == "no_bid"


@pytest.mark.parametrize(("wild", "bid", "found"), [(True, "1 4", 3), (False, "1 4", 1), (True, "1 1", 2)])
def test_ones_are_wild_except_in_a_bid_on_ones(wild: bool, bid: str, found: int) -> None:  # 3.2
    events = play(table("14", "15", wild_ones=wild), f"0 bids {bid}", "1 challenges")
    shown = [event.found for event in events if isinstance(event, Revealed)]
    assert shown == [found]


def test_all_dice_are_shown() -> None:  # 3.1
    state = table("14", "55")
    events = play(state, "0 bids 3 5", "1 challenges")
    shown = Revealed(1, False, 0, Bid(3, 5), ((1, 4), (5, 5)), 3)
    assert shown in events and state.view(None).revealed == shown


@pytest.mark.parametrize(("bid", "left"), [("3 5", [2, 1]), ("4 5", [1, 2]), ("2 5", [2, 1])])
def test_a_challenge_costs_the_bidder_or_the_challenger_a_die(bid: str, left: list[int]) -> None:  # 3.3
    state = table("14", "55")
    play(state, f"0 bids {bid}", "1 challenges")
    assert counts(state) == left


@pytest.mark.parametrize(("bid", "left"), [("3 5", [1, 2, 1]), ("2 5", [2, 1, 2]), ("4 5", [2, 1, 2])])
def test_an_exact_call_costs_all_others_a_die_or_the_caller(bid: str, left: list[int]) -> None:  # 3.4
    state = table("14", "55", "23", exact=True)
    play(state, f"0 bids {bid}", "1 says exact")
    assert counts(state) == left


def test_after_a_right_exact_call_the_caller_begins() -> None:  # 3.4
    state = table("14", "55", "23", exact=True)
    play(state, "0 bids 3 5", "1 says exact")
    assert state.turn == 1


def test_there_is_no_exact_call_unless_the_house_rules_have_it() -> None:  # 3.4
    state = table("2", "3")
    play(state, "0 bids 1 2")
    assert refusal(state, "1 says exact") == "no_exact"


@pytest.mark.parametrize(("bid", "lost"), [("1 5", Lost(1, 2, 0)), ("3 5", Lost(1, 1, 1)), ("5 5", Lost(0, 2, 1))])
def test_the_penalty_may_be_the_difference(bid: str, lost: Lost) -> None:  # 3.5
    state = table("124", "55", "6", penalty="difference")
    assert lost in play(state, f"0 bids {bid}", "1 challenges")


# 4. The end


def test_the_last_seat_with_dice_wins_and_the_others_rank_by_the_round_they_went_out() -> None:  # 4.1, 4.2
    state = table("2", "", "3")
    state.round = 4
    play(state, "0 bids 1 3", "2 challenges")
    result = state.result()
    assert result is not None
    assert result.ranks == (1, 3, 2) and result.scores == (2, 0, 1)


def test_seats_that_go_out_together_share_their_rank() -> None:  # 4.2
    state = table("2", "3", "55", exact=True)
    play(state, "0 bids 1 2", "1 bids 2 5", "2 says exact")
    result = state.result()
    assert result is not None and result.ranks == (2, 2, 1)


def test_when_time_is_up_the_dice_left_decide() -> None:  # 4.3
    state = table("2", "355", "", "36")
    state.play(None, Stop())
    result = state.result()
    assert result is not None and result.ranks == (3, 1, 4, 2)


def test_a_seat_without_dice_has_finished() -> None:
    state = table("2", "", "3")
    assert [is_out(state, seat) for seat in range(3)] == [False, True, False]


# 5. Faults and leaving

LATE, GONE, STALE = Fault("late", "late"), Fault("gone", "gone"), Fault("unasked", "stale")


@pytest.mark.parametrize(
    ("faults", "cost"),
    [([LATE], None), ([LATE] * 2, None), ([LATE] * 3, Bid(1, 1)), ([GONE], Bid(1, 1)), ([STALE], None)],
)
def test_after_three_attempts_the_lowest_bid_is_made(faults: Sequence[Fault], cost: Action | None) -> None:  # 5.1
    assert table("2", "3").amends(0, faults) == cost


def test_if_there_is_a_bid_it_is_challenged_instead() -> None:  # 5.1
    state = table("2", "3", attempts=1)
    play(state, "0 bids 1 2")
    assert state.amends(1, [LATE]) == Challenge()


def test_the_dice_of_a_seat_that_leaves_count_until_the_round_ends() -> None:  # 5.2
    state = table("44", "45", "23")
    state.play(None, Leave(1, "quit"))
    play(state, "0 bids 3 4")
    assert list(state.asks()) == [2]
    events = play(state, "2 challenges")
    assert [event for event in events if isinstance(event, Lost)] == [Lost(2, 1, 1), Lost(1, 2, 0)]
    assert counts(state) == [2, 0, 1] and state.went_out[1] == 1


def test_a_seat_that_leaves_on_its_turn_is_skipped() -> None:  # 5.2
    state = table("44", "45", "23")
    state.play(None, Leave(0, "quit"))
    assert list(state.asks()) == [1] and state.view(1).gone == (0,)


def test_the_bid_of_a_seat_that_has_left_can_be_challenged() -> None:  # 5.2
    state = table("44", "45", "23")
    play(state, "0 bids 5 4")
    state.play(None, Leave(0, "quit"))
    play(state, "1 challenges")
    assert counts(state) == [0, 2, 2] and state.turn == 1


def test_the_last_seat_that_has_not_left_wins_at_once() -> None:  # 5.3
    state = table("4", "455", "23")
    state.play(None, Leave(1, "quit"))
    assert state.result() is None
    state.play(None, Leave(2, "quit"))
    result = state.result()
    assert result is not None and result.ranks == (1, 2, 2)


def test_the_longest_match_has_every_possible_bid() -> None:
    state = table("2", "3")
    moves = 0
    while state.result() is None:
        (seat,) = (seat for seat in state.asks() if seat is not None)
        state.play(seat, BIDS[moves] if moves < 12 else Challenge())
        moves += 1
    assert moves == bound(2, Options(dice=1)) == 13
