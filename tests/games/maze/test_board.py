"""The board: what tiles are open to, what slides, and where one can walk; held to a plain way of doing it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.games.maze.board import (
    OPPOSITE,
    Board,
    Direction,
    carried,
    fixed,
    line,
    members,
    reach,
    slid,
    slides,
    with_tile,
)
from parlour.games.maze.setup import spot
from parlour.games.maze.tiles import (
    COLOURS,
    DEGREES,
    EAST,
    GEMS,
    GLYPHS,
    NORTH,
    PAIRS,
    SHAPES,
    SOUTH,
    WEST,
    turned,
    turns,
)
from tests.games.maze.tables import (
    DOWN,
    LEFT,
    NEXT,
    OPEN,
    RIGHT,
    SIZES,
    UP,
    boards,
    crosses,
    drawing,
    drawn,
    gems,
    plain,
)

SIDE = {UP: NORTH, RIGHT: EAST, DOWN: SOUTH, LEFT: WEST}


def where(board: Board, cells: int) -> set[tuple[int, int]]:
    return {spot(cell, board.columns) for cell in members(cells)}


# Tiles


def test_eleven_glyphs_and_their_open_sides() -> None:  # RULES 1.2
    assert set(SHAPES) == set("│─┐└┌┘┬├┴┤┼") == set(OPEN)
    for glyph, sides in OPEN.items():
        assert SHAPES[glyph] == sum(SIDE[side] for side in sides)
    assert {GLYPHS[shape]: shape for shape in GLYPHS} == SHAPES


def test_the_code_points_are_those_of_box_drawing() -> None:  # RULES 1.2
    points = {0x2502, 0x2500, 0x2510, 0x2514, 0x250C, 0x2518, 0x252C, 0x251C, 0x2534, 0x2524, 0x253C}
    assert {ord(glyph) for glyph in SHAPES} == points


@pytest.mark.parametrize(
    ("glyph", "degrees", "becomes"),
    [("┴", 90, "┤"), ("└", 90, "┘"), ("│", 90, "─"), ("┴", 180, "┬"), ("┴", 270, "├"), ("┌", 270, "┐"), ("┬", 0, "┬")],
)
def test_turning_is_counter_clockwise(glyph: str, degrees: int, becomes: str) -> None:  # RULES 3.3
    assert GLYPHS[turned(SHAPES[glyph], degrees)] == becomes


@pytest.mark.parametrize("glyph", SHAPES)
def test_every_glyph_turns_like_its_sides(glyph: str) -> None:  # RULES 3.3
    assert DEGREES == (0, 90, 180, 270)
    shape = SHAPES[glyph]
    for degrees in DEGREES:
        assert GLYPHS[turned(shape, degrees)] == glyph
        glyph = NEXT[glyph]
    assert SHAPES[glyph] == shape


def test_turns_that_give_nothing_new_are_left_out() -> None:  # RULES 8.4
    degrees = {glyph: [degrees for degrees, _ in turns(SHAPES[glyph])] for glyph in "│┐┬┼"}
    assert degrees == {"│": [0, 90], "┐": [0, 90, 180, 270], "┬": [0, 90, 180, 270], "┼": [0]}
    assert all(new == turned(shape, by) for shape in GLYPHS for by, new in turns(shape))


def test_gems_and_treasures() -> None:  # RULES 1.3
    assert len(GEMS) == len(set(GEMS)) == 102
    assert (GEMS[0], GEMS[1], GEMS[-1]) == ("alexandrite-pear-shape", "alexandrite", "zoisite")
    assert {"ruby", "zircon", "red-spinel-square-emerald-cut", "tigers-eye"} <= set(GEMS)
    assert len(PAIRS) == len({frozenset(pair) for pair in PAIRS}) == 5253
    assert ("ruby", "ruby") in PAIRS


def test_the_colours_that_have_names() -> None:  # RULES 2.8, 10.5
    assert COLOURS == ("purple", "orange", "pink", "red", "blue", "green", "yellow", "white", "black")


# What slides


def test_even_lines_slide_rows_first() -> None:  # RULES 1.4, 8.3
    assert slides(7, 7)[:4] == ((0, "LEFT"), (0, "RIGHT"), (2, "LEFT"), (2, "RIGHT"))
    assert slides(7, 7)[7:10] == ((6, "RIGHT"), (0, "UP"), (0, "DOWN"))
    assert len(slides(7, 7)) == 16
    assert slides(3, 5)[4:] == ((0, "UP"), (0, "DOWN"), (2, "UP"), (2, "DOWN"), (4, "UP"), (4, "DOWN"))
    assert slides(4, 2) == ((0, "LEFT"), (0, "RIGHT"), (2, "LEFT"), (2, "RIGHT"), (0, "UP"), (0, "DOWN"))
    assert slides(2, 2) == ((0, "LEFT"), (0, "RIGHT"), (0, "UP"), (0, "DOWN"))


@pytest.mark.parametrize(("rows", "columns"), SIZES)
def test_fixed_tiles_are_those_that_no_slide_moves(rows: int, columns: int) -> None:  # RULES 1.4
    moved = {cell for slide in slides(rows, columns) for cell in line(rows, columns, *slide).cells}
    assert set(fixed(rows, columns)) == set(range(rows * columns)) - moved
    assert len(fixed(rows, columns)) == (rows // 2) * (columns // 2)


def test_the_fixed_tiles_of_seven_by_seven() -> None:  # RULES 1.4
    assert [spot(cell, 7) for cell in fixed(7, 7)] == [(row, column) for row in (1, 3, 5) for column in (1, 3, 5)]


@pytest.mark.parametrize(
    ("index", "direction", "after", "spare"),
    [
        (0, "LEFT", "─┌┴ ├┼┤ └┐┘", "│"),
        (0, "RIGHT", "┴│─ ├┼┤ └┐┘", "┌"),
        (2, "LEFT", "│─┌ ├┼┤ ┐┘┴", "└"),
        (2, "RIGHT", "│─┌ ├┼┤ ┴└┐", "┘"),
        (0, "UP", "├─┌ └┼┤ ┴┐┘", "│"),
        (0, "DOWN", "┴─┌ │┼┤ ├┐┘", "└"),
        (2, "UP", "│─┤ ├┼┘ └┐┴", "┌"),
        (2, "DOWN", "│─┴ ├┼┌ └┐┤", "┘"),
    ],
)
def test_every_slide_of_a_small_board(index: int, direction: Direction, after: str, spare: str) -> None:  # RULES 3.2
    board = drawn("│─┌ ├┼┤ └┐┘", spare="┴")
    board.slide(index, direction, 0)
    assert drawing(board) == after and GLYPHS[board.spare] == spare


@pytest.mark.parametrize(
    ("size", "slide", "after", "spare"),
    [
        ("│─ ├┼", (0, "LEFT"), "─┴ ├┼", "│"),
        ("│─ ├┼", (0, "RIGHT"), "┴│ ├┼", "─"),
        ("│─ ├┼", (0, "UP"), "├─ ┴┼", "│"),
        ("│─ ├┼", (0, "DOWN"), "┴─ │┼", "├"),
        ("│─ ├┼ └┐ ┘┌", (2, "LEFT"), "│─ ├┼ ┐┴ ┘┌", "└"),
        ("│─ ├┼ └┐ ┘┌", (0, "UP"), "├─ └┼ ┘┐ ┴┌", "│"),
        ("│─ ├┼ └┐ ┘┌", (0, "DOWN"), "┴─ │┼ ├┐ └┌", "┘"),
        ("│─├┼ └┐┘┌", (0, "RIGHT"), "┴│─├ └┐┘┌", "┼"),
        ("│─├┼ └┐┘┌", (2, "DOWN"), "│─┴┼ └┐├┌", "┘"),
        ("│─├┼ └┐┘┌", (2, "UP"), "│─┘┼ └┐┴┌", "├"),
        ("│─├┼┤ └┐┘┌┬ ─────", (4, "UP"), "│─├┼┬ └┐┘┌─ ────┴", "┤"),
        ("│─├┼┤ └┐┘┌┬ ─────", (2, "RIGHT"), "│─├┼┤ └┐┘┌┬ ┴────", "─"),
    ],
)
def test_slides_of_boards_that_are_small_or_not_square(
    size: str, slide: tuple[int, Direction], after: str, spare: str
) -> None:  # RULES 1.1, 3.2
    board = drawn(size, spare="┴")
    board.slide(*slide, 0)
    assert drawing(board) == after and GLYPHS[board.spare] == spare


def test_the_spare_is_turned_before_it_is_put_in() -> None:  # RULES 3.3
    board = drawn("│─┌ ├┼┤ └┐┘", spare="┴")
    board.slide(0, "LEFT", 90)
    assert drawing(board) == "─┌┤ ├┼┤ └┐┘"
    board.slide(2, "DOWN", 0)  # what was pushed off comes as it was
    assert drawing(board) == "─┌│ ├┼┤ └┐┤" and GLYPHS[board.spare] == "┘"


def test_treasures_travel_with_their_tiles() -> None:  # RULES 1.3, 3.2
    board = drawn(crosses(3, 3))
    a, b, c, d, e, f, g, h, i, spare = gems(10)
    board.slide(0, "LEFT", 180)
    assert board.gems == [b, c, spare, d, e, f, g, h, i] and board.spare_gems == a
    board.slide(2, "UP", 0)
    assert board.gems == [b, c, f, d, e, i, g, h, a] and board.spare_gems == spare


@st.composite
def slidings(draw: st.DrawFn) -> tuple[Board, int, Direction, int]:
    board = draw(boards())
    index, direction = draw(st.sampled_from(slides(board.rows, board.columns)))
    return board, index, direction, draw(st.sampled_from(DEGREES))


@given(slidings())
def test_sliding_is_what_it_is_with_lists(sliding: tuple[Board, int, Direction, int]) -> None:  # RULES 3.2, 3.3
    board, index, direction, degrees = sliding
    lists = plain(board)
    board.slide(index, direction, degrees)
    lists.slide(index, direction, degrees)
    after = plain(board)
    assert (after.grid, after.spare) == (lists.grid, lists.spare)
    assert board == drawn_again(board)


def drawn_again(board: Board) -> Board:
    """The same from its glyphs: nothing else hides in it."""
    shapes = [SHAPES[glyph] for glyph in drawing(board).replace(" ", "")]
    return Board(board.rows, board.columns, shapes, board.gems, board.spare, board.spare_gems)


@given(slidings())
def test_there_and_back(sliding: tuple[Board, int, Direction, int]) -> None:  # RULES 3.2
    board, index, direction, degrees = sliding
    before, was = board.copy(), board.spare
    board.slide(index, direction, degrees)
    assert board != before
    board.slide(index, OPPOSITE[direction], 0)
    assert board.spare == turned(was, degrees) and board.spare_gems == before.spare_gems
    board.spare = turned(board.spare, (360 - degrees) % 360)
    assert board == before


@given(slidings(), st.integers(min_value=0))
def test_avatars_are_carried(sliding: tuple[Board, int, Direction, int], number: int) -> None:  # RULES 3.4
    board, index, direction, _ = sliding
    at = number % (board.rows * board.columns)
    after = carried(at, line(board.rows, board.columns, index, direction))
    expected = plain(board).carried(spot(at, board.columns), index, direction)
    assert spot(after, board.columns) == expected
    assert (after == at) == (expected == spot(at, board.columns))


@given(slidings(), st.integers(min_value=0))
def test_an_avatar_stays_on_its_tile(sliding: tuple[Board, int, Direction, int], number: int) -> None:  # RULES 3.4
    board, index, direction, degrees = sliding
    at = number % (board.rows * board.columns)
    tile, spare = board.gems[at], board.spare_gems
    board.slide(index, direction, degrees)
    after = carried(at, line(board.rows, board.columns, index, direction))
    assert board.gems[after] == (spare if board.spare_gems == tile else tile)


def test_a_copy_is_another_board() -> None:
    board = drawn("│─┌ ├┼┤ └┐┘", spare="┴")
    twin = board.copy()
    assert twin == board
    twin.slide(0, "LEFT", 90)
    assert drawing(board) == "│─┌ ├┼┤ └┐┘" and twin != board and board.spare_gems != twin.spare_gems
    assert board != "a board"


def test_boards_differ_by_treasures_alone() -> None:
    board, twin = drawn("││ ──"), drawn("││ ──")
    assert board == twin
    twin.gems[0], twin.gems[1] = twin.gems[1], twin.gems[0]
    assert board != twin


# Walking


@pytest.mark.parametrize(
    ("rows", "start", "reached"),
    [
        ("┌┐ └┘", (0, 0), "0,0 0,1 1,0 1,1"),
        ("└┐ └┘", (0, 0), "0,0 0,1 1,0 1,1"),
        ("┘┐ └┘", (0, 0), "0,0"),  # open to the edge alone
        ("─│ ─│", (0, 0), "0,0"),  # one of the two sides is shut
        ("──│ │││ ───", (0, 0), "0,0 0,1"),
        ("── ──", (0, 0), "0,0 0,1"),  # not over the edge to the next row
        ("──── ────", (1, 0), "1,0 1,1 1,2 1,3"),
        ("── ── ──", (0, 1), "0,0 0,1"),
        ("│││ │││", (1, 2), "0,2 1,2"),  # nor from the top to the bottom
        ("┐└ └┐", (0, 0), "0,0 1,0 1,1"),  # nor across a corner
        ("┼─┼ │┘│ ┼─┼", (1, 1), "1,1"),
    ],
)
def test_walking(rows: str, start: tuple[int, int], reached: str) -> None:  # RULES 1.5
    board = drawn(rows)
    cells = board.reachable(start[0] * board.columns + start[1])
    assert " ".join(f"{row},{column}" for row, column in sorted(where(board, cells))) == reached


@settings(max_examples=150)
@given(boards(), st.integers(min_value=0))
def test_reaching_is_flooding(board: Board, number: int) -> None:  # RULES 1.5
    start = number % (board.rows * board.columns)
    assert where(board, board.reachable(start)) == plain(board).reachable(spot(start, board.columns))


@given(slidings(), st.integers(min_value=0))
def test_looking_ahead_is_sliding_and_walking(
    sliding: tuple[Board, int, Direction, int], number: int
) -> None:  # RULES 1.5, 3.2
    board, index, direction, degrees = sliding
    start = number % (board.rows * board.columns)
    along = line(board.rows, board.columns, index, direction)
    sides = with_tile(slid(board, along), along.cells[-1], turned(board.spare, degrees))
    ahead = reach(1 << start, sides, board.rows, board.columns)
    board.slide(index, direction, degrees)
    assert ahead == board.reachable(start)


def test_all_of_a_board_of_crosses_can_be_reached() -> None:  # RULES 1.5
    for rows, columns in SIZES:
        assert drawn(crosses(rows, columns)).reachable(rows * columns - 1) == (1 << rows * columns) - 1


def test_members_come_lowest_first() -> None:
    assert list(members(0b1001_0110)) == [1, 2, 4, 7] and list(members(0)) == []
