"""The command tournament."""

from pathlib import Path
from typing import Annotated, Any

import typer

from parlour.cli.arguments import Json, LimitS, Settings, app
from parlour.cli.common import UserError, tournament_module
from parlour.cli.model_runs import ModelBudget, ModelCache
from parlour.cli.options import setting_values

FORMAT_WORDS = "round-robin, swiss, gauntlet, knock-out or until-decided."


@app.command()
def tournament(
    file: Annotated[Path | None, typer.Argument(metavar="[FILE.toml]", help="The plan; or use the flags.")] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FOLDER", help="A new folder for all results.")] = None,
    workers: Annotated[int | None, typer.Option(metavar="N", min=1, max=1000, help="Processes; one per core.")] = None,
    on: Annotated[str | None, typer.Option("--on", metavar="ray|ray://HOST", help="Play on Ray.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the tournament in the folder.")] = False,
    as_json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="Also write matches and decisions as CSV.")] = False,
    dry: Annotated[bool, typer.Option("--dry-run", help="Print schedule, number of matches, expected time.")] = False,
    game: Annotated[str | None, typer.Option(metavar="GAME", help="A game.")] = None,
    players: Annotated[
        list[str] | None, typer.Option("--player", metavar="PLAYER", help="As in `match`; repeatable.")
    ] = None,
    format: Annotated[str | None, typer.Option(metavar="FORMAT", help=FORMAT_WORDS)] = None,
    seats: Annotated[int | None, typer.Option(metavar="N", help="Seats of a match.")] = None,
    deals: Annotated[int | None, typer.Option(metavar="N", help="Deals that each line-up plays.")] = None,
    seed: Annotated[str | None, typer.Option(metavar="HEX", help="Repeat a tournament.")] = None,
    settings: Settings = None,
    limit: LimitS = None,
    model_cache: ModelCache = None,
    model_budget: ModelBudget = None,
) -> None:
    """Let many players play many matches, and find out who is better and how sure that is."""
    flags: dict[str, Any] = {"game": game, "players": players, "format": format, "seats": seats, "deals": deals}
    flags |= {"seed": seed, "limit": limit, "options": setting_values(settings) if settings else None}
    given = {key: value for key, value in flags.items() if value is not None}
    reader, runner = tournament_module("tournament_plan"), tournament_module("tournament_run")
    keys, where = reader.read_all(file, given)
    plans = reader.read_plans(keys, where) if keys or file is not None else []
    workers = workers or runner.usual_workers()
    if dry:
        runner.dry_run(plans, workers, as_json)
        return
    if out is None:
        raise UserError("--out FOLDER is missing")
    how = {"resume": resume, "seeded": "seed" in keys, "as_json": as_json, "as_csv": as_csv}
    runner.play_all(plans, runner.RunOptions(out=out, workers=workers, on=on, **how))
