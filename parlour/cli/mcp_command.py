"""The command mcp."""

from typing import Annotated

import typer

from parlour.cli.arguments import OwnToken, app


@app.command()
def mcp(
    url: Annotated[
        str | None,
        typer.Argument(
            metavar="[URL]",
            envvar="PARLOUR_URL",
            show_envvar=True,
            help="An arena; without one, the agent plays against built-in bots on this machine.",
        ),
    ] = None,
    token: OwnToken = None,
    name: Annotated[str | None, typer.Option(metavar="NAME", help="The name of the agent, if it is a guest.")] = None,
    wait: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0.01,
            max=86400.0,
            help="Without an arena: how long a match waits for people who open the page.",
        ),
    ] = 0.1,
) -> None:
    """Let a desktop agent play: a server of the Model Context Protocol (MCP) on stdin and stdout.

    \b
    parlour mcp                          play against built-in bots, without any server
    parlour mcp http://127.0.0.1:8000    play on an arena, as a guest or with a token
    """
    from parlour.cli.mcp_stdio import serve_stdio  # slow to import

    serve_stdio(url, token, name, wait)
