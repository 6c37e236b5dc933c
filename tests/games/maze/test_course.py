"""The course's protocol: calls and answers, byte for byte, with a referee behind them and no sockets (RULES 10)."""

import contextlib
import json
from collections import deque
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.core import (
    Answer,
    Asked,
    BadMessage,
    Close,
    Dialect,
    Dice,
    Event,
    Join,
    Leave,
    Message,
    Over,
    Result,
    Sitting,
    Stop,
    Table,
)
from parlour.games.maze import GAME
from parlour.games.maze.course import ACK, Course, strict
from parlour.games.maze.rules import State
from parlour.games.maze.values import Hear, Move, Options, Pass, Placed, Prepared, SetUp
from parlour.referee.match import Match, Out
from parlour.referee.player import place_of
from parlour.referee.transcript import Limits, header
from tests.games.maze.tables import SEED, crosses, play, position, table


class Wires:
    """A referee, and at every seat somebody who speaks a protocol; all that is sent is kept. Time stands still."""

    def __init__(
        self,
        dialects: Sequence[Dialect],
        start: Prepared | None = None,
        limits: Limits | None = None,
        close: bool = True,
        **options: Any,
    ) -> None:
        head = header(GAME, [], SEED, options=Options(**options), start=start, limits=limits, eager=False)
        self.match: Match[Any] = Match(GAME, head, SEED)
        self.dialects: list[Dialect] = []
        self.sent: list[list[Message]] = []
        self.log: list[tuple[int, Message]] = []
        """The same in order, with whom it was sent to."""
        self._auto: deque[tuple[int, Any, int]] = deque()
        self._deliver(self.match.begin(0.0))
        for dialect in dialects:
            self.joins(dialect)
        if close:
            self.happens(Close())

    @property
    def state(self) -> State:
        state = self.match.state
        assert isinstance(state, State)
        return state

    def joins(self, dialect: Dialect, name: str = "") -> None:
        seat = len(self.match.names)
        out = self.match.table(Join(name or "abcdefghi"[seat]), 0.0)
        self.dialects.append(dialect)
        self.sent.append([])
        self._send(seat, dialect.began(place_of(self.match, seat), self.state.view(seat)))
        self._deliver(out)

    def happens(self, act: Table) -> None:
        self._deliver(self.match.table(act, 0.0))

    def says(self, seat: int, raw: Any) -> None:
        """Bytes, or what is to be sent as JSON."""
        message = raw if isinstance(raw, bytes) else json.dumps(raw).encode()
        try:
            answer = self.dialects[seat].read(message)
        except BadMessage as e:
            self._deliver(self.match.answer(seat, e, 0.0, e.n))
        else:
            assert isinstance(answer, Answer)
            self._deliver(self.match.answer(seat, answer.action, 0.0, answer.n))

    def leaves(self, seat: int) -> None:
        self.happens(Leave(seat, "dead"))

    def last(self, seat: int) -> Any:
        return json.loads(self.sent[seat][-1])

    def count(self) -> list[int]:
        """How much has been sent to each."""
        return [len(messages) for messages in self.sent]

    def _deliver(self, out: Out) -> None:
        for seat, dialect in enumerate(self.dialects):
            self._tell(seat, dialect, out)
        while self._auto:
            seat, answer, n = self._auto.popleft()
            self._deliver(self.match.answer(seat, answer, 0.0, n))

    def _tell(self, seat: int, dialect: Dialect, out: Out) -> None:
        asked = None
        for notice in out.to(seat):
            view = self.state.view(seat)
            if isinstance(notice, Event):
                self._send(seat, dialect.follow(notice, view) if dialect.follows else dialect.event(notice))
            elif isinstance(notice, Asked):
                asked = notice
            elif isinstance(notice, Over):
                self._send(seat, dialect.over(notice, view))
        open = self.match.open.get(seat)
        if asked is not None and open is not None and open.n == asked.n:
            answer = dialect.auto(asked.ask)
            if answer is None:
                self._send(seat, dialect.asked(asked, self.state.view(seat)))
            else:
                self._auto.append((seat, answer, asked.n))

    def _send(self, seat: int, messages: Sequence[Message]) -> None:
        self.sent[seat] += messages
        self.log += [(seat, message) for message in messages]


def at(row: int, column: int) -> dict[str, int]:
    return {"row#": row, "column#": column}


def set_up(wires: Wires) -> Wires:
    """All have answered their first call."""
    for seat in range(len(wires.dialects)):
        wires.says(seat, "void")
    return wires


def courses(start: Prepared, count: int | None = None, **more: Any) -> Wires:
    """Everybody speaks the course's protocol, and has been set up."""
    return set_up(Wires([Course() for _ in range(count or len(start.players))], start, **more))


TINY = Prepared(
    tiles=("┼┼", "┼┼"),
    gems=(("ruby", "ruby"), ("ruby", "zircon"), ("zircon", "zircon"), ("beryl", "beryl")),
    spare="│",
    spare_gems=("beryl", "ruby"),
    players=(Placed((0, 0), (1, 1), (1, 1), "blue"), Placed((0, 1), (1, 1), (1, 1), "FF00AA")),
    last=None,
    goals=(),
)
BLUE = '{"current":{"row#":0,"column#":0},"home":{"row#":1,"column#":1},"color":"blue"}'
RED = '{"current":{"row#":0,"column#":1},"home":{"row#":1,"column#":1},"color":"FF00AA"}'


def tiny_state(players: str, last: str = "null", treasures: str = "", spare: str = "") -> str:
    treasures = treasures or '[[["ruby","ruby"],["ruby","zircon"]],[["zircon","zircon"],["beryl","beryl"]]]'
    spare = spare or '{"tilekey":"│","1-image":"beryl","2-image":"ruby"}'
    tiles = '[["┼","┼"],["┼","┼"]]' if last == "null" else '[["┼","│"],["┼","┼"]]'
    board = f'{{"connectors":{tiles},"treasures":{treasures}}}'
    return f'{{"board":{board},"spare":{spare},"plmt":[{players}],"last":{last}}}'


def test_the_calls_byte_for_byte() -> None:  # RULES 10.1, 10.4, 10.5
    wires = Wires([Course(), Course()], TINY)
    goal = '{"row#":1,"column#":1}'
    assert wires.sent[1] == [f'["setup",[{tiny_state(f"{BLUE},{RED}")},{goal}]]'.encode()]
    assert wires.sent[0] == [f'["setup",[{tiny_state(f"{RED},{BLUE}")},{goal}]]'.encode()]
    set_up(wires)
    assert wires.sent[1][1:] == [f'["take-turn",[{tiny_state(f"{BLUE},{RED}")}]]'.encode()]
    wires.says(1, [0, "LEFT", 0, at(1, 0)])
    after = tiny_state(
        RED.replace('"column#":1', '"column#":0', 1) + "," + BLUE.replace('{"row#":0', '{"row#":1', 1),
        '[0,"LEFT"]',
        '[[["ruby","zircon"],["beryl","ruby"]],[["zircon","zircon"],["beryl","beryl"]]]',
        '{"tilekey":"┼","1-image":"ruby","2-image":"ruby"}',
    )
    assert wires.sent[0][1:] == [f'["take-turn",[{after}]]'.encode()]
    wires.says(0, b'[0,"LEFT",0,{"row#":1,"column#":1}]')
    assert wires.sent[0][2:] == [f'["setup",[false,{goal}]]'.encode()]
    wires.says(0, "void")
    wires.says(1, "PASS")
    wires.says(0, "PASS")
    assert wires.sent[0][-1] == b'["win",[true]]' and wires.sent[1][-1] == b'["win",[false]]'
    before = wires.count()
    wires.says(0, "void")
    wires.says(1, "void")
    assert isinstance(wires.match.end, Result) and wires.match.end.ranks == (1, 2)
    assert wires.count() == before, "after win there is nothing"


def test_glyphs_go_out_as_they_are_and_nothing_follows_a_message() -> None:  # RULES 10.1
    for message in courses(TINY).sent[0]:
        assert "┼".encode() in message and b"\\u" not in message and message == message.strip()


def test_the_order_in_which_one_client_hears() -> None:  # RULES 10.4
    start = position(crosses(5, 5), "1,1 3,3", "3,3 1,1", queue="1,3")
    wires = courses(start)
    wires.says(1, [0, "LEFT", 0, at(1, 1)])
    wires.says(1, "void")
    wires.says(0, [0, "LEFT", 0, at(3, 3)])
    wires.says(0, "void")
    wires.says(1, [0, "LEFT", 0, at(1, 3)])
    wires.says(1, "void")
    wires.says(0, "PASS")
    wires.says(1, [0, "LEFT", 0, at(3, 3)])
    told = [json.loads(message) for message in wires.sent[1]]
    calls = "setup take-turn setup take-turn setup take-turn win"
    assert [call for call, _ in told] == calls.split()
    assert told[2] == ["setup", [False, at(1, 3)]], "the next goal in the queue"
    assert told[4] == ["setup", [False, at(3, 3)]], "then home"
    assert told[6] == ["win", [True]]
    assert json.loads(wires.sent[0][2]) == ["setup", [False, at(1, 1)]], "the queue was empty"
    assert json.loads(wires.sent[0][-1]) == ["win", [False]]


def test_there_is_never_a_second_call_while_one_is_open() -> None:  # RULES 10.1
    wires = Wires([Course(), Course()], TINY)
    for seat, said in [(0, "void"), (1, "void"), (1, "PASS"), (0, "PASS"), (1, "void"), (0, "void")]:
        before = wires.count()[seat]
        assert before >= 1
        wires.says(seat, said)
        assert wires.count()[seat] - before <= 1
    assert [len(messages) for messages in wires.sent] == [3, 3] and wires.match.end is not None


def test_whoever_is_called_is_first_in_plmt() -> None:  # RULES 10.6
    start = position(crosses(5, 5), "1,1 1,3 3,1 3,3", "3,3 3,3 3,3 1,1")
    wires = courses(start)
    own = [player.colour for player in reversed(start.players)]
    orders = {
        0: "red white green blue",
        1: "blue red white green",
        2: "green blue red white",
        3: "white green blue red",
    }
    for seat in (3, 2, 1, 0):
        wires.says(seat, "PASS" if seat else [0, "LEFT", 0, at(0, 0)])
    for seat in range(4):
        for message in wires.sent[seat]:
            call, [state, *_] = json.loads(message)
            colours = [player["color"] for player in state["plmt"]]
            assert colours[0] == own[seat] and " ".join(colours) == orders[seat], call


def test_a_player_that_is_gone_is_not_in_plmt() -> None:  # RULES 6.3
    wires = courses(position(crosses(5, 5), "1,1 1,3 3,1", "3,3 3,3 3,3"))
    wires.leaves(1)
    wires.says(2, "PASS")
    assert [player["color"] for player in wires.last(0)[1][0]["plmt"]] == ["red", "green"]


def test_the_goal_told_is_ones_own_and_the_state_is_the_public_one() -> None:  # RULES 10.4
    wires = Wires([Course(), Course()], position(crosses(5, 5), "1,1 1,3", "3,3 3,1", queue="1,1 3,3"))
    for seat, goal in enumerate([at(3, 3), at(3, 1)]):
        _, [state, told] = wires.last(seat)
        assert told == goal and set(state) == {"board", "spare", "plmt", "last"}
        assert all(set(player) == {"current", "home", "color"} for player in state["plmt"])


def test_a_last_slide_is_told() -> None:
    wires = Wires([Course(), Course()], position(crosses(5, 5), "1,1 1,3", "3,3 3,1", last=(2, "UP")))
    assert wires.last(0)[1][0]["last"] == [2, "UP"]


# Answers


@pytest.mark.parametrize("said", ['"PASS"', ' "PASS"\n', '"\\u0050ASS"'])
def test_a_pass(said: str) -> None:
    assert turn().read(said.encode()) == Answer(Pass(), 1)


@pytest.mark.parametrize(
    ("said", "move"),
    [
        ('[0,"LEFT",0,{"row#":1,"column#":2}]', Move(0, "LEFT", 0, 1, 2)),
        ('[ 2 , "DOWN" , 270 , { "column#" : 0 , "row#" : 6 } ]', Move(2, "DOWN", 270, 6, 0)),
        ('[2.0,"UP",90.0,{"row#":1.0,"column#":2}]', Move(2, "UP", 90, 1, 2)),
        ('[1000,"RIGHT",180,{"row#":99,"column#":99}]', Move(1000, "RIGHT", 180, 99, 99)),
        ('[-2,"RIGHT",180,{"row#":0,"column#":0}]', Move(-2, "RIGHT", 180, 0, 0)),
        (f'[{10**60},"RIGHT",0,{{"row#":{10**60},"column#":0}}]', Move(10**6, "RIGHT", 0, 10**6, 0)),
    ],
)
def test_a_move(said: str, move: Move) -> None:  # RULES 10.5; whether it is a good one is for the rules
    assert turn().read(said.encode()) == Answer(move, 1)


def turn() -> Course:
    """Somebody whose turn it is."""
    return asked(table(crosses(5, 5), "1,1 1,3", "3,3 3,1"), 1)


def asked(state: State, seat: int) -> Course:
    course = Course()
    course.asked(Asked(seat, 1, state.asks()[seat], 1, None, None, None, None), state.view(seat))
    return course


BAD_CHOICES = [
    *["", " ", "pass", "PASS", '"pass"', '"Pass"', '""', "null", "true", "5", "{}", "[]", '["PASS"]', '"void"'],
    '[0,"LEFT",0]',
    '[0,"LEFT",0,{"row#":1,"column#":2},0]',
    '["LEFT",0,0,{"row#":1,"column#":2}]',
    '["0","LEFT",0,{"row#":1,"column#":2}]',
    '[true,"LEFT",0,{"row#":1,"column#":2}]',
    '[0,"LEFT",false,{"row#":1,"column#":2}]',
    '[0.5,"LEFT",0,{"row#":1,"column#":2}]',
    '[1e999,"LEFT",0,{"row#":1,"column#":2}]',
    '[null,"LEFT",0,{"row#":1,"column#":2}]',
    '[0,"left",0,{"row#":1,"column#":2}]',
    '[0,"NORTH",0,{"row#":1,"column#":2}]',
    '[0,0,0,{"row#":1,"column#":2}]',
    '[0,"LEFT","0",{"row#":1,"column#":2}]',
    '[0,"LEFT",0,{"row":1,"column":2}]',
    '[0,"LEFT",0,{"row#":1}]',
    '[0,"LEFT",0,{"row#":1,"column#":2,"x":3}]',
    '[0,"LEFT",0,{"row#":-1,"column#":2}]',
    '[0,"LEFT",0,{"row#":true,"column#":2}]',
    '[0,"LEFT",0,{"row#":"1","column#":2}]',
    '[0,"LEFT",0,{"row#":1.5,"column#":2}]',
    '[0,"LEFT",0,[1,2]]',
    '[0,"LEFT",0,{"row#":1,"row#":1,"column#":2}]',
    '[NaN,"LEFT",0,{"row#":1,"column#":2}]',
    '[0,"LEFT",-Infinity,{"row#":1,"column#":2}]',
    '[0,"LEFT",0,{"row#":1,"column#":2}] x',
    '[0,"LEFT",0,{"row#":1,"column#":2}',
    '"PASS""PASS"',
    "[" * 5000,
    "9" * 5000,
]


@pytest.mark.parametrize("said", BAD_CHOICES, ids=lambda said: said[:50])
def test_what_is_no_choice(said: str) -> None:
    with pytest.raises(BadMessage) as bad:
        turn().read(said.encode())
    assert bad.value.code in ("not_json", "wrong_shape") and bad.value.n == 1


@pytest.mark.parametrize("degrees", [360, -90, 45, 1, 450])
def test_decision_17_other_degrees_are_refused(degrees: int) -> None:  # RULES 10.8
    wires = courses(position(crosses(5, 5), "1,1 1,3", "3,3 3,1"))
    wires.says(1, [0, "LEFT", degrees, at(3, 1)])
    assert wires.match.gone == {1: "wrong_shape"}


@pytest.mark.parametrize("call", ["setup", "win"])
@pytest.mark.parametrize(
    "said", ['"Void"', '"PASS"', "null", "true", "{}", '["void"]', "void", '"void', '"void""void"']
)
def test_the_answer_to_the_other_calls_is_void(call: str, said: str) -> None:  # RULES 10.4
    wires = Wires([Course(), Course()], TINY)
    if call == "win":
        set_up(wires)
        wires.says(1, "PASS")
        wires.says(0, "PASS")
    assert wires.last(1)[0] == call
    wires.says(1, said.encode())
    assert list(wires.match.gone) == [1]


def test_what_nobody_asked_for() -> None:  # RULES 6.1, 9.15
    with pytest.raises(BadMessage, match="nobody asked") as bad:
        Course().read(b'"void"')
    assert bad.value.code == "unsolicited" and bad.value.n is None
    wires = courses(TINY)
    wires.says(0, "PASS")
    assert wires.match.gone == {0: "not_asked"}


def test_a_second_answer() -> None:  # RULES 6.1
    wires = Wires([Course(), Course()], TINY)
    wires.says(1, "void")
    wires.says(1, "void")
    assert wires.match.gone == {1: "not_asked"}


@given(st.binary(max_size=200))
def test_junk_is_a_bad_message_and_nothing_else(raw: bytes) -> None:
    for read in (turn().read, Course().introduced, strict):
        with contextlib.suppress(BadMessage):
            read(raw)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(["LEFT", "PASS"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["row#", "column#", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(JSON)
def test_any_json_is_read_or_refused(said: Any) -> None:
    try:
        answer = turn().read(json.dumps(said).encode())
    except BadMessage:
        return
    assert isinstance(answer, Answer) and msgspec.json.encode(answer.action)


# Names


@pytest.mark.parametrize("name", ["a", "Ada", "007", "x" * 20])
def test_a_name(name: str) -> None:  # RULES 10.2
    assert Course().introduced(json.dumps(name).encode()) == Sitting(name)


@pytest.mark.parametrize(
    "said",
    ['""', f'"{"x" * 21}"', '"a b"', '"ä"', '"a\\n"', '"a_b"', "5", "1e5", "1e999", "null", "[]", '["a"]', "a", '"a"b'],
)
def test_what_is_no_name(said: str) -> None:  # RULES 10.2
    with pytest.raises(BadMessage):
        Course().introduced(said.encode())


# Secrets (RULES 7.1)


def secret_games(goals: Sequence[str], queue: Sequence[str], seat: int, make: Any = Course) -> list[list[Message]]:
    """All that one player is sent in games that differ in what it cannot know."""
    told = []
    for others, further in zip(goals, queue, strict=True):
        start = position(crosses(7, 7), "1,1 1,3 1,5", others, queue=further)
        wires = Wires([make(), make(), make()], start)
        played(wires)
        told.append(wires.sent[seat])
    return told


def played(wires: Wires) -> None:
    """Some rounds in which only the one in the middle reaches anything: 3,3, and then another."""
    for seat, dialect in enumerate(wires.dialects):
        if isinstance(dialect, Course):
            wires.says(seat, "void")
    for seat, to in [(2, (0, 0)), (1, (3, 3)), (0, (2, 2)), (2, (4, 4)), (1, None), (0, (0, 6))]:
        wires.says(seat, choice_of(wires, seat, to))
        if wires.match.open.get(seat) and isinstance(wires.dialects[seat], Course) and to == (3, 3):
            wires.says(seat, "void")


def choice_of(wires: Wires, seat: int, to: tuple[int, int] | None) -> Any:
    if isinstance(wires.dialects[seat], Course):
        return "PASS" if to is None else [6, "LEFT", 0, at(*to)]
    slide = {"direction": "LEFT", "index": 6, "rotations": 0}
    move: dict[str, Any] = {"type": "PASS"}
    if to is not None:
        move = {"type": "MOVE", "slideAction": slide, "moveTo": {"row": to[0], "column": to[1]}}
    return {"type": "RESPONSE", "id": wires.last(seat)["id"], "body": {"type": "ResponseAction", "move": move}}


SECRETS = {
    0: ("5,5 3,3 5,1", "5,5 5,3 3,5"),
    1: ("5,3 3,3 5,1", "5,1 3,3 3,1"),
    2: ("5,1 3,3 5,5", "3,5 5,3 5,5"),
}
"""By seat: goals of two games that it cannot tell apart. In some the one in the middle finds a treasure."""


@pytest.mark.parametrize("seat", SECRETS)
def test_what_others_are_to_find_is_in_no_message(seat: int) -> None:
    one, other = secret_games(SECRETS[seat], ["1,1 3,5 5,1", "1,1 5,3 1,3"], seat)
    assert one == other and len(one) >= 3


@pytest.mark.parametrize("number", range(6))
def test_dealt_again_everybody_is_sent_the_same(number: int) -> None:
    wires = courses(position(crosses(7, 7), "1,1 1,3 1,5", "5,5 3,3 5,1", queue="3,5 5,3"))
    said = [(2, [0, 0]), (1, [3, 3]), (1, []), (0, [2, 2]), (2, [4, 4])]
    for seat, to in said[:number]:
        wires.says(seat, [6, "LEFT", 0, at(*to)] if to else "void")
    for seat in range(3):
        again = wires.state.redeal(seat, Dice(b"dealt again"))
        for who, ask in wires.state.asks().items():
            if who == seat:
                asking = Asked(seat, 1, ask, 1, None, None, None, None)
                assert Course().asked(asking, wires.state.view(seat)) == Course().asked(asking, again.view(seat))


# Decisions of the rules, seen through the protocol


def test_decision_11_a_pass_does_not_erase_the_memory() -> None:  # RULES 3.7
    wires = courses(position(crosses(5, 5), "1,1 1,3 3,1", "3,3 3,3 3,3"))
    wires.says(2, [0, "LEFT", 0, at(0, 0)])
    wires.says(1, "PASS")
    assert wires.last(0)[1][0]["last"] == [0, "LEFT"]
    wires.says(0, [0, "RIGHT", 0, at(0, 0)])
    assert wires.match.gone == {0: "undo"}
    assert wires.last(2)[0] == "take-turn" and wires.last(2)[1][0]["last"] == [0, "LEFT"], "nor does a removal"


def test_decision_12_a_round_of_passes_in_which_somebody_was_removed() -> None:  # RULES 5.5
    wires = courses(position(crosses(5, 5), "1,1 1,3 3,1", "3,3 3,3 3,3"))
    wires.says(2, "PASS")
    wires.says(1, "junk")
    wires.says(0, "PASS")
    assert [wires.last(seat)[0] for seat in (0, 2)] == ["win", "win"]


def test_decision_13_the_round_goes_on_with_the_next() -> None:  # RULES 6.4
    wires = courses(position(crosses(5, 5), "1,1 1,3 3,1", "3,3 3,3 3,3"))
    wires.says(2, [0, "LEFT", 0, at(0, 0)])
    before = wires.count()
    wires.says(1, "junk")
    assert [now - then for now, then in zip(wires.count(), before, strict=True)] == [1, 0, 0]
    assert wires.last(0)[0] == "take-turn" and wires.state.round == 1


def test_decision_14_a_goal_under_ones_feet() -> None:  # RULES 4.5
    state = table(crosses(5, 5), "1,1 3,1", "3,3 1,3", at="3,3 3,1")
    play(state, "1 passes", "0 slides row 0 left to 1,1", "1 passes")
    assert state.players[0].treasures == 0
    play(state, "0 slides row 0 left to 3,3")
    assert state.players[0].treasures == 1, "it had to leave and come back"


def test_decision_15_who_ends_the_game_need_not_win() -> None:  # RULES 5.6
    start = position(crosses(7, 7), "1,1 1,3", "3,3 3,1", queue="3,5 1,3")
    wires = courses(start)
    for seat, to in [(1, at(3, 1)), (0, at(3, 3)), (1, at(3, 5)), (0, at(1, 1))]:
        wires.says(seat, [0, "LEFT", 0, to])
        if wires.last(seat)[0] == "setup":
            wires.says(seat, "void")
    # 1: 3,1 then 3,5 (2 treasures); 0: 3,3, then 1,3 from the queue
    assert [player.treasures for player in wires.state.players] == [1, 2]
    wires.says(1, "PASS")
    wires.says(0, [0, "LEFT", 0, at(1, 3)])
    wires.says(0, "void")
    assert [player.treasures for player in wires.state.players] == [2, 2]
    for seat, to in [(1, at(5, 5)), (0, at(5, 5))]:
        wires.says(seat, [0, "LEFT", 0, to])
    wires.says(1, [0, "LEFT", 0, at(1, 3)])
    assert wires.last(1) == ["win", [True]] and wires.last(0) == ["win", [False]]


def test_decision_15_who_comes_home_with_fewer_loses() -> None:  # RULES 5.6
    start = position(crosses(7, 7), "1,1 1,3", "3,3 3,1", queue="3,5")
    wires = courses(start)
    wires.says(1, [0, "LEFT", 0, at(3, 1)])  # and gets 3,5
    wires.says(1, "void")
    wires.says(0, [0, "LEFT", 0, at(3, 3)])  # and is sent home
    wires.says(0, "void")
    wires.says(1, [0, "LEFT", 0, at(3, 5)])  # two
    wires.says(1, "void")
    wires.says(0, [0, "LEFT", 0, at(1, 1)])
    assert wires.last(0) == ["win", [False]] and wires.last(1) == ["win", [True]]


@pytest.mark.parametrize(
    ("rows", "columns", "slide", "good"),
    [
        (3, 7, [6, "UP"], True),
        (3, 7, [6, "LEFT"], False),
        (7, 3, [6, "LEFT"], True),
        (7, 3, [6, "DOWN"], False),
        (3, 7, [2, "RIGHT"], True),
        (7, 3, [4, "UP"], False),
    ],
)
def test_decision_19_lines_of_boards_that_are_not_square(rows: int, columns: int, slide: list[Any], good: bool) -> None:
    wires = courses(position(crosses(rows, columns), "1,1 1,1", "1,1 1,1"))
    wires.says(1, [*slide, 0, at(0, 0)])
    assert wires.match.gone == ({} if good else {1: "no_such_line"})


@pytest.mark.parametrize(("row", "column"), [(5, 0), (0, 5), (10**9, 0)])
def test_decision_16_off_the_board(row: int, column: int) -> None:  # RULES 10.7
    wires = courses(position(crosses(5, 5), "1,1 1,3", "3,3 3,1"))
    wires.says(1, [0, "LEFT", 0, at(row, column)])
    assert wires.match.gone == {1: "off_board"} and wires.match.end is None


# Faults at each call (RULES 6)


def test_a_player_that_fails_at_set_up_is_gone_before_the_first_round() -> None:
    wires = Wires([Course(), Course(), Course()], position(crosses(5, 5), "1,1 1,3 3,1", "3,3 3,3 3,3"))
    wires.says(2, "no")
    wires.says(1, "void")
    wires.says(0, "void")
    assert wires.last(1)[0] == "take-turn" and len(wires.last(1)[1][0]["plmt"]) == 2


def test_a_player_that_fails_at_a_new_goal_has_moved() -> None:
    wires = courses(position(crosses(5, 5), "1,1 1,3", "3,3 3,1"))
    wires.says(1, [0, "LEFT", 0, at(3, 1)])
    wires.says(1, "no")
    assert wires.match.gone == {1: "wrong_shape"} and wires.last(0)[1][0]["last"] == [0, "LEFT"]


def test_a_winner_who_fails_at_the_end_is_not_replaced() -> None:
    wires = courses(position(crosses(5, 5), "1,1 1,3", "3,3 3,1", at="1,1 3,3"))
    wires.says(1, "PASS")
    wires.says(0, "PASS")
    [winner] = wires.state.winners or []
    wires.says(winner, "no")
    wires.says(1 - winner, "void")
    assert isinstance(wires.match.end, Result) and 1 not in wires.match.end.ranks


def test_when_time_is_up_everybody_hears() -> None:  # RULES 5.4
    wires = courses(position(crosses(5, 5), "1,1 1,3", "3,3 3,3"))
    wires.happens(Stop())
    assert wires.last(0) == ["win", [False]] and wires.last(1) == ["win", [True]]


def unanswered_turn() -> Course:
    """Somebody who was called to take a turn and has not answered when time is up; `win` is call number 3."""
    wires = courses(position(crosses(5, 5), "1,1 1,3", "3,3 3,3"))
    wires.happens(Stop())
    seat = next(seat for seat, sent in enumerate(wires.sent) if b"take-turn" in sent[-2])
    dialect = wires.dialects[seat]
    assert isinstance(dialect, Course)
    return dialect


def test_a_turn_that_is_never_answered_does_not_swallow_the_answer_to_the_end() -> None:  # RULES 5.4
    course = unanswered_turn()
    assert course.read(b'"void"') == Answer(ACK, 3)
    assert course.read(b'"PASS"') is None, "it is late, and no misbehaviour"
    with pytest.raises(BadMessage, match="nobody asked"):
        course.read(b'"PASS"')


@pytest.mark.parametrize("late", ['"PASS"', '[0,"LEFT",0,{"row#":1,"column#":1}]', "no JSON"])
def test_a_turn_that_is_answered_when_time_is_up_is_late(late: str) -> None:  # RULES 5.4
    course = unanswered_turn()
    assert course.read(late.encode()) is None
    assert course.read(b'"void"') == Answer(ACK, 3)


def test_a_late_answer_to_a_set_up_is_no_misbehaviour() -> None:  # RULES 5.4
    """It says the same as the answer to `win`: the first counts, and the second is the late one."""
    course, state = Course(), table(crosses(5, 5), "1,1 1,3", "3,3 3,3")
    for n, ask in enumerate((SetUp(goal=(1, 1), whole=True), Hear(won=True)), start=1):
        course.asked(Asked(0, n, ask, 1, None, None, None, None), state.view(0))
    assert course.read(b'"void"') == Answer(ACK, 2) and course.read(b'"void"') is None
