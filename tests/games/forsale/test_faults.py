"""Every error of the catalogue: provoked by a client where one can, by a spoilt position where none can."""

from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from parlour.cli.match_screen import host_news, own_fault, result_table
from parlour.core import (
    GONE,
    AnswerRefused,
    BadMessage,
    Close,
    Dice,
    Inconsistent,
    Join,
    Leave,
    Over,
    Result,
    Sitting,
    Stop,
    Took,
    Void,
)
from parlour.games.forsale import GAME, bots
from parlour.games.forsale.faults import CATALOGUE, Report, report
from parlour.games.forsale.rules import State
from parlour.games.forsale.values import Action, Bid, Pass, Passed, Raised, Sell, SellAny, Suspected, Won
from parlour.referee.match import Match, Out
from parlour.referee.replay import verify
from parlour.referee.transcript import Limits, Line, header, read_record
from tests.games.forsale.faulty import planted, with_methods
from tests.games.forsale.tables import auction, auction_of, new, play, sale

GID = "the-match"
SEED = b"a seed"
SECOND = Limits(limit_ms=1000)


def referee(table: State, limits: Limits | None = None) -> Match[Action]:
    """A match that goes on from this position."""
    players = [Sitting(f"p{seat}") for seat in range(table.seats)]
    match = Match(GAME, header(GAME, players, SEED, options=table.options, match=GID, limits=limits), SEED)
    match.state = table
    match.begin(0.0)
    return match


def finish(match: Match[Action]) -> Result | Void:
    """Everybody plays on at random."""
    dice = Dice(b"players")
    while match.end is None:
        seat = min(match.open)
        match.answer(seat, bots.random(match.state.view(seat), match.open[seat].ask, dice), 0.0)  # type: ignore[arg-type]  # a For Sale view
    return match.end


def refused(out: Out) -> AnswerRefused:
    (notice,) = (notice for notice in out.notices if isinstance(notice, AnswerRefused))
    return notice


def told(out: Out, attempt: int = 1) -> Report:
    """The report on the answer that was refused."""
    notice = refused(out)
    return report(notice.fault, GID, notice.seat, notice.cost, attempt)


def suspected(out: Out) -> list[Report]:
    """The reports on what was wrong with us and was borne."""
    return [report(notice.fault, GID, -1) for notice in out.notices if isinstance(notice, Suspected)]


def voided(match: Match[Action]) -> Report:
    """The report on what ended the match."""
    assert isinstance(match.end, Void)
    assert not isinstance(match.end, Result)
    assert match.open == {}
    return report(match.end, GID, -1)


def printed(what: Report) -> list[tuple[str, int | str]]:
    return list(what.details.items())


def names(what: Report) -> tuple[str, str, str]:
    return what.code, what.seed_code, what.name


def bidding() -> State:
    """Bids of 10, 11 and 12 lie on the table and it is seat 0's turn again."""
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    play(table, "0 bids 10", "1 bids 11", "2 bids 12")
    return table


# The catalogue itself


def test_the_catalogue() -> None:  # RULES 7.5
    assert [
        (entry.code, entry.seed_code, entry.name, entry.prints, entry.terminal) for entry in CATALOGUE.values()
    ] == [
        ("P0101", "#1", "OverPay", ("pid", "balance", "pay"), False),
        ("P0301", "#2", "BetError", ("pid", "bet", "prev", "amount", "balance"), False),
        ("P0401", "#3", "OverBet", ("pid", "balance", "resp"), False),
        ("P0402", "#4", "UnderBet", ("pid", "balance", "resp", "cur_bet"), False),
        ("P0501", "", "NoResponse", ("pid",), False),
        ("P0502", "", "MalformedResponse", ("pid",), False),
        ("G0101", "#G0101", "WrongEstateSize", ("gid", "pid"), False),
        ("G0102", "", "MoneyMismatch", ("gid", "pid"), True),
        ("G0301", "#5", "WrongCodeSTE", ("gid", "pid", "wrong_code"), True),
        ("G0302", "#6", "NonEmptyMarket", ("gid", "len(market)", "market_raw"), False),
        ("G0401", "", "NoSuchCard", ("pid", "resp"), False),
    ]


@pytest.mark.parametrize("reserved", ["G0201", "P0201", "C0201", "C0301", "C0401"])
def test_codes_that_are_kept_free(reserved: str) -> None:  # RULES 7.5
    assert reserved not in CATALOGUE


# A client's faults


def test_over_bet() -> None:
    table = auction(houses=[4, 11, 28], coins=[18, 9, 18], round=2)
    play(table, "0 bids 5")
    what = told(referee(table).answer(1, Bid(10), 0.0))
    assert names(what) == ("P0401", "#3", "OverBet")
    assert printed(what) == [("pid", 1), ("balance", 9), ("resp", 10)]
    assert (what.gid, what.pid, what.phase, what.round, what.attempt) == (GID, 1, 1, 2, 1)
    assert (what.recovery, what.terminal) == ("retry", False)


@pytest.mark.parametrize("amount", [5, 0, -7])
def test_under_bet(amount: int) -> None:
    table = auction(houses=[4, 11, 28], coins=[18, 9, 18])
    play(table, "0 bids 5")
    what = told(referee(table).answer(1, Bid(amount), 0.0))
    assert names(what) == ("P0402", "#4", "UnderBet")
    assert printed(what) == [("pid", 1), ("balance", 9), ("resp", amount), ("cur_bet", 5)]
    assert (what.recovery, what.terminal) == ("retry", False)


@pytest.mark.parametrize(("bid", "code", "resp"), [(Bid(10, 5), "P0401", 5), (Bid(4, -1), "P0402", -1)])
def test_the_number_is_printed_as_it_came(bid: Bid, code: str, resp: int) -> None:
    table = auction(houses=[4, 11, 28], coins=[18, 9, 18])
    play(table, "0 bids 5")
    what = told(referee(table).answer(1, bid, 0.0))
    assert (what.code, what.details["resp"]) == (code, resp)


def test_over_bet_and_under_bet_at_once_is_over_bet() -> None:  # RULES 7.1
    table = auction(houses=[4, 11, 28], coins=[18, 3, 18])
    play(table, "0 bids 10")
    what = told(referee(table).answer(1, Bid(5), 0.0))
    assert what.code == "P0401"
    assert printed(what) == [("pid", 1), ("balance", 3), ("resp", 5)]


def test_the_third_bad_bid_is_a_pass() -> None:  # RULES 6.1, 6.2
    match = referee(auction(houses=[4, 11, 28], coins=[18, 18, 18]))
    for attempt in (1, 2):
        out = match.answer(0, Bid(19), 0.0)
        assert told(out, attempt).recovery == "retry"
        assert match.open[0].n == attempt + 1
    out = match.answer(0, Bid(19), 0.0)
    assert told(out, 3).recovery == "forced_pass"
    assert Passed(0, estate=4, paid=0, refund=0) in out.notices
    assert isinstance(finish(match), Result)


def test_attempts_begin_anew_with_every_ask() -> None:  # RULES 6.1
    match = referee(auction(houses=[4, 11, 28], coins=[18, 18, 18]))
    for bid in range(1, 10):
        seat = (bid - 1) % 3
        for _ in range(2):
            assert told(match.answer(seat, Bid(0), 0.0)).recovery == "retry"
        match.answer(seat, Bid(bid), 0.0)
    assert match.end is None


def test_an_opener_who_must_bid_and_will_not_is_made_to() -> None:  # RULES 6.2
    match = referee(auction(houses=[4, 11, 28], coins=[18, 18, 18], opener_may_pass=False, max_attempts=1))
    out = match.answer(0, Pass(), 0.0)
    what = told(out)
    assert (what.code, what.recovery) == ("P0402", "forced_minimum")
    assert printed(what) == [("pid", 0), ("balance", 18), ("resp", 0), ("cur_bet", 0)]
    assert Raised(0, 1) in out.notices


@pytest.mark.parametrize("amount", [11, 6, -2])
def test_bet_error_bets_all_there_is(amount: int) -> None:  # RULES 6.5
    table = auction(houses=[4, 11, 28], coins=[18, 10, 18], bid_fault_policy="clamp")
    play(table, "0 bids 2", "1 bids 3", "2 bids 4", "0 bids 6")
    out = referee(table).answer(1, Bid(amount), 0.0)
    what = told(out)
    assert names(what) == ("P0301", "#2", "BetError")
    assert printed(what) == [("pid", 1), ("bet", 3), ("prev", 6), ("amount", amount), ("balance", 10)]
    assert (what.recovery, what.terminal) == ("clamped_to_balance", False)
    assert Raised(1, 10) in out.notices


@pytest.mark.parametrize("coins", [5, 6])
def test_bet_error_passes_where_all_is_not_enough(coins: int) -> None:  # RULES 6.5
    table = auction(houses=[4, 11, 28], coins=[18, coins, 18], bid_fault_policy="clamp")
    play(table, "0 bids 6")
    out = referee(table).answer(1, Bid(7), 0.0)
    assert told(out).recovery == "forced_pass"
    assert Passed(1, estate=4, paid=0, refund=0) in out.notices


def test_the_amount_of_a_bet_error_is_the_bid_and_not_the_number() -> None:  # RULES 6.5
    table = auction(houses=[4, 11, 28], coins=[18, 10, 18], bid_fault_policy="clamp")
    what = told(referee(table).answer(0, Bid(30, 25), 0.0))
    assert what.details["amount"] == 30


def test_no_response_in_time() -> None:  # RULES 6.1
    match = referee(auction(houses=[4, 11, 28], coins=[18, 18, 18]), SECOND)
    for attempt, recovery in ((1, "retry"), (2, "retry"), (3, "forced_pass")):
        out = match.expire(float(attempt))
        what = told(out, attempt)
        assert names(what) == ("P0501", "", "NoResponse")
        assert printed(what) == [("pid", 0)]
        assert (what.recovery, what.terminal) == (recovery, False)
    assert Passed(0, estate=4, paid=0, refund=0) in out.notices


def test_no_response_from_a_seat_that_has_left() -> None:  # RULES 6.6
    match = referee(auction(houses=[4, 11, 28], coins=[18, 18, 18]))
    out = match.table(Leave(0, "quit"), 0.0)
    assert Passed(0, estate=4, paid=0, refund=0) in out.notices
    line = read_record(out.lines[-1], 1)
    assert isinstance(line, Line) and line.fault == GONE
    what = report(line.fault, GID, 0, Pass())
    assert names(what) == ("P0501", "", "NoResponse")
    assert printed(what) == [("pid", 0)]
    assert what.recovery == "forced_pass"


def test_a_seat_that_has_left_sells_after_the_living() -> None:  # RULES 6.6
    match = referee(sale(hands=[[5, 9], [3, 7], [1, 20]], cheques=[0, 6, 15]))
    assert [type(notice).__name__ for notice in match.table(Leave(0, "quit"), 0.0).notices] == ["Left"]
    match.answer(1, Sell(3), 0.0)
    out = match.answer(2, Sell(1), 0.0)
    assert match.state.view(0).hand == (9,)  # type: ignore[attr-defined]  # a For Sale view
    assert [type(notice).__name__ for notice in out.to(None)] == ["Sold", "ChequesOpened"]


@pytest.mark.parametrize(
    "said",
    [
        BadMessage("P0502", "'ten' is not an integer"),
        {"type": "Bid", "amount": 5.5},
        {"type": "Bid", "amount": True},
        {"type": "Bid", "amount": "5"},
        {"type": "Bid"},
        {"type": "Leave", "seat": 1, "why": "kicked"},
        {"type": "SellAny"},
        5,
        None,
        pytest.param(object(), id="an object"),
    ],
    ids=repr,
)
def test_malformed_response(said: Any) -> None:  # RULES 6.1
    match = referee(auction(houses=[4, 11, 28], coins=[18, 18, 18]))
    for attempt, recovery in ((1, "retry"), (2, "retry"), (3, "forced_pass")):
        what = told(match.answer(0, said, 0.0), attempt)
        assert names(what) == ("P0502", "", "MalformedResponse")
        assert printed(what) == [("pid", 0)]
        assert (what.recovery, what.terminal) == (recovery, False)


def test_an_answer_to_another_question_is_malformed() -> None:  # RULES 6.1
    what = told(referee(auction(houses=[4, 11, 28], coins=[18, 18, 18])).answer(0, Sell(4), 0.0))
    assert (what.code, what.phase, what.round) == ("P0502", 1, 1)
    what = told(referee(sale(hands=[[5], [3], [1]], cheques=[0, 6, 15])).answer(2, Bid(1), 0.0))
    assert (what.code, what.phase, what.round) == ("P0502", 2, 8)
    assert printed(what) == [("pid", 2)]


@pytest.mark.parametrize(
    ("fallback", "cost", "recovery"),
    [("lowest", Sell(3), "forced_lowest"), ("random_seeded", SellAny(), "forced_random")],
)
def test_no_such_card(fallback: str, cost: Action, recovery: str) -> None:  # RULES 6.3
    match = referee(sale(hands=[[5, 9], [3, 7], [1, 20]], cheques=[0, 6, 15], sell_fallback=fallback))
    for attempt in (1, 2, 3):
        out = match.answer(1, Sell(29), 0.0)
        what = told(out, attempt)
        assert names(what) == ("G0401", "", "NoSuchCard")
        assert printed(what) == [("pid", 1), ("resp", 29)]
        assert (what.phase, what.round, what.attempt, what.terminal) == (2, 7, attempt, False)
        assert what.recovery == ("retry" if attempt < 3 else recovery)
    assert refused(out).cost == cost
    assert isinstance(finish(match), Result)


@pytest.mark.parametrize("said", [Bid(19), Bid(0), Sell(4), BadMessage("P0502", "noise")], ids=repr)
def test_a_fault_is_its_own_seats_business(said: Any) -> None:  # RULES 5.5
    match = referee(auction(houses=[4, 11, 28], coins=[18, 18, 18]))
    for _ in range(2):
        out = match.answer(0, said, 0.0)
        assert [list(out.to(who)) for who in (None, 1, 2)] == [[], [], []]
    out = match.answer(0, said, 0.0)
    assert list(out.to(None)) == [Passed(0, estate=4, paid=0, refund=0)]


def test_a_fault_in_a_sale_shows_nothing_before_all_are_turned() -> None:  # RULES 5.5
    match = referee(sale(hands=[[5, 9], [3, 7], [1, 20]], cheques=[0, 6, 15]))
    for _ in range(3):
        out = match.answer(1, Sell(29), 0.0)
        assert [list(out.to(who)) for who in (None, 0, 2)] == [[], [], []]


# Our own faults

Spoil = Callable[[State], None]


def mid_match(**options: Any) -> State:
    """Estates 11 and 28 are left, and seat 2's pass ends the third round."""
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18], round=3, **options)
    play(table, "0 bids 5", "1 passes")
    return table


def removed_card_on_the_table(table: State) -> None:
    table.phase.market.append(table.removed_estates.pop())
    table.phase.market.sort()


def removed_card_in_a_hand(table: State) -> None:
    table.hands[1].append(table.removed_estates.pop())


def card_of_another_game(table: State) -> None:
    table.removed_estates[0] = 31


def same_card_twice(table: State) -> None:
    table.estate_deck[0] = table.hands[0][0]


def a_coin_from_nowhere(table: State) -> None:
    table.coins[1] += 1


def a_coin_lost(table: State) -> None:
    table.bank -= 1


def a_record_nobody_bid(table: State) -> None:
    auction_of(table).record += 1


def a_bid_beyond_the_purse(table: State) -> None:
    table.bank += table.coins[0] - 4
    table.coins[0] = 4


WRONG_COUNTS: list[tuple[Spoil, str, str, list[tuple[str, int | str]]]] = [
    (removed_card_on_the_table, "G0302", "#6", [("gid", GID), ("len(market)", 1), ("market_raw", "[11]")]),
    (removed_card_in_a_hand, "G0101", "#G0101", [("gid", GID), ("pid", 1)]),
    (card_of_another_game, "G0101", "#G0101", [("gid", GID), ("pid", -1)]),
    (same_card_twice, "G0101", "#G0101", [("gid", GID), ("pid", -1)]),
]


@pytest.mark.parametrize(("spoil", "code", "seed_code", "fields"), WRONG_COUNTS)
def test_a_wrong_count_of_estates_ends_the_match(spoil: Spoil, code: str, seed_code: str, fields: Any) -> None:
    table = mid_match()  # RULES 7.2, 7.4
    spoil(table)
    match = referee(table)
    out = match.answer(2, Pass(), 0.0)
    what = voided(match)
    assert (what.code, what.seed_code) == (code, seed_code)
    assert printed(what) == fields
    assert (what.recovery, what.terminal) == ("match_aborted", True)
    assert all(any(isinstance(notice, Over) for notice in out.to(who)) for who in (None, 0, 1, 2))


@pytest.mark.parametrize(("spoil", "code", "seed_code", "fields"), WRONG_COUNTS)
def test_leniently_a_wrong_count_of_estates_is_logged(spoil: Spoil, code: str, seed_code: str, fields: Any) -> None:
    table = mid_match(invariant_policy="lenient")  # RULES 7.4
    spoil(table)
    match = referee(table)
    out = match.answer(2, Pass(), 0.0)
    what = suspected(out)[0]
    assert (what.code, what.seed_code) == (code, seed_code)
    assert printed(what) == fields
    assert (what.recovery, what.terminal) == ("logged", False)
    assert match.end is None
    assert Won(0, estate=28, paid=5) in out.notices  # the best one, whatever else lies there
    assert not any(isinstance(notice, Suspected) for who in (None, 0, 1, 2) for notice in out.to(who))


@pytest.mark.parametrize("spoil", [removed_card_on_the_table, card_of_another_game])
def test_leniently_a_match_with_a_wrong_count_is_played_to_its_end(spoil: Spoil) -> None:  # RULES 7.4
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18], invariant_policy="lenient")
    spoil(table)
    assert isinstance(finish(referee(table)), Result)


@pytest.mark.parametrize("policy", ["strict", "lenient"])
@pytest.mark.parametrize(
    ("spoil", "pid"),
    [(a_coin_from_nowhere, -1), (a_coin_lost, -1), (a_record_nobody_bid, -1), (a_bid_beyond_the_purse, 0)],
)
def test_a_wrong_count_of_coins(spoil: Spoil, pid: int, policy: str) -> None:  # RULES 7.2
    table = auction(houses=[4, 11, 17, 28], coins=[18] * 4, invariant_policy=policy)
    play(table, "0 bids 5")
    spoil(table)
    match = referee(table)
    match.answer(1, Pass(), 0.0)
    what = voided(match)
    assert names(what) == ("G0102", "", "MoneyMismatch")
    assert printed(what) == [("gid", GID), ("pid", pid)]
    assert (what.recovery, what.terminal) == ("match_aborted", True)


def an_estate_too_many(table: State) -> None:
    table.hands[1].append(29)


def a_cheque_of_another_game(table: State) -> None:
    table.cheques[0][0] += 1


@pytest.mark.parametrize("policy", ["strict", "lenient"])
@pytest.mark.parametrize(("spoil", "pid"), [(an_estate_too_many, 1), (a_cheque_of_another_game, -1)])
def test_a_wrong_count_at_the_end(spoil: Spoil, pid: int, policy: str) -> None:  # RULES 7.2
    table = sale(hands=[[5], [3], [1]], cheques=[0, 6, 15], invariant_policy=policy)
    spoil(table)
    match = referee(table)
    for seat, estate in enumerate((5, 3, 1)):
        match.answer(seat, Sell(estate), 0.0)
    what = voided(match)
    assert names(what) == ("G0102", "", "MoneyMismatch")
    assert printed(what) == [("gid", GID), ("pid", pid)]


@pytest.mark.parametrize("policy", ["strict", "lenient"])
def test_wrong_code(policy: str) -> None:  # RULES 7.5
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18], invariant_policy=policy)
    match = referee(planted(table, amends=lambda *_: Close()))  # a price that is no answer at all
    match.answer(0, Bid(19), 0.0)
    what = voided(match)
    assert names(what) == ("G0301", "#5", "WrongCodeSTE")
    assert printed(what) == [("gid", GID), ("pid", 0), ("wrong_code", "Close()")]
    assert (what.recovery, what.terminal) == ("match_aborted", True)


class Odd:
    """Shown by its address in memory, which is another one in every process."""


@pytest.mark.parametrize("price", [Close(), Stop(), Join("x"), "nonsense", 7, -1, [1], Odd()])
@pytest.mark.parametrize("how", ["refused", "gone"])
def test_a_match_voided_by_a_wrong_code_verifies(price: Any, how: str) -> None:
    faulty = with_methods(amends=lambda *_: price)  # RULES 7.5, 7.6
    options = GAME.rules.options(initial_first="seat:0")
    head = header(faulty, [Sitting(name) for name in ("ada", "bob", "cyd")], b"seed", options=options)
    match = Match(faulty, head, b"seed")
    lines = match.begin(0.0).lines
    out = match.answer(0, Bid(19), 0.0) if how == "refused" else match.table(Leave(0, "quit"), 0.0)
    lines += [*out.lines, match.reveal()]
    assert voided(match).code == "G0301"
    verdict = verify(b"".join(line + b"\n" for line in lines), lambda _: faulty)
    assert (verdict.holds, verdict.end) == ("yes", match.end)
    assert all(isinstance(it.cost, Leave | None) for it in out.notices if isinstance(it, AnswerRefused))


@pytest.mark.parametrize("table", [new(3, initial_first="seat:0"), sale(hands=[[5], [3], [1]], cheques=[0, 6, 15])])
def test_wrong_code_in_either_part(table: State) -> None:  # RULES 7.5
    with pytest.raises(Inconsistent) as bug:
        table.play(0, Leave(0, "quit"))
    assert bug.value.code == "G0301"


@pytest.mark.parametrize("policy", ["strict", "lenient"])
def test_over_pay_on_a_pass_pays_what_there_is(policy: str) -> None:  # RULES 7.3
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18], invariant_policy=policy)
    play(table, "0 bids 10", "1 bids 11", "2 bids 12")
    table.coins[0], table.bank = 3, 15
    match = referee(table)
    out = match.answer(0, Pass(), 0.0)
    (what,) = suspected(out)
    assert names(what) == ("P0101", "#1", "OverPay")
    assert printed(what) == [("pid", 0), ("balance", 3), ("pay", 5)]
    assert (what.recovery, what.terminal) == ("paid_balance", False)
    assert table.coins[0] == 0 and table.bank == 18
    assert isinstance(finish(match), Result)


def test_over_pay_by_the_last_one_standing_pays_what_there_is() -> None:  # RULES 7.3
    table = bidding()
    play(table, "0 passes")
    table.coins[2], table.bank = 4, table.bank + 14
    match = referee(table)
    out = match.answer(1, Pass(), 0.0)
    (what,) = suspected(out)
    assert printed(what) == [("pid", 2), ("balance", 4), ("pay", 12)]
    assert Won(2, estate=28, paid=4) in out.notices
    assert table.coins[2] == 0
    assert isinstance(finish(match), Result)


def test_reports_on_ourselves_say_when_it_happened() -> None:  # RULES 7.5
    table = mid_match()
    card_of_another_game(table)
    match = referee(table)
    match.answer(2, Pass(), 0.0)
    what = voided(match)
    assert (what.phase, what.round) == (1, 3)


def test_over_pay_says_when_it_happened() -> None:  # RULES 7.5
    table = bidding()
    table.coins[0], table.bank = 3, 15
    (what,) = suspected(referee(table).answer(0, Pass(), 0.0))
    assert (what.phase, what.round) == (1, 1)


def test_a_missing_estate_has_a_code() -> None:  # RULES 7.2
    table = mid_match()
    table.removed_estates.append(table.phase.market.pop())
    match = referee(table)
    match.answer(2, Pass(), 0.0)
    assert voided(match).code in ("G0101", "G0102")


def test_a_missing_cheque_has_a_code() -> None:  # RULES 7.2
    table = sale(hands=[[5, 9], [3, 7], [1, 20]], cheques=[0, 6, 15])
    table.phase.market.pop()
    match = referee(table)
    for seat, estate in enumerate((5, 3, 1)):
        match.answer(seat, Sell(estate), 0.0)
    assert voided(match).code == "G0102"


def test_an_estate_that_is_in_play_and_stays_undealt_is_found() -> None:  # RULES 7.2, I4
    table = mid_match()
    table.estate_deck.insert(0, table.removed_estates.pop())
    match = referee(table)
    match.answer(2, Pass(), 0.0)
    what = voided(match)
    assert (what.code, what.seed_code, printed(what)) == ("G0101", "#G0101", [("gid", GID), ("pid", -1)])


def test_a_card_in_play_that_was_taken_out_is_found() -> None:  # RULES 7.2, I4
    table = mid_match()
    table.removed_estates.append(table.estate_deck.pop(0))
    match = referee(table)
    match.answer(2, Pass(), 0.0)
    assert (voided(match).code, voided(match).pid) == ("G0101", -1)


def test_before_a_strict_void_all_hear_what_the_last_input_did() -> None:  # RULES 7.4
    table = mid_match()
    removed_card_on_the_table(table)
    match = referee(table)
    out = match.answer(2, Pass(), 0.0)
    for who in (None, 0, 1, 2):
        told = [type(notice) for notice in out.to(who)]
        assert told == [*([Took] if who == 2 else []), Passed, Won, Over]
    assert match.state.view(0).hand != ()  # type: ignore[attr-defined]  # as it is after the last input


def test_the_terminal_shows_findings_as_the_catalogue_prints_them() -> None:  # RULES 7.5
    table = bidding()
    table.coins[0], table.bank = 3, 15
    match = referee(table)
    lines = [line.plain.strip() for line in host_news(match, match.answer(0, Pass(), 0.0))]
    assert "OverPay P0101 #1 pid=0 balance=3 pay=5 (part 1, round 1) -> paid_balance" in lines


@pytest.mark.parametrize(
    ("spoil", "shown"),
    [
        (removed_card_on_the_table, f"NonEmptyMarket G0302 #6 gid={GID} len(market)=1 market_raw=[11]"),
        (removed_card_in_a_hand, f"WrongEstateSize G0101 #G0101 gid={GID} pid=1"),
        (card_of_another_game, f"WrongEstateSize G0101 #G0101 gid={GID} pid=-1"),
    ],
)
@pytest.mark.parametrize("policy", ["strict", "lenient"])
def test_the_terminal_shows_what_voids_a_match(spoil: Spoil, shown: str, policy: str) -> None:  # RULES 7.5
    table = mid_match(invariant_policy=policy)
    spoil(table)
    match = referee(table)
    out = match.answer(2, Pass(), 0.0)
    console = Console(file=StringIO(), width=200)
    for line in host_news(match, out):
        console.print(line)
    if match.end is not None:
        console.print(result_table(match.game, GID, match.names, match.end))
    told = console.file.getvalue()  # type: ignore[attr-defined]  # it writes to memory
    recovery = "match_aborted" if policy == "strict" else "logged"
    assert f"{shown} (part 1, round 3) -> {recovery}" in told


def test_the_terminal_shows_a_wrong_code() -> None:  # RULES 7.5
    match = referee(planted(auction(houses=[4, 11, 28], coins=[18, 18, 18]), amends=lambda *_: Close()))
    match.answer(0, Bid(19), 0.0)
    assert isinstance(match.end, Void)
    shown = f"WrongCodeSTE G0301 #5 gid={GID} pid=0 wrong_code=Close() (part 1, round 1) -> match_aborted"
    assert own_fault(match.game, GID, match.end) == shown


def test_other_matches_in_the_same_process_go_on() -> None:  # RULES 7.6
    bystander = referee(new(4))
    bystander.answer(min(bystander.open), Pass(), 0.0)
    broken = referee(mid_match())
    a_coin_lost(broken.state)  # type: ignore[arg-type]  # a For Sale state
    broken.answer(2, Pass(), 0.0)
    assert isinstance(broken.end, Void)
    assert isinstance(finish(bystander), Result)
    assert isinstance(finish(referee(new(3))), Result)


def test_after_a_void_match_nothing_more_is_taken() -> None:  # RULES 7.6
    match = referee(mid_match())
    a_coin_lost(match.state)  # type: ignore[arg-type]  # a For Sale state
    match.answer(2, Pass(), 0.0)
    end = match.end
    out = match.answer(0, Pass(), 0.0)
    assert out.lines == [] and refused(out).fault.kind == "unasked"
    assert match.end is end


def test_the_terminal_tells_when_a_fault_was_made_and_not_what_came_of_it() -> None:  # RULES 7.5
    """Nobody says anything that can be read, from the first auction to the last sale."""
    match, dice, seen = Match(GAME, header(GAME, [Sitting(name) for name in "abc"], SEED), SEED), Dice(b"s"), set()
    match.begin(0.0)
    while match.end is None:
        seat = dice.pick(sorted(match.open))
        before = match.state.view(seat)
        out = match.answer(seat, BadMessage("junk", "no message"), 0.0)
        told = refused(out)
        assert told.fault.facts == {}, "transcripts say no more of it than before"
        when = f"(part {before.part}, round {before.round}, try {told.attempt})"  # type: ignore[attr-defined]  # a For Sale view
        assert [line for line in host_news(match, out) if f"pid={seat} {when} -> " in line.plain]
        seen.add(when)
    assert {"(part 1, round 1, try 3)", "(part 1, round 8, try 3)", "(part 2, round 8, try 3)"} <= seen
