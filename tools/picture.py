"""Draw docs/images/match.svg: the end of a For Sale match as a terminal shows it."""

import re
import sys
from io import StringIO
from pathlib import Path
from typing import Any

from rich.console import Console

from parlour.cli.show import board_table, host_news, opening, result_table
from parlour.games import game
from parlour.players.load import load
from parlour.players.play import Terms, play
from parlour.referee.match import Match, Out

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "images" / "match.svg"
PLAYERS = ("thinker", "minimum", str(ROOT / "examples" / "ten_lines.py"), "random")
SEED = b"a picture for the front page 7"
LINES = 10


def draw() -> str:
    """As SVG, without the web fonts that rich would load from elsewhere."""
    forsale = game("forsale")
    console = Console(record=True, width=86, highlight=False, file=StringIO(), force_terminal=True)
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
    played = play(terms, [load(forsale, player) for player in PLAYERS], SEED, watch)
    console.print(result_table(played.match.game, played.match.header.match, played.match.names, played.end))
    svg = console.export_svg(title="parlour", unique_id="parlour")
    return re.sub(r"@font-face \{.*?\}\n", "", svg, flags=re.DOTALL)


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(PICTURE.read_text() != draw())
    PICTURE.write_text(draw())
