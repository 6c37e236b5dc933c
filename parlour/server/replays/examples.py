"""A short match of each game between built-in bots."""

from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

from parlour.core import Game
from parlour.players.play import play
from parlour.players.player_specs import load
from parlour.players.terms import Terms
from parlour.referee.frames import RecordedMatch
from parlour.referee.log import MemoryLog
from parlour.referee.timeline import Example

MOST_FRAMES = 150
MOST_BYTES = 1_000_000
USUAL_SEATS = 4


def example(game: Game[Any]) -> bytes:
    """An example as JSON; the same bots and the same seed each time."""
    seed = sha256(f"example of {game.name}".encode()).digest()
    lines: list[bytes] = []

    specs = [load(game, name) for name in _players(game)]
    play(Terms(game=game, options=game.hosting.short), specs, seed, MemoryLog(lines))
    match = RecordedMatch(game, lines, seed)
    most = MOST_FRAMES
    while len(body := _thinned(match, most)) > MOST_BYTES and most > 1:
        most = most * 3 // 4
    return body


def _players(game: Game[Any]) -> list[str]:
    """The strongest bot against weaker ones."""
    fewest, most = game.table_seats()[0], game.table_seats()[-1]
    others = max(fewest, min(USUAL_SEATS, most)) - 1
    return [game.hosting.best_bot(), *[game.hosting.house_bot] * (others - 1), *["random"][:others]]


def _thinned(match: RecordedMatch, most: int) -> bytes:
    """The example with at most so many frames: the first, the last, and some between at equal distances."""
    last = match.total - 1
    wanted = {round(place * last / max(1, most - 1)) for place in range(most)} if last >= most else range(last + 1)
    frames = [frame for frame in match.frames(None, 0, match.total) if frame.n in wanted]
    shown = tuple(replace(frame, events=(), answer=None) for frame in frames)
    return msgspec.json.encode(Example(match.timeline(None), shown))
