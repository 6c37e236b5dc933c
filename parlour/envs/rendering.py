"""Show an episode as text."""

from typing import Any

from parlour.core import BadOptions, Game
from parlour.envs.episode import Episode

MODES = ("human", "ansi")


class Rendering:
    """Draws the table as a spectator sees it. `human` prints it after every step, `ansi` returns it."""

    def __init__(self, game: Game[Any], mode: str | None) -> None:
        if mode is not None and mode not in MODES:
            raise BadOptions(f"render_mode={mode!r}: must be one of {', '.join(MODES)}")
        self._game = game
        self._mode = mode
        self.is_live = mode == "human"

    def show(self, episode: Episode) -> str | None:
        """The table; None if it was printed, or if no mode was chosen."""
        if self._mode is None:
            return None
        board = self._game.words.board(episode.match.state.view(None), episode.match.names)
        text = "\n".join([board.heading, *table(board.columns, board.rows)])
        if self._mode == "ansi":
            return text
        print(text)
        return None


def table(columns: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> list[str]:
    """Lines of aligned columns."""
    lines = [columns, *rows]
    widths = [max(len(line[place]) for line in lines) for place in range(len(columns))]
    return ["  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip() for line in lines]
