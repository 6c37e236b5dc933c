"""The command line. What a person gets wrong is told in one line; a traceback is always a bug of ours."""

import sys

from parlour.cli import app, hosting, matches
from parlour.cli.common import UserError
from parlour.cli.words import app as application
from parlour.core import BadOptions
from parlour.players.load import BadPlayer
from parlour.players.play import CannotPlay
from parlour.referee.transcript import BadTranscript

__all__ = ["app", "hosting", "matches", "run"]  # importing them is what makes the commands known


def run() -> None:
    """The `parlour` command."""
    try:
        application()
    except (UserError, BadPlayer, BadOptions, CannotPlay, BadTranscript, OSError) as e:
        print(f"parlour: {e}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
