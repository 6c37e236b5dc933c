"""Requests, tokens and cost of models in a tournament: sums of the records in its folder."""

import os
from pathlib import Path

import msgspec
from msgspec import Struct

from parlour.players.models.call_records import ModelUsage, read_calls, usage_of
from parlour.players.models.desk import BUDGET, LEDGER
from parlour.players.models.options import is_model
from parlour.tournament.journal import Journal
from parlour.tournament.plan import TournamentPlan
from parlour.tournament.playing import MODEL_CALLS, match_file

FOLDER = "models"
"""The folder with a file for each match in which models play."""
SUMS = "usage.json"
SPENT = "spent.sqlite"
"""The dollars that were spent, for a ceiling that all workers share."""


class PlayerUsage(Struct, frozen=True):
    """Requests, tokens and cost of a player's model."""

    player: str
    model: str
    """PROVIDER/NAME."""
    usage: ModelUsage


def has_models(plan: TournamentPlan) -> bool:
    return any(is_model(entrant.player) for entrant in plan.players)


def prepare(folder: Path) -> None:
    """Let this process and its workers record in the folder of a tournament."""
    calls = (folder / FOLDER).absolute()
    calls.mkdir(mode=0o700, exist_ok=True)
    os.environ[MODEL_CALLS] = str(calls)
    if os.environ.get(BUDGET):
        os.environ[LEDGER] = str(calls / SPENT)


def sums(journal: Journal) -> list[PlayerUsage]:
    """By player and model. Matches whose file is missing or broken count as nothing."""
    found: dict[tuple[int, str], ModelUsage] = {}
    for result in journal.results():
        try:
            calls = read_calls(journal.folder / FOLDER / match_file(result.match))
        except (OSError, ValueError):
            continue
        for (seat, model), usage in usage_of(calls).items():
            key = result.players[seat], model
            found[key] = found.get(key, ModelUsage()) + usage
    names = [entrant.name for entrant in journal.plan.players]
    return [PlayerUsage(names[player], model, usage) for (player, model), usage in sorted(found.items())]


def write_sums(journal: Journal) -> list[PlayerUsage]:
    """Write the sums into the folder."""
    told = sums(journal)
    path = journal.folder / FOLDER / SUMS
    path.write_bytes(msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n")
    return told
