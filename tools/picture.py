"""Draw the pictures of the terminal in docs/images: a match of bots, and a person's turn.

`python tools/picture.py` draws them again; with `--check` it only compares, and fails if one of them is out of date.
"""

import re
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from parlour.cli.match_screen import board_table, host_news, opening, result_table
from parlour.cli.terminal_player import TerminalPlayer
from parlour.games import game
from parlour.players.play import play
from parlour.players.player_specs import LocalSpec, load
from parlour.players.terms import Terms
from parlour.referee.match import Match, Out
from parlour.referee.player import Resigned

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
LINES = 10
"""How much of a match of bots is shown before its result."""


def draw_match() -> str:
    """The beginning and the result of a match of For Sale."""
    forsale = game("forsale")
    console = new_console()
    console.print("$ parlour match forsale thinker minimum examples/ten_lines.py random")
    shown = 0

    def watch(match: Match[Any], out: Out) -> None:
        nonlocal shown
        if match.records == 1:
            console.print(opening(match, None))
        lines = host_news(match, out)
        for line in lines[: max(0, LINES - shown)]:
            console.print(line)
        shown += len(lines)
        if shown >= LINES > shown - len(lines):
            console.print(board_table(forsale.words.board(match.state.view(None), match.names)))
            console.print("  ...")

    terms = Terms(game=forsale, options=forsale.rules.options(balances="open"))
    players = ("thinker", "minimum", str(ROOT / "examples" / "ten_lines.py"), "random")
    specs = [load(forsale, player) for player in players]
    played = play(terms, specs, b"a picture for the front page 7", watch=watch)
    console.print(result_table(played.match.game, played.match.header.match, played.match.names, played.end))
    return svg_of(console)


def draw_turn() -> str:
    """A person's turn in Maze: the first move is refused, with a reason."""
    maze = game("maze")
    console = new_console()
    console.print("$ parlour play maze --name ada")
    answers = ["4 left 90 4 1"]
    pictures: list[str] = []

    def read(prompt: str) -> str:
        console.print(Text.assemble(prompt, (answers[0] if answers else "_", "bold")))
        if not answers:
            pictures.append(svg_of(console))
            raise Resigned
        return answers.pop()

    person = LocalSpec("ada", lambda: TerminalPlayer(maze, ["ada", "nash"], console, read))
    play(Terms(game=maze, options=maze.rules.options()), [person, load(maze, "nash")], b"a picture of a turn")
    return pictures[0]


def new_console() -> Console:
    return Console(record=True, width=86, highlight=False, file=StringIO(), force_terminal=True)


def svg_of(console: Console) -> str:
    """What was printed, without the web fonts that rich would load from elsewhere."""
    svg = console.export_svg(title="parlour", unique_id="parlour", clear=False)
    return re.sub(r"@font-face \{.*?\}\n", "", svg, flags=re.DOTALL)


PICTURES: dict[str, Callable[[], str]] = {"match.svg": draw_match, "turn.svg": draw_turn}


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(any((IMAGES / name).read_text() != draw() for name, draw in PICTURES.items()))
    for name, draw in PICTURES.items():
        (IMAGES / name).write_text(draw())
