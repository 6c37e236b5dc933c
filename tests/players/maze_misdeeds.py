"""Games of Maze with a bad one in them, and all that it may do.

The one in the middle misbehaves; a course client sits before it, and a source client, who wins, after it.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from tests.players.maze_room import THREE, Course, Misdeed, Player, Room, Signed, Source, evening, response, wire
from tests.turned import soon, until


class Outcome:
    """The end of a game with a bad player."""

    def __init__(self, room: Room, signed: Signed, bad: Player, course: Course, source: Source) -> None:
        self.room, self.signed, self.bad, self.course, self.source = room, signed, bad, course, source

    @property
    def why(self) -> str:
        return self.signed.played.match.gone[1]

    def ended_well(self) -> None:
        """The others play on; the bad one is removed, disconnected, and the reason is in the record."""
        room, match = self.room, self.signed.played.match
        assert self.signed.winners() == [room.id(2)] and list(match.gone) == [1]
        assert self.signed.removed() == [match.names[1]]
        assert [(seat, why) for seat, why, _ in room.faults()] == [(1, self.why)]
        assert b'"reveal"' in room.records[0][-1], "and it is proved"
        assert self.course.kinds()[0] == "setup" and self.course.heard[-1] == ["win", [False]]
        removed = [] if self.bad.at == "win" else [room.id(1)]  # `GameOver` does not wait for answers to `win`
        over = {"type": "GameOver", "winner": room.id(2), "winners": [room.id(2)], "removed": removed}
        assert self.source.heard[-1]["body"] == over
        assert "GameOver" not in self.bad.kinds() and ["win", [True]] not in self.bad.heard


def game_with(bad: Player, *, silent: bool = False) -> Outcome:
    """The match waits for a silent player until its time is over."""

    async def work(room: Room) -> Outcome:
        playing = asyncio.create_task(room.play())
        course, source = Course("good"), Source()
        for client in (course, bad, source):
            await room.enter(client)
        if silent:
            await room.outwait(bad, 1)
        signed = await soon(playing)
        assert signed
        await soon(asyncio.gather(bad.playing, course.playing))
        await until(lambda: "GameOver" in source.kinds())
        return Outcome(room, signed, bad, course, source)

    outcome: Outcome = evening(Room(range(3, 4), start=THREE), work)
    return outcome


COURSE_CALLS = [("setup", 1), ("take-turn", 1), ("setup", 2), ("win", 1)]

UNREADABLE: dict[str, bytes] = {
    "junk": b"\xff\xfe\x00junk",
    "not JSON": b"{nope}",
    "no UTF-8": b'"\xff\xfe"',
    "an object": b'{"a":1}',
    "a number": b"17 ",
    "null": b"null ",
    "huge": b'"' + b"x" * 70_000 + b'"',
    "huge and not ended": b"[" + b"1," * 50_000,
    "much too huge": b'"' + b"x" * 2_000_000,
    "deep": b"[" * 100 + b"]" * 100,
    "a key twice": b'[0,"LEFT",0,{"row#":3,"row#":3,"column#":1}]',
    "NaN": b'[NaN,"LEFT",0,{"row#":3,"column#":1}]',
    "infinity": b'[0,"LEFT",Infinity,{"row#":3,"column#":1}]',
    "an integer of absurd length": b"[" + b"9" * 5000 + b',"LEFT",0,{"row#":3,"column#":1}]',
    "trailing comma": b'["void",]',
    "a closing bracket": b"]",
    "flood": b'"no"' * 50_000,
}


def answer_with(**changes: Any) -> Callable[[Any], bytes]:
    """A correct response with these changes."""
    return lambda request: wire({**response(request["id"], request["body"]["turnInfo"]["goal"]), **changes})


def moving(**changes: Any) -> Callable[[Any], bytes]:
    def said(request: Any) -> bytes:
        message = response(request["id"], request["body"]["turnInfo"]["goal"])
        message["body"]["move"].update(changes)
        return wire(message)

    return said


def sliding(**changes: Any) -> Callable[[Any], bytes]:
    return moving(slideAction={"direction": "LEFT", "index": 0, "rotations": 0, **changes})


TURN: dict[str, tuple[Misdeed, tuple[str, ...]]] = {
    **{name: (said, ("not_json", "wrong_shape", "too_big", "flood")) for name, said in UNREADABLE.items()},
    "no request": (answer_with(type="REQUEST"), ("wrong_shape",)),
    "no id": (answer_with(id=None), ("wrong_shape",)),
    "a number as id": (answer_with(id=5), ("wrong_shape",)),
    "no body": (answer_with(body=None), ("wrong_shape",)),
    "another body": (answer_with(body={"type": "Registration"}), ("wrong_shape",)),
    "no move": (answer_with(body={"type": "ResponseAction"}), ("wrong_shape",)),
    "a list as move": (answer_with(body={"type": "ResponseAction", "move": []}), ("wrong_shape",)),
    "a string": (b'"PASS"', ("wrong_shape",)),
    "a list": (lambda request: wire([response(request["id"])]), ("wrong_shape",)),
    "wrong id": (lambda request: wire(response("0" * 32)), ("wrong_id",)),
    "empty id": (lambda request: wire(response("")), ("wrong_id",)),
    "id twice": (lambda r: b'{"id":"' + r["id"].encode() + b'",' + wire(response(r["id"]))[1:], ("not_json",)),
    "unknown move": (moving(type="HOP"), ("wrong_shape",)),
    "no slide": (moving(slideAction=None), ("wrong_shape",)),
    "no place to go": (moving(moveTo=None), ("wrong_shape",)),
    "off the board": (moving(moveTo={"row": 5, "column": 0}), ("off_board",)),
    "far off the board": (moving(moveTo={"row": 10**40, "column": -(10**40)}), ("off_board",)),
    "negative": (moving(moveTo={"row": -1, "column": 0}), ("off_board",)),
    "a truth as a number": (moving(moveTo={"row": True, "column": 1}), ("wrong_shape",)),
    "half a row": (moving(moveTo={"row": 1.5, "column": 1}), ("wrong_shape",)),
    "stays": (moving(moveTo={"row": 1, "column": 3}), ("stays",)),
    "an odd line": (sliding(index=1), ("no_such_line",)),
    "no such line": (sliding(index=6), ("no_such_line",)),
    "negative line": (sliding(index=-2), ("no_such_line",)),
    "undo": (sliding(direction="RIGHT"), ("undo",)),
    "no direction": (sliding(direction="left"), ("wrong_shape",)),
    "a full turn": (sliding(rotations=4), ("bad_degrees",)),
    "turned back": (sliding(rotations=-1), ("bad_degrees",)),
    "in degrees": (sliding(rotations=90), ("bad_degrees",)),
    "NaN turns": (
        lambda r: wire(response(r["id"], r["body"]["turnInfo"]["goal"])).replace(b"0}", b"NaN}"),
        ("not_json",),
    ),
    "trailing junk": (lambda request: wire(response(request["id"])) + b"junk ", ("not_asked", "not_json")),
    "two answers": (lambda request: wire(response(request["id"])) * 2, ("not_asked", "wrong_id")),
    "a flood of answers": (lambda request: wire(response(request["id"])) * 5000, ("not_asked", "wrong_id", "flood")),
    "hang up": ("hang up", ("dead",)),
    "reset": ("reset", ("dead",)),
}


UNASKED: dict[str, Misdeed] = {
    "a response": wire(response("0" * 32)),
    "a response to what needs none": lambda request: wire(response(request["id"])),
    "junk": b"junk ",
    "a string": b'"void"',
    "huge": b'"' + b"x" * 70_000 + b'"',
    "deep": b"[" * 100,
    "flood": b"{}" * 50_000,
    "hang up": "hang up",
    "reset": "reset",
}


SILENT: tuple[Misdeed, ...] = ("silence", b'"x')
"""Misdeeds in which no complete message arrives."""
VANISHING: tuple[Misdeed, ...] = (*SILENT, "hang up", "reset")


def misdeeds() -> list[Player]:
    """One of every kind, for both protocols."""
    course: list[tuple[str, Misdeed, int]] = [
        *[("setup", said, 1) for said in UNREADABLE.values() if len(said) < 100_000],
        *[(call, misdeed, nth) for call, nth in COURSE_CALLS for misdeed in VANISHING],
        *[("take-turn", said, 1) for said in (b'"void"', b'"PASS""PASS"', b'[1,"LEFT",0,{"row#":1,"column#":1}]')],
    ]
    quick: list[Misdeed] = [said for said, _ in TURN.values() if not isinstance(said, bytes) or len(said) < 100_000]
    source: list[tuple[str, Misdeed]] = [("GameStart", b"junk "), ("StateUpdate", "reset"), ("GameStart", "hang up")]
    source += [("RequestAction", said) for said in (*quick, *VANISHING)]
    return [*(Course("bad", *each) for each in course), *(Source(*each) for each in source)]
