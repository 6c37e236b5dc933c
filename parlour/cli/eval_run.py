"""Run an evaluation for the command line: part by part, its matches and then its judged decisions."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import msgspec
from msgspec.structs import replace
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from parlour.cli.common import UserError, console, print_json, stderr
from parlour.cli.eval_screen import estimate_words, print_evaluation
from parlour.cli.eval_suite import read_suite, usual_suite
from parlour.cli.tournament_run import in_time, open_journal, play_rounds, trial, usual_workers, write_all
from parlour.players.models.options import is_model, read_model
from parlour.tournament.evaluation import (
    EvaluationResult,
    JudgedMatches,
    PartResult,
    Suite,
    SuitePart,
    judging,
    part_result,
)
from parlour.tournament.executors import WorkersFail
from parlour.tournament.journal import Journal
from parlour.tournament.model_usage import has_models, write_sums
from parlour.tournament.rehearsal import MOST_REHEARSED, PromptEstimate, estimate, sum_of
from parlour.tournament.report.document import REPORT
from parlour.tournament.report.evaluation_page import write_evaluation
from parlour.tournament.schedules import Round, most_matches, next_round

__all__ = ["dry_run", "read_suite", "run_suite", "usual_suite", "usual_workers"]

SUITE = "suite.json"
RESULT = "evaluation.json"


def run_suite(suite: Suite, folder: Path, workers: int, resume: bool, as_json: bool) -> None:
    """Play and judge all parts that are not finished, write the results and print them."""
    suite = _opened(suite, folder, resume)
    try:
        parts = [_played(part, folder / part.name, workers, as_json) for part in suite.parts]
    except KeyboardInterrupt:
        stderr.print(f"What is finished is kept; `parlour eval ... --out {folder} --resume` continues")
        raise
    except WorkersFail as e:
        raise UserError(str(e)) from None
    result = EvaluationResult(suite.name, suite.player, parts)
    new = folder / f".{RESULT}.new"
    new.write_bytes(msgspec.json.format(msgspec.json.encode(result), indent=2) + b"\n")
    new.replace(folder / RESULT)
    write_evaluation(folder, result)
    if as_json:
        print_json(result)
        return
    print_evaluation(console, result)
    console.print(f"The report is {folder / REPORT}; matches, decisions and transcripts are beside it", soft_wrap=True)


def _opened(suite: Suite, folder: Path, resume: bool) -> Suite:
    """Begin an evaluation in a new or empty folder, or find the one that is there."""
    path = folder / SUITE
    if resume:
        return _resumed(suite, path)
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise UserError(f"{folder} is not empty{'; --resume continues its evaluation' if path.exists() else ''}")
    path.write_bytes(msgspec.json.encode(suite) + b"\n")
    return suite


def _resumed(suite: Suite, path: Path) -> Suite:
    try:
        there = msgspec.json.decode(path.read_bytes(), type=Suite)
    except FileNotFoundError:
        raise UserError(f"{path.parent} has no evaluation to resume: there is no {SUITE}") from None
    except msgspec.MsgspecError as e:
        raise UserError(f"{path}: is not the suite of an evaluation: {e}") from None
    if there != _with_seeds_of(suite, there):
        raise UserError(f"--resume: {path.parent} has another evaluation: its {SUITE} differs")
    return there


def _with_seeds_of(suite: Suite, other: Suite) -> Suite:
    """The suite with the seeds of another: those that were drawn do not make a difference."""
    seeds = {part.name: part.plan.seed for part in other.parts}
    parts = [replace(it, plan=replace(it.plan, seed=seeds.get(it.name, it.plan.seed))) for it in suite.parts]
    return replace(suite, parts=tuple(parts))


def _played(part: SuitePart, folder: Path, workers: int, as_json: bool) -> PartResult:
    """Play the matches of a part, judge its decisions, and compute its results."""
    if not as_json:
        stderr.print(f"{part.name}: {part.plan.players[0].name} against {_opponents(part)}", soft_wrap=True)
    begun = (folder / "journal.jsonl").exists()
    with open_journal(folder, part.plan, begun, seeded=True) as journal:
        rounds = play_rounds(journal, workers, None, hidden=as_json)
        results = write_all(journal, rounds, False)
        judged = _judged(journal, part, rounds, workers, as_json) if part.needs_judging else None
        models = write_sums(journal) if has_models(part.plan) else []
        return part_result(journal, part, results, judged, models)


def _judged(journal: Journal, part: SuitePart, rounds: Sequence[Round], workers: int, as_json: bool) -> JudgedMatches:
    judged = JudgedMatches(journal)
    missing = judged.missing(rounds)
    if not missing:
        return judged
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    hidden = as_json or not stderr.is_terminal
    with (
        closing(judging(journal, part, workers)) as executor,
        Progress(*columns, console=stderr, transient=True, disable=hidden) as progress,
    ):
        for _ in progress.track(judged.judge(executor, missing), total=len(missing), description="judging matches"):
            pass
    return judged


def _opponents(part: SuitePart) -> str:
    return ", ".join(player.name for player in part.plan.players[1:])


def dry_run(suite: Suite, workers: int, as_json: bool) -> None:
    """Print what would be played, and how long that takes; for a model, what it costs. A model is not asked."""
    rows = [(part, most_matches(part.plan), *_expected(part, suite.player)) for part in suite.parts]
    if as_json:
        told = [
            {"part": part, "matches": total, "seconds_per_match": seconds, "model": model}
            for part, total, seconds, model in rows
        ]
        print_json({"suite": suite.name, "player": suite.player, "parts": told})
        return
    for part, total, seconds, model in rows:
        words = f"{part.name}: {total:,} matches against {_opponents(part)}"
        if seconds is not None:
            words += f", about {in_time(seconds * total / max(1, min(workers, total)))}"
        console.print(words, soft_wrap=True)
        if model is not None:
            console.print(f"  {estimate_words(model)}", soft_wrap=True)
        if (rule := part.blunders) is not None:
            most = f"up to {rule.decisions} decisions of each are judged with {rule.bot}"
            console.print(f"  then {most}, which takes longer", soft_wrap=True)
    models = [model for *_, model in rows if model is not None]
    if models:
        console.print(f"in all {estimate_words(sum_of(models))}", soft_wrap=True)


def _expected(part: SuitePart, player: str) -> tuple[float | None, PromptEstimate | None]:
    """The seconds of a match, unless a model plays; and what the player takes if it is a model."""
    first = next_round(part.plan, [], [])
    assert first is not None
    seconds = None if has_models(part.plan) else trial(part.plan, first)
    if not is_model(player):
        return seconds, None
    fixtures = [first.fixture(count * 7919 % first.size) for count in range(min(MOST_REHEARSED, first.size))]
    return seconds, estimate(part.plan, read_model(player), fixtures, most_matches(part.plan))
