"""Matches of built-in bots, so that an empty server has something to watch."""

import asyncio
from random import Random
from typing import Any

from parlour import plugins
from parlour.core import Game
from parlour.protocol.forms import Plan, TableTerms
from parlour.protocol.reports import tell, tell_bug
from parlour.store.store import Store
from parlour.store.tidy import tidy_bot_matches
from parlour.tables.arena import Arena
from parlour.tables.match_setup import short_options

PACE_S = 1.2
"""How long the bots take for an answer; at most half the time limit."""
RETRY_S = 60.0
"""Pause after a failure."""


def keep_house_tables(store: Store, arena: Arena, pause_s: float) -> None:
    """Let bots play each game that is not being played, until the arena is closed."""
    for game in plugins.games():
        if game.hosting.seating != "open":
            arena.run(_keep_playing(store, arena, game, pause_s))


async def _keep_playing(store: Store, arena: Arena, game: Game[Any], pause_s: float) -> None:
    """Begin a match when none of the game has run for `pause_s`; the first one at once."""
    while True:
        try:
            await _play_one(store, arena, game)
            pause = pause_s
        except Exception as e:
            tell_bug("house table", e, game=game.name)
            pause = max(pause_s, RETRY_S)
        await asyncio.sleep(pause)


async def _play_one(store: Store, arena: Arena, game: Game[Any]) -> None:
    """Wait for the end of a match of the game, which is begun if none is running."""
    running = [playing for playing in arena.playing.values() if playing.match.game is game]
    if not running:
        await tidy_bot_matches(store, game.name)
        table, _ = await arena.create(game.name, lineup(game, Random()), house_terms(game), None)
        tell("house table", match=table.id, game=game.name)
        running = [arena.playing[table.id]] if table.id in arena.playing else []
    for playing in running:
        await playing.ended.wait()


def lineup(game: Game[Any], choice: Random) -> list[Plan]:
    """The best bot and others, in any order: as few as can play, and different ones as far as there are enough."""
    bots, best = game.hosting.strengths, game.hosting.best_bot()
    others = [bot for bot in game.hosting.bots if bot != best]
    choice.shuffle(others)
    others.sort(key=lambda bot: bots[bot] == "random")  # the random bot only if there are no others
    names = [best, *others]
    seats = game.table_seats()
    seated = [names[n % len(names)] for n in range(min(max(2, seats[0]), seats[-1]))]
    choice.shuffle(seated)
    return [Plan("bot", name) for name in seated]


def house_terms(game: Game[Any]) -> TableTerms:
    """A quick match, slow enough to follow."""
    return TableTerms(options=short_options(game), pace_s=min(PACE_S, game.hosting.limit_s / 2))
