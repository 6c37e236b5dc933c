"""Run an arena from the command line."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.table import Table
from sqlalchemy.exc import SQLAlchemyError

from parlour import plugins
from parlour.cli.common import StoreFailed, UserError, stderr
from parlour.cli.inspect_commands import program
from parlour.protocol.errors import RequestError
from parlour.server.agents.mcp_endpoint import is_wanted
from parlour.server.main import Serving
from parlour.server.net.web_server import run
from parlour.server.ops.garbage import tuned_collector
from parlour.server.ops.model_seats import read_models
from parlour.server.settings import BadSettings, Settings, read_settings
from parlour.server.startup import LockLost, started
from parlour.store.database import BadUrl, NewerStore, file_of, locked, without_password
from parlour.store.failures import StoreGone, words_of
from parlour.store.lock import StoreInUse

AGAIN_S = 2.0
"""How long to wait between two tries to reach the database."""


def run_arena(file: Path | None, **flags: Any) -> None:
    """Read the settings, and serve until the command is stopped."""
    try:
        settings = read_settings(file, **flags)
        settings.dialects()
        read_models(settings)
    except BadSettings as e:
        raise UserError(f"settings: {e}") from None
    for name in (settings.certificate, settings.certificate_key):
        if name is not None and not Path(name).is_file():
            raise UserError(f"{name}: there is no such file")
    run(_serve(settings))


async def _serve(settings: Settings) -> None:
    """Serve until cancelled. When the lock of the store is lost, park all matches and restart from the store; and again
    if the database fails during that."""
    try:
        await _serve_until_lost(settings)
        while True:
            await _wait_for(settings.store)
            try:
                await _serve_until_lost(settings)
            except NewerStore:
                raise
            except (BadUrl, SQLAlchemyError, StoreGone) as e:
                await _rest_after(e)
    except (BadUrl, StoreInUse) as e:
        raise UserError(f"store: {e}") from None
    except (SQLAlchemyError, StoreGone) as e:
        raise StoreFailed(without_password(settings.store), words_of(e)) from None
    except RequestError as e:
        raise UserError(f"settings: {e.words}") from None


async def _serve_until_lost(settings: Settings) -> None:
    """Serve until the lock of the store is lost."""
    try:
        async with started(settings) as (serving, lost):
            _announce(settings, serving)
            with tuned_collector():
                raise LockLost(await asyncio.shield(lost))
    except LockLost as e:
        stderr.print(f"The lock of the store was lost ({e}): all matches are parked", soft_wrap=True)


async def _wait_for(store: str) -> None:
    """Wait until the database answers again; BadUrl if its file has been deleted."""
    file = file_of(store)
    if file is not None and not Path(file).is_file():
        raise BadUrl(f"the store {file} no longer exists")
    while True:
        try:
            await (await locked(store)).release()
            return
        except BadUrl as e:
            await _rest_after(e)


async def _rest_after(failure: Exception) -> None:
    stderr.print(f"The store does not answer ({words_of(failure)}); trying again", soft_wrap=True)
    await asyncio.sleep(AGAIN_S)


def _announce(settings: Settings, serving: Serving) -> None:
    """Print all addresses, what to try first, and all problems."""
    here = _at(settings.address, serving.port)
    s = "" if settings.certificate is None else "s"
    web, socket = f"http{s}://{here}", f"ws{s}://{here}"
    stderr.print(f"The arena is at {web}; Ctrl-C parks it, and nothing is lost", style="bold", soft_wrap=True)
    table = Table.grid(padding=(0, 2))
    for what, where in [*_ways(settings, serving, web, socket), *_more(settings, serving, web, socket)]:
        table.add_row(f"  {what}", where)
    stderr.print(table, soft_wrap=True)
    for port in serving.taken:
        stderr.print(f"  port {port} is in use; skipped. See `listeners` in the settings", soft_wrap=True)
    for problem in serving.problems:
        stderr.print(f"  {problem}", style="red", soft_wrap=True)
    for trouble in serving.arena.broken:
        stderr.print(f"  cannot resume {trouble}", style="red", soft_wrap=True)
    for id, left in serving.arena.not_resumed.items():
        stderr.print(f"  {left.stored.game} {id} is not resumed: {left.why}", style="red", soft_wrap=True)
    if serving.arena.not_resumed:
        stderr.print("  They are kept as they are, for a release that has their rules", style="red", soft_wrap=True)


def _ways(settings: Settings, serving: Serving, web: str, socket: str) -> Iterator[tuple[str, str]]:
    """The addresses of each game."""
    tcp = "" if serving.tcp_port is None else f"; TCP {_at(settings.address, serving.tcp_port)}"
    yield "in a browser", f"open {web} to play, watch and replay"
    yield "every game", f"protocol 1 at {socket}/play/GAME{tcp}"
    ports: defaultdict[str, list[str]] = defaultdict(list)
    for where, port in serving.listeners.items():
        name, _, dialect = where.partition("/")
        ports[name].append(f"TCP {_at(settings.address, port)}" + (f" ({dialect})" if dialect else ""))
    for game in plugins.games():
        if game.hosting.socket_dialect is not None:
            ports[game.name].append(f"{socket}/ws/{game.name}")
        if (venue := serving.venues.get(game.name)) is not None:
            ports[game.name] += venue.addresses(web, socket)
        yield game.title, "; ".join(ports[game.name])


def _more(settings: Settings, serving: Serving, web: str, socket: str) -> Iterator[tuple[str, str]]:
    arena = serving.arena
    yield "to watch", f"{socket}/watch/MATCH; {web}/api/matches/MATCH/events"
    if is_wanted(settings):
        yield "agents", f"MCP at {web}/mcp"
    yield "API", f"{web}/api, described at {web}/schema"
    going_on = sum(bool(playing.match.names) for playing in arena.playing.values())  # a room may be empty
    yield (
        "store",
        f"{without_password(settings.store)}; open tables: {len(arena.open)}, running matches: {going_on}",
    )
    if serving.arena.dealer.models:
        yield "models", ", ".join(f"command:{name}" for name in serving.arena.dealer.models)
    if games := plugins.games():
        yield "try", f"{program()} join {web} {games[0].name} random"


def _at(address: str, port: int) -> str:
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
