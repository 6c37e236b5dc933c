"""Play a short match of ColorfightII and write the views that its tutorial shows.

python web/scripts/colorfight_tutorial.py web/src/tables/colorfight/tutorial.json
"""

import sys
from pathlib import Path

import msgspec

from parlour.core import Close, Dice
from parlour.games.colorfight import bots, general
from parlour.games.colorfight.rules import State
from parlour.games.colorfight.values import Options, View

SEED = 20
ROUNDS = 45
SHOWN = (0, 4, 12, 28, ROUNDS)
"""How many rounds have been played in each step."""


def views() -> list[View]:
    """The position at the beginning, and after each round."""
    state = State.new(3, Options(width=12, height=10, max_turn=ROUNDS), None, Dice(SEED.to_bytes(4, "big")))
    dice, players = Dice(b"bots"), (bots.greedy, general.general, bots.random)
    seen = [state.view(None)]
    while not state.is_over():
        for seat, ask in state.asks().items():
            if seat is not None:
                state.play(seat, players[seat](state.view(seat), ask, dice))  # type: ignore[arg-type]  # an Orders
        state.play(None, Close())
        seen.append(state.view(None))
    return seen


def text() -> str:
    seen = views()
    return "[\n" + ",\n".join(msgspec.json.encode(seen[turn]).decode() for turn in SHOWN) + "\n]\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(text())
