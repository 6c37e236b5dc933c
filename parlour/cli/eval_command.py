"""The command eval."""

from pathlib import Path
from typing import Annotated

import typer

from parlour.cli.arguments import Json, app
from parlour.cli.common import UserError, tournament_module
from parlour.cli.model_runs import ModelBudget, ModelCache


@app.command("eval")
def evaluate(
    player: Annotated[str, typer.Argument(metavar="PLAYER", help="The player, as in `match`.")],
    out: Annotated[Path | None, typer.Option("--out", metavar="FOLDER", help="A new folder for all results.")] = None,
    suite: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="What to play; otherwise every game against its bots.")
    ] = None,
    games: Annotated[list[str] | None, typer.Option("--game", metavar="GAME", help="Only this; repeatable.")] = None,
    deals: Annotated[int | None, typer.Option(metavar="N", min=1, max=1_000_000, help="Deals of each line-up.")] = None,
    seed: Annotated[str | None, typer.Option(metavar="HEX", help="Repeat an evaluation.")] = None,
    blunders: Annotated[bool, typer.Option("--blunders/--no-blunders", help="Judge decisions.")] = True,
    workers: Annotated[int | None, typer.Option(metavar="N", min=1, max=1000, help="Processes; one per core.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the evaluation in the folder.")] = False,
    dry: Annotated[
        bool, typer.Option("--dry-run", help="Play nothing; print what would be played and its cost.")
    ] = False,
    as_json: Json = False,
    model_cache: ModelCache = None,
    model_budget: ModelBudget = None,
) -> None:
    """Find out how strong a player is in every game, which faults it makes, and which blunders."""
    if suite is not None and games:
        raise UserError("--suite names the games; leave out --game")
    runner = tournament_module("eval_run")
    if suite is None:
        wanted = runner.usual_suite(player, games or [], deals, seed, blunders)
    else:
        wanted = runner.read_suite(suite, player, deals, seed, blunders)
    workers = workers or runner.usual_workers()
    if dry:
        runner.dry_run(wanted, workers, as_json)
    elif out is None:
        raise UserError("--out FOLDER is missing")
    else:
        runner.run_suite(wanted, out, workers, resume, as_json)
