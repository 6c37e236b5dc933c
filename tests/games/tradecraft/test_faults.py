"""Errors, time and leaving, in the referee and in the rules (RULES 8)."""

from typing import Any

import pytest

from parlour.core import (
    GONE,
    AnswerRefused,
    Asked,
    BadMessage,
    Event,
    Fault,
    IllegalAction,
    Leave,
    Result,
    Took,
)
from parlour.games.tradecraft import GAME
from parlour.games.tradecraft.rules import MOST_FAULTS, State
from parlour.games.tradecraft.values import (
    Action,
    Answered,
    Apply,
    Check,
    Decide,
    Done,
    Finished,
    Forgo,
    Left,
    Propose,
    Proposed,
    Rejected,
    TurnBegan,
)
from parlour.referee.match import Out
from parlour.referee.replay import verify
from tests.games.tradecraft.tables import Room, bench, play, problem, table

TWO = problem("2 coal 2 stick", "3 stick")
THREE = problem("2 coal 2 stick", "3 stick", "5 dirt")
PHASE_ERROR = Fault("illegal", "phase_error")
INVALID = Fault("illegal", "proposal_invalid")
JUNK = BadMessage("bad_message", "not even JSON")


def refusals(out: Out) -> list[tuple[str, str]]:
    return [(each.fault.kind, each.fault.code) for each in out.notices if isinstance(each, AnswerRefused)]


def costs(out: Out) -> list[Any]:
    return [each.cost for each in out.notices if isinstance(each, AnswerRefused)]


def events(out: Out) -> list[Event]:
    return [each for each in out.notices if isinstance(each, Event)]


# Who may do what, and when (RULES 8.1)

ACTIONS: dict[str, Action] = {
    "propose": Propose(1),
    "decide": Decide("reject"),
    "check": Check({"coal": 1, "stick": 1}, {"torch": 4}),
    "apply": Apply(),
    "done": Done(),
}


def at(phase: str) -> State:
    """Seat 0 proposes to seat 1; while all craft, seat 0 has something to apply and seat 2 is done."""
    state = table("2 coal 2 stick", "3 stick", "5 dirt")
    if phase != "propose":
        play(state, "0 offers 1 1 coal")
    if phase == "craft":
        play(state, "1 rejects", "0 checks 1 coal 1 stick = 4 torch", "2 is done")
    return state


ALLOWED = {
    ("propose", 0): {"propose"},
    ("decide", 1): {"decide"},
    ("craft", 0): {"check", "apply", "done"},
    ("craft", 1): {"check", "done"},  # it has checked nothing
}


@pytest.mark.parametrize("phase", ["propose", "decide", "craft"])
@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("action", ACTIONS)
def test_what_does_not_belong_here_and_now_is_a_phase_error(phase: str, seat: int, action: str) -> None:  # RULES 8.1
    state = at(phase)
    before = state.copy()
    if action in ALLOWED.get((phase, seat), set()):
        state.play(seat, ACTIONS[action])
        assert state != before
        return
    with pytest.raises(IllegalAction) as caught:
        state.play(seat, ACTIONS[action])
    assert caught.value.code == "phase_error" and state == before


def test_a_phase_error_says_in_which_phase_we_are() -> None:  # RULES 8.1
    with pytest.raises(IllegalAction) as caught:
        at("craft").play(0, Propose(1))
    assert caught.value.facts == {"phase": "craft"} and caught.value.words == "propose: not now, in the phase craft"


@pytest.mark.parametrize("phase", ["propose", "decide", "craft"])
def test_the_referee_waits_until_the_right_action_comes(phase: str) -> None:  # RULES 8.1
    room = Room(THREE)
    room.do(*{"propose": [], "decide": ["0 offers 1 nothing"], "craft": ["0 offers 1 nothing", "1 rejects"]}[phase])
    seat = {"propose": 0, "decide": 1, "craft": 0}[phase]
    wrong = Done() if phase != "craft" else Propose(1)
    before = room.state.copy()
    for _ in range(500):
        out = room.says(seat, wrong)
        assert refusals(out) == [("illegal", "phase_error")] and costs(out) == [None]
    assert room.state == before and not room.match.gone
    right = {"propose": Propose(1), "decide": Decide("accept"), "craft": Done()}[phase]
    assert any(isinstance(notice, Took) for notice in room.says(seat, right).notices)


def test_a_player_that_is_not_to_act_is_told_so_and_it_leaves_no_line() -> None:  # RULES 8.1
    room = Room(THREE)
    for seat in (1, 2):
        for action in ACTIONS.values():
            out = room.says(seat, action)
            assert refusals(out) == [("unasked", "not_asked")] and not out.lines


@pytest.mark.parametrize("code", ["phase_error", "decision_invalid", "bad_query"])
def test_free_mistakes_are_not_counted_by_the_host(code: str) -> None:  # RULES 8.1
    room = Room(TWO, bears=0)
    for _ in range(50):
        said = Done() if code == "phase_error" else BadMessage(code, "whatever")
        assert costs(room.says(0, said)) == [None]
    assert not room.match.gone


def test_other_mistakes_are() -> None:  # RULES 8.1
    room = Room(TWO, bears=2)
    for _ in range(2):
        assert costs(room.do("0 offers 1 9 coal")) == [None]
        room.says(0, Done())
    out = room.do("0 offers 1 9 coal")
    assert refusals(out) == [("illegal", "proposal_invalid")] and costs(out) == [Leave(0, "faults")]


def test_the_record_of_all_that_holds() -> None:  # RULES 8.1
    room = Room(TWO, bears=3, max_turn=1)
    room.says(0, Done())
    room.says(0, JUNK)
    room.do("0 offers 1 9 coal", "0 offers 1 1 coal for 1 stick", "1 accepts", "all are done")
    data = b"".join(line + b"\n" for line in [*room.lines, room.match.reveal()])
    assert room.match.end == Result((0, 0), (2, 2)) and verify(data, lambda _: GAME).holds == "yes"


# Refused proposals (RULES 8.2)


@pytest.mark.parametrize("most", [1, 3, 10])
def test_after_so_many_refused_proposals_the_turn_goes_on_without_one(most: int) -> None:  # RULES 8.2
    room = Room(TWO, max_invalid_proposals=most)
    for _ in range(most - 1):
        assert costs(room.do("0 offers 1 9 coal")) == [None]
    out = room.do("0 offers 1 9 coal")
    assert costs(out) == [Forgo()] and events(out) == [Proposed(0), Rejected(0)]
    assert room.state.view(None).phase == "craft" and not room.match.gone


def test_it_is_ten_unless_the_table_says_otherwise() -> None:  # RULES 8.2
    state = table("2 coal", "3 stick")
    assert state.amends(0, [INVALID] * 9) is None and state.amends(0, [INVALID] * 10) == Forgo()


def test_what_cannot_be_read_counts_as_a_refused_proposal_and_phase_errors_do_not() -> None:  # RULES 8.2
    state = table("2 coal", "3 stick", max_invalid_proposals=3)
    junk = Fault("unreadable", "bad_message")
    assert state.amends(0, [INVALID, PHASE_ERROR, junk, *[PHASE_ERROR] * 99]) is None
    assert state.amends(0, [INVALID, PHASE_ERROR, junk, INVALID]) == Forgo()


def test_every_turn_has_its_own_tries() -> None:  # RULES 8.2
    room = Room(TWO, max_invalid_proposals=2)
    for _ in range(3):
        room.do(f"{room.state.proposer} offers {1 - room.state.proposer} 9 dirt")
        room.do(f"{room.state.proposer} offers {1 - room.state.proposer} nothing")
        room.do(f"{1 - room.state.proposer} rejects", "all are done")
    assert room.state.view(None).turn == 4


def test_what_cannot_be_read_costs_nothing_in_the_other_phases() -> None:  # RULES 8.2
    room = Room(TWO)
    room.do("0 offers 1 nothing")
    for _ in range(50):
        assert costs(room.says(1, JUNK)) == [None]
    room.do("1 rejects")
    for _ in range(50):
        assert costs(room.says(0, JUNK)) == [None]
    assert room.state.view(None).phase == "craft"


# Silence, and what is taken for it (RULES 8.3, 8.4)


@pytest.mark.parametrize("kind", ["late", "gone"])
def test_silence_has_its_price_in_every_phase(kind: Any) -> None:  # RULES 8.3
    silence = [Fault(kind, kind)]
    state = table("2 coal 2 stick", "3 stick")
    assert state.amends(0, silence) == Forgo()
    play(state, "0 offers 1 1 coal")
    assert state.amends(1, silence) == Decide("reject", "")
    play(state, "1 rejects")
    assert state.amends(0, silence) == state.amends(1, silence) == Done()


def test_a_thousand_mistakes_are_taken_for_silence() -> None:  # RULES 8.4
    state = table("2 coal 2 stick", "3 stick")
    assert MOST_FAULTS == 1000
    assert state.amends(0, [PHASE_ERROR] * 999) is None and state.amends(0, [PHASE_ERROR] * 1000) == Forgo()
    play(state, "0 offers 1 1 coal")
    assert state.amends(1, [PHASE_ERROR] * 999) is None and state.amends(1, [PHASE_ERROR] * 1000) == Decide("reject")
    play(state, "1 rejects")
    assert state.amends(0, [PHASE_ERROR] * 999) is None and state.amends(0, [PHASE_ERROR] * 1000) == Done()


def test_a_bot_that_never_gets_it_right_does_not_hold_up_a_match_for_ever() -> None:  # RULES 8.4
    room = Room(TWO, max_turn=2)
    while room.match.end is None:
        for seat in sorted(room.match.open):
            room.says(seat, JUNK if room.state.view(None).turn == 1 else Apply())
    assert room.match.end == Result((0, 0), (2, 2)) and not room.match.gone


def test_a_player_that_checks_too_often_is_done() -> None:  # RULES 5.10
    room = Room(TWO, max_checks=1)
    room.do("0 offers 1 nothing", "1 rejects", "0 checks 1 coal 1 stick = 4 torch")
    out = room.do("0 checks 1 coal 1 stick = 4 torch")
    assert refusals(out) == [("illegal", "no_checks_left")] and costs(out) == [Done()]
    assert events(out) == [Finished(0, {"coal": 2, "stick": 2})]


def test_an_answer_that_nobody_asked_for_costs_nothing() -> None:  # RULES 8.1
    for state in (table("1 coal", "1 stick"), bench("1 coal", "1 stick")):
        for seat in (0, 1):
            assert state.amends(seat, [Fault("unasked", "stale")] * 2000) is None


# Time (RULES 8.5)


def test_there_is_a_minute_to_propose_a_minute_to_decide_and_three_to_craft() -> None:  # RULES 8.5
    room = Room(THREE, limit_s=GAME.hosting.limit_s)
    assert not room.wait(59.9).lines
    assert events(room.wait(0.1)) == [Proposed(0), Rejected(0)]
    assert not room.wait(179.9).lines
    assert [type(event) for event in events(room.wait(0.1))][-1] is TurnBegan
    room.do("1 offers 2 nothing")
    assert not room.wait(59.9).lines
    assert events(room.wait(0.1)) == [Answered(1, 2, ""), Rejected(1)]


def test_a_shorter_limit_of_the_host_holds_for_all_three() -> None:  # RULES 8.5
    room = Room(TWO, limit_s=5)
    for phase in ("decide", "craft"):
        before = room.state.view(None).phase
        assert not room.wait(4.9).lines and room.state.view(None).phase == before
        if phase == "decide":
            room.do("0 offers 1 nothing")
            assert not room.wait(4.9).lines
            room.wait(0.1)
            assert room.state.view(None).phase == "craft"
    room.wait(0.1)
    assert room.state.view(None).turn == 2


@pytest.mark.parametrize("mistake", [Done(), JUNK, Propose(1, {"coal": 9})])
def test_no_mistake_prolongs_a_phase(mistake: Any) -> None:  # RULES 8.5
    room = Room(TWO, limit_s=60)
    for _ in range(5):
        room.wait(10)
        out = room.says(0, mistake)
        [asked] = [notice for notice in out.notices if isinstance(notice, Asked)]
        assert asked.due == 60
    assert events(room.wait(10)) == [Proposed(0), Rejected(0)]


def test_crafting_does_not_prolong_it_either_and_all_have_the_same_deadline() -> None:  # RULES 8.5
    room = Room(THREE, limit_s=60)
    room.do("0 offers 1 nothing", "1 rejects")
    room.wait(30)
    room.do("0 crafts 1 coal 1 stick = 4 torch", "1 is done")
    out = room.wait(30)
    assert [(each.seat, each.cost) for each in out.notices if isinstance(each, AnswerRefused)] == [
        (0, Done()),
        (2, Done()),
    ]
    assert room.state.view(None).turn == 2 and room.state.view(None).hands[0] == {"coal": 1, "stick": 1, "torch": 4}


def test_without_a_clock_nothing_is_ever_late() -> None:  # RULES 8.5
    room = Room(TWO)
    assert not room.wait(1e9).lines


# Leaving (RULES 8.6)


@pytest.mark.parametrize("phase", ["propose", "decide", "craft"])
def test_a_player_that_leaves_is_answered_for_at_once(phase: str) -> None:  # RULES 8.6
    room = Room(THREE)
    room.do(*{"propose": [], "decide": ["0 offers 1 1 coal"], "craft": ["0 offers 1 nothing", "1 rejects"]}[phase])
    if phase == "propose":
        assert events(room.do("0 leaves")) == [Left(0, "quit"), Proposed(0), Rejected(0)]
    elif phase == "decide":
        assert events(room.do("1 leaves")) == [Answered(0, 1, ""), Rejected(0), Left(1, "quit")]
    else:
        room.do("0 is done", "1 is done")
        assert events(room.do("2 leaves"))[:2] == [Left(2, "quit"), Finished(2, {"dirt": 5})]
        assert room.state.view(None).turn == 2


def test_a_seat_that_left_is_answered_for_in_every_turn_to_come() -> None:  # RULES 8.6
    room = Room(THREE, max_turn=3)
    room.do("0 leaves")
    while room.match.end is None:
        assert 0 not in room.match.open or 0 in room.match.gone
        seat = min(room.match.open.keys() - {0})
        room.says(
            seat, {"propose": Propose(0), "decide": Decide("accept"), "craft": Done()}[room.state.view(None).phase]
        )
    assert room.match.end == Result((0, 0, 0), (4, 2, 2))
    assert room.state.hands[0] == {"coal": 2, "stick": 2}, "nobody could trade it out of what it had"


def test_amends_for_a_player_that_is_not_asked_are_nothing() -> None:  # RULES 8.6
    assert table("1 coal", "1 stick").amends(1, [GONE]) is None
