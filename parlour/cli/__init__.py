"""The command line. What a person gets wrong is told in one line; a traceback is always a bug of ours."""

import signal
import sys
from types import FrameType

from parlour.cli import (
    admin,
    admin_accounts,
    admin_import,
    hosting,
    inspect_commands,
    play_commands,
    serving,
    table_commands,
    verifying,
)
from parlour.cli.arguments import app
from parlour.cli.common import MISTAKES, in_words

__all__ = [
    "admin",
    "admin_accounts",
    "admin_import",
    "hosting",
    "inspect_commands",
    "play_commands",
    "run",
    "serving",
    "table_commands",
    "verifying",
]  # importing them is what makes the commands known

_ended_by: list[int] = []
"""The signal that told us to go, if one did."""


def run() -> None:
    """The `parlour` command."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell has it for what a script runs in the background
        signal.signal(signal.SIGINT, signal.default_int_handler)  # or nothing would tell us to go
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _leave)
    try:
        app()
    except MISTAKES as e:
        print(f"parlour: {in_words(e)}", file=sys.stderr)
        sys.exit(1)
    except (KeyboardInterrupt, SystemExit):
        if _ended_by:
            sys.exit(128 + _ended_by[0])
        raise


def _leave(number: int, frame: FrameType | None) -> None:
    """Go as after Ctrl-C, so that no child process is left behind. No bot may take this for an exit of its own."""
    _ended_by.append(number)
    signal.raise_signal(signal.SIGINT)  # which asyncio knows how to take at a good moment
