"""Who sees what: matches that differ only in hidden things look the same to everybody who may not know (RULES 9).

The tests compare everything that is sent: events, views, asks with their numbers, and messages of every protocol.
"""

from collections.abc import Sequence
from typing import Any

import pytest

from parlour.core import BadMessage, Leave
from parlour.games.tradecraft.values import Done, Finished, HandsShown, Left, Problem, Propose, Proposed, Rejected
from tests.games.tradecraft.tables import Room, items, overheard, problem, table

HANDS = ("4 coal 4 stick 2 raw_iron", "5 stick 2 coal", "5 dirt 2 stick", "3 sand 1 stick")
FOUR = problem(*HANDS)
ALL: tuple[int | None, ...] = (0, 1, 2, 3, None)
PROPOSER, PARTNER, THIRD, FOURTH = 0, 1, 2, 3

Move = str | tuple[int, Any]
"""A move in words; or a seat and its raw message, if it is invalid."""


def played(moves: Sequence[Move], start: Problem = FOUR, **more: Any) -> Room:
    room = Room(start, **more)
    for move in moves:
        if isinstance(move, str):
            room.do(move)
        else:
            room.says(*move)
    return room


def knowers(one: Sequence[Move], other: Sequence[Move], **more: Any) -> set[int | None]:
    """The audiences that can tell two versions of a match apart."""
    rooms = [played(moves, **more) for moves in (one, other)]
    return {who for who in ALL if overheard(rooms[0], who) != overheard(rooms[1], who)}


def test_the_comparison_is_of_everything() -> None:
    room = played(["0 offers 1 1 coal"])
    types = [b'"View"', b'"Proposed"', b'"hello"', b'"seat"', b'"ask"', b'"event"', b'"game_start"', b'"proposal"']
    heard = b"".join(overheard(room, PARTNER))
    assert [kind for kind in types if kind not in heard] == [b'"hello"'], "all but what comes before the match"
    assert b'"ask"' not in b"".join(overheard(room, THIRD))


# All hands: to all, at the start, after a trade, at the end of a turn


def test_all_see_all_hands_at_the_start() -> None:  # RULES 9.1
    one, other = Room(problem("1 coal", *HANDS[1:])), Room(FOUR)
    for who in ALL:
        assert overheard(one, who) != overheard(other, who)
        assert one.state.view(who).hands[0] == {"coal": 1}


def test_all_see_all_hands_after_a_trade_and_at_the_end_of_a_turn() -> None:  # RULES 9.1
    room = played(["0 offers 1 1 coal for 1 stick", "1 accepts"])
    for out in (room.outs[-1], room.do("all are done")):
        assert all(any(isinstance(notice, HandsShown) for notice in out.to(who)) for who in ALL)


# The own hand while crafting, what is checked and applied: to the seat alone, until the turn ends

TRADED: list[Move] = ["0 offers 1 nothing", "1 rejects"]
CRAFTS: dict[str, list[Move]] = {
    "nothing": [],
    "a good check": ["0 checks 1 coal 1 stick = 4 torch"],
    "another good check": ["0 checks 2 coal 2 stick = 8 torch"],
    "a check that is no recipe": ["0 checks 1 coal = 1 diamond"],
    "a check beyond the hand": ["0 checks 9 coal 9 stick = 36 torch"],
    "three checks": ["0 checks 1 coal = 1 diamond"] * 3,
    "something crafted": ["0 crafts 1 coal 1 stick = 4 torch"],
    "something else crafted": ["0 crafts 2 raw_iron 1/4 coal = 2 iron_ingot"],
    "nonsense": [(0, BadMessage("bad_message", "nonsense")), (0, Propose(1))],
}


@pytest.mark.parametrize("crafts", [key for key in CRAFTS if key != "nothing"])
@pytest.mark.parametrize("then", [[], ["0 is done"], ["1 is done", "0 is done", "2 is done"]])
def test_what_somebody_crafts_only_that_seat_knows_before_the_turn_ends(crafts: str, then: list[Move]) -> None:
    assert knowers(TRADED + then, [*TRADED, *CRAFTS[crafts], *then]) == {0}  # RULES 9.1


def test_it_is_shown_when_the_turn_ends() -> None:  # RULES 9.1
    done: list[Move] = ["all are done"]
    assert knowers(TRADED + done, [*TRADED, *CRAFTS["something crafted"], *done]) == set(ALL)


def test_what_was_only_checked_is_never_shown() -> None:  # RULES 9.1
    done: list[Move] = ["all are done"]
    for crafts in ("a good check", "a check beyond the hand", "three checks"):
        assert knowers(TRADED + done, [*TRADED, *CRAFTS[crafts], *done]) == {0}


def test_the_own_hand_is_told_after_every_apply_and_when_one_is_done() -> None:  # RULES 9.1
    room = played([*TRADED, "0 crafts 1 coal 1 stick = 4 torch"])
    assert room.state.view(0).hand == {"coal": 3, "raw_iron": 2, "stick": 3, "torch": 4}
    assert room.state.view(0).hands[0] == room.state.view(1).hands[0] == {"coal": 4, "raw_iron": 2, "stick": 4}
    out = room.do("0 is done")
    after = items("3 coal 2 raw_iron 3 stick 4 torch")
    assert [list(out.to(who))[-1] for who in (1, 2, 3, None)] == [Finished(0)] * 4
    assert Finished(0, after) in list(out.to(0))


def test_the_order_of_a_hand_does_not_tell_how_it_came_about() -> None:  # RULES 9.2
    done: list[Move] = ["all are done"]
    one: list[Move] = ["0 crafts 1 coal 1 stick = 4 torch", "0 crafts 1 raw_iron 1/8 coal = 1 iron_ingot"]
    assert knowers([*TRADED, *one, *done], [*TRADED, *one[::-1], *done]) == {0}


# The own target: to the seat alone; to all in the end


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_a_target_is_known_to_its_seat_alone(seat: int) -> None:  # RULES 9.1
    course: list[Move] = [
        "0 offers 1 1 coal for 1 stick: hello",
        "1 accepts: hello",
        "all are done",
        "1 offers 2 nothing",
    ]
    rooms = [
        played(course, problem(*HANDS, targets=[target if each == seat else "" for each in range(4)]))
        for target in ("1 ladder", "1 lantern")
    ]
    assert {who for who in ALL if overheard(rooms[0], who) != overheard(rooms[1], who)} == {seat}


def test_the_hash_of_the_header_does_not_give_a_given_problem_away() -> None:  # RULES 1.4
    """The header hash is public, so without a blind everybody could find the targets by trying all."""
    room = played([SMALL])
    blind = room.match.header.blind
    assert blind is not None
    assert not any(blind.encode() in b"".join(overheard(room, who)) for who in ALL)


def test_all_targets_are_revealed_in_the_end() -> None:  # RULES 9.1
    for who in ALL:
        room = played([*TRADED, "all are done"], problem(*HANDS, targets=["1 ladder"], max_turn=1))
        assert b'"ladder"' in b"".join(overheard(room, who))


# Proposals

SMALL = "0 offers 1 1 coal for 1 stick"
LARGE = "0 offers 1 4 coal 4 stick for 5 stick: all I have"
TO_THIRD = "0 offers 2 1 dirt"


def test_all_know_that_something_was_proposed_and_by_whom() -> None:  # RULES 9.1
    out = played([SMALL]).outs[-1]
    for who in (THIRD, FOURTH, None):
        assert [notice for notice in out.to(who) if isinstance(notice, Proposed)] == [Proposed(0)]
    assert knowers([], [SMALL]) == set(ALL)


def test_what_is_proposed_and_its_text_only_two_know() -> None:  # RULES 9.1
    assert knowers([SMALL], [LARGE]) == {PROPOSER, PARTNER}
    assert knowers([SMALL], [SMALL + ": please"]) == {PROPOSER, PARTNER}
    assert knowers([SMALL, "1 rejects"], [LARGE, "1 rejects"]) == {PROPOSER, PARTNER}


def test_to_whom_it_is_proposed_only_those_know_whom_it_concerns() -> None:  # RULES 9.1
    one, other = "0 offers 1 1 coal for 1 stick", "0 offers 2 1 coal for 1 stick"
    assert knowers([one], [other]) == {0, 1, 2}
    assert knowers([one, "1 rejects"], [other, "2 rejects"]) == {0, 1, 2}


def test_proposals_that_were_refused_only_the_proposer_knows_of() -> None:  # RULES 9.1
    bad: list[Move] = ["0 offers 1 9 coal", "0 offers 0 1 coal", (0, Done()), (0, BadMessage("bad_message", "?"))]
    assert knowers([SMALL], [*bad, SMALL]) == {PROPOSER}


def test_a_player_that_proposes_nothing_looks_like_one_that_was_rejected() -> None:  # RULES 9.1
    late = Room(FOUR, limit_s=60)
    late.wait(60)
    proposed = Room(FOUR, limit_s=60)
    proposed.do("0 offers 1 1 coal for 1 stick", "1 rejects")
    for who in (THIRD, FOURTH, None):
        events = [[type(event) for event in room.state.view(who).history] for room in (late, proposed)]
        assert events == [[Proposed, Rejected]] * 2
        assert late.state.view(who).history == proposed.state.view(who).history


# Replies and decisions


@pytest.mark.parametrize("decision", ["accepts", "rejects"])
def test_a_reply_only_two_know(decision: str) -> None:  # RULES 9.1
    assert knowers([SMALL, f"1 {decision}: yes"], [SMALL, f"1 {decision}: no"]) == {PROPOSER, PARTNER}
    assert knowers([SMALL, f"1 {decision}"], [SMALL, f"1 {decision}: no"]) == {PROPOSER, PARTNER}


def test_what_was_accepted_all_know_without_the_texts() -> None:  # RULES 9.1
    assert knowers([SMALL, "1 accepts"], ["0 offers 1 2 coal for 1 stick", "1 accepts"]) == set(ALL)
    room = played([SMALL + ": psst", "1 accepts: hush"])
    for who in (THIRD, FOURTH, None):
        heard = b"".join(overheard(room, who))
        assert b"psst" not in heard and b"hush" not in heard
    assert b"psst" in b"".join(overheard(room, PARTNER)) and b"hush" in b"".join(overheard(room, PROPOSER))


def test_of_a_rejection_the_others_know_only_that() -> None:  # RULES 9.1
    assert knowers([SMALL, "1 rejects"], [LARGE, "1 rejects: ha"]) == {PROPOSER, PARTNER}
    assert knowers([SMALL, "1 rejects"], [SMALL, "1 accepts"]) == set(ALL)


# Seats that are done: all know the name, and nothing else


def test_all_know_who_is_done() -> None:  # RULES 9.1
    assert knowers(TRADED, [*TRADED, "2 is done"]) == set(ALL)
    assert [played([*TRADED, "2 is done"]).state.view(who).done for who in ALL] == [(2,)] * 5


# Whom a decision is waited for from


@pytest.mark.parametrize(
    "mistakes",
    [
        [(1, Done())] * 3,
        [(1, BadMessage("decision_invalid", "perhaps"))] * 4,
        [(1, BadMessage("bad_message", "?")), (1, Propose(0))],
        [(0, Done()), (2, Done())],
    ],
)
@pytest.mark.parametrize("then", [[], ["1 rejects"], ["1 rejects", "all are done", "1 offers 2 nothing"]])
def test_what_is_done_wrong_meanwhile_only_its_seat_knows(mistakes: list[Move], then: list[Move]) -> None:
    culprits = {mistake[0] for mistake in mistakes}
    assert knowers([SMALL, *then], [SMALL, *mistakes, *then]) <= culprits  # RULES 9.1


def test_a_late_decision_looks_like_a_rejection() -> None:  # RULES 9.1
    rooms = [Room(FOUR, limit_s=60) for _ in range(2)]
    for room in rooms:
        room.do(SMALL)
    rooms[0].do("1 rejects")
    rooms[1].wait(60)
    for who in (THIRD, FOURTH, None):
        assert rooms[0].state.view(who) == rooms[1].state.view(who)


def test_whoever_leaves_meanwhile_is_announced_with_the_decision() -> None:  # RULES 9.3
    room = played([SMALL, "3 leaves"])
    for who in (0, 1, 2, None):
        assert room.state.view(who).gone == () and not any(True for _ in room.outs[-1].to(who))
    out = room.do("1 accepts")
    for who in (0, 1, 2, None):
        assert [notice for notice in out.to(who) if isinstance(notice, Left)] == [Left(3, "quit")]
        assert room.state.view(who).gone == (3,)


def test_a_player_that_leaves_does_not_tell_by_it_whether_a_decision_was_waited_for() -> None:  # RULES 9.3
    partner_leaves: list[Move] = ["0 offers 1 1 coal", "1 leaves"]
    another_leaves: list[Move] = ["0 offers 2 1 coal", "1 leaves", "2 rejects"]
    assert FOURTH not in knowers(partner_leaves, another_leaves)
    assert None not in knowers(partner_leaves, another_leaves)


def test_nor_does_the_order_of_several() -> None:  # RULES 9.3
    rooms = [played([SMALL, *leavers]) for leavers in (["2 leaves", "1 leaves"], ["1 leaves"])]
    assert [notice for notice in rooms[0].outs[-1].to(3) if isinstance(notice, Left)] == [
        Left(1, "quit"),
        Left(2, "quit"),
    ]


def test_leaving_by_too_many_faults_is_announced_the_same_way() -> None:  # RULES 9.3
    rooms = [Room(FOUR, bears=0) for _ in range(2)]
    rooms[0].do("0 offers 1 1 coal")
    rooms[0].says(1, BadMessage("bad_message", "?"))
    assert rooms[0].match.gone == {1: "faults"}
    rooms[1].do("0 offers 2 1 coal")
    rooms[1].take(rooms[1].match.table(Leave(1, "faults"), 0.0))
    rooms[1].do("2 rejects")
    for who in (FOURTH, None):
        assert overheard(rooms[0], who) == overheard(rooms[1], who)


def test_the_state_knows_at_once_who_is_gone() -> None:  # RULES 8.8
    state = table("1 coal", "1 stick", "1 dirt")
    state.play(0, Propose(1))
    for seat in (2, 0):
        assert state.play(None, Leave(seat, "quit")) == []
    events = state.play(None, Leave(1, "quit"))
    assert [event for event in events if isinstance(event, Left)] == [Left(seat, "quit") for seat in (0, 1, 2)]
    assert state.result() is not None
