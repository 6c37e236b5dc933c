"""Run a tournament: round by round, with any executor, into its journal."""

from collections.abc import Callable, Sequence
from math import ceil
from typing import TypeAlias

from parlour.tournament.executors import Executor
from parlour.tournament.journal import Journal, JournalEntry
from parlour.tournament.plan import TournamentPlan
from parlour.tournament.records import MatchResult
from parlour.tournament.schedules import Round, next_round
from parlour.tournament.sequential import PairDecision, SequentialPlan, decisions

Show: TypeAlias = Callable[[Round, JournalEntry], None]
"""Called with each match that is finished and kept."""

FIXED = ("round-robin", "gauntlet")
"""The formats whose matches do not depend on results."""


def run(journal: Journal, executor: Executor, show: Show = lambda at, finished: None) -> list[Round]:
    """Play all matches that are not in the journal yet. Returns the rounds."""
    plan = journal.plan
    looks_back = plan.format not in FIXED
    results = list(journal.results()) if looks_back else []
    rounds: list[Round] = []
    while (round := following_round(plan, rounds, results)) is not None:
        missing = (fixture for fixture in round.fixtures() if not journal.has(fixture.match))
        for packages in executor.play(missing):
            for finished in journal.add(packages):
                if looks_back:
                    results.append(finished.result)
                show(round, finished)
        rounds.append(round)
    return rounds


def judged(plan: TournamentPlan, results: Sequence[MatchResult]) -> list[PairDecision]:
    """The results of the sequential tests for all pairs, after complete batches."""
    rule = SequentialPlan(margin=plan.margin, batch=plan.batch, most_batches=ceil(plan.deals / plan.batch))
    return decisions(results, len(plan.players), rule)


def following_round(plan: TournamentPlan, rounds: Sequence[Round], results: Sequence[MatchResult]) -> Round | None:
    """The round after these, which are complete; None if the tournament is over or decided."""
    end = rounds[-1].first_match + rounds[-1].size if rounds else 0
    known = sorted((result for result in results if result.match < end), key=lambda result: result.match)
    if plan.format == "until-decided" and rounds and all(pair.outcome != "open" for pair in judged(plan, known)):
        return None
    return next_round(plan, rounds, known)
