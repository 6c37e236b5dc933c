"""Every bot sends readable orders within the limits; the better bots make no errors, and each beats the one before."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.core import Close, Dice, Result
from parlour.games.colorfight import GAME
from parlour.games.colorfight.bots import greedy, random
from parlour.games.colorfight.general import Offer, bought, general
from parlour.games.colorfight.orders import read
from parlour.games.colorfight.rules import State
from parlour.games.colorfight.values import MOST_LETTERS, MOST_ORDERS, Command, Orders, Ruleset
from tests.games.colorfight.tables import Drawn, any_world, both, errors, fresh, state_of, table

Bot = Callable[..., Command]
THINKING = pytest.mark.parametrize("bot", [greedy, general])
EVERY = pytest.mark.parametrize("bot", GAME.hosting.bots.values(), ids=GAME.hosting.bots)


def command(state: State, bot: Bot, uid: int = 1) -> Command:
    """The bot's orders."""
    ask = state.asks()[uid - 1]
    assert isinstance(ask, Orders)
    return bot(state.view(uid - 1), ask, Dice(b"a bot's own"))


def orders(state: State, bot: Bot, uid: int = 1) -> list[Any]:
    return list(command(state, bot, uid).orders)


def play_round(state: State, players: Sequence[Bot], dice: Sequence[Dice]) -> int:
    """All living bots give orders; returns the number of orders."""
    count = 0
    for seat in state.alive():
        ask, view = state.asks()[seat], state.view(seat)
        given = players[seat](view, ask, dice[seat])
        count += len(given.orders)
        state.play(seat, given)
    state.play(None, Close())
    return count


def match(players: Sequence[Bot], seed: str, **options: Any) -> Result:
    dice = Dice(seed.encode())
    state = fresh(len(players), dice.split().below(2**32).to_bytes(4, "big"), **options)
    own = [dice.split() for _ in players]
    while (result := state.result()) is None:
        play_round(state, players, own)
    return result


def share(better: Bot, worse: Bot, seats: int, games: int, **options: Any) -> float:
    """The share of wins. Every map is played from every seat, and a tie is shared."""
    won = 0.0
    for number in range(games):
        players: list[Bot] = [worse] * seats
        players[number % seats] = better
        ranks = match(players, f"bots {number // seats}", **options).ranks
        won += (ranks[number % seats] == 1) / ranks.count(1)
    return won / games


# Orders


@EVERY
@both
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_whatever_the_position_there_is_an_answer_and_it_can_be_read(
    bot: Bot, ruleset: Ruleset, data: st.DataObject
) -> None:
    """Crowded little maps: many homes or none, dead users, no level to upgrade to, nothing to spend."""
    state = state_of(any_world(Drawn(data), ruleset), max_turn=data.draw(st.sampled_from([1, 2, 40, 500])))
    for seat in state.alive():
        given = command(state, bot, seat + 1)
        assert msgspec.convert(msgspec.to_builtins(given), Command) == given
        assert not [order for order in given.orders if isinstance(read(order), str)]


@THINKING
@both
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_nothing_goes_wrong_if_nobody_else_gives_orders(bot: Bot, ruleset: Ruleset, data: st.DataObject) -> None:
    state = state_of(any_world(Drawn(data), ruleset))
    for seat in state.alive():
        alone = state.copy()
        alone.play(seat, command(alone, bot, seat + 1))
        alone.play(None, Close())
        assert errors(alone, seat + 1) == []


@THINKING
@both
def test_nothing_goes_wrong_in_a_whole_game_alone(bot: Bot, ruleset: Ruleset) -> None:
    state, dice = fresh(1, ruleset=ruleset, width=9, height=8, max_turn=150), Dice(b"alone")
    while state.result() is None:
        play_round(state, [bot], [dice])
        assert errors(state) == []
    assert state.players[0].cells == 72


@both
def test_hardly_anything_goes_wrong_among_many(ruleset: Ruleset) -> None:
    """A home that is upgraded in the same round costs more than the view showed."""
    players: list[Bot] = [general, greedy, random, general, greedy, random]
    state, dice = fresh(6, ruleset=ruleset, width=12, height=12, max_turn=120), [Dice(bytes([n])) for n in range(6)]
    given = wrong = 0
    while state.result() is None:
        given += play_round(state, players, dice)
        wrong += sum(len(errors(state, uid)) for uid in (1, 2, 4, 5))
    assert given > 1000 and wrong <= given / 200


@EVERY
@both
def test_a_list_keeps_to_the_limits_on_the_largest_map(bot: Bot, ruleset: Ruleset) -> None:
    """A map that is half owned, with resources for tens of thousands of orders."""
    state = fresh(2, ruleset=ruleset, width=200, height=200)
    state.land.owner[:20_000] = 1
    state.players[0].energy = state.players[0].gold = 10**8
    given = command(state, bot)
    assert len(given.orders) <= MOST_ORDERS
    assert all(isinstance(order, str) and len(order) <= MOST_LETTERS for order in given.orders)
    assert bot is random or len(given.orders) == MOST_ORDERS
    state.play(0, given)
    state.play(None, Close())
    assert bot is random or errors(state) == []


# How general thinks


def test_the_best_is_bought_first_and_what_cannot_be_paid_is_saved_for() -> None:
    dear, land, mine = Offer(3, 0, 90, "a", 0), Offer(2, 0, 20, "a", 1), Offer(1, 100, 0, "g", 2)
    assert list(bought([mine, land, dear], gold=100, energy=110)) == [dear, land, mine]
    assert list(bought([mine, land, dear], gold=100, energy=80)) == [mine]


def test_a_well_is_built_while_there_is_land_to_take_and_a_mine_once_there_is_none() -> None:
    natural = {(1, 0): (6, 5, 50)}
    assert "b 1 0 e" in orders(table("1h 1 . / . . .", gold=100, natural=natural), general)
    assert "b 1 0 g" in orders(table("1h 1 / 1g 1g", gold=100, natural=natural), general)


@both
def test_nothing_is_built_that_does_not_pay_before_the_end(ruleset: Ruleset) -> None:
    natural = {(1, 0): (10, 1, 50)}
    late, early = (table("1h 1 / 1g 1g", gold=5000, natural=natural, ruleset=ruleset, max_turn=n) for n in (14, 16))
    assert orders(late, general) == []
    assert orders(early, general) == ["b 1 0 g"]


@pytest.mark.parametrize(("max_turn", "given"), [(500, ["u 0 0"]), (20, [])])
def test_a_home_is_upgraded_for_the_levels_that_it_allows_if_there_is_time(max_turn: int, given: list[str]) -> None:
    natural = {(x, y): (10, 1, 50) for x in range(8) for y in range(2)}
    mines = "1h 1g 1g 1g 1g 1g 1g 1g / 1g 1g 1g 1g 1g 1g 1g 1g"
    assert orders(table(mines, energy=9000, gold=9000, natural=natural, max_turn=max_turn), general) == given


def test_between_equal_cells_the_one_before_better_land_is_taken() -> None:
    natural = {(0, 1): (10, 10, 50), (4, 1): (1, 1, 50)}
    state = table(". . 1h . . / . . . . . ", energy=50, natural={**natural, (2, 1): (1, 1, 300)})
    assert orders(state, general) == ["a 1 0 50"]


def test_a_rivals_home_is_worth_more_than_poor_land() -> None:
    state = table("1h 2h / 1 2", energy=[1000, 100], natural={(1, 1): (1, 1, 300)})
    assert orders(state, general) == ["a 1 0 1000"]


def test_somebody_who_may_come_for_the_same_cell_is_outbid() -> None:
    contested, free = table("1h . 2h / 1g 1g 2", energy=99), table("1h . . / 1g 1g 1g", energy=99)
    assert orders(free, general) == ["a 1 0 50"]
    (order,) = orders(contested, general)
    assert 50 < int(order.split()[3]) <= 70


@both
def test_energy_that_is_left_over_makes_force_fields_beside_rivals(ruleset: Ruleset) -> None:
    state = table("1h 1 2 2h / 1 1 2 2", energy=[3000, 0], ruleset=ruleset)
    assert orders(state, general) == ["a 2 0 50", "a 2 1 50", "a 1 0 500", "a 1 1 500"]


# How strong they are


# Among equals a share of 20 games would be 0.5 or 0.25, with a standard error of 0.11 or 0.1: every floor is three of
# them above.


@both
@pytest.mark.parametrize(("seats", "least"), [(2, 0.85), pytest.param(4, 0.55, marks=pytest.mark.slow)])
def test_general_beats_greedy(ruleset: Ruleset, seats: int, least: float) -> None:
    assert share(general, greedy, seats, games=20, ruleset=ruleset, width=20, height=20, max_turn=120) >= least


@both
def test_greedy_beats_random(ruleset: Ruleset) -> None:
    assert share(greedy, random, 2, games=10, ruleset=ruleset, width=10, height=10, max_turn=60) >= 0.8


def test_the_strongest_is_named_last() -> None:
    assert list(GAME.hosting.bots) == ["random", "greedy", "general"]


@both
def test_the_same_position_and_dice_give_the_same_orders(ruleset: Ruleset) -> None:
    players: list[Bot] = [general, general, greedy]
    small = {"ruleset": ruleset, "width": 8, "height": 8, "max_turn": 40}
    assert match(players, "same", **small) == match(players, "same", **small)
