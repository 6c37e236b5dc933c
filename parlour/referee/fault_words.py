"""Faults and their costs in words, for people."""

from collections.abc import Sequence
from typing import Any

from parlour.core import AnswerRefused, Leave
from parlour.core.values import action_words


def fault_in_words(refused: AnswerRefused, names: Sequence[str]) -> str:
    """The fault of a seat, with its cost: one line."""
    fault = refused.fault
    cost = cost_in_words(refused.cost, "costs nothing" if fault.kind == "unasked" else "asked again")
    return f"{names[refused.seat]}: {fault.kind} {fault.code}, {fault.words} ({cost})"


def cost_in_words(cost: Any, if_none: str = "") -> str:
    """The cost of a fault, in words."""
    match cost:
        case None:
            return if_none
        case Leave(why=why):
            return f"has to leave the match: {why}"
        case _:
            return f"played instead: {action_words(cost)}"
