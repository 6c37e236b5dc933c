"""Messages and replies of the game's own channels, tested through the two calls without a socket."""

import json
from typing import Any

import pytest

from parlour.core import Value
from parlour.games.colorfight.values import Command, Odd, Options
from parlour.games.colorfight.wire import Register, read
from parlour.venues.colorfight.calls import ColorfightII

NO_TEXTS: tuple[Any, ...] = (5, None, True, ["ada"], {}, {"a": 1}, 1.5)
ENDED = "The game has not started or it ended already."


def game(**options: Any) -> ColorfightII:
    return ColorfightII(Options(**{"width": 3, "height": 2, "max_turn": 3, **options}), seed=b"a seed")


def says(table: ColorfightII, uid: int | None, **said: Any) -> dict[str, Any]:
    return table.parse_action(uid, json.dumps(said))


def registers(table: ColorfightII, username: Any = "ada", password: Any = "secret", **more: Any) -> dict[str, Any]:
    return says(table, None, action="register", username=username, password=password, **more)


def refusal(words: str) -> dict[str, Any]:
    return {"success": False, "err_msg": words}


# 10.2 Messages


def test_registering_and_sending_a_list() -> None:  # RULES 10.2
    table = game()
    assert registers(table) == {"success": True, "uid": 1}
    assert registers(table, "bob") == {"success": True, "uid": 2}
    assert says(table, 2, action="command", cmd_list=["huh"]) == {"success": True}
    table.update()
    assert table.get_game_info()["error"] == {1: [], 2: ["huh is a wrong command, cmd type huh is invalid"]}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (
            '{"action":"register","username":"ada","password":"x","join_key":"k","more":[1]}',
            Register("ada", "x", "k"),
        ),
        ('{"action":"register","username":"ada","password":"","join_key":5}', Register("ada", "")),
        ('{"cmd_list":[],"action":"command","uid":7}', Command()),
        ('{"action":"command","cmd_list":["a 1 2 3",""," "]}', Command(("a 1 2 3", "", " "))),
        (
            '{"action":"command","cmd_list":[null,true,5,1.5,["a"],{"a":null}]}',
            Command((Odd("None"), Odd("True"), Odd("5"), Odd("1.5"), Odd("['a']"), Odd("{'a': None}"))),
        ),
    ],
)
def test_what_is_understood(text: str, meant: Register | Value) -> None:  # RULES 7.2, 10.2
    assert read(text) == meant


def test_what_is_no_text_is_cut_where_an_order_would_be_too_long() -> None:  # RULES 7.2, 10.3
    meant = read(json.dumps({"action": "command", "cmd_list": [[0] * 500]}))
    assert isinstance(meant, Command) and meant.orders == (Odd(str([0] * 500)[:100]),)


# 10.3 Bad messages


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "This is not a valid json"),
        ("{'action': 'register'}", "This is not a valid json"),
        ('{"action":', "This is not a valid json"),
        ("[" * 100_000, "This is not a valid json"),
        ('{"action":"command","cmd_list":[NaN]}', "This is not a valid json"),
        *[
            (text, "You have to specify an action")
            for text in ("[]", "{}", "5", "null", "true", '"action"', '["action"]')
        ],
        *[
            (f'{{"action":{action}}}', "Not a valid action")
            for action in ('"attack"', '"Register"', '""', "5", "null", "[]", '["register"]', '{"register":1}')
        ],
        ('{"action":"register"}', "username is missing"),
        ('{"action":"register","password":"x"}', "username is missing"),
        ('{"action":"register","username":"ada"}', "password is missing"),
        ('{"action":"register","username":5}', "password is missing"),
        ('{"action":"command"}', "cmd_list is missing"),
        *[
            (f'{{"action":"command","cmd_list":{what}}}', "Wrong type")
            for what in ("null", '"a 1 2 3"', "5", '{"0":"a 1 2 3"}', "true")
        ],
        (json.dumps({"action": "command", "cmd_list": ["u 0 0"] * 1001}), "At most 1000 commands in a list"),
        (json.dumps({"action": "command", "cmd_list": ["u 0 0", "u" * 101]}), "At most 100 letters in a command"),
        ('{"action":"command","cmd_list":["u 0 0"]}', "You need to join the game first"),
    ],
    ids=lambda text: text[:40],
)
def test_bad_messages(text: str, words: str) -> None:  # RULES 10.3
    table = game()
    assert table.parse_action(None, text) == refusal(words)
    assert table.get_game_info()["users"] == {} and len(table.lines) == 1


@pytest.mark.parametrize(
    ("name", "password", "words"),
    [
        *[(name, "x", "Username and Password needs to be strings") for name in NO_TEXTS],
        *[("ada", password, "Username and Password needs to be strings") for password in NO_TEXTS],
        ("", "x", "Username has to be at least 1 characters"),
        ("a" * 15, "x", "Username can't exceed 15 characters."),
        ("a" * 1000, "x", "Username can't exceed 15 characters."),
        ("ada", "x" * 129, "Password can't exceed 128 characters."),
        ("a\nb", "x", "Username has characters that can not be shown"),
        ("a\u202eb", "x", "Username has characters that can not be shown"),
    ],
)
def test_bad_names_and_passwords(name: Any, password: Any, words: str) -> None:  # RULES 10.3, 10.4
    table = game()
    assert registers(table, name, password) == refusal(words)
    assert table.get_game_info()["users"] == {}


@pytest.mark.parametrize("name", ["a", "a" * 14, "Ada Lovelace", "ädä", "1", '"}'])
def test_good_names(name: str) -> None:  # RULES 10.4
    table = game()
    assert registers(table, name, "x" * 128) == {"success": True, "uid": 1}
    assert table.get_game_info()["users"][1]["username"] == name


@pytest.mark.parametrize("uid", [0, -1, 2, 99])
def test_a_uid_that_nobody_has(uid: int) -> None:  # RULES 10.3
    table = game()
    registers(table)
    assert says(table, uid, action="command", cmd_list=[]) == refusal("Wrong uid")


def test_a_full_map() -> None:  # RULES 4.3, 10.3
    table = game(width=2, height=2)
    for number in range(4):
        assert registers(table, f"player {number}")["success"]
    assert registers(table, "one more") == refusal("Map is full")
    assert registers(table, "player 2") == {"success": True, "uid": 3}


def test_a_list_too_many() -> None:  # RULES 5.11, 10.3
    table = game()
    registers(table)
    for _ in range(10):
        assert says(table, 1, action="command", cmd_list=["the tenth"]) == {"success": True}
    assert says(table, 1, action="command", cmd_list=[]) == refusal("You have sent too many lists in this round")
    table.update()
    assert len(table.get_game_info()["error"][1]) == 1
    assert says(table, 1, action="command", cmd_list=[]) == {"success": True}


# 10.4 Names and passwords


def test_the_same_name_and_password_is_the_same_player() -> None:  # RULES 10.4
    table = game()
    registers(table)
    registers(table, "bob", "other")
    assert registers(table) == {"success": True, "uid": 1}
    assert len(table.get_game_info()["users"]) == 2


def test_the_same_name_with_another_password_is_refused() -> None:  # RULES 10.4
    table = game()
    registers(table)
    for password in ("", "Secret", "secret ", "x"):
        assert registers(table, "ada", password) == refusal("Username exists")
    assert registers(table, "Ada", "secret") == {"success": True, "uid": 2}


def test_no_password_is_recorded() -> None:  # RULES 10.4
    table = game()
    registers(table, "ada", "correct horse battery")
    for _ in range(3):
        table.update()
    record = b"".join(table.lines)
    assert b'"ada"' in record and b"battery" not in record and b"argon2" not in record


# 10.6 Mistakes in frames


def test_there_are_no_entries_before_turn_1() -> None:  # RULES 10.6
    table = game()
    assert table.get_game_info()["error"] == {}
    registers(table)
    says(table, 1, action="command", cmd_list=["huh"])
    assert table.get_game_info()["error"] == {}
    table.update()
    assert len(table.get_game_info()["error"][1]) == 1


def test_everybodys_mistakes_are_there_unless_hidden() -> None:  # RULES 9.2, 10.6
    for errors, count in (("shown", 1), ("hidden", 0)):
        table = game(errors=errors)
        for name in ("ada", "bob"):
            uid = registers(table, name)["uid"]
            says(table, uid, action="command", cmd_list=["huh"])
        table.update()
        assert {uid: len(words) for uid, words in table.get_game_info()["error"].items()} == {1: count, 2: count}


# 10.7 Before the first round and after the last


def test_a_list_is_taken_before_the_first_round() -> None:  # RULES 10.7
    table = game()
    registers(table)
    assert says(table, 1, action="command", cmd_list=["huh"]) == {"success": True}
    table.update()
    assert len(table.get_game_info()["error"][1]) == 1


def test_after_the_end_there_is_nothing_to_join_or_to_order() -> None:  # RULES 10.7
    table = game()
    registers(table)
    for _ in range(3):
        assert table.update()
    assert not table.update()
    assert says(table, 1, action="command", cmd_list=[]) == refusal(ENDED)
    assert registers(table, "bob") == refusal(ENDED)
    assert registers(table) == {"success": True, "uid": 1}
    assert registers(table, "ada", "wrong") == refusal("Username exists")
    assert len(table.get_game_info()["users"]) == 1 and table.get_game_info()["turn"] == 3
