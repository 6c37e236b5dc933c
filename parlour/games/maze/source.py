"""The source text's protocol: requests and responses with ids, in a stream of JSON objects (RULES 9)."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any, ClassVar, Literal

import msgspec

from parlour.core import Answer, Asked, BadMessage, Dialect, Event, Hello, Message, Over, Place, Result, Seat
from parlour.core.values import Value
from parlour.games.maze.course import strict
from parlour.games.maze.setup import cell
from parlour.games.maze.strategies import PASS
from parlour.games.maze.values import Began, Decided, GoalGiven, Left, Move, Moved, Pass, Passed, Spot, TakeTurn, View

encode = msgspec.json.encode


def uuid(*parts: str | int) -> str:
    """An id derived from its purpose, so that a replayed match has the same messages."""
    return sha256(" ".join(map(str, parts)).encode()).hexdigest()[:32]


def player_id(match: str, seat: Seat) -> str:
    return uuid("player", match, seat)


class Source(Dialect):
    """The protocol for one seat. Only turns need a response; goals and the end are only announced."""

    frames: ClassVar[Literal["json"]] = "json"
    follows = True
    queues_for_next_match = True

    def __init__(self) -> None:
        self._match = ""
        self._seat = -1
        self._sent = 0
        self._registered = False
        self._started = False
        self._withdrawn: set[Seat] = set()
        """Seats that left before the game began."""
        self._open: dict[str, int] = {}
        """The id of the open request, and the number of its ask."""

    def nameless(self, hello: Hello) -> str:
        return player_id(hello.match, hello.seat)

    def late(self) -> list[Message]:
        return [self._request({"type": "RegistrationOver"})]

    def began(self, place: Place, view: Value) -> list[Message]:
        assert isinstance(view, View)
        is_known = self._registered and (self._match, self._seat) == (place.match, place.seat)
        self._match, self._seat, self._open = place.match, place.seat, {}
        self._withdrawn = {seat for seat, avatar in enumerate(view.avatars) if not avatar.here}
        self._registered = view.goal is not None
        self._started = view.phase not in ("registration", "setup")
        self.told_end = False
        messages = [self._registration(view)] if self._registered and not is_known else []
        return messages + ([self._request(self._told("GameStart", view))] if self._started else [])

    def follow(self, seen: Event, view: Value) -> list[Message]:
        assert isinstance(view, View)
        if not view.avatars[self._seat].here or self.told_end:
            return []
        if isinstance(seen, Decided):
            return self._game_over(view, seen.winners)
        if isinstance(seen, GoalGiven) and not self._registered:
            self._registered = True
            return [self._registration(view)]
        if isinstance(seen, Began):
            self._started = True
            return [self._request(self._told("GameStart", view))]
        if isinstance(seen, Left) and view.phase == "registration":
            self._withdrawn.add(seen.seat)
        if self._started and isinstance(seen, Moved | Passed | Left):
            return [self._request(self._told("StateUpdate", view))]
        return []

    def asked(self, asked: Asked, view: Value) -> list[Message]:
        assert isinstance(view, View) and isinstance(asked.ask, TakeTurn)
        return [self._request(self._told("RequestAction", view, asked.limit_ms or 0), asked.n)]

    def over(self, over: Over, view: Value) -> list[Message]:
        assert isinstance(view, View)
        if not view.avatars[self._seat].here or self.told_end:
            return []
        return self._game_over(view, view.winners or () if isinstance(over.end, Result) else ())

    def _game_over(self, view: View, winners: Sequence[Seat]) -> list[Message]:
        """Sent as soon as the game is decided, without waiting for players of the course (RULES 9.12)."""
        self.told_end = True
        winner = self._id(winners[0]) if len(winners) == 1 else "DRAW"
        gone = [seat for seat, avatar in enumerate(view.avatars) if not avatar.here]
        removed = [self._id(seat) for seat in gone if seat not in self._withdrawn]
        body = {"type": "GameOver", "winner": winner, "winners": [*map(self._id, winners)], "removed": removed}
        return [self._request(body)]

    def read(self, raw: Message) -> Answer:
        """The response to the open request; anything else is misbehaviour (RULES 9.14, 9.15)."""
        said = strict(raw)
        match said:
            case {"type": "RESPONSE", "id": str() as about, "body": {"type": "ResponseAction", "move": dict() as move}}:
                number = self._open.pop(about.replace("-", "").lower(), None)
                if number is None:
                    raise BadMessage("wrong_id", "there is no request of this id that waits for a response")
                return Answer(_move(move, number), number)
        raise BadMessage("wrong_shape", "a response is {type: RESPONSE, id, body: {type: ResponseAction, move}}")

    def _registration(self, view: View) -> Message:
        """Sent as soon as the treasure is known (RULES 9.6)."""
        treasure = self._treasure(view)
        return self._request({"type": "Registration", "playerId": self._id(self._seat), "treasure": treasure})

    def _request(self, body: dict[str, Any], number: int | None = None) -> Message:
        self._sent += 1
        about = uuid("request", self._match, self._seat, self._sent)
        if number is not None:
            self._open = {about: number}
        return encode({"type": "REQUEST", "id": about, "body": body})

    def _told(self, kind: str, view: View, limit_ms: int = 0) -> dict[str, Any]:
        return {"type": kind, "turnInfo": self._turn_info(view, limit_ms), "stateInfo": self._state_info(view)}

    def _turn_info(self, view: View, limit_ms: int) -> dict[str, Any]:
        order = [self._id(seat) for seat in view.order]
        return {
            "round": max(1, view.round),
            "turn": view.turn,
            "activePlayerId": order[0] if order else "",
            "turnOrder": order,
            "goal": None if view.goal is None else coordinate(view.goal),
            "goalKind": "HOME" if view.going_home else "TREASURE",
            "treasuresCollected": view.treasures,
            "timeLimitMs": limit_ms,
        }

    def _state_info(self, view: View) -> dict[str, Any]:
        """Public, and the same for everybody (RULES 9.5)."""
        tiles = [
            [
                {"connector": glyph, "treasure": view.gems[row * view.columns + column]}
                for column, glyph in enumerate(glyphs)
            ]
            for row, glyphs in enumerate(view.tiles)
        ]
        spare = {"connector": view.spare, "treasure": view.spare_gems}
        return {
            "board": {"rows": view.rows, "columns": view.columns, "tiles": tiles, "spareTile": spare},
            "playerInfo": {self._id(seat): _player(view, seat, turn) for turn, seat in enumerate(view.order)},
            "lastSlide": None if view.last is None else {"direction": view.last[1], "index": view.last[0]},
            "passedSoFar": view.passed,
        }

    def _treasure(self, view: View) -> tuple[str, str] | None:
        """The goal's treasure; the spare's if the goal is off the board, since clients expect a pair of gems."""
        if view.goal is None:
            return None
        at = cell(view.goal, view.rows, view.columns)
        return view.gems[at] if at >= 0 else view.spare_gems

    def _id(self, seat: Seat) -> str:
        return player_id(self._match, seat)


def coordinate(at: Spot) -> dict[str, int]:
    return {"row": at[0], "column": at[1]}


def _player(view: View, seat: Seat, turn: int) -> dict[str, Any]:
    avatar = view.avatars[seat]
    place = {"home": coordinate(avatar.home), "position": coordinate(avatar.at)}
    return {**place, "turn": turn, "color": avatar.colour}


def _move(said: dict[str, Any], n: int) -> Move | Pass:
    match said:
        case {"type": "PASS"}:
            return PASS
        case {
            "type": "MOVE",
            "slideAction": {
                "direction": ("LEFT" | "RIGHT" | "UP" | "DOWN") as direction,
                "index": int() as index,
                "rotations": int() as rotations,
            },
            "moveTo": {"row": int() as row, "column": int() as column},
        } if not any(isinstance(number, bool) for number in (index, rotations, row, column)):
            numbers = [max(-1_000_000, min(number, 1_000_000)) for number in (index, rotations, row, column)]
            return Move(numbers[0], direction, 90 * max(-1, min(numbers[1], 9)), *numbers[2:])
    raise BadMessage("wrong_shape", "a move is {type: MOVE, slideAction, moveTo} or {type: PASS}", n)
