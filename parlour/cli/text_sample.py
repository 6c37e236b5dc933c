"""A game as language models read it: the rules, and one decision."""

import json
from typing import Any

from parlour.core import Dice, Game, State
from parlour.core.generated_text import rules_text, text_of

SEED = b"sample"
NAMES = ("ada", "bob", "cleo", "dora", "eve", "finn")


def text_sample(game: Game[Any]) -> str:
    """The rules under the usual house rules, and the sample decision."""
    return f"{rules_text(game).rstrip()}\n\n{decision_sample(game)}\n"


def decision_sample(game: Game[Any]) -> str:
    """The first decision of a match: the view, the question, and the schema for tool calls."""
    seats = next(seats for seats in game.table_seats() if seats > 1)
    state, form = game.rules.new(seats, game.rules.options(), None, Dice(SEED)), text_of(game)
    names = [*NAMES, *(f"player {seat}" for seat in range(len(NAMES), seats))]
    seat = _asked(state)
    while (default := state.asks()[seat].default) is not None:
        state.play(seat, default)
        seat = _asked(state)
    ask = state.asks()[seat]
    view = state.view(seat)
    schema = json.dumps(form.schema(ask, view, names), indent=2)
    position, question = form.view(view, names), form.ask(ask, view, names)
    parts = (("The position", position), ("The question", question), ("The schema", schema))
    return "\n\n".join(f"## {title}\n\n{text}" for title, text in parts)


def _asked(state: State[Any]) -> int:
    """The first seat that is asked."""
    return min(seat for seat in state.asks() if seat is not None)
