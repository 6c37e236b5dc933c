"""The rule book, rule by rule. Every test cites the number in RULES.md that it holds the code to."""

import json
from typing import Any

import msgspec
import pytest

from parlour.core import GONE, BadOptions, Close, Dice, IllegalAction, Join, Leave, Result, Sitting
from parlour.games.tradecraft import GAME, setup
from parlour.games.tradecraft.rules import State
from parlour.games.tradecraft.setup import prepare
from parlour.games.tradecraft.values import (
    Accepted,
    Answered,
    Applied,
    Checked,
    CraftItems,
    Decide,
    Decided,
    DecideProposal,
    Finished,
    HandsShown,
    MakeProposal,
    Options,
    Problem,
    Propose,
    Proposed,
    Rejected,
    TurnBegan,
)
from tests.games.tradecraft.tables import (
    SEED,
    bench,
    code,
    crafting,
    hands,
    held,
    items,
    pass_turn,
    play,
    problem,
    refusal,
    refused,
    seen,
    table,
)


def two(**more: Any) -> State:
    """Seat 0 has two coals, seat 1 three sticks."""
    return table("2 coal", "3 stick", **more)


def three(**more: Any) -> State:
    return table("2 coal", "3 stick", "5 dirt", **more)


def decided(events: list[Any]) -> Decided:
    [event] = [event for event in events if isinstance(event, Decided)]
    return event


def asked(state: State) -> dict[int | None, type[Any]]:
    return {seat: type(ask) for seat, ask in state.asks().items()}


# 1. The table


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_two_to_six_play(seats: int) -> None:  # RULES 1.1
    assert State.new(seats, Options(), None, Dice(SEED)).seats == seats
    assert seats in GAME.rules.seats


def test_nobody_joins_a_game_that_has_begun() -> None:  # RULES 1.1
    state = two()
    for act in (Join("late"), Close()):
        with pytest.raises(IllegalAction):
            state.play(None, act)


def test_hands_are_public_from_the_start() -> None:  # RULES 1.2
    state = three()
    for who in (None, 0, 1, 2):
        assert state.view(who).hands == ({"coal": 2}, {"stick": 3}, {"dirt": 5})


def test_a_target_is_its_players_secret() -> None:  # RULES 1.3
    state = three(targets=["1 torch", "1 ladder", "2 bread"])
    assert [state.view(who).target for who in (0, 1, 2, None)] == [{"torch": 1}, {"ladder": 1}, {"bread": 2}, {}]
    assert state.view(0).targets is None


def test_a_problem_may_be_given_as_json() -> None:  # RULES 1.4
    text = json.dumps(
        {"hands": [{"coal": 2}, {"minecraft:stick": 3}], "targets": [{"torch": 1}, {"ladder": 1}], "max_turn": 4}
    )
    assert prepare(text) == Problem(({"coal": 2}, {"stick": 3}), ({"torch": 1}, {"ladder": 1}), 4)


BAD_PROBLEMS = {
    "not even JSON": "hands",
    "a list": "[]",
    "nothing in it": "{}",
    "one player": '{"hands": [{"coal": 1}], "targets": [{"torch": 1}]}',
    "seven players": json.dumps({"hands": [{"coal": 1}] * 7, "targets": [{"torch": 1}] * 7}),
    "a target too few": '{"hands": [{"coal": 1}, {"stick": 1}], "targets": [{"torch": 1}]}',
    "an unknown item": '{"hands": [{"cole": 1}, {"stick": 1}], "targets": [{"torch": 1}, {"torch": 1}]}',
    "an unknown target": '{"hands": [{"coal": 1}, {"stick": 1}], "targets": [{"torch": 1}, {"happiness": 1}]}',
    "no name at all": '{"hands": [{"": 1}, {"stick": 1}], "targets": [{"torch": 1}, {"torch": 1}]}',
    "a tag": '{"hands": [{"#planks": 1}, {"stick": 1}], "targets": [{"torch": 1}, {"torch": 1}]}',
    "half an item": '{"hands": [{"coal": 0.5}, {"stick": 1}], "targets": [{"torch": 1}, {"torch": 1}]}',
    "none of an item": '{"hands": [{"coal": 0}, {"stick": 1}], "targets": [{"torch": 1}, {"torch": 1}]}',
    "less than none": '{"hands": [{"coal": -1}, {"stick": 1}], "targets": [{"torch": 1}, {"torch": 1}]}',
    "far too many": '{"hands": [{"coal": 1000000}, {"stick": 1}], "targets": [{"torch": 1}, {"torch": 1}]}',
    "an item twice": '{"hands": [{"coal": 1, "minecraft:coal": 1}, {}], "targets": [{"torch": 1}, {"torch": 1}]}',
    "no target": '{"hands": [{"coal": 1}, {"stick": 1}], "targets": [{"torch": 1}, {}]}',
    "a hand that is none": '{"hands": [5, {"stick": 1}], "targets": [{"torch": 1}, {"torch": 1}]}',
    "no turns": '{"hands": [{"coal": 1}, {"stick": 1}], "targets": [{"torch": 1}, {"torch": 1}], "max_turn": 0}',
    "something else": '{"hands": [{"coal": 1}, {"stick": 1}], "targets": [{"torch": 1}, {"torch": 1}], "colour": 1}',
}


@pytest.mark.parametrize("text", BAD_PROBLEMS.values(), ids=BAD_PROBLEMS)
def test_a_problem_that_cannot_be_is_refused(text: str) -> None:  # RULES 1.4
    with pytest.raises(ValueError, match=r".") as caught:
        prepare(text)
    assert "\n" not in str(caught.value)


def test_a_problem_with_a_target_in_hand_is_refused_when_it_is_loaded() -> None:  # RULES 1.4
    has_it = problem("2 coal 1 torch", "3 stick", targets=["1 torch"])
    with pytest.raises(ValueError, match="target in hand"):
        prepare('{"hands": [{"torch": 1}, {"stick": 1}], "targets": [{"torch": 1}, {"ladder": 1}]}')
    with pytest.raises(BadOptions, match="target in hand"):
        State.new(2, Options(), has_it, Dice(SEED))
    some_of_it = problem("2 coal 1 torch", "3 stick", targets=["2 torch"])
    assert State.new(2, Options(), some_of_it, Dice(SEED)).result() is None


def test_a_problem_is_for_as_many_as_it_has_hands() -> None:  # RULES 1.4
    with pytest.raises(BadOptions, match="for 2 players"):
        State.new(3, Options(), problem("2 coal", "3 stick"), Dice(SEED))


def test_a_problem_may_say_how_many_turns_there_are() -> None:  # RULES 1.4
    assert two(max_turn=3).view(None).max_turn == 3
    assert State.new(2, Options(max_turn=7), problem("1 coal", "1 stick"), Dice(SEED)).view(None).max_turn == 7


def test_what_is_made_up_follows_from_the_seed() -> None:  # RULES 1.5
    def hands_of(seed: bytes) -> Any:
        state = State.new(3, Options(), None, Dice(seed))
        return state.hands, state.targets

    assert hands_of(b"one") == hands_of(b"one")
    assert len({repr(hands_of(b"%d" % n)) for n in range(5)}) > 1


@pytest.mark.parametrize(
    "wrong", [{"least_depth": 3, "most_depth": 2}, {"least_kinds": 5, "most_kinds": 4}, {"decoys": 5}]
)
def test_bounds_that_leave_nothing_between_them_are_refused(wrong: dict[str, Any]) -> None:  # RULES 1.5
    with pytest.raises(BadOptions):
        setup.resolve(Options(**wrong), [Sitting("ada"), Sitting("bob")])


def test_the_first_seat_proposes_first() -> None:  # RULES 1.6
    assert three().view(None).order == (0, 1, 2) and asked(three()) == {0: MakeProposal}


def test_the_order_may_be_drawn_and_is_known_to_all() -> None:  # RULES 1.6
    start = problem(*["1 dirt"] * 6)
    orders = {State.new(6, Options(order="drawn"), start, Dice(b"%d" % n)).view(None).order for n in range(9)}
    assert len(orders) > 1 and all(sorted(order) == [*range(6)] for order in orders)
    state = State.new(6, Options(order="drawn"), start, Dice(SEED))
    proposers = []
    for _ in range(7):
        proposers.append(state.proposer)
        pass_turn(state)
    assert tuple(proposers[:6]) == state.order and proposers[6] == proposers[0]


# 2. A turn


def test_phases_follow_each_other_strictly() -> None:  # RULES 2.1
    state = three()
    assert asked(state) == {0: MakeProposal} and state.view(None).phase == "propose"
    play(state, "0 offers 1 1 coal for 1 stick")
    assert asked(state) == {1: DecideProposal} and state.view(None).phase == "decide"
    play(state, "1 accepts")
    assert asked(state) == dict.fromkeys((0, 1, 2), CraftItems) and state.view(None).phase == "craft"
    assert play(state, "0 is done", "1 is done", "2 is done")[-1] == TurnBegan(2, 1)
    assert asked(state) == {1: MakeProposal} and state.view(None).phase == "propose"


def test_everybody_proposes_in_turn() -> None:  # RULES 2.2
    state = three()
    proposers = []
    for _ in range(7):
        proposers.append(state.proposer)
        pass_turn(state)
    assert proposers == [0, 1, 2, 0, 1, 2, 0]


@pytest.mark.parametrize("became", ["1 rejects", "1 accepts"])
def test_there_is_one_proposal_in_a_turn_whatever_became_of_it(became: str) -> None:  # RULES 2.2
    state = two()
    play(state, "0 offers 1 1 coal for 1 stick", became)
    assert refusal(state, "0 offers 1 1 coal") == "phase_error"
    play(state, "all are done")
    assert asked(state) == {1: MakeProposal}


@pytest.mark.parametrize("turns", [1, 2, 5])
def test_exactly_so_many_turns_are_played(turns: int) -> None:  # RULES 2.3
    state = two(max_turn=turns)
    for turn in range(1, turns + 1):
        assert state.result() is None and state.view(None).turn == turn
        pass_turn(state)
    assert state.result() is not None and state.view(None).turn == turns


# 3. Proposing


def test_a_proposal_goes_to_the_partner_who_decides() -> None:  # RULES 3.1
    state = three()
    [event] = play(state, "0 offers 1 1 coal for 2 stick: please")
    assert event == Proposed(0, 1, {"coal": 1}, {"stick": 2}, "please")
    assert state.view(1).proposal == event and hands(state)[0] == {"coal": 2}


@pytest.mark.parametrize("partner", [-1, 2, 99])
def test_there_must_be_such_a_partner(partner: int) -> None:  # RULES 3.2
    assert refusal(two(), f"0 offers {partner} 1 coal") == "proposal_invalid"


def test_nobody_trades_with_oneself() -> None:  # RULES 3.3
    error = refused(two(), "0 offers 0 1 coal")
    assert error.code == "proposal_invalid" and "between two players" in error.words


@pytest.mark.parametrize("amount", ["1/2", 0, -1, "3/2"])
def test_only_whole_amounts_are_traded(amount: Any) -> None:  # RULES 3.4
    state = two()
    for said in (Propose(1, {"coal": amount}), Propose(1, {}, {"stick": amount})):
        with pytest.raises(IllegalAction) as caught:
            state.play(0, said)
        assert caught.value.code == "proposal_invalid"


def test_a_whole_amount_may_be_written_as_a_fraction() -> None:  # RULES 3.4
    state = two()
    [event] = state.play(0, Propose(1, {"minecraft:coal": "4/2"}))
    assert isinstance(event, Proposed) and event.offer == {"coal": 2}


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        ("3 coal", {"offer coal": 0}),
        ("1 coal for 4 stick", {"offer coal": 1, "request stick": 0}),
        ("1 coal 1 dirt for 3 stick 1 coal", {"offer coal": 1, "offer dirt": 0, "request stick": 1, "request coal": 0}),
    ],
)
def test_both_sides_must_be_covered_and_the_answer_says_what_is_not(words: str, facts: dict[str, int]) -> None:
    error = refused(two(), f"0 offers 1 {words}")  # RULES 3.5
    assert error.code == "proposal_invalid" and error.facts == facts


def test_an_item_that_does_not_exist_is_not_covered() -> None:  # RULES 3.5
    assert refused(two(), "0 offers 1 1 happiness").facts == {"offer happiness": 0}


@pytest.mark.parametrize("words", ["nothing", "1 coal for nothing", "nothing for 1 stick"])
def test_nothing_may_be_offered_or_requested(words: str) -> None:  # RULES 3.6
    state = two()
    play(state, f"0 offers 1 {words}")
    assert asked(state) == {1: DecideProposal}
    play(state, "1 accepts")
    assert state.view(None).phase == "craft"


def test_what_is_on_both_sides_is_netted() -> None:  # RULES 3.7
    state = table("5 coal", "3 coal 1 stick")
    play(state, "0 offers 1 5 coal for 2 coal 1 stick", "1 accepts")
    assert hands(state) == [{"coal": 2, "stick": 1}, {"coal": 6}]


def test_each_side_is_covered_for_itself_even_if_it_would_be_netted() -> None:  # RULES 3.7
    assert refused(table("5 coal", "3 coal"), "0 offers 1 6 coal for 3 coal").facts == {
        "offer coal": 0,
        "request coal": 1,
    }


DIRTY, CLEAN = "a\x1b[31m\u202eb\nc\u2066d\x07\x9b", "a[31mb cd"


def test_texts_lose_control_and_direction_characters_before_others_see_them() -> None:  # RULES 3.8
    state = three()
    [proposed] = state.play(0, Propose(1, message=DIRTY))
    assert isinstance(proposed, Proposed) and proposed.message == CLEAN
    for seat in (0, 1):
        proposal = state.view(seat).proposal
        assert proposal is not None and proposal.message == CLEAN
    answered, *_ = state.play(1, Decide("reject", DIRTY))
    assert isinstance(answered, Answered) and answered.message == CLEAN
    assert b"\x1b" not in msgspec.json.encode(state.view(0)) and "\u202e" not in str(state.view(0).history)


def test_texts_are_plain_and_up_to_two_thousand_characters_long() -> None:  # RULES 3.8
    for length, fits in ((0, True), (2000, True), (2001, False)):
        raw = msgspec.json.encode({"type": "Propose", "partner": 1, "message": "x" * length})
        reply = msgspec.json.encode({"type": "Decide", "decision": "accept", "message": "ж" * length})
        for text, kind in ((raw, Propose), (reply, Decide)):
            if fits:
                said: Any = msgspec.json.decode(text, type=kind)
                assert len(said.message) == length
            else:
                with pytest.raises(msgspec.ValidationError):
                    msgspec.json.decode(text, type=kind)


def test_a_refused_proposal_leaves_no_trace_and_may_be_tried_again() -> None:  # RULES 3.9
    state = two()
    for _ in range(5):
        assert refusal(state, "0 offers 1 9 coal") == "proposal_invalid"
    assert state.view(1).history == ()
    play(state, "0 offers 1 2 coal")
    assert asked(state) == {1: DecideProposal}


def test_a_player_that_forgoes_a_proposal_has_made_an_empty_one_that_was_rejected() -> None:  # RULES 3.9
    state = three()
    assert play(state, "0 forgoes") == [Proposed(0), Rejected(0)]
    assert state.view(None).phase == "craft" and hands(state) == [{"coal": 2}, {"stick": 3}, {"dirt": 5}]


# 4. Deciding


def test_what_is_accepted_changes_hands_at_once_and_is_seen_by_all() -> None:  # RULES 4.1
    state = three()
    play(state, "0 offers 1 1 coal for 2 stick: please")
    events = play(state, "1 accepts: here you are")
    after = (items("1 coal 2 stick"), items("1 coal 1 stick"), items("5 dirt"))
    assert seen(events, 2) == [Accepted(0, 1, {"coal": 1}, {"stick": 2}), HandsShown(after)]
    assert state.view(None).hands == after


def test_what_is_rejected_changes_nothing() -> None:  # RULES 4.2
    state = three()
    play(state, "0 offers 1 1 coal for 2 stick: please")
    assert seen(play(state, "1 rejects: never"), 2) == [Rejected(0)]
    assert hands(state) == [{"coal": 2}, {"stick": 3}, {"dirt": 5}]


@pytest.mark.parametrize("decision", ["accepts", "rejects"])
def test_the_reply_goes_to_the_proposer_before_the_decision(decision: str) -> None:  # RULES 4.3
    state = three()
    play(state, "0 offers 1 1 coal")
    events = play(state, f"1 {decision}: thank you")
    assert seen(events, 0)[0] == Answered(0, 1, "thank you") == seen(events, 1)[0]
    assert not any(isinstance(event, Answered) for who in (2, None) for event in seen(events, who))


def test_a_decision_is_one_of_two_words() -> None:  # RULES 4.4
    for word in ("accept", "reject"):
        assert msgspec.convert({"type": "Decide", "decision": word}, Decide).decision == word
    for other in ("approve", "yes", "ACCEPT", "", None, True):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"type": "Decide", "decision": other}, Decide)


# 5. Crafting


def test_all_craft_at_once_in_any_order() -> None:  # RULES 5.1
    def crafted(*moves: str) -> State:
        state = bench("1 coal 1 stick", "2 oak_planks", "2 sugar_cane")
        play(state, *moves)
        return state

    one = crafted("0 crafts 1 coal 1 stick = 4 torch", "1 crafts 2 oak_planks = 4 stick", "0 is done", "2 is done")
    other = crafted("2 is done", "1 checks 2 oak_planks = 4 stick", "0 crafts 1 coal 1 stick = 4 torch", "1 applies")
    play(other, "0 is done")
    assert one == other and asked(one) == {1: CraftItems}
    assert one.view(1) == other.view(1)


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("1 coal 1 stick = 4 torch", 0),
        ("1 coal 1 stick = 5 torch", 1),
        ("3 coal 3 stick = 12 torch", 2),
        ("3 coal 3 stick = 13 torch", 1),
    ],
)
def test_a_check_has_one_of_three_verdicts(words: str, verdict: int) -> None:  # RULES 5.2
    state = bench("2 coal 2 stick", "1 dirt")
    [event] = play(state, f"0 checks {words}")
    assert isinstance(event, Checked) and event.code == verdict
    assert bool(event.reason) == (verdict != 0)
    assert seen([event], 1) == seen([event], None) == []


def test_checking_changes_no_hand_and_may_go_on_for_a_while() -> None:  # RULES 5.3
    state = bench("2 coal 2 stick", "1 dirt")
    for words in ("1 coal 1 stick = 4 torch", "2 coal 2 stick = 8 torch"):
        assert code(state, words) == 0 and held(state, 0) == {"coal": 2, "stick": 2}
    play(state, "0 applies")
    assert held(state, 0) == {"torch": 8}, "the last one counts"


@pytest.mark.parametrize("bad", ["1 coal = 4 torch", "9 coal 9 stick = 36 torch"])
def test_a_failed_check_clears_what_was_remembered(bad: str) -> None:  # RULES 5.3
    state = bench("2 coal 2 stick", "1 dirt")
    assert code(state, "1 coal 1 stick = 4 torch") == 0 and state.view(0).checked is not None
    assert code(state, bad) > 0 and state.view(0).checked is None
    assert refusal(state, "0 applies") == "phase_error"


def test_apply_crafts_what_was_checked() -> None:  # RULES 5.4
    state = bench("2 coal 2 stick", "1 dirt")
    events = play(state, "0 checks 1 coal 1 stick = 4 torch", "0 applies")
    after = items("1 coal 1 stick 4 torch")
    assert events[1] == Applied(0, {"coal": 1, "stick": 1}, {"torch": 4}, {}, after)
    assert held(state, 0) == after


def test_a_second_apply_needs_a_second_check() -> None:  # RULES 5.4
    state = bench("2 coal 2 stick", "1 dirt")
    play(state, "0 crafts 1 coal 1 stick = 4 torch")
    assert refusal(state, "0 applies") == "phase_error"
    play(state, "0 crafts 1 coal 1 stick = 4 torch")
    assert held(state, 0) == {"torch": 8}


def test_apply_looks_at_the_hand_again() -> None:  # RULES 5.4
    state = bench("2 coal 2 stick", "1 dirt")
    play(state, "0 checks 1 coal 1 stick = 4 torch")
    crafting(state).benches[0].hand = {}
    assert refusal(state, "0 applies") == "phase_error"


def test_there_may_be_nothing_to_apply() -> None:  # RULES 5.5
    assert refusal(bench("2 coal", "1 dirt"), "0 applies") == "phase_error"


def test_what_others_craft_is_hidden_until_all_are_done() -> None:  # RULES 5.6
    state = bench("1 coal 1 stick", "1 dirt")
    play(state, "0 crafts 1 coal 1 stick = 4 torch")
    assert state.view(1).hands[0] == {"coal": 1, "stick": 1}
    assert seen(play(state, "0 is done"), 1) == [Finished(0)]
    assert state.view(1).hands[0] == {"coal": 1, "stick": 1} and state.view(1).done == (0,)
    events = play(state, "1 is done")
    assert HandsShown(({"torch": 4}, {"dirt": 1})) in events and state.view(1).hands[0] == {"torch": 4}


def test_fractions_are_lost_when_one_is_done() -> None:  # RULES 5.7
    state = bench("1 coal 6 oak_planks 1 raw_iron 6 stick", "1 dirt")
    play(state, "0 crafts 1 raw_iron 1/8 coal = 1 iron_ingot", "0 crafts 2 oak_planks 1/3 stick = 1 oak_sign")
    assert held(state, 0) == {"coal": "7/8", "iron_ingot": 1, "oak_planks": 4, "oak_sign": 1, "stick": "17/3"}
    [finished] = play(state, "0 is done")
    assert finished == Finished(0, {"iron_ingot": 1, "oak_planks": 4, "oak_sign": 1, "stick": 5})
    assert held(state, 0) == {"iron_ingot": 1, "oak_planks": 4, "oak_sign": 1, "stick": 5}


def test_fractions_last_as_long_as_the_phase() -> None:  # RULES 5.7
    state = bench("1 coal 8 raw_iron", "1 dirt")
    for _ in range(8):
        play(state, "0 crafts 1 raw_iron 1/8 coal = 1 iron_ingot")
    assert held(state, 0) == {"iron_ingot": 8}


@pytest.mark.parametrize("late", ["0 checks 1 coal 1 stick = 4 torch", "0 applies", "0 is done"])
def test_a_player_that_is_done_is_done(late: str) -> None:  # RULES 5.8
    state = bench("2 coal 2 stick", "1 dirt")
    play(state, "0 checks 1 coal 1 stick = 4 torch", "0 is done")
    assert refusal(state, late) == "phase_error"


def test_what_was_checked_is_forgotten_by_the_next_turn() -> None:  # RULES 5.8
    state = bench("2 coal 2 stick", "1 dirt")
    play(state, "0 checks 1 coal 1 stick = 4 torch", "all are done", "1 offers 0 nothing", "0 rejects")
    assert refusal(state, "0 applies") == "phase_error"


def test_one_may_craft_nothing() -> None:  # RULES 5.9
    state = bench("2 coal", "1 dirt")
    play(state, "all are done")
    assert state.view(None).turn == 2 and hands(state) == [{"coal": 2}, {"dirt": 1}]


def test_checks_are_counted_and_those_of_the_next_turn_are_new() -> None:  # RULES 5.10
    state = bench("2 coal 2 stick", "1 dirt", max_checks=2)
    assert [state.view(0).checks, state.asks()[0].checks] == [2, 2]
    play(state, "0 crafts 1 coal 1 stick = 4 torch", "0 checks 1 coal = 1 stick")
    assert [state.view(0).checks, state.asks()[0].checks, state.asks()[1].checks] == [0, 0, 2]
    assert refusal(state, "0 checks 1 coal = 1 stick") == "no_checks_left"
    play(state, "all are done", "1 offers 0 nothing", "0 rejects")
    assert state.view(0).checks == 2


def test_the_last_check_may_still_be_applied() -> None:  # RULES 5.10
    state = bench("2 coal 2 stick", "1 dirt", max_checks=1)
    play(state, "0 crafts 1 coal 1 stick = 4 torch")
    assert held(state, 0) == {"coal": 1, "stick": 1, "torch": 4}


# 7. The end


def lights(**more: Any) -> State:
    """Seat 0 wants a torch and seat 1 a ladder; each can make it from its hand."""
    return table("1 coal 1 stick", "7 stick", "5 dirt", targets=["1 torch", "1 ladder"], **more)


def test_a_player_that_holds_the_target_when_all_are_done_has_won() -> None:  # RULES 7.1
    state = lights()
    play(state, "0 offers 1 nothing", "1 rejects", "0 crafts 1 coal 1 stick = 4 torch", "0 is done", "1 is done")
    assert state.result() is None, "not before all are done"
    events = play(state, "2 is done")
    assert decided(events) == Decided((0,), "win", ({"torch": 1}, {"ladder": 1}, {"beacon": 1}))
    assert state.result() == Result((3, 0, 0), (1, 2, 2)) and not state.asks()


def test_as_much_of_it_as_is_wanted() -> None:  # RULES 7.1
    state = bench("2 coal 2 stick", "1 dirt", targets=["5 torch"])
    play(state, "0 crafts 1 coal 1 stick = 4 torch", "all are done")
    assert state.result() is None
    play(state, "1 offers 0 nothing", "0 rejects", "0 crafts 1 coal 1 stick = 4 torch", "all are done")
    assert state.result() is not None


def test_a_part_of_it_is_dropped_first() -> None:  # RULES 7.1
    state = bench("1 iron_ingot", "1 dirt", targets=["1 bucket"])
    play(state, "0 crafts 1 iron_ingot = 1/3 bucket", "all are done")
    assert state.result() is None and hands(state) == [{}, {"dirt": 1}]


def test_a_target_that_was_traded_counts() -> None:  # RULES 7.2
    state = table("1 torch", "1 stick", targets=["1 beacon", "1 torch"])
    play(state, "0 offers 1 1 torch for 1 stick", "1 accepts")
    assert state.result() is None, "but not before the turn ends"
    play(state, "all are done")
    assert state.result() == Result((0, 3), (2, 1))


def test_a_target_that_was_used_up_does_not() -> None:  # RULES 7.2
    state = table("1 torch 8 iron_nugget", "1 stick 8 iron_nugget", targets=["1 beacon", "1 torch"])
    play(state, "0 offers 1 1 torch for 1 stick", "1 accepts", "1 crafts 1 torch 8 iron_nugget = 1 lantern")
    play(state, "all are done")
    assert state.result() is None


def test_a_win_in_the_last_turn_counts() -> None:  # RULES 7.3
    state = lights(max_turn=2)
    pass_turn(state)
    play(state, "1 offers 2 nothing", "2 rejects", "0 crafts 1 coal 1 stick = 4 torch")
    assert decided(play(state, "all are done")).why == "win"
    assert state.result() == Result((3, 0, 0), (1, 2, 2))


def test_all_lose_after_the_last_turn() -> None:  # RULES 7.4
    state = lights(max_turn=2)
    pass_turn(state)
    assert decided(pass_turn(state)).why == "turns"
    assert state.result() == Result((0, 0, 0), (2, 2, 2))


def test_several_winners_share() -> None:  # RULES 7.5
    state = lights()
    play(state, "0 offers 1 nothing", "1 rejects")
    play(state, "0 crafts 1 coal 1 stick = 4 torch", "1 crafts 7 stick = 3 ladder", "all are done")
    assert state.result() == Result((1, 1, 0), (1, 1, 3))
    assert state.view(2).winners == (0, 1)


def test_the_only_winner_has_three_points_and_all_others_none() -> None:  # RULES 7.5
    state = lights()
    play(state, "0 offers 1 nothing", "1 rejects", "1 crafts 7 stick = 3 ladder", "all are done")
    assert state.result() == Result((0, 3, 0), (2, 1, 2))


def test_a_player_that_has_left_is_last_and_nobody_is_first_if_all_lose() -> None:  # RULES 7.6
    state = lights(max_turn=1)
    play(state, "2 leaves", "0 offers 1 nothing", "1 rejects", "all are done")
    assert state.result() == Result((0, 0, 0), (2, 2, 4))


def test_all_targets_are_revealed_in_the_end_and_nothing_follows() -> None:  # RULES 7.7
    state = lights(max_turn=1)
    events = pass_turn(state)
    assert isinstance(events[-1], Decided), "no next turn is announced"
    for who in (None, 0, 1, 2):
        assert state.view(who).targets == ({"torch": 1}, {"ladder": 1}, {"beacon": 1})
    for words in ("0 offers 1 nothing", "1 accepts", "0 is done", "0 leaves", "time is up"):
        with pytest.raises(IllegalAction):
            play(state, words)


# 8. Leaving; mistakes are in test_faults.py


def test_a_seat_that_left_stays_and_can_be_traded_with() -> None:  # RULES 8.6
    state = three()
    play(state, "1 leaves", "0 offers 1 1 coal for 1 stick")
    assert asked(state) == {1: DecideProposal} and state.view(0).gone == (1,)
    assert state.amends(1, [GONE]) == Decide("reject")


def test_a_player_that_has_left_never_wins() -> None:  # RULES 8.7
    state = table("1 torch", "1 stick", "1 dirt", targets=["1 beacon", "1 torch"])
    play(state, "0 offers 1 1 torch", "1 accepts", "1 leaves", "all are done")
    assert state.result() is None and hands(state)[1] == {"stick": 1, "torch": 1}
    assert state.view(None).turn == 2


def test_another_may_win_beside_somebody_who_left_with_the_target() -> None:  # RULES 8.7
    state = lights()
    play(state, "0 offers 1 nothing", "1 rejects", "1 crafts 7 stick = 3 ladder", "1 leaves")
    play(state, "0 crafts 1 coal 1 stick = 4 torch", "all are done")
    assert state.result() == Result((3, 0, 0), (1, 3, 2))


def test_a_player_that_is_left_alone_plays_on() -> None:  # RULES 8.7
    state = lights()
    play(state, "1 leaves", "2 leaves")
    assert state.result() is None and asked(state) == {0: MakeProposal}


@pytest.mark.parametrize("where", ["propose", "decide", "craft"])
def test_when_nobody_is_left_all_lose(where: str) -> None:  # RULES 8.8
    state = lights()
    before: dict[str, list[str]] = {"propose": [], "decide": ["0 offers 1 nothing"]}
    play(state, *before.get(where, ["0 offers 1 nothing", "1 rejects", "0 crafts 1 coal 1 stick = 4 torch"]))
    assert state.view(None).phase == where
    assert decided(play(state, "1 leaves", "0 leaves", "2 leaves")).why == "nobody"
    assert state.result() == Result((0, 0, 0), (2, 2, 2))


@pytest.mark.parametrize("where", ["propose", "decide", "craft"])
def test_a_match_that_is_stopped_is_lost_by_all(where: str) -> None:  # RULES 8.8
    state = lights()
    before: dict[str, list[str]] = {"propose": [], "decide": ["0 offers 1 nothing"]}
    play(state, *before.get(where, ["0 offers 1 nothing", "1 rejects", "0 crafts 1 coal 1 stick = 4 torch"]))
    assert decided(play(state, "time is up")).why == "time"
    assert state.result() == Result((0, 0, 0), (2, 2, 2))


def test_nobody_leaves_twice() -> None:  # RULES 8.6
    state = two()
    play(state, "1 leaves")
    for seat in (1, 2, -1):
        with pytest.raises(IllegalAction):
            state.play(None, Leave(seat, "quit"))


def test_nobody_can_play_longer_than_the_stated_bound() -> None:  # RULES 5.10
    options = Options(max_turn=2, max_checks=3)
    state = State.new(2, options, problem("9 coal 9 stick", "1 dirt", max_turn=100), Dice(SEED))
    actions = 0
    while state.result() is None:
        seat, ask = next(iter(state.asks().items()))
        match ask:
            case MakeProposal():
                play(state, f"{seat} offers {1 - (seat or 0)} nothing")
            case DecideProposal():
                play(state, f"{seat} rejects")
            case CraftItems(ready=True):
                play(state, f"{seat} applies")
            case CraftItems(checks=checks):
                play(state, f"{seat} checks 1 coal 1 stick = 4 torch" if checks else f"{seat} is done")
        actions += 1
    assert state.view(None).turn == 100 and actions <= setup.bound(2, options)
