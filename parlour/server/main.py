"""One server for all games: puts the parts together and keeps them running."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from functools import partial

from litestar import Response, Router, get
from litestar.exceptions import HTTPException
from litestar.types import ExceptionHandlersMap
from msgspec import Struct

from parlour import plugins
from parlour.server.accounts import Attempts, Doorkeeper, TokenTerms
from parlour.server.api.accounts import AccountRoutes
from parlour.server.api.admin import AdminRoutes
from parlour.server.api.app import STORE_FAILED, Problem, new_app, on_bug, on_http_error, problem
from parlour.server.api.front_page import front
from parlour.server.api.matches import Api
from parlour.server.api.requests import on_trouble, refusals
from parlour.server.api.streams import streams
from parlour.server.joining import Ways
from parlour.server.net.listeners import Listeners, count_refused
from parlour.server.net.login_limits import LoginLimits
from parlour.server.net.ports import Ports, bound
from parlour.server.net.web_server import Manner, serving_on
from parlour.server.ops.administration import Administration
from parlour.server.ops.health import Readiness
from parlour.server.ops.housekeeping import keep_tidy
from parlour.server.ops.logs import loop_errors, seldom, tell, tell_bug, tell_lines, written
from parlour.server.ops.metrics import MEDIA_TYPE, ArenaFigures, Metrics, Watched
from parlour.server.settings import Settings
from parlour.store.store import Store
from parlour.tables.arena import Arena
from parlour.tables.seating import Plan, Trouble
from parlour.venues.colorfight.channels import channels
from parlour.venues.colorfight.room_config import CONFIGS
from parlour.venues.colorfight.room_game import GAME
from parlour.venues.colorfight.rooms import Rooms
from parlour.venues.colorfight.stored_rooms import kept_rooms
from parlour.venues.tradecraft.arena_halls import Guests, pools


class Serving(Struct, frozen=True):
    """An arena that is served, and where."""

    arena: Arena
    port: int
    tcp_port: int | None
    listeners: dict[str, int]
    """By what is spoken there."""
    taken: tuple[int, ...]
    """Ports that somebody else has, of those that nobody has asked for by number."""
    rooms: Rooms | None
    """Of ColorfightII, unless there are to be none."""


@asynccontextmanager
async def served(settings: Settings, store: Store, ports: Ports | None = None) -> AsyncIterator[Serving]:
    """Resume all matches, then serve as long as the block lasts; then park them. Ports may have been bound before."""
    ports = bound(settings) if ports is None else ports
    arena = Arena(
        store,
        settings.commands,
        quick_s=settings.quick_s,
        return_s=settings.return_s,
        connect_s=settings.hello_s,
    )
    doorkeeper = Doorkeeper(store, TokenTerms(settings.token_days, settings.tokens_per_account))
    arena.barred, metrics = doorkeeper.barred, Metrics()
    time = asyncio.get_running_loop().time
    guests = Attempts(settings.guests_a_minute, 60.0, time)
    ways = Ways(arena, doorkeeper, hello_s=settings.hello_s, guests=guests, metrics=metrics)
    listeners = Listeners(ways, settings, metrics)
    tries = Attempts(settings.tries_a_minute, 60.0, time)
    logins = LoginLimits(settings.wrong_logins_a_minute, time)
    administration = Administration(store, arena, doorkeeper, ways)
    accounts = AccountRoutes(store, doorkeeper, tries, logins).routes()
    api = Api(arena, doorkeeper, tries, settings, [*accounts, *AdminRoutes(arena, doorkeeper, administration).routes()])
    routers = [api.router(), streams(arena, ways, settings, metrics), _health(store, metrics), front()]
    game = plugins.game("tradecraft")
    per_address, origins = settings.connections_per_address, settings.allowed_origins
    halls = pools(arena, ways, Guests(arena, doorkeeper, guests, game), game, per_address, origins)
    seldom.forget()
    with written(settings.log), loop_errors(), _watched(store, arena, metrics):
        async with AsyncExitStack() as parts:  # which stop from the last to the first
            parts.callback(ports.close)
            parts.push_async_callback(arena.close)
            parts.push_async_callback(listeners.close)
            web = await parts.enter_async_context(AsyncExitStack())  # rooms stop before those who talk over it
            await arena.start()
            arena.run(keep_tidy(store, settings.guests_days))
            arena.run(administration.run())
            ways.rooms = rooms = await _rooms(arena, settings, tries, logins)
            if rooms is not None:
                parts.push_async_callback(rooms.park)
                routers.append(channels(rooms))
            app = halls.app(new_app(routers, ON_ERROR, settings.message_bytes))
            port = await web.enter_async_context(serving_on(ports.web, app, _manner(settings, metrics)))
            web.push_async_callback(halls.close)
            web.push_async_callback(ways.park)
            tcp_port, spoken = await _opened(listeners, ports, settings)
            tell("serving", port=port, tables=len(arena.open), matches=len(arena.playing))
            yield Serving(arena, port, tcp_port, spoken, ports.taken, rooms)


async def _opened(listeners: Listeners, ports: Ports, settings: Settings) -> tuple[int | None, dict[str, int]]:
    """Let clients in at the ports of protocol 1 and of the games' own."""
    lines = None if ports.lines is None else await listeners.open(ports.lines)
    spoken = {
        where: await listeners.open_dialect(ports.dialects[where], game, make)
        for where, _, game, make in settings.dialects()
        if where in ports.dialects
    }
    return lines, spoken


async def _rooms(arena: Arena, settings: Settings, tries: Attempts, logins: LoginLimits) -> Rooms | None:
    if not settings.rooms:
        return None
    plans = [Plan("bot" if name in GAME.hosting.bots else "command", name) for name in settings.room_bots]
    return await kept_rooms(
        arena,
        arena.store,
        CONFIGS["constant-run"],
        bots=[arena.dealer.spec(GAME, plan) for plan in plans],
        admin_password=settings.admin_password,
        most=settings.rooms,
        tries=tries,
        ruleset=settings.room_ruleset,
        standing=settings.room_configs(),
        logins=logins,
    )


ON_ERROR: ExceptionHandlersMap = {
    Trouble: on_trouble,
    HTTPException: on_http_error,
    Exception: on_bug(lambda path, error: tell_bug("bug", error, path=path)),
}


@contextmanager
def _watched(store: Store, arena: Arena, metrics: Metrics) -> Iterator[None]:
    """Count and log what becomes durable, as long as the block lasts."""

    def game_of(match: str) -> str:
        playing = arena.playing.get(match)
        return "" if playing is None else playing.match.game.name

    writer = store.writer
    metrics.registry.register(ArenaFigures(arena, writer))
    store.writer = watched = Watched(writer, game_of, metrics.durable)
    watched.listeners += [metrics.told, tell_lines]
    arena.timed = metrics.answered
    try:
        yield
    finally:
        store.writer = writer


def _manner(settings: Settings, metrics: Metrics) -> Manner:
    return Manner(
        connections=settings.connections,
        per_address=settings.connections_per_address,
        requests_a_second=settings.requests_a_second,
        most_message=4 * settings.message_bytes,
        certificate=settings.certificate,
        certificate_key=settings.certificate_key,
        handshake_s=settings.hello_s,
        proxies=settings.trusted_proxies,
        refused=partial(count_refused, metrics, "web"),
    )


def _health(store: Store, metrics: Metrics) -> Router:
    readiness = Readiness(store)

    @get("/metrics", media_type="text/plain")
    async def figures() -> Response[bytes]:
        """Figures for Prometheus."""
        return Response(metrics.text(), media_type=MEDIA_TYPE)

    @get("/health")
    async def health() -> dict[str, str]:
        """Whether the server is there at all."""
        return {"status": "ok"}

    @get("/ready", responses=refusals(503))
    async def ready() -> Response[dict[str, str]] | Response[Problem]:
        """Whether it can store what it is told: it tries."""
        try:
            await readiness.check()
        except Exception as e:
            tell_bug("not ready", e)
            return problem(503, *STORE_FAILED)
        return Response({"status": "ready"})

    return Router("/", route_handlers=[figures, health, ready])
