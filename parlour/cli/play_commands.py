"""The commands match, resume and play."""

from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec import Struct
from msgspec.structs import replace
from rich.progress import Progress
from rich.text import Text

from parlour.cli.arguments import (
    BankS,
    Bears,
    Cwd,
    GameName,
    Json,
    LimitS,
    Pace,
    Players,
    Seed,
    Settings,
    State,
    StderrTo,
    Store,
    Transcript,
    app,
    command_with,
)
from parlour.cli.common import (
    MatchFiles,
    UserError,
    all_of,
    apart,
    console,
    find_game,
    new_files,
    played_game,
    print_json,
    read_limits,
    read_players,
    read_seed,
    read_start,
    seating,
    seats_of,
    seed_of,
    stderr,
)
from parlour.cli.match_screen import Stage, fault_lines, painted, result_table
from parlour.cli.model_runs import ModelBudget, ModelCache, ModelRun, tell_calls
from parlour.cli.options import read_options
from parlour.cli.scoreboard import Tally
from parlour.cli.terminal_player import TerminalPlayer
from parlour.core import AnswerRefused, Game, Result, Void
from parlour.core.values import why_not_a_name
from parlour.players.play import Played, play
from parlour.players.player_specs import ExecSpec, LocalSpec, ModelSpec, Spec
from parlour.players.terms import MODEL_LIMIT_S, Terms
from parlour.referee.log import FileLog
from parlour.referee.match import Match, Out
from parlour.referee.replay import read_header
from parlour.referee.transcript import Limits, Line, read_record

COMPLAINT_LINES = 20


class MatchFlags(Struct, frozen=True, kw_only=True):
    """The arguments of the command match."""

    game_name: GameName
    players: Players
    seed: Seed = None
    settings: Settings = None
    state: State = None
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the transcript; with --games, a folder of transcripts.")
    ] = None
    store: Store = None
    as_json: Json = False
    matches: Annotated[int, typer.Option("--games", metavar="N", min=1, help="Play N matches with rotated seats.")] = 1
    pace: Pace = 0.0
    limit: LimitS = None
    bank: BankS = 0.0
    bears: Bears = None
    cwd: Cwd = None
    stderr_to: StderrTo = None
    model_cache: ModelCache = None
    model_budget: ModelBudget = None


@command_with(MatchFlags)
def match(flags: MatchFlags) -> None:
    """Let bots, programs and language models play one match, or many."""
    specs = read_players(game := find_game(flags.game_name), flags.players)
    terms = Terms(
        game=game,
        options=read_options(game, flags.settings or ()),
        start=read_start(game, flags.state),
        limits=read_limits(flags.limit, flags.bank) or _usual_limits(game, specs),
        bears=flags.bears,
        salted=flags.seed is None,
        cwd=str(flags.cwd) if flags.cwd else None,
        record=str(flags.record) if flags.record else None,
    )
    apart(flags.record, flags.store)
    seed = read_seed(flags.seed)
    if flags.matches > 1:
        if flags.pace or flags.stderr_to is not None:
            raise UserError("--pace and --stderr go with one match, not with --games")
        many(terms, specs, seed, flags)
    else:
        files = new_files(game, seed, flags.record, flags.store)
        one(terms, specs, seed, files, as_json=flags.as_json, pace_s=flags.pace, stderr_to=flags.stderr_to)


def _usual_limits(game: Game[Any], specs: Sequence[Spec]) -> Limits | None:
    """The game's default limits if any player is a command or a model, which gets more time; no limits for bots in
    this process."""
    if all(isinstance(spec, LocalSpec) for spec in specs):
        return None
    has_models = any(isinstance(spec, ModelSpec) for spec in specs)
    return read_limits(max(game.hosting.limit_s, MODEL_LIMIT_S if has_models else 0.0), 0.0)


@app.command()
def resume(
    file: Transcript,
    players: Players,
    as_json: Json = False,
    pace: Pace = 0.0,
    cwd: Cwd = None,
    stderr_to: StderrTo = None,
    model_cache: ModelCache = None,
    model_budget: ModelBudget = None,
) -> None:
    """Continue a recorded match that was interrupted. Its seed must be in FILE.seed."""
    recorder, seed, lines = FileLog.resume(file)
    try:
        header = read_header(lines[0])
        game = played_game(file, header)
        specs = read_players(game, players)
        names = [player.name for player in header.players] + joined(lines, file)
        if len(specs) != len(names):
            raise UserError(f"{file} is a match of {len(names)} players: {', '.join(names)}")
        if header.limits is None and any(not isinstance(spec, LocalSpec) for spec in specs):
            raise UserError(f"{file} has no time limit, so all its players must be in this process")
        terms = Terms(game=game, limits=header.limits, cwd=None if cwd is None else str(cwd), record=str(file))
        files = MatchFiles(recorder)
        one(terms, specs, seed, files, lines=lines, as_json=as_json, pace_s=pace, stderr_to=stderr_to)
    finally:
        recorder.release()


def joined(lines: Sequence[bytes], file: Path) -> list[str]:
    """The players who signed up after the header; UserError if the match was interrupted during the sign-up."""
    acts = [record.do for line in lines[1:] if isinstance(record := read_record(line, 0), Line) and record.by is None]
    done = [msgspec.json.decode(act) for act in acts if bytes(act)]
    names = [act["name"] for act in done if act["type"] == "Join"]
    if names and not any(act["type"] == "Close" for act in done):
        raise UserError(f"{file} was interrupted during the sign-up, and cannot be resumed")
    return names


def one(
    terms: Terms,
    specs: Sequence[Spec],
    seed: bytes,
    files: MatchFiles,
    *,
    lines: Sequence[bytes] | None = None,
    as_json: bool = False,
    pace_s: float = 0.0,
    stderr_to: Path | None = None,
) -> None:
    """Play and show one match. The exit status is 1 if it is void."""
    tally, models, seats = Tally([spec.name for spec in specs]), ModelRun(specs), range(len(specs))
    terms = replace(terms, models=models.begin(files.record, resumes=lines is not None))
    if stderr_to is not None:
        stderr_to.mkdir(parents=True, exist_ok=True)
    with nullcontext() if as_json else Stage(console, pace_s) as stage:
        watch = all_of(tally.watch(seats), *([] if stage is None else [stage]))
        played = play(terms, specs, seed, files, watch, lines)
    tally.add(seats, played)
    if stderr_to is not None:
        for seat, text in played.stderr.items():
            (stderr_to / f"seat-{seat}.txt").write_text(text)
    faults = [player.faults for player in tally.players]
    if as_json:
        models.end(lambda seat: seat)
        print_json(summary(played, faults) | models.as_json())
    else:
        tell_end(played, faults, models, files)
    if isinstance(played.end, Void):
        raise typer.Exit(1)


def tell_end(played: Played, faults: Sequence[Counter[str]], models: ModelRun, files: MatchFiles) -> None:
    """Print the result of a match, and where it is recorded."""
    match, calls = played.match, models.end(lambda seat: seat)
    console.print(result_table(match.game, match.header.match, match.names, played.end))
    tell_complaints(played, faults)
    models.tell(console)
    if files.record is not None:
        hint = "prove it with `parlour verify`, see it with `parlour replay`"
        console.print(f"Recorded in {files.record}: {hint}", soft_wrap=True)
    tell_calls(calls)
    if files.form is not None:
        console.print(f"Written in the format of {match.game.title} to {files.form}", soft_wrap=True)


def many(terms: Terms, specs: Sequence[Spec], seed: bytes, flags: MatchFlags) -> None:
    """Play many matches, and print a table of the results."""
    tally, models = Tally([spec.name for spec in specs]), ModelRun(specs)
    for folder in (flags.record, flags.store):
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
    with Progress(console=stderr, transient=True, disable=flags.as_json) as progress:
        for number in progress.track(range(flags.matches), description=f"Playing {terms.game.title}"):
            order, own_seed = seating(len(specs), number, seed), seed_of(seed, number)
            name = f"{number + 1:06}.jsonl"
            record = None if flags.record is None else flags.record / name
            store = None if flags.store is None else flags.store / name
            files = new_files(terms.game, own_seed, record, store)
            told = None if record is None else str(record)
            terms = replace(terms, record=told, models=models.begin(record))
            played = play(terms, [specs[place] for place in order], own_seed, files, tally.watch(order))
            tally.add(order, played)
            models.end(order.__getitem__)
    if flags.as_json:
        result = {"game": terms.game.name, "seed": seed.hex(), "void": tally.void, "players": tally.as_json()}
        print_json(result | models.as_json())
        return
    console.print(tally.table())
    models.tell(console)
    if tally.void:
        console.print(Text(f"{tally.void} matches are void", "red"))


def summary(played: Played, faults: Sequence[Counter[str]]) -> dict[str, Any]:
    """A result as JSON. `faults`: by seat."""
    end, match = played.end, played.match
    return {
        "game": match.game.name,
        "match": match.header.match,
        "players": match.names,
        "scores": end.scores if isinstance(end, Result) else None,
        "ranks": end.ranks if isinstance(end, Result) else None,
        "void": end if isinstance(end, Void) else None,
        "seed": match.seed.hex(),
        "head": match.over and match.over.head,
        "left": {str(seat): why for seat, why in match.gone.items()},
        "endings": {str(seat): how for seat, how in played.endings.items()},
        "faults": faults,
    }


def tell_complaints(played: Played, faults: Sequence[Counter[str]]) -> None:
    """Print how commands ended that exited early, and the last lines that faulty players wrote to stderr."""
    for seat, name in enumerate(played.match.names):
        if seat in played.endings:
            console.print(Text(f"{name} {played.endings[seat]} before the end", "red"))
        complaint = played.stderr.get(seat, "").strip().splitlines()
        if complaint and (faults[seat] or seat in played.endings):
            console.print(Text(f"{name} wrote to stderr:", "red"))
            for line in complaint[-COMPLAINT_LINES:]:
                console.print(Text(f"  {line}", "dim"))


@app.command("play")
def play_yourself(
    game_name: GameName,
    against: Annotated[
        list[str] | None, typer.Argument(metavar="[PLAYER]...", help="Your opponents; by default the strongest bot.")
    ] = None,
    seed: Seed = None,
    settings: Settings = None,
    name: Annotated[str, typer.Option(help="Your name.")] = "human",
    record: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the transcript.")] = None,
    model_cache: ModelCache = None,
    model_budget: ModelBudget = None,
) -> None:
    """Play against bots and language models in the terminal."""
    if why := why_not_a_name(name):
        raise UserError(f"--name: {why}")
    game = find_game(game_name)
    others = read_players(game, against or [game.hosting.best_bot()] * (seats_of(game)[0] - 1))
    if any(isinstance(spec, ExecSpec) for spec in others):
        raise UserError("a person plays against bots in this process and models; for commands, use `parlour match`")
    names = [name, *(spec.name for spec in others)]
    person = LocalSpec(name, lambda: TerminalPlayer(game, names, console, console.input))

    own_seed = read_seed(seed)
    files = new_files(game, own_seed, record)

    def watch(match: Match[Any], out: Out) -> None:
        for notice in out.to(0):
            if isinstance(notice, AnswerRefused):
                console.print(fault_lines(notice, match)[0])

    console.print(painted(f"{game.title}: {game.summary}. You are {name}; q leaves.", names))
    models = ModelRun([person, *others])
    terms = Terms(game=game, options=read_options(game, settings or ()), models=models.begin(files.record))
    played = play(terms, [person, *others], own_seed, files, watch)
    console.print()
    tell_end(played, [Counter() for _ in names], models, files)
