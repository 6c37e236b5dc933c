"""Run a tournament for the command line: trial, executor, screen, results."""

import os
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from parlour.cli.common import UserError, console, find_game, print_json, stderr
from parlour.cli.model_runs import usage_table
from parlour.cli.tournament_screen import LiveScreen, result_screen
from parlour.tournament.executors import Executor, ProcessPool, WorkersFail
from parlour.tournament.history import rating_history
from parlour.tournament.journal import JOURNAL, CannotJournal, Journal
from parlour.tournament.model_usage import has_models, prepare, write_sums
from parlour.tournament.parquet import write_tables
from parlour.tournament.plan import TournamentPlan
from parlour.tournament.playing import play_fixture
from parlour.tournament.report.data import ReportData
from parlour.tournament.report.document import REPORT, write_report
from parlour.tournament.report.observations import Observer
from parlour.tournament.results import Results, bootstrap, finished_matches, results_of, write_results
from parlour.tournament.runner import run
from parlour.tournament.schedules import Round, most_matches, next_round

TRIAL_S = 2.0
"""How long a dry run plays to learn how long matches take."""
SHOWN = 10
"""Line-ups in the printed schedule."""


class RunOptions(Struct, kw_only=True):
    """The options of the command line for a run."""

    out: Path
    workers: int
    on: str | None
    resume: bool
    seeded: bool
    """Whether the seed was given, not drawn just now."""
    as_json: bool
    as_csv: bool


def play_all(plans: Sequence[TournamentPlan], how: RunOptions) -> None:
    """Play what is left of each tournament, write its files and print the results."""
    folders = tournament_folders(plans, how)
    told = [play_tournament(folder, plan, how) for folder, plan in folders]
    if how.as_json:
        print_json(told if len(folders) > 1 else told[0])


def play_tournament(folder: Path, plan: TournamentPlan | None, how: RunOptions) -> Results:
    """Play what is left of a tournament, and write its files."""
    with open_journal(folder, plan, how.resume, how.seeded) as journal:
        try:
            rounds = play_rounds(journal, how.workers, how.on, hidden=how.as_json)
        except KeyboardInterrupt:
            again = f"`parlour tournament --out {how.out} --resume` continues"
            stderr.print(f"Finished matches are kept; {again}", soft_wrap=True)
            raise
        except WorkersFail as e:
            raise UserError(str(e)) from None
        results = write_all(journal, rounds, how.as_csv)
        models = write_sums(journal) if has_models(journal.plan) else []
    if not how.as_json:
        console.print(result_screen(results))
        if models:
            console.print(usage_table([(each.player, each.model, each.usage) for each in models]))
        console.print(f"The report is {folder / REPORT}; everything else is beside it", soft_wrap=True)
    return results


def write_all(journal: Journal, rounds: list[Round], as_csv: bool) -> Results:
    """Write all files that are made of the journal."""
    plan, folder, finished = journal.plan, journal.folder, finished_matches(journal)
    results = results_of(plan, rounds, finished)
    write_results(folder, results)
    ratings = {player.standing.player: player.rating.estimate for player in results.players}
    observer = Observer(plan, [ratings[player] for player in range(len(plan.players))])
    write_tables(folder, plan, observer.watch(journal.outcomes()), as_csv)
    report = ReportData(
        results=results,
        title=find_game(plan.game).title,
        sample=finished.sample,
        history=rating_history(finished.sample, bootstrap(plan)),
        observed=observer,
        transcripts=journal.transcripts,
    )
    write_report(folder, report)
    return results


def play_rounds(journal: Journal, workers: int, on: str | None, *, hidden: bool) -> list[Round]:
    """Play what is left of a tournament, with a screen unless it is hidden."""
    plan = journal.plan
    if has_models(plan):
        prepare(journal.folder)
    with (
        closing(_executor(journal, workers, on)) as executor,
        LiveScreen(stderr, plan, most_matches(plan), journal.entries(), hidden=hidden) as screen,
    ):
        return run(journal, executor, screen.show)


def _executor(journal: Journal, workers: int, on: str | None) -> Executor:
    """The executor that the command line names."""
    plan = journal.plan
    if on is not None:
        return _ray(plan, workers, on)
    return ProcessPool(plan, workers, journal.transcripts.withheld if plan.transcripts else None)


def _ray(plan: TournamentPlan, workers: int, on: str) -> Executor:
    if on != "ray" and not on.startswith("ray://"):
        raise UserError(f"--on {on}: allowed: ray, ray://HOST:PORT")
    try:
        from parlour.tournament.ray_executor import RayExecutor
    except ModuleNotFoundError:
        raise UserError("--on ray: Ray is not installed; `pip install parlour[ray]` installs it") from None
    try:
        return RayExecutor(plan, workers, None if on == "ray" else on)
    except (OSError, RuntimeError, ValueError) as e:
        raise UserError(
            f"--on {on}: {str(e).strip().splitlines()[0] if str(e).strip() else type(e).__name__}"
        ) from None


def tournament_folders(plans: Sequence[TournamentPlan], how: RunOptions) -> list[tuple[Path, TournamentPlan | None]]:
    """The folder of each tournament. Several have folders in one, which all exist from the beginning."""
    if not plans and (inside := sorted(how.out.glob(f"seats-*/{JOURNAL}"), key=_seats_of)):
        return [(path.parent, None) for path in inside]
    if len(plans) < 2:
        return [(how.out, plans[0] if plans else None)]
    folders = [how.out / f"seats-{plan.seats}" for plan in plans]
    try:
        if not how.resume and how.out.exists() and any(how.out.iterdir()):
            hint = "; --resume continues its tournaments" if [*how.out.glob(f"seats-*/{JOURNAL}")] else ""
            raise UserError(f"{how.out} is not empty{hint}")
        if how.resume and not any((folder / JOURNAL).exists() for folder in folders):
            raise UserError(f"{how.out} has no tournaments to resume: there is no seats-{plans[0].seats}/{JOURNAL}")
        for folder, plan in zip(folders, plans, strict=True):
            if not (folder / JOURNAL).exists():
                Journal.begin(folder, plan).close()
    except CannotJournal as e:
        raise UserError(str(e)) from None
    how.resume = True
    return [*zip(folders, plans, strict=True)]


def _seats_of(path: Path) -> tuple[int, str]:
    """The number of seats in the name of a journal's folder."""
    number = path.parent.name.removeprefix("seats-")
    return int(number) if number.isdecimal() else 0, number


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


def dry_run(plans: Sequence[TournamentPlan], workers: int, as_json: bool) -> None:
    """Print the schedule, the number of matches and the expected time."""
    if not plans:
        raise UserError("--dry-run: name a FILE.toml, or a --game and players")
    told = [_dry_run(plan, workers, as_json, TRIAL_S / len(plans)) for plan in plans]
    if as_json:
        print_json(told if len(plans) > 1 else told[0])
    elif len(plans) > 1:
        times = [each["expected_seconds"] for each in told]
        about = "" if None in times else f", about {in_time(sum(times))}"
        console.print(f"{len(plans)} tournaments, {sum(each['matches'] for each in told):,} matches{about}")


def _dry_run(plan: TournamentPlan, workers: int, as_json: bool, trial_s: float) -> dict[str, Any]:
    first = next_round(plan, [], [])
    assert first is not None
    total, seconds = most_matches(plan), None if has_models(plan) else trial(plan, first, trial_s)
    expected = None if seconds is None else seconds * total / max(1, min(workers, total))
    if not as_json:
        _print_schedule(plan, first)
        most = "at most " if plan.format == "until-decided" else ""
        if seconds is None or expected is None:
            console.print(f"{most}{total:,} matches; no model was asked, so the time is not known")
        else:
            told = f"{seconds:.3g} s each, about {in_time(expected)} with {workers} workers"
            console.print(f"{most}{total:,} matches, {told}")
    found = {"matches": total, "seconds_per_match": seconds, "expected_seconds": expected, "workers": workers}
    return {"tournament": plan, **found}


def _print_schedule(plan: TournamentPlan, first: Round) -> None:
    """Print what is known before the first match."""
    names = [player.name for player in plan.players]
    sets = f"{len(first.seatings)} seatings of each" if first.duplicate else "a deal of its own for each match"
    console.print(f"{plan.format}: {len(names)} players, {plan.seats} seats, {first.deals} deals, {sets}")
    console.print(f"Round 1 has {len(first.lineups):,} line-ups and {first.size:,} matches:")
    for lineup in islice(first.lineups, SHOWN):
        console.print("  " + ", ".join(names[player] for player in lineup), soft_wrap=True, markup=False)
    if len(first.lineups) > SHOWN:
        console.print(f"  and {len(first.lineups) - SHOWN:,} more")
    if first.byes:
        console.print("  without " + ", ".join(names[player] for player in first.byes), soft_wrap=True, markup=False)


def trial(plan: TournamentPlan, round: Round, most_s: float = TRIAL_S) -> float:
    """Play a few matches from all over the round; the mean of their seconds."""
    began, count = time.monotonic(), 0
    while count < round.size and time.monotonic() - began < most_s:
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
