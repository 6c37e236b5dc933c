"""The source text's protocol: requests and responses, with a referee behind them and no sockets (RULES 9)."""

import contextlib
import json
import re
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.core import Answer, Asked, BadMessage, Close, Dice, Hello, Over, Result, Stop, Void
from parlour.games.maze import strategies
from parlour.games.maze.course import Course
from parlour.games.maze.source import Source, player_id
from parlour.games.maze.tiles import GEMS, SHAPES
from parlour.games.maze.values import Ack, Hear, Move, Pass, Prepared, SetUp
from parlour.referee.transcript import Limits
from tests.games.maze.tables import crosses, position, table
from tests.games.maze.test_course import SECRETS, TINY, Wires, at, secret_games

ID = re.compile("[0-9a-f]{32}")


def sources(start: Prepared | None, count: int | None = None, **more: Any) -> Wires:
    """Everybody speaks the source text's protocol."""
    return Wires([Source() for _ in range(count or (len(start.players) if start else 2))], start, **more)


def bodies(wires: Wires, seat: int) -> list[dict[str, Any]]:
    return [json.loads(message)["body"] for message in wires.sent[seat]]


def kinds(wires: Wires, seat: int) -> list[str]:
    return [body["type"] for body in bodies(wires, seat)]


def id_of(wires: Wires, seat: int) -> str:
    return player_id(wires.match.header.match, seat)


def move_to(row: int, column: int, index: int = 0, direction: str = "LEFT", rotations: int = 0) -> dict[str, Any]:
    slide = {"direction": direction, "index": index, "rotations": rotations}
    return {"type": "MOVE", "slideAction": slide, "moveTo": {"row": row, "column": column}}


PASS = {"type": "PASS"}


def respond(wires: Wires, seat: int, move: dict[str, Any] = PASS, **changes: Any) -> None:
    """To the last request."""
    wires.says(seat, {**response(wires.last(seat)["id"], move), **changes})


def response(id: str, move: Any = PASS) -> dict[str, Any]:
    return {"type": "RESPONSE", "id": id, "body": {"type": "ResponseAction", "move": move}}


THREE = position(crosses(5, 5), "1,1 1,3 3,1", "3,3 3,1 1,3")


# Byte for byte


def test_the_messages_byte_for_byte() -> None:  # RULES 9.2, 9.4, 9.5
    wires = sources(TINY, limits=Limits(4000))
    a, b = id_of(wires, 0), id_of(wires, 1)
    ids = [json.loads(message)["id"] for message in wires.sent[1]]
    tile = '{{"connector":"{}","treasure":["{}","{}"]}}'.format
    tiles = (
        f"[[{tile('┼', 'ruby', 'ruby')},{tile('┼', 'ruby', 'zircon')}],"
        f"[{tile('┼', 'zircon', 'zircon')},{tile('┼', 'beryl', 'beryl')}]]"
    )
    board = f'{{"rows":2,"columns":2,"tiles":{tiles},"spareTile":{tile("│", "beryl", "ruby")}}}'
    home = '"home":{"row":1,"column":1}'
    players = (
        f'"{b}":{{{home},"position":{{"row":0,"column":0}},"turn":0,"color":"blue"}},'
        f'"{a}":{{{home},"position":{{"row":0,"column":1}},"turn":1,"color":"FF00AA"}}'
    )
    state = f'{{"board":{board},"playerInfo":{{{players}}},"lastSlide":null,"passedSoFar":0}}'

    def turn(limit: int) -> str:
        return (
            f'{{"round":1,"turn":0,"activePlayerId":"{b}","turnOrder":["{b}","{a}"],"goal":{{"row":1,"column":1}},'
            f'"goalKind":"TREASURE","treasuresCollected":0,"timeLimitMs":{limit}}}'
        )

    expected = [
        f'{{"type":"Registration","playerId":"{b}","treasure":["beryl","beryl"]}}',
        f'{{"type":"GameStart","turnInfo":{turn(0)},"stateInfo":{state}}}',
        f'{{"type":"RequestAction","turnInfo":{turn(4000)},"stateInfo":{state}}}',
    ]
    envelopes = [f'{{"type":"REQUEST","id":"{id}","body":{body}}}' for id, body in zip(ids, expected, strict=True)]
    assert wires.sent[1] == [envelope.encode() for envelope in envelopes]
    respond(wires, 1)
    respond(wires, 0)
    over = f'{{"type":"GameOver","winner":"{a}","winners":["{a}"],"removed":[]}}'
    assert wires.sent[0][-1] == f'{{"type":"REQUEST","id":"{wires.last(0)["id"]}","body":{over}}}'.encode()


def test_too_late() -> None:  # RULES 9.7
    [message] = Source().late()
    said = json.loads(message)
    assert said == {"type": "REQUEST", "id": said["id"], "body": {"type": "RegistrationOver"}}
    assert ID.fullmatch(said["id"])


# The order of messages


def test_registration_comes_with_signing_up_and_the_start_when_the_table_closes() -> None:  # RULES 9.4, 9.7
    wires = sources(None, 3, close=False)
    assert [kinds(wires, seat) for seat in range(3)] == [["Registration"]] * 3
    wires.happens(Close())
    assert kinds(wires, 0) == kinds(wires, 1) == ["Registration", "GameStart"]
    assert kinds(wires, 2) == ["Registration", "GameStart", "RequestAction"], "the last to sign up moves first"


def test_registration_waits_for_the_treasure_of_a_prepared_position() -> None:  # RULES 2.6, 9.6
    wires = sources(THREE, 2, close=False)
    assert [kinds(wires, seat) for seat in range(2)] == [[], []]
    wires.happens(Close())
    assert [kinds(wires, seat)[:2] for seat in range(2)] == [["Registration", "GameStart"]] * 2
    for seat in range(2):
        registration, start = bodies(wires, seat)[:2]
        goal = start["turnInfo"]["goal"]
        tile = start["stateInfo"]["board"]["tiles"][goal["row"]][goal["column"]]
        assert registration["treasure"] == tile["treasure"] and registration["playerId"] == id_of(wires, seat)


def test_only_whose_turn_it_is_gets_a_request() -> None:  # RULES 9.4
    wires = sources(THREE)
    before = wires.count()
    respond(wires, 2, move_to(0, 0))
    assert [wires.sent[seat][before[seat] :] != [] for seat in range(3)] == [True] * 3
    assert kinds(wires, 1)[-2:] == ["StateUpdate", "RequestAction"]
    assert kinds(wires, 0)[-1] == kinds(wires, 2)[-1] == "StateUpdate"


def test_decision_1_the_mover_gets_the_update_too() -> None:  # RULES 9.8
    wires = sources(THREE)
    for seat, move in [(2, move_to(0, 0)), (1, PASS)]:
        before = wires.count()
        respond(wires, seat, move)
        for who in range(3):
            assert kinds(wires, who)[before[who]] == "StateUpdate"
            assert kinds(wires, who)[before[who] :].count("StateUpdate") == 1


def test_a_removal_is_told_to_those_who_are_left() -> None:  # RULES 9.8
    wires = sources(THREE)
    before = wires.count()
    wires.says(2, b"junk")
    assert wires.match.gone == {2: "not_json"}
    assert kinds(wires, 0)[before[0] :] == ["StateUpdate"]
    assert kinds(wires, 1)[before[1] :] == ["StateUpdate", "RequestAction"]
    info = bodies(wires, 0)[-1]["stateInfo"]["playerInfo"]
    assert set(info) == {id_of(wires, 0), id_of(wires, 1)}, "survivors only"


def test_a_whole_game() -> None:
    wires = sources(THREE)
    for seat, to in [(2, (1, 3)), (1, (3, 1)), (0, (3, 3)), (2, (3, 1))]:
        respond(wires, seat, move_to(*to))
    assert kinds(wires, 2) == [
        *("Registration", "GameStart", "RequestAction", "StateUpdate", "StateUpdate", "StateUpdate"),
        *("RequestAction", "StateUpdate", "GameOver"),
    ]
    assert isinstance(wires.match.end, Result) and wires.match.end.ranks[2] == 1
    for seat in range(3):
        ids = [json.loads(message)["id"] for message in wires.sent[seat]]
        assert len(set(ids)) == len(ids) and all(map(ID.fullmatch, ids))
    everybody = [json.loads(message)["id"] for _, message in wires.log]
    assert len(set(everybody)) == len(everybody), "nobody's request has the id of another's"


def test_a_match_replays_to_the_same_messages() -> None:
    one, other = sources(THREE), sources(THREE)
    assert one.sent == other.sent


def test_set_up_and_end_are_answered_for_them() -> None:  # RULES 9.11
    assert Source().auto(SetUp(goal=(1, 1), whole=True)) == Ack() == Source().auto(Hear(won=True))
    assert not Source().introduces and Source().queues_for_next_match and Source().follows


def test_a_player_that_leaves_at_set_up_is_no_update_before_the_start() -> None:  # RULES 9.4
    wires = Wires([Source(), Course(), Course()], THREE)
    wires.says(1, "void")
    wires.says(2, "no")
    assert wires.match.gone == {2: "wrong_shape"}
    assert kinds(wires, 0)[:2] == ["Registration", "GameStart"]


def test_a_player_that_withdraws_is_no_update() -> None:  # RULES 9.7
    wires = sources(None, 2, close=False)
    wires.leaves(0)
    assert kinds(wires, 1) == ["Registration"]


# The forms (RULES 9.5)


def check_spot(said: Any, rows: int, columns: int) -> None:
    assert set(said) == {"row", "column"} and type(said["row"]) is int and type(said["column"]) is int
    assert 0 <= said["row"] < rows and 0 <= said["column"] < columns


def check_tile(said: Any) -> None:
    assert set(said) == {"connector", "treasure"} and said["connector"] in SHAPES
    assert len(said["treasure"]) == 2 and all(gem in GEMS for gem in said["treasure"])


def check_state_info(said: Any) -> None:
    assert set(said) == {"board", "playerInfo", "lastSlide", "passedSoFar"}
    board = said["board"]
    assert set(board) == {"rows", "columns", "tiles", "spareTile"}
    assert len(board["tiles"]) == board["rows"] and {len(row) for row in board["tiles"]} == {board["columns"]}
    for tile in [*(tile for row in board["tiles"] for tile in row), board["spareTile"]]:
        check_tile(tile)
    for id, player in said["playerInfo"].items():
        assert ID.fullmatch(id) and set(player) == {"home", "position", "turn", "color"}
        check_spot(player["home"], board["rows"], board["columns"])
        check_spot(player["position"], board["rows"], board["columns"])
    turns = sorted(player["turn"] for player in said["playerInfo"].values())
    assert turns == list(range(len(turns)))
    slide = said["lastSlide"]
    assert slide is None or (
        set(slide) == {"direction", "index"} and slide["direction"] in ("LEFT", "RIGHT", "UP", "DOWN")
    )
    assert type(said["passedSoFar"]) is int


def check_turn_info(said: Any, state: Any, requested: bool) -> None:
    keys = {"round", "turn", "activePlayerId", "turnOrder", "goal", "goalKind", "treasuresCollected", "timeLimitMs"}
    assert set(said) == keys
    assert said["round"] >= 1 and said["turn"] >= 0 and said["goalKind"] in ("TREASURE", "HOME")
    assert said["turnOrder"][0] == said["activePlayerId"]
    assert set(said["turnOrder"]) == set(state["playerInfo"])
    assert [state["playerInfo"][id]["turn"] for id in said["turnOrder"]] == list(range(len(said["turnOrder"])))
    check_spot(said["goal"], state["board"]["rows"], state["board"]["columns"])
    assert (said["timeLimitMs"] > 0) == requested


@pytest.mark.parametrize("start", [None, THREE, TINY])
def test_the_forms_of_all_messages_of_a_game(start: Prepared | None) -> None:
    wires = sources(start, limits=Limits(4000), round_cap=5)
    for _ in range(40):
        for seat in list(wires.match.open):
            ask: Any = wires.match.open[seat].ask
            move = strategies.random(wires.state.view(seat), ask, Dice(bytes([seat, wires.state.turn])))
            said = PASS
            if isinstance(move, Move):
                said = move_to(move.row, move.column, move.index, move.direction, move.degrees // 90)
            respond(wires, seat, said)
    assert wires.match.end is not None and not wires.match.gone
    for seat in range(len(wires.sent)):
        for message in wires.sent[seat]:
            request = json.loads(message)
            assert list(request) == ["type", "id", "body"] and request["type"] == "REQUEST"
            body = request["body"]
            match body["type"]:
                case "Registration":
                    assert set(body) == {"type", "playerId", "treasure"} and len(body["treasure"]) == 2
                case "GameOver":
                    assert set(body) == {"type", "winner", "winners", "removed"}
                case "GameStart" | "StateUpdate" | "RequestAction" as kind:
                    assert set(body) == {"type", "turnInfo", "stateInfo"}
                    check_state_info(body["stateInfo"])
                    check_turn_info(body["turnInfo"], body["stateInfo"], kind == "RequestAction")
                case kind:
                    raise ValueError(kind)


def test_the_state_is_the_same_for_everybody() -> None:
    wires = sources(THREE)
    for seat, move in [(2, move_to(1, 3)), (1, PASS), (0, move_to(3, 3)), (2, move_to(3, 3))]:
        respond(wires, seat, move)
        updates = [[body for body in bodies(wires, who) if body["type"] == "StateUpdate"][-1] for who in range(3)]
        assert updates[0]["stateInfo"] == updates[1]["stateInfo"] == updates[2]["stateInfo"]
        public = [
            {k: v for k, v in update["turnInfo"].items() if not k.startswith(("goal", "trea"))} for update in updates
        ]
        assert public[0] == public[1] == public[2]


def test_rounds_turns_passes_and_the_last_slide_are_counted() -> None:
    wires = sources(THREE)
    seen = []
    for seat, move in [(2, PASS), (1, move_to(0, 0, 2, "UP")), (0, PASS), (2, PASS)]:
        respond(wires, seat, move)
        body = [body for body in bodies(wires, 0) if body["type"] == "StateUpdate"][-1]
        turn, state = body["turnInfo"], body["stateInfo"]
        seen.append((turn["round"], turn["turn"], state["passedSoFar"], state["lastSlide"]))
    up = {"direction": "UP", "index": 2}
    assert seen == [(1, 1, 1, None), (1, 2, 1, up), (2, 3, 0, up), (2, 4, 1, up)]


# Decisions


def test_decision_2_a_pass_is_a_move_too() -> None:  # RULES 9.9
    source = on_turn()
    assert source.read(wire(response(opened(source)))) == Answer(Pass(), 7)


@pytest.mark.parametrize(
    "spelled",
    [
        str,
        str.upper,
        lambda said: str(UUID(said)),
        lambda said: str(UUID(said)).upper(),
    ],
)
def test_decision_3_ids_with_and_without_hyphens(spelled: Any) -> None:  # RULES 9.3
    source = on_turn()
    assert source.read(wire(response(spelled(opened(source))))) == Answer(Pass(), 7)


def test_decision_4_the_treasure_is_that_of_the_goal() -> None:  # RULES 9.6
    wires = sources(None, 4)
    for seat in range(4):
        registration, start, *_ = bodies(wires, seat)
        goal, tiles = start["turnInfo"]["goal"], start["stateInfo"]["board"]["tiles"]
        assert goal["row"] % 2 == goal["column"] % 2 == 1, "a tile that never moves"
        assert registration["treasure"] == tiles[goal["row"]][goal["column"]]["treasure"]
        treasures = [tuple(tile["treasure"]) for row in tiles for tile in row]
        assert treasures.count(tuple(registration["treasure"])) == 1


def test_decision_5_a_goal_that_was_reached_shows_in_what_follows() -> None:  # RULES 9.10
    wires = sources(position(crosses(5, 5), "1,1 3,3", "3,3 1,3", queue="3,1"))
    seen = []
    for seat, to in [(1, (1, 3)), (0, (0, 0)), (1, (3, 1)), (0, (1, 1))]:
        respond(wires, seat, move_to(*to))
        turn = [body for body in bodies(wires, 1) if body["type"] == "StateUpdate"][-1]["turnInfo"]
        seen.append((turn["goal"], turn["goalKind"], turn["treasuresCollected"]))
    queued, home = {"row": 3, "column": 1}, {"row": 3, "column": 3}
    assert seen == [(queued, "TREASURE", 1), (queued, "TREASURE", 1), (home, "HOME", 2), (home, "HOME", 2)]
    others = [body["turnInfo"] for body in bodies(wires, 0) if "turnInfo" in body]
    assert {turn["treasuresCollected"] for turn in others} == {0}


def game_over(wires: Wires, seat: int) -> dict[str, Any]:
    body = bodies(wires, seat)[-1]
    assert body.pop("type") == "GameOver"
    return body


def test_decision_6_the_winner() -> None:  # RULES 9.12
    wires = sources(position(crosses(5, 5), "1,1 3,3", "3,3 1,1", at="3,3 1,3"))
    respond(wires, 1)
    respond(wires, 0)
    winner = id_of(wires, 0)
    assert game_over(wires, 0) == game_over(wires, 1) == {"winner": winner, "winners": [winner], "removed": []}


def test_decision_6_several_winners() -> None:  # RULES 9.12
    wires = sources(position(crosses(5, 5), "1,1 3,3 1,3", "3,3 1,1 3,1", at="1,1 3,3 3,3"))
    wires.says(2, b"junk")
    respond(wires, 1)
    respond(wires, 0)
    ids = [id_of(wires, seat) for seat in range(3)]
    assert game_over(wires, 0) == {"winner": "DRAW", "winners": ids[:2], "removed": ids[2:]}


def test_the_winner_as_it_was_decided_whatever_becomes_of_it() -> None:  # RULES 9.12
    wires = Wires([Source(), Course()], position(crosses(5, 5), "1,1 3,3", "3,3 3,1", at="1,1 3,1"))
    wires.says(1, "void")
    wires.says(1, "PASS")
    respond(wires, 0)
    assert wires.last(1) == ["win", [True]]
    decided = {"winner": id_of(wires, 1), "winners": [id_of(wires, 1)], "removed": []}
    assert game_over(wires, 0) == decided, "before the other has answered"
    wires.says(1, "no")
    assert wires.match.end == Result((0, 0), (2, 3))
    assert game_over(wires, 0) == decided, "and nothing after it"


def test_a_match_that_broke_down_is_a_draw() -> None:
    source = on_turn()
    state = table(crosses(5, 5), "1,1 1,3", "3,3 3,1")
    [message] = source.over(Over(Void("bug", "ours"), ""), state.view(1))
    assert json.loads(message)["body"] == {"type": "GameOver", "winner": "DRAW", "winners": [], "removed": []}


def test_when_time_is_up() -> None:  # RULES 5.4
    wires = sources(THREE)
    wires.happens(Stop())
    assert {kinds(wires, seat)[-1] for seat in range(3)} == {"GameOver"}


def test_decision_9_unknown_and_old_ids_and_second_responses() -> None:  # RULES 9.14
    wires = sources(THREE)
    old = wires.last(2)["id"]
    wires.says(2, response(old))
    wires.says(2, response(old))
    assert wires.match.gone == {2: "not_asked"}
    wires.says(1, response(old))
    assert wires.match.gone[1] == "wrong_id", "the id of another's request"
    respond(wires, 0, move_to(3, 3))
    request = [json.loads(message) for message in wires.sent[0] if b"RequestAction" in message]
    assert len(request) == 2
    wires.says(0, response(request[0]["id"]))
    assert wires.match.gone[0] == "wrong_id"


@pytest.mark.parametrize("kind", ["Registration", "GameStart", "StateUpdate"])
def test_decision_10_a_response_to_what_wants_none(kind: str) -> None:  # RULES 9.15
    wires = sources(THREE)
    respond(wires, 2)
    told = [json.loads(message) for message in wires.sent[0]]
    [id] = [message["id"] for message in told if message["body"]["type"] == kind]
    wires.says(0, response(id))
    assert wires.match.gone == {0: "not_asked"}


def test_decision_10_speaking_before_the_start() -> None:  # RULES 9.15
    wires = sources(THREE, 2, close=False)
    wires.says(1, {})
    assert wires.match.gone == {1: "not_asked"}


@pytest.mark.parametrize("rotations", [4, -1, 90, 10**30])
def test_decision_17_other_turns_are_refused(rotations: int) -> None:
    wires = sources(THREE)
    respond(wires, 2, move_to(0, 0, rotations=rotations))
    assert wires.match.gone == {2: "bad_degrees"}


@pytest.mark.parametrize(("rotations", "degrees"), [(0, 0), (1, 90), (2, 180), (3, 270)])
def test_rotations_are_quarter_turns(rotations: int, degrees: int) -> None:
    source = on_turn()
    said = wire(response(opened(source), move_to(1, 2, 4, "DOWN", rotations)))
    assert source.read(said) == Answer(Move(4, "DOWN", degrees, 1, 2), 7)


# Responses


def on_turn() -> Source:
    """Somebody whose turn it is; ask 7."""
    state = table(crosses(5, 5), "1,1 1,3", "3,3 3,1")
    source = Source()
    [message] = source.asked(Asked(1, 7, state.asks()[1], 1, None, None, None, None), state.view(1))
    assert json.loads(message)["body"]["turnInfo"]["timeLimitMs"] == 0, "without a clock"
    return source


def opened(source: Source) -> str:
    [id] = source._open
    return id


def wire(said: Any) -> bytes:
    return json.dumps(said).encode()


def test_unknown_keys_and_their_order_are_ignored() -> None:  # RULES 9.2
    source = on_turn()
    move = {
        "moveTo": {"column": 2, "z": 0, "row": 1.0},
        "slideAction": move_to(0, 0)["slideAction"],
        "type": "MOVE",
        "x": {},
    }
    said = {
        "body": {"move": move, "why": None, "type": "ResponseAction"},
        "id": opened(source),
        "type": "RESPONSE",
        "n": 1,
    }
    assert source.read(wire(said)) == Answer(Move(0, "LEFT", 0, 1, 2), 7)


def test_extra_keys_of_a_pass() -> None:
    source = on_turn()
    assert source.read(wire(response(opened(source), {"type": "PASS", "slideAction": None}))) == Answer(Pass(), 7)


BAD_MOVES: list[Any] = [
    *[None, [], "PASS", 5, {}, {"type": "pass"}, {"type": None}, {"type": "MOVE"}],
    {**move_to(0, 0), "type": "SLIDE"},
    {**move_to(0, 0), "slideAction": None},
    {**move_to(0, 0), "slideAction": {"direction": "LEFT", "index": 0}},
    {**move_to(0, 0), "moveTo": {"row": 1}},
    {**move_to(0, 0), "moveTo": [1, 2]},
    {**move_to(0, 0), "moveTo": {"row#": 1, "column#": 2}},
    {**move_to(0, 0), "moveTo": {"row": "1", "column": 2}},
    {**move_to(0, 0), "moveTo": {"row": True, "column": 2}},
    {**move_to(0, 0), "moveTo": {"row": 1.5, "column": 2}},
    {**move_to(0, 0), "moveTo": {"row": None, "column": 2}},
    move_to(0, 0, direction="left"),
    move_to(0, 0, index=False),
    move_to(0, 0, rotations=True),
    {**move_to(0, 0), "slideAction": {"direction": "UP", "index": 0.5, "rotations": 0}},
]


@pytest.mark.parametrize("move", BAD_MOVES, ids=str)
def test_what_is_no_move(move: Any) -> None:
    source = on_turn()
    with pytest.raises(BadMessage) as bad:
        source.read(wire(response(opened(source), move)))
    assert bad.value.code == "wrong_shape"


BAD_MESSAGES = [
    *["", "null", "5", '"PASS"', "[]", "{}", "junk", "{", '{"type":"RESPONSE"}', "[" * 5000, "9" * 5000],
    '{"type":"RESPONSE","id":"ID","body":{"type":"ResponseAction"}}',
    '{"type":"RESPONSE","id":"ID","body":{"move":{"type":"PASS"}}}',
    '{"type":"RESPONSE","id":"ID","body":{"type":"RequestAction","move":{"type":"PASS"}}}',
    '{"type":"RESPONSE","id":"ID","body":[]}',
    '{"type":"REQUEST","id":"ID","body":{"type":"ResponseAction","move":{"type":"PASS"}}}',
    '{"id":"ID","body":{"type":"ResponseAction","move":{"type":"PASS"}}}',
    '{"type":"RESPONSE","id":null,"body":{"type":"ResponseAction","move":{"type":"PASS"}}}',
    '{"type":"RESPONSE","id":5,"body":{"type":"ResponseAction","move":{"type":"PASS"}}}',
    '{"type":"RESPONSE","id":["ID"],"body":{"type":"ResponseAction","move":{"type":"PASS"}}}',
    '{"type":"RESPONSE","id":"ID","id":"ID","body":{"type":"ResponseAction","move":{"type":"PASS"}}}',
    '{"type":"RESPONSE","id":"ID","x":NaN,"body":{"type":"ResponseAction","move":{"type":"PASS"}}}',
    '{"type":"RESPONSE","id":"ID","x":{"a":1,"a":1},"body":{"type":"ResponseAction","move":{"type":"PASS"}}}',
    '{"type":"RESPONSE","id":"ID","body":{"type":"ResponseAction","move":{"type":"PASS"}}} x',
    '[{"type":"RESPONSE","id":"ID","body":{"type":"ResponseAction","move":{"type":"PASS"}}}]',
]


@pytest.mark.parametrize("said", BAD_MESSAGES, ids=lambda said: said[:60])
def test_what_is_no_response(said: str) -> None:
    source = on_turn()
    with pytest.raises(BadMessage) as bad:
        source.read(said.replace("ID", opened(source)).encode())
    assert bad.value.code in ("not_json", "wrong_shape")


@pytest.mark.parametrize("id", ["", "0" * 32, "x", "0" * 31, "\ud800", "-" * 32])
def test_what_is_no_id_of_ours(id: str) -> None:
    with pytest.raises(BadMessage) as bad:
        on_turn().read(wire(response(id)))
    assert bad.value.code == "wrong_id"


@given(st.binary(max_size=200))
def test_junk_is_a_bad_message_and_nothing_else(raw: bytes) -> None:
    with contextlib.suppress(BadMessage):
        on_turn().read(raw)


# Ids


def test_players_have_another_id_in_each_match() -> None:  # RULES 9.13
    ids = {player_id(match, seat) for match in ("one", "two") for seat in range(6)}
    assert len(ids) == 12 and all(map(ID.fullmatch, ids))


def test_whoever_comes_by_a_socket_goes_by_its_id() -> None:
    assert Source().nameless(Hello("maze", 1, "", False, 3, "a-match")) == player_id("a-match", 3)


def test_one_connection_lives_through_many_matches() -> None:  # RULES 9.13
    source = Source()
    first, second = Wires([source, Course()], TINY), Wires([source, Course()], THREE)
    messages = [json.loads(message) for wires in (first, second) for message in wires.sent[0]]
    assert [message["body"]["type"] for message in messages] == ["Registration", "Registration"]
    assert len({message["id"] for message in messages}) == 2


def test_an_id_of_the_last_match_is_old() -> None:  # RULES 9.14
    source = Source()
    first = Wires([Source(), source], TINY)
    old = first.last(1)["id"]
    Wires([Source(), source], TINY)
    with pytest.raises(BadMessage) as bad:
        source.read(wire(response(old)))
    assert bad.value.code == "wrong_id"


# Secrets (RULES 7.1)


@pytest.mark.parametrize("seat", SECRETS)
def test_what_others_are_to_find_is_in_no_message(seat: int) -> None:
    one, other = secret_games(SECRETS[seat], ["1,1 3,5 5,1", "1,1 5,3 1,3"], seat, Source)
    assert one == other and len(one) >= 9


@pytest.mark.parametrize("number", range(5))
def test_dealt_again_everybody_is_sent_the_same(number: int) -> None:
    wires = sources(position(crosses(7, 7), "1,1 1,3 1,5", "5,5 3,3 5,1", queue="3,5 5,3"))
    moves = [(2, move_to(0, 0)), (1, move_to(3, 3)), (0, PASS), (2, move_to(4, 4))]
    for seat, move in moves[:number]:
        respond(wires, seat, move)
    for seat in range(3):
        again = wires.state.redeal(seat, Dice(b"dealt again"))
        here, there = Source(), Source()
        for kind in ("GameStart", "StateUpdate", "RequestAction"):
            told = here._told(kind, wires.state.view(seat)), there._told(kind, again.view(seat))
            assert json.dumps(told[0]) == json.dumps(told[1])


def test_a_mixed_table() -> None:
    """Both protocols at one table; each hears its own."""
    wires = Wires([Course(), Source(), Course()], THREE)
    for seat in (0, 2):
        wires.says(seat, "void")
    wires.says(2, [0, "LEFT", 0, at(1, 3)])
    wires.says(2, "void")
    assert kinds(wires, 1)[-2:] == ["StateUpdate", "RequestAction"]
    respond(wires, 1, move_to(3, 1))
    assert wires.last(0)[0] == "take-turn" and wires.last(0)[1][0]["last"] == [0, "LEFT"]
    wires.says(0, "PASS")
    wires.says(2, [0, "LEFT", 0, at(3, 1)])
    for seat, won in ((0, False), (2, True)):
        assert wires.last(seat) == ["win", [won]]
        wires.says(seat, "void")
    assert game_over(wires, 1)["winners"] == [id_of(wires, 2)]
