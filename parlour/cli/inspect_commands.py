"""The commands games, replay, export, schema and demo."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.text import Text

from parlour import __version__, plugins
from parlour.cli.arguments import GameName, Transcript, app
from parlour.cli.common import (
    MatchFiles,
    UserError,
    console,
    find_game,
    played_game,
    read_players,
    seats_of,
    seed_for,
    warn_of_skipped,
    write_form,
)
from parlour.cli.match_screen import board_table, news, opening, result_table
from parlour.cli.model_runs import show_calls
from parlour.cli.options import option_words
from parlour.cli.play_commands import one
from parlour.cli.replaying import audience, boards, check_audience, check_move, told_to_all
from parlour.cli.tables import table_of
from parlour.cli.text_sample import text_sample
from parlour.core import Game, dice
from parlour.players.terms import Terms
from parlour.protocol.v1 import schema as protocol_schema
from parlour.referee.log import new_file, read_lines
from parlour.referee.replay import read_header
from parlour.referee.replay import replay as replay_steps
from parlour.referee.scribe import written
from parlour.referee.transcript import Reveal, new_seed, read_record, split


def version(wanted: bool) -> None:
    if wanted:
        form = "pure Python" if dice.__file__.endswith(".py") else "compiled"
        print(f"parlour {__version__} ({form})")
        raise typer.Exit


@app.callback()
def main(
    _: Annotated[bool, typer.Option("--version", callback=version, is_eager=True, help="Print the version.")] = False,
) -> None:
    """A fair referee for games that programs, language models and people play together."""


@app.command()
def games(
    game_name: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Show the options of this game.")] = None,
    show_plugins: Annotated[
        bool, typer.Option("--plugins", help="List all plug-ins, with the reason for each that is skipped.")
    ] = False,
    show_text: Annotated[
        bool, typer.Option("--text", help="Print GAME as language models read it: the rules, and one decision.")
    ] = False,
) -> None:
    """List the games, their seats, bots and own protocols; or one game's options for `--set`."""
    if show_text and game_name is None:
        raise UserError("--text needs the name of a game: parlour games GAME --text")
    if show_plugins:
        list_plugins()
    elif show_text and game_name is not None:
        typer.echo(text_sample(find_game(game_name)), nl=False)
    elif game_name is None:
        list_games()
        warn_of_skipped()
    else:
        list_options(find_game(game_name))


def list_options(game: Game[Any]) -> None:
    """Print the options of a game, with values and defaults."""
    few, many = seats_of(game)
    console.print(Text.assemble((game.title, "bold"), f": {game.summary}. {few} to {many} seats."), soft_wrap=True)
    console.print(f"Bots: {', '.join(game.hosting.bots)}", soft_wrap=True)
    columns = ("option", "type", "values", "default", "what it does")
    table = table_of(*columns, folds=True, title="Options, for --set OPTION=VALUE", show_lines=True)
    table.columns[0].no_wrap = table.columns[3].no_wrap = True
    for option in option_words(game):
        table.add_row(Text(option.name, "bold"), option.kind, option.values, option.default, option.words)
    console.print(table)


def list_plugins() -> None:
    """Print all installed plug-ins, with the errors of those that are skipped."""
    table = table_of("kind", "name", "package", "source", "error", folds=True, show_lines=True)
    for group in plugins.GROUPS:
        for plugin in plugins.found(group):
            error = Text(plugin.error, "red") if plugin.error else Text("none", "dim")
            kind = group.removeprefix("parlour.").removesuffix("s")
            table.add_row(kind, Text(plugin.name, "bold"), plugin.package, plugin.source, error)
    console.print(table)


def list_games() -> None:
    table = table_of("game", "what it is", "seats", "bots", "own protocol")
    for it in plugins.games():
        name, usual = it.name, (it.hosting.command_dialect, it.hosting.socket_dialect)
        own = [f"exec+{name}:COMMAND"] if it.hosting.command_dialect else []
        own += [f"exec+{name}/{dialect}:COMMAND" for dialect in it.hosting.dialects if dialect not in usual]
        own += [f"parlour host {name}"] if it.hosting.socket_dialect or it.hosting.seating == "open" else []
        table.add_row(
            Text(name, "bold"),
            f"{it.title}: {it.summary}",
            "-".join(map(str, seats_of(it))),
            "\n".join(it.hosting.bots),
            "\n".join(own),
        )
    console.print(table)


FirstMove = Annotated[
    int, typer.Option("--at", metavar="N", min=0, help="Begin with the table after N moves, as on the page.")
]
ShowModels = Annotated[
    bool, typer.Option("--models", help="Show what language models were asked, and what they answered; see --seat.")
]


@app.command()
def replay(
    file: Transcript,
    seat: Annotated[
        int | None, typer.Option(metavar="N", help="Show what this seat saw, with its faults; counted from 0.")
    ] = None,
    everything: Annotated[
        bool,
        typer.Option("--all", help="For a finished match: show what all seats saw, side by side, and all faults."),
    ] = False,
    step: Annotated[bool, typer.Option("--step", help="Show the table, and wait for Enter after every move.")] = False,
    first: FirstMove = 0,
    models: ShowModels = False,
) -> None:
    """Show a recorded match as seen by a spectator, by one seat, or by all seats."""
    lines = split(file.read_bytes())
    header = read_header(lines[0])
    if models:
        show_calls(file, [player.name for player in header.players], seat)
        return
    seed = seed_for(file, read_record(lines[-1], len(lines)))
    check_audience(lines, seat, everything)
    check_move(lines, first)
    for number, at in enumerate(replay_steps(played_game(file, header), lines, seed)):
        match, who = at.match, audience(at.match, seat)
        if number < first:
            continue
        begins_later = 0 < number == first
        if number == 0:
            console.print(boards(match) if everything else opening(match, who))
        if not begins_later:
            for line in told_to_all(at) if everything else news(match, at.out, who):
                console.print(line)
        if (begins_later or (step and (at.out.notices or number == 0))) and match.end is None:
            board = match.game.words.board(match.state.view(who), match.names)
            console.print(boards(match) if everything else board_table(board))
            step = step and wait_for_enter()
    if match.end is not None:
        if everything:
            console.print(boards(match))
        console.print(result_table(match.game, header.match, match.names, match.end))


def wait_for_enter() -> bool:
    """False at the end of the input."""
    try:
        input("Press Enter to continue ")
    except EOFError:
        return False
    return True


@app.command()
def export(
    file: Transcript,
    to: Annotated[Path | None, typer.Argument(metavar="[TO]", help="A new file; otherwise it is printed.")] = None,
) -> None:
    """Write a recorded match in its game's own format, if the game has one."""
    lines = read_lines(file)
    game = played_game(file, read_header(lines[0]))
    if game.hosting.scribe is None:
        raise UserError(f"{game.title} has no match format of its own")
    last = read_record(lines[-1], len(lines))
    told = written(game, lines, seed_for(file, last))
    if to is None:
        write_form(game, sys.stdout.buffer, told)
        return
    new_file(to).touch(0o666 if isinstance(last, Reveal) else 0o600)  # an unfinished match has secrets
    with to.open("wb") as out:
        write_form(game, out, told)


@app.command()
def schema(game_name: GameName) -> None:
    """Print the JSON Schema of protocol 1 for a game."""
    print(msgspec.json.format(msgspec.json.encode(protocol_schema(find_game(game_name))), indent=2).decode())


@app.command()
def demo(
    game_name: Annotated[str | None, typer.Argument(metavar="[GAME]", help="A game; otherwise the first one.")] = None,
) -> None:
    """Watch bots play a match, and see what to try next."""
    if game_name is None and not plugins.games():
        raise UserError("no game is installed")
    game = plugins.games()[0] if game_name is None else find_game(game_name)
    few, many = seats_of(game)
    best, house = game.hosting.best_bot(), game.hosting.house_bot
    specs = read_players(game, [best, house, house, "random"][: max(few, min(4, many))])
    terms = Terms(game=game, options=game.hosting.short or game.rules.options())
    one(terms, specs, new_seed(), MatchFiles(), pace_s=0.25 if console.is_terminal else 0.0)
    console.print("\nWhat next?", style="bold")
    for what, words in _next_steps(game):
        console.print(Text.assemble(f"  {what:20} ", (f"{program()} {words}", "cyan")), soft_wrap=True)


def _next_steps(game: Game[Any]) -> Iterator[tuple[str, str]]:
    """Commands to try after a demonstration of this game."""
    few, _ = seats_of(game)
    others = " ".join([game.hosting.house_bot] * max(1, few - 1))
    yield "play yourself", f"play {game.name}"
    for other in plugins.games():
        if other is not game:
            bots = " ".join([other.hosting.best_bot()] * max(2, seats_of(other)[0]))
            yield f"watch {other.title}", f"match {other.name} {bots} --pace 0.3"
    yield "serve all games", "serve"
    yield "your own bot", f"match {game.name} mybot.py {others}"
    yield "in any language", f'match {game.name} "exec:./mybot" {others}'
    yield "a thousand matches", f"match {game.name} random {others} --games 1000"
    yield "keep a match", f"match {game.name} random {others} --record m.jsonl"
    yield "and prove it fair", "verify m.jsonl"


def program() -> str:
    """The command that starts this program."""
    if shutil.which("parlour"):
        return "parlour"
    started = Path(sys.argv[0])
    return "python -m parlour" if started.name == "__main__.py" else os.path.relpath(started)
