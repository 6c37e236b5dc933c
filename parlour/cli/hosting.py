"""The command that serves a game in its own protocol."""

import asyncio
from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from parlour.cli.arguments import BankS, Bears, Cwd, GameName, LimitS, Seed, Settings, app
from parlour.cli.common import (
    MISTAKES,
    Recorder,
    UserError,
    find_game,
    in_words,
    read_limits,
    read_options,
    read_players,
    read_seed,
    seed_of,
    stderr,
)
from parlour.cli.matches import summary
from parlour.core import Dialect, Sitting
from parlour.players.host import Host
from parlour.players.load import Spec, find_dialect
from parlour.players.play import Terms
from parlour.referee.driver import Watch
from parlour.referee.match import Match, Out
from parlour.referee.transcript import new_seed


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
    record: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Keep transcripts in this folder; with --once, in this file.")
    ] = None,
    seed: Seed = None,
    settings: Settings = None,
    dialect: Annotated[str, typer.Option(metavar="NAME", help="Another form of the game's protocol.")] = "tcp",
    limit: LimitS = 10.0,
    bank: BankS = 0.0,
    bears: Bears = None,
    cwd: Cwd = None,
) -> None:
    """Serve a game in its own protocol over TCP. Each match's result is a line of JSON on standard output."""
    game = find_game(game_name)
    spoken = find_dialect(game, dialect)
    if not spoken().introduces:
        raise UserError(f"--dialect {dialect}: it has no words for who connects; it is for commands")
    bots = read_players(game, players or ())
    table = game.seats[0] if seats is None else seats
    if table not in game.seats or len(bots) >= table:
        few, many = game.seats[0], game.seats[-1]
        raise UserError(f"{game.title} has {few} to {many} seats, and at least one must be open to connect to")
    options = read_options(game, settings or ())
    game.resolve(options, [Sitting("anybody")] * table)  # says at once what would be wrong later
    terms = Terms(
        game=game,
        options=options,
        limits=read_limits(limit, bank),
        bears=bears,
        cwd=None if cwd is None else str(cwd),
    )
    if record is not None and once:
        Recorder(record, b"")  # says at once what would be wrong later
    elif record is not None:
        record.mkdir(parents=True, exist_ok=True)
    tables = Tables(None if seed is None else read_seed(seed), record, once)
    asyncio.run(serve(terms, table, bots, spoken, address, port, tables))


class Tables:
    """The seed of every next match, and where it is recorded."""

    def __init__(self, seed: bytes | None, record: Path | None, once: bool) -> None:
        self._seed = seed
        self._record = record
        self.once = once
        self._numbers = count()

    def __call__(self) -> tuple[bytes, Watch | None]:
        seed = new_seed() if self._seed is None else seed_of(self._seed, next(self._numbers))
        return seed, None if self._record is None else LateRecorder(self._record, seed, self.once)


class LateRecorder:
    """Records a match from its first line on; in a folder, under the match's own name."""

    def __init__(self, path: Path, seed: bytes, once: bool) -> None:
        self._path = path
        self._seed = seed
        self._once = once
        self._recorder: Recorder | None = None

    def __call__(self, match: Match[Any], out: Out) -> None:
        if self._recorder is None:
            path = self._path if self._once else self._path / f"{match.header.match}.jsonl"
            self._recorder = Recorder(path, self._seed)
        self._recorder(match, out)


async def serve(
    terms: Terms,
    seats: int,
    bots: Sequence[Spec],
    dialect: Callable[[], Dialect],
    address: str,
    port: int,
    tables: Tables,
) -> None:
    """Listen, and print a line for every match that ends."""
    host = Host(terms, seats, bots, dialect, tables)
    host.joined = lambda name, missing: stderr.print(f"{name} sits down; {missing} to come")
    port = await host.listen(address, port)
    stderr.print(f"{terms.game.title} on {address}:{port}, {seats - len(bots)} to come; Ctrl-C ends it")
    try:
        while True:
            try:
                played = await host.next()
            except MISTAKES as e:
                if tables.once:
                    raise
                stderr.print(f"A match did not come about: {in_words(e)}")
                continue
            print(msgspec.json.encode(summary(played)).decode(), flush=True)
            if tables.once:
                return
    finally:
        await host.close()
