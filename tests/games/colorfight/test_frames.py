"""Whole positions in both forms of the channels: the source text's, and that of today's clients."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.core import Close, Dice, Join, Leave
from parlour.games.colorfight import bots
from parlour.games.colorfight.frames import CompactFrames, Frames, SourceFrames, game_info, room_info
from parlour.games.colorfight.rules import State
from parlour.games.colorfight.values import Command, Options, Orders, Ruleset
from tests.games.colorfight.tables import Drawn, any_lists, any_world, both, fresh, order_of, state_of, table, turn

ODD_NAMES = ("ada", 'b"o\\b', "100 % {}", "Jürgen", "\U0001f600", "</script>")

# All keys, as the two forms list them: a client may rely on each, and some break on any that they do not know.
FRAME = {"turn", "info", "error", "game_map", "users"}
NO_WHOLE_NUMBERS = ("round_time", "game_id", "allow_manual_mode", "ruleset")
INFO = {"max_turn", "width", "height", "round_time", "ruleset"}
CELL = {
    *("position", "building", "attack_cost", "owner", "gold", "energy"),
    *("natural_gold", "natural_energy", "natural_cost", "force_field"),
}
USER = {"uid", "username", "energy", "gold", "dead", "energy_source", "gold_source", "tech_level", "cells"}

ROOM_FRAME = {*FRAME, "chat"}
ROOM_INFO = {
    *INFO,
    *("max_player", "start_count_down", "allow_manual_mode", "game_id", "replay_version", "game_version"),
}
ROOM_USER = {*USER, "verified", "ranking", "tax_level", "tax_amount", "building_number", "cell_number"}

NEVER_IN_INFO = {
    *("uid", "turn", "me", "users", "nw", "connect", "register", "attack", "build", "upgrade", "send_cmd"),
    *("update_turn", "disconnect"),
}
NEVER_IN_CELLS = {"is_home", "is_empty"}


def names_of(state: State) -> list[str]:
    return [ODD_NAMES[seat % len(ODD_NAMES)] for seat in range(len(state.players))]


def source(state: State, frames: Frames | None = None) -> Any:
    return json.loads((frames or SourceFrames()).frame(state, names_of(state)))


def compact(state: State, frames: Frames | None = None) -> Any:
    more = room_info(8, 5, False, "1555555555555")
    return json.loads((frames or CompactFrames()).frame(state, names_of(state), more))


def unfolded(frame: Any) -> list[list[dict[str, Any]]]:
    """A compact map as a client reads it: rows of cells, by the names in the headers."""
    game_map = frame["game_map"]
    return [[dict(zip(game_map["headers"], cell, strict=True)) for cell in row] for row in game_map["data"]]


def grown(rounds: int = 40, seats: int = 4, **options: Any) -> State:
    """A position in which much has been built and taken."""
    state, dice = fresh(seats, **options), Dice(b"growing")
    for _ in range(rounds):
        _greedy_round(state, dice)
    return state


def _greedy_round(state: State, dice: Dice) -> None:
    for seat, ask in [*state.asks().items()]:
        if seat is not None:
            assert isinstance(ask, Orders)
            bot = bots.greedy if seat % 2 else bots.random
            state.play(seat, bot(state.view(seat), ask, dice))
    state.play(None, Close())


# The source text's form


def test_a_source_frame_has_the_keys_of_the_source_text_and_round_time() -> None:  # RULES 10.5
    state = grown()
    frame = source(state)
    assert set(frame) == FRAME and set(frame["info"]) == INFO
    assert all(set(cell) == CELL for row in frame["game_map"] for cell in row)
    assert all(set(user) == USER for user in frame["users"].values())
    assert all(set(cell["building"]) == {"name", "level"} for row in frame["game_map"] for cell in row)


def test_a_source_frame_has_rows_of_cells_and_a_position_is_x_and_y() -> None:  # RULES 2.1
    frame = source(fresh(1, width=4, height=3))
    assert [[cell["position"] for cell in row] for row in frame["game_map"]] == [
        [[x, y] for x in range(4)] for y in range(3)
    ]


def test_a_source_frame_of_a_known_position() -> None:
    state = table("1h2 1e3 . / . 2g 2h", energy=[70, 80], gold=[5, 6], field={(1, 0): 40}, natural={(1, 0): (7, 9, 60)})
    frame = source(state)
    assert frame["turn"] == 0 and frame["error"] == {}
    assert frame["info"] == {"max_turn": 500, "width": 3, "height": 2, "round_time": 1.0, "ruleset": "seed"}
    assert frame["game_map"][0][1] == {
        **{"position": [1, 0], "building": {"name": "energy_well", "level": 3}, "attack_cost": 100, "owner": 1},
        **{"gold": 7, "energy": 36, "natural_gold": 7, "natural_energy": 9, "natural_cost": 60, "force_field": 40},
    }
    assert frame["game_map"][0][2]["building"] == {"name": "empty", "level": 1}
    assert frame["game_map"][1][2]["building"] == {"name": "home", "level": 1}
    assert frame["game_map"][1][1]["building"] == {"name": "gold_mine", "level": 1}
    assert frame["users"]["1"] == {
        **{"uid": 1, "username": "ada", "energy": 70, "gold": 5, "dead": False, "tech_level": 2},
        **{"energy_source": 56, "gold_source": 27, "cells": [[0, 0], [1, 0]]},
    }


def test_uids_are_numbers_in_the_call_and_texts_in_json() -> None:
    state = grown(rounds=1)
    info = game_info(state, names_of(state))
    assert [*info["users"]] == [*info["error"]] == [1, 2, 3, 4]
    assert [*source(state)["users"]] == [*source(state)["error"]] == ["1", "2", "3", "4"]


def test_the_cells_of_a_user_are_listed_column_by_column() -> None:
    state = table("1h 1 . / 1 . 1")
    assert (
        source(state)["users"]["1"]["cells"]
        == compact(state)["users"]["1"]["cells"]
        == [[0, 0], [0, 1], [1, 0], [2, 1]]
    )


@both
@pytest.mark.parametrize("rounds", [0, 1, 60])
def test_the_frame_is_what_get_game_info_says(ruleset: Ruleset, rounds: int) -> None:
    state = grown(rounds, ruleset=ruleset)
    names = names_of(state)
    assert source(state) == json.loads(json.dumps(game_info(state, names)))
    assert json.loads(msgspec.json.encode(game_info(state, names))) == source(state)


# Today's form


def test_a_compact_frame_has_the_keys_that_todays_clients_know_and_no_others() -> None:  # RULES 10.5
    frame = compact(grown())
    assert set(frame) == ROOM_FRAME and frame["chat"] == []
    assert set(frame["info"]) == ROOM_INFO and not NEVER_IN_INFO & set(frame["info"])
    assert set(frame["game_map"]) == {"headers", "data"}
    assert set(frame["game_map"]["headers"]) == CELL and not NEVER_IN_CELLS & set(frame["game_map"]["headers"])
    assert all(set(user) == ROOM_USER for user in frame["users"].values())
    assert all(set(user["building_number"]) == {"home", "energy_well", "gold_mine"} for user in frame["users"].values())


def test_the_headers_are_in_the_order_in_which_todays_server_has_them() -> None:
    assert compact(fresh(1))["game_map"]["headers"] == [
        *("attack_cost", "force_field", "building", "gold", "energy", "owner", "position"),
        *("natural_gold", "natural_energy", "natural_cost"),
    ]


def test_a_building_is_a_letter_and_a_level() -> None:
    state = table("1h 1e2 1g3 1 . / . . . . .")
    assert [cell["building"] for cell in unfolded(compact(state))[0]] == [
        *(["h", 1], ["e", 2], ["g", 3], [" ", 1], [" ", 1]),
    ]


@pytest.mark.parametrize("seconds", [1, 1.0, 0.2, 20])
def test_round_time_has_a_decimal_point_in_both_forms(seconds: float) -> None:
    options = msgspec.convert({"type": "Options", "round_time": seconds}, Options)
    state = State.new(1, options, None, Dice(b"any"))
    for frames in (SourceFrames(), CompactFrames()):
        text = frames.frame(state, ["ada"], room_info(8)).decode()
        assert f'"round_time":{float(seconds)!r}' in text and "." in repr(float(seconds))


def test_the_game_id_is_a_text_and_all_other_numbers_are_whole() -> None:
    info = compact(grown())["info"]
    assert info["game_id"] == "1555555555555"
    assert (info["max_player"], info["start_count_down"], info["allow_manual_mode"]) == (8, 5, False)
    assert (info["replay_version"], info["game_version"]) == (2, 2)
    whole = {key: value for key, value in info.items() if key not in NO_WHOLE_NUMBERS}
    assert all(type(value) is int for value in whole.values())


def test_there_are_no_ranks_and_no_taxes() -> None:
    for user in compact(grown())["users"].values():
        assert user["verified"] is False
        assert (user["ranking"], user["tax_level"], user["tax_amount"]) == (0, 0, 0)


def test_buildings_and_cells_are_counted() -> None:
    user = compact(table("1h 1e2 1g 1g3 1 2h / . . . . . ."))["users"]["1"]
    assert user["building_number"] == {"home": 1, "energy_well": 1, "gold_mine": 2} and user["cell_number"] == 5


def test_what_a_frame_says_of_a_room_of_which_nothing_is_known() -> None:
    assert room_info(900) == {
        **{"max_player": 900, "start_count_down": 0, "allow_manual_mode": False, "game_id": "0"},
        **{"replay_version": 2, "game_version": 2},
    }


# Both


def same(source: Any, compact: Any) -> None:
    """Cell by cell and user by user, the two forms say the same."""
    letters = {"empty": " ", "home": "h", "energy_well": "e", "gold_mine": "g"}
    for mine, theirs in zip(source["game_map"], unfolded(compact), strict=True):
        for cell, other in zip(mine, theirs, strict=True):
            building = [letters[cell["building"]["name"]], cell["building"]["level"]]
            assert {**cell, "building": building} == other
    assert [*source["users"]] == [*compact["users"]]
    for uid, user in source["users"].items():
        assert user == {key: compact["users"][uid][key] for key in USER}
        assert compact["users"][uid]["cell_number"] == len(user["cells"])
    assert source["error"] == compact["error"] and source["turn"] == compact["turn"]
    assert source["info"] == {key: compact["info"][key] for key in INFO}


def check(state: State, writers: Sequence[Frames]) -> None:
    """A writer that has written every turn writes the same as a new one."""
    names, more = names_of(state), room_info(900)
    for writer in writers:
        assert writer.frame(state, names, more) == type(writer)().frame(state, names, more)
    same(source(state), compact(state))
    assert source(state) == json.loads(json.dumps(game_info(state, names)))


@both
def test_a_game_written_turn_by_turn(ruleset: Ruleset) -> None:
    state, dice = fresh(3, width=8, height=7, ruleset=ruleset), Dice(b"turn by turn")
    writers = (SourceFrames(), CompactFrames())
    check(state, writers)
    for _ in range(120):
        _greedy_round(state, dice)
        check(state, writers)
    assert sum(player.cells for player in state.players) > 50, "much has happened"


@both
@settings(max_examples=40)
@given(st.data())
def test_any_position_written_turn_by_turn(ruleset: Ruleset, data: st.DataObject) -> None:
    chance = Drawn(data)
    world = any_world(chance, ruleset)
    state, writers = state_of(world), (SourceFrames(), CompactFrames())
    check(state, writers)
    for _ in range(1 + chance.below(4)):
        for uid, texts in any_lists(chance, world).items():
            if not state.players[uid - 1].dead and state.players[uid - 1].here:
                state.play(uid - 1, Command(tuple([order_of(text) for text in texts])))
        state.play(None, Close())
        check(state, writers)


def test_a_player_that_joins_or_leaves_between_two_frames() -> None:
    state, writers = fresh(0, width=5, height=4), (SourceFrames(), CompactFrames())
    check(state, writers)
    for round in range(6):
        state.play(None, Join(f"user {round}"))
        check(state, writers)
        turn(state)
        check(state, writers)
    state.play(None, Leave(2, "quit"))
    check(state, writers)
    assert len(source(state)["users"]) == 6, "whoever left is still shown"


def test_the_dead_are_shown_and_have_no_cells() -> None:
    state = table("1h 2 / . .", energy=[300, 0], natural={(1, 0): (1, 1, 50)})
    turn(state, "a 1 0 200")
    user = source(state)["users"]["2"]
    assert user["dead"] and user["cells"] == [] and user["tech_level"] == 0
    assert compact(state)["users"]["2"]["cell_number"] == 0


# Mistakes


def test_before_the_first_turn_nobody_has_made_a_mistake() -> None:  # RULES 10.6
    state = fresh(2)
    assert source(state)["error"] == compact(state)["error"] == {} == game_info(state, names_of(state))["error"]


def test_everybodys_mistakes_are_shown_to_all_and_none_is_an_empty_list() -> None:  # RULES 9.2, 10.6
    state = fresh(3)
    turn(state, "x", "", None)
    expected = {"1": ["x is a wrong command, cmd type x is invalid"], "2": [], "3": []}
    assert source(state)["error"] == compact(state)["error"] == expected


def test_hidden_mistakes_are_empty_lists_for_everybody() -> None:  # RULES 9.2
    state = fresh(2, errors="hidden")
    turn(state, "x", "a 99 99 1")
    assert source(state)["error"] == compact(state)["error"] == {"1": [], "2": []}
    assert game_info(state, names_of(state))["error"] == {1: [], 2: []}


def test_mistakes_of_one_round_are_forgotten_in_the_next() -> None:  # RULES 7.3
    state = fresh(1)
    turn(state, "x")
    turn(state)
    assert source(state)["error"] == {"1": []}
