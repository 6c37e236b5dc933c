"""ColorfightII by its two calls, `parse_action` and `get_game_info`, word for word."""

import json
from typing import Any

import pytest

from parlour.core import Result
from parlour.games import game
from parlour.games.colorfight.values import MOST_LETTERS, MOST_LISTS, MOST_ORDERS, Options
from parlour.referee.replay import verify
from parlour.store.passwords import GameUser, fits, hashed
from parlour.venues.colorfight.calls import ColorfightII

NOT_JSON = "This is not a valid json"
NO_ACTION = "You have to specify an action"
NO_SUCH_ACTION = "Not a valid action"
ENDED = "The game has not started or it ended already."

DONE = {"success": True}

# What was sent and what is answered. The channels have the same words, and are tested with the same tables.
BAD_MESSAGES: dict[str, tuple[str, str]] = {
    "nothing": ("", NOT_JSON),
    "no JSON": ("hello", NOT_JSON),
    "half of it": ('{"action":', NOT_JSON),
    "more than it": ('{"action":"command","cmd_list":[]} x', NOT_JSON),
    "no number of JSON": ('{"action":"command","cmd_list":[NaN]}', NOT_JSON),
    "half a letter": ('{"action":"register","username":"\\ud800","password":"x"}', NOT_JSON),
    "too deep": ("[" * 100_000, NOT_JSON),
    "an empty list": ("[]", NO_ACTION),
    "a list": ('["action"]', NO_ACTION),
    "a number": ("5", NO_ACTION),
    "null": ("null", NO_ACTION),
    "true": ("true", NO_ACTION),
    "a text": ('"action"', NO_ACTION),
    "no action": ("{}", NO_ACTION),
    "another key": ('{"Action":"register"}', NO_ACTION),
    "an unknown action": ('{"action":"jump"}', NO_SUCH_ACTION),
    "in capitals": ('{"action":"REGISTER"}', NO_SUCH_ACTION),
    "an action that is null": ('{"action":null}', NO_SUCH_ACTION),
    "an action that is a number": ('{"action":5}', NO_SUCH_ACTION),
    "an action that is a list": ('{"action":["register"]}', NO_SUCH_ACTION),
    "an action that is an object": ('{"action":{"register":1}}', NO_SUCH_ACTION),
    "no name": ('{"action":"register","password":"x"}', "username is missing"),
    "no password": ('{"action":"register","username":"x"}', "password is missing"),
    "neither": ('{"action":"register"}', "username is missing"),
    "no list": ('{"action":"command"}', "cmd_list is missing"),
    "a list that is a text": ('{"action":"command","cmd_list":"a 1 1 1"}', "Wrong type"),
    "a list that is null": ('{"action":"command","cmd_list":null}', "Wrong type"),
    "a list that is an object": ('{"action":"command","cmd_list":{"0":"u 1 1"}}', "Wrong type"),
    "a list that is a number": ('{"action":"command","cmd_list":3}', "Wrong type"),
}
BAD_NAMES: dict[str, tuple[Any, Any, str]] = {
    "a number": (5, "x", "Username and Password needs to be strings"),
    "null": (None, "x", "Username and Password needs to be strings"),
    "a list": (["ada"], "x", "Username and Password needs to be strings"),
    "a password that is a number": ("ada", 5, "Username and Password needs to be strings"),
    "a password that is null": ("ada", None, "Username and Password needs to be strings"),
    "an empty one": ("", "x", "Username has to be at least 1 characters"),
    "15 letters": ("a" * 15, "x", "Username can't exceed 15 characters."),
    "a thousand letters": ("a" * 1000, "x", "Username can't exceed 15 characters."),
    "a line break": ("a\nb", "x", "Username has characters that can not be shown"),
    "what a terminal obeys": ("a\x1b[2J", "x", "Username has characters that can not be shown"),
    "what turns the line": ("a\u202eb", "x", "Username has characters that can not be shown"),
    "a long password": ("ada", "x" * 129, "Password can't exceed 128 characters."),
}

# Orders, and what is said of them in the next turn to somebody who has a home and little else. HOME is where that is,
# and NEXT is beside it.
BAD_ORDERS: dict[str, tuple[Any, str]] = {
    "null": (None, "None is not a command"),
    "true": (True, "True is not a command"),
    "a number": (7, "7 is not a command"),
    "a broken number": (1.5, "1.5 is not a command"),
    "a list": (["a"], "['a'] is not a command"),
    "an object": ({"a": [1, None]}, "{'a': [1, None]} is not a command"),
    "an empty text": ("", " is not a command"),
    "a blank text": ("  ", "   is not a command"),
    "an unknown letter": ("x 1 1", "x 1 1 is a wrong command, cmd type x is invalid"),
    "a capital letter": ("A 1 1 1", "A 1 1 1 is a wrong command, cmd type A is invalid"),
    "an attack without energy": ("a 1 1", "a 1 1 is a wrong command, list index out of range"),
    "an attack without anything": ("a", "a is a wrong command, list index out of range"),
    "a building without a letter": ("b 1 1", "b 1 1 is a wrong command, list index out of range"),
    "an upgrade without y": ("u 1", "u 1 is a wrong command, list index out of range"),
    "a word for x": ("a x y 1", "a x y 1 is a wrong command, invalid literal for int() with base 10: 'x'"),
    "a word for y": ("a 1 y z", "a 1 y z is a wrong command, invalid literal for int() with base 10: 'y'"),
    "a word for energy": ("a 1 1 z", "a 1 1 z is a wrong command, invalid literal for int() with base 10: 'z'"),
    "a broken energy": ("a NEXT 1.5", "a NEXT 1.5 is a wrong command, invalid literal for int() with base 10: '1.5'"),
    "an exponent": ("a NEXT 1e3", "a NEXT 1e3 is a wrong command, invalid literal for int() with base 10: '1e3'"),
    "sixteens": ("a NEXT 0x3c", "a NEXT 0x3c is a wrong command, invalid literal for int() with base 10: '0x3c'"),
    "an underscore": ("a NEXT 6_0", "a NEXT 6_0 is a wrong command, invalid literal for int() with base 10: '6_0'"),
    "other digits": (
        "a NEXT \u0666",
        "a NEXT \u0666 is a wrong command, invalid literal for int() with base 10: '\u0666'",
    ),
    "an attack outside": ("a -1 0 60", "a -1 0 60 failed, Attack position is not in the map."),
    "an attack too cheap": ("a NEXT 0", "a NEXT 0 failed, The energy spent is less than attack cost."),
    "a negative attack": ("a NEXT -1000", "a NEXT -1000 failed, The energy spent is less than attack cost."),
    "an attack too dear": ("a NEXT 5000", "a NEXT 5000 failed, Do not have enough energy to attack."),
    "a building outside": ("b 30 0 e", "b 30 0 e failed, Build position is not in the map."),
    "a building elsewhere": ("b NEXT e", "b NEXT e failed, You need to build on your own cell."),
    "a building on another": ("b HOME e", "b HOME e failed, There is a building on this cell already."),
    "an upgrade outside": ("u 0 30", "u 0 30 failed, Upgrade position is not in the map."),
    "an upgrade elsewhere": ("u NEXT", "u NEXT failed, You need to upgrade on your own cell."),
    "an upgrade too dear": ("u HOME", "u HOME failed, Not enough energy."),
}


def register(name: Any = "ada", password: Any = "secret", **more: Any) -> str:
    return json.dumps({"action": "register", "username": name, "password": password, **more})


def command(*orders: Any, **more: Any) -> str:
    return json.dumps({"action": "command", "cmd_list": orders, **more})


def refused(words: str) -> dict[str, Any]:
    return {"success": False, "err_msg": words}


def new_game(*names: str, **options: Any) -> ColorfightII:
    game = ColorfightII(Options(**options), seed=b"calls")
    for uid, name in enumerate(names, start=1):
        assert game.parse_action(None, register(name)) == {"success": True, "uid": uid}
    return game


def at_home(order: Any, game: ColorfightII, uid: int = 1) -> Any:
    """An order of the tables above as this user has to write it."""
    if not isinstance(order, str):
        return order
    x, y = game.get_game_info()["users"][uid]["cells"][0]
    return order.replace("HOME", f"{x} {y}").replace("NEXT", f"{x + 1 if x < 29 else x - 1} {y}")


# The calls


def test_to_register_gives_a_uid_and_a_home() -> None:  # RULES 4, 10.2
    game = new_game("ada", "bob")
    assert {uid: user["username"] for uid, user in game.get_game_info()["users"].items()} == {1: "ada", 2: "bob"}
    assert all(len(user["cells"]) == 1 for user in game.get_game_info()["users"].values())


def test_a_list_is_taken_and_carried_out_when_the_round_ends() -> None:
    game = new_game("ada")
    home = game.get_game_info()["users"][1]["cells"][0]
    assert game.parse_action(1, command("x", f"u {home[0]} {home[1]}")) == DONE
    assert game.get_game_info()["turn"] == 0 and game.get_game_info()["error"] == {}
    assert game.update()
    info = game.get_game_info()
    assert info["turn"] == 1 and info["users"][1]["energy"] == 110
    assert info["error"][1] == [
        "x is a wrong command, cmd type x is invalid",
        f"u {home[0]} {home[1]} failed, Not enough energy.",
    ]


def test_a_second_list_takes_the_place_of_the_first() -> None:
    game = new_game("ada")
    assert game.parse_action(1, command("x")) == DONE
    assert game.parse_action(1, command("y")) == DONE
    game.update()
    assert game.get_game_info()["error"][1] == ["y is a wrong command, cmd type y is invalid"]


def test_a_list_is_carried_out_once() -> None:
    game = new_game("ada")
    game.parse_action(1, command("x"))
    game.update()
    game.update()
    assert game.get_game_info()["error"][1] == []


def test_keys_that_nobody_knows_are_ignored() -> None:
    game = new_game()
    assert game.parse_action(None, register(join_key="any", colour="red")) == {"success": True, "uid": 1}
    assert game.parse_action(1, command(uid=2, turn=9)) == DONE


def test_an_empty_list_is_a_list() -> None:
    assert new_game("ada").parse_action(1, command()) == DONE


def test_the_end() -> None:  # RULES 8, 10.7
    game = new_game("ada", max_turn=2)
    assert game.update() and game.update()
    assert not game.update() and game.get_game_info()["turn"] == 2
    assert game.parse_action(1, command()) == refused(ENDED)
    assert game.parse_action(None, register("bob")) == refused(ENDED)
    assert game.parse_action(None, register("ada")) == {"success": True, "uid": 1}
    assert isinstance(game.match.end, Result)


def test_a_game_without_players_goes_on() -> None:  # RULES 1.3
    game = new_game(max_turn=3)
    while game.update():
        pass
    assert game.get_game_info()["turn"] == 3 and game.get_game_info()["users"] == {}


def test_the_same_seed_is_the_same_game() -> None:
    assert new_game("ada").get_game_info() == new_game("ada").get_game_info()
    assert ColorfightII().get_game_info() != ColorfightII().get_game_info()


# Bad messages


@pytest.mark.parametrize("uid", [None, 1])
@pytest.mark.parametrize("case", BAD_MESSAGES)
def test_a_bad_message(case: str, uid: int | None) -> None:  # RULES 10.3
    game = new_game("ada")
    message, words = BAD_MESSAGES[case]
    before = game.get_game_info()
    assert game.parse_action(uid, message) == refused(words)
    assert game.get_game_info() == before and game.parse_action(1, command()) == DONE


@pytest.mark.parametrize("case", BAD_NAMES)
def test_a_bad_name(case: str) -> None:  # RULES 10.3, 10.4
    game = new_game("ada")
    name, password, words = BAD_NAMES[case]
    assert game.parse_action(None, register(name, password)) == refused(words)
    assert len(game.get_game_info()["users"]) == 1


@pytest.mark.parametrize("name", ["a", "a" * 14, "Jürgen", "\U0001f600", "a b", " ", "'\"\\", "<b>"])
def test_a_good_name(name: str) -> None:
    game = new_game(name)
    assert game.get_game_info()["users"][1]["username"] == name


@pytest.mark.parametrize("password", ["", " ", "x" * 128, "\U0001f600", "\n\x00"])
def test_a_good_password(password: str) -> None:
    game = new_game()
    for _ in range(2):
        assert game.parse_action(None, register("ada", password)) == {"success": True, "uid": 1}
    assert game.parse_action(None, register("ada", "another")) == refused("Username exists")


def test_same_name_and_same_password_is_the_same_user_also_when_dead() -> None:  # RULES 10.4
    game = new_game("ada", "bob")
    assert game.parse_action(None, register("ada")) == {"success": True, "uid": 1}
    game.match.state.players[0].dead = True  # type: ignore[attr-defined]  # a state of ColorfightII
    assert game.parse_action(None, register("ada")) == {"success": True, "uid": 1}
    assert len(game.get_game_info()["users"]) == 2


def test_same_name_and_another_password() -> None:  # RULES 10.4
    assert new_game("ada").parse_action(None, register("ada", "guess")) == refused("Username exists")


def test_a_list_before_registering() -> None:
    assert new_game("ada").parse_action(None, command()) == refused("You need to join the game first")


@pytest.mark.parametrize("uid", [0, 2, -1, 1000])
def test_a_uid_that_nobody_has(uid: int) -> None:
    assert new_game("ada").parse_action(uid, command()) == refused("Wrong uid")


def test_a_uid_that_is_no_number() -> None:
    assert new_game("ada").parse_action("1", command()) == refused("Wrong uid")  # type: ignore[arg-type]  # on purpose


def test_a_full_map() -> None:  # RULES 4.3
    game = new_game("a", "b", "c", "d", width=2, height=2)
    assert game.parse_action(None, register("e")) == refused("Map is full")
    assert game.parse_action(None, register("a")) == {"success": True, "uid": 1}


def test_a_list_of_the_dead() -> None:
    game = new_game("ada", "bob")
    game.match.state.players[1].dead = True  # type: ignore[attr-defined]  # a state of ColorfightII
    game.update()
    assert game.parse_action(2, command()) == refused("You have no cells left")


# Limits


def test_as_many_orders_as_there_may_be() -> None:
    game = new_game("ada")
    assert game.parse_action(1, command(*["x"] * MOST_ORDERS)) == DONE
    game.update()
    assert game.get_game_info()["error"][1][-1] == f"... and {MOST_ORDERS - 42} more errors"


def test_more_orders_than_there_may_be() -> None:
    assert new_game("ada").parse_action(1, command(*["x"] * (MOST_ORDERS + 1))) == refused(
        f"At most {MOST_ORDERS} commands in a list"
    )


def test_the_longest_order_and_a_longer_one() -> None:
    game = new_game("ada")
    assert game.parse_action(1, command("x" * MOST_LETTERS)) == DONE
    assert game.parse_action(1, command("x", "x" * (MOST_LETTERS + 1))) == refused(
        f"At most {MOST_LETTERS} letters in a command"
    )
    game.update()
    assert game.get_game_info()["error"][1][0].startswith("x" * MOST_LETTERS), "the list before still counts"


def test_what_is_no_order_and_long_is_cut() -> None:
    game = new_game("ada")
    assert game.parse_action(1, command([1] * 10_000)) == DONE
    game.update()
    assert game.get_game_info()["error"][1] == [f"{str([1] * 100)[:MOST_LETTERS]} is not a command"]


def test_more_lists_than_there_may_be_in_a_round() -> None:
    game = new_game("ada")
    for _ in range(MOST_LISTS):
        assert game.parse_action(1, command()) == DONE
    lines = len(game.lines)
    assert game.parse_action(1, command()) == refused("You have sent too many lists in this round")
    assert len(game.lines) <= lines + 1
    game.update()
    assert game.parse_action(1, command()) == DONE


def test_lists_within_lists_of_any_depth() -> None:
    """What can still be read can also be written, or is no JSON to us; nothing breaks in between."""
    game, words = new_game("ada", width=2, height=2, max_turn=10_000), set()
    for depth in [*range(1, 2000, 7), *range(900, 1100)]:
        for open, close in (("[", "]"), ('{"a":', "}")):
            words.add(game.parse_action(1, _nested(depth, open, close)).get("err_msg"))
            game.update()
    assert words == {None, NOT_JSON}


def _nested(depth: int, open: str, close: str) -> str:
    return '{"action":"command","cmd_list":[' + open * depth + "1" + close * depth + "]}"


# Bad orders


@pytest.mark.parametrize("case", BAD_ORDERS)
def test_a_bad_order_is_answered_in_the_next_turn_and_the_rest_goes_on(case: str) -> None:  # RULES 7.2
    game = new_game("ada")
    order, words = (at_home(part, game) for part in BAD_ORDERS[case])
    assert game.parse_action(1, command(order, "z")) == DONE
    game.update()
    assert game.get_game_info()["error"][1] == [words, "z is a wrong command, cmd type z is invalid"]


# Passwords and records


def test_passwords_are_kept_as_hashes_and_are_not_in_the_record() -> None:  # RULES 10.4
    game = new_game(max_turn=1)
    assert game.parse_action(None, register("ada", "correct horse")) == {"success": True, "uid": 1}
    assert game.parse_action(None, register("ada", "wrong horse")) == refused("Username exists")
    game.update()
    assert b"horse" not in b"".join(game.lines) and b"ada" in b"".join(game.lines)
    kept = str({name: account.hash for name, account in game._accounts.items()})
    assert "horse" not in kept and "$argon2id$" in kept


def test_the_record_is_that_of_a_match_like_any_other() -> None:
    match = new_game("ada", "bob", max_turn=3)
    while match.update():
        match.parse_action(1, command("x"))
    assert verify(b"".join(line + b"\n" for line in match.lines), game).holds == "yes"


def test_a_hash_is_salted_and_fits_one_password() -> None:
    one, two = hashed("secret"), hashed("secret")
    assert one != two and fits("secret", one) and fits("secret", two)
    assert not fits("Secret", one) and not fits("", one) and not fits(one, one)
    assert GameUser(0, one) == GameUser(0, one)
