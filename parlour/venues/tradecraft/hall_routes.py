"""Routes of tradeCraft under `/api`: the halls, and the recipe book."""

from functools import cache
from gzip import compress
from typing import Any

import msgspec
from litestar import Response, Router, get
from msgspec import Struct

from parlour.core import Game
from parlour.games.tradecraft.answers import Formula, formula
from parlour.games.tradecraft.recipes import DIGEST, SMELT, book
from parlour.server.api.app import AnyRequest
from parlour.server.api.page import ALWAYS_ASK, ServedFile
from parlour.server.api.replays import answers
from parlour.tables.arena import Arena
from parlour.venues.tradecraft.hall import HallInfo, hall_info

JSON = "application/json"


class HallList(Struct, frozen=True):
    """All halls, by size."""

    halls: tuple[HallInfo, ...]


class RecipeBook(Struct, frozen=True):
    """All recipes, with the facts that are needed to follow them."""

    digest: str
    """SHA-256 of the book, as in the header of transcripts."""
    smelt: int
    """Ticks of fuel for one batch in a furnace."""
    recipes: tuple[Formula, ...]
    tags: dict[str, tuple[str, ...]]
    """The items of each tag."""
    fuels: dict[str, int]
    """Burning time of one item, in ticks."""
    containers: dict[str, str]
    """By item: the container that is returned when it is used up."""


def recipe_book() -> RecipeBook:
    """The book as it is sent."""
    pages = book()
    tags = {name: tuple(sorted(items)) for name, items in sorted(pages.tags.items())}
    return RecipeBook(DIGEST, SMELT, tuple(map(formula, pages.recipes)), tags, pages.fuels, pages.containers)


@cache
def _served_book() -> ServedFile:
    body = msgspec.json.encode(recipe_book())
    return ServedFile(JSON, {"": body, "gzip": compress(body, mtime=0)}, DIGEST[:32])


def hall_routes(arena: Arena, game: Game[Any]) -> Router:
    """The routes of all halls. They need no token."""

    @get("/halls", sync_to_thread=False)
    def halls() -> HallList:
        """The halls of tradeCraft: their tables, and who waits for others."""
        return HallList(tuple([hall_info(arena, game, seats) for seats in game.table_seats()]))

    @get("/recipes", responses=answers(RecipeBook), sync_to_thread=True)
    def recipes(request: AnyRequest) -> Response[bytes]:
        """The recipe book of tradeCraft."""
        return _served_book().answer(request, ALWAYS_ASK)

    return Router("/api", route_handlers=[halls, recipes])
