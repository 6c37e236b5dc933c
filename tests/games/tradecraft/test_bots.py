"""The bots plan, pay, refuse and craft sensibly, never send invalid actions, and the negotiator is the best."""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.core import GONE, AnswerRefused, Ask, Dice, Event, Leave, Place, Result
from parlour.games import game
from parlour.games.tradecraft import GAME, bots
from parlour.games.tradecraft.bundles import TARGETS
from parlour.games.tradecraft.guesses import Rival, Sketch, Sketcher
from parlour.games.tradecraft.negotiator import Negotiator, finish
from parlour.games.tradecraft.planner import planner, steps
from parlour.games.tradecraft.plans import TRADE, UNIT, plan, together, unused
from parlour.games.tradecraft.rules import State
from parlour.games.tradecraft.solver import Step
from parlour.games.tradecraft.values import (
    Action,
    Apply,
    Check,
    Checked,
    Decide,
    Done,
    Options,
    Propose,
)
from parlour.players.play import play as play_match
from parlour.players.player_specs import load
from parlour.players.terms import Terms
from parlour.referee.match import Match, Out
from tests.games.tradecraft.tables import hands, held, pass_turn, play, table, wholes

MAKERS: dict[str, Callable[[], Any]] = {
    "random": lambda: bots.random,
    "planner": lambda: planner,
    "negotiator": Negotiator,
}
THINKERS = ("planner", "negotiator")
NO_DICE = Dice(b"")


class Players:
    """Bots at a table; each gets the events that it may see."""

    def __init__(self, state: State, names: Sequence[str], salt: str = "") -> None:
        self.state = state
        self.names = names
        self.minds = [MAKERS[name]() for name in names]
        self._dice = [Dice(f"{salt} {seat}".encode()) for seat in range(len(names))]
        for seat, mind in enumerate(self.minds):
            if hasattr(mind, "sit"):
                mind.sit(Place("tradecraft", "m", seat, tuple(names), state.options, ""))

    def answer(self, seat: int, ask: Ask[Any]) -> Action:
        return self.minds[seat](self.state.view(seat), ask, self._dice[seat])  # type: ignore[no-any-return]

    def act(self) -> tuple[int, Action]:
        """The first asked seat answers, by default if it has left. An illegal answer raises."""
        seat, ask = next(iter(self.state.asks().items()))
        assert seat is not None
        said = self.answer(seat, ask)
        if seat in self.state.gone:
            price = self.state.amends(seat, [GONE])
            assert price is not None
            said = price
        self.tell(self.state.play(seat, said))
        return seat, said

    def tell(self, events: Sequence[Event]) -> None:
        for event in events:
            if isinstance(event, Checked) and self.names[event.seat] in THINKERS:
                assert event.code == 0, event
            for seat, mind in enumerate(self.minds):
                if hasattr(mind, "event") and (seen := event.seen_by(seat)) is not None:
                    mind.event(seen)

    def finish(self) -> State:
        while self.state.result() is None:
            self.act()
        return self.state


def played(names: Sequence[str], salt: str, **options: Any) -> State:
    state = State.new(len(names), Options(**options), None, Dice(salt.encode()))
    return Players(state, names, salt).finish()


def says(state: State, seat: int, mind: Any = planner) -> Any:
    """What a bot answers to what it is asked."""
    return mind(state.view(seat), state.asks()[seat], NO_DICE)


def crafts(state: State, seat: int, mind: Any = planner) -> None:
    """Let a bot craft until it is done; all its checks must succeed."""
    said = None
    while not isinstance(said, Done):
        said = says(state, seat, mind)
        for event in state.play(seat, said):
            assert not isinstance(event, Checked) or event.code == 0, event


# They are there


def test_the_bots_are_listed_from_the_weakest_to_the_strongest() -> None:
    assert list(game("tradecraft").hosting.bots) == list(MAKERS)
    assert GAME.hosting.bots["planner"] is planner and GAME.hosting.bots["negotiator"] is Negotiator


# A plan


def test_a_plan_says_what_to_get_from_whom_and_what_can_be_spared() -> None:
    found = plan(wholes("8 iron_nugget 3 stick 2 dirt"), {1: wholes("2 coal 3 cobblestone")}, {"lantern": 1})
    assert found is not None
    assert found.takes == {1: {"coal": 1}}
    assert found.spare == {"stick": 2, "dirt": 2}
    assert found.cost == TRADE + UNIT


def test_what_is_used_up_and_made_again_cannot_be_spared() -> None:
    one, two = Fraction(1), Fraction(2)
    again = [
        Step("fill", {"bucket": one}, {"water_bucket": one}, {}),
        Step("pour", {"water_bucket": one}, {}, {"bucket": one}),
    ]
    assert unused({"bucket": 1}, again, {}) == {"bucket": 0, "water_bucket": 0}
    assert unused({"bucket": 1}, [Step("double", {"bucket": one}, {}, {"bucket": two})], {}) == {"bucket": 0}
    found = plan(wholes("3 milk_bucket 2 sugar 1 egg 1 bucket"), {1: wholes("3 wheat")}, {"cake": 1})
    assert found is not None and found.spare == {"bucket": 1}, "three more come back, but only in the end"


def test_a_plan_has_few_to_trade_with() -> None:
    others = {1: wholes("1 coal 9 apple"), 2: wholes("1 charcoal 1 stick")}
    found = plan({"dirt": 1}, others, {"torch": 4})
    assert found is not None and found.takes == {2: {"charcoal": 1, "stick": 1}}


def test_a_plan_turns_to_those_who_have_not_refused() -> None:
    others = {1: wholes("1 coal"), 2: wholes("1 charcoal")}
    for refused, other in ((1, 2), (2, 1)):
        item = {1: "coal", 2: "charcoal"}[refused]
        found = plan(wholes("1 stick"), others, {"torch": 4}, refusals={(refused, item): 1})
        assert found is not None and list(found.takes) == [other]


def test_there_is_no_plan_where_there_is_no_way() -> None:
    assert plan(wholes("9 dirt"), {1: wholes("9 sand")}, {"beacon": 1}) is None
    assert plan(wholes("9 dirt"), {}, {"beacon": 1}) is None


def test_nothing_is_to_be_got_when_the_hand_is_enough() -> None:
    found = plan(wholes("1 coal 2 stick"), {1: wholes("9 coal")}, {"torch": 4})
    assert found is not None and not found.takes and not found.cost and found.spare == {"stick": 1}


@pytest.mark.parametrize("whole_batches", [False, True])
def test_whole_batches_need_more(whole_batches: bool) -> None:
    """A lantern takes one torch, and a torch a quarter of a stick; but only four torches are made at once."""
    found = plan(
        wholes("8 iron_nugget"), {1: wholes("1 coal 1 oak_planks")}, {"lantern": 1}, whole_batches=whole_batches
    )
    assert (found is None) == whole_batches
    more = plan(
        wholes("8 iron_nugget"), {1: wholes("1 coal 2 oak_planks")}, {"lantern": 1}, whole_batches=whole_batches
    )
    assert more is not None and more.takes[1]["oak_planks"] == (2 if whole_batches else 1)


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(2, 6), st.booleans())
def test_whoever_gets_what_is_planned_and_gives_what_is_spare_can_craft_it(
    number: int, seats: int, whole_batches: bool
) -> None:
    state = State.new(seats, Options(whole_batches=whole_batches), None, Dice(b"%d" % number))
    everybody = [wholes(" ".join(f"{n} {item}" for item, n in hand.items())) for hand in hands(state)]
    target = {item: int(amount) for item, amount in state.targets[0].items()}
    found = plan(
        everybody[0], {seat: hand for seat, hand in enumerate(everybody) if seat}, target, whole_batches=whole_batches
    )
    assert found is not None and found.takes, "made-up problems can be solved, by trade and in no other way"
    for seat, items in found.takes.items():
        assert all(everybody[seat][item] >= amount > 0 for item, amount in items.items())
    kept = {item: amount - found.spare.get(item, 0) for item, amount in everybody[0].items()}
    then = {item: amount for item, amount in together([kept, *found.takes.values()]).items() if amount}
    assert plan(then, {}, target, whole_batches=whole_batches) is not None


# The planner


def test_planners_win_a_problem_of_one_trade() -> None:
    state = table("1 coal 5 dirt", "2 stick", targets=["4 torch"])
    Players(state, ["planner", "random"]).act()
    play(state, "1 accepts")
    crafts(state, 0)
    play(state, "1 is done")
    assert state.view(0).winners == (0,)


def test_the_planner_asks_for_what_it_lacks_with_what_it_can_spare() -> None:
    said = says(table("1 coal 5 dirt", "2 stick", targets=["4 torch"]), 0)
    assert said == Propose(1, {"dirt": 1}, {"stick": 1}, said.message)
    assert said.message == "I could use 1 stick. Would 1 dirt do?"


def test_it_pays_with_what_the_partner_has_asked_for() -> None:
    state = table("1 coal 5 dirt 5 apple 5 sand", "2 stick", targets=["4 torch"])
    pass_turn(state)
    play(state, "1 offers 0 nothing for 3 sand", "0 rejects", "all are done")
    assert says(state, 0).offer == {"sand": 1}


def test_it_pays_with_what_the_partner_has_named_in_a_reply() -> None:
    state = table("1 coal 5 dirt 5 apple 5 sand", "2 stick", targets=["4 torch"])
    play(state, "0 offers 1 1 dirt for 1 stick", "1 rejects: Apple would be fine.", "all are done")
    pass_turn(state)
    assert next(iter(says(state, 0).offer)) == "apple"


def test_it_offers_more_after_every_refusal() -> None:
    state = table("1 coal 5 dirt 5 apple 5 sand", "2 stick", targets=["4 torch"])
    sizes = []
    for _ in range(3):
        said = says(state, 0)
        sizes.append(sum(said.offer.values()))
        state.play(0, said)
        play(state, "1 rejects", "all are done")
        pass_turn(state)
    assert sizes == [1, 4, 9]


def test_it_asks_stubborn_partners_for_one_kind_at_a_time() -> None:
    state = table("9 dirt", "1 coal 2 stick", targets=["4 torch"])
    for _ in range(2):
        assert len(says(state, 0).request) == 2
        state.play(0, says(state, 0))
        play(state, "1 rejects", "all are done")
        pass_turn(state)
    assert len(says(state, 0).request) == 1


DECISIONS = {
    "what brings it nearer": ("0 offers 1 1 stick for 1 apple", "accept"),
    "a gift": ("0 offers 1 1 dirt", "accept"),
    "nothing for nothing": ("0 offers 1 nothing", "reject"),
    "what does not help": ("0 offers 1 9 dirt for 1 apple", "reject"),
    "what takes something needed": ("0 offers 1 9 dirt for 1 coal", "reject"),
    "as much help as harm": ("0 offers 1 1 stick for 1 coal", "reject"),
    "a demand": ("0 offers 1 nothing for 1 apple", "reject"),
}


@pytest.mark.parametrize(("proposal", "decision"), DECISIONS.values(), ids=DECISIONS)
def test_the_planner_decides_about(proposal: str, decision: str) -> None:
    state = table("9 dirt 1 stick", "1 coal 2 apple", "9 sand", targets=["", "4 torch"])
    play(state, proposal)
    assert says(state, 1).decision == decision


def test_it_says_what_it_is_looking_for() -> None:
    state = table("9 dirt 1 stick", "1 coal 2 apple", targets=["", "4 torch"])
    play(state, "0 offers 1 1 dirt for 1 apple")
    assert says(state, 1) == Decide("reject", "No. I am looking for 1 stick.")


def test_late_in_the_game_it_gives_what_it_can_spare_for_a_fair_price() -> None:
    state = table("9 dirt 1 stick", "1 coal 2 apple", targets=["", "4 torch"], max_turn=4)
    pass_turn(state)
    pass_turn(state)
    play(state, "0 offers 1 1 dirt for 1 apple")
    assert says(state, 1).decision == "accept"


# Crafting


def bench(*hands: str, targets: Sequence[str], **options: Any) -> State:
    """The crafting phase after a rejected proposal."""
    state = table(*hands, targets=targets, **options)
    play(state, "0 offers 1 nothing", "1 rejects")
    return state


@pytest.mark.parametrize("mind", [planner, Negotiator()], ids=THINKERS)
@pytest.mark.parametrize(
    ("hand", "target"),
    [
        ("3 raw_iron 1 coal", "1 bucket"),
        ("3 raw_iron 2 oak_planks", "1 bucket"),
        ("1 oak_log 1 cobblestone", "1 lever"),
        ("8 iron_nugget 1 coal 1 stick", "1 lantern"),
        ("3 milk_bucket 2 sugar 1 egg 3 wheat", "1 cake"),
        ("2 oak_log", "1 charcoal"),
        ("1 iron_block 1 lava_bucket", "1 bucket 3 iron_ingot"),
    ],
)
def test_they_craft_through_fuel_and_fractions(hand: str, target: str, mind: Any) -> None:
    state = bench(hand, "1 dirt", targets=[target])
    crafts(state, 0, mind)
    play(state, "1 is done")
    assert state.view(0).winners == (0,)


def test_the_planner_makes_early_what_it_can() -> None:
    state = bench("2 oak_planks 1 dirt", "3 iron_ingot 1 apple", targets=["1 iron_axe"])
    crafts(state, 0)
    assert held(state, 0) == {"dirt": 1, "oak_planks": 1, "stick": 2}


@pytest.mark.parametrize(
    ("hand", "target"),
    [
        ("1 oak_log 1 dirt", "1 iron_axe"),  # a quarter of it makes two sticks, and the rest would be lost
        ("1 raw_iron 1 coal", "1 shears"),  # an eighth of the coal would do for one
    ],
)
def test_but_not_what_would_leave_a_fraction(hand: str, target: str) -> None:
    state = bench(hand, "3 iron_ingot 1 apple", targets=[target])
    assert steps(state.view(0)) == ()


def test_the_negotiator_shows_nothing_before_it_wins() -> None:
    state = bench("2 oak_planks 1 dirt", "3 iron_ingot 1 apple", targets=["1 iron_axe"])
    assert finish(state.view(0)) == ()
    assert says(state, 0, Negotiator()) == Done()


@pytest.mark.parametrize("mind", [planner, Negotiator()], ids=THINKERS)
def test_with_a_single_check_a_turn_it_takes_several_turns(mind: Any) -> None:
    state = bench("4 oak_planks 4 cobblestone", "1 dirt", targets=["4 lever"], max_checks=1)
    crafts(state, 0, mind)
    play(state, "1 is done", "1 offers 0 nothing", "0 rejects")
    assert held(state, 0) == {"cobblestone": 4, "oak_planks": 2, "stick": 4}
    crafts(state, 0, mind)
    play(state, "1 is done")
    assert state.view(0).winners == (0,)


# What others want


def test_a_sketch_says_what_is_lacking_and_what_is_needed() -> None:
    sketcher = Sketcher(wholes("3 raw_iron 2 dirt"), wholes("1 coal 5 apple"))
    assert sketcher.sketch({"bucket": 1}) == Sketch({"coal": 1}, {"raw_iron": 3})
    assert sketcher.sketch({"cauldron": 1}) is None, "there is not enough iron"
    assert sketcher.sketch({"beacon": 1}) is None


def likelihood(rival: Rival, target: str) -> float:
    return sum(guess.likely for guess in rival.guesses() if guess.target == target)


def test_a_request_tells_what_for() -> None:
    rival = Rival(wholes("3 stick 4 apple"), wholes("5 iron_ingot 5 cobblestone 3 string 8 gold_ingot"))
    before = {target: likelihood(rival, target) for target in ("iron_pickaxe", "bow", "golden_apple")}
    assert all(before.values())
    rival.wanted({"string": 3}, {"apple": 1})
    assert likelihood(rival, "bow") > max(before.values())
    assert likelihood(rival, "iron_pickaxe") < before["iron_pickaxe"]
    assert likelihood(rival, "golden_apple") < before["golden_apple"]


def test_so_does_what_is_made() -> None:
    rest = wholes("5 iron_ingot 3 string")
    rival = Rival(wholes("3 oak_planks 1 oak_log"), rest)
    before = likelihood(rival, "iron_axe"), likelihood(rival, "shield")
    rival.crafted(wholes("2 oak_planks 1 oak_log 2 stick"), rest)
    assert likelihood(rival, "iron_axe") > before[0] and likelihood(rival, "shield") < before[1]


def test_and_a_refusal_what_not() -> None:
    rival = Rival(wholes("3 stick"), wholes("3 iron_ingot 3 string"))
    before = likelihood(rival, "bow")
    rival.refused({"string": 3}, {})
    assert likelihood(rival, "bow") < before


def test_guesses_are_shares_of_a_whole() -> None:
    rival = Rival(wholes("3 stick"), wholes("3 iron_ingot 3 string"))
    rival.wanted({"string": 3}, {})
    rival.named(["string", "hello"])
    assert sum(guess.likely for guess in rival.guesses()) == pytest.approx(1)


# The negotiator


def deals(first: str, second: str, target: str, other: str, **options: Any) -> tuple[State, Negotiator]:
    """A negotiator at seat 0, and a rival at seat 1 who has just asked for something in vain."""
    state, mind = table(first, second, targets=[target, other], **options), Negotiator()
    mind.sit(Place("tradecraft", "m", 0, ("negotiator", "other"), state.options, ""))
    for event in pass_turn(state):
        mind.event(event)
    return state, mind


def hears(state: State, mind: Negotiator, *moves: str) -> None:
    for event in play(state, *moves):
        if (seen := event.seen_by(0)) is not None:
            mind.event(seen)


def test_it_does_not_give_away_the_last_piece() -> None:
    """For four sticks it would have a torch; but then the other would have a pickaxe at once, and win alone."""
    state, mind = deals("3 cobblestone 2 coal 1 dirt", "2 stick 1 iron_nugget 2 apple", "1 lantern", "1 stone_pickaxe")
    hears(state, mind, "1 offers 0 1 iron_nugget for 3 cobblestone")
    assert says(state, 0, mind).decision == "reject"


def test_it_pays_with_so_much_that_it_wins_alone() -> None:
    """The other one asked for three pieces of cobblestone; two bring it nearer, and no further."""
    state, mind = deals("3 cobblestone 1 coal 1 dirt", "4 stick 2 apple", "4 torch", "1 stone_pickaxe")
    hears(state, mind, "1 offers 0 1 apple for 3 cobblestone")
    reply = says(state, 0, mind)
    assert reply == Decide("reject", "I would rather have 1 stick.")
    hears(state, mind, "0 rejects", "all are done")
    said = says(state, 0, mind)
    assert said.partner == 1 and said.request == {"stick": 1} and 0 < said.offer["cobblestone"] < 3
    state.play(0, said)
    assert says(state, 1).decision == "accept"


def test_in_the_last_turn_it_is_glad_to_share() -> None:
    state, mind = deals("3 cobblestone 1 coal", "4 stick", "4 torch", "1 stone_pickaxe", max_turn=2)
    hears(state, mind, "1 offers 0 1 stick for 3 cobblestone")
    assert says(state, 0, mind).decision == "accept"


def test_in_the_last_turn_it_makes_nobody_else_win() -> None:
    state, mind = deals("3 cobblestone 1 coal", "2 stick 9 apple", "1 lantern", "1 stone_pickaxe", max_turn=2)
    hears(state, mind, "1 offers 0 9 apple for 3 cobblestone")
    assert says(state, 0, mind).decision == "reject"


def test_it_takes_gifts() -> None:
    state, mind = deals("3 cobblestone", "2 stick", "1 lantern", "1 stone_pickaxe")
    hears(state, mind, "1 offers 0 1 stick")
    assert says(state, 0, mind).decision == "accept"


def test_it_gets_from_one_what_another_will_take() -> None:
    """Seat 2 has the string and lacks a feather; seat 1 has some, and has asked for cobblestone."""
    state = table("3 stick 3 cobblestone", "4 feather 2 stick", "3 string 1 flint 1 stick", targets=["1 bow"])
    mind = Negotiator()
    mind.sit(Place("tradecraft", "m", 0, ("negotiator", "one", "two"), state.options, ""))
    hears(state, mind, "0 offers 2 3 cobblestone for 3 string", "2 rejects: A feather, yes.", "all are done")
    hears(state, mind, "1 offers 0 1 feather for 3 cobblestone", "0 rejects", "all are done")
    hears(state, mind, "2 offers 0 nothing", "0 rejects", "all are done")
    said = says(state, 0, mind)
    assert said.partner == 1 and said.request == {"feather": 1} and 0 < said.offer["cobblestone"] < 3


def test_it_thinks_without_having_heard_anything() -> None:
    """As after a resumed match: it uses the view only."""
    state, mind = table("3 cobblestone 1 coal 1 dirt", "4 stick", targets=["4 torch", "1 stone_pickaxe"]), Negotiator()
    state.play(0, says(state, 0, mind))
    play(state, "1 rejects", "all are done", "1 offers 0 1 stick", "0 accepts")
    assert held(state, 0)["stick"] == 1
    assert isinstance(says(state, 0, mind), Check)


# Never anything that cannot be

VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"whole_batches": True},
    {"order": "drawn", "least_kinds": 2, "decoys": 0},
    {"max_checks": 2, "fair": False, "most_depth": 2},
)


def drawn(number: int, seats: int, depth: int, options: dict[str, Any]) -> State:
    """A table after some answers of different bots."""
    state, dice = State.new(seats, Options(**options), None, Dice(b"%d" % number)), Dice(b"who %d" % number)
    players = Players(state, [dice.pick(list(MAKERS)) for _ in range(seats)], f"{number}")
    while depth and state.result() is None:
        players.act()
        depth -= 1
    return state


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.integers(2, 6), st.integers(0, 40), st.sampled_from(VARIANTS))
def test_whatever_the_position_their_answer_is_legal(
    number: int, seats: int, depth: int, options: dict[str, Any]
) -> None:
    state = drawn(number, seats, depth, options)
    for seat, ask in state.asks().items():
        assert seat is not None
        for name in THINKERS:
            said = MAKERS[name]()(state.view(seat), ask, Dice(b""))
            assert msgspec.json.decode(msgspec.json.encode(said), type=Propose | Decide | Check | Apply | Done) == said
            for event in state.copy().play(seat, said):
                assert not isinstance(event, Checked) or event.code == 0


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_games_of_all_bots_come_to_an_end(options: dict[str, Any]) -> None:
    for number in range(4):
        assert played(["planner", "negotiator", "random"], f"end {number}", **options).result() is not None


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.integers(2, 5))
def test_nothing_raises_when_others_leave(number: int, seats: int) -> None:
    dice = Dice(b"leaving %d" % number)
    state = State.new(seats, Options(), None, Dice(b"%d" % number))
    players = Players(state, ["negotiator", *[dice.pick(THINKERS) for _ in range(seats - 1)]], f"{number}")
    while state.result() is None:
        players.act()
        leaver = 1 + dice.below(seats - 1)
        if state.result() is None and leaver not in state.gone and not dice.below(5):
            players.tell(state.play(None, Leave(leaver, "quit")))
    assert state.result() is not None


@pytest.mark.parametrize("mind", THINKERS)
def test_nothing_raises_when_the_target_is_impossible(mind: str) -> None:
    state = table("9 dirt 1 stick", "2 apple 1 coal", targets=["1 beacon", "1 dragon_egg"], max_turn=4)
    assert Players(state, [mind, mind]).finish().view(None).winners == ()


@pytest.mark.parametrize("mind", THINKERS)
def test_nor_when_the_hands_are_huge_or_empty(mind: str) -> None:
    many = " ".join(f"{100_000} {item}" for item in sorted(TARGETS))
    state = table(many, "1 dirt", targets=["1 beacon", "1 clock"], max_turn=2)
    Players(state, [mind, mind]).finish()
    state = table("1 dirt", "1 sand", targets=["1 clock", "1 bow"], max_turn=3)
    play(state, "0 offers 1 1 dirt", "1 accepts")
    Players(state, [mind, mind]).finish()


def test_what_they_say_is_short() -> None:
    said: list[str] = []
    for number in range(6):
        players = Players(State.new(3, Options(), None, Dice(b"%d" % number)), ["negotiator", "planner", "planner"])
        while players.state.result() is None:
            _, action = players.act()
            said += [action.message] if isinstance(action, Propose | Decide) else []
    assert said and all(len(words) < 300 for words in said)


# Under the referee


def refereed(names: Sequence[str], seed: str) -> tuple[Result, list[Out]]:
    outs: list[Out] = []

    def watch(match: Match[Any], out: Out) -> None:
        outs.append(out)

    terms = Terms(game=GAME, options=GAME.rules.options())
    end = play_match(terms, [load(GAME, name) for name in names], seed.encode(), watch=watch).end
    assert isinstance(end, Result)
    return end, outs


@settings(max_examples=8)
@given(
    st.lists(st.sampled_from(sorted(GAME.hosting.bots)), min_size=2, max_size=4), st.text("abc", min_size=1, max_size=3)
)
def test_no_bot_is_ever_refused(names: list[str], seed: str) -> None:
    _, outs = refereed(names, seed)
    assert not any(isinstance(notice, AnswerRefused) for out in outs for notice in out.notices)


@pytest.mark.parametrize("bot", THINKERS)
def test_two_who_plan_mostly_get_there(bot: str) -> None:
    wins = sum(max(refereed([bot, bot], f"game {number}")[0].scores) > 0 for number in range(12))
    assert wins >= 8


# How strong they are


def points(one: str, other: str, seats: int, games: int) -> tuple[float, float]:
    """One bot's share of all points and of all wins; every problem is played from every seat."""
    totals, wins = Counter[str](), 0
    for number in range(games):
        names = [other] * seats
        names[number % seats] = one
        result = played(names, f"strength {number // seats}").result()
        assert result is not None
        for name, score in zip(names, result.scores, strict=True):
            totals[name] += score
        wins += result.scores[number % seats] > 0
    return totals[one] / totals.total(), wins / games


@pytest.mark.parametrize(
    ("one", "other", "seats", "games", "least"),
    [
        ("negotiator", "planner", 2, 40, 0.85),
        pytest.param("negotiator", "planner", 3, 45, 0.45, marks=pytest.mark.slow),
        ("negotiator", "random", 2, 12, 0.95),
        ("planner", "random", 2, 12, 0.9),
    ],
)
def test_the_better_bot_has_more_than_its_share(one: str, other: str, seats: int, games: int, least: float) -> None:
    share, wins = points(one, other, seats, games)
    assert share >= least > 1 / seats and wins > 1 / seats


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_planners_come_to_a_win(seats: int) -> None:
    won = [bool(played(["planner"] * seats, f"win {number}").view(None).winners) for number in range(8)]
    assert sum(won) >= 7
