"""The commands."""

import asyncio
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from parlour import __version__, bench
from parlour.cli.common import (
    Recorder,
    UserError,
    console,
    find_game,
    read_limits,
    read_options,
    read_players,
    read_seed,
    seating,
    seed_of,
    stderr,
)
from parlour.cli.person import Person
from parlour.cli.show import Stage, board_table, news, opening, painted, result_table
from parlour.cli.tally import Tally
from parlour.core import Game, Result, Void
from parlour.games import NAMES, game
from parlour.players.host import Host
from parlour.players.load import LocalSpec, Spec
from parlour.players.play import Played, Terms, play
from parlour.referee.driver import Watch
from parlour.referee.match import Match, Out
from parlour.referee.replay import replay as replay_steps
from parlour.referee.replay import verify as verify_transcript
from parlour.referee.transcript import BadTranscript, Header, Reveal, new_seed, read_record, split
from parlour.transports.v1 import schema as protocol_schema

app = typer.Typer(
    help="A fair referee for games that programs, language models and people play together.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="Which game; `parlour games` lists them.")]
Players = Annotated[
    list[str],
    typer.Argument(
        metavar="PLAYER...",
        help="A built-in bot, package.module:function, path/to/file.py, exec:COMMAND for any language "
        "over protocol 1, or exec+GAME:COMMAND over the game's own.",
    ),
]
Seed = Annotated[str | None, typer.Option("--seed", metavar="HEX", help="Repeat a match: same seed, same cards.")]
Settings = Annotated[list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="A house rule; repeatable.")]
LimitS = Annotated[float | None, typer.Option("--limit", metavar="SECONDS", help="Time to answer in.")]
BankS = Annotated[float, typer.Option("--bank", metavar="SECONDS", help="Time a player may overdraw in all.")]
Bears = Annotated[
    int | None, typer.Option("--bears", metavar="N", min=0, help="Faults borne before a player must leave.")
]
Cwd = Annotated[Path | None, typer.Option("--cwd", metavar="DIR", help="Where commands are started.")]


def version(wanted: bool) -> None:
    if wanted:
        print(f"parlour {__version__}")
        raise typer.Exit


@app.callback()
def main(
    _: Annotated[
        bool, typer.Option("--version", callback=version, is_eager=True, help="Say which version this is.")
    ] = False,
) -> None:
    """A fair referee for games that programs, language models and people play together."""


@app.command()
def games() -> None:
    """List the games, their seats, bots and own protocols."""
    table = Table()
    for column in ("game", "what it is", "seats", "bots", "own protocol"):
        table.add_column(column)
    for name in NAMES:
        it = game(name)
        ways = f"exec+{name}:COMMAND\nparlour host {name}" if it.dialects else "-"
        table.add_row(
            Text(name, "bold"), f"{it.title}: {it.summary}", f"{it.seats[0]}-{it.seats[-1]}", "\n".join(it.bots), ways
        )
    console.print(table)


@app.command()
def match(
    game_name: GameName,
    players: Players,
    seed: Seed = None,
    settings: Settings = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the transcript here; with --games, a folder of them.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON and nothing else.")] = False,
    matches: Annotated[int, typer.Option("--games", metavar="N", min=1, help="Play many, seats rotated.")] = 1,
    pace: Annotated[float, typer.Option(metavar="SECONDS", min=0.0, help="Pause between events.")] = 0.0,
    limit: LimitS = None,
    bank: BankS = 0.0,
    bears: Bears = None,
    cwd: Cwd = None,
    stderr_to: Annotated[
        Path | None, typer.Option("--stderr", metavar="DIR", help="Save what commands wrote to stderr.")
    ] = None,
) -> None:
    """Play a match, or many."""
    game = find_game(game_name)
    specs = read_players(game, players)
    limits = read_limits(limit, bank)
    if limits is None and any(not isinstance(spec, LocalSpec) for spec in specs):
        limits = read_limits(10.0, 0.0)  # whoever is not in this process may fall silent
    terms = Terms(
        game=game,
        options=read_options(game, settings or ()),
        limits=limits,
        bears=bears,
        salted=seed is None,
        cwd=None if cwd is None else str(cwd),
        record=None if record is None else str(record),
    )
    if matches > 1:
        _many(terms, specs, read_seed(seed), matches, record, as_json)
    else:
        played = _one(terms, specs, read_seed(seed), record, as_json, pace)
        _save_stderr(played, stderr_to)


def _one(terms: Terms, specs: Sequence[Spec], seed: bytes, record: Path | None, as_json: bool, pace: float) -> Played:
    recorder = None if record is None else Recorder(record, seed)
    tally = Tally([spec.name for spec in specs])
    stage = None if as_json else Stage(console, pace)
    seats = range(len(specs))

    def watch(match: Match[Any], out: Out) -> None:
        if recorder is not None:
            recorder(match, out)
        tally.watch(seats, match, out)
        if stage is not None:
            stage(match, out)

    try:
        played = play(terms, specs, seed, watch)
    finally:
        if stage is not None:
            stage.close()
    if recorder is not None:
        recorder.close()
    tally.add(seats, played.end)
    names = played.match.names
    if as_json:
        print(msgspec.json.encode(_summary(played, tally)).decode())
    else:
        console.print(result_table(names, played.end))
        _tell_endings(played)
        if record is not None:
            console.print(f"Recorded in {record}: try `parlour verify {record}` and `parlour replay {record} --step`")
    return played


def _many(terms: Terms, specs: Sequence[Spec], seed: bytes, matches: int, record: Path | None, as_json: bool) -> None:
    tally = Tally([spec.name for spec in specs])
    if record is not None:
        record.mkdir(parents=True, exist_ok=True)
    with Progress(console=stderr, transient=True, disable=as_json) as progress:
        task = progress.add_task(f"Playing {terms.game.title}", total=matches)
        for number in range(matches):
            order = seating(len(specs), number, seed)
            own_seed = seed_of(seed, number)
            recorder = None if record is None else Recorder(record / f"{number + 1:06}.jsonl", own_seed)

            def watch(match: Match[Any], out: Out, order: Sequence[int] = order, keep: Watch | None = recorder) -> None:
                tally.watch(order, match, out)
                if keep is not None:
                    keep(match, out)

            tally.add(order, play(terms, [specs[place] for place in order], own_seed, watch).end)
            if recorder is not None:
                recorder.close()
            progress.advance(task)
    if as_json:
        result = {"game": terms.game.name, "seed": seed.hex(), "void": tally.void, "players": tally.as_json()}
        print(msgspec.json.encode(result).decode())
        return
    console.print(tally.table())
    if tally.void:
        console.print(Text(f"{tally.void} matches are void", "red"))


def _summary(played: Played, tally: Tally | None = None) -> dict[str, Any]:
    end = played.end
    summary: dict[str, Any] = {
        "game": played.match.game.name,
        "match": played.match.header.match,
        "players": played.match.names,
        "scores": end.scores if isinstance(end, Result) else None,
        "ranks": end.ranks if isinstance(end, Result) else None,
        "void": end if isinstance(end, Void) else None,
        "seed": played.match.seed.hex(),
        "head": played.match.head,
    }
    if tally is not None:
        summary["faults"] = [dict(player.faults) for player in tally.players]
    return summary


def _tell_endings(played: Played) -> None:
    for seat, how in played.endings.items():
        console.print(Text(f"{played.match.names[seat]} {how} before the end", "red"))
        complaint = played.stderr.get(seat, "").strip()
        if complaint:
            console.print(Text(complaint, "dim"))


def _save_stderr(played: Played, folder: Path | None) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for seat, text in played.stderr.items():
            (folder / f"seat-{seat}.txt").write_text(text)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A transcript.")],
    seat: Annotated[int | None, typer.Option(metavar="N", help="See what this seat saw, counted from 0.")] = None,
    step: Annotated[bool, typer.Option("--step", help="Show the table, and wait for Enter after every move.")] = False,
) -> None:
    """Show a recorded match as a spectator, or one of its seats, saw it."""
    lines = split(file.read_bytes())
    first = read_record(lines[0], 1)
    last = read_record(lines[-1], len(lines))
    if not isinstance(first, Header):
        raise BadTranscript(1, "is not a header")
    if not isinstance(last, Reveal):
        raise UserError(f"{file}: its seed is not revealed yet, so its cards are not known")
    if seat is not None and not 0 <= seat < len(first.players):
        raise UserError(f"--seat {seat}: there are seats 0 to {len(first.players) - 1}")
    for number, at in enumerate(replay_steps(find_game(first.game), lines, bytes.fromhex(last.seed))):
        if number == 0:
            console.print(opening(at.match, seat))
        for line in news(at.match.game, at.out, seat, at.match.names):
            console.print(line)
        if step and (at.out.notices or number == 0) and at.match.end is None:
            console.print(board_table(at.match.game.board(at.match.state.view(seat), at.match.names)))
            try:
                input("Enter goes on ")
            except EOFError:
                step = False
    if at.match.end is not None:
        console.print(result_table(at.match.names, at.match.end))


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A transcript.")],
) -> None:
    """Prove a transcript: links, seed, every move. Exits 0 only if all of it holds."""
    verdict = verify_transcript(file.read_bytes(), game)
    if verdict.holds == "yes":
        console.print(Text.assemble(("holds", "bold green"), f": {verdict.why}"))
    elif verdict.holds == "so far":
        console.print(Text.assemble(("holds so far", "bold yellow"), f": {verdict.why}"))
        raise typer.Exit(2)
    else:
        console.print(Text.assemble(("broken", "bold red"), f" at line {verdict.line}: {verdict.why}"))
        raise typer.Exit(1)


@app.command()
def schema(game_name: GameName) -> None:
    """Print the JSON Schema of protocol 1 as this game fills it."""
    print(msgspec.json.format(msgspec.json.encode(protocol_schema(find_game(game_name))), indent=2).decode())


@app.command("play")
def play_yourself(
    game_name: GameName,
    against: Annotated[
        list[str] | None, typer.Argument(metavar="[PLAYER]...", help="Whom you play against; bots by default.")
    ] = None,
    seed: Seed = None,
    settings: Settings = None,
    name: Annotated[str, typer.Option(help="What you are called.")] = "human",
) -> None:
    """Play against bots in the terminal."""
    game = find_game(game_name)
    others = read_players(game, against or [best_bot(game)] * (game.seats[0] - 1))
    names = [name, *(spec.name for spec in others)]
    person = LocalSpec(name, lambda: Person(game, names, 0, console, console.input))
    terms = Terms(game=game, options=read_options(game, settings or ()))

    def watch(match: Match[Any], out: Out) -> None:
        for line in news(game, out, 0, names):
            if line.plain.startswith(f"  {name}: "):
                console.print(line)

    console.print(painted(f"{game.title}: {game.summary}. You are {name}; q leaves.", names))
    if any(not isinstance(spec, LocalSpec) for spec in others):
        raise UserError("a person plays against bots in this process; for commands, use `parlour match`")
    played = play(terms, [person, *others], read_seed(seed), watch)
    console.print()
    console.print(result_table(names, played.end))


def best_bot(game: Game[Any]) -> str:
    """Games list their bots from the weakest to the strongest."""
    return list(game.bots)[-1]


@app.command()
def host(
    game_name: GameName,
    players: Annotated[
        list[str] | None, typer.Argument(metavar="[PLAYER]...", help="Who takes seats besides those who connect.")
    ] = None,
    port: Annotated[int, typer.Option(metavar="P", min=0, max=65535, help="0: any that is free.")] = 0,
    address: Annotated[str, typer.Option(help="Where to listen.")] = "127.0.0.1",
    seats: Annotated[int | None, typer.Option(metavar="N", help="How many seats the table has.")] = None,
    once: Annotated[bool, typer.Option("--once", help="Play one match, then exit.")] = False,
    record: Annotated[Path | None, typer.Option(metavar="DIR", help="Keep transcripts in this folder.")] = None,
    seed: Seed = None,
    settings: Settings = None,
    limit: LimitS = 10.0,
    bank: BankS = 0.0,
    bears: Bears = None,
    cwd: Cwd = None,
) -> None:
    """Serve a game in its own protocol over TCP. Each match's result is a line of JSON on standard output."""
    game = find_game(game_name)
    if "tcp" not in game.dialects:
        raise UserError(f"{game.title} has no protocol of its own over TCP")
    bots = read_players(game, players or ())
    count = game.seats[0] if seats is None else seats
    if count not in game.seats or len(bots) >= count:
        few, many = game.seats[0], game.seats[-1]
        raise UserError(f"{game.title} has {few} to {many} seats, and at least one must be open to connect to")
    options = read_options(game, settings or ())
    limits = read_limits(limit, bank)
    terms = Terms(game=game, options=options, limits=limits, bears=bears, cwd=None if cwd is None else str(cwd))
    if record is not None:
        record.mkdir(parents=True, exist_ok=True)
    asyncio.run(_host(terms, count, bots, address, port, once, record, None if seed is None else read_seed(seed)))


async def _host(
    terms: Terms,
    seats: int,
    bots: Sequence[Spec],
    address: str,
    port: int,
    once: bool,
    record: Path | None,
    seed: bytes | None,
) -> None:
    numbers = iter(range(10**9))

    def new_table() -> tuple[bytes, Watch | None]:
        own_seed = new_seed() if seed is None else seed_of(seed, next(numbers))
        return own_seed, None if record is None else LateRecorder(record, own_seed)

    host = Host(terms, seats, bots, terms.game.dialects["tcp"], new_table)
    host.joined = lambda name, missing: stderr.print(
        f"{name} sits down; {missing} to come" if missing else f"{name} sits down"
    )
    port = await host.listen(address, port)
    stderr.print(f"{terms.game.title} on {address}:{port}, {seats - len(bots)} seats open; Ctrl-C ends it")
    try:
        while True:
            played = await host.next()
            print(msgspec.json.encode(_summary(played)).decode(), flush=True)
            if once:
                return
    finally:
        await host.close()


class LateRecorder:
    """Records a match in a folder from its first line on, under the match's own name."""

    def __init__(self, folder: Path, seed: bytes) -> None:
        self._folder = folder
        self._seed = seed
        self._recorder: Recorder | None = None

    def __call__(self, match: Match[Any], out: Out) -> None:
        if self._recorder is None:
            self._recorder = Recorder(self._folder / f"{match.header.match}.jsonl", self._seed)
        self._recorder(match, out)
        if match.end is not None and not out.notices:  # the reveal comes alone
            self._recorder.close()


@app.command()
def demo() -> None:
    """Watch four bots play For Sale, and learn what to try next."""
    game = find_game("forsale")
    specs = read_players(game, ["thinker", "minimum", "minimum", "random"])
    options = read_options(game, ["balances=open"])
    _one(Terms(game=game, options=options), specs, new_seed(), None, False, 0.25 if console.is_terminal else 0.0)
    program = "parlour" if shutil.which("parlour") else os.path.relpath(sys.argv[0])
    console.print("\n[bold]What next?[/]")
    for what, words in (
        ("play yourself", "play forsale"),
        ("ten lines of Python", "match forsale examples/ten_lines.py minimum thinker"),
        ("any language", 'match forsale "exec:python3 examples/any_language.py" minimum random'),
        ("a thousand matches", "match forsale minimum random random --games 1000"),
        ("keep a match", "match forsale minimum random random --record m.jsonl"),
        ("and prove it fair", "verify m.jsonl"),
    ):
        console.print(f"  {what:20} [cyan]{program} {words}[/]", soft_wrap=True)


@app.command("bench")
def bench_command(
    seconds: Annotated[float, typer.Option(metavar="S", min=0.1, help="How long each figure is measured.")] = 3.0,
) -> None:
    """Measure the engine and the referee on this machine."""
    table = Table(title="Measured here", title_justify="left", title_style="bold")
    for column in ("what", "figure", "at least"):
        table.add_column(column, justify="left" if column == "what" else "right")
    with Progress(console=stderr, transient=True) as progress:
        task = progress.add_task("Measuring", total=len(bench.FIGURES))
        for figure in bench.FIGURES:
            progress.update(task, description=figure.what)
            table.add_row(figure.what, f"{figure.measure(seconds):,.0f} {figure.unit}", f"{figure.wanted:,}")
            progress.advance(task)
    console.print(table)
