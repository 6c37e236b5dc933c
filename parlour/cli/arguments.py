"""The application, and the words that several commands take."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    help="A fair referee for games that programs, language models and people play together.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Which game; `parlour games` lists them.")]
Transcript = Annotated[Path, typer.Argument(metavar="FILE", help="A transcript.")]
Players = Annotated[
    list[str],
    typer.Argument(
        metavar="PLAYER...",
        help="A built-in bot, package.module:function, path/to/file.py, exec:COMMAND for any language "
        "over protocol 1, or exec+GAME:COMMAND (exec+GAME/DIALECT:COMMAND) over the game's own.",
    ),
]
Seed = Annotated[str | None, typer.Option("--seed", metavar="HEX", help="Repeat a match: same seed, same cards.")]
Settings = Annotated[list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A house rule; repeatable.")]
LimitS = Annotated[float | None, typer.Option("--limit", metavar="SECONDS", help="Time to answer in.")]
BankS = Annotated[float, typer.Option("--bank", metavar="SECONDS", help="Time a player may overdraw in all.")]
Bears = Annotated[
    int | None, typer.Option("--bears", metavar="N", min=0, help="Faults borne before a player must leave.")
]
Cwd = Annotated[Path | None, typer.Option("--cwd", metavar="DIR", help="Where commands are started.")]
State = Annotated[
    Path | None, typer.Option("--state", metavar="FILE", help="Begin from this position, in the game's own form.")
]
Store = Annotated[
    Path | None,
    typer.Option(
        "--store", metavar="FILE", help="Also keep the match in the game's own form; with --games, a folder of them."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]
Pace = Annotated[float, typer.Option(metavar="SECONDS", min=0.0, help="Pause between events.")]
StderrTo = Annotated[Path | None, typer.Option("--stderr", metavar="DIR", help="Save what commands wrote to stderr.")]
