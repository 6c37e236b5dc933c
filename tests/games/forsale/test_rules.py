"""The rule book, rule by rule. Every test cites the number in RULES.md that it holds the code to."""

from collections import Counter
from typing import Any

import msgspec
import pytest

from parlour.core import (
    GONE,
    BadOptions,
    Close,
    Dice,
    Fault,
    IllegalAction,
    Join,
    Leave,
    Result,
    Sitting,
)
from parlour.games.forsale import GAME, bots
from parlour.games.forsale.phases import Sale
from parlour.games.forsale.rules import State
from parlour.games.forsale.setup import bound, resolve
from parlour.games.forsale.values import (
    Action,
    Bid,
    BidOrPass,
    ChequesOpened,
    ChooseEstate,
    Chose,
    EstatesOpened,
    Left,
    Options,
    Pass,
    Passed,
    Raised,
    Sell,
    SellAny,
    Sold,
    Won,
)
from tests.games.forsale.tables import auction, auction_of, new, play, sale

LATE = Fault("late", "late", "no answer")
NOISE = Fault("unreadable", "P0502", "'x' is not an integer")
WRONG = Fault("illegal", "P0402", "bid 0: must be above 0")


def refusal(table: State, words: str) -> IllegalAction:
    """Why the move is refused. A refused move leaves no trace."""
    before = table.copy()
    with pytest.raises(IllegalAction) as refused:
        play(table, words)
    assert table == before
    return refused.value


def finish(table: State, seed: bytes = b"players") -> Result:
    """Everybody plays on at random."""
    dice = Dice(seed)
    while (result := table.result()) is None:
        for seat, ask in list(table.asks().items()):
            assert seat is not None
            table.play(seat, bots.random(table.view(seat), ask, dice))
    return result


def asked(table: State) -> list[int | None]:
    return list(table.asks())


# 1. What is on the table


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_thirty_estates_from_1_to_30(seats: int) -> None:  # RULES 1.2
    table = new(seats)
    assert sorted(table.phase.market + table.estate_deck + table.removed_estates) == list(range(1, 31))


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_thirty_cheques_two_of_each_and_none_of_1(seats: int) -> None:  # RULES 1.3
    table = new(seats)
    cheques = Counter(table.cheque_deck + table.removed_cheques)
    assert cheques == dict.fromkeys((0, *range(2, 16)), 2)
    assert cheques.total() == 30 and sum(cheques.elements()) == 238


@pytest.mark.parametrize(
    ("option", "coins"),
    [("flat_18", (18, 18, 18, 18)), ("by_count", (18, 18, 14, 14)), (13, (13, 13, 13, 13)), (100, (100,) * 4)],
)
def test_everybody_starts_with_the_same_coins(option: str | int, coins: tuple[int, ...]) -> None:  # RULES 1.4
    for seats, each in zip(GAME.rules.seats, coins, strict=True):
        table = new(seats, start_coins=option)
        assert table.coins == [each] * seats and table.bank == 0


def test_18_coins_each_unless_said_otherwise() -> None:  # RULES 1.4
    assert [sum(new(seats).coins) for seats in GAME.rules.seats] == [54, 72, 90, 108]
    assert [sum(new(seats, start_coins="by_count").coins) for seats in (5, 6)] == [70, 84]


@pytest.mark.parametrize("coins", [0, -1, 10_001, "many", 18.0, True])
def test_start_coins_that_cannot_be(coins: object) -> None:  # RULES 1.4
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "Options", "start_coins": coins}, Options)


@pytest.mark.parametrize(("seats", "removed", "rounds"), [(3, 6, 8), (4, 2, 7), (5, 0, 6), (6, 0, 5)])
def test_cards_and_rounds_by_number_of_players(seats: int, removed: int, rounds: int) -> None:  # RULES 1.5
    table = new(seats)
    assert len(table.removed_estates) == len(table.removed_cheques) == removed
    assert len(table.phase.market) + len(table.estate_deck) == len(table.cheque_deck) == 30 - removed
    assert table.view(None).rounds == rounds == (30 - removed) // seats


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_each_part_lasts_so_many_rounds(seats: int) -> None:  # RULES 1.5
    table = new(seats)
    dice, opened = Dice(b"players"), Counter[type]()
    while table.result() is None:
        for seat, ask in list(table.asks().items()):
            assert seat is not None
            events = table.play(seat, bots.random(table.view(seat), ask, dice))
            opened.update(type(event) for event in events)
    assert opened[EstatesOpened] == opened[ChequesOpened] - 1 == 11 - seats - 1  # `new` opened the first estates
    assert opened[Won] == opened[Sold] == 11 - seats
    assert [len(won) for won in table.cheques] == [11 - seats] * seats


@pytest.mark.parametrize(
    ("seats", "estates", "cheques"),
    [
        (3, (300, 444), (154, 228)),
        (4, (406, 462), (208, 238)),
        (5, (465, 465), (238, 238)),
        (6, (465, 465), (238, 238)),
    ],
)
def test_what_is_in_play_adds_up(seats: int, estates: tuple[int, int], cheques: tuple[int, int]) -> None:  # RULES 1.5
    for seed in range(200):
        table = new(seats, seed=b"%d" % seed)
        assert estates[0] <= sum(table.phase.market) + sum(table.estate_deck) <= estates[1]
        assert cheques[0] <= sum(table.cheque_deck) <= cheques[1]


@pytest.mark.parametrize(("seats", "mean_estates", "mean_cheques"), [(3, 372, 190.4), (4, 434, 222.13)])
def test_cards_are_removed_at_random(seats: int, mean_estates: float, mean_cheques: float) -> None:  # RULES 1.5
    tables = [new(seats, seed=b"%d" % seed) for seed in range(2000)]
    assert sum(465 - sum(table.removed_estates) for table in tables) / 2000 == pytest.approx(mean_estates, abs=2)
    assert sum(sum(table.cheque_deck) for table in tables) / 2000 == pytest.approx(mean_cheques, abs=1)
    assert len({card for table in tables for card in table.removed_estates}) == 30


@pytest.mark.parametrize("seats", [0, 1, 2, 7, 30])
def test_three_to_six_players(seats: int) -> None:  # RULES 1.5
    assert seats not in GAME.rules.seats


def test_the_same_seed_deals_the_same_cards() -> None:  # RULES 1.5
    assert new(4, seed=b"one") == new(4, seed=b"one") != new(4, seed=b"two")


@pytest.mark.parametrize(("seats", "least", "most"), [(3, 40, 184), (4, 49, 175), (5, 54, 162), (6, 55, 145)])
def test_a_match_takes_so_many_decisions(seats: int, least: int, most: int) -> None:  # RULES 1.6
    table, decisions = new(seats), 0
    while table.result() is None:
        seat, ask = next(iter(table.asks().items()))
        table.play(seat, ask.choices[0])  # passes first, or the cheapest estate
        decisions += 1
    assert decisions == least
    assert bound(seats, Options()) == most


def test_the_dearest_auctions_stay_within_the_bound() -> None:  # RULES 1.6
    table, decisions = new(3, start_coins=7), 0
    while table.result() is None:
        seat, ask = next(iter(table.asks().items()))
        raises = [choice for choice in ask.choices if isinstance(choice, Bid)]
        table.play(seat, raises[0] if raises else ask.choices[0])
        decisions += 1
    assert decisions <= bound(3, Options(start_coins=7)) == 8 * (7 + 2) + 3 * 8


# 2. Part I: buying estates


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_as_many_estates_are_opened_as_there_are_players(seats: int) -> None:  # RULES 2.1
    market = new(seats).phase.market
    assert len(market) == seats and market == sorted(market)


def test_the_next_estates_are_opened_when_all_are_sold() -> None:  # RULES 2.1
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    events = play(table, "0 bids 5", "1 passes", "2 passes")
    opened = events[-1]
    assert isinstance(opened, EstatesOpened) and opened.round == table.round == 2
    assert list(opened.estates) == table.phase.market and not {4, 11, 28} & set(opened.estates)


def test_a_named_seat_begins() -> None:  # RULES 2.2
    for seat in range(4):
        assert asked(new(4, initial_first=f"seat:{seat}")) == [seat]


def test_the_first_to_begin_is_drawn() -> None:  # RULES 2.2
    begins = Counter(new(5, seed=b"%d" % seed, initial_first="seeded_random").first for seed in range(500))
    assert set(begins) == set(range(5)) and min(begins.values()) > 70


def test_the_youngest_begins() -> None:  # RULES 2.2
    assert asked(new(3, initial_first="youngest", ages=(41, 9, 30))) == [1]


def test_of_two_equally_young_the_lower_seat_begins() -> None:  # RULES 2.2
    assert asked(new(4, initial_first="youngest", ages=(40, 12, 30, 12))) == [1]


def sitting(*ages: int | None) -> list[Sitting]:
    return [Sitting(f"p{seat}", about={} if age is None else {"age": age}) for seat, age in enumerate(ages)]


def test_when_all_state_their_age_the_youngest_begins() -> None:  # RULES 2.2
    settled = resolve(Options(), sitting(30, 20, 10))
    assert (settled.initial_first, settled.ages) == ("youngest", (30, 20, 10))


def test_when_somebody_does_not_state_their_age_the_first_is_drawn() -> None:  # RULES 2.2
    settled = resolve(Options(), sitting(30, None, 10))
    assert (settled.initial_first, settled.ages) == ("seeded_random", None)


@pytest.mark.parametrize("age", [-1, 1001])
def test_an_age_nobody_has_is_not_stated(age: int) -> None:  # RULES 2.2
    assert resolve(Options(), sitting(30, age, 10)).initial_first == "seeded_random"


def test_an_age_must_be_a_number() -> None:  # RULES 2.2
    players = [Sitting(name, about={"age": "nine"}) for name in "abc"]
    assert resolve(Options(), players).initial_first == "seeded_random"


def test_ages_among_the_options_come_first() -> None:  # RULES 2.2
    settled = resolve(Options(ages=(1, 2, 3)), sitting(30, 20, 10))
    assert (settled.initial_first, settled.ages) == ("youngest", (1, 2, 3))


@pytest.mark.parametrize("first", ["seeded_random", "seat:2"])
def test_a_named_rule_comes_before_ages(first: str) -> None:  # RULES 2.2
    options = Options(initial_first=first)  # type: ignore[arg-type]  # one of its words
    assert resolve(options, sitting(30, 20, 10)).initial_first == first


@pytest.mark.parametrize(
    "options",
    [Options(initial_first="youngest"), Options(initial_first="seat:3"), Options(ages=(1, 2)), Options(ages=())],
)
def test_a_beginning_that_cannot_be(options: Options) -> None:  # RULES 2.2
    with pytest.raises(BadOptions):
        resolve(options, sitting(None, None, None))


@pytest.mark.parametrize("first", ["seat:6", "seat:-1", "seat:", "oldest", ""])
def test_initial_first_is_one_of_three_forms(first: str) -> None:  # RULES 2.2
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "Options", "initial_first": first}, Options)


def test_a_bid_is_above_the_record_and_within_the_purse() -> None:  # RULES 2.3
    table = auction(houses=[4, 11, 28], coins=[18, 9, 18])
    assert play(table, "0 bids 5") == [Raised(0, 5)]
    ask = table.asks()[1]
    assert ask == BidOrPass(choices=(Pass(), Bid(6), Bid(7), Bid(8), Bid(9)), record=5, bid=0, coins=9)
    assert refusal(table, "1 bids 10").code == "P0401"
    assert refusal(table, "1 bids 5").code == "P0402"
    play(table, "1 bids 9")
    assert auction_of(table).record == 9 and auction_of(table).turn == 2


def test_a_bid_need_not_be_the_next_coin() -> None:  # RULES 2.3
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    play(table, "0 bids 1", "1 bids 18")
    assert auction_of(table).record == 18


@pytest.mark.parametrize("amount", [0, -1, -1_000_000_000])
def test_nothing_is_no_bid(amount: int) -> None:  # RULES 2.3
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    assert refusal(table, f"0 bids {amount}").code == "P0402"


def test_equalling_the_record_is_not_enough() -> None:  # RULES 2.3
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    play(table, "0 bids 7")
    assert refusal(table, "1 bids 7").code == "P0402"


def test_a_player_that_has_no_more_than_the_record_can_only_pass() -> None:  # RULES 2.3
    table = auction(houses=[4, 11, 28], coins=[18, 7, 18])
    play(table, "0 bids 7")
    assert table.asks()[1].choices == (Pass(),)


def test_a_bid_names_the_whole_and_not_the_step() -> None:  # RULES 2.3
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    play(table, "0 bids 3", "1 bids 4", "2 bids 5")
    assert refusal(table, "0 bids 3").code == "P0402"
    play(table, "0 bids 6")
    assert auction_of(table).bids == [6, 4, 5]


def test_coins_lie_on_the_table_but_are_still_owned() -> None:  # RULES 2.3
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    play(table, "0 bids 5", "1 bids 9")
    assert table.coins == [18, 18, 18] and table.bank == 0


def test_only_the_one_whose_turn_it_is_may_bid() -> None:  # RULES 2.3
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    for words in ("1 bids 5", "2 passes", "3 passes", "-1 passes"):
        assert refusal(table, words).code == "not_asked"


def test_estates_are_not_sold_in_part_one() -> None:  # RULES 2.3
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    assert refusal(table, "0 sells 4").code == "P0502"


def test_a_player_that_opens_may_pass() -> None:  # RULES 2.4
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    assert table.asks()[0].choices[0] == Pass()
    assert play(table, "0 passes") == [Passed(0, estate=4, paid=0, refund=0)]


def test_a_player_that_opens_must_bid_where_the_house_says_so() -> None:  # RULES 2.4
    table = auction(houses=[4, 11, 28], coins=[2, 18, 18], opener_may_pass=False)
    assert table.asks()[0].choices == (Bid(1), Bid(2))
    refused = refusal(table, "0 passes")
    assert refused.code == "P0402"
    assert list(refused.facts.items())[:4] == [("pid", 0), ("balance", 2), ("resp", 0), ("cur_bet", 0)]


def test_only_the_opener_must_bid() -> None:  # RULES 2.4
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18], opener_may_pass=False)
    play(table, "0 bids 1", "1 passes")
    assert table.hands[1] == [4]


def test_an_opener_without_coins_passes_even_so() -> None:  # RULES 2.4
    table = auction(houses=[4, 11, 28], coins=[0, 18, 18], opener_may_pass=False)
    assert table.asks()[0].choices == (Pass(),)
    play(table, "0 passes")
    assert table.hands[0] == [4]
    assert Pass() in table.asks()[1].choices  # the next bidder has not opened


def test_a_random_opener_never_passes_where_it_must_bid() -> None:  # RULES 2.4
    table = new(3, start_coins=70, opener_may_pass=False)
    seat, ask = next(iter(table.asks().items()))
    assert ask.choices is None  # too many to list
    drawn = {bots.random(table.view(seat), ask, Dice(b"%d" % seed)) for seed in range(1000)}
    assert Pass() not in drawn and len(drawn) == 70


def test_a_player_that_passes_takes_the_cheapest_estate() -> None:  # RULES 2.5
    table = auction(houses=[28, 4, 11, 17], coins=[18, 18, 18, 18])
    play(table, "0 passes", "1 bids 1", "2 passes")
    assert [table.hands[seat] for seat in (0, 2)] == [[4], [11]]
    assert table.phase.market == [17, 28]


@pytest.mark.parametrize(
    ("rounding", "bid", "paid"),
    [("down", 1, 1), ("down", 4, 2), ("down", 5, 3), ("up", 1, 0), ("up", 4, 2), ("up", 5, 2)],
)
def test_half_of_a_lost_bid_comes_back(rounding: str, bid: int, paid: int) -> None:  # RULES 2.5
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18], refund_rounding=rounding)
    events = play(table, f"0 bids {bid}", "1 bids 10", "2 passes", "0 passes")
    assert Passed(0, estate=11, paid=paid, refund=bid - paid) in events
    assert table.coins[0] == 18 - paid


def test_half_is_rounded_down_unless_said_otherwise() -> None:  # RULES 2.5
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    play(table, "0 bids 5", "1 bids 6", "2 bids 7", "0 passes")
    assert table.coins[0] == 15 and table.bank == 3


def test_a_player_that_has_passed_is_not_asked_again_in_this_round() -> None:  # RULES 2.5
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    play(table, "0 bids 1", "1 passes", "2 bids 2", "0 bids 3")
    assert asked(table) == [2] and table.view(None).inside == (0, 2)


def test_last_bidder_pays_all_and_takes_the_best_house() -> None:  # RULES 2.6
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    events = play(table, "0 bids 5", "1 passes", "2 passes")
    assert Won(0, estate=28, paid=5) in events
    assert table.hands[0] == [28] and table.coins[0] == 13 and table.bank == 5


def test_the_last_one_standing_is_not_asked_and_may_pay_nothing() -> None:  # RULES 2.6
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    events = play(table, "0 passes", "1 passes")
    assert Won(2, estate=28, paid=0) in events
    assert table.hands == [[4], [11], [28]] and table.coins == [18, 18, 18]


def test_after_each_round_everybody_has_one_estate_more() -> None:  # RULES 2.6
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    for round in range(1, 8):
        play(table, f"{table.first} passes", f"{(table.first + 1) % 3} passes")
        assert [len(hand) for hand in table.hands] == [round] * 3
        assert len(table.estate_deck) == 24 - 3 * round - 3


def two_rounds(**options: Any) -> list[int]:
    """Who begins rounds 1, 2 and 3 if seat 2 wins the first auction and seat 0 the second."""
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18], **{"initial_first": "seat:1", **options})
    begins = [table.first]
    for winner in (2, 0):
        while table.round == len(begins):
            seat = auction_of(table).turn
            record = auction_of(table).record
            play(table, f"{seat} bids {record + 1}" if seat == winner else f"{seat} passes")
        begins.append(table.first)
        assert auction_of(table).turn == table.first
    return begins


def test_the_last_one_standing_begins_the_next_round() -> None:  # RULES 2.7
    assert two_rounds() == two_rounds(first_player_rule="last_winner") == [1, 2, 0]


def test_a_player_that_won_for_nothing_begins_too() -> None:  # RULES 2.7
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    play(table, "0 passes", "1 passes")
    assert asked(table) == [2]


def test_the_first_turn_goes_round() -> None:  # RULES 2.7
    assert two_rounds(first_player_rule="rotate") == [1, 2, 0]
    assert two_rounds(first_player_rule="rotate", bid_direction="ccw") == [1, 0, 2]


def test_the_first_turn_stays_where_it_is() -> None:  # RULES 2.7
    assert two_rounds(first_player_rule="fixed") == [1, 1, 1]


def test_the_first_turn_is_drawn() -> None:  # RULES 2.7
    drawn: Counter[int] = Counter()
    for seed in range(300):
        table = new(3, seed=b"%d" % seed, first_player_rule="random", initial_first="seat:0")
        play(table, "0 passes", "1 passes")
        drawn[table.first] += 1
    assert set(drawn) == {0, 1, 2} and min(drawn.values()) > 70


@pytest.mark.parametrize(("direction", "order"), [("cw", [0, 1, 2, 3, 0]), ("ccw", [0, 3, 2, 1, 0])])
def test_bidding_goes_round(direction: str, order: list[int]) -> None:  # RULES 2.8
    table = auction(houses=[4, 11, 17, 28], coins=[18] * 4, bid_direction=direction)
    for bid, seat in enumerate(order, start=1):
        assert asked(table) == [seat]
        play(table, f"{seat} bids {bid}")


@pytest.mark.parametrize(("direction", "following"), [("cw", 3), ("ccw", 1)])
def test_those_who_passed_are_skipped(direction: str, following: int) -> None:  # RULES 2.8
    table = auction(houses=[4, 11, 17, 28], coins=[18] * 4, bid_direction=direction, initial_first="seat:2")
    play(table, "2 passes")
    assert asked(table) == [following]
    play(table, f"{following} bids 1", "0 bids 2")
    play(table, f"{4 - following} bids 3")
    assert asked(table) == [following]


def test_part_one_ends_with_the_last_estate_and_coins_are_kept() -> None:  # RULES 2.9
    table = auction(houses=[4, 11, 28], coins=[18, 1, 9], round=8)
    events = play(table, "0 bids 5", "1 passes", "2 passes")
    assert isinstance(events[-1], ChequesOpened) and events[-1].round == table.round == 1
    assert isinstance(table.phase, Sale) and table.coins == [13, 1, 9]


# 3. Part II: selling them


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_as_many_cheques_are_opened_as_there_are_players(seats: int) -> None:  # RULES 3.1
    coins = [5] * seats
    table = auction(houses=list(range(1, seats + 1)), coins=coins, round=11 - seats)
    events = play(table, *(f"{seat} passes" for seat in range(seats - 1)))
    opened = events[-1]
    assert isinstance(opened, ChequesOpened) and len(opened.cheques) == seats
    assert list(opened.cheques) == sorted(opened.cheques) == table.phase.market


def test_all_choose_at_once_from_their_hands() -> None:  # RULES 3.2
    table = sale(hands=[[5, 9], [7, 3], [20, 1]], cheques=[0, 6, 15])
    assert table.asks() == {
        0: ChooseEstate(choices=(Sell(5), Sell(9))),
        1: ChooseEstate(choices=(Sell(3), Sell(7))),
        2: ChooseEstate(choices=(Sell(1), Sell(20))),
    }
    assert ChooseEstate.sealed


def test_nothing_happens_before_the_last_has_chosen() -> None:  # RULES 3.2
    table = sale(hands=[[5, 9], [3, 7], [1, 20]], cheques=[0, 6, 15])
    assert play(table, "1 sells 7", "0 sells 5") == [Chose(1, 7), Chose(0, 5)]
    assert asked(table) == [2]
    assert table.hands == [[5, 9], [3, 7], [1, 20]] and table.phase.market == [0, 6, 15]


def test_in_whatever_order_they_choose() -> None:  # RULES 3.2
    ends = []
    for order in ([0, 1, 2], [2, 1, 0], [1, 2, 0]):
        table = sale(hands=[[5, 9], [3, 7], [1, 20]], cheques=[0, 6, 15])
        play(table, *(f"{seat} sells {table.hands[seat][0]}" for seat in order))
        ends.append(table)
    assert ends[0] == ends[1] == ends[2]


def test_a_choice_is_final() -> None:  # RULES 3.2
    table = sale(hands=[[5, 9], [3, 7], [1, 20]], cheques=[0, 6, 15])
    play(table, "1 sells 7")
    assert refusal(table, "1 sells 3").code == "not_asked"


def test_only_what_is_in_the_hand_can_be_sold() -> None:  # RULES 3.2
    table = sale(hands=[[5, 9], [3, 7], [1, 20]], cheques=[0, 6, 15])
    refused = refusal(table, "0 sells 7")
    assert refused.code == "G0401"
    assert list(refused.facts.items())[:2] == [("pid", 0), ("resp", 7)]


@pytest.mark.parametrize("words", ["0 bids 5", "0 passes"])
def test_there_are_no_bids_in_part_two(words: str) -> None:  # RULES 3.2
    assert refusal(sale(hands=[[5], [3], [1]], cheques=[0, 6, 15]), words).code == "P0502"


@pytest.mark.parametrize("seat", [-1, 3])
def test_nobody_sells_from_a_seat_that_is_not_there(seat: int) -> None:  # RULES 3.2
    table = sale(hands=[[5], [3], [1]], cheques=[0, 6, 15])
    with pytest.raises(IllegalAction):
        table.play(seat, Sell(1))


def test_the_nth_best_estate_fetches_the_nth_best_cheque() -> None:  # RULES 3.3
    table = sale(hands=[[9, 5], [30, 7], [1, 20], [8, 2]], cheques=[15, 0, 6, 11])
    events = play(table, "0 sells 9", "1 sells 7", "2 sells 20", "3 sells 2")
    assert Sold(estates=(9, 7, 20, 2), cheques=(11, 6, 15, 0)) in events
    assert [won[-1] for won in table.cheques] == [11, 6, 15, 0]


def test_equal_cheques_are_equal() -> None:  # RULES 3.3
    table = sale(hands=[[9], [30], [1]], cheques=[6, 6, 15])
    play(table, "0 sells 9", "1 sells 30", "2 sells 1")
    assert [won[-1] for won in table.cheques] == [6, 15, 6]


def test_a_sold_estate_is_gone() -> None:  # RULES 3.4
    table = sale(hands=[[5, 9], [3, 7], [1, 20]], cheques=[0, 6, 15])
    play(table, "0 sells 9", "1 sells 7", "2 sells 1")
    assert table.hands == [[5], [3], [20]]
    assert refusal(table, "0 sells 9").code == "G0401"


def test_the_next_cheques_are_opened_when_all_are_turned() -> None:  # RULES 3.5
    table = sale(hands=[[5, 9], [3, 7], [1, 20]], cheques=[0, 6, 15])
    *_, sold, opened = play(table, "0 sells 9", "1 sells 7", "2 sells 1")
    assert isinstance(sold, Sold) and isinstance(opened, ChequesOpened)
    assert opened.round == table.round == 8 and asked(table) == [0, 1, 2]


def test_it_is_over_when_all_is_sold() -> None:  # RULES 3.5
    table = sale(hands=[[5], [3], [1]], cheques=[0, 6, 15])
    assert table.result() is None
    play(table, "0 sells 5", "1 sells 3", "2 sells 1")
    assert table.result() is not None and table.asks() == {}
    assert table.hands == [[], [], []]
    for words in ("0 sells 5", "0 passes", "time is up", "1 leaves"):
        refusal(table, words)


# 4. Scoring


def test_the_score_is_cheques_and_coins() -> None:  # RULES 1.1, 4.1
    earlier = [[2, 3, 4, 5, 6, 7, 8], [2, 3, 4, 5, 6, 7, 8], [9, 9, 10, 10, 11, 11, 12]]
    table = sale(hands=[[5], [3], [1]], cheques=[0, 13, 15], coins=[3, 0, 7], won=earlier)
    play(table, "0 sells 5", "1 sells 3", "2 sells 1")
    assert table.result() == Result(scores=(35 + 15 + 3, 35 + 13 + 0, 72 + 0 + 7), ranks=(2, 3, 1))


def tied(**options: Any) -> Result | None:
    """Seats 0, 1 and 3 end with 61 each, of which 3, 4 and 4 are coins; seat 2 has less, and the most coins."""
    earlier = [[2, 3, 6, 12, 13, 14], [3, 5, 6, 11, 13, 15], [0, 4, 8, 9, 10, 10], [0, 2, 5, 12, 14, 15]]
    hands, coins = [[20], [5], [10], [30]], [3, 4, 9, 4]
    table = sale(hands=hands, cheques=[4, 7, 8, 9], coins=coins, won=earlier, **options)
    play(table, "0 sells 20", "1 sells 5", "2 sells 10", "3 sells 30")
    return table.result()


def test_coins_tell_equal_scores_apart_and_equal_coins_share() -> None:  # RULES 4.3
    assert tied() == tied(tie_break="coins_then_shared") == Result(scores=(61, 61, 57, 61), ranks=(3, 1, 4, 1))


def test_equal_scores_share_the_place_where_the_house_says_so() -> None:  # RULES 4.2, 4.3
    assert tied(tie_break="shared") == Result(scores=(61, 61, 57, 61), ranks=(1, 1, 4, 1))


def test_when_time_is_up_in_an_auction_bids_go_back() -> None:  # RULES 4.4
    table = auction(houses=[4, 11, 28], coins=[18, 10, 18])
    play(table, "0 bids 5", "1 passes", "2 bids 9", "time is up")
    assert table.result() == Result(scores=(18, 10, 18), ranks=(1, 3, 1))
    assert table.asks() == {} and table.view(None).part == 3
    assert refusal(table, "0 passes").code == "not_asked"
    assert refusal(table, "time is up").code == "over"


def test_when_time_is_up_in_a_sale_unsold_estates_are_worth_nothing() -> None:  # RULES 4.4
    table = sale(hands=[[5, 9], [3, 7], [1, 30]], cheques=[0, 6, 15], coins=[1, 2, 3])
    before = [sum(won) + coins for won, coins in zip(table.cheques, table.coins, strict=True)]
    play(table, "2 sells 30", "time is up")
    result = table.result()
    assert result is not None and list(result.scores) == before
    assert refusal(table, "0 sells 5").code == "not_asked"


@pytest.mark.parametrize(("seats", "least", "most"), [(3, 18, 126), (4, 14, 114), (5, 10, 102), (6, 7, 89)])
def test_scores_keep_within_what_there_is(seats: int, least: int, most: int) -> None:  # RULES 4.5
    cheques = sorted([0, 0, *range(2, 16), *range(2, 16)])
    assert (sum(cheques[: 11 - seats]), sum(cheques[seats - 11 :]) + 18) == (least, most)
    for seed in range(30):
        table = new(seats, seed=b"%d" % seed)
        in_play = sum(table.cheque_deck)
        result = finish(table, b"%d" % seed)
        assert least <= min(result.scores) and max(result.scores) <= most
        assert sum(result.scores) == in_play + 18 * seats - table.bank


# 5. Who sees what


def test_everybody_sees_the_market_the_bids_and_whose_turn_it_is() -> None:  # RULES 5.1
    table = auction(houses=[4, 11, 28], coins=[18, 12, 7])
    play(table, "0 bids 5", "1 passes")
    for who in (None, 0, 1, 2):
        seen = table.view(who)
        assert (seen.part, seen.round, seen.rounds) == (1, 1, 8)
        assert (seen.market, seen.record, seen.bids) == ((11, 28), 5, (5, 0, 0))
        assert (seen.turn, seen.inside) == (2, (0, 2))


def test_a_hand_and_cheques_are_seen_by_their_owner() -> None:  # RULES 5.1
    table = sale(hands=[[9, 5], [7, 3], [20, 1]], cheques=[0, 6, 15])
    assert table.view(1).hand == (3, 7) and table.view(1).cheques == tuple(table.cheques[1])
    assert table.view(None).hand == table.view(None).cheques == ()


def test_everybody_sees_what_was_paid_and_taken() -> None:  # RULES 5.1
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    for event in play(table, "0 bids 5", "1 passes", "2 passes"):
        assert all(event.seen_by(who) == event for who in (None, 0, 1, 2))


def test_purses_are_hidden_from_others() -> None:  # RULES 5.2
    table = auction(houses=[4, 11, 28], coins=[18, 12, 7])
    assert table.view(1).coins == (None, 12, None)
    assert table.view(None).coins == (None, None, None)
    assert auction(houses=[4, 11, 28], coins=[18, 12, 7], balances="hidden").view(1) == table.view(1)


def test_purses_lie_open_where_the_house_says_so() -> None:  # RULES 5.2
    table = auction(houses=[4, 11, 28], coins=[18, 12, 7], balances="open")
    assert table.view(1).coins == table.view(None).coins == (18, 12, 7)


def test_choices_and_their_seats_are_not_seen_before_all_are_turned() -> None:  # RULES 5.3
    table = sale(hands=[[9, 5], [7, 3], [20, 1]], cheques=[0, 6, 15])
    before = [table.view(who) for who in (None, 0, 1, 2)]
    asks = {seat: table.asks()[seat] for seat in (0, 2)}
    (chose,) = play(table, "1 sells 7")
    assert [table.view(who) for who in (None, 0, 1, 2)] == before
    assert table.asks() == asks
    assert [chose.seen_by(who) for who in (None, 0, 1, 2)] == [None, None, chose, None]


def test_all_are_turned_in_one_event_for_everybody() -> None:  # RULES 5.3
    table = sale(hands=[[9, 5], [7, 3], [20, 1]], cheques=[0, 6, 15])
    events = play(table, "1 sells 7", "0 sells 5", "2 sells 20")
    seen = [[event for event in events if event.seen_by(who)] for who in (None, 0)]
    assert [type(event) for event in seen[0]] == [Sold, ChequesOpened]
    assert [type(event) for event in seen[1]] == [Chose, Sold, ChequesOpened]


def test_what_is_to_come_cannot_be_seen() -> None:  # RULES 5.4
    table = new(3)
    for seat in range(3):
        other = table.redeal(seat, Dice(b"other cards"))
        assert other.cheque_deck != table.cheque_deck and other.estate_deck != table.estate_deck
        assert other.view(seat) == table.view(seat) and other.asks() == table.asks()


# 6. Faults and what they cost


@pytest.mark.parametrize("fault", [LATE, NOISE, WRONG])
def test_two_faults_are_borne_and_the_third_passes(fault: Fault) -> None:  # RULES 6.1
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    assert table.amends(0, [fault]) is None
    assert table.amends(0, [fault, fault]) is None
    assert table.amends(0, [fault, fault, fault]) == Pass()


def test_silence_noise_and_nonsense_count_alike() -> None:  # RULES 6.1
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    assert table.amends(0, [LATE, NOISE]) is None
    assert table.amends(0, [LATE, NOISE, WRONG]) == Pass()


@pytest.mark.parametrize("attempts", [1, 2, 5, 100])
def test_as_many_attempts_as_the_house_allows(attempts: int) -> None:  # RULES 6.1
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18], max_attempts=attempts)
    assert all(table.amends(0, [LATE] * made) is None for made in range(1, attempts))
    assert table.amends(0, [LATE] * attempts) == Pass()


@pytest.mark.parametrize("attempts", [0, 101])
def test_at_least_one_attempt_and_at_most_a_hundred(attempts: int) -> None:  # RULES 6.1
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "Options", "max_attempts": attempts}, Options)


def test_a_forced_pass_is_a_pass() -> None:  # RULES 6.2
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    play(table, "0 bids 5", "1 bids 6", "2 bids 7")
    price = table.amends(0, [LATE] * 3)
    assert price is not None
    assert table.play(0, price) == [Passed(0, estate=4, paid=3, refund=2)]


def test_an_opener_who_must_bid_is_made_to_bid_one() -> None:  # RULES 6.2
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18], opener_may_pass=False)
    assert table.amends(0, [LATE] * 3) == Bid(1)
    penniless = auction(houses=[4, 11, 28], coins=[0, 18, 18], opener_may_pass=False)
    assert penniless.amends(0, [LATE] * 3) == Pass()


def test_the_cheapest_estate_is_sold_for_a_player_that_does_not_choose() -> None:  # RULES 6.3
    table = sale(hands=[[9, 5], [7, 3], [20, 1]], cheques=[0, 6, 15])
    assert Options().sell_fallback == "lowest"
    assert table.amends(1, [LATE] * 2) is None
    assert table.amends(1, [LATE] * 3) == Sell(3)


def test_any_estate_is_sold_where_the_house_says_so() -> None:  # RULES 6.3
    table = sale(hands=[[9, 5], [7, 3], [20, 1]], cheques=[0, 6, 15], sell_fallback="random_seeded")
    assert table.amends(1, [LATE] * 3) == SellAny()
    assert SellAny in GAME.rules.prices and SellAny not in GAME.rules.actions


def test_what_is_left_to_chance_is_drawn_when_all_are_turned() -> None:  # RULES 6.4
    table = sale(hands=[[9, 5], [7, 3], [20, 1]], cheques=[0, 6, 15], sell_fallback="random_seeded")
    dice = table.dice.copy()
    assert play(table, "1 sells any", "0 sells 5") == [Chose(1, None), Chose(0, 5)]
    assert table.dice == dice
    play(table, "2 sells 20")
    assert table.dice != dice and len(table.hands[1]) == 1


def test_what_is_left_to_chance_does_not_depend_on_who_came_first() -> None:  # RULES 6.4
    ends = []
    for order in (["0 sells any", "1 sells any", "2 sells 20"], ["2 sells 20", "1 sells any", "0 sells any"]):
        table = sale(hands=[[9, 5], [7, 3], [20, 1]], cheques=[0, 6, 15], sell_fallback="random_seeded")
        play(table, *order)
        ends.append(table)
    assert ends[0] == ends[1]


def test_every_estate_may_be_drawn() -> None:  # RULES 6.4
    drawn: Counter[int] = Counter()
    for seed in range(300):
        table = sale(hands=[[9, 5, 8], [7, 3, 2], [20, 1, 4]], cheques=[0, 6, 15], sell_fallback="random_seeded")
        table.dice = Dice(b"%d" % seed)
        events = play(table, "0 sells any", "1 sells 7", "2 sells 1")
        drawn.update(event.estates[0] for event in events if isinstance(event, Sold))
    assert set(drawn) == {5, 8, 9} and min(drawn.values()) > 70


@pytest.mark.parametrize("amount", [11, 19, 6, 0, -3])
def test_a_bad_bid_is_put_right_at_once_where_the_house_says_so(amount: int) -> None:  # RULES 6.5
    table = auction(houses=[4, 11, 28], coins=[18, 10, 18], bid_fault_policy="clamp")
    play(table, "0 bids 6")
    refused = refusal(table, f"1 bids {amount}")
    assert refused.code == "P0301"
    fault = Fault("illegal", refused.code, refused.words, refused.facts)
    assert table.amends(1, [fault]) == Bid(10)


@pytest.mark.parametrize("coins", [5, 6])
def test_a_bad_bid_that_cannot_be_put_right_passes(coins: int) -> None:  # RULES 6.5
    table = auction(houses=[4, 11, 28], coins=[18, coins, 18], bid_fault_policy="clamp")
    play(table, "0 bids 6")
    refused = refusal(table, "1 bids 7")
    assert table.amends(1, [Fault("illegal", refused.code)]) == Pass()


def test_silence_is_not_clamped() -> None:  # RULES 6.5
    table = auction(houses=[4, 11, 28], coins=[18, 10, 18], bid_fault_policy="clamp")
    assert table.amends(0, [LATE]) is None and table.amends(0, [LATE] * 3) == Pass()


def test_a_seat_that_has_left_pays_the_price_at_once() -> None:  # RULES 6.6
    assert auction(houses=[4, 11, 28], coins=[18, 18, 18]).amends(0, [GONE]) == Pass()
    hands = [[9, 5], [7, 3], [20, 1]]
    assert sale(hands=hands, cheques=[0, 6, 15]).amends(1, [GONE]) == Sell(3)
    assert sale(hands=hands, cheques=[0, 6, 15], sell_fallback="random_seeded").amends(1, [GONE]) == SellAny()


def test_leaving_changes_nothing_on_the_table() -> None:  # RULES 6.6
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    before, asks = table.copy(), table.asks()
    assert play(table, "1 leaves") == [Left(1, "quit")]
    assert table == before and table.asks() == asks


def test_all_may_leave_and_the_match_still_ends() -> None:  # RULES 6.6
    table = new(4)
    play(table, *(f"{seat} leaves" for seat in range(4)))
    while table.result() is None:
        seat = min(seat for seat in table.asks() if seat is not None)
        price = table.amends(seat, [GONE])
        assert price is not None and not isinstance(price, Leave)
        table.play(seat, price)
    assert table.coins == [18] * 4


@pytest.mark.parametrize("act", [Join("late comer"), Close(), Leave(3, "quit"), Leave(-1, "quit"), Bid(5)])
def test_the_table_does_nothing_else(act: Any) -> None:  # RULES 6.6
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    with pytest.raises(IllegalAction):
        table.play(None, act)


def test_an_answer_nobody_asked_for_costs_nothing() -> None:  # RULES 6.7
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    assert table.amends(1, [Fault("unasked", "not_asked")] * 9) is None


@pytest.mark.parametrize("action", [Bid(19), Bid(0), Bid(-1), Sell(4), SellAny()], ids=repr)
def test_a_refused_answer_leaves_no_trace(action: Action) -> None:  # RULES 6.8
    table = auction(houses=[4, 11, 28], coins=[18, 18, 18])
    before, asks, seen = table.copy(), table.asks(), table.view(0)
    with pytest.raises(IllegalAction):
        table.play(0, action)
    assert table == before and table.asks() == asks and table.view(0) == seen


# 7. Errors


def test_too_much_is_looked_for_before_too_little() -> None:  # RULES 7.1
    table = auction(houses=[4, 11, 28], coins=[18, 3, 18])
    play(table, "0 bids 10")
    assert refusal(table, "1 bids 5").code == "P0401"  # above the 3 coins, and below the record of 10


# Counting: the number of different plays to a small depth moves if any rule does. The numbers were first found by a
# counter that shares no line with the rules.


def plays(table: State, depth: int) -> int:
    """Of seats that are asked together the lowest goes first: their order does not matter."""
    if depth == 0 or table.result() is not None:
        return 1
    seat, ask = min((seat, ask) for seat, ask in table.asks().items() if seat is not None)
    choices: tuple[Action, ...] = ask.choices
    if depth == 1:
        return len(choices)
    total = 0
    for choice in choices:
        twin = table.copy()
        twin.play(seat, choice)
        total += plays(twin, depth - 1)
    return total


def test_so_many_different_plays_begin_a_match() -> None:
    assert [plays(new(4, seed=b"counted"), depth) for depth in range(1, 5)] == [19, 190, 1330, 7315]


@pytest.mark.parametrize(
    ("seats", "counts"),
    [
        (3, [15, 166, 860, 3904]),
        (4, [15, 126, 709, 3230]),
        (5, [15, 126, 410, 2666]),
        (6, [15, 126, 330, 1504]),
    ],
)
def test_so_many_different_plays_with_four_coins_each(seats: int, counts: list[int]) -> None:
    table = new(seats, seed=b"counted", start_coins=4)
    assert [plays(table, depth) for depth in (2, 5, 7, 9)] == counts


@pytest.mark.parametrize(
    ("options", "count"),
    [
        ({}, 1042),
        ({"refund_rounding": "up"}, 1169),
        ({"opener_may_pass": False}, 168),
        ({"bid_direction": "ccw"}, 1059),
        ({"first_player_rule": "rotate"}, 1157),
        ({"first_player_rule": "fixed"}, 1014),
    ],
)
def test_so_many_different_plays_under_other_house_rules(options: dict[str, Any], count: int) -> None:
    table = auction(houses=[4, 11, 28], coins=[3, 2, 4], start_coins=4, **options)
    assert plays(table, 9) == count


def test_so_many_different_plays_end_a_match() -> None:
    table = sale(hands=[[9, 5, 8], [7, 3, 2], [20, 1, 4]], cheques=[0, 6, 15])
    assert [plays(table, depth) for depth in (1, 3, 6, 9)] == [3, 27, 27 * 8, 27 * 8]
