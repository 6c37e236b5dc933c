"""Maze over real sockets: what clients of the course's protocol do wrong, at each call, and that others play on."""

import asyncio
from typing import Any

import pytest

from parlour.core import Result
from tests.players.maze_misdeeds import COURSE_CALLS, UNREADABLE, game_with
from tests.players.maze_room import (
    THREE,
    TWO,
    Course,
    Misdeed,
    Player,
    Room,
    Signed,
    Source,
    Thinking,
    evening,
    refused,
    wire,
)


def test_with_nobody_bad_it_ends_well() -> None:
    outcome = game_with(Course("fine"))
    assert outcome.signed.winners() == [outcome.room.id(2)] and outcome.signed.removed() == []
    assert outcome.bad.kinds() == ["setup", "take-turn", "setup", "win"]
    assert outcome.source.kinds() == [
        *("Registration", "GameStart"),
        *("RequestAction", "StateUpdate", "StateUpdate", "StateUpdate"),
        *("RequestAction", "StateUpdate", "GameOver"),
    ]


@pytest.mark.parametrize("said", UNREADABLE)
@pytest.mark.parametrize(("call", "nth"), COURSE_CALLS)
def test_course_what_cannot_be_read_at_each_call(call: str, nth: int, said: str) -> None:
    outcome = game_with(Course("bad", call, UNREADABLE[said], nth))
    outcome.ended_well()
    assert outcome.why in ("not_json", "wrong_shape", "too_big", "flood", "not_asked", "unsolicited")
    assert outcome.bad.kinds()[-1] == call, "nothing is said to it afterwards"


@pytest.mark.parametrize("misdeed", ["silence", b'"voi', b'[0,"LEFT",0,{"row#":', b" "])
@pytest.mark.parametrize(("call", "nth"), COURSE_CALLS)
def test_course_silence_at_each_call(call: str, nth: int, misdeed: Misdeed) -> None:
    outcome = game_with(Course("bad", call, misdeed, nth), silent=True)
    outcome.ended_well()
    assert outcome.room.faults() == [(1, "late", "late")]


@pytest.mark.parametrize("misdeed", ["hang up", "reset"])
@pytest.mark.parametrize(("call", "nth"), COURSE_CALLS)
def test_course_disconnecting_at_each_call(call: str, nth: int, misdeed: Misdeed) -> None:
    outcome = game_with(Course("bad", call, misdeed, nth))
    outcome.ended_well()
    assert outcome.room.faults() == [(1, "dead", None)]


@pytest.mark.parametrize(
    ("call", "nth", "said"),
    [
        ("setup", 1, b'"void""void"'),
        ("setup", 1, b'"void" junk '),
        ("setup", 1, b'"void"}'),
        ("take-turn", 1, b'"PASS""PASS"'),
        ("take-turn", 1, b'[0,"LEFT",0,{"row#":3,"column#":1}]"void""void"'),
        ("take-turn", 1, b'"PASS"]'),
        ("setup", 2, b'"void" "void"'),
    ],
)
def test_course_two_answers(call: str, nth: int, said: bytes) -> None:
    outcome = game_with(Course("bad", call, said, nth))
    outcome.ended_well()
    assert outcome.why in ("not_asked", "unsolicited", "wrong_shape", "not_json")


@pytest.mark.parametrize(("call", "said"), [("setup", '"PASS"'), ("take-turn", '"void"'), ("win", '"PASS"')])
def test_course_the_answer_to_another_call(call: str, said: str) -> None:
    outcome = game_with(Course("bad", call, said.encode()))
    outcome.ended_well()
    assert outcome.room.faults() == [(1, "wrong_shape", "unreadable")]


ILLEGAL = {
    "no_such_line": [[1, "LEFT", 0], [6, "LEFT", 0], [6, "UP", 0], [-2, "UP", 0], [10**12, "DOWN", 0]],
    "undo": [[0, "RIGHT", 0]],
    "wrong_shape": [[0, "LEFT", 360], [0, "LEFT", -90], [0, "LEFT", 45], [0, "left", 0], [0.5, "LEFT", 0]],
}


@pytest.mark.parametrize(("code", "slide"), [(code, slide) for code, slides in ILLEGAL.items() for slide in slides])
def test_course_illegal_slides(code: str, slide: list[Any]) -> None:
    outcome = game_with(Course("bad", "take-turn", wire([*slide, {"row#": 3, "column#": 1}])))
    outcome.ended_well()
    assert outcome.why == code


@pytest.mark.parametrize(
    ("code", "row", "column"),
    [
        ("off_board", 5, 0),
        ("off_board", 0, 10**30),
        ("wrong_shape", -1, 0),
        ("wrong_shape", 0, -1),
        ("wrong_shape", True, 1),
        ("stays", 1, 3),
    ],
)
def test_decision_16_destinations_that_cannot_be(code: str, row: int, column: int) -> None:
    outcome = game_with(Course("bad", "take-turn", wire([0, "LEFT", 0, {"row#": row, "column#": column}])))
    outcome.ended_well()
    assert outcome.why == code


def test_course_a_winner_who_fails_at_the_end_is_not_replaced() -> None:
    async def work(room: Room) -> Signed | None:
        playing = asyncio.create_task(room.play())
        for client in (Course("a"), Source(), Course("best", "win", "hang up")):
            await room.enter(client)
        return await playing

    room = Room(range(3, 4), start=THREE)
    signed = evening(room, work)
    assert (signed.winners(), signed.removed()) == ([], ["best"])
    assert isinstance(signed.played.end, Result) and signed.played.end.ranks[2] > 1


def test_course_talking_while_others_sign_up() -> None:
    async def work(room: Room) -> tuple[Signed | None, Player]:
        playing = asyncio.create_task(room.play())
        talker = await room.enter(Course("talker"))
        talker.line.say("void")
        await talker.playing
        for client in (Course("a"), Course("b")):
            await room.enter(client)
        return await playing, talker

    room = Room(range(2, 3), start=TWO)
    signed, talker = evening(room, work)
    assert talker.heard == [] and signed.winners() == ["b"] and signed.played.match.gone == {}


def test_course_a_name_and_more_in_one_breath() -> None:
    """What follows the name is unasked, whenever it is read."""

    async def work(room: Room) -> None:
        playing = asyncio.create_task(room.play())
        await refused(room.course_port, b'"talker""void"')
        for client in (Course("a"), Course("b")):
            await room.enter(client)
        signed = await playing
        assert signed and signed.winners() == ["b"] and "talker" not in signed.removed()

    evening(Room(range(2, 3), start=TWO), work)


def test_course_talking_while_another_thinks() -> None:
    async def work(room: Room) -> tuple[Signed | None, Player]:
        playing = asyncio.create_task(room.play())
        talker, thinker = Course("talker"), Thinking("thinker")
        await room.enter(talker)
        await room.enter(thinker)
        await thinker.asked()
        talker.line.say("PASS")
        await talker.playing
        thinker.thought.set()
        return await playing, talker

    signed, talker = evening(Room(range(2, 3), start=TWO), work)
    assert talker.kinds() == ["setup"]
    assert (signed.winners(), signed.removed()) == (["thinker"], ["talker"])
    assert signed.played.match.gone == {0: "not_asked"}
