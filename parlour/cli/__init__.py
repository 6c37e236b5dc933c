"""The command line. What a person gets wrong is told in one line; a traceback is always a bug of ours."""

import signal
import sys
from types import FrameType

from parlour.cli import hosting, looking, matches, maze
from parlour.cli.arguments import app
from parlour.cli.common import MISTAKES, in_words

__all__ = ["hosting", "looking", "matches", "maze", "run"]  # importing them is what makes the commands known


def run() -> None:
    """The `parlour` command."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    try:
        app()
    except MISTAKES as e:
        print(f"parlour: {in_words(e)}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


def _leave(number: int, frame: FrameType | None) -> None:
    """Go as after Ctrl-C, so that no child process is left behind."""
    sys.exit(128 + number)
