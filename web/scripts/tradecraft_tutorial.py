"""Play a short match of tradeCraft and write the views that its tutorial shows.

python web/scripts/tradecraft_tutorial.py web/src/tables/tradecraft/tutorial.json
"""

import json
import sys
from pathlib import Path
from typing import Any

import msgspec

from parlour.core import Dice
from parlour.games.tradecraft.rules import State
from parlour.games.tradecraft.values import Apply, Check, Decide, Done, Options, Problem, Propose

VIEWER, OTHER = 0, 1
HANDS = {"coal": 3, "oak_planks": 4, "bread": 2}, {"stick": 3, "iron_ingot": 2, "apple": 5}
PROBLEM = Problem(HANDS, ({"torch": 4}, {"oak_boat": 1}))


def views() -> list[dict[str, Any]]:
    """The viewer's view at the start, with a proposal, after the decision, after crafting, and at the end."""
    state = State.new(2, Options(order="seats"), PROBLEM, Dice(b"tutorial"))
    seen = [view(state)]
    state.play(VIEWER, Propose(OTHER, {"bread": 1}, {"stick": 1}, "A bread for a stick?"))
    seen.append(view(state))
    state.play(OTHER, Decide("accept", "Deal."))
    seen.append(view(state))
    state.play(VIEWER, Check({"coal": 1, "stick": 1}, {"torch": 4}))
    state.play(VIEWER, Apply())
    crafted = view(state)
    seen.append({**crafted, "hands": [crafted["hand"], *crafted["hands"][1:]]})
    for seat in (VIEWER, OTHER):
        state.play(seat, Done())
    return [*seen, view(state)]


def view(state: State) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(msgspec.json.encode(state.view(VIEWER)))
    return told


def text() -> str:
    lines = ",\n".join(json.dumps(each) for each in views())
    return f"[\n{lines}\n]\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(text(), encoding="utf-8")
