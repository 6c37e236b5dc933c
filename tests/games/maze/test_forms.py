"""The JSON forms of the course, there and back; and what is of no such form (RULES 10.5)."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.core import BadOptions
from parlour.games.maze import GAME
from parlour.games.maze.board import Board
from parlour.games.maze.forms import (
    BadForm,
    choice,
    coordinate,
    own_first,
    prepare,
    read_board,
    read_choice,
    read_coordinate,
    read_slide,
    read_state,
    state,
    values,
)
from parlour.games.maze.observer import referee_state
from parlour.games.maze.rules import State
from parlour.games.maze.tiles import GEMS, SHAPES
from parlour.games.maze.values import Move, Options, Pass, Placed, Prepared
from parlour.games.maze.view import tiles
from tests.games.maze.tables import SIZES, boards, crosses, fresh, position, table

GOOD: dict[str, Any] = {
    "board": {
        "connectors": [["┌", "─", "┐"], ["│", "┼", "│"], ["└", "─", "┘"]],
        "treasures": [
            [["ruby", "ruby"], ["ruby", "zircon"], ["zircon", "zircon"]],
            [["beryl", "ruby"], ["beryl", "zircon"], ["beryl", "beryl"]],
            [["azurite", "ruby"], ["azurite", "zircon"], ["azurite", "beryl"]],
        ],
    },
    "spare": {"tilekey": "┬", "1-image": "azurite", "2-image": "azurite"},
    "plmt": [
        {"current": {"row#": 0, "column#": 2}, "home": {"row#": 1, "column#": 1}, "color": "red"}
        | {"goto": {"row#": 1, "column#": 1}},
        {"current": {"row#": 2, "column#": 0}, "home": {"row#": 1, "column#": 1}, "color": "00FFAA"}
        | {"goto": {"row#": 1, "column#": 1}},
    ],
    "last": [2, "DOWN"],
    "goals": [{"row#": 1, "column#": 1}],
}
READ = Prepared(
    tiles=("┌─┐", "│┼│", "└─┘"),
    gems=(
        *(("ruby", "ruby"), ("ruby", "zircon"), ("zircon", "zircon")),
        *(("beryl", "ruby"), ("beryl", "zircon"), ("beryl", "beryl")),
        *(("azurite", "ruby"), ("azurite", "zircon"), ("azurite", "beryl")),
    ),
    spare="┬",
    spare_gems=("azurite", "azurite"),
    players=(Placed((0, 2), (1, 1), (1, 1), "red"), Placed((2, 0), (1, 1), (1, 1), "00FFAA")),
    last=(2, "DOWN"),
    goals=((1, 1),),
)


def changed(value: Any, *path: str | int, drop: bool = False) -> dict[str, Any]:
    """The good one with something else at a place; or without it."""
    form = copy.deepcopy(GOOD)
    at: Any = form
    for key in path[:-1]:
        at = at[key]
    if drop:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return form


# States


def test_a_referees_state_is_read() -> None:
    assert read_state(GOOD, goals=True) == READ
    assert prepare(json.dumps(GOOD)) == READ == prepare(" \n" + json.dumps(GOOD, ensure_ascii=False, indent=2) + "\n")


def test_it_is_written_as_it_was_read() -> None:
    position = State.new(2, Options(), READ, fresh(2).dice)
    assert referee_state(position) == tupled(GOOD)
    public = {key: value for key, value in GOOD.items() if key != "goals"}
    for player in (public := copy.deepcopy(public))["plmt"]:
        del player["goto"]
    assert state(position.view(None)) == tupled(public)


def tupled(form: Any) -> Any:
    """As we write it: what never changes is a tuple."""
    form = copy.deepcopy(form)
    form["board"]["treasures"] = [tuple(map(tuple, row)) for row in form["board"]["treasures"]]
    form["last"] = tuple(form["last"])
    return form


def test_a_players_state_has_no_goals() -> None:
    public = changed(None, "goals", drop=True)
    for player in public["plmt"]:
        del player["goto"]
    read = read_state(public, goals=False)
    assert read.tiles == READ.tiles and read.players == READ.players and read.goals == ()
    with pytest.raises(BadForm):
        read_state(public, goals=True)


def test_the_queue_may_be_left_out_and_the_last_slide_may_be_none() -> None:
    assert read_state(changed(None, "goals", drop=True), goals=True).goals == ()
    assert read_state(changed(None, "last"), goals=True).last is None


def test_the_order_of_keys_is_free() -> None:
    def turned(form: Any) -> Any:
        if isinstance(form, dict):
            return {key: turned(form[key]) for key in reversed(form)}
        return [turned(each) for each in form] if isinstance(form, list) else form

    assert read_state(turned(GOOD), goals=True) == READ


@pytest.mark.parametrize("count", [0, 1, 2, 7, 9])
def test_any_number_of_players(count: int) -> None:
    homes = [(row, column) for row in (1, 3, 5) for column in (1, 3, 5)]
    words = " ".join(f"{row},{column}" for row, column in homes[:count])
    start = position(crosses(7, 7), words, words)
    read = prepare(json.dumps(referee_form(start)))
    assert read == start and len(read.players) == count


def referee_form(start: Prepared) -> dict[str, Any]:
    """By hand, for it is what we check."""
    columns = len(start.tiles[0])
    gems = [list(pair) for pair in start.gems]
    first, second = start.spare_gems
    return {
        "last": None if start.last is None else list(start.last),
        "goals": [{"row#": row, "column#": column} for row, column in start.goals],
        "spare": {"2-image": second, "1-image": first, "tilekey": start.spare},
        "board": {
            "treasures": [gems[begin : begin + columns] for begin in range(0, len(gems), columns)],
            "connectors": [list(row) for row in start.tiles],
        },
        "plmt": [
            {
                "color": player.colour,
                "goto": {"column#": player.goal[1], "row#": player.goal[0]},
                "home": {"column#": player.home[1], "row#": player.home[0]},
                "current": {"column#": player.at[1], "row#": player.at[0]},
            }
            for player in start.players
        ],
    }


@given(boards([size for size in SIZES if min(size) > 1]), st.data())
def test_any_position_there_and_back(board: Board, data: st.DataObject) -> None:
    rows, columns = board.rows, board.columns
    spot = st.tuples(st.integers(0, rows - 1), st.integers(0, columns - 1))
    still = st.tuples(st.sampled_from(range(1, rows, 2)), st.sampled_from(range(1, columns, 2)))
    colours = data.draw(st.lists(st.sampled_from(["red", "blue", "black", "00FF99", "ABCDEF"]), unique=True))
    placed = [Placed(data.draw(spot), data.draw(still), data.draw(still), colour) for colour in colours]
    slides: Any = [None, (0, "LEFT"), (0, "RIGHT"), (0, "UP"), (0, "DOWN")]
    [glyph] = [glyph for glyph, shape in SHAPES.items() if shape == board.spare]
    start = Prepared(
        tiles=tiles(board),
        gems=tuple(board.gems),
        spare=glyph,
        spare_gems=board.spare_gems,
        players=tuple(placed),
        last=data.draw(st.sampled_from(slides)),
        goals=tuple(data.draw(st.lists(still, max_size=3))),
    )
    assert prepare(json.dumps(referee_form(start))) == start
    if placed:
        written = json.loads(json.dumps(referee_state(State.new(len(placed), Options(), start, fresh(2).dice))))
        assert written == referee_form(start)


def test_a_position_in_the_middle_of_a_game_is_one_to_begin_from() -> None:
    began = table(crosses(5, 5), "1,1 1,3", "3,3 3,1", queue="1,1 3,3")
    began.play(1, Move(0, "LEFT", 0, 3, 1))
    form = json.loads(json.dumps(referee_state(began)))
    read = read_state(form, goals=True)
    assert [player.colour for player in read.players] == ["red", "blue"] and read.last == (0, "LEFT")
    assert read.goals == ((3, 3),) and read.players[1].goal == (1, 1)
    assert GAME.rules.prepare is not None and GAME.rules.prepare(json.dumps(form)) == read


def these(*junk: Any) -> list[Any]:
    return list(junk)


GLYPH_JUNK: list[Any] = ["", "x", "│ ", "││", "║", " ", None, 5, ["│"]]
SPOT_JUNK: list[Any] = [
    *[None, [], [1, 1], "1,1", 5, {}, {"row#": 1}, {"column#": 1}, {"row": 1, "column": 1}],
    {"row#": 1, "column#": 1, "x": 1},
    *[{"row#": row, "column#": 1} for row in these(-1, 1.5, "1", None, True, [1])],
    *[{"row#": 1, "column#": column} for column in these(-1, 1.5, "1", None, False, [1])],
]
BAD_STATES: list[Any] = [
    *[None, [], "state", 5, True, {}],
    *[changed(None, key, drop=True) for key in ("board", "spare", "plmt", "last")],
    *[
        changed(junk, "board")
        for junk in these(None, [], {}, "x", {"connectors": []}, {"connectors": [], "treasures": []})
    ],
    *[
        changed(junk, "board", key)
        for key in ("connectors", "treasures")
        for junk in these(None, [], {}, "x", [[]], [None])
    ],
    changed([["┼"]], "board", "connectors"),
    changed([["┌", "─"], ["│", "┼", "│"], ["└", "─", "┘"]], "board", "connectors"),
    changed(["┌─┐", "│┼│", "└─┘"], "board", "connectors"),
    *[changed(junk, "board", "connectors", 1, 1) for junk in GLYPH_JUNK],
    *[
        changed(junk, "board", "treasures", 1, 1)
        for junk in these(None, [], ["ruby"], ["ruby"] * 3, "ruby", ["ruby", "x"])
    ],
    changed(["ruby", None], "board", "treasures", 1, 1),
    changed(["Ruby", "ruby"], "board", "treasures", 1, 1),
    *[changed(junk, "spare") for junk in these(None, [], {}, "│", ["│", "ruby", "ruby"])],
    *[changed(None, "spare", key, drop=True) for key in ("tilekey", "1-image", "2-image")],
    *[changed(junk, "spare", "tilekey") for junk in GLYPH_JUNK],
    *[changed(junk, "spare", "1-image") for junk in these("", "x", None, 5, ["ruby"])],
    *[changed(junk, "plmt") for junk in these(None, {}, "x", 5, [None], [[]], [{}])],
    *[changed(None, "plmt", 0, key, drop=True) for key in ("current", "home", "color", "goto")],
    *[changed(junk, "plmt", 1, key) for key in ("current", "home", "goto") for junk in SPOT_JUNK],
    *[changed(junk, "plmt", 1, "color") for junk in these(None, 5, ["red"])],
    *[
        changed(junk, "last")
        for junk in these([], [0], ["LEFT", 0], [0, "left"], [0, "LEFT", 0], "LEFT", 0, {}, [True, "UP"])
    ],
    *[changed(junk, "last") for junk in these([0.5, "LEFT"], [None, "LEFT"], ["0", "LEFT"], [0, None])],
    *[changed(junk, "goals") for junk in these(None, {}, "x", 5)],
    *[changed([junk], "goals") for junk in SPOT_JUNK],
]


@pytest.mark.parametrize("form", BAD_STATES, ids=lambda form: "")
def test_what_is_no_state(form: Any) -> None:
    with pytest.raises(BadForm):
        read_state(form, goals=True)


@pytest.mark.parametrize(
    "form",
    [
        changed({"row#": 3, "column#": 1}, "plmt", 0, "current"),
        changed({"row#": 1, "column#": 3}, "plmt", 0, "current"),
        changed({"row#": 0, "column#": 10**6}, "plmt", 0, "home"),
        changed({"row#": 10**30, "column#": 2}, "plmt", 0, "goto"),
        changed("mauve", "plmt", 1, "color"),
        changed("00ffaa", "plmt", 1, "color"),
        changed("", "plmt", 1, "color"),
        changed([-2, "LEFT"], "last"),
        changed([10**30, "LEFT"], "last"),
        changed([{"row#": 10**9, "column#": 1}], "goals"),
    ],
    ids=lambda form: "",
)
def test_what_has_the_form_but_is_no_position(form: Any) -> None:  # RULES 2.5
    with pytest.raises((BadForm, BadOptions)):
        read_state(form, goals=True)


def test_a_board_that_is_no_rectangle() -> None:
    board = {"connectors": [["┼", "┼"], ["┼"]], "treasures": [[["ruby", "ruby"]] * 2, [["ruby", "ruby"]]]}
    with pytest.raises(BadForm):
        read_board(board)


def test_a_board() -> None:
    assert read_board(GOOD["board"]) == (READ.tiles, READ.gems)
    every = {"connectors": [list(SHAPES)], "treasures": [[[GEMS[0], gem] for gem in GEMS[:11]]]}
    assert read_board(every)[0] == ("".join(SHAPES),)


# Small forms


@given(st.integers(0, 50), st.integers(0, 50))
def test_coordinates(row: int, column: int) -> None:
    assert coordinate((row, column)) == {"row#": row, "column#": column}
    assert read_coordinate(coordinate((row, column))) == (row, column)


@pytest.mark.parametrize("junk", SPOT_JUNK, ids=str)
def test_what_is_no_coordinate(junk: Any) -> None:
    with pytest.raises(BadForm):
        read_coordinate(junk)


def test_slides() -> None:
    assert read_slide(None) is None
    for direction in these("LEFT", "RIGHT", "UP", "DOWN"):
        assert read_slide([4, direction]) == (4, direction)


@given(
    st.builds(
        Move,
        st.integers(-5, 50),
        st.sampled_from(["LEFT", "RIGHT", "UP", "DOWN"]),
        st.sampled_from([0, 90, 180, 270]),
        st.integers(0, 50),
        st.integers(0, 50),
    )
    | st.just(Pass())
)
def test_choices_there_and_back(move: Move | Pass) -> None:
    assert read_choice(json.loads(json.dumps(choice(move)))) == move


def test_choices_as_they_are_written() -> None:
    assert choice(Pass()) == "PASS"
    assert choice(Move(2, "DOWN", 270, 1, 0)) == [2, "DOWN", 270, {"row#": 1, "column#": 0}]


HERE = {"row#": 1, "column#": 1}


@pytest.mark.parametrize(
    "junk",
    [
        *[None, 5, True, {}, [], "pass", "", ["PASS"], [0, "LEFT", 0], [0, "LEFT", 0, HERE, 0], ["LEFT", 0, 0, HERE]],
        *[[index, "LEFT", 0, HERE] for index in these("0", None, 0.5, True, False, [])],
        *[[0, direction, 0, HERE] for direction in these("left", "", None, 0, "NORTH")],
        *[[0, "LEFT", degrees, HERE] for degrees in these(1, 45, 360, -90, "0", None, 0.5, True, False)],
        *[[0, "LEFT", 0, spot] for spot in SPOT_JUNK],
    ],
    ids=str,
)
def test_what_is_no_choice(junk: Any) -> None:
    with pytest.raises(BadForm):
        read_choice(junk)


# The order of players


def test_the_viewer_comes_first() -> None:  # RULES 10.6
    began = table(crosses(5, 5), "1,1 1,3 3,1", "3,3 3,3 3,3")
    assert [own_first(began.view(seat)) for seat in range(3)] == [(0, 2, 1), (1, 0, 2), (2, 1, 0)]
    assert own_first(began.view(None)) == (2, 1, 0)
    began.play(2, Pass())
    assert own_first(began.view(2)) == (2, 1, 0) and own_first(began.view(None)) == (1, 0, 2)


# Values in a row


@pytest.mark.parametrize("space", ["", " ", "\n", "\t\r\n  "])
def test_values_with_any_white_space_or_none(space: str) -> None:
    texts = ['{"a":[1]}', '"x y"', "[]", "{}", '""', '"\\""', "[null,true]"]
    assert list(values(space + space.join(texts) + space)) == [json.loads(text) for text in texts]


def test_numbers_need_something_between_them() -> None:
    assert list(values("1 2\n3")) == [1, 2, 3]
    assert list(values('1"a"2[]3')) == [1, "a", 2, [], 3]


@pytest.mark.parametrize("text", ["", " ", "\n\n"])
def test_nothing_is_no_values(text: str) -> None:
    assert list(values(text)) == []


@pytest.mark.parametrize("text", ["{", "}", "[1,", '"', "nope", "[] ,", "{'a':1}", "[" * 100_000, "9" * 5000])
def test_what_is_no_json(text: str) -> None:
    with pytest.raises(BadForm, match="not JSON"):
        list(values(text))


@pytest.mark.parametrize("text", ["", "{}{}", "[] {}", json.dumps(GOOD) * 2])
def test_a_position_is_one_value(text: str) -> None:
    with pytest.raises(BadForm):
        prepare(text)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner) | st.dictionaries(st.sampled_from([*GOOD, "connectors", "treasures", "tilekey"]), inner)
        ),
        max_leaves=10,
    )
)
def test_any_json_is_refused_in_words(form: Any) -> None:
    for read in (read_coordinate, read_slide, read_board, read_choice, lambda form: read_state(form, goals=True)):
        try:
            read(form)
        except (BadForm, BadOptions) as e:
            assert str(e)
