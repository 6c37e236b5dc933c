"""The commands match, resume and play."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
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
)
from parlour.cli.common import (
    FormatLog,
    UserError,
    apart,
    console,
    find_game,
    played_game,
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
from parlour.referee.log import CombinedLog, FileLog, new_file
from parlour.referee.match import Match, Out
from parlour.referee.replay import read_header
from parlour.referee.transcript import Limits, Line, read_record

COMPLAINT_LINES = 20


RecordTo = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Write the transcript; with --games, a folder of transcripts.")
]
Matches = Annotated[int, typer.Option("--games", metavar="N", min=1, help="Play N matches with rotated seats.")]


@app.command()
def match(
    game_name: GameName,
    players: Players,
    seed: Seed = None,
    settings: Settings = None,
    state: State = None,
    record: RecordTo = None,
    store: Store = None,
    as_json: Json = False,
    matches: Matches = 1,
    pace: Pace = 0.0,
    limit: LimitS = None,
    bank: BankS = 0.0,
    bears: Bears = None,
    cwd: Cwd = None,
    stderr_to: StderrTo = None,
    model_cache: ModelCache = None,
    model_budget: ModelBudget = None,
) -> None:
    """Let bots, programs and language models play one match, or many."""
    specs = read_players(game := find_game(game_name), players)
    terms = Terms(
        game=game,
        options=read_options(game, settings or ()),
        start=read_start(game, state),
        limits=read_limits(limit, bank) or _usual_limits(game, specs),
        bears=bears,
        salted=seed is None,
        cwd=str(cwd) if cwd else None,
        record=str(record) if record else None,
    )
    apart(record, store)
    own_seed = read_seed(seed)
    if matches > 1:
        if pace or stderr_to is not None:
            raise UserError("--pace and --stderr go with one match, not with --games")
        many(terms, specs, own_seed, matches, record, store, as_json)
    else:
        logs = _logs(game, own_seed, record, store)
        one(terms, specs, own_seed, *logs, as_json=as_json, pace_s=pace, stderr_to=stderr_to)


def _logs(
    game: Game[Any], seed: bytes, record: Path | None, store: Path | None
) -> tuple[FileLog | None, FormatLog | None]:
    """The files that a match is written to."""
    recorder = None if record is None else FileLog(new_file(record), seed)
    return recorder, None if store is None else FormatLog(store, game, seed)


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
        go_on(file, recorder, seed, lines, players, as_json, pace, cwd, stderr_to)
    finally:
        recorder.release()


def go_on(
    file: Path,
    recorder: FileLog,
    seed: bytes,
    lines: list[bytes],
    players: Sequence[str],
    as_json: bool,
    pace: float,
    cwd: Path | None,
    stderr_to: Path | None,
) -> None:
    """Continue a transcript from its last line."""
    header = read_header(lines[0])
    game = played_game(file, header)
    specs = read_players(game, players)
    names = [player.name for player in header.players] + joined(lines, file)
    if len(specs) != len(names):
        raise UserError(f"{file} is a match of {len(names)} players: {', '.join(names)}")
    if header.limits is None and any(not isinstance(spec, LocalSpec) for spec in specs):
        raise UserError(f"{file} has no time limit, so all its players must be in this process")
    terms = Terms(game=game, limits=header.limits, cwd=None if cwd is None else str(cwd), record=str(file))
    one(terms, specs, seed, recorder, lines=lines, as_json=as_json, pace_s=pace, stderr_to=stderr_to)


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
    recorder: FileLog | None,
    form: FormatLog | None = None,
    *,
    lines: Sequence[bytes] | None = None,
    as_json: bool = False,
    pace_s: float = 0.0,
    stderr_to: Path | None = None,
) -> None:
    """Play and show one match."""
    tally, models = Tally([spec.name for spec in specs]), ModelRun(specs)
    path = None if recorder is None else recorder.path
    terms = replace(terms, models=models.begin(path, resumes=lines is not None))
    stage = None if as_json else Stage(console, pace_s)
    seats = range(len(specs))

    def watch(match: Match[Any], out: Out) -> None:
        tally.watch(seats, out)
        if stage is not None:
            stage(match, out)

    if stderr_to is not None:
        stderr_to.mkdir(parents=True, exist_ok=True)
    try:
        played = play(terms, specs, seed, _combined(recorder, form), watch, lines)
    except BaseException:
        if stage is not None:
            stage.stop()
        raise
    if stage is not None:
        stage.close()
    tally.add(seats, played)
    if stderr_to is not None:
        save_stderr(played, stderr_to)
    _tell_end(terms, played, tally, recorder, form, models, as_json)


def _combined(recorder: FileLog | None, form: FormatLog | None) -> CombinedLog:
    return CombinedLog(*(log for log in (recorder, form) if log is not None))


def _tell_end(
    terms: Terms,
    played: Played,
    tally: Tally,
    recorder: FileLog | None,
    form: FormatLog | None,
    models: ModelRun,
    as_json: bool,
) -> None:
    """Print the result. The exit status is 1 if the match is void."""
    calls = models.end(range(len(tally.players)))
    if as_json:
        told = {**summary(played), "faults": [dict(it.faults) for it in tally.players]}
        print(msgspec.json.encode(told | ({"models": models.as_json()} if models.has_models else {})).decode())
    else:
        done = played.match
        console.print(result_table(terms.game, done.header.match, done.names, played.end))
        tell_complaints(played, [bool(it.faults) for it in tally.players])
        if models.by_player:
            console.print(models.table())
        tell_record(recorder)
        tell_calls(calls)
        if form is not None:
            console.print(f"Written in the format of {terms.game.title} to {form.path}", soft_wrap=True)
    if isinstance(played.end, Void):
        raise typer.Exit(1)


def many(
    terms: Terms,
    specs: Sequence[Spec],
    seed: bytes,
    matches: int,
    records: Path | None,
    stores: Path | None,
    as_json: bool,
) -> None:
    """Play many matches, and print a table of the results."""
    tally, models = Tally([spec.name for spec in specs]), ModelRun(specs)
    for folder in (records, stores):
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
    with Progress(console=stderr, transient=True, disable=as_json) as progress:
        task = progress.add_task(f"Playing {terms.game.title}", total=matches)
        for number in range(matches):
            order = seating(len(specs), number, seed)
            own_seed = seed_of(seed, number)
            file = f"{number + 1:06}.jsonl"
            recorder = None if records is None else FileLog(new_file(records / file), own_seed)
            form = None if stores is None else FormatLog(stores / file, terms.game, own_seed)
            path = None if recorder is None else recorder.path
            terms = replace(terms, record=None if path is None else str(path), models=models.begin(path))
            log, watch = _combined(recorder, form), partial(_count, tally, order)
            played = play(terms, [specs[place] for place in order], own_seed, log, watch)
            tally.add(order, played)
            models.end(order)
            progress.advance(task)
    if as_json:
        result = {"game": terms.game.name, "seed": seed.hex(), "void": tally.void, "players": tally.as_json()}
        print(msgspec.json.encode(result | ({"models": models.as_json()} if models.has_models else {})).decode())
        return
    console.print(tally.table())
    if models.by_player:
        console.print(models.table())
    if tally.void:
        console.print(Text(f"{tally.void} matches are void", "red"))


def _count(tally: Tally, order: Sequence[int], match: Match[Any], out: Out) -> None:
    tally.watch(order, out)


def summary(played: Played) -> dict[str, Any]:
    """A result as JSON."""
    end, match = played.end, played.match
    return {
        "game": match.game.name,
        "match": match.header.match,
        "players": match.names,
        "scores": end.scores if isinstance(end, Result) else None,
        "ranks": end.ranks if isinstance(end, Result) else None,
        "void": end if isinstance(end, Void) else None,
        "seed": match.seed.hex(),
        "head": match.head,
        "left": {str(seat): why for seat, why in match.gone.items()},
        "endings": {str(seat): how for seat, how in played.endings.items()},
    }


def tell_record(recorder: FileLog | None) -> None:
    """Print where the transcript is, and what to do with it."""
    if recorder is not None:
        hint = "prove it with `parlour verify`, see it with `parlour replay`"
        console.print(f"Recorded in {recorder.path}: {hint}", soft_wrap=True)


def tell_complaints(played: Played, faulty: Sequence[bool]) -> None:
    """Print how commands ended that exited early, and the last lines that faulty players wrote to stderr."""
    for seat, name in enumerate(played.match.names):
        if seat in played.endings:
            console.print(Text(f"{name} {played.endings[seat]} before the end", "red"))
        complaint = played.stderr.get(seat, "").strip().splitlines()
        if complaint and (faulty[seat] or seat in played.endings):
            console.print(Text(f"{name} wrote to stderr:", "red"))
            for line in complaint[-COMPLAINT_LINES:]:
                console.print(Text(f"  {line}", "dim"))


def save_stderr(played: Played, folder: Path) -> None:
    for seat, text in played.stderr.items():
        (folder / f"seat-{seat}.txt").write_text(text)


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
    recorder = None if record is None else FileLog(new_file(record), own_seed)

    def watch(match: Match[Any], out: Out) -> None:
        for notice in out.to(0):
            if isinstance(notice, AnswerRefused):
                console.print(fault_lines(notice, match)[0])

    console.print(painted(f"{game.title}: {game.summary}. You are {name}; q leaves.", names))
    models = ModelRun([person, *others])
    service = models.begin(None if recorder is None else recorder.path)
    terms = Terms(game=game, options=read_options(game, settings or ()), models=service)
    played = play(terms, [person, *others], own_seed, recorder, watch)
    _tell_own(played, models, recorder)


def _tell_own(played: Played, models: ModelRun, recorder: FileLog | None) -> None:
    """Print the result of a match against a person."""
    match = played.match
    calls = models.end(range(len(match.names)))
    console.print()
    console.print(result_table(match.game, match.header.match, match.names, played.end))
    if models.by_player:
        console.print(models.table())
    tell_record(recorder)
    tell_calls(calls)
