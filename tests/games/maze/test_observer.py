"""What an observer is shown, written from the record alone (RULES 11)."""

import json
from typing import Any

from parlour.core import Close, Join, Leave, Over, Stop, Void
from parlour.games.maze import GAME
from parlour.games.maze.forms import prepare
from parlour.games.maze.observer import Observer, referee_state
from parlour.games.maze.values import Pass
from parlour.referee.scribe import Written, written
from tests.games.maze.tables import SEED, Room, crosses, position

START = position(crosses(5, 5), "1,1 1,3 3,1", "3,3 3,1 1,3", queue="1,1 3,3")


def told(room: Room) -> list[dict[str, Any]]:
    return [json.loads(line) for line in written(GAME, room.lines, SEED)]


def kinds(room: Room) -> list[str]:
    return [line["type"] for line in told(room)]


def at(row: int, column: int) -> dict[str, int]:
    return {"row#": row, "column#": column}


def test_the_whole_state_before_the_first_turn() -> None:  # RULES 11.1
    at_set_up, first = told(Room(START))
    assert at_set_up["state"] == first["state"] and (at_set_up["round"], first["round"]) == (0, 1)
    assert first["type"] == "state" and first["turn"] == 0
    assert [player["goto"] for player in first["state"]["plmt"]] == [at(1, 3), at(3, 1), at(3, 3)]
    assert [player["color"] for player in first["state"]["plmt"]] == ["green", "blue", "red"], "in the order of turns"
    assert first["state"]["goals"] == [at(1, 1), at(3, 3)] and first["state"]["last"] is None
    assert set(first["state"]) == {"board", "spare", "plmt", "last", "goals"}


def test_the_state_after_every_turn_and_what_was_done() -> None:  # RULES 11.1
    room = Room(START)
    room.says(2, "slides row 0 left to 1,3")
    room.says(2, "hears")
    room.says(1, "passes")
    _, before, choice, after, passed, last = told(room)
    assert choice == {"type": "choice", "player": "c", "choice": [0, "LEFT", 0, at(1, 3)]}
    assert after["turn"] == 1 and after["state"]["last"] == [0, "LEFT"]
    mover = after["state"]["plmt"][-1]
    assert mover["color"] == "green" and mover["current"] == at(1, 3) and mover["goto"] == at(1, 1), "the next goal"
    assert after["state"]["goals"] == [at(3, 3)] and before["state"]["goals"] == [at(1, 1), at(3, 3)]
    assert passed == {"type": "choice", "player": "b", "choice": "PASS"} and last["turn"] == 2


def test_a_state_is_told_once_for_each_turn() -> None:
    room = Room(START)
    for seat in (2, 1, 0):
        room.says(seat, "slides row 0 left to 0,0" if seat == 2 else "passes")
    assert kinds(room) == ["state", "state", *["choice", "state"] * 3]


def test_a_removal_and_its_reason() -> None:
    room = Room(START)
    room.says(2, "slides row 1 left to 0,0")
    removed, after = told(room)[2:]
    assert removed == {"type": "removed", "player": "c", "why": "no_such_line"}
    assert [player["color"] for player in after["state"]["plmt"]] == ["blue", "red"]


def test_the_end() -> None:
    room = Room(START)
    room.says(2, "slides row 1 left to 0,0")
    room.says(1, "passes")
    room.says(0, "passes")
    for seat in (1, 0):
        room.says(seat, "hears")
    over = told(room)[-1]
    assert over["type"] == "over" and over["removed"] == ["c"]
    assert over["winners"] == ["a", "b"] or len(over["winners"]) == 1
    assert kinds(room).count("over") == 1


def test_a_winner_who_fails_at_the_end() -> None:
    room = Room(position(crosses(5, 5), "1,1 1,3", "3,3 3,1", at="3,3 1,3"))
    room.says(1, "passes")
    room.says(0, "passes")
    room.says(0, "passes")
    room.says(1, "hears")
    assert told(room)[-1] == {"type": "over", "winners": [], "removed": ["a"]}


def test_when_time_is_up() -> None:
    room = Room(position(crosses(5, 5), "1,1 1,3", "3,3 3,1", at="3,3 1,3"))
    room.happens(Stop())
    for seat in (0, 1):
        room.says(seat, "hears")
    assert told(room)[-1] == {"type": "over", "winners": ["a"], "removed": []}


def test_those_who_sign_up_are_known_by_name_and_nothing_is_shown_before_the_start() -> None:
    room = Room(None, seats=0, eager=False)
    for name in ("Ada", "Bob", "Cleo"):
        room.happens(Join(name))
    room.happens(Leave(1, "dead"))
    assert "state" not in kinds(room)
    room.happens(Close())
    for seat in (0, 2):
        room.says(seat, "hears")
    room.says(2, "passes")
    lines = told(room)
    assert {"type": "choice", "player": "Cleo", "choice": "PASS"} in lines
    assert lines[-1]["type"] == "state" and len(lines[-1]["state"]["plmt"]) == 2


def test_every_state_is_a_position_to_begin_from() -> None:  # RULES 2.5, 11.1
    room = Room(START)
    for seat, words in [(2, "slides row 0 left to 1,3"), (2, "hears"), (1, "slides column 2 up to 0,0"), (0, "passes")]:
        room.says(seat, words)
    states = [line["state"] for line in told(room) if line["type"] == "state"]
    for form in states:
        assert prepare(json.dumps(form)).tiles
    assert json.loads(json.dumps(referee_state(room.state))) == states[-1]


def test_live_and_afterwards_it_is_the_same() -> None:
    room = Room(START)
    live, it = [], Written(GAME, SEED)
    seen = 0
    for seat, said in [(2, "slides row 0 left to 1,3"), (2, "hears"), (1, Pass()), (0, "slides row 1 left to 0,0")]:
        live += [line for raw in room.lines[seen:] for line in it.take(raw)]
        seen = len(room.lines)
        room.says(seat, said)
    live += [line for raw in room.lines[seen:] for line in it.take(raw)]
    assert live == list(written(GAME, room.lines, SEED))


def test_a_match_that_broke_down_has_no_winners_to_tell() -> None:
    assert Observer().over(Over(Void("bug", "ours"), "")) == []
