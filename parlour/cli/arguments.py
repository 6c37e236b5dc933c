"""The application, and the arguments that several commands share."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from typer.core import TyperGroup

from parlour import plugins

F = TypeVar("F")


class Commands(TyperGroup):
    """The commands for every game, and those of single games, which are loaded only when they are needed."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Built-in commands, then those of plug-ins, which cannot replace a built-in one."""
        ours = super().list_commands(ctx)
        usable = [plugin.name for plugin in plugins.found(plugins.COMMANDS) if not plugin.error]
        return [*ours, *(name for name in usable if name not in ours)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A built-in command, or the function of a plug-in as a command."""
        if (command := super().get_command(ctx, cmd_name)) is not None:
            return command
        try:
            function = plugins.load(plugins.COMMANDS, cmd_name)
        except (KeyError, plugins.BrokenPlugin):
            return None
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        alone.command(cmd_name)(function)
        return typer.main.get_command(alone)


app = typer.Typer(
    cls=Commands,
    help="A fair referee for games that programs, language models and people play together.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def command_with(flags: type[F]) -> Callable[[Callable[[F], None]], Callable[[F], None]]:
    """Register a function as a command. The fields of `flags`, a struct, are the command's arguments and options."""

    def register(work: Callable[[F], None]) -> Callable[[F], None]:
        @wraps(flags, updated=())
        def command(**given: Any) -> None:
            work(flags(**given))

        app.command(work.__name__, help=work.__doc__)(command)
        return work

    return register


def port_option(metavar: str, help: str) -> Any:
    """An option that is the number of a port."""
    return typer.Option(metavar=metavar, min=0, max=65535, help=help)


GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game; `parlour games` lists them.")]
ArenaUrl = Annotated[str, typer.Argument(metavar="URL", help="An arena, such as http://127.0.0.1:8000.")]
Transcript = Annotated[Path, typer.Argument(metavar="FILE", help="A transcript.")]
Players = Annotated[
    list[str],
    typer.Argument(
        metavar="PLAYER...",
        help="A built-in bot, package.module:function, path/to/file.py, exec:COMMAND for any language "
        "over protocol 1, exec+GAME:COMMAND (exec+GAME/DIALECT:COMMAND) over the game's own, or model:PROVIDER/NAME "
        "for a language model.",
    ),
]
Seed = Annotated[str | None, typer.Option("--seed", metavar="HEX", help="Repeat a match: same seed, same cards.")]
Settings = Annotated[list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A house rule; repeatable.")]
LimitS = Annotated[float | None, typer.Option("--limit", metavar="SECONDS", help="Time for an answer.")]
BankS = Annotated[float, typer.Option("--bank", metavar="SECONDS", help="Extra time for the whole match.")]
Bears = Annotated[
    int | None, typer.Option("--bears", metavar="N", min=0, help="Faults a player may make before it must leave.")
]
Cwd = Annotated[Path | None, typer.Option("--cwd", metavar="DIR", help="Where commands are started.")]
State = Annotated[
    Path | None, typer.Option("--state", metavar="FILE", help="Begin from this position, in the game's own format.")
]
Store = Annotated[
    Path | None,
    typer.Option(
        "--store", metavar="FILE", help="Also write the match in the game's own format; with --games, a folder."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")]
Pace = Annotated[float, typer.Option(metavar="SECONDS", min=0.0, help="Pause between events.")]
StderrTo = Annotated[Path | None, typer.Option("--stderr", metavar="DIR", help="Save what commands wrote to stderr.")]
OwnToken = Annotated[
    str | None,
    typer.Option(
        envvar="PARLOUR_TOKEN",
        show_envvar=True,
        metavar="TOKEN",
        help="Your account's token; without it you are a guest.",
    ),
]
