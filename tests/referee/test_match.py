"""One match under a clock turned by hand: deadlines, banks, faults and their prices, rounds, and our own bugs."""

from typing import Any

import msgspec
import pytest

from parlour.core import BadMessage, Close, Fault, IllegalAction, Join, Leave, Result, Stop, Void
from parlour.games.forsale.values import Bid, Pass, Sell
from parlour.referee.match import Match
from parlour.referee.replay import resume
from parlour.referee.transcript import Limits
from tests.referee.hand import FORSALE, SEED, asked, ended, inside, lottery, new_match, opened, refused, to_sale, took
from tests.toys import lotto
from tests.toys.lotto import Guess

JUNK = BadMessage("not_json", "not JSON")


# Deadlines


def test_every_ask_tells_its_limit_its_bank_and_how_long_the_last_reply_took() -> None:
    match = opened()
    [first] = asked(match.begin(10.0))
    assert (first.limit_ms, first.bank_ms, first.last_ms, first.due) == (2000, 3000, None, 15.0)
    match.answer(0, Bid(1), 12.5)  # half a second over
    match.answer(1, Bid(2), 12.6)
    [again] = asked(match.answer(2, Bid(3), 12.7))
    assert (again.seat, again.limit_ms, again.bank_ms, again.last_ms, again.due) == (0, 2000, 2500, 2500, 17.2)


def test_an_answer_before_the_deadline_is_in_time() -> None:
    match = opened()
    match.begin(0.0)
    assert took(match.answer(0, Bid(1), 4.999))


@pytest.mark.parametrize("now", [5.0, 5.001, 60.0])
def test_an_answer_at_the_deadline_or_after_it_is_late(now: float) -> None:
    match = opened()
    match.begin(0.0)
    out = match.answer(0, Bid(1), now, n=1)
    late, stale = refused(out)
    assert (late.fault.kind, stale.fault.kind, stale.fault.code) == ("late", "unasked", "stale")
    assert not took(out)
    assert match.open[0].n == 2


def test_a_timeout_reports_limit_and_elapsed_time() -> None:
    match = opened()
    match.begin(0.0)
    [late] = refused(match.expire(5.25))
    assert late.fault.facts == {"limit_ms": 2000, "bank_ms": 3000, "elapsed_ms": 5250}
    assert late.fault.words == "no answer after 5250 ms; the limit was 2000 ms and 3000 ms of bank"
    assert late.cost is None


def test_silence_is_three_tries_with_a_fresh_limit_each_and_no_bank_left() -> None:
    match = opened()
    match.begin(0.0)
    assert match.due() == 5.0
    match.expire(5.0)
    assert match.due() == 7.0
    match.expire(7.0)
    assert match.due() == 9.0
    [late] = refused(match.expire(9.0))
    assert late.cost == Pass()
    assert list(match.open) == [1]


def test_nothing_expires_before_its_time() -> None:
    match = opened()
    match.begin(0.0)
    out = match.expire(4.99)
    assert not out.lines and not out.notices


def test_two_seats_that_expire_together_are_both_late() -> None:
    match = opened()
    to_sale(match)
    match.answer(1, Sell(inside(match).view(1).hand[0]), 0.0)
    late = refused(match.expire(5.0))
    assert [notice.seat for notice in late] == [0, 2]


def test_a_bank_survives_a_resume() -> None:
    match = opened()
    lines = match.begin(0.0).lines
    lines += match.answer(0, Bid(1), 3.5).lines
    again, out = resume(FORSALE, lines, SEED, 100.0)
    assert again.clock.bank(0, match.open[1].ask) == match.clock.bank(0, match.open[1].ask) == 1500
    [ask] = asked(out)
    assert (ask.seat, ask.due) == (1, 105.0)
    out = again.answer(1, Bid(2), 100.1)
    assert asked(out)[0].seat == 2
    assert asked(again.answer(2, Bid(3), 100.2))[0].bank_ms == 1500


def test_a_resume_opens_the_same_asks_under_the_same_numbers_with_the_same_faults() -> None:
    match = opened()
    lines = match.begin(0.0).lines
    lines += match.answer(0, JUNK, 0.1).lines
    lines += match.answer(0, Bid(99), 0.2).lines
    again, out = resume(FORSALE, lines, SEED, 50.0)
    [ask] = asked(out)
    assert (ask.n, ask.attempt) == (3, 3)
    assert [fault.kind for fault in again.open[0].faults] == ["unreadable", "illegal"]
    assert refused(again.answer(0, JUNK, 50.1))[0].cost == Pass()


# Faults


def test_a_player_that_is_not_asked_is_answered_and_pays_nothing() -> None:
    match = opened()
    match.begin(0.0)
    out = match.answer(1, Bid(5), 0.0)
    assert not out.lines
    assert refused(out)[0].fault == Fault("unasked", "not_asked", "you are not asked anything now")


def test_an_answer_sent_twice_counts_once() -> None:
    match = opened()
    match.begin(0.0)
    match.answer(0, Bid(1), 0.0, n=1)
    out = match.answer(0, Bid(1), 0.0, n=1)
    assert not out.lines and refused(out)[0].fault.code == "not_asked"
    match.answer(1, Bid(2), 0.0)
    match.answer(2, Bid(3), 0.0)
    out = match.answer(0, Bid(1), 0.0, n=1)
    assert not out.lines and refused(out)[0].fault.code == "stale"
    assert match.open[0].faults == []


def test_an_answer_after_the_end_is_free() -> None:
    match = opened()
    match.begin(0.0)
    match.table(Stop(), 0.0)
    out = match.answer(0, Bid(1), 0.0)
    assert not out.lines and refused(out)[0].fault.code == "over"
    assert not match.table(Leave(0, "quit"), 0.0).lines
    assert not match.expire(99.0).lines


def test_a_fault_that_is_borne_is_a_line_and_the_ask_comes_again_under_a_new_number() -> None:
    match = opened()
    match.begin(0.0)
    out = match.answer(0, Bid(99), 0.5)
    assert len(out.lines) == 1
    [ask] = asked(out)
    assert (ask.n, ask.attempt, ask.last_ms) == (2, 2, 500)
    assert refused(out)[0].n == 1


def test_what_was_refused_is_recorded_with_its_fault() -> None:
    match = opened()
    match.begin(0.0)
    [line] = match.answer(0, {"amount": 99, "type": "Bid"}, 0.5).lines
    assert msgspec.json.decode(line)["said"] == {"type": "Bid", "amount": 99}
    [line] = match.answer(0, JUNK, 0.5).lines
    assert "said" not in msgspec.json.decode(line)


def test_somebodys_words_are_fit_to_be_shown() -> None:
    match = opened()
    match.begin(0.0)
    [fault] = refused(match.answer(0, {"type": "\x1b[2J" + "x" * 1000}, 0.0))
    assert fault.fault.words.isprintable() and len(fault.fault.words) <= 300


def test_without_a_clock_no_time_is_recorded() -> None:
    match = new_match(bears=0)
    match.begin(0.0)
    [seat] = match.open
    assert all("ms" not in msgspec.json.decode(line) for line in match.answer(seat, JUNK, 5.0).lines)


def test_a_fault_and_its_price_are_one_line() -> None:
    match = opened(max_attempts=1)
    match.begin(0.0)
    [line] = match.answer(0, JUNK, 0.5).lines
    record = msgspec.json.decode(line)
    assert record["do"] == {"type": "Pass"} and record["fault"]["code"] == "not_json"


def test_faults_and_acknowledgements_go_to_their_own_seat_alone() -> None:
    match = opened()
    match.begin(0.0)
    out = match.answer(0, Bid(99), 0.0)
    assert refused(out) and not any(list(out.to(who)) for who in (None, 1, 2))
    out = match.answer(0, Bid(2), 0.0)
    assert took(out) and not [n for who in (None, 1, 2) for n in out.to(who) if n in took(out)]


@pytest.mark.parametrize(
    "said",
    [None, 7, "Bid", {"amount": 3}, {"type": "Bid"}, {"type": "Bid", "amount": 1.5}, object(), Bid("x")],  # type: ignore[arg-type]
)
def test_what_is_not_an_action_is_unreadable(said: Any) -> None:
    match = opened()
    match.begin(0.0)
    [fault] = refused(match.answer(0, said, 0.0))
    assert (fault.fault.kind, fault.fault.code) == ("unreadable", "wrong_shape")


def test_an_action_may_come_as_plain_data() -> None:
    match = opened()
    match.begin(0.0)
    assert took(match.answer(0, {"type": "Bid", "amount": 3}, 0.0))


def test_too_many_faults_cost_the_seat() -> None:
    match = new_match(bears=2, options=FORSALE.rules.options(initial_first="seat:0", max_attempts=100))
    match.begin(0.0)
    assert [refused(match.answer(0, JUNK, 0.0))[0].cost for _ in range(3)] == [None, None, Leave(0, "faults")]
    assert set(match.gone) == {0}
    assert list(match.open) == [1]


def test_what_is_free_does_not_count_towards_too_many() -> None:
    match = new_match(bears=0, options=FORSALE.rules.options(initial_first="seat:0"))
    match.begin(0.0)
    for _ in range(10):
        match.answer(1, Bid(1), 0.0)
    assert set(match.gone) == set()


def test_a_game_may_take_the_seat_for_a_fault() -> None:
    match = lottery(kicks=True)
    match.begin(0.0)
    [fault] = refused(match.answer(0, Guess(99), 0.0))
    assert fault.cost == Leave(0, "kicked") and set(match.gone) == {0}


def test_there_is_no_such_seat() -> None:
    match = opened()
    match.begin(0.0)
    with pytest.raises(ValueError, match="no seat 7"):
        match.answer(7, Bid(1), 0.0)


# Departures


def test_a_seat_that_is_gone_is_answered_for_at_once() -> None:
    match = opened()
    match.begin(0.0)
    match.table(Leave(1, "dead"), 0.0)
    out = match.answer(0, Bid(1), 0.0)
    assert len(out.lines) == 2
    assert [ask.seat for ask in asked(out)] == [2]


def test_in_a_sealed_round_the_gone_are_answered_for_after_the_living() -> None:
    match = opened()
    to_sale(match)
    out = match.table(Leave(1, "dead"), 0.0)
    assert len(out.lines) == 1
    out = match.answer(0, Sell(inside(match).view(0).hand[-1]), 0.0)
    assert len(out.lines) == 1
    out = match.answer(2, Sell(inside(match).view(2).hand[-1]), 0.0)
    assert len(out.lines) == 2


def test_a_match_without_anybody_ends_by_itself() -> None:
    match = opened()
    match.begin(0.0)
    outs = [match.table(Leave(seat, "dead"), 0.0) for seat in (2, 0, 1)]
    assert isinstance(match.end, Result) and ended(outs[-1])


def test_leaving_twice_is_leaving_once() -> None:
    match = opened()
    match.begin(0.0)
    assert match.table(Leave(1, "dead"), 0.0).lines
    assert not match.table(Leave(1, "dead"), 0.0).lines


def test_a_gone_seat_is_no_longer_heard() -> None:
    match = opened()
    to_sale(match)
    match.table(Leave(0, "dead"), 0.0)
    out = match.answer(0, Sell(inside(match).view(0).hand[0]), 0.0)
    assert not out.lines and refused(out)[0].fault.kind == "unasked"


def test_a_seat_that_is_gone_is_not_timed_out() -> None:
    match = new_match(limits=Limits(1000), bears=0)
    to_sale(match)
    match.table(Leave(1, "dead"), 0.0)
    match.answer(0, Sell(inside(match).view(0).hand[0]), 0.5)
    out = match.expire(1.0)
    assert [notice.seat for notice in refused(out)] == [2]
    assert match.gone == {1: "dead", 2: "faults"}


# Rounds that the table closes


def test_an_eager_round_closes_when_nobody_is_waited_for() -> None:
    match = lottery()
    match.begin(0.0)
    assert len(match.answer(0, Guess(1), 0.2).lines) == 1
    assert len(match.answer(1, Guess(2), 0.3).lines) == 2


def test_a_round_by_the_clock_closes_at_its_time_and_keeps_the_beat() -> None:
    match = lottery(eager=False)
    match.begin(5.0)
    match.answer(0, Guess(1), 5.1)
    match.answer(1, Guess(1), 5.2)
    assert match.due() == 6.0
    match.expire(6.4)  # the shell was slow
    assert match.due() == 7.0
    match.expire(8.3)  # slower still: two rounds at once
    assert isinstance(match.end, Result)


def test_an_answer_may_be_replaced_while_the_round_is_open_under_the_same_number() -> None:
    match = lottery(eager=False)
    match.begin(0.0)
    assert not asked(match.answer(0, Guess(1), 0.1, n=1))
    assert match.open[0].ask.waits is False
    assert took(match.answer(0, Guess(2), 0.2, n=1))[0].n == 1
    assert inside(match).view(0).guess == 2


def test_how_often_an_answer_is_replaced_is_the_games_business() -> None:
    match = lottery(eager=False)
    match.begin(0.0)
    for number in range(3):
        assert took(match.answer(0, Guess(number), 0.1))
    assert refused(match.answer(0, Guess(5), 0.2))[0].fault.kind == "unasked"


def test_silence_in_a_round_costs_nothing() -> None:
    match = lottery(eager=False)
    match.begin(0.0)
    out = match.expire(1.0)
    assert not refused(out) and len(out.lines) == 1


def test_a_newcomer_joins_in_the_middle_and_is_asked() -> None:
    match = lottery(eager=False)
    match.begin(0.0)
    [ask] = asked(match.table(Join("late", "salt"), 0.5))
    assert (ask.seat, ask.due, match.names[2]) == (2, 1.0, "late")


def test_a_newcomers_salt_stirs_the_dice() -> None:
    drawn = set()
    for salt in ("", "a", "b"):
        match = lottery(rounds=20)
        match.begin(0.0)
        match.table(Join("late", salt), 0.0)
        drawn.add(inside(match).dice.copy().below(10**9))
    assert len(drawn) == 3


def test_a_room_without_players_goes_on_by_the_clock() -> None:
    match = lottery(seats=0, eager=False)
    match.begin(0.0)
    match.expire(1.0)
    assert match.end is None and match.due() == 2.0


def test_what_the_table_may_not_do_is_refused_to_the_host_without_a_trace() -> None:
    match = opened()
    match.begin(0.0)
    before = match.head
    for act in (Join("late"), Close(), Leave(9, "what"), Leave(0, "\x1b[2J"), Join(""), Join("x" * 65)):
        with pytest.raises(IllegalAction):
            match.table(act, 0.0)
    assert match.head == before


# Our own bugs


def broken(match: Match[Any], error: Exception) -> Match[Any]:
    def play(by: Any, action: Any) -> Any:
        raise error

    match.state.play = play  # type: ignore[method-assign]
    return match


def test_a_bug_in_the_rules_voids_the_match_and_is_nobodys_fault() -> None:
    match = opened()
    match.begin(0.0)
    out = broken(match, ZeroDivisionError("oops")).answer(0, Bid(1), 0.0)
    assert match.end == Void("bug", "ZeroDivisionError: oops")
    assert not refused(out) and ended(out)
    assert len(out.lines) == 2


def test_a_price_that_is_refused_voids_the_match_too() -> None:
    match = opened(max_attempts=1)
    match.begin(0.0)
    out = broken(match, IllegalAction("no", "not that")).answer(0, JUNK, 0.0)
    assert isinstance(match.end, Void) and match.end.code == "forbidden"
    assert len(out.lines) == 2


@pytest.mark.parametrize("method", ["asks", "amends", "result"])
def test_a_bug_anywhere_in_the_rules_ends_that_match_and_no_more(method: str) -> None:
    match = opened(max_attempts=1)
    match.begin(0.0)

    def oops(*args: Any) -> Any:
        raise ZeroDivisionError("oops")

    setattr(match.state, method, oops)
    out = match.answer(0, JUNK, 0.0)
    assert match.end == Void("bug", "ZeroDivisionError: oops") and ended(out)


def test_a_bug_after_a_departure_loses_no_line() -> None:
    match = lottery()
    match.begin(0.0)

    def oops() -> Any:
        raise KeyError("oops")

    match.state.asks = oops  # type: ignore[method-assign]
    out = match.table(Leave(1, "dead"), 0.0)
    assert len(out.lines) == 2 and isinstance(match.end, Void)


def test_an_ask_that_was_held_up_begins_when_it_is_put() -> None:
    match = opened()
    out = match.begin(0.0)
    match.put(out, 0.5)
    assert match.due() == 5.5
    assert msgspec.json.decode(match.answer(0, Pass(), 0.75).lines[0])["ms"] == 250


def test_a_void_match_takes_nothing_more() -> None:
    match = opened()
    match.begin(0.0)
    broken(match, ZeroDivisionError("oops")).answer(0, Bid(1), 0.0)
    assert not match.answer(1, Bid(1), 0.0).lines
    assert match.due() is None


# Chance and seed


def test_each_salt_changes_the_cards_but_not_who_gave_it() -> None:
    salted = [new_match(salts=salts) for salts in (["", "", ""], ["a", "", ""], ["a", "b", ""], ["b", "", "a"])]
    decks = [tuple(inside(match).estate_deck) for match in salted]
    assert len(set(decks)) == 3 and decks[2] == decks[3]


def test_a_match_takes_only_the_seed_it_committed_to() -> None:
    with pytest.raises(ValueError, match="commits"):
        Match(FORSALE, new_match().header, b"another seed")


def test_a_seed_is_not_revealed_before_the_end() -> None:
    match = opened()
    match.begin(0.0)
    with pytest.raises(ValueError, match="after the end"):
        match.reveal()


def test_equal_seeds_give_equal_bytes() -> None:
    assert new_match().begin(0.0).lines == new_match().begin(123.0).lines


def test_free_questions_are_answered_from_the_own_view() -> None:
    match = lottery()
    match.begin(0.0)
    match.answer(0, Guess(1), 0.0)
    assert lotto.query(inside(match).view(0), lotto.HowOften()).times == 1
    assert lotto.query(inside(match).view(1), lotto.HowOften()).times == 0


def test_limits_without_a_clock_are_none() -> None:
    [ask] = asked(new_match().begin(0.0))
    assert (ask.limit_ms, ask.bank_ms, ask.due) == (None, None, None)
    assert new_match(limits=Limits(5)).begin(1.0).notices
