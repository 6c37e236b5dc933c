"""The commands serve and join."""

from pathlib import Path
from typing import Annotated

import typer
from msgspec import Struct

from parlour.cli.arguments import ArenaUrl, GameName, OwnToken, app, command_with, port_option
from parlour.cli.model_runs import ModelBudget, ModelCache

HOUSE_TABLES_S = 20.0
"""Pause between two matches of bots with --house-tables, in seconds."""


@app.command()
def serve(
    settings: Annotated[Path | None, typer.Option(metavar="FILE", help="Settings, as TOML.")] = None,
    port: Annotated[int | None, port_option("P", "8000 by default.")] = None,
    address: Annotated[str | None, typer.Option(help="The address to listen on; 127.0.0.1 by default.")] = None,
    store: Annotated[
        str | None, typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://USER@HOST/NAME.")
    ] = None,
    tcp_port: Annotated[int | None, port_option("P", "Protocol 1 over TCP; by default the port after.")] = None,
    certificate: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Serve everything over TLS, with this certificate.")
    ] = None,
    certificate_key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The private key, if it is not in the same file.")
    ] = None,
    house_tables: Annotated[
        bool, typer.Option("--house-tables", help="Let bots play the games that nobody plays, as something to watch.")
    ] = False,
) -> None:
    """Serve all games over HTTP, WebSocket and TCP, and store every move. After a crash, all matches are resumed.

    \b
    8000  http://127.0.0.1:8000/api and /schema, /watch/MATCH, /health, /ready, /metrics
          ws: protocol 1 at /play/GAME and /play/GAME/TABLE, a game's own messages at /ws/GAME
    8001  protocol 1 over TCP
    8002  and the ports after it: the games' own protocols over TCP

    The server prints all addresses when it starts. With another --port, the other ports move along;
    `listeners` in the settings sets each of them, or none.
    """
    from parlour.cli.arena import run_arena  # slow to import

    tls = {"certificate": _text(certificate), "certificate_key": _text(certificate_key)}
    pause_s = HOUSE_TABLES_S if house_tables else None
    run_arena(settings, port=port, address=address, store=store, tcp_port=tcp_port, house_tables_s=pause_s, **tls)


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)


class JoinFlags(Struct, frozen=True, kw_only=True):
    """The arguments of the command join."""

    url: ArenaUrl
    game_name: GameName
    player: Annotated[str, typer.Argument(metavar="BOT", help="A bot, a command or a model, as for `parlour match`.")]
    table: Annotated[str | None, typer.Option(metavar="ID", help="A table; otherwise the next one of the game.")] = None
    key: Annotated[str | None, typer.Option(metavar="KEY", help="The key for the invited seats of the table.")] = None
    token: OwnToken = None
    name: Annotated[str | None, typer.Option(metavar="NAME", help="A guest's name; otherwise the name of the bot.")] = (
        None
    )
    league: Annotated[
        str | None, typer.Option("--league", metavar="ID", help="Play all matches of your entry in this league.")
    ] = None
    matches: Annotated[int, typer.Option(metavar="N", min=1, help="Play N matches, one after the other.")] = 1
    receipt: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help="Write a receipt for `parlour verify --receipt`; with --matches or a final slash, a folder of "
            "receipts.",
        ),
    ] = None
    model_log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Add prompts and answers of a model to a file.")
    ] = None
    model_cache: ModelCache = None
    model_budget: ModelBudget = None


@command_with(JoinFlags)
def join(flags: JoinFlags) -> None:
    """Let a bot, a command or a language model play on an arena. If the connection is lost, it is opened again.

    \b
    parlour join http://127.0.0.1:8000 GAME mybot.py
    parlour join http://127.0.0.1:8000 GAME "exec:./mybot" --matches 100
    parlour join http://127.0.0.1:8000 GAME "exec+GAME:./mybot" --table ID --key KEY
    parlour join http://127.0.0.1:8000 GAME mybot.py --league ID
    """
    from parlour.cli.joining import join_arena  # slow to import

    join_arena(flags)
