"""Run a tournament for the command line: trial, executor, screen, results."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import msgspec
from msgspec.structs import asdict

from parlour.cli.common import UserError, console, find_game, stderr
from parlour.cli.model_runs import usage_table
from parlour.cli.tournament_screen import LiveScreen, result_screen
from parlour.tournament.executors import Executor, ProcessPool, WorkersFail
from parlour.tournament.journal import CannotJournal, Journal
from parlour.tournament.model_usage import has_models, prepare, write_sums
from parlour.tournament.parquet import write_csv, write_parquet
from parlour.tournament.plan import TournamentPlan
from parlour.tournament.playing import play_fixture
from parlour.tournament.results import Results, results_of, write_results
from parlour.tournament.runner import run
from parlour.tournament.schedules import Round, most_matches, next_round

TRIAL_S = 2.0
"""How long a dry run plays to learn how long matches take."""
SHOWN = 10
"""Line-ups in the printed schedule."""


def play_tournament(journal: Journal, workers: int, on: str | None, as_json: bool, as_csv: bool) -> None:
    """Play what is left of a tournament, write its files and print the results."""
    plan, folder = journal.plan, journal.folder
    if has_models(plan):
        prepare(folder)
    with executing(journal, workers, on) as executor:
        screen = LiveScreen(stderr, plan, most_matches(plan), journal.entries(), hidden=as_json)
        try:
            with screen:
                rounds = run(journal, executor, screen.show)
        except KeyboardInterrupt:
            stderr.print(f"Finished matches are kept; `parlour tournament --out {folder} --resume` continues")
            raise
        except WorkersFail as e:
            raise UserError(str(e)) from None
    results = write_all(journal, rounds, as_csv)
    models = write_sums(journal) if has_models(plan) else []
    if as_json:
        print(msgspec.json.encode(results).decode())
        return
    console.print(result_screen(results))
    if models:
        console.print(usage_table([(each.player, each.model, each.usage) for each in models]))
    console.print(f"Results, matches, decisions and transcripts are in {folder}", soft_wrap=True)


def write_all(journal: Journal, rounds: list[Round], as_csv: bool) -> Results:
    """Write all files that are made of the journal."""
    results = results_of(journal, rounds)
    write_results(journal.folder, results)
    write_parquet(journal.folder, journal.plan, journal.outcomes())
    if as_csv:
        write_csv(journal.folder, journal.plan, journal.outcomes())
    return results


@contextmanager
def executing(journal: Journal, workers: int, on: str | None) -> Iterator[Executor]:
    """The executor that the command line names."""
    plan = journal.plan
    executor: Executor
    if on is None:
        executor = ProcessPool(plan, workers, journal.transcripts.withheld if plan.transcripts else None)
    else:
        executor = _ray(plan, workers, on)
    try:
        yield executor
    finally:
        executor.close()


def _ray(plan: TournamentPlan, workers: int, on: str) -> Executor:
    if on != "ray" and not on.startswith("ray://"):
        raise UserError(f"--on {on}: allowed: ray, ray://HOST:PORT")
    try:
        from parlour.tournament.ray_executor import RayExecutor
    except ModuleNotFoundError:
        raise UserError("--on ray: Ray is not installed; `pip install parlour[ray]` installs it") from None
    return RayExecutor(plan, workers, None if on == "ray" else on)


def open_journal(folder: Path, plan: TournamentPlan | None, resume: bool, seeded: bool) -> Journal:
    """Begin a tournament in a folder, or continue the one that is there."""
    try:
        if not resume:
            if plan is None:
                raise UserError("name a FILE.toml, or a --game and players")
            return Journal.begin(folder, plan)
        journal = Journal.resume(folder)
    except CannotJournal as e:
        raise UserError(str(e)) from None
    if why := _why_not_resumed(journal.plan, plan, seeded):
        journal.close()
        raise UserError(f"--resume: {folder} {why}")
    return journal


def _why_not_resumed(there: TournamentPlan, here: TournamentPlan | None, seeded: bool) -> str:
    """Why a tournament cannot be continued; empty if it can."""
    if here is not None and (differs := _difference(there, here, seeded)):
        return f"has another tournament: {differs}"
    now = find_game(there.game).rules.version
    return "" if now == there.rules else f"was begun with version {there.rules} of the rules, not {now}"


def _difference(there: TournamentPlan, here: TournamentPlan, seeded: bool) -> str:
    """The first key in which two plans differ, in words. A seed that was drawn just now does not count."""
    for key, value in asdict(there).items():
        if (key != "seed" or seeded) and value != getattr(here, key):
            return f"{key} is {msgspec.json.encode(value).decode()} there"
    return ""


def dry_run(plan: TournamentPlan | None, workers: int, as_json: bool) -> None:
    """Print the schedule, the number of matches and the expected time."""
    if plan is None:
        raise UserError("--dry-run: name a FILE.toml, or a --game and players")
    first = next_round(plan, [], [])
    assert first is not None
    total, seconds = most_matches(plan), None if has_models(plan) else trial(plan, first)
    expected = None if seconds is None else seconds * total / max(1, min(workers, total))
    if as_json:
        told = {"matches": total, "seconds_per_match": seconds, "expected_seconds": expected, "workers": workers}
        print(msgspec.json.encode({"tournament": plan, **told}).decode())
        return
    names = [player.name for player in plan.players]
    sets = f"{len(first.seatings)} seatings of each" if first.duplicate else "a deal of its own for each match"
    console.print(f"{plan.format}: {len(names)} players, {plan.seats} seats, {first.deals} deals, {sets}")
    console.print(f"Round 1 has {len(first.lineups):,} line-ups and {first.size:,} matches:")
    for lineup in islice(first.lineups, SHOWN):
        console.print("  " + ", ".join(names[player] for player in lineup), soft_wrap=True)
    if len(first.lineups) > SHOWN:
        console.print(f"  and {len(first.lineups) - SHOWN:,} more")
    if first.byes:
        console.print("  without " + ", ".join(names[player] for player in first.byes), soft_wrap=True)
    most = "at most " if plan.format == "until-decided" else ""
    if seconds is None or expected is None:
        console.print(f"{most}{total:,} matches; no model was asked, so the time is not known")
        return
    console.print(f"{most}{total:,} matches, {seconds:.3g} s each, about {in_time(expected)} with {workers} workers")


def trial(plan: TournamentPlan, round: Round) -> float:
    """Play a few matches from all over the round; the mean of their seconds."""
    began, count = time.monotonic(), 0
    while count < round.size and time.monotonic() - began < TRIAL_S:
        play_fixture(plan, round.fixture(count * 7919 % round.size))
        count += 1
    return (time.monotonic() - began) / count


def in_time(seconds: float) -> str:
    """A duration in words."""
    if seconds < 120:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} minutes" if minutes < 120 else f"{minutes / 60:.1f} hours"


def usual_workers() -> int:
    """The number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
