"""The arena: a server for all games that loses nothing, and the commands that go with it."""

from pathlib import Path
from typing import Annotated

import typer

from parlour.cli.arguments import GameName, app
from parlour.cli.common import UserError, console, find_game, read_players
from parlour.core import Result
from parlour.players.load import LocalSpec


@app.command()
def serve(
    settings: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings, as TOML.")] = None,
    port: Annotated[int | None, typer.Option(metavar="P", min=0, max=65535, help="8000 if not told.")] = None,
    address: Annotated[str | None, typer.Option(help="Where to listen; 127.0.0.1 if not told.")] = None,
    store: Annotated[
        str | None, typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME.")
    ] = None,
    tcp_port: Annotated[
        int | None, typer.Option(metavar="P", min=0, max=65535, help="Also serve protocol 1 over TCP there.")
    ] = None,
) -> None:
    """Serve all games over HTTP, WebSocket and TCP, and keep every move. After a crash all matches go on."""
    from parlour.cli.arena import run_arena  # a web server takes a while to load, and other commands need none

    run_arena(settings, port=port, address=address, store=store, tcp_port=tcp_port)


@app.command()
def join(
    url: Annotated[str, typer.Argument(metavar="URL", help="An arena, such as http://127.0.0.1:8000.")],
    game_name: GameName,
    player: Annotated[str, typer.Argument(metavar="BOT", help="A bot in Python, as for `parlour match`.")],
    table: Annotated[str | None, typer.Option(metavar="ID", help="Which table; else the next one.")] = None,
    token: Annotated[
        str | None, typer.Option(envvar="PARLOUR_TOKEN", show_envvar=True, metavar="TOKEN", help="Who you are.")
    ] = None,
) -> None:
    """Let a bot of this machine play a match at an arena."""
    from parlour.client import Client, Refused

    [spec] = read_players(find_game(game_name), [player])
    if not isinstance(spec, LocalSpec):
        raise UserError(f"{player}: commands connect by themselves; this is for bots in Python")
    try:
        finished = Client(url, token, name=spec.name).play(game_name, spec.make(), table=table)
    except Refused as e:
        raise UserError(f"{url}: {e}") from None
    end = finished.end
    rank = f"rank {end.ranks[finished.seat]} with {end.scores[finished.seat]}" if isinstance(end, Result) else str(end)
    console.print(f"{finished.match}: {', '.join(finished.players)}; seat {finished.seat} has {rank}")
