"""The course's test programs, run as a person runs them. Every answer was worked out by hand."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from parlour.commands.maze_check import MILESTONES, checked
from parlour.core import BadOptions
from parlour.games.maze.forms import BadForm
from parlour.games.maze.tiles import PAIRS
from tests.here import Done, here

pytestmark = pytest.mark.timeout(600)  # some tests start a program for every case

ROOT = Path(__file__).parents[3]
COLOURS = ("red", "blue", "green", "white", "black", "pink", "purple", "orange", "yellow")

Spot = tuple[int, int]


def run(kind: str, stdin: str | bytes) -> Done:
    return here("maze-check", kind, stdin=stdin)


def test_it_is_a_program() -> None:
    command = [sys.executable, "-m", "parlour", "maze-check", "nonsense"]
    done = subprocess.run(command, capture_output=True, cwd=ROOT, input=b"", timeout=100)
    assert done.returncode != 0 and done.stdout == b"" and b"Traceback" not in done.stderr


def answered(kind: str, *values: Any, between: str = "\n") -> Any:
    """By the command: one line of JSON, and nothing else."""
    done = run(kind, between.join(json.dumps(value, ensure_ascii=False) for value in values))
    assert done.returncode == 0 and done.stderr == "", done.stderr
    [line] = done.stdout.splitlines()
    return json.loads(line)


def answer(kind: str, *values: Any) -> Any:
    """The same without the command."""
    return json.loads(json.dumps(checked(kind, list(values))))


def at(row: int, column: int) -> dict[str, int]:
    return {"row#": row, "column#": column}


def spots(said: Any) -> str:
    """In short."""
    return " ".join(f"{spot['row#']},{spot['column#']}" for spot in said)


def board(*rows: str) -> dict[str, Any]:
    pairs = iter(PAIRS)
    treasures = [[list(next(pairs)) for _ in row] for row in rows]
    return {"connectors": [list(row) for row in rows], "treasures": treasures}


def state(rows: list[str], *players: tuple[Spot, Spot, Spot], spare: str = "┼", last: Any = None, **more: Any) -> Any:
    """Players as where they are, their home and their goal."""
    first, second = PAIRS[-1]
    entries = zip(players, COLOURS, strict=False)
    plmt = [
        {"current": at(*here), "home": at(*home), "goto": at(*goal), "color": colour}
        for (here, home, goal), colour in entries
    ]
    spare_tile = {"tilekey": spare, "1-image": first, "2-image": second}
    return {"board": board(*rows), "spare": spare_tile, "plmt": plmt, "last": last, **more}


# Where one can walk


RING = ["┌─┐", "│┼│", "└─┘"]
AROUND = "0,0 0,1 0,2 1,0 1,2 2,0 2,1 2,2"


@pytest.mark.parametrize("between", ["\n", " ", "", "\t\r\n \n"])
def test_reachable(between: str) -> None:
    assert spots(answered("reachable", board(*RING), at(0, 0), between=between)) == AROUND


@pytest.mark.parametrize(
    ("rows", "start", "reached"),
    [
        (RING, (2, 1), AROUND),
        (RING, (1, 1), "1,1"),
        (["┼┼┼", "┼┼┼"], (0, 0), "0,0 0,1 0,2 1,0 1,1 1,2"),
        (["─┼─", "│┼│"], (0, 0), "0,0 0,1 0,2 1,1"),  # 1,0 and 1,2 are open up and down, but so is nothing above them
        (["├┤", "└┘"], (0, 0), "0,0 0,1 1,0 1,1"),
        (["┤├", "┘└"], (0, 0), "0,0 1,0"),
        (["┐┌", "┘└"], (1, 1), "0,1 1,1"),
        (["┬┴"], (0, 1), "0,0 0,1"),
        (["│", "┼", "─"], (0, 0), "0,0 1,0"),
        (["───"], (0, 0), "0,0 0,1 0,2"),  # and not around the edge
    ],
)
def test_reachable_on_other_boards(rows: list[str], start: Spot, reached: str) -> None:
    assert spots(answer("reachable", board(*rows), at(*start))) == reached


# After a slide


@pytest.mark.parametrize(
    ("degrees", "reached"),
    [
        # The row becomes ─ ┐ and the spare; the player is pushed off at the left and stands on the spare.
        (0, "0,2 1,0 1,2 2,0 2,1 2,2"),  # │ leads down and around; 0,0 is ─ now
        (90, "0,2"),  # ─ finds a ┐ on its left
        (180, "0,2 1,0 1,2 2,0 2,1 2,2"),
        (270, "0,2"),
    ],
)
def test_slide_with_a_player_who_is_pushed_off(degrees: int, reached: str) -> None:
    pushed = state(RING, ((0, 0), (1, 1), (1, 1)), spare="│")
    assert spots(answered("slide", pushed, 0, "LEFT", degrees)) == reached


@pytest.mark.parametrize(
    ("index", "direction", "where", "reached"),
    [
        (0, "RIGHT", (0, 2), "0,0 1,0 2,0 2,1 2,2 1,2"),  # │ ┌ ─: onto the spare at 0,0, down and around to 1,2
        (0, "UP", (0, 0), "2,0"),  # │ └ │ from above: the spare at 2,0 leads up to a └, which does not lead down
        (2, "DOWN", (2, 2), "0,2"),  # │ ┐ │: the spare at 0,2 leads down to a ┐, which does not lead up
        (2, "LEFT", (0, 0), "0,0 0,1 0,2 1,0 1,2 2,2"),  # the last row is ─ ┘ │
        (0, "LEFT", (2, 2), "0,2 1,0 1,2 2,0 2,1 2,2"),
    ],
)
def test_slide_other_lines(index: int, direction: str, where: Spot, reached: str) -> None:
    given = state(RING, (where, (1, 1), (1, 1)), spare="│")
    said = spots(answer("slide", given, index, direction, 0))
    assert sorted(said.split()) == sorted(reached.split())


def test_slide_takes_the_first_player_and_needs_no_goals() -> None:
    given = state(["┼┼", "││"], ((0, 0), (1, 1), (1, 1)), ((1, 0), (1, 1), (1, 1)))
    for player in given["plmt"]:
        del player["goto"]
    # the spare ┼ comes in below 0,0: column 0 is │ ┼, the first player is carried from 0,0 to 1,0 and stands on it
    assert spots(answer("slide", given, 0, "UP", 0)) == "0,0 1,0"


# Choices


UPRIGHT = ["│││"] * 3
FLAT = ["───"] * 3
MIDDLE = ((1, 1), (1, 1), (1, 1))


def test_choice_takes_the_goal_by_the_first_slide() -> None:
    crosses = state(["┼┼┼"] * 3, MIDDLE)
    for name in ("Euclid", "Riemann"):
        assert answered("choice", name, crosses, at(2, 2)) == [0, "LEFT", 0, at(2, 2)]


@pytest.mark.parametrize(
    ("name", "rows", "goal", "chosen"),
    [
        # From 1,1 only 0,1 and 2,1 can ever be reached on the upright board.
        ("Riemann", UPRIGHT, (2, 0), (0, 1)),
        ("Euclid", UPRIGHT, (2, 0), (2, 1)),
        ("Euclid", UPRIGHT, (0, 0), (0, 1)),
        # And only 1,0 and 1,2 on the flat one.
        ("Riemann", FLAT, (2, 2), (1, 0)),
        ("Euclid", FLAT, (2, 2), (1, 2)),
    ],
)
def test_choice_when_the_goal_is_out_of_reach(name: str, rows: list[str], goal: Spot, chosen: Spot) -> None:
    spare = rows[0][0]
    assert answer("choice", name, state(rows, MIDDLE, spare=spare), at(*goal)) == [0, "LEFT", 0, at(*chosen)]


@pytest.mark.parametrize(("rows", "goal", "chosen"), [(UPRIGHT, (1, 0), (0, 1)), (FLAT, (0, 1), (1, 0))])
def test_decision_18_ties_go_by_row_then_by_column(rows: list[str], goal: Spot, chosen: Spot) -> None:
    spare = rows[0][0]
    assert answered("choice", "Euclid", state(rows, MIDDLE, spare=spare), at(*goal)) == [0, "LEFT", 0, at(*chosen)]


def test_choice_never_undoes_the_last_slide() -> None:
    crosses = state(["┼┼┼"] * 3, MIDDLE, last=[0, "RIGHT"])
    assert answer("choice", "Riemann", crosses, at(0, 0)) == [0, "RIGHT", 0, at(0, 0)]


def test_choice_turns_the_spare_if_it_must() -> None:
    # Only row 0 leads anywhere: from 1,1 up to 0,1, but its right-hand neighbour is the spare, and ─ only by 90.
    rows = ["││┌", "─│─", "───"]
    # after 0 LEFT the row is │ ┌ and the spare; ┌ at 0,1 is open to the south and the east
    assert answer("choice", "Euclid", state(rows, MIDDLE, spare="│"), at(0, 2)) == [0, "LEFT", 90, at(0, 2)]


def test_choice_to_pass() -> None:
    alone = state(["│││", "│─│", "│││"], MIDDLE, spare="│")
    for name in ("Euclid", "Riemann"):
        assert answered("choice", name, alone, at(0, 0)) == "PASS"


# Games


WIDE = ["┼┼┼┼┼┼┼"] * 7
A, B = ["A", "Euclid"], ["B", "Riemann"]
TWO = state(WIDE, ((1, 1), (1, 1), (3, 3)), ((1, 3), (1, 3), (3, 1)))
"""Both find their treasure in the first round; the first comes home in the second."""


def test_game_who_comes_home_first_wins() -> None:
    assert answered("game", [A, B], TWO) == ["A"]
    assert answer("game", [B, A], TWO) == ["B"]


def still(*places: tuple[Spot, Spot]) -> Any:
    """Nobody can move: from where they stand to where they should be."""
    rows = [list("│││││││") for _ in range(7)]
    for (row, column), _ in places:
        rows[row][column] = "─"
    return state(["".join(row) for row in rows], *[(here, here, goal) for here, goal in places], spare="│")


@pytest.mark.parametrize(
    ("a", "b", "winners"),
    [
        (((1, 1), (1, 3)), ((3, 3), (1, 1)), ["A"]),  # 4 to 8
        (((1, 1), (5, 1)), ((3, 3), (1, 1)), ["B"]),  # 16 to 8
        (((1, 1), (3, 3)), ((3, 3), (1, 1)), ["A", "B"]),
        (((1, 1), (1, 5)), ((3, 3), (5, 5)), ["B"]),  # 16 to 8, though both are four steps away
        (((1, 1), (1, 1)), ((3, 3), (3, 5)), ["A"]),  # it stands on it, which is no treasure, but near
    ],
)
def test_game_of_passes_the_nearest_win(a: Any, b: Any, winners: list[str]) -> None:
    assert answer("game", [A, B], still(a, b)) == winners


def test_game_winners_are_sorted_by_name() -> None:
    given = still(((3, 3), (1, 1)), ((1, 1), (3, 3)))
    assert answered("game", [["zoe", "Euclid"], ["Ada", "Euclid"]], given) == ["Ada", "zoe"]


def test_game_the_ender_loses_to_more_treasures() -> None:
    # A finds 3,1 and is given 3,5; B finds 3,3 and is sent home. A finds 3,5: two. B comes home with one.
    given = state(WIDE, ((1, 1), (1, 1), (3, 1)), ((1, 3), (1, 3), (3, 3)), goals=[at(3, 5)])
    assert answered("game", [A, B], given) == ["A"]
    # Without the queue A is the first to come home.
    assert answer("game", [A, B], {**given, "goals": []}) == ["A"]
    # With the queue at the other's disposal: B is first, and A ends it.
    turned = state(WIDE, ((1, 3), (1, 3), (3, 3)), ((1, 1), (1, 1), (3, 1)), goals=[at(3, 5)])
    assert answer("game", [B, A], turned) == ["B"]


def test_game_the_queued_home_that_empties_the_queue_is_final() -> None:
    # A finds 3,1 and is given 3,5. B finds 3,3 and is given 1,3, its home, the last: to come there ends the game, and
    # it is never set up a third time.
    given = state(WIDE, ((1, 1), (1, 1), (3, 1)), ((1, 3), (1, 3), (3, 3)), goals=[at(3, 5), at(1, 3)])
    assert answered("bad-game", [A, ["B", "Riemann", "setUp", 3]], given) == [["A"], []]


def test_game_the_queued_home_before_others_is_ordinary() -> None:
    # B finds 3,3 and is given 1,3, its home, with 3,5 still queued: a treasure; then a third call, at which it fails.
    given = state(WIDE, ((1, 3), (1, 3), (3, 3)), ((1, 1), (1, 1), (3, 1)), goals=[at(1, 3), at(3, 5)])
    assert answer("bad-game", [["B", "Riemann", "setUp", 3], A], given) == [["A"], ["B"]]


@pytest.mark.parametrize(
    ("players", "result"),
    [
        ([A, B], [["A"], []]),
        ([[*A, "setUp"], B], [["B"], ["A"]]),
        ([A, [*B, "setUp"]], [["A"], ["B"]]),
        ([[*A, "takeTurn"], B], [["B"], ["A"]]),
        ([[*A, "win"], B], [[], ["A"]]),  # nobody takes the place of a winner who fails
        ([A, [*B, "win"]], [["A"], ["B"]]),
        ([[*A, "setUp"], [*B, "setUp"]], [[], ["A", "B"]]),
        ([[*A, "takeTurn"], [*B, "takeTurn"]], [[], ["A", "B"]]),
        ([[*A, "setUp", 1], B], [["B"], ["A"]]),
        ([[*A, "setUp", 2], B], [["B"], ["A"]]),  # when it is told to go home
        ([[*A, "setUp", 3], B], [["A"], []]),  # there is no third time
        ([[*A, "takeTurn", 2], B], [["B"], ["A"]]),
        ([[*A, "takeTurn", 3], B], [["A"], []]),
        ([[*A, "win", 1], B], [[], ["A"]]),
        ([[*A, "win", 2], B], [["A"], []]),
        ([[*A, "takeTurn", 7], [*B, "win", 7]], [["A"], []]),
    ],
)
def test_bad_game(players: list[Any], result: Any) -> None:
    assert answer("bad-game", players, TWO) == result


def test_bad_game_by_the_command() -> None:
    assert answered("bad-game", [[*A, "takeTurn", 2], B], TWO, between="") == [["B"], ["A"]]
    assert answered("bad-game", [[*A, "win"], B], TWO, between=" ") == [[], ["A"]]


STILL = [(row, column) for row in (1, 3, 5) for column in (1, 3, 5)]


@pytest.mark.parametrize("count", [0, 1, 7, 9])
def test_any_number_of_players(count: int) -> None:
    places = [(home, home, STILL[(number + 4) % 9]) for number, home in enumerate(STILL[:count])]
    names = [[f"player{number}", "Euclid"] for number in range(count)]
    given = state(WIDE, *places)
    assert answered("game", names, given) == [f"player{number}" for number in range(min(count, 1))]
    assert answer("bad-game", names, given) == [[name for name, _ in names[:1]], []]
    if count:
        bad = [[name, plays, "setUp"] for name, plays in names]
        assert answer("bad-game", bad, given) == [[], sorted(name for name, _ in names)]


def test_fewer_players_than_the_position_has() -> None:  # decision 22: the first entries play
    assert answer("game", [A], TWO) == ["A"]


# Through a server: clients in the order of signing up, the last of whom has the first entry (RULES 10)


@pytest.mark.parametrize(
    ("clients", "result"),
    [
        ([B, A], [["A"], []]),
        ([B, [*A, "takeTurn", 2]], [["B"], ["A"]]),
        ([B, [*A, "win"]], [[], ["A"]]),
        ([[*B, "setUp"], A], [["A"], ["B"]]),
        ([], [[], []]),
        ([A], [[], []]),  # fewer than two
        ([["no blanks", "Euclid"], B, ["", "Riemann"], [5, "Euclid", "win"], A, ["x" * 21, "Euclid"]], [["A"], []]),
        ([["no blanks", "Euclid"], A], [[], []]),  # one of two has no name
        ([B, A, ["late", "Euclid"], ["later", "Euclid", "setUp"]], [["A"], []]),  # there are two places
        ([["twin", "Riemann"], ["twin", "Euclid", "takeTurn"]], [["twin"], ["twin"]]),
    ],
)
def test_server_game(clients: list[Any], result: Any) -> None:
    assert answer("server-game", clients, TWO) == result


@pytest.mark.parametrize("kind", ["9", "10"])
def test_server_game_by_the_command(kind: str) -> None:
    """What the server reads may come before what the clients read."""
    assert answered(kind, TWO, [B, [*A, "takeTurn", 2]], between="") == [["B"], ["A"]]


def test_server_game_the_seventh_is_refused() -> None:
    places = [(home, home, STILL[(number + 4) % 9]) for number, home in enumerate(STILL[:7])]
    clients = [[f"client{number}", "Euclid"] for number in range(7)]
    assert answer("server-game", clients, state(WIDE, *places)) == [["client5"], []]
    nobody = [[name, plays, "setUp"] for name, plays in clients]
    assert answer("server-game", nobody, state(WIDE, *places)) == [[], [f"client{number}" for number in range(6)]]


@pytest.mark.parametrize("count", [0, 1])
def test_server_game_of_a_position_for_fewer_than_two(count: int) -> None:
    assert answer("server-game", [A, B], state(RING, *[MIDDLE] * count)) == [[], []]


def test_server_game_with_a_queue_of_goals() -> None:
    given = state(WIDE, ((1, 1), (1, 1), (3, 1)), ((1, 3), (1, 3), (3, 3)), goals=[at(3, 5)])
    assert answer("server-game", [B, A], given) == [["A"], []]


@pytest.mark.parametrize(
    ("milestone", "kind", "given"),
    [
        ("3", "reachable", [board(*RING), at(0, 0)]),
        ("4", "slide", [state(RING, MIDDLE), 0, "LEFT", 0]),
        ("5", "choice", ["Euclid", state(RING, MIDDLE), at(1, 1)]),
        ("6", "game", [[A, B], TWO]),
        ("7", "bad-game", [[[*A, "win"], B], TWO]),
        ("8", "bad-game", [[[*A, "takeTurn", 2], B], TWO]),
    ],
)
def test_kinds_by_the_numbers_of_their_milestones(milestone: str, kind: str, given: list[Any]) -> None:
    assert answer(MILESTONES[milestone], *given) == answer(kind, *given)


# Mistakes


def mistake(kind: str, stdin: str | bytes) -> str:
    """One line, and status 1."""
    done = run(kind, stdin)
    assert done.returncode == 1 and done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith("parlour: ")
    return line


KINDS = ["reachable", "slide", "choice", "game", "bad-game", "server-game"]


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_no_case(kind: str) -> None:
    assert f"maze-check {kind}: give " in mistake(kind, "")


@pytest.mark.parametrize("stdin", [b"{", b"junk", b"\xff\xfe", b"[" * 100_000, b'"a" }'])
def test_what_is_no_json(stdin: bytes) -> None:
    assert "maze-check reachable: " in mistake("reachable", stdin)


def test_a_kind_that_there_is_not() -> None:
    done = run("colour", "")
    assert done.returncode != 0 and done.stdout == "" and "Traceback" not in done.stderr


def said(*values: Any) -> str:
    return "\n".join(map(json.dumps, values))


def test_mistakes_of_each_kind_are_told_in_one_line() -> None:
    assert "row 3, column 0" in mistake("reachable", said(board(*RING), at(3, 0)))
    assert "slide" in mistake("slide", said(state(RING, MIDDLE), 1, "LEFT", 0))
    assert "player" in mistake("choice", said("Euclid", state(RING), at(1, 1)))
    assert "2 players" in mistake("game", said([A, B], state(RING, MIDDLE)))
    assert "is not a player" in mistake("bad-game", said([[*A, "dance"], B], TWO))


GIVEN = state(RING, MIDDLE)

NO_CLIENTS: list[Any] = [None, [], "A", {}, ["A"], ["no blanks"], [5, "euclid"]]

BAD_CASES: list[tuple[str, list[Any]]] = [
    *[
        ("reachable", given)
        for given in ([board(*RING)], [at(0, 0)], [at(0, 0), board(*RING)], [{}, at(0, 0)], [[], 5])
    ],
    ("reachable", [board(*RING), at(0, 0), 5]),
    ("reachable", [board(*RING), at(0, 3)]),
    ("reachable", [board(*RING), {"row#": -1, "column#": 0}]),
    ("reachable", [board("┌─┐", "│x│"), at(0, 0)]),
    *[
        ("slide", [GIVEN, index, direction, degrees])
        for index, direction, degrees in [
            *[(1, "LEFT", 0), (4, "LEFT", 0), (-2, "LEFT", 0), (4, "UP", 0), (0, "left", 0), (0, "LEFT", 45)],
            *[(0, "LEFT", 360), (0, "LEFT", -90), ("0", "LEFT", 0), (0, 0, 0), (0, "LEFT", None), (0.5, "LEFT", 0)],
            *[(False, "LEFT", 0), (0, "LEFT", False), (True, "UP", 0)],
        ]
    ],
    ("slide", [state(RING), 0, "LEFT", 0]),
    ("slide", [GIVEN]),
    ("slide", [0, "LEFT", 0, GIVEN]),
    *[("choice", [name, GIVEN, at(0, 0)]) for name in ("euclid", "", "Random", None, 5)],
    ("choice", ["Euclid", GIVEN]),
    ("choice", ["Euclid", GIVEN, at(0, 10**9)]),
    ("choice", ["Euclid", GIVEN, [0, 0]]),
    ("choice", ["Euclid", state(RING), at(0, 0)]),
    *[("game", given) for given in ([[A]], [GIVEN], [GIVEN, [A]], [[A], GIVEN, 5], [{}, GIVEN], [[A, B], GIVEN])],
    *[
        ("bad-game", [[player], GIVEN])
        for player in [
            *[
                None,
                [],
                "A",
                ["A"],
                ["A", "euclid"],
                [5, "Euclid"],
                ["A", "Euclid", "setup"],
                ["A", "Euclid", "take-turn"],
            ],
            *[["A", "Euclid", "win", k] for k in (0, 8, -1, "1", None, 1.5, True)],
            *[["A", "Euclid", "win", 1, 1], ["", "Euclid"], ["x" * 21, "Euclid"], ["no blanks", "Euclid"]],
        ]
    ],
    *[("server-game", given) for given in ([[A]], [GIVEN], [[A], [B]], [[A], GIVEN, 5])],
    *[("server-game", [[client, B, A], TWO]) for client in NO_CLIENTS],
    ("game", [[A], {**GIVEN, "plmt": [{**GIVEN["plmt"][0], "current": at(0, 3)}]}]),
    ("game", [[A], {**GIVEN, "plmt": [{**GIVEN["plmt"][0], "home": at(10**30, 0)}]}]),
    ("game", [[A], {**GIVEN, "goals": [at(9, 10**9)]}]),
    ("game", [[A], {key: value for key, value in GIVEN.items() if key != "last"}]),
]


@pytest.mark.parametrize(("kind", "given"), BAD_CASES, ids=lambda part: part if isinstance(part, str) else "")
def test_bad_cases_are_refused(kind: str, given: list[Any]) -> None:
    with pytest.raises((BadForm, BadOptions)):
        answer(kind, *given)
