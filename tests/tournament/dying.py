"""Matches that end their worker."""

import os
from pathlib import Path

from parlour.tournament.plan import TournamentPlan
from parlour.tournament.playing import play_packed
from parlour.tournament.schedules import Fixture

FATAL = 7
"""This match always ends its worker."""


def dies_in_match_7(plan: TournamentPlan, fixture: Fixture, folder: Path | None) -> bytes:
    if fixture.match == FATAL:
        os._exit(9)
    return play_packed(plan, fixture, folder)
