"""Play a short match of Maze and write the views that its tutorial shows.

python web/scripts/maze_tutorial.py web/src/tables/maze/tutorial.json
"""

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from parlour.core import Dice
from parlour.games.maze import strategies
from parlour.games.maze.rules import State
from parlour.games.maze.values import Moved, Options, TakeTurn, View

VIEWER = 0
SIZE = 5
TURNS = range(6, 12)


def plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


def played(seed: int) -> list[tuple[View, list[Any]]]:
    """The viewer's view after every turn, each with the events since the view before."""
    state = State.new(2, Options(rows=SIZE, columns=SIZE), None, Dice(seed.to_bytes(4, "big")))
    dice = Dice(b"bots")
    moments: list[tuple[View, list[Any]]] = []
    while asks := state.asks():
        seat, ask = next(iter(asks.items()))
        assert seat is not None
        bot = strategies.euclid if seat == VIEWER else strategies.riemann
        if state.phase == "play" and not moments:
            moments.append((state.view(VIEWER), []))
        events = state.play(seat, bot(state.view(seat), ask, dice))
        if isinstance(ask, TakeTurn):
            moments.append((state.view(VIEWER), [event.seen_by(VIEWER) for event in events]))
    return [*moments, (state.view(VIEWER), [])]


def is_good(moments: list[tuple[View, list[Any]]]) -> bool:
    """Whether the match is short, the viewer wins by coming home, and its goal is nobody's home."""
    last = moments[-1][0]
    home = next((i for i, (view, _) in enumerate(moments) if view.going_home), 0)
    first = moments[0][0]
    is_clear = all(avatar.home != first.goal for avatar in first.avatars)
    return last.turn in TURNS and last.winners == (VIEWER,) and last.treasures == 1 and home >= 4 and is_clear


def chosen() -> list[tuple[View, list[Any]]]:
    return next(moments for seed in range(10_000) if is_good(moments := played(seed)))


def text() -> str:
    """The views, and the event between the second and the third."""
    moments = chosen()
    views = [view for view, _ in moments]
    home = next(view for view in views if view.going_home)
    steps = [views[0], views[1], views[2], views[3], home, views[-1]]
    moved = next(event for event in moments[2][1] if isinstance(event, Moved))
    lines = ",\n".join(json.dumps(plain(step), ensure_ascii=False) for step in steps)
    return f'{{"moved": {json.dumps(plain(moved))},\n"steps": [\n{lines}\n]}}\n'


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(text())
