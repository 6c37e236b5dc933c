"""The game's own protocol, message by message (RULES 11)."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.core import Answer, BadMessage, Hello, Over, Question, Void
from parlour.games.tradecraft import GAME
from parlour.games.tradecraft.answers import History, ItemInfo, PossibleRecipes
from parlour.games.tradecraft.lines import Lines, LoginLines
from parlour.games.tradecraft.messages import LONG, Teller
from parlour.games.tradecraft.values import (
    Accepted,
    Applied,
    Apply,
    Check,
    Checked,
    Decide,
    Decided,
    Done,
    Finished,
    HandsShown,
    Left,
    Propose,
    Proposed,
    TurnBegan,
)
from parlour.players.remote import RemotePlayer
from parlour.referee.player import place_of
from parlour.referee.shell import Shell
from tests.games.tradecraft.tables import Ear, Room, problem

THREE = problem("2 coal 2 stick", "3 stick", "5 dirt", targets=["1 ladder", "1 lantern"], max_turn=4)

Said = dict[str, Any]


class Table(Room):
    """A room in which all players use lines. Their messages are read from the start, or from a saved position."""

    def __init__(self, *more: Any, **options: Any) -> None:
        super().__init__(*(more or (THREE,)), **options)
        self.ears = [Ear() for _ in self.match.names]
        self.players = [RemotePlayer(ear, Lines()) for ear in self.ears]
        self._queue: list[tuple[int, Any, int | None]] = []
        for seat, player in enumerate(self.players):
            player.sit(place_of(self.match, seat), self.views[0][seat], self._post(seat))
        self._deliver(self.outs[0])

    def _post(self, seat: int) -> Any:
        return lambda said, n: self._queue.append((seat, said, n))

    def _deliver(self, out: Any) -> None:
        for seat, player in enumerate(self.players):
            for notice in out.to(seat):
                player.tell(notice, self.state.view(seat))

    def take(self, out: Any) -> Any:
        super().take(out)
        if hasattr(self, "players"):
            self._deliver(out)
        return out

    def sends(self, seat: int, *lines: Said | str) -> list[Said]:
        """The messages to the seat that follow. All lines are sent before the first reply is read."""
        before = len(self.ears[seat].heard)
        for line in lines:
            self.players[seat]._hear((line if isinstance(line, str) else json.dumps(line)).encode())
        while self._queue:
            who, said, n = self._queue.pop(0)
            if isinstance(said, Question):
                reply = Shell._reply(self, who, said)  # type: ignore[arg-type]  # all it needs is the match
                self.players[who].tell(reply, None)
            else:
                self.take(self.match.answer(who, said, self.now, n))
        return self.heard(seat)[before:]

    def heard(self, seat: int) -> list[Said]:
        return [json.loads(message) for message in self.ears[seat].heard]

    def since(self, seat: int, before: int) -> list[Said]:
        return self.heard(seat)[before:]


def types(messages: Sequence[Said]) -> list[str]:
    return [message["type"] for message in messages]


def propose(partner: str = "bob", **more: Any) -> Said:
    return {"type": "propose", "partner": partner, **more}


ACCEPT, REJECT = {"type": "decide", "decision": "accept"}, {"type": "decide", "decision": "reject"}
TORCH = {"type": "check", "input": {"coal": 1, "stick": 1}, "output": {"torch": 4}}
APPLY, DONE = {"type": "apply"}, {"type": "done_crafting"}


# Beginning


def test_the_beginning() -> None:  # RULES 11.4
    assert Table().heard(0) == [
        {"type": "game_start", "player_list": ["ada", "bob", "cleo"]},
        {"type": "private_start_info", "index": 0, "username": "ada", "target": {"ladder": 1}},
        {
            "type": "update_all_hands",
            "hands": [{"coal": 2, "stick": 2}, {"stick": 3}, {"dirt": 5}],
            "player_list": ["ada", "bob", "cleo"],
        },
        {"type": "start_proposal", "turn_index": 1, "max_turn": 4, "proposer": "ada"},
    ]


def test_a_player_that_comes_by_a_socket_logs_in_first() -> None:  # RULES 11.1
    dialect = LoginLines()
    assert dialect.introduces and not Lines.introduces
    assert dialect.hello(Hello("tradecraft", 1, "", False, 0)) == []
    assert dialect.introduced(b'{"type": "login", "username": " ada "}').name == "ada"
    assert dialect.introduced(json.dumps({"type": "login", "username": "x" * 99}).encode()).name == "x" * 64


@pytest.mark.parametrize(
    "line",
    [
        "",
        "ada",
        "[]",
        '{"username": "ada"}',
        '{"type": "login"}',
        '{"type": "login", "username": " "}',
        "\xff",
        "[" * 9999,
    ],
)
def test_what_is_no_login_lets_nobody_in(line: str) -> None:  # RULES 11.1
    dialect = LoginLines()
    assert dialect.returning(line.encode("latin-1")) is None
    with pytest.raises(BadMessage) as caught:
        dialect.introduced(line.encode("latin-1"))
    [told] = dialect.error(caught.value.code, caught.value.words)
    assert json.loads(told)["type"] == "error" and json.loads(told)["code"] == "bad_login"


def test_a_token_is_the_seat() -> None:  # RULES 11.1
    dialect = LoginLines()
    assert dialect.can_reconnect and not Lines.can_reconnect
    assert dialect.returning(b'{"type": "login", "username": "ada", "token": "secret"}') == "secret"
    assert dialect.returning(b'{"type": "login", "username": "ada"}') is None
    room = Room(THREE)
    dialect.token = "secret"
    [first, second, *_] = map(json.loads, dialect.began(place_of(room.match, 1), room.views[0][1]))
    assert first == {
        "type": "login_success",
        "status_code": 0,
        "message": "you are bob",
        "username": "bob",
        "token": "secret",
    }
    assert second["type"] == "game_start"


# Proposing


def test_a_proposal_goes_its_way() -> None:  # RULES 11.4
    table = Table()
    said = {"type": "propose", "self": "ada", "partner": "bob", "offer": {"coal": 1}, "request": {"stick": 2}}
    before = [len(ear.heard) for ear in table.ears]
    table.sends(0, {**said, "message": "please"})
    trade = {"self": "ada", "partner": "bob", "offer": {"coal": 1}, "request": {"stick": 2}}
    sent = {"type": "proposal_sent", "proposer": "ada"}
    assert table.since(0, before[0]) == table.since(2, before[2]) == [sent]
    assert table.since(1, before[1]) == [sent, {"type": "proposal", "proposal": trade, "message": "please"}]


@pytest.mark.parametrize("amount", [2, 2.0, "2/1", "4/2", [2, 1], [4, 2], {"n": 2, "d": 1}, {"n": 4, "d": 2}])
def test_amounts_may_be_written_in_many_ways(amount: Any) -> None:  # RULES 6.12
    table = Table()
    table.sends(0, propose(offer={"minecraft:coal": amount}))
    assert table.heard(1)[-1]["proposal"]["offer"] == {"coal": 2}


@pytest.mark.parametrize(
    "wrong",
    [
        {"self": "bob"},
        {"self": 5},
        {"partner": "zoe"},
        {"partner": None},
        {"partner": ["bob"]},
        {"partner": "ada"},
        {"offer": {"coal": 0}},
        {"offer": {"coal": -1}},
        {"offer": {"coal": True}},
        {"offer": {"coal": 0.5}},
        {"offer": {"coal": "one"}},
        {"offer": {"coal": None}},
        {"offer": {"coal": 10**30}},
        {"offer": {"COAL": 1}},
        {"offer": {"": 1}},
        {"offer": ["coal"]},
        {"offer": "coal"},
        {"request": 5},
        {"request": {"stick": [1, 0]}},
        {"request": {"stick": "1/0"}},
        {"offer": {f"item_{n}": 1 for n in range(101)}},
        {"message": 5},
        {"message": ["hello"]},
        {"message": "x" * 2001},
    ],
    ids=lambda wrong: str(wrong)[:40],
)
def test_what_is_wrong_with_a_proposal_is_said_and_it_may_be_tried_again(wrong: Said) -> None:  # RULES 11.5
    table = Table()
    said = {**propose(message="hello"), **wrong}
    [told] = table.sends(0, said)
    assert told["type"] == "proposal_invalid" and told["errmsg"]
    assert {key: told[key] for key in said if key != "type"} == {key: said[key] for key in said if key != "type"}
    assert types(table.sends(0, propose())) == ["proposal_sent"]


def test_what_is_not_covered_is_said_item_by_item() -> None:  # RULES 11.5
    [told] = Table().sends(0, propose(offer={"coal": 3, "stick": 1}, request={"stick": 3, "dirt": 1}))
    assert told["reason"] == {"offer": {"coal": False, "stick": True}, "request": {"stick": True, "dirt": False}}
    assert told["offer"] == {"coal": 3, "stick": 1} and "dirt" in told["errmsg"]


def test_after_ten_of_them_the_turn_goes_on() -> None:  # RULES 8.2
    table = Table()
    for _ in range(9):
        assert types(table.sends(0, propose("zoe"))) == ["proposal_invalid"]
    assert types(table.sends(0, propose("zoe"))) == ["proposal_invalid", "proposal_sent", "proposal_rejected"]
    assert types(table.sends(0, DONE)) == ["player_craft_done", "private_hand_change"]


# Deciding


def test_an_accepted_proposal() -> None:  # RULES 11.4
    table = Table()
    table.sends(0, propose(offer={"coal": 1}))
    before = [len(ear.heard) for ear in table.ears]
    table.sends(1, {**ACCEPT, "message": "thanks"})
    trade = {"self": "ada", "partner": "bob", "offer": {"coal": 1}, "request": {}}
    accepted = {"type": "proposal_accepted", "proposal": trade}
    shown = {
        "type": "update_all_hands",
        "hands": [{"coal": 1, "stick": 2}, {"coal": 1, "stick": 3}, {"dirt": 5}],
        "player_list": ["ada", "bob", "cleo"],
    }
    reply = {"type": "proposal_reply_message", "from": "bob", "to": "ada", "message": "thanks"}
    assert table.since(0, before[0]) == [reply, accepted, shown]
    assert table.since(1, before[1]) == table.since(2, before[2]) == [accepted, shown]


def test_a_rejected_proposal_in_the_words_of_the_source_text() -> None:  # RULES 4.2
    table = Table()
    table.sends(0, propose(offer={"coal": 1}))
    table.sends(1, REJECT)
    rejected = {"type": "proposal_rejected", "proposer": "ada", "message": "ada's proposal is rejected"}
    assert [table.heard(seat)[-1] for seat in (0, 1, 2)] == [rejected] * 3
    assert types(table.heard(0))[-2:] == ["proposal_reply_message", "proposal_rejected"]


@pytest.mark.parametrize("word", ["approve", "yes", "Accept", "ACCEPT", "accept ", "", None, True, 1, ["accept"]])
def test_any_other_word_is_no_decision(word: Any) -> None:  # RULES 4.4
    table = Table()
    table.sends(0, propose())
    for _ in range(20):
        [told] = table.sends(1, {"type": "decide", "decision": word, "message": "hm"})
        assert told == {"type": "decision_invalid", "decision": word, "message": "hm", "errmsg": told["errmsg"]}
    assert types(table.sends(1, ACCEPT)) == ["proposal_accepted", "update_all_hands"]


def test_a_reply_that_is_too_long_is_no_decision() -> None:  # RULES 3.8
    table = Table()
    table.sends(0, propose())
    assert types(table.sends(1, {**ACCEPT, "message": "x" * 2001})) == ["decision_invalid"]


# Crafting


def crafting() -> Table:
    table = Table()
    table.sends(0, propose())
    table.sends(1, REJECT)
    return table


def test_check_apply_and_done() -> None:  # RULES 11.4
    table = crafting()
    good = {"type": "craft_recipe_validity", "result": True, "return_code": 0, "recipe": "torch", "reason": ""}
    assert table.sends(0, TORCH) == [{**good, "returns": {}}]
    assert table.sends(0, APPLY) == [{"type": "private_hand_change", "hand": {"coal": 1, "stick": 1, "torch": 4}}]
    assert table.sends(0, DONE) == [
        {"type": "player_craft_done", "username": "ada"},
        {"type": "private_hand_change", "hand": {"coal": 1, "stick": 1, "torch": 4}},
    ]
    assert table.heard(1)[-1] == {"type": "player_craft_done", "username": "ada"}


def test_the_end_of_a_turn() -> None:  # RULES 11.4
    table = crafting()
    for seat in (0, 1):
        table.sends(seat, DONE)
    told = table.sends(2, DONE)
    assert types(told) == ["player_craft_done", "private_hand_change", "update_all_hands", "start_proposal"]
    assert told[-1] == {"type": "start_proposal", "turn_index": 2, "max_turn": 4, "proposer": "bob"}


def test_fractions_are_told_as_such() -> None:  # RULES 6.12
    table = crafting()
    told = table.sends(0, {"type": "check", "input": {"coal": 0.25, "stick": [1, 4]}, "output": {"torch": 1}}, APPLY)
    assert told[-1]["hand"] == {"coal": "7/4", "stick": "7/4", "torch": 1}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ({"input": {"coal": 1}, "output": {"torch": 4}}, 1),
        ({"input": {"coal": 9, "stick": 9}, "output": {"torch": 36}}, 2),
        ({"input": {"coal": True, "stick": 1}, "output": {"torch": 4}}, 1),
        ({"input": {"coal": 0, "stick": 1}, "output": {"torch": 4}}, 1),
        ({"input": {"coal": "x", "stick": 1}, "output": {"torch": 4}}, 1),
        ({"input": ["coal"], "output": {"torch": 4}}, 1),
        ({"input": {"coal": 1, "stick": 1}}, 1),
        ({"output": {"torch": 4}}, 1),
        ({}, 1),
        ({"input": None, "output": 7}, 1),
        ({"input": {"#planks": 2}, "output": {"stick": 4}}, 1),
    ],
)
def test_what_cannot_be_crafted_is_said_with_its_reason(line: Said, code: int) -> None:  # RULES 11.5
    table = crafting()
    table.sends(0, TORCH)
    [told] = table.sends(0, {"type": "check", **line})
    assert told["type"] == "craft_recipe_validity" and told["result"] is False and told["return_code"] == code
    assert told["reason"]
    assert types(table.sends(0, APPLY)) == ["phase_error"], "the check before is forgotten"


def test_everything_may_be_said_at_once() -> None:  # RULES 11.3
    table = crafting()
    told = table.sends(0, TORCH, APPLY, {"type": "check"}, APPLY, TORCH, "nonsense", APPLY, DONE, DONE)
    assert types(told) == [
        "craft_recipe_validity",
        "private_hand_change",
        "craft_recipe_validity",
        "phase_error",
        "craft_recipe_validity",
        "error",
        "private_hand_change",
        "player_craft_done",
        "private_hand_change",
        "phase_error",
    ]
    assert [message.get("return_code") for message in told] == [0, None, 1, None, 0, *[None] * 5]


# Mistakes


@pytest.mark.parametrize("said", [propose(), ACCEPT, TORCH, APPLY, DONE])
def test_a_phase_error_says_the_phase_and_what_came(said: Said) -> None:  # RULES 11.5
    table = Table()
    for seat in (0, 1, 2):
        if (seat, said["type"]) != (0, "propose"):
            assert table.sends(seat, said) == [{"type": "phase_error", "phase": "propose", "incoming": said["type"]}]
    table.sends(0, propose())
    for seat in (0, 1, 2):
        if (seat, said["type"]) != (1, "decide"):
            assert table.sends(seat, said) == [{"type": "phase_error", "phase": "decide", "incoming": said["type"]}]
    table.sends(1, REJECT)
    table.sends(2, DONE)
    assert table.sends(2, said) == [{"type": "phase_error", "phase": "craft", "incoming": said["type"]}]


def test_what_is_wrong_and_at_the_wrong_time_is_a_phase_error() -> None:  # RULES 11.5
    table = crafting()
    for wrong in (propose("zoe"), {"type": "decide", "decision": "maybe"}):
        for seat in (0, 2):
            assert types(table.sends(seat, wrong)) == ["phase_error"]
    assert not any(fault.code != "phase_error" for open in table.match.open.values() for fault in open.faults)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "nonsense",
        "[]",
        "5",
        "null",
        "{",
        '{"type": 5}',
        '{"type": "dance"}',
        '{"type": ["apply"]}',
        "{}",
        "[" * 5000,
    ],
)
def test_what_is_no_message_is_an_error(line: str) -> None:  # RULES 11.5
    table = Table()
    for seat in (0, 1):
        [told] = table.sends(seat, line)
        assert told["type"] == "error" and told["code"] == "bad_message" and told["message"]


def test_a_line_that_is_too_long_is_an_error() -> None:  # RULES 11.1
    table = Table()
    table.players[0]._hear(None)
    assert table.sends(0)[-1] == {"type": "error", "code": "too_big", "message": "a message of more than 65536 bytes"}


def test_a_login_in_the_middle_is_nothing() -> None:  # RULES 11.1
    assert Table().sends(0, {"type": "login", "username": "ada"}) == []


@pytest.mark.parametrize("said", [TORCH, APPLY, DONE])
def test_what_is_meant_for_another_turn_does_not_count_in_this_one(said: Said) -> None:  # RULES 11.3
    table = crafting()
    table.sends(0, TORCH)
    assert types(table.sends(0, {**said, "turn_index": 2})) == ["phase_error"]
    assert types(table.sends(0, {**said, "turn_index": 1}))[0] != "phase_error"


def test_a_late_answer_is_not_taken_for_the_next_turns() -> None:  # RULES 11.3
    table = Table(THREE, limit_s=60)
    table.sends(0, propose())
    table.sends(1, REJECT)
    table.wait(60)
    table.sends(1, propose("cleo"))
    table.sends(2, REJECT)
    assert types(table.sends(0, {**DONE, "turn_index": 1})) == ["phase_error"], "all craft again by now"
    assert types(table.sends(0, {**DONE, "turn_index": 2})) == ["player_craft_done", "private_hand_change"]


def test_after_silence_everybody_is_told_what_became_of_it_and_answers_keep_their_place() -> None:  # RULES 8.3
    table = Table(THREE, limit_s=60)
    before = len(table.ears[0].heard)
    table.wait(60)
    assert types(table.since(0, before)) == ["proposal_sent", "proposal_rejected"]
    assert types(table.sends(0, propose("zoe"))) == ["phase_error"]
    assert types(table.sends(0, {"type": "check", "input": {"coal": "x"}})) == ["craft_recipe_validity"]
    assert "coal" in table.heard(0)[-1]["reason"]


def test_after_silence_in_every_phase_what_is_refused_is_still_the_right_message() -> None:  # RULES 8.3
    """Messages are matched to events by counting, and events by default do not count."""
    table = Table(THREE, limit_s=60)
    table.sends(0, propose())
    table.wait(60)  # bob does not decide
    table.wait(60)  # and nobody is done
    refused = table.sends(1, {**propose("cleo"), "offer": {"stick": 99}})
    assert types(refused) == ["proposal_invalid"] and refused[0]["offer"] == {"stick": 99}
    table.wait(60)  # bob makes no other proposal
    assert "coal" in table.sends(1, {"type": "check", "input": {"coal": "x"}})[-1]["reason"]
    for seat in range(3):
        table.sends(seat, DONE)
    table.sends(2, propose("bob"))
    assert types(table.sends(1, {"type": "decide", "decision": "perhaps"})) == ["decision_invalid"]


# The end


def test_the_end_of_the_game() -> None:  # RULES 11.4
    table = Table(problem("1 coal 1 stick", "1 dirt", targets=["1 torch"], max_turn=1))
    table.sends(0, propose())
    table.sends(1, REJECT)
    table.sends(0, TORCH, APPLY, DONE)
    told = table.sends(1, DONE)
    assert types(told)[-2:] == ["update_all_hands", "game_over"], "and no turn after it"
    assert told[-1] == {
        "type": "game_over",
        "reason": "win",
        "targets": [{"torch": 1}, {"beacon": 1}],
        "win-status": {"ada": True, "bob": False},
        "scores": {"ada": 3, "bob": 0},
        "action_queue": ["ada", "bob"],
    }


def test_all_lose() -> None:  # RULES 7.4
    table = Table(problem("1 coal", "1 dirt", max_turn=1))
    table.sends(0, propose())
    table.sends(1, REJECT)
    table.sends(0, DONE)
    over = table.sends(1, DONE)[-1]
    assert over["reason"] == "all lose" and over["scores"] == {"ada": 0, "bob": 0}


def test_a_match_that_breaks_down_is_over_too() -> None:  # RULES 11.4
    dialect = Lines()
    room = Room(THREE)
    dialect.began(place_of(room.match, 0), room.views[0][0])
    [told] = dialect.over(Over(Void("bug", "ours"), "head"), room.views[0][0])
    assert json.loads(told) == {"type": "game_over", "reason": "void"}


def test_a_player_that_leaves_is_announced() -> None:  # RULES 11.4
    table = Table()
    table.do("2 leaves")
    assert table.heard(0)[-1] == {
        "type": "player_leave_room",
        "playername": "cleo",
        "reason": "quit",
        "player_list": ["ada", "bob", "cleo"],
    }


# Coming back


def test_a_player_that_comes_back_is_told_what_it_has_missed() -> None:  # RULES 11.7
    table = Table()
    table.sends(0, propose(message="psst"))
    table.sends(1, {**REJECT, "message": "no"})
    table.sends(0, TORCH, APPLY)
    dialect = Lines()
    back = [json.loads(line) for line in dialect.began(place_of(table.match, 0), table.state.view(0))]
    assert types(back) == [
        "game_start",
        "private_start_info",
        "update_all_hands",
        "start_proposal",
        "proposal_sent",
        "proposal_reply_message",
        "proposal_rejected",
        "craft_recipe_validity",
        "private_hand_change",
    ]
    assert back == table.heard(0), "that is all it was told before, as it was told"
    assert back[-1]["hand"] == {"coal": 1, "stick": 1, "torch": 4} and back[3]["turn_index"] == 1
    told = dialect.event(Finished(1))
    assert [json.loads(line)["type"] for line in told] == ["player_craft_done"]


def test_a_player_that_comes_back_to_a_decision_is_told_what_it_is_about() -> None:  # RULES 11.7
    table = Table()
    table.sends(0, propose(message="psst"))
    back = [json.loads(line) for line in Lines().began(place_of(table.match, 1), table.state.view(1))]
    assert types(back)[-2:] == ["proposal_sent", "proposal"] and back[-1]["message"] == "psst"
    third = b"".join(Lines().began(place_of(table.match, 2), table.state.view(2)))
    assert b"psst" not in third and b'"proposal"' not in third


SECOND_TURN: list[tuple[int, Said]] = [
    (0, propose(offer={"coal": 1}, message="psst")),
    (1, {**ACCEPT, "message": "yes"}),
    (0, TORCH),
    (0, APPLY),
    (1, TORCH),
    (0, DONE),
    (2, DONE),
    (1, DONE),
    (1, propose("cleo")),
    (2, REJECT),
    *((seat, DONE) for seat in (2, 0, 1)),
    (2, propose("ada", message="again")),
    (0, REJECT),
]


def twice(told: Sequence[Said], before: Sequence[Said]) -> list[str]:
    """Messages that were sent more often than before."""
    return [*(Counter(map(json.dumps, told)) - Counter(map(json.dumps, before))).elements()]


@pytest.mark.parametrize("cut", [False, True])
def test_a_player_that_comes_back_at_any_time_is_told_nothing_twice(cut: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """RULES 11.7, also for a history that is cut."""
    if cut:
        monkeypatch.setattr("parlour.games.tradecraft.history.MOST_BYTES", 300)
    table = Table()
    for sender, line in [(0, {"type": "query", "what": "history"}), *SECOND_TURN]:
        table.sends(sender, line)
        for seat in range(3):
            view, live = table.state.view(seat), table.heard(seat)
            back = [json.loads(line) for line in Lines().began(place_of(table.match, seat), view)]
            assert twice(back, live) == []
            hands = [told["hands"] for told in back if told["type"] == "update_all_hands"]
            turns = [told["turn_index"] for told in back if told["type"] == "start_proposal"]
            assert hands[-1] == list(view.hands) and turns[-1] == view.turn == max(turns)
            held = [told["hand"] for told in back if told["type"] == "private_hand_change"]
            assert view.hand in (hands[-1][seat], *held[-1:])
            own = {"propose": 0, "decide": 1, "craft": 2}[view.phase]
            last = [told["type"] for told in back if told["type"] in PHASES][-1]
            assert PHASES[last] == own or (cut and own == 2), "the last of these says what is to be done"


PHASES = {"start_proposal": 0, "proposal_sent": 1, "proposal_accepted": 2, "proposal_rejected": 2}


# Questions


def test_questions_are_answered_at_any_time() -> None:  # RULES 11.6
    table = Table()
    for _ in range(3):
        for seat in (0, 1, 2):
            [item] = table.sends(seat, {"type": "query", "what": "item_info", "item": "minecraft:torch"})
            assert item["type"] == "item_info" and item["is_valid"] and item["node_name"] == "torch"
            assert item["node"]["made_by"][0]["output"] == {"torch": 4}
        table.sends(0, propose()) if table.state.view(0).phase == "propose" else table.sends(1, REJECT)
    assert table.state.view(0).phase == "craft"


def test_a_question_about_a_hand() -> None:  # RULES 11.6
    table = crafting()
    [own] = table.sends(0, {"type": "query", "what": "possible_recipes"})
    assert own["type"] == "possible_recipes_from_hand" and own["hand"] == {"coal": 2, "stick": 2}
    assert "torch" in own["recipes"] and len(own["recipes"]) == len(own["recipe_details"])
    [other] = table.sends(0, {"type": "query", "what": "possible_recipes", "hand": {"oak_log": 1}})
    assert "oak_planks" in other["recipes"] and "torch" not in other["recipes"]


@pytest.mark.parametrize(("coal", "batches", "marked"), [("1/4", "1/4", True), ("3/4", "3/4", True), (1, 1, False)])
def test_what_a_hand_makes_only_in_fractions_is_marked(
    coal: str | int, batches: str | int, marked: bool
) -> None:  # RULES 10.3
    question = {"type": "query", "what": "possible_recipes", "hand": {"coal": coal, "stick": 2}}
    [told] = crafting().sends(0, question)
    torch = next(each for each in told["recipe_details"] if each["name"] == "torch")
    assert (torch["most_batches"], torch["only_in_fractions"]) == (batches, marked)


def test_a_question_about_the_past() -> None:  # RULES 11.6
    table = crafting()
    [past] = table.sends(1, {"type": "query", "what": "history"})
    told = {"proposal_sent", "proposal", "proposal_rejected"}
    assert set(types(past["events"])) == told
    assert [event for event in table.heard(1) if event["type"] in told] == past["events"]


@pytest.mark.parametrize(
    "wrong", [{}, {"what": "everything"}, {"what": 5}, {"what": "possible_recipes", "hand": {"coal": "x"}}]
)
def test_a_question_that_makes_no_sense_costs_nothing(wrong: Said) -> None:  # RULES 8.1
    table = Table(THREE, bears=0)
    for seat in (0, 1):
        for _ in range(20):
            [told] = table.sends(seat, {"type": "query", **wrong})
            assert told["type"] == "error" and told["code"] == "bad_query"
    assert types(table.sends(0, propose())) == ["proposal_sent"]


def test_an_item_that_does_not_exist() -> None:  # RULES 11.6
    for item in ("happiness", "", 5, None, "x" * 200):
        [told] = Table().sends(0, {"type": "query", "what": "item_info", "item": item})
        assert told["type"] == "item_info" and told["is_valid"] is False


# Reading


@pytest.mark.parametrize(
    ("said", "action"),
    [
        (propose(offer={"coal": 1}, message="hi"), Propose(1, {"coal": 1}, {}, "hi")),
        (ACCEPT, Decide("accept")),
        ({**REJECT, "message": "no"}, Decide("reject", "no")),
        (TORCH, Check({"coal": 1, "stick": 1}, {"torch": 4})),
        (APPLY, Apply()),
        (DONE, Done()),
        ({**DONE, "colour": "red"}, Done()),
    ],
)
def test_what_players_say_is_read_as_actions(said: Said, action: Any) -> None:  # RULES 11.3
    table = Table()
    read = table.players[0].dialect.read(json.dumps(said).encode())
    assert read == Answer(action)


def test_questions_are_read_as_such() -> None:  # RULES 11.3
    dialect = Table().players[0].dialect
    for what, question in (
        ({"what": "item_info", "item": "coal"}, ItemInfo("coal")),
        ({"what": "item_info", "node_name": "coal"}, ItemInfo("coal")),
        ({"what": "possible_recipes"}, PossibleRecipes()),
        ({"what": "possible_recipes", "hand": {"coal": 1.5}}, PossibleRecipes({"coal": "3/2"})),
        ({"what": "history"}, History()),
    ):
        assert dialect.read(json.dumps({"type": "query", **what}).encode()) == Question(0, question)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
KEYS = ("self", "partner", "offer", "request", "message", "decision", "input", "output", "what", "hand", "item")


@given(
    st.sampled_from(["propose", "decide", "check", "apply", "done_crafting", "query"]),
    st.dictionaries(st.sampled_from([*KEYS, "turn_index"]), json_values | st.sampled_from(["bob", "ada", "accept"])),
)
def test_messages_of_any_content_are_read_or_refused(kind: str, body: Said) -> None:  # RULES 11.5
    dialect = Table().players[0].dialect
    try:
        said = dialect.read(json.dumps({"type": kind, **body}).encode())
    except BadMessage as e:
        assert e.code in ("proposal_invalid", "decision_invalid", "bad_query", "phase_error")
    else:
        assert isinstance(said, Question) or (isinstance(said, Answer) and isinstance(said.action, GAME.rules.actions))


# The same events for Socket.IO


def test_amounts_and_names_may_be_written_the_long_way() -> None:  # RULES 6.13
    teller = Teller(["ada", "bob"], 0, 9, LONG)
    half = {"minecraft:coal": {"n": 1, "d": 2}}
    assert teller.happened(Applied(0, {}, {}, {}, {"coal": "1/2"})) == [("private_hand_change", {"hand": half})]
    whole = {"minecraft:stick": {"n": 3, "d": 1}}
    [(name, body)] = teller.happened(Accepted(0, 1, {"stick": 3}, {}))
    assert (name, body["proposal"]["offer"]) == ("proposal_accepted", whole)
    [(_, shown)] = teller.happened(HandsShown(({"stick": 3}, {})))
    assert shown["hands"] == [whole, {}]
    [(_, over)] = teller.happened(Decided((), "turns", ({"stick": 3}, {"stick": 3})))
    assert over["targets"] == [whole, whole]
    [(_, checked)] = teller.happened(Checked(0, {}, {}, 0, "cake", "", {"stick": 3}))
    assert checked["returns"] == whole
    refused = teller.invalid("proposal_invalid", {}, "no", {"offer stick": 1, "request coal": 0})
    assert refused[1]["reason"] == {"offer": {"minecraft:stick": True}, "request": {"minecraft:coal": False}}


def test_every_event_has_its_messages() -> None:  # RULES 11.4
    teller = Teller(["ada", "bob", "cleo"], 1, 9)
    for event, expected in (
        (TurnBegan(2, 1), ["start_proposal"]),
        (Proposed(0), ["proposal_sent"]),
        (Proposed(0, 1), ["proposal_sent", "proposal"]),
        (Proposed(1, 0), ["proposal_sent"]),
        (Left(2, "quit"), ["player_leave_room"]),
        (Finished(0), ["player_craft_done"]),
        (Finished(1, {}), ["player_craft_done", "private_hand_change"]),
    ):
        assert [name for name, _ in teller.happened(event)] == expected
