"""Host a game in its venue."""

from collections.abc import Sequence
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
from parlour.server.net.web_server import run
from parlour.server.venue import HostTerms, find_venue
from parlour.tables.host import NewTable


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
