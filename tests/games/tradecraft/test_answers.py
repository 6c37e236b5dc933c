"""Free queries (RULES 10)."""

from typing import Any

import msgspec
import pytest

from parlour.games.tradecraft import GAME
from parlour.games.tradecraft.amounts import unwritten
from parlour.games.tradecraft.answers import (
    Craftables,
    History,
    ItemFacts,
    ItemInfo,
    Memory,
    PossibleRecipes,
    query,
)
from parlour.games.tradecraft.book import check
from parlour.games.tradecraft.crafts import filled
from parlour.games.tradecraft.history import MOST_BYTES, newest, noted
from parlour.games.tradecraft.recipes import book
from parlour.games.tradecraft.rules import State
from parlour.games.tradecraft.values import (
    Answered,
    Applied,
    Checked,
    Finished,
    HandsShown,
    Proposed,
    Rejected,
    TurnBegan,
)
from tests.games.tradecraft.tables import bench, exact, pass_turn, play, table


def ask(state: State, seat: int, question: Any) -> Any:
    before = state.copy()
    answer = query(state.view(seat), question)
    assert state == before
    return answer


@pytest.mark.parametrize("phase", ["propose", "decide", "craft", "over"])
def test_questions_may_be_asked_in_every_phase(phase: str) -> None:  # RULES 10.1
    state = table("2 coal 2 stick", "1 dirt", max_turn=1)
    steps = {"propose": [], "decide": ["0 offers 1 nothing"], "craft": ["0 offers 1 nothing", "1 rejects"]}
    play(state, *steps.get(phase, ["0 offers 1 nothing", "1 rejects", "all are done"]))
    assert state.view(None).phase == phase
    for seat in (0, 1):
        assert isinstance(ask(state, seat, ItemInfo("torch")), ItemFacts)
        assert isinstance(ask(state, seat, PossibleRecipes()), Craftables)
        assert isinstance(ask(state, seat, History()), Memory)


def test_the_past_is_what_one_was_told() -> None:  # RULES 10.1
    state = table("2 coal 2 stick", "3 stick", "1 dirt")
    events = play(state, "0 offers 1 1 coal: psst", "1 rejects: no")
    assert ask(state, 0, History()).events == tuple(events)
    assert ask(state, 2, History()).events == (Proposed(0), Rejected(0))
    play(state, "0 crafts 1 coal 1 stick = 4 torch", "1 is done", "0 is done", "2 is done")
    kinds = [type(event) for event in ask(state, 0, History()).events]
    assert kinds == [
        *(Proposed, Answered, Rejected),
        *(Checked, Applied, Finished, Finished, Finished, HandsShown, TurnBegan),
    ]
    assert [event.seat for event in ask(state, 2, History()).events if isinstance(event, Finished)] == [0, 1, 2]


def test_whoever_was_done_first_the_past_is_the_same() -> None:  # RULES 10.1
    pasts = []
    for order in (("0 is done", "1 is done"), ("1 is done", "0 is done")):
        state = bench("2 coal 2 stick", "1 dirt")
        play(state, "0 checks 1 coal 1 stick = 4 torch", *order)
        pasts.append([ask(state, seat, History()) for seat in (0, 1)])
    assert pasts[0] == pasts[1]


def test_the_past_is_bounded_whatever_others_write() -> None:  # RULES 10.1
    state = table("2 coal 2 stick", "3 stick", max_turn=30)
    for _ in range(29):
        proposer = state.proposer
        play(state, f"{proposer} offers {1 - proposer} nothing: {'ж' * 1999}", f"{1 - proposer} rejects: {'x' * 1999}")
        play(state, "all are done")
        for seat in (0, 1):
            assert len(msgspec.json.encode(state.view(seat).history)) <= MOST_BYTES + 2
    assert state.view(0).history[-1] == TurnBegan(30, 1), "the newest is kept"
    assert len(state.view(None).history) > 60, "and where nobody writes much, all of it"


def test_the_newest_notes_are_kept_as_long_as_they_fit() -> None:  # RULES 10.1
    notes = noted([Rejected(0)] * 2000)
    kept = newest(notes)
    assert len(kept) == MOST_BYTES // notes[0].size and newest(notes[:5]) == notes[:5] and newest(()) == ()


def test_a_long_history_is_kept_over_many_turns() -> None:  # RULES 10.1
    state = table("1 dirt", "1 dirt", max_turn=20)
    for _ in range(19):
        pass_turn(state)
    assert len([event for event in state.view(0).history if isinstance(event, TurnBegan)]) == 19


def test_what_is_told_of_an_item() -> None:  # RULES 10.2
    facts = ask(table("1 coal", "1 dirt"), 0, ItemInfo("minecraft:torch"))
    assert facts.item == "torch" and facts.known
    [made] = facts.made_by
    assert (made.product, made.count, made.burns) == ("torch", 4, False) and made.input["stick"] == 1
    assert "lantern" in {recipe.product for recipe in facts.used_by}
    assert ask(table("1 coal", "1 dirt"), 0, ItemInfo("coal")).ticks == 1600


def test_a_tag_stands_for_its_items() -> None:  # RULES 10.2
    facts = ask(table("1 coal", "1 dirt"), 0, ItemInfo("#planks"))
    assert not facts.known and "oak_planks" in facts.stands_for


@pytest.mark.parametrize("item", ["happiness", "", "#nothing", "IRON", "x" * 80, "\n"])
def test_of_what_does_not_exist_nothing_is_known(item: str) -> None:  # RULES 10.2
    facts = ask(table("1 coal", "1 dirt"), 0, ItemInfo(item))
    assert not facts.known and not facts.made_by and not facts.used_by and not facts.stands_for


def test_what_can_be_made_of_the_own_hand() -> None:  # RULES 10.3
    state = bench("2 coal 3 stick", "1 dirt")
    found = {each.recipe.name: each.most for each in ask(state, 0, PossibleRecipes()).recipes}
    assert found["torch"] == 2 and "ladder" in found
    play(state, "0 crafts 1 coal 1 stick = 4 torch")
    answer = ask(state, 0, PossibleRecipes())
    assert answer.hand == {"coal": 1, "stick": 2, "torch": 4}, "as it is now"


def test_what_can_be_made_of_any_other() -> None:  # RULES 10.3
    state = table("2 coal", "1 dirt")
    answer = ask(state, 1, PossibleRecipes({"minecraft:oak_log": 1}))
    assert answer.hand == {"oak_log": 1} and "oak_planks" in {each.recipe.name for each in answer.recipes}
    for wrong in ({"coal": "x"}, {"": 1}, {"coal": 0}, {"coal": -3}):
        bad = ask(state, 1, PossibleRecipes(wrong))  # type: ignore[arg-type]  # it may come so over a wire
        assert bad.recipes == () and bad.reason


def test_whole_batches_are_counted_as_such() -> None:  # RULES 10.3
    found = {
        strict: {each.recipe.name: each.most for each in answer.recipes}
        for strict in (True, False)
        for answer in [ask(table("3 stick 2 coal 1 oak_planks", "1 dirt", whole_batches=strict), 0, PossibleRecipes())]
    }
    assert (
        found[False]["stick_from_planks"] == "1/2"
        and "stick_from_planks" not in found[True]
        and found[True]["torch"] == 2
    )


def test_own_fractions_may_be_as_fine_as_they_come() -> None:  # RULES 10.3
    state = bench("2 coal 2 stick", "1 dirt")
    for n in (999_983, 999_979, 999_961):
        play(state, f"0 crafts 1/{n} coal 1/{n} stick = 4/{n} torch")
    assert "torch" in {each.recipe.name for each in ask(state, 0, PossibleRecipes()).recipes}


def test_answers_cross_the_wire_unchanged() -> None:
    state = bench("2 coal 3 stick 1 raw_iron", "1 dirt")
    for question in (ItemInfo("coal"), PossibleRecipes(), History()):
        answer = ask(state, 0, question)
        assert type(answer) in GAME.rules.replies and type(question) in GAME.rules.questions
        assert msgspec.json.decode(msgspec.json.encode(answer), type=type(answer)) == answer


@pytest.mark.parametrize(
    "name", ["torch", "iron_ingot_from_smelting_raw_iron", "charcoal_from_smelting", "cake", "stick_from_planks"]
)
def test_a_recipe_is_filled_in_from_a_hand(name: str) -> None:
    hand = exact("3 coal 3 stick 2 raw_iron 9 oak_log 2 oak_planks 3 milk_bucket 2 sugar 1 egg 3 wheat 2 bamboo")
    [recipe] = [each for each in book().recipes if each.name == name]
    used = filled(recipe, exact("1 x")["x"], hand)
    assert used is not None and check(used, exact(f"{recipe.count} {recipe.product}"), hand).code == 0
    assert filled(recipe, exact("99 x")["x"], hand) is None
    assert unwritten({"x": 1}) == exact("1 x")
