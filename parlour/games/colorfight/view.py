"""The view. It shows everything except the lists of the open round and the errors of the last one."""

from typing import TYPE_CHECKING

from parlour.core import By
from parlour.games.colorfight.tables import LETTERS
from parlour.games.colorfight.values import View

if TYPE_CHECKING:
    from parlour.games.colorfight.rules import State


def view(state: "State", who: By) -> View:
    """The same for everybody (RULES 9)."""
    land, options = state.land, state.options
    gold, energy = land.outputs()
    return View(
        turn=state.turn,
        max_turn=options.max_turn,
        width=options.width,
        height=options.height,
        ruleset=options.ruleset,
        owner=tuple(land.owner.tolist()),
        building="".join([LETTERS[building] for building in land.building.tolist()]),
        level=tuple(land.level.tolist()),
        force_field=tuple(land.field.tolist()),
        attack_cost=tuple(land.attack_cost(state.rules.home_by_level).tolist()),
        gold=tuple(gold.tolist()),
        energy=tuple(energy.tolist()),
        natural_gold=tuple(land.natural_gold.tolist()),
        natural_energy=tuple(land.natural_energy.tolist()),
        natural_cost=tuple(land.natural_cost.tolist()),
        users=tuple([player.seen() for player in state.players]),
        over=state.is_over(),
    )
