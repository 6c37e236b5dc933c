"""The command line. What a person gets wrong is told in one line; a traceback is always a bug of ours."""

import sys

from parlour.cli.app import app
from parlour.cli.common import UserError
from parlour.core import BadOptions
from parlour.players.load import BadPlayer
from parlour.players.play import CannotPlay
from parlour.referee.transcript import BadTranscript


def run() -> None:
    """The `parlour` command."""
    try:
        app()
    except (UserError, BadPlayer, BadOptions, CannotPlay, BadTranscript, OSError) as e:
        print(f"parlour: {e}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
