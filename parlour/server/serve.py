"""One server for all games: puts the parts together and keeps them running."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from litestar import Response, Router, get
from litestar.exceptions import HTTPException
from litestar.types import ExceptionHandlersMap
from msgspec import Struct

from parlour.server.api import Api, on_trouble, refusals
from parlour.server.app import Problem, new_app, on_bug, on_http_error, problem
from parlour.server.arena import Arena, Trouble
from parlour.server.auth import Attempts, Doorkeeper
from parlour.server.listeners import Listeners
from parlour.server.logs import tell, tell_bug, tell_lines, written
from parlour.server.metrics import MEDIA_TYPE, ArenaFigures, Metrics, Watched
from parlour.server.plays import plays
from parlour.server.settings import Settings
from parlour.server.ways import Ways
from parlour.server.web import Manner, serving
from parlour.store.store import Store


class Serving(Struct, frozen=True):
    """An arena that is served, and where."""

    arena: Arena
    port: int
    tcp_port: int | None
    listeners: dict[str, int]
    """By what is spoken there."""


@asynccontextmanager
async def served(settings: Settings, store: Store) -> AsyncIterator[Serving]:
    """Serve as long as the block lasts; then park all matches."""
    arena, doorkeeper, metrics = Arena(store, settings.commands), Doorkeeper(store), Metrics()
    time = asyncio.get_running_loop().time
    guests = Attempts(settings.guests_a_minute, 60.0, time)
    ways = Ways(arena, doorkeeper, hello_s=settings.hello_s, guests=guests, metrics=metrics)
    listeners = Listeners(ways, settings, metrics)
    api = Api(arena, doorkeeper, Attempts(settings.tries_a_minute, 60.0, time), settings)
    routers = [api.router(), plays(arena, ways, settings, metrics), _health(store, metrics)]
    app = new_app(routers, ON_ERROR, settings.message_bytes)
    with written(settings.log), _watched(store, arena, metrics):
        await arena.start()
        try:
            async with serving(app, settings.address, settings.port, _manner(settings)) as port:
                tcp_port = None
                if settings.tcp_port is not None:
                    tcp_port = await listeners.open(settings.address, settings.tcp_port)
                spoken = {
                    where: await listeners.open_dialect(settings.address, wanted, rules, make)
                    for where, wanted, rules, make in settings.dialects()
                }
                tell("serving", port=port, tables=len(arena.open), matches=len(arena.playing))
                try:
                    yield Serving(arena, port, tcp_port, spoken)
                finally:
                    await ways.park()
        finally:
            await listeners.close()
            await arena.close()


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
    try:
        yield
    finally:
        store.writer = writer


def _manner(settings: Settings) -> Manner:
    return Manner(
        per_address=settings.connections_per_address,
        most_message=4 * settings.message_bytes,
        certificate=settings.certificate,
        certificate_key=settings.certificate_key,
        proxies=settings.trusted_proxies,
    )


def _health(store: Store, metrics: Metrics) -> Router:
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
        """Whether it can keep what it is told."""
        try:
            await store.ready()
        except Exception:
            return problem(503, "store_failed", "the store does not answer")
        return Response({"status": "ready"})

    return Router("/", route_handlers=[figures, health, ready])
