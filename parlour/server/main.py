"""One server for all games: creates its parts and runs them."""

import logging
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from litestar import Response, Router, get
from litestar.exceptions import HTTPException
from litestar.types import ASGIApp, ExceptionHandlersMap
from msgspec import Struct
from sqlalchemy.engine import make_url

import parlour
from parlour.protocol.errors import STORE_FAILED, RequestError
from parlour.protocol.forms import Problem
from parlour.protocol.reports import tell, tell_bug
from parlour.server.accounts import Doorkeeper
from parlour.server.agents.agent_desk import AgentDesk
from parlour.server.agents.mcp_endpoint import McpEndpoint, is_wanted
from parlour.server.api.accounts import AccountRoutes
from parlour.server.api.admin import AdminRoutes
from parlour.server.api.app import document_of, new_app, on_bug, on_http_error, problem
from parlour.server.api.authors import AuthorRoutes
from parlour.server.api.chat import ChatRoutes
from parlour.server.api.front_page import front
from parlour.server.api.host import BadNames, HostRoutes, on_bad_names
from parlour.server.api.leagues import LeagueRoutes
from parlour.server.api.matches import GameRoutes, TableRoutes
from parlour.server.api.model_seats import ModelRoutes
from parlour.server.api.open_ports import OpenPorts, open_ports, port_router
from parlour.server.api.page import FOLDER, BuiltPage, read_page, with_not_found
from parlour.server.api.ratings import RatingRoutes
from parlour.server.api.replays import ReplayRoutes
from parlour.server.api.requests import Routes, on_request_error, only_json, refusals
from parlour.server.api.seat_owners import SeatOwners
from parlour.server.api.standings import StandingsRoute
from parlour.server.api.streams import streams
from parlour.server.api.table_limits import TableLimits
from parlour.server.joining import ClientDesk
from parlour.server.leagues.runner import LeagueRunner
from parlour.server.net.attempts import Attempts
from parlour.server.net.listeners import Listeners
from parlour.server.net.login_limits import LoginLimits
from parlour.server.net.play_sockets import PlaySockets
from parlour.server.net.ports import Ports, bound
from parlour.server.net.web_server import serving
from parlour.server.ops.administration import Administration
from parlour.server.ops.health import Readiness
from parlour.server.ops.house_tables import keep_house_tables
from parlour.server.ops.housekeeping import keep_tidy
from parlour.server.ops.logs import loop_errors, seldom, tell_dropped, written
from parlour.server.ops.metrics import MEDIA_TYPE, ArenaFigures, DurableLines, Metrics
from parlour.server.ops.model_seats import AccountModels, load_clients, read_models
from parlour.server.ops.overview import Observatory
from parlour.server.ops.seat_texts import TextKeeper
from parlour.server.replays.processes import StoredReplays
from parlour.server.settings import MOST_DEPTH, BadSettings, Settings
from parlour.server.venue import OpenVenue, Premises, installed_venues, venue_problems
from parlour.store.database import SqliteDatabase
from parlour.store.failures import is_store_failure
from parlour.store.match_log import StoredLog
from parlour.store.store import Store
from parlour.tables.arena import Arena
from parlour.tables.house import HousePlan, new_house


class Serving(Struct, frozen=True):
    """A running server: its arena, its ports and its venues."""

    arena: Arena
    port: int
    tcp_port: int | None
    listeners: dict[str, int]
    """Ports of the games' own protocols, by GAME or GAME/DIALECT."""
    taken: tuple[int, ...]
    """Default ports that were skipped because another program uses them."""
    venues: Mapping[str, OpenVenue]
    """By game, the venues that are open."""
    problems: tuple[str, ...]
    """One line for each venue that is broken or missing."""
    replays: StoredReplays
    """Replays finished matches."""
    client_desk: ClientDesk
    """Seats all clients, and has a list of those that are connected."""
    agents: AgentDesk
    """The seats of agents."""


@asynccontextmanager
async def served(
    settings: Settings,
    store: Store,
    ports: Ports | None = None,
    page_folder: Path = FOLDER,
    plan: HousePlan | None = None,
) -> AsyncIterator[Serving]:
    """Resume all matches and serve until the block ends; then park them. `ports` may be bound already. With a plan,
    only its game is served, as the plan says, and there are no accounts."""
    premises = _premises(settings, store, plan)
    ports = bound(settings) if ports is None else ports
    arena, desk, metrics = premises.arena, premises.client_desk, premises.metrics
    listeners, mcp = Listeners(desk, settings), McpEndpoint(AgentDesk(premises), settings, metrics)
    administration = Administration(store, arena, premises.doorkeeper)
    replays, page, texts = StoredReplays(), read_page(page_folder), TextKeeper(store, arena.logs)
    routers = _routers(premises, administration, replays, texts)
    tcp = open_ports(ports, settings)
    routers += [port_router(tcp), front() if page is None else page.routes()]
    with written(settings.log), loop_errors(), _watched(store, arena, metrics):
        async with AsyncExitStack() as parts:  # the parts stop from the last to the first
            parts.callback(ports.close)
            parts.push_async_callback(texts.try_to_save)
            start = new_house(arena, plan, parts)
            for part in (mcp, arena, listeners, replays):
                parts.push_async_callback(part.close)
            web = await parts.enter_async_context(AsyncExitStack())  # stops after the matches of the venues
            await arena.start()
            _run_background(premises, administration, texts)
            desk.venues, problems = await _open_venues(premises, parts)
            sockets, app = PlaySockets(arena, desk, settings), _app(routers, premises, mcp, page)
            build = parlour.__version__ if page is None else page.build
            port = await web.enter_async_context(serving(ports.web, app, settings, metrics, sockets.find, build))
            for close in (*(venue.close for venue in desk.venues.values()), desk.park):
                web.push_async_callback(close)
            await _listen(listeners, ports, settings)
            start()
            tell("serving", port=port, tables=len(arena.open), matches=len(arena.playing))
            yield Serving(
                arena, port, tcp.protocol_1, tcp.own, ports.taken, desk.venues, problems, replays, desk, mcp.desk
            )


def _app(routers: Sequence[Router], premises: Premises, mcp: McpEndpoint, page: BuiltPage | None) -> ASGIApp:
    """The web application with what the venues add, and with MCP if it is wanted."""
    venues, settings = premises.client_desk.venues.values(), premises.settings
    more = [router for venue in venues for router in venue.routes()]
    app = new_app([*routers, *more], _on_error(premises.metrics), settings.message_bytes)
    for venue in venues:
        app = venue.wrap(app)
    if is_wanted(settings):
        app = mcp.wrap(app)
    return app if page is None else with_not_found(app, page)


def _run_background(premises: Premises, administration: Administration, texts: TextKeeper) -> None:
    """Start the background tasks, which run until the arena is closed."""
    store, arena, settings = premises.store, premises.arena, premises.settings
    arena.run(load_clients(arena.dealer.models))
    arena.run(texts.run())
    arena.run(keep_tidy(store, settings.guests_days, settings.chat_days))
    arena.run(administration.run())
    if arena.only is None:
        arena.run(LeagueRunner(store, arena, settings.league_matches).run())
    if settings.house_tables_s is not None:
        keep_house_tables(store, arena, settings.house_tables_s)


def _premises(settings: Settings, store: Store, plan: HousePlan | None = None) -> Premises:
    """Create the parts of the server that venues use."""
    metrics = Metrics()
    arena = Arena(
        store,
        partial(StoredLog, store),
        settings.commands,
        quick_s=settings.quick_s,
        return_s=settings.return_s,
        connect_s=settings.hello_s,
    )
    arena.dealer.models = read_models(settings)
    arena.model_seats = AccountModels(store, arena.logs, settings)
    doorkeeper = Doorkeeper(store, settings, has_accounts=plan is None)
    arena.barred = doorkeeper.barred
    arena.dropped = partial(tell_dropped, metrics)
    client_desk = ClientDesk(arena, doorkeeper, settings, metrics)
    return Premises(
        plan=plan,
        store=store,
        arena=arena,
        client_desk=client_desk,
        doorkeeper=doorkeeper,
        settings=settings,
        tries=Attempts(settings.tries_a_minute),
        logins=LoginLimits(settings.wrong_logins_a_minute),
        guests=client_desk.guests,
        metrics=metrics,
    )


def _routers(
    premises: Premises, administration: Administration, replays: StoredReplays, texts: TextKeeper
) -> list[Router]:
    """All routes except those of venues and of the page."""
    store, arena, settings, metrics = premises.store, premises.arena, premises.settings, premises.metrics
    readiness, limits = Readiness(store), TableLimits(arena, settings)
    owners, shown = SeatOwners(arena, premises.doorkeeper), ReplayRoutes(store, replays)
    parts: Sequence[Routes] = (
        GameRoutes(premises),
        AccountRoutes(premises, administration, texts),
        AdminRoutes(premises, administration),
        HostRoutes(premises, Observatory(premises, readiness, limits)),
        shown,
        AuthorRoutes(premises, owners, texts, shown),
        ChatRoutes(premises),
        StandingsRoute(store),
        LeagueRoutes(premises, administration),
        RatingRoutes(store),
        ModelRoutes(premises, owners, texts, shown),
        TableRoutes(premises, limits, owners),
    )
    read = partial(only_json, most_depth=min(settings.message_depth, MOST_DEPTH))
    return [
        Router("/api", route_handlers=[route for part in parts for route in part.routes()], before_request=read),
        streams(arena, premises.doorkeeper, settings, metrics),
        _health(readiness, metrics),
    ]


async def api_document() -> dict[str, Any]:
    """The OpenAPI document of an arena and its venues. No store is opened."""
    store = Store(SqliteDatabase(make_url("sqlite://")))
    premises = _premises(Settings(), store)
    administration = Administration(store, premises.arena, premises.doorkeeper)
    try:
        texts = TextKeeper(store, premises.arena.logs)
        routers = _routers(premises, administration, StoredReplays(), texts)
        venues = [venue for venue in installed_venues().values() if venue is not None]
        routers += [router for venue in venues for router in venue.api_routes(premises)]
        return document_of([*routers, port_router(OpenPorts())])
    finally:
        await store.close()


async def _open_venues(premises: Premises, parts: AsyncExitStack) -> tuple[dict[str, OpenVenue], tuple[str, ...]]:
    """Open the venues, by game, and have `parts` park them; also one line for each that cannot be opened."""
    opened: dict[str, OpenVenue] = {}
    problems = venue_problems()
    for line in problems:
        tell("no venue", logging.WARNING, why=line)
    for name, venue in installed_venues().items():
        if venue is None or premises.arena.only not in (None, name):
            continue
        try:
            place = await venue.open(premises.settings.venue(name, venue.settings), premises)
        except Exception as e:
            if isinstance(e, RequestError | BadSettings) or is_store_failure(e):
                raise
            tell_bug("venue", e, venue=name)
            problems.append(f"the venue {name!r} cannot be opened: {type(e).__name__}: {e}")
            continue
        if place is not None:
            opened[name] = place
            parts.push_async_callback(place.park)
    return opened, tuple(problems)


async def _listen(listeners: Listeners, ports: Ports, settings: Settings) -> None:
    """Listen on the TCP ports of protocol 1 and of the games' own protocols."""
    if ports.lines is not None:
        await listeners.open(ports.lines)
    for where, _, game, make in settings.dialects():
        if where in ports.dialects:
            await listeners.open_dialect(ports.dialects[where], game, make)


def _on_error(metrics: Metrics) -> ExceptionHandlersMap:
    return {
        BadNames: on_bad_names,
        RequestError: on_request_error(metrics),
        HTTPException: on_http_error,
        Exception: on_bug(lambda path, error: tell_bug("bug", error, path=path)),
    }


@contextmanager
def _watched(store: Store, arena: Arena, metrics: Metrics) -> Iterator[None]:
    """Count and log what becomes durable, until the block ends."""
    seldom.forget()
    metrics.registry.register(ArenaFigures(arena, store.writer))
    listener = DurableLines(arena, metrics)
    store.writer.listeners.append(listener)
    arena.timed = metrics.answered
    try:
        yield
    finally:
        store.writer.listeners.remove(listener)


def _health(readiness: Readiness, metrics: Metrics) -> Router:
    @get("/metrics", media_type="text/plain")
    async def figures() -> Response[bytes]:
        """Metrics for Prometheus."""
        return Response(metrics.text(), media_type=MEDIA_TYPE)

    @get("/health")
    async def health() -> dict[str, str]:
        """Whether the server is up."""
        return {"status": "ok"}

    @get("/ready", responses=refusals(503))
    async def ready() -> Response[dict[str, str]] | Response[Problem]:
        """Whether the store takes a test write."""
        try:
            await readiness.check()
        except Exception as e:
            tell_bug("not ready", e)
            return problem(503, *STORE_FAILED)
        return Response({"status": "ready"})

    return Router("/", route_handlers=[figures, health, ready])
