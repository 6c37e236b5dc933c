"""Write random lists of orders of ColorfightII with what the rules make of them, for the tests of the page's own rules.

python web/scripts/colorfight_cases.py web/src/tables/colorfight/cases.json
"""

import json
import random
import sys
from pathlib import Path
from typing import Any

import msgspec

from parlour.core import Dice
from parlour.games.colorfight.orders import Work
from parlour.games.colorfight.rules import State
from parlour.games.colorfight.tables import HOME, MINE, WELL
from parlour.games.colorfight.values import Options, Ruleset

SEED = 11
COUNT = 40
SIZE = 4
ORDERS = 7
SEATS = 2
RULESETS: tuple[Ruleset, ...] = ("seed", "classic")
USED = ("ruleset", "width", "height", "owner", "building", "level", "attack_cost", "users")
"""Parts of the view that legality depends on."""


def cases() -> list[dict[str, Any]]:
    chance = random.Random(SEED)
    return [case(chance, RULESETS[number % 2]) for number in range(COUNT)]


def case(chance: random.Random, ruleset: Ruleset) -> dict[str, Any]:
    """A position, a list of seat 0, why each order fails (null: it does not), and what is left to spend."""
    state = position(chance, ruleset)
    view = msgspec.to_builtins(state.view(0))
    orders = [any_order(chance, view) for _ in range(ORDERS)]
    failed = errors(Work(state.land, state.rules, state.players), orders)
    left = {"energy": state.players[0].energy, "gold": state.players[0].gold}
    return {
        "view": {name: view[name] for name in USED},
        "orders": orders,
        "failed": [failed.get(place) for place in range(ORDERS)],
        "left": left,
    }


def errors(work: Work, orders: list[str]) -> dict[int, str]:
    """By place in the list, why the order failed."""
    marked = [order + " " * place for place, order in enumerate(orders)]  # so that no two are equal
    lines = work.carry_out([(0, marked)]).get(0, ())
    found = {}
    for line in lines:
        order, why = line.split(" failed, ")
        found[marked.index(order)] = why.removesuffix(".")
    return found


def position(chance: random.Random, ruleset: Ruleset) -> State:
    options = Options(ruleset=ruleset, width=SIZE, height=SIZE)
    state = State.new(SEATS, options, None, Dice(chance.randbytes(8)))
    land = state.land
    for cell in range(SIZE * SIZE):
        if land.building[cell] != HOME:
            land.owner[cell] = chance.choice((0, 1, 1, 1, 2))
            land.field[cell] = chance.choice((0, 0, 40, 500))
            if land.owner[cell] and chance.random() < 0.5:
                land.building[cell] = chance.choice((WELL, MINE))
                land.level[cell] = chance.choice((1, 1, 2, 3, 4))
    for player in state.players:
        player.energy, player.gold = chance.choice((150, 900, 4000)), chance.choice((90, 700, 4000))
        player.tech_level = chance.choice((0, 1, 2, 3))
    land.level[land.building == HOME] = chance.choice((1, 1, 2, 3, 4))
    return state


def any_order(chance: random.Random, view: dict[str, Any]) -> str:
    cell = chance.randrange(SIZE * SIZE)
    where = f"{cell % SIZE} {cell // SIZE}"
    kind = chance.choice("aabbuu")
    if kind == "a":
        return f"a {where} {max(1, view['attack_cost'][cell] + chance.choice((-1, 0, 0, 30)))}"
    return f"b {where} {chance.choice('eg')}" if kind == "b" else f"u {where}"


def text() -> str:
    return "[\n" + ",\n".join(json.dumps(each) for each in cases()) + "\n]\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(text())
