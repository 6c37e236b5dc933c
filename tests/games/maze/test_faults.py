"""Whatever is wrong costs the seat: every way to be wrong, through the referee, and how the others go on."""

import json
from typing import Any

import pytest

from parlour.core import AnswerRefused, BadMessage, Close, Fault, Join, Leave, Result, Stop, Void
from parlour.games import game
from parlour.games.maze.values import (
    Ack,
    Began,
    Decided,
    Hear,
    Left,
    Move,
    Moved,
    Pass,
    Prepared,
    SetUp,
)
from parlour.referee.match import Out
from parlour.referee.replay import verify
from parlour.referee.transcript import Limits
from tests.games.maze.tables import ACK, PASS, Room, cost, crosses, moving, places, position, price, recorded

FIVE = crosses(5, 5)
LIMIT = Limits(limit_ms=4000)
JUNK = BadMessage("not_json", "not JSON")


def start(rows: str = FIVE, **more: Any) -> Prepared:
    """Seats 2, 1 and 0 move in this order. Nobody has a goal near by."""
    return position(**{"rows": rows, "homes": "1,1 1,1 1,1", "goals": "3,1 3,1 3,1", **more})


def room(**more: Any) -> Room:
    """Seat 2 is to move, from 1,1 to 3,1."""
    return Room(start(), **more)


def proof(room: Room) -> str:
    """Whether the transcript of a match that is over proves it."""
    verdict = verify(b"".join(raw + b"\n" for raw in [*room.lines, room.match.reveal()]), game)
    return verdict.holds


def lost(room: Room, out: Out, seat: int, kind: str, code: str) -> None:
    """The fault is recorded with its price, which is the seat, and told as it should be."""
    assert price(out) == (kind, code, cost(seat, code))
    assert room.match.gone[seat] == code and seat not in room.asked
    refused = [notice for notice in out.notices if isinstance(notice, AnswerRefused)]
    assert [(notice.seat, notice.fault.code, notice.cost) for notice in refused] == [(seat, code, Leave(seat, code))]
    assert Left(seat, code) in out.notices
    for who in (None, *range(len(room.match.names))):
        told = list(out.to(who))
        assert Left(seat, code) in told and any(isinstance(notice, AnswerRefused) for notice in told) == (who == seat)


# Illegal moves


BAD_MOVES = [
    ("row 1 left to 0,0", "no_such_line"),
    ("row 3 right to 0,0", "no_such_line"),
    ("column 1 up to 0,0", "no_such_line"),
    ("column 3 down to 0,0", "no_such_line"),
    ("row 5 left to 0,0", "no_such_line"),
    ("row 6 left to 0,0", "no_such_line"),
    ("column 6 up to 0,0", "no_such_line"),
    ("row 1000000 left to 0,0", "no_such_line"),
    ("row -1 left to 0,0", "no_such_line"),
    ("row -2 right to 0,0", "no_such_line"),
    ("column -2 down to 0,0", "no_such_line"),
    ("row 0 left turning 360 to 0,0", "bad_degrees"),
    ("row 0 left turning -90 to 0,0", "bad_degrees"),
    ("row 0 left turning 45 to 0,0", "bad_degrees"),
    ("row 0 left turning 1 to 0,0", "bad_degrees"),
    ("row 0 left turning 450 to 0,0", "bad_degrees"),
    ("row 0 left to 5,0", "off_board"),
    ("row 0 left to 0,5", "off_board"),
    ("row 0 left to -1,0", "off_board"),
    ("row 0 left to 0,-1", "off_board"),
    ("row 0 left to 1,-3", "off_board"),
    ("row 0 left to 1000000,-1000000", "off_board"),
    ("row 0 left to 1,1", "stays"),
]


@pytest.mark.parametrize(("words", "code"), BAD_MOVES)
def test_an_illegal_move_costs_the_seat(words: str, code: str) -> None:  # RULES 3.3, 3.5, 3.8, 6.1, 10.7, 10.8
    it = room()
    board = it.state.board.copy()
    out = it.says(2, moving(words))
    lost(it, out, 2, "illegal", code)
    assert json.loads(bytes(recorded(out).said)) == {
        "type": "Move",
        **{name: getattr(moving(words), name) for name in ("index", "direction", "degrees", "row", "column")},
    }
    assert it.state.board == board and it.state.last is None and places(it.state)[:2] == [(1, 1), (1, 1)]
    assert it.asked == {1: "TakeTurn"} and it.state.round == 1  # RULES 6.4


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (crosses(5, 3), "column 4 up to 0,0"),
        (crosses(5, 3), "column 4 down to 0,0"),
        (crosses(3, 5), "row 4 left to 0,0"),
        (crosses(3, 5), "row 4 right to 0,0"),
        (crosses(2, 4), "row 2 left to 0,0"),
        (crosses(4, 2), "column 2 up to 0,0"),
        (crosses(2, 2), "row 2 left to 0,0"),
        (crosses(12, 12), "column 12 down to 0,0"),
    ],
)
def test_a_line_off_a_board_that_is_not_square(rows: str, words: str) -> None:  # RULES 3.8
    it = Room(start(rows, goals="1,1 1,1 1,1"))
    lost(it, it.says(2, moving(words)), 2, "illegal", "no_such_line")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (crosses(5, 3), "row 4 left to 0,0"),
        (crosses(3, 5), "column 4 down to 2,0"),
        (crosses(2, 4), "column 2 up to 0,3"),
        (crosses(4, 2), "row 2 right to 3,0"),
        (crosses(2, 2), "row 0 right to 0,0"),
        (crosses(12, 12), "column 10 down to 11,11"),
    ],
)
def test_a_line_on_such_a_board(rows: str, words: str) -> None:  # RULES 3.8
    it = Room(start(rows, goals="1,1 1,1 1,1"))
    assert recorded(it.says(2, moving(words))).fault is None and it.asked == {1: "TakeTurn"}


@pytest.mark.parametrize(("rows", "spot"), [(crosses(5, 3), "0,4"), (crosses(3, 5), "4,0"), (crosses(4, 2), "1,2")])
def test_off_a_board_that_is_not_square(rows: str, spot: str) -> None:  # RULES 6.1
    it = Room(start(rows, goals="1,1 1,1 1,1"))
    lost(it, it.says(2, moving(f"row 0 left to {spot}")), 2, "illegal", "off_board")


def test_where_no_way_leads() -> None:  # RULES 3.5, 6.1
    it = Room(start("│││││ " * 5))
    lost(it, it.says(2, moving("row 0 left to 1,3")), 2, "illegal", "unreachable")
    assert recorded(it.says(1, moving("row 0 left to 3,1"))).fault is None


def test_a_way_that_the_slide_breaks() -> None:  # RULES 3.5, 6.1
    # Over 0,1 one comes from 1,1 to 1,0; the slide puts another tile there.
    it = Room(start("┌┐│ ││─ ───", goals="1,1 1,1 1,1", spare="│"))
    lost(it, it.says(2, moving("row 0 left to 1,0")), 2, "illegal", "unreachable")
    assert recorded(it.says(1, moving("row 2 left to 1,0"))).fault is None


def test_an_undo() -> None:  # RULES 3.6, 6.1
    it = room()
    it.says(2, "slides row 0 left to 0,0")
    lost(it, it.says(1, moving("row 0 right turning 180 to 0,0")), 1, "illegal", "undo")


def test_the_same_slide_again() -> None:  # RULES 3.6
    it = room()
    for seat, words in ((2, "row 0 left to 0,0"), (1, "row 0 left to 0,1"), (0, "row 0 left turning 90 to 0,2")):
        assert recorded(it.says(seat, moving(words))).fault is None
    assert it.asked == {2: "TakeTurn"} and it.state.round == 2


def test_passes_and_faults_keep_the_memory() -> None:  # RULES 3.7
    it = room()
    it.says(2, "slides row 0 left to 0,0")
    it.says(1, PASS)
    it.says(0, JUNK)  # has lost its seat
    it.says(2, PASS)
    lost(it, it.says(1, moving("row 0 right to 0,0")), 1, "illegal", "undo")


def test_an_undo_that_was_refused_keeps_the_memory() -> None:  # RULES 3.7
    it = room()
    it.says(2, "slides row 0 left to 0,0")
    lost(it, it.says(1, moving("row 0 right to 0,0")), 1, "illegal", "undo")
    lost(it, it.says(0, moving("row 0 right to 0,0")), 0, "illegal", "undo")


def test_the_reason_is_told_in_words() -> None:  # RULES 6.1
    it = room()
    out = it.says(2, moving("column 6 up to 0,0"))
    assert recorded(out).fault == Fault("illegal", "no_such_line", "slide 6 UP: even lines below 5 slide")
    out = it.says(1, moving("row 0 left turning 360 to 0,0"))
    assert recorded(out).fault == Fault("illegal", "bad_degrees", "turn by 360: 0, 90, 180 or 270")


# Answers that are none


@pytest.mark.parametrize(
    "junk",
    [
        None,
        5,
        "PASS",
        [0, "LEFT", 0, {"row#": 0, "column#": 0}],
        {},
        {"type": "Pass", "why": "no"},
        {"type": "Move"},
        {"type": "Move", "index": 0, "direction": "left", "degrees": 0, "row": 0, "column": 0},
        {"type": "Move", "index": "0", "direction": "LEFT", "degrees": 0, "row": 0, "column": 0},
        {"type": "Move", "index": 0.5, "direction": "LEFT", "degrees": 0, "row": 0, "column": 0},
        {"type": "Move", "index": True, "direction": "LEFT", "degrees": 0, "row": 0, "column": 0},
        {"type": "Move", "index": 10**9, "direction": "LEFT", "degrees": 0, "row": 0, "column": 0},
        {"type": "Move", "index": 0, "direction": "LEFT", "degrees": 0, "row": 0},
        {"type": "Leave", "seat": 1, "why": "quit"},
        {"type": "Stop"},
        b"\xff",
        float("nan"),
    ],
)
def test_what_is_no_action_costs_the_seat(junk: Any) -> None:  # RULES 6.1
    it = room()
    lost(it, it.took(it.match.answer(2, junk, 0.0)), 2, "unreadable", "wrong_shape")
    assert it.asked == {1: "TakeTurn"}


def test_what_cannot_be_read_costs_the_seat() -> None:  # RULES 6.1
    it = room()
    out = it.says(2, BadMessage("not_json", "no JSON at 3"))
    lost(it, out, 2, "unreadable", "not_json")
    fault = recorded(out).fault
    assert fault is not None and fault.words == "no JSON at 3"


def test_an_answer_to_something_else_costs_the_seat() -> None:  # RULES 6.1
    it = room()
    lost(it, it.says(2, ACK), 2, "illegal", "wrong_kind")


# Silence


def test_silence_costs_the_seat() -> None:  # RULES 6.1
    it = room(limits=LIMIT)
    assert it.waits(3.999).lines == [] and it.asked == {2: "TakeTurn"}
    lost(it, it.waits(4.0), 2, "late", "late")
    assert it.asked == {1: "TakeTurn"}
    assert it.waits(7.999).lines == []  # the next has time of its own
    assert recorded(it.says(1, PASS, now=7.999)).fault is None


def test_an_answer_that_comes_too_late() -> None:  # RULES 6.1
    it = room(limits=LIMIT)
    out = it.says(2, PASS, now=4.0)
    assert price(out) == ("late", "late", cost(2, "late")) and len(out.lines) == 1
    assert it.asked == {1: "TakeTurn"}


def test_all_are_silent() -> None:  # RULES 6.1, 5.1
    it = room(limits=LIMIT)
    for now in (4.0, 8.0, 12.0):
        it.waits(now)
    assert it.match.end == Result((0, 0, 0), (2, 2, 2)) and proof(it) == "yes"


# Messages that nobody asked for


@pytest.mark.parametrize("said", [PASS, ACK, Move(0, "LEFT", 0, 0, 0), JUNK, {"type": "nonsense"}])
def test_speaking_out_of_turn_costs_the_seat(said: Any) -> None:  # RULES 6.1
    it = room()
    lost(it, it.took(it.match.answer(0, said, 0.0)), 0, "unasked", "not_asked")
    assert it.asked == {2: "TakeTurn"} and it.state.round == 1  # whose turn it is may go on thinking
    it.says(2, "slides row 0 left to 0,0")
    it.says(1, PASS)
    assert it.asked == {2: "TakeTurn"} and it.state.round == 2


def test_answering_twice_costs_the_seat() -> None:  # RULES 6.1
    it = room()
    it.says(2, "slides row 0 left to 0,0")
    lost(it, it.says(2, PASS), 2, "unasked", "not_asked")
    assert places(it.state)[2] == (0, 0) and it.state.last == (0, "LEFT")  # the move stands
    assert it.asked == {1: "TakeTurn"}


def test_numbered_answers_do_no_harm() -> None:  # RULES 6.1 is about messages, not about what was sent twice
    it = room()
    n = it.match.open[2].n
    it.says(2, "slides row 0 left to 0,0", n=n)
    out = it.says(2, PASS, n=n)
    assert out.lines == [] and 2 not in it.match.gone
    it.says(1, PASS)
    it.says(0, PASS)
    assert it.says(2, PASS, n=n).lines == [] and it.asked == {2: "TakeTurn"}


def test_speaking_while_others_are_set_up_costs_the_seat() -> None:  # RULES 6.1, 6.2
    it = room(set_up=False)
    it.says(1, ACK)
    lost(it, it.says(1, ACK), 1, "unasked", "not_asked")
    assert it.asked == {0: "SetUp", 2: "SetUp"}
    it.says(0, ACK)
    assert Began((2, 0)) in it.says(2, ACK).notices


def test_speaking_while_others_hear_the_end_costs_the_seat() -> None:  # RULES 6.1, 6.2
    it = room()
    for seat in (2, 1, 0):
        it.says(seat, PASS)
    it.says(1, ACK)
    lost(it, it.says(1, ACK), 1, "unasked", "not_asked")
    assert it.asked == {0: "Hear", 2: "Hear"} and it.state.winners == [0, 2]


def test_speaking_before_the_table_closes_costs_the_seat() -> None:  # RULES 6.1, 9.15
    it = Room(None, eager=False)
    it.happens(Join("Ada"))
    it.happens(Join("Bob"))
    assert it.asked == {}
    lost(it, it.says(0, ACK), 0, "unasked", "not_asked")
    it.happens(Join("Cyd"))
    it.happens(Close())
    assert it.asked == {1: "SetUp", 2: "SetUp"}


def test_a_player_that_is_gone_has_nothing_more_to_lose() -> None:  # RULES 6.3, 9.14
    it = room()
    it.says(2, JUNK)
    for said in (PASS, ACK, JUNK):
        out = it.says(2, said)
        assert out.lines == [] and it.asked == {1: "TakeTurn"}
    assert it.leaves(2).lines == []


def test_after_the_end_nothing_costs_anything() -> None:  # RULES 6.1
    it = room()
    for seat, said in ((2, PASS), (1, PASS), (0, PASS), (0, ACK), (1, ACK), (2, ACK)):
        it.says(seat, said)
    end = it.match.end
    for seat in range(3):
        assert it.says(seat, PASS).lines == []
    assert it.match.end == end == Result((0, 0, 0), (1, 1, 1)) and it.match.gone == {}


# The others go on


@pytest.mark.parametrize("loser", [0, 1, 2])
def test_the_others_go_on_in_order(loser: int) -> None:  # RULES 6.4
    it = room()
    turns = []
    for _ in range(7):
        [seat] = it.asked
        turns.append((it.state.round, seat))
        it.says(seat, JUNK if seat == loser else moving(f"row 0 left to 1,{(len(turns) + 1) % 5}"))
    order = [seat for seat in (2, 1, 0) if seat != loser]
    first = [(1, 2), (1, 1), (1, 0)]
    assert turns == first + [(2 + n // 2, order[n % 2]) for n in range(4)]


def test_the_round_does_not_start_again() -> None:  # RULES 6.4
    it = room()
    it.says(2, "slides row 0 left to 0,0")
    it.says(1, JUNK)
    assert it.asked == {0: "TakeTurn"} and it.state.round == 1
    it.says(0, "slides row 0 left to 0,1")
    assert it.asked == {2: "TakeTurn"} and it.state.round == 2


def test_the_last_of_a_round_is_lost() -> None:  # RULES 6.4
    it = room()
    it.says(2, "slides row 0 left to 0,0")
    it.says(1, PASS)
    it.says(0, JUNK)
    assert it.asked == {2: "TakeTurn"} and it.state.round == 2


def test_a_round_of_passes_and_faults() -> None:  # RULES 5.5
    it = room()
    it.says(2, PASS)
    it.says(1, JUNK)
    out = it.says(0, PASS)
    assert Decided((0, 2), "passes") in out.notices and it.asked == {0: "Hear", 2: "Hear"}


def test_a_fault_alone_is_no_round_of_passes() -> None:  # RULES 5.5
    it = room()
    it.says(2, "slides row 0 left to 0,0")
    it.says(1, JUNK)
    it.says(0, PASS)
    assert it.asked == {2: "TakeTurn"} and it.state.round == 2


def test_the_last_round_ends_with_a_fault() -> None:  # RULES 5.1, 6.4
    it = room(round_cap=1)
    it.says(2, "slides row 0 left to 0,0")
    it.says(1, "slides row 0 left to 2,1")
    out = it.says(0, JUNK)
    assert Decided((1,), "rounds") in out.notices


def test_carried_avatars_of_a_player_that_is_gone_disturb_nobody() -> None:  # RULES 6.3
    it = Room(start(at="0,0 0,0 0,0"))
    it.says(2, JUNK)
    it.says(1, "slides row 0 left to 2,2")
    assert places(it.state)[0] == (0, 4)
    it.says(0, "slides row 0 left to 2,2")
    assert it.asked == {1: "TakeTurn"}


# Failures at set-up, at a new goal, and at the end


@pytest.mark.parametrize("said", [PASS, Move(0, "LEFT", 0, 0, 0), JUNK, {"type": "Void"}, "void"])
def test_a_failure_at_the_first_set_up(said: Any) -> None:  # RULES 6.2
    it = room(set_up=False)
    assert it.asked == {0: "SetUp", 1: "SetUp", 2: "SetUp"}
    out = it.took(it.match.answer(2, said, 0.0))
    assert price(out)[2] == cost(2, price(out)[1]) and price(out)[0] in ("illegal", "unreadable")
    assert it.asked == {0: "SetUp", 1: "SetUp"} and it.state.round == 0
    it.says(1, ACK)
    out = it.says(0, ACK)
    assert Began((1, 0)) in out.notices and it.asked == {1: "TakeTurn"} and it.state.round == 1


def test_silence_at_the_first_set_up() -> None:  # RULES 6.2
    it = room(set_up=False, limits=LIMIT)
    it.says(1, ACK, now=1.0)
    out = it.waits(4.0)  # two at the same instant
    assert len(out.lines) == 2 and it.match.gone == {0: "late", 2: "late"}
    assert it.asked == {1: "TakeTurn"} and it.state.round == 1
    assert [notice for notice in out.notices if isinstance(notice, Began)] == [Began((1,))]


def test_the_last_who_was_waited_for_fails_at_set_up() -> None:  # RULES 6.2
    it = room(set_up=False)
    it.says(1, ACK)
    it.says(0, ACK)
    out = it.says(2, JUNK)
    assert Began((1, 0)) in out.notices and it.asked == {1: "TakeTurn"}


def test_all_fail_at_set_up() -> None:  # RULES 5.1, 6.2
    it = room(set_up=False)
    for seat in range(3):
        out = it.says(seat, JUNK)
    assert Decided((), "nobody") in out.notices
    assert it.match.end == Result((0, 0, 0), (2, 2, 2)) and it.state.round == 0 and proof(it) == "yes"


def at_goal(**more: Any) -> Room:
    """Seat 2 has just reached its goal and is to hear of the next."""
    it = room(**more)
    it.says(2, "slides row 0 left to 3,1")
    assert it.asked == {2: "SetUp"} and it.match.open[2].ask == SetUp(goal=(1, 1), whole=False)
    return it


@pytest.mark.parametrize("said", [PASS, Move(0, "LEFT", 0, 0, 0), JUNK])
def test_a_failure_at_a_new_goal(said: Any) -> None:  # RULES 6.2
    it = at_goal()
    out = it.says(2, said)
    assert price(out)[2] == cost(2, price(out)[1])
    assert it.asked == {1: "TakeTurn"} and it.state.round == 1
    assert it.state.last == (0, "LEFT") and it.state.turn == 1  # its move stands
    lost(it, it.says(1, moving("row 0 right to 0,0")), 1, "illegal", "undo")


def test_silence_at_a_new_goal() -> None:  # RULES 6.2
    it = at_goal(limits=LIMIT)
    lost(it, it.waits(4.0), 2, "late", "late")
    assert it.asked == {1: "TakeTurn"}


def test_others_wait_while_a_new_goal_is_told() -> None:  # RULES 6.1, 6.2
    it = at_goal()
    lost(it, it.says(1, PASS), 1, "unasked", "not_asked")
    assert it.asked == {2: "SetUp"}
    it.says(2, ACK)
    assert it.asked == {0: "TakeTurn"}


def test_a_failure_at_a_new_goal_by_the_last_of_a_round() -> None:  # RULES 5.5, 6.2
    it = room()
    it.says(2, PASS)
    it.says(1, PASS)
    it.says(0, "slides row 0 left to 3,1")
    out = it.says(0, JUNK)
    assert Decided((1, 2), "passes") in out.notices  # all who are left have passed


def test_a_failure_at_a_new_goal_of_a_player_that_is_alone() -> None:  # RULES 5.1, 6.2
    it = room()
    it.says(1, JUNK)
    it.says(0, JUNK)
    it.says(2, "slides row 0 left to 3,1")
    it.says(2, JUNK)
    assert it.match.end == Result((0, 0, 1), (2, 2, 2)) and proof(it) == "yes"


def at_end(**more: Any) -> Room:
    """Seat 2 has come home and won; everybody is to hear of it."""
    it = at_goal(**more)
    it.says(2, ACK)
    for seat in (1, 0):
        it.says(seat, PASS)
    out = it.says(2, "slides row 0 left to 1,1")
    assert Decided((2,), "home") in out.notices
    assert {seat: open.ask for seat, open in it.match.open.items()} == {
        0: Hear(won=False),
        1: Hear(won=False),
        2: Hear(won=True),
    }
    return it


@pytest.mark.parametrize("said", [PASS, Move(0, "LEFT", 0, 0, 0), JUNK])
def test_a_winner_that_fails_is_none_and_nobody_moves_up(said: Any) -> None:  # RULES 6.2
    it = at_end()
    out = it.says(2, said)
    assert price(out)[2] == cost(2, price(out)[1])
    assert it.state.winners == [] and it.asked == {0: "Hear", 1: "Hear"}
    assert it.match.open[1].ask == Hear(won=False)
    it.says(0, ACK)
    it.says(1, ACK)
    assert it.match.end == Result((0, 0, 1), (2, 2, 4)) and it.state.view(None).winners == ()
    assert proof(it) == "yes"


def test_one_of_several_winners_fails() -> None:  # RULES 6.2
    it = room()
    for seat in (2, 1, 0):
        it.says(seat, PASS)
    it.says(1, JUNK)
    it.says(0, ACK)
    it.says(2, ACK)
    assert it.match.end == Result((0, 0, 0), (1, 3, 1)) and it.state.view(None).winners == (0, 2)


def test_a_loser_that_fails_at_the_end() -> None:  # RULES 6.2
    it = at_end()
    it.says(0, JUNK)
    it.says(2, ACK)
    assert it.asked == {1: "Hear"}
    it.says(1, ACK)
    assert it.match.end == Result((0, 0, 1), (3, 2, 1)) and it.match.gone == {0: "not_json"}


def test_silence_at_the_end() -> None:  # RULES 6.2
    it = at_end(limits=LIMIT)
    it.says(1, ACK)
    it.waits(4.0)
    assert it.match.end == Result((0, 0, 1), (3, 2, 3)) and it.match.gone == {0: "late", 2: "late"}
    assert it.state.view(None).winners == () and proof(it) == "yes"


def test_time_is_up_while_the_end_is_told() -> None:  # RULES 5.4
    it = at_end()
    it.happens(Stop())
    assert it.match.end == Result((0, 0, 1), (2, 2, 1)) and proof(it) == "yes"


# Leaving


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
@pytest.mark.parametrize("when", ["registration", "setup", "play", "goal", "end"])
def test_all_leave(order: tuple[int, ...], when: str) -> None:  # RULES 5.1, 6.3
    match when:
        case "registration":
            it = Room(None, eager=False)
            for name in ("Ada", "Bob", "Cyd"):
                it.happens(Join(name))
        case "setup":
            it = room(set_up=False)
        case "play":
            it = room()
        case "goal":
            it = at_goal()
        case _:
            it = at_end()
    for seat in order:
        assert it.match.end is None
        it.leaves(seat)
    if when == "registration":
        assert it.match.end is None
        it.happens(Close())
    assert isinstance(it.match.end, Result) and it.match.end.ranks == (2, 2, 2)
    assert it.state.view(None).winners == () and proof(it) == "yes"


def test_a_connection_that_breaks_on_ones_turn() -> None:  # RULES 6.1, 6.3
    it = room()
    out = it.leaves(2)
    assert json.loads(bytes(recorded(out).do)) == cost(2, "quit") and recorded(out).fault is None
    assert it.asked == {1: "TakeTurn"}


def test_what_the_rules_say_a_fault_costs() -> None:  # RULES 6.1
    state = room().state
    for kind in ("unreadable", "illegal", "late", "gone", "unasked"):
        fault = Fault(kind, "a_code")
        assert [state.amends(seat, [fault]) for seat in range(3)] == [Leave(seat, "a_code") for seat in range(3)]
    state.play(None, Leave(0, "quit"))
    assert state.amends(0, [fault]) is None
    assert state.amends(1, [Fault("late", "first"), Fault("late", "second")]) == Leave(1, "second")


# Whole matches


def test_a_match_full_of_faults_is_proved() -> None:  # RULES 6.1
    it = Room(start(homes=" ".join(["1,1"] * 6), goals=" ".join(["3,1"] * 6)), limits=LIMIT)
    it.says(3, PASS)  # unasked
    it.says(5, moving("row 0 left turning 90 to 0,0"))
    it.says(4, JUNK)
    it.says(2, moving("row 0 right to 0,0"))  # undo
    it.waits(4.0)  # seat 1
    assert it.match.gone == {3: "not_asked", 4: "not_json", 2: "undo", 1: "late"}
    it.says(0, PASS, now=4.0)
    it.says(5, moving("row 0 left to 3,1"), now=4.0)
    it.says(5, ACK, now=4.0)
    it.says(0, moving("row 4 left to 1,1"), now=4.0)  # where it stands
    assert it.asked == {5: "TakeTurn"}
    out = it.says(5, moving("row 0 left to 1,1"), now=4.0)
    assert [type(notice) for notice in out.to(None)] == [Moved, Decided]
    it.says(5, ACK, now=4.0)
    assert it.match.end == Result((0, 0, 0, 0, 0, 1), (2, 2, 2, 2, 2, 1)) and proof(it) == "yes"


def test_a_prepared_position_is_in_the_header_and_replays() -> None:  # RULES 2.5, 6.1
    it = Room(start(queue="3,3 1,3", last=(4, "UP")), round_cap=3)
    lost(it, it.says(2, moving("column 4 down to 0,0")), 2, "illegal", "undo")
    it.says(1, "slides row 0 left to 3,1")
    it.says(1, ACK)
    it.happens(Stop())
    assert it.asked == {0: "Hear", 1: "Hear"}
    it.says(0, Ack())
    it.says(1, Pass())
    assert it.match.end == Result((0, 1, 0), (2, 3, 3)) and proof(it) == "yes"
    assert not isinstance(it.match.end, Void)
