"""Host a game in its venue, or a table over the web."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec

from parlour import plugins
from parlour.cli.common import UserError, stderr
from parlour.cli.options import read_settings
from parlour.cli.play_commands import summary
from parlour.core import BadOptions, Game
from parlour.players.play import Played
from parlour.players.player_specs import Spec
from parlour.referee.match import Match
from parlour.server.api.app import new_app
from parlour.server.net.web_server import Manner, run, serving
from parlour.server.net.websocket_tables import PATH, lines_over_websocket
from parlour.server.venue import HostTerms, OpenVenue, find_venue
from parlour.tables.host import Host, NewTable


@asynccontextmanager
async def host_web(host: Host, game: Game[Any], address: str, port: int) -> AsyncIterator[None]:
    """Serve a host's table over WebSocket, and over what the game's venue adds."""
    try:
        venue = find_venue(game.name)
    except plugins.BrokenPlugin as e:
        stderr.print(f"  the venue {e}", style="red", soft_wrap=True)
        venue = None
    more = (None if venue is None else venue.open_at(host)) or OnlyWebSocket()
    app = more.wrap(new_app(more.routes()))
    async with serving(app, address, port, Manner(peers=lines_over_websocket(host))) as port:
        web, socket = f"http://{address}:{port}", f"ws://{address}:{port}"
        for line in (f"over WebSocket: {socket}{PATH}", *more.addresses(web, socket)):
            stderr.print(f"  {line}", soft_wrap=True)
        try:
            yield
        finally:
            await more.close()


class OnlyWebSocket(OpenVenue):
    """Adds nothing, for a game without a venue."""


def host_in_venue(
    game: Game[Any],
    bots: Sequence[Spec],
    settings: Sequence[str],
    address: str,
    port: int,
    admin_password: str | None,
    new_table: NewTable,
    once: bool,
) -> None:
    """Host a game that has no tables until the command is stopped or, if `once`, the first match has ended."""
    try:
        venue = find_venue(game.name)
    except plugins.BrokenPlugin as e:
        raise UserError(f"the venue {e}") from None
    terms = HostTerms(
        address=address,
        port=port,
        bots=tuple(bots),
        options=read_settings(game, settings, () if venue is None else tuple(venue.host_options)),
        admin_password=admin_password,
        once=once,
        new_table=new_table,
        ended=_print_result,
        announce=lambda line: stderr.print(line, soft_wrap=True),
    )
    try:
        hosted = None if venue is None else venue.host(terms)
    except BadOptions as e:
        raise UserError(f"--set: {e}") from None
    if hosted is None:
        raise UserError(f"{game.title} has no tables, and its venue is not installed")
    run(hosted)


def _print_result(match: Match[Any]) -> None:
    assert match.end is not None
    print(msgspec.json.encode(summary(Played(match, match.end, {}, {}))).decode(), flush=True)
