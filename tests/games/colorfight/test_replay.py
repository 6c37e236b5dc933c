"""Replay files: a whole frame, then the changes of each turn."""

import gzip
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from parlour.cli.common import FormatLog, write_form
from parlour.core import Result
from parlour.games import game
from parlour.games.colorfight.frames import CompactFrames, room_info
from parlour.games.colorfight.rules import State
from parlour.games.colorfight.values import Options, Ruleset
from parlour.players.play import play
from parlour.players.player_specs import load
from parlour.players.terms import Terms
from parlour.referee.log import CombinedLog, MemoryLog
from parlour.referee.match import Match, Out
from parlour.referee.scribe import written
from parlour.referee.transcript import End, Reveal, read_record
from parlour.venues.colorfight.calls import ColorfightII
from tests.games.colorfight.tables import both
from tests.games.colorfight.test_frames import CELL, ROOM_FRAME, ROOM_INFO, ROOM_USER

GAME = game("colorfight")
SEED = b"replayed"

Frame = dict[str, Any]


class Recorded:
    """A match of bots: its lines, and a frame of every turn."""

    def __init__(self, *bots: str, form: FormatLog | None = None, **options: Any) -> None:
        self.lines: list[bytes] = []
        self.frames: list[Frame] = []
        terms = Terms(game=GAME, options=Options(**options))
        logs = [MemoryLog(self.lines), *([] if form is None else [form])]
        self.end = play(terms, [load(GAME, bot) for bot in bots], SEED, CombinedLog(*logs), self._watch).end

    def _watch(self, match: Match[Any], out: Out) -> None:
        assert isinstance(match.state, State)
        if match.state.turn == len(self.frames):
            self.frames.append(frame_of(match.state, match.names))


def frame_of(state: State, names: Sequence[str]) -> Frame:
    frame: Frame = json.loads(CompactFrames().frame(state, names, room_info(state.land.width * state.land.height)))
    return frame


def exported(lines: Sequence[bytes]) -> bytes:
    """As `parlour export` writes it."""
    out = io.BytesIO()
    write_form(GAME, out, written(GAME, lines, SEED))
    return out.getvalue()


def decoded(replay: bytes) -> list[Frame]:
    elements: list[Frame] = json.loads(gzip.decompress(replay))
    return elements


def shown(elements: Sequence[Frame]) -> list[Frame]:
    """The map and the users of each turn, reconstructed from the changes as a page does."""
    cells = [[[*cell] for cell in row] for row in elements[0]["game_map"]["data"]]
    turns = [seen(elements[0])]
    for element in elements[1:]:
        assert set(element) == {"turn", "users", "game_map"} and set(element["game_map"]) == {"data"}
        for row, changes in zip(cells, element["game_map"]["data"], strict=True):
            for cell, change in zip(row, changes, strict=True):
                cell[: len(change)] = change
        assert not any("cells" in user for user in element["users"].values())
        turns.append({"turn": element["turn"], "users": element["users"], "data": json.loads(json.dumps(cells))})
    return turns


def seen(frame: Frame) -> Frame:
    """The part of a frame that a replay contains."""
    users = {uid: {key: value for key, value in user.items() if key != "cells"} for uid, user in frame["users"].items()}
    return {"turn": frame["turn"], "users": users, "data": frame["game_map"]["data"]}


@both
def test_a_replay_gives_every_turns_frame(ruleset: Ruleset) -> None:  # RULES 11.1
    match = Recorded("greedy", "random", "greedy", ruleset=ruleset, width=9, height=7, max_turn=80)
    assert len(match.frames) == 81
    assert shown(decoded(exported(match.lines))) == [seen(frame) for frame in match.frames]


def test_the_first_element_is_a_rooms_frame_of_turn_0() -> None:  # RULES 11.1
    match = Recorded("greedy", "random", width=5, height=4, max_turn=3)
    first = decoded(exported(match.lines))[0]
    assert first == match.frames[0] and first["turn"] == 0
    assert set(first) == ROOM_FRAME and set(first["info"]) == ROOM_INFO and set(first["game_map"]["headers"]) == CELL
    assert set(first["users"]["1"]) == ROOM_USER


def test_a_cell_that_has_not_changed_is_an_empty_list_and_another_is_cut_behind_its_last_change() -> None:
    game = ColorfightII(Options(width=2, height=2), seed=SEED)
    game.parse_action(None, '{"action":"register","username":"ada","password":"x"}')
    game.update()
    first, second = decoded(exported(game.lines))
    (x, y), *_ = game.get_game_info()["users"][1]["cells"]
    home = [1000, 0, ["h", 1], 10, 10, 1]
    assert second["game_map"]["data"][y][x] == home, "all up to the owner, and nothing that never changes"
    others = [cell for row in second["game_map"]["data"] for cell in row if cell != home]
    assert others == [[], [], []]
    assert first["users"] == {} and second["users"]["1"]["cell_number"] == 1


def test_a_field_that_decays_is_two_numbers() -> None:
    """The attack cost comes first and depends on the force field, so a change of the field lists only these two."""
    match = Recorded("greedy", "greedy", width=6, height=6, max_turn=60)
    lengths = {
        len(cell)
        for element in decoded(exported(match.lines))[1:]
        for row in element["game_map"]["data"]
        for cell in row
    }
    assert {0, 2} <= lengths <= {0, 1, 2, 3, 4, 5, 6}


def test_a_player_that_joins_later_is_in_the_next_element() -> None:
    game, frames = ColorfightII(Options(width=4, height=3, max_turn=6), seed=SEED), []
    for turn in range(7):
        state = game.match.state
        assert isinstance(state, State)
        frames.append(frame_of(state, game.match.names))
        if turn < 6:
            game.parse_action(None, json.dumps({"action": "register", "username": f"u{turn}", "password": "x"}))
            game.update()
    assert isinstance(game.match.end, Result)
    elements = decoded(exported(game.lines))
    assert shown(elements) == [seen(frame) for frame in frames]
    assert [len(element["users"]) for element in elements] == [0, 1, 2, 3, 4, 5, 6]


def test_a_match_kept_live_is_the_same_bytes_as_an_exported_one(tmp_path: Path) -> None:
    live = tmp_path / "live.json.gz"
    match = Recorded("greedy", "random", form=FormatLog(live, GAME, SEED), width=8, height=8, max_turn=50)
    assert live.read_bytes() == exported(match.lines)
    assert isinstance(match.end, Result)


@pytest.mark.parametrize("count", [1, 2, 3, 10, 20])
def test_an_unfinished_match_is_still_json(count: int) -> None:
    match = Recorded("random", "random", width=4, height=4, max_turn=20)
    elements = decoded(exported(match.lines[:count]))
    assert shown(elements) == [seen(frame) for frame in match.frames[: len(elements)]]
    assert 1 <= len(elements) <= count


def test_the_end_and_the_reveal_add_nothing() -> None:
    match = Recorded("random", "random", width=4, height=4, max_turn=5)
    records = [read_record(line, number) for number, line in enumerate(match.lines)]
    assert isinstance(records[-1], Reveal) and isinstance(records[-2], End)
    assert gzip.decompress(exported(match.lines)) == gzip.decompress(exported(match.lines[:-1]))
    assert gzip.decompress(exported(match.lines)) == gzip.decompress(exported(match.lines[:-2]))


def test_the_same_match_is_always_the_same_bytes() -> None:
    first, second = (Recorded("greedy", "random", width=5, height=5, max_turn=20) for _ in range(2))
    assert exported(first.lines) == exported(second.lines)
