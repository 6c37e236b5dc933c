"""The command line. A user's mistake is reported in one line; a traceback is always a bug."""

import signal
import sys
from importlib import import_module
from types import FrameType

from parlour.cli.arguments import app
from parlour.cli.common import MISTAKES, in_words

COMMANDS = (
    "eval_command",
    "play_commands",
    "hosting",
    "inspect_commands",
    "serving",
    "mcp_command",
    "tournament_command",
    "verifying",
    "admin",
    "admin_accounts",
    "admin_import",
    "table_commands",
    "league_commands",
)
"""The modules that register the commands, in the order in which `parlour --help` lists them."""

for module in COMMANDS:
    import_module(f"parlour.cli.{module}")

_ended_by: list[int] = []
"""The signal that ended the command, if one did."""


def run() -> None:
    """The `parlour` command."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell ignores it for background jobs of a script
        signal.signal(signal.SIGINT, signal.default_int_handler)  # so that SIGINT ends the command
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
    """End as after Ctrl-C, so that no child process is left behind, and no bot mistakes this for its own exit."""
    _ended_by.append(number)
    signal.raise_signal(signal.SIGINT)  # asyncio handles it between two steps of a task
