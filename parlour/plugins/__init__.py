"""Find games, venues and commands of this package and of others through entry points.

A plug-in is loaded when it is first needed. It is skipped if it is broken, has the name of another, or was made for
another version of the interface; `found` gives the reason.
"""

import math
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from parlour.core import INTERFACE, Game

Group: TypeAlias = Literal["parlour.games", "parlour.venues", "parlour.commands"]
GAMES: Group = "parlour.games"
VENUES: Group = "parlour.venues"
COMMANDS: Group = "parlour.commands"
GROUPS: tuple[Group, ...] = (GAMES, VENUES, COMMANDS)
OURS = "parlour"


class Plugin(Struct, frozen=True):
    """An entry point of an installed package."""

    group: Group
    name: str
    source: str
    """The plug-in's object: MODULE:NAME."""
    package: str
    """The package that contains it, with its version."""
    error: str = ""
    """Why it is skipped; empty if it is used."""


class BrokenPlugin(Exception):
    """A plug-in of that name is installed, but cannot be used."""


def game(name: str) -> Game[Any]:
    """The game of that name; KeyError if there is none, BrokenPlugin if it cannot be used."""
    loaded: Game[Any] = load(GAMES, name)
    return loaded


def find_game(name: str) -> Game[Any] | None:
    """The game of that name; None if there is none that can be used."""
    try:
        return game(name)
    except (KeyError, BrokenPlugin):
        return None


def games() -> list[Game[Any]]:
    """All games that can be used: first those with default ports, ordered by port, then the others by title."""
    usable = [game(plugin.name) for plugin in found(GAMES) if not plugin.error]
    return sorted(usable, key=lambda game: (min(game.hosting.ports.values(), default=math.inf), game.title))


def names() -> tuple[str, ...]:
    """The names of all games that can be used, as in `games`."""
    return tuple(game.name for game in games())


def load(group: Group, name: str) -> Any:
    """The object of a plug-in; KeyError if there is none of that name, BrokenPlugin if it cannot be used."""
    loaded, error = _loaded(group, name)
    if error:
        raise BrokenPlugin(f"{name!r} cannot be used: {error}")
    return loaded


@cache
def found(group: Group) -> tuple[Plugin, ...]:
    """All plug-ins of a group, ours first, with the reason for each that is skipped. Loads all of them."""
    return tuple(
        _plugin(point, group, _why_skipped(point, points)) for points in _points(group).values() for point in points
    )


def skipped() -> list[Plugin]:
    """The plug-ins of all groups that are skipped."""
    return [plugin for group in GROUPS for plugin in found(group) if plugin.error]


def refresh() -> None:
    """Search for plug-ins again."""
    for cached in (_points, _loaded, found):
        cached.cache_clear()


@cache
def _points(group: Group) -> dict[str, tuple[EntryPoint, ...]]:
    """The entry points of a group, by name. Of several with the same name, ours is first."""
    points: dict[str, tuple[EntryPoint, ...]] = {}
    for point in sorted(entry_points(group=group), key=lambda point: not _is_ours(point)):
        points[point.name] = (*points.get(point.name, ()), point)
    return points


@cache
def _loaded(group: Group, name: str) -> tuple[Any, str]:
    """The object of a plug-in, or why it is skipped; KeyError if there is no plug-in of that name."""
    points = _points(group)[name]
    if len(points) > 1 and not _is_ours(points[0]):
        return None, _same_name(points[1:])
    try:
        loaded = points[0].load()
    except (Exception, SystemExit) as e:
        return None, " ".join(f"{type(e).__name__}: {e}".split())
    return loaded, _why_unfit(loaded, name) if group == GAMES else ""


def _why_skipped(point: EntryPoint, points: tuple[EntryPoint, ...]) -> str:
    if point is not points[0] and (len(points) > 1 and _is_ours(points[0])):
        return _same_name(points[:1])
    if len(points) > 1 and not _is_ours(points[0]):
        return _same_name([other for other in points if other is not point])
    return _loaded(_group(point), point.name)[1]


def _why_unfit(loaded: Any, name: str) -> str:
    """Why an object is not the game of that name; empty if it is."""
    if not isinstance(loaded, Game):
        return f"a {type(loaded).__name__} is not a Game"
    if loaded.interface != INTERFACE:
        return f"made for version {loaded.interface} of the Game interface; this Parlour has version {INTERFACE}"
    if loaded.name != name:
        return f"the game calls itself {loaded.name!r}"
    return ""


def _same_name(others: Any) -> str:
    return f"{' and '.join(_package(other) for other in others)} has a plug-in of the same name"


def _is_ours(point: EntryPoint) -> bool:
    return point.dist is not None and point.dist.name == OURS


def _group(point: EntryPoint) -> Group:
    return next(group for group in GROUPS if group == point.group)


def _package(point: EntryPoint) -> str:
    return "unknown" if point.dist is None else f"{point.dist.name} {point.dist.version}"


def _plugin(point: EntryPoint, group: Group, error: str) -> Plugin:
    return Plugin(group, point.name, point.value, _package(point), error)
