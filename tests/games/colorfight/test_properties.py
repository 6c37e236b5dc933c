"""Invariants of every position, and the engine compared with a slow model of a round."""

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.core import Close, Dice
from parlour.games.colorfight import bots
from parlour.games.colorfight.rules import State
from parlour.games.colorfight.tables import RULES
from parlour.games.colorfight.values import Command, Odd, Order, Ruleset
from tests.games.colorfight.model import Spot, Text, World, play_round, renamed
from tests.games.colorfight.tables import (
    RULESETS,
    Drawn,
    any_lists,
    any_order,
    any_world,
    both,
    fresh,
    order_of,
    state_of,
    table,
    world_of,
)

some = settings(max_examples=60)
ROUNDS = 1500
"""Cases drawn by dice, where hypothesis would take minutes."""

Lists = dict[int, list[Text]]


def played(state: State, lists: Lists) -> State:
    """The state, a round later."""
    for uid, texts in lists.items():
        state.play(uid - 1, Command(tuple([order_of(text) for text in texts])))
    state.play(None, Close())
    return state


# The slow model


@both
@some
@given(st.data())
def test_the_engine_and_the_slow_model_agree(ruleset: Ruleset, data: st.DataObject) -> None:  # RULES 5, 6
    """All cells, users and exact error messages, over a few rounds."""
    chance = Drawn(data)
    world = any_world(chance, ruleset)
    state = state_of(world)
    for _ in range(1 + chance.below(3)):
        lists = any_lists(chance, world)
        play_round(world, lists)
        assert world_of(played(state, lists)) == world


def disagreements(ruleset: Ruleset, rounds: int, **changes: Any) -> int:
    """The number of random rounds in which the engine, perhaps with changed rules, differs from the slow model."""
    dice, found = Dice(ruleset.encode()), 0
    for _ in range(rounds):
        world = any_world(dice, ruleset)
        state = state_of(world)
        state.rules = msgspec.structs.replace(state.rules, **changes)
        lists = any_lists(dice, world)
        play_round(world, lists)
        found += world_of(played(state, lists)) != world
    return found


@both
def test_they_agree_in_thousands_of_rounds(ruleset: Ruleset) -> None:  # RULES 5, 6
    assert disagreements(ruleset, ROUNDS) == 0


@both
@pytest.mark.parametrize("rule", ["prices", "home_by_level", "sums", "by_kind", "destroyed"])
def test_they_would_not_agree_if_any_rule_were_the_others(ruleset: Ruleset, rule: str) -> None:  # RULES 1.5
    """Proves that the random rounds show every difference between the rulesets."""
    other = RULES["classic" if ruleset == "seed" else "seed"]
    assert disagreements(ruleset, 400, **{rule: getattr(other, rule)}) > 2


@both
@pytest.mark.parametrize("seed", [b"one", b"two"])
def test_whole_games_agree_with_the_slow_model(ruleset: Ruleset, seed: bytes) -> None:  # RULES 5, 6
    """Long matches reach better homes and wars, which a few rounds do not."""
    state = fresh(3, seed, ruleset=ruleset, width=6, height=5, max_turn=150)
    world, dice, best = world_of(state), Dice(seed), 0
    while state.result() is None:
        lists: Lists = {}
        for seat in state.alive():
            bot = dice.pick((bots.greedy, bots.greedy, bots.random))
            lists[seat + 1] = [str(order) for order in bot(state.view(seat), state.asks()[seat], dice).orders]
        play_round(world, lists)
        assert world_of(played(state, lists)) == world
        best = max(best, *state.view(None).level)
    assert best > 1


# Bounds and sums


def sound(state: State) -> None:
    """The users' numbers agree with the map, and all values are within bounds."""
    view = state.view(None)
    assert all(0 <= force_field <= 1000 for force_field in view.force_field)
    assert all(1 <= level <= 4 for level in view.level)
    assert all(0 <= owner <= len(view.users) for owner in view.owner)
    nobodys = [cell for cell, owner in enumerate(view.owner) if owner == 0]
    assert all((view.building[cell], view.force_field[cell]) == (" ", 0) for cell in nobodys)
    for uid, user in enumerate(view.users, start=1):
        own = [cell for cell, owner in enumerate(view.owner) if owner == uid]
        assert user.cells == len(own) and user.dead == (not own)
        assert user.energy >= 0 and user.gold >= 0
        assert user.gold_source == sum(view.gold[cell] for cell in own)
        assert user.energy_source == sum(view.energy[cell] for cell in own)
        assert user.tech_level == max((view.level[cell] for cell in own if view.building[cell] == "h"), default=0)


@both
@some
@given(st.data())
def test_nothing_leaves_its_bounds_and_all_sums_are_right(ruleset: Ruleset, data: st.DataObject) -> None:  # RULES 6
    chance = Drawn(data)
    state = state_of(any_world(chance, ruleset))
    sound(state)
    for _ in range(1 + chance.below(4)):
        played(state, any_lists(chance, world_of(state)))
        sound(state)


@both
@given(st.binary(min_size=1, max_size=4))
@settings(max_examples=20)
def test_nothing_leaves_its_bounds_in_games_of_bots(ruleset: Ruleset, seed: bytes) -> None:  # RULES 6
    dice = Dice(seed)
    state = State.new(3, fresh(0, width=4, height=4, max_turn=60, ruleset=ruleset).options, None, dice.split())
    while state.result() is None:
        for seat in state.alive():
            state.play(seat, dice.pick((bots.greedy, bots.random))(state.view(seat), state.asks()[seat], dice))
        state.play(None, Close())
        sound(state)


# What is spent


def bill(world: World, orders: Sequence[str]) -> tuple[int, int]:
    """Energy and gold spent by successful orders. No order occurs twice."""
    energy = gold = 0
    for order in orders:
        letter, x, y, *more = order.split()
        cell = world.cells[int(x), int(y)]
        if letter == "a":
            energy += int(more[0])
        elif letter == "b":
            gold += 100
        elif cell.building == "home":
            energy, gold = energy + 500 * 2**cell.level, gold + 500 * 2**cell.level
        else:
            gold += 100 * 2**cell.level
            energy += 100 * 2**cell.level if world.ruleset == "seed" else 0
    return energy, gold


@both
@some
@given(st.data())
def test_what_is_gone_is_what_was_carried_out_and_nothing_else(
    ruleset: Ruleset, data: st.DataObject
) -> None:  # RULES 5, 7.1
    chance = Drawn(data)
    before = any_world(chance, ruleset)
    state = state_of(before)
    living = [uid for uid, person in before.people.items() if not person.dead]
    lists = {uid: list(dict.fromkeys(any_order(chance, before, uid) for _ in range(chance.below(8)))) for uid in living}
    after = world_of(played(state, {uid: list(texts) for uid, texts in lists.items()}))
    for uid in living:
        failed = {line.partition(" failed, ")[0] for line in after.people[uid].errors}
        energy, gold = bill(before, [order for order in lists[uid] if order not in failed])
        person = after.people[uid]
        assert person.energy == before.people[uid].energy - energy + person.energy_source
        assert person.gold == before.people[uid].gold - gold + person.gold_source


HOPELESS: Sequence[Order] = (
    "?",
    "",
    Odd("None"),
    "a 9 9 9",
    "a 0 0 -5",
    "b 0 9 e",
    "b 0 0 h",
    "u -1 0",
    "u 0",
    "a 0 0 x",
)


@both
@some
@given(st.data())
def test_hopeless_orders_might_as_well_not_have_been_sent(ruleset: Ruleset, data: st.DataObject) -> None:  # RULES 7.1
    chance = Drawn(data)
    world = any_world(chance, ruleset)
    state = state_of(world)
    twin = state.copy()
    for uid, texts in any_lists(chance, world).items():
        orders = [order_of(text) for text in texts]
        state.play(uid - 1, Command(tuple(orders)))
        for _ in range(1 + chance.below(4)):
            orders.insert(chance.below(len(orders) + 1), chance.pick(HOPELESS))
        twin.play(uid - 1, Command(tuple(orders)))
    state.play(None, Close())
    twin.play(None, Close())
    assert state.view(None) == twin.view(None)


# Fairness


@some
@given(st.data())
def test_the_time_of_joining_does_not_matter_in_seed(data: st.DataObject) -> None:  # RULES 5.7
    """Permuting the uids permutes the result and changes nothing else."""
    chance = Drawn(data)
    world = any_world(chance, "seed")
    last = len(world.people) + 1
    lists = any_lists(chance, world)
    other = state_of(renamed(world, lambda uid: last - uid))
    after = world_of(played(state_of(world), lists))
    renumbered = world_of(played(other, {last - uid: texts for uid, texts in lists.items()}))
    assert renamed(after, lambda uid: last - uid) == renumbered


# Counting


def positions(state: State) -> dict[Any, State]:
    """All positions after a round in which every player gives at most one order."""
    view = state.view(None)
    spots: list[Spot] = [(x, y) for y in range(view.height) for x in range(view.width)]
    costs = dict(zip(spots, view.attack_cost, strict=True))
    orders: list[str | None] = [None]
    for x, y in spots:
        orders += [
            f"a {x} {y} {costs[x, y]}",
            f"a {x} {y} {costs[x, y] + 1}",
            f"b {x} {y} e",
            f"b {x} {y} g",
            f"u {x} {y}",
        ]
    found = {}
    for one in orders:
        for other in orders if len(view.users) > 1 else [None]:
            twin = state.copy()
            for seat, order in enumerate((one, other)):
                if order is not None:
                    twin.play(seat, Command((order,)))
            twin.play(None, Close())
            found[msgspec.json.encode(twin.view(None))] = twin
    return found


@both
def test_so_many_different_rounds_of_one_player(ruleset: Ruleset) -> None:
    first = positions(table("1h 1 / . .", energy=1200, gold=1100, ruleset=ruleset))
    # Nothing; two strengths on each of four cells; a well or a mine on the empty one; a better home.
    assert len(first) == 1 + 2 * 4 + 2 + 1
    assert len({key for each in first.values() for key in positions(each)}) == 127


@pytest.mark.parametrize(
    ("rows", "gold", "seed", "classic"),
    [("1h 1g / 2e 2h", 250, 81, 79), ("1h 1g / 2e 2h", 1250, 100, 96), ("1h2 1g / 2e 2h", 1250, 100, 62)],
)
def test_so_many_different_rounds_of_two_players(rows: str, gold: int, seed: int, classic: int) -> None:
    for ruleset, count in zip(RULESETS, (seed, classic), strict=True):
        force_field = {(1, 0) if rows.startswith("1h ") else (0, 0): 30}
        assert len(positions(table(rows, energy=1300, gold=gold, field=force_field, ruleset=ruleset))) == count
