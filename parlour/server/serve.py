"""One server for all games: puts the parts together and keeps them running."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Response, Router, get
from msgspec import Struct

from parlour.server.api import Api, Problem, on_trouble, problem
from parlour.server.app import new_app
from parlour.server.arena import Arena, Trouble
from parlour.server.auth import Attempts, Doorkeeper
from parlour.server.listeners import Listeners
from parlour.server.plays import plays
from parlour.server.settings import Settings
from parlour.server.ways import Ways
from parlour.server.web import serving
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
    arena, doorkeeper = Arena(store, settings.commands), Doorkeeper(store)
    ways = Ways(arena, doorkeeper)
    listeners = Listeners(ways)
    tries = Attempts(settings.tries_a_minute, 60.0, asyncio.get_running_loop().time)
    routers = [Api(arena, doorkeeper, tries).router(), plays(arena, ways), _health(store)]
    await arena.start()
    try:
        async with serving(new_app(routers, {Trouble: on_trouble}), settings.address, settings.port) as port:
            tcp_port = None if settings.tcp_port is None else await listeners.open(settings.address, settings.tcp_port)
            spoken = {
                where: await listeners.open_dialect(settings.address, wanted, rules, make)
                for where, wanted, rules, make in settings.dialects()
            }
            yield Serving(arena, port, tcp_port, spoken)
    finally:
        await listeners.close()
        await arena.close()


def _health(store: Store) -> Router:
    @get("/health")
    async def health() -> dict[str, str]:
        """Whether the server is there at all."""
        return {"status": "ok"}

    @get("/ready")
    async def ready() -> Response[dict[str, str]] | Response[Problem]:
        """Whether it can keep what it is told."""
        try:
            await store.ready()
        except Exception:
            return problem(503, "store_failed", "the store does not answer")
        return Response({"status": "ready"})

    return Router("/", route_handlers=[health, ready])
