"""The command that serves a game in its own protocol."""

import asyncio
import contextlib
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec import Struct

from parlour.cli.arguments import BankS, Bears, Cwd, GameName, LimitS, Seed, Settings, State, app
from parlour.cli.common import (
    MISTAKES,
    UserError,
    find_game,
    in_words,
    read_limits,
    read_players,
    read_seed,
    read_start,
    seats_of,
    seed_of,
    stderr,
)
from parlour.cli.match_screen import finding_lines
from parlour.cli.options import read_options
from parlour.cli.play_commands import summary
from parlour.core import Dialect, Finding, Game, Sitting
from parlour.players.player_specs import Spec, find_dialect
from parlour.players.terms import Terms
from parlour.referee.driver import Watch
from parlour.referee.log import FileLog, new_file
from parlour.referee.match import Match, Out
from parlour.referee.transcript import Limits, match_name, new_seed
from parlour.tables.host import Host
from parlour.tables.house import NextMatch, Waits
from parlour.tables.lobby import Lobby
from parlour.tables.spectators import SpectatorGallery, observed, spectated

USUAL_WAITS = Waits()
COURSE = "course"
"""The dialect that can have another port, besides that of the game's default dialect."""


HostedPlayers = Annotated[
    list[str] | None, typer.Argument(metavar="[PLAYER]...", help="Players of this machine that take seats.")
]
Port = Annotated[int, typer.Option(metavar="P", min=0, max=65535, help="0: any free port.")]
Address = Annotated[str, typer.Option(help="The address to listen on.")]
CoursePort = Annotated[
    int | None,
    typer.Option(metavar="Q", min=0, max=65535, help="Another port, for the dialect `course`, if the game has it."),
]
Seats = Annotated[int | None, typer.Option(metavar="N", help="How many seats the table has.")]
Once = Annotated[bool, typer.Option("--once", help="Play one match, then exit.")]
Wait = Annotated[
    float, typer.Option(metavar="SECONDS", min=0.1, help="Games with a sign-up: how long players may sign up.")
]
NameWithin = Annotated[
    float,
    typer.Option(metavar="SECONDS", min=0.0, help="Games with a sign-up: how long a player may take to send its name."),
]
Cap = Annotated[
    float, typer.Option(metavar="SECONDS", min=0.1, help="Games with a sign-up: when a match is stopped and scored.")
]
ObservePort = Annotated[
    int | None,
    typer.Option(
        metavar="PORT", min=0, max=65535, help="A port for observers, who see everything, even what is hidden."
    ),
]
SpectatePort = Annotated[
    int | None, typer.Option(metavar="PORT", min=0, max=65535, help="A port for spectators, who see what is public.")
]
RecordIn = Annotated[
    Path | None, typer.Option(metavar="PATH", help="Write transcripts to this folder; with --once, to this file.")
]
WebPort = Annotated[
    int | None,
    typer.Option(metavar="PORT", min=0, max=65535, help="Also serve WebSocket on this port, and the game's own venue."),
]
AdminPassword = Annotated[
    str | None,
    typer.Option(
        envvar="PARLOUR_ADMIN_PASSWORD",
        show_envvar=True,
        metavar="WORD",
        help="Games in rooms: lets a client start, restart and delete rooms.",
    ),
]
DialectName = Annotated[str | None, typer.Option(metavar="NAME", help="Another dialect of the game's own protocol.")]


@app.command()
def host(
    game_name: GameName,
    players: HostedPlayers = None,
    port: Port = 0,
    address: Address = "127.0.0.1",
    course_port: CoursePort = None,
    seats: Seats = None,
    once: Once = False,
    state: State = None,
    wait: Wait = USUAL_WAITS.period_s,
    name_within: NameWithin = USUAL_WAITS.name_s,
    cap: Cap = USUAL_WAITS.cap_s,
    observe: ObservePort = None,
    spectate: SpectatePort = None,
    record: RecordIn = None,
    web_port: WebPort = None,
    admin_password: AdminPassword = None,
    seed: Seed = None,
    settings: Settings = None,
    dialect: DialectName = None,
    limit: LimitS = None,
    bank: BankS = 0.0,
    bears: Bears = None,
    cwd: Cwd = None,
) -> None:
    """Serve a game in its own protocol over TCP. Each result is printed as a line of JSON."""
    game = find_game(game_name)
    bots, given = read_players(game, players or ()), settings or ()
    if game.hosting.seating == "open":
        flags = {"--seats": seats, "--limit": limit, "--state": state, "--observe": observe, "--spectate": spectate}
        _refuse_flags_of_tables(game, flags | {"--web-port": web_port})
        _host_rooms(game, bots, given, (address, port), admin_password, _tables(seed, record, once))
        return
    hosted = _hosted(game, bots, seats, dialect, web_port, course_port)
    limits = read_limits(game.hosting.limit_s if limit is None else limit, bank)
    terms = _terms(hosted, given, read_start(game, state), limits, bears, cwd)
    tables = _tables(seed, record, once, _galleries(game, observe, spectate))
    waits = Waits(period_s=wait, name_s=name_within, cap_s=cap, patient=not once)
    asyncio.run(_serve(hosted, terms, tables, waits, (address, port)))


class Hosted(Struct, frozen=True):
    """A table as requested on the command line."""

    game: Game[Any]
    bots: Sequence[Spec]
    seats: int
    dialect: Callable[[], Dialect]
    web_port: int | None
    course_port: int | None


def _hosted(
    game: Game[Any],
    bots: Sequence[Spec],
    seats: int | None,
    dialect: str | None,
    web_port: int | None,
    course_port: int | None,
) -> Hosted:
    """The requested table; UserError if the game cannot be hosted like this."""
    signs_up = game.hosting.seating == "sign_up"
    if web_port is not None and signs_up:
        raise UserError(f"--web-port: {game.title} has no protocol for WebSocket")
    spoken = find_dialect(game, dialect or game.hosting.socket_dialect)
    if not spoken().introduces and not signs_up:
        raise UserError(
            f"--dialect {dialect}: this dialect is for commands; it has no messages for clients that connect"
        )
    few, many = seats_of(game)
    table = (many if signs_up else few) if seats is None else seats
    if not few <= table <= many or len(bots) >= table:
        raise UserError(f"{game.title} has {few} to {many} seats, and at least one must be open to connect to")
    if course_port is not None and COURSE not in game.hosting.dialects:
        raise UserError(f"--course-port: {game.title} is not played in a course")
    return Hosted(game, bots, table, spoken, web_port, course_port)


def _terms(
    hosted: Hosted, settings: Sequence[str], start: Any, limits: Limits | None, bears: int | None, cwd: Path | None
) -> Terms:
    options = read_options(hosted.game, settings)
    hosted.game.rules.resolve(options, [Sitting("anybody")] * hosted.seats)  # reports errors before the first match
    where = None if cwd is None else str(cwd)
    return Terms(game=hosted.game, options=options, start=start, limits=limits, bears=bears, cwd=where)


def _tables(
    seed: str | None, record: Path | None, once: bool, galleries: Sequence[tuple[int, SpectatorGallery]] = ()
) -> "Tables":
    return Tables(None if seed is None else read_seed(seed), folder(record, once), once, galleries)


def _galleries(game: Game[Any], observe: int | None, spectate: int | None) -> list[tuple[int, SpectatorGallery]]:
    if observe is not None and game.hosting.scribe is None:
        raise UserError(f"--observe: {game.title} has no format of its own for observers; see --spectate")
    wanted = ((observe, "Observers", observed(game)), (spectate, "Spectators", spectated))
    return [(port, SpectatorGallery(title, tells)) for port, title, tells in wanted if port is not None]


def _host_rooms(
    game: Game[Any],
    bots: Sequence[Spec],
    settings: Sequence[str],
    where: tuple[str, int],
    admin_password: str | None,
    tables: "Tables",
) -> None:
    from parlour.cli.venue_hosting import host_in_venue  # slow to import

    host_in_venue(game, bots, settings, *where, admin_password, tables, tables.once)


async def _serve(hosted: Hosted, terms: Terms, tables: "Tables", waits: Waits, where: tuple[str, int]) -> None:
    address, port = where
    if hosted.game.hosting.seating == "fixed":
        await serve(terms, hosted.seats, hosted.bots, hosted.dialect, address, port, tables, hosted.web_port)
        return
    few, _ = seats_of(hosted.game)
    fronts = [(port, hosted.dialect)]
    if hosted.course_port is not None:
        fronts.append((hosted.course_port, hosted.game.hosting.dialects[COURSE]))
    await sign_up(terms, range(few, hosted.seats + 1), hosted.bots, waits, address, fronts, tables)


def _refuse_flags_of_tables(game: Game[Any], flags: Mapping[str, object]) -> None:
    for flag, value in flags.items():
        if value is not None:
            raise UserError(f"{flag}: this is for tables, and {game.title} has none; see --set")


def folder(record: Path | None, once: bool) -> Path | None:
    """Where transcripts are written; UserError if they cannot be."""
    if record is not None and once:
        new_file(record)
    elif record is not None:
        record.mkdir(parents=True, exist_ok=True)
    return record


class Tables:
    """Gives every match its seed, log and spectators."""

    def __init__(
        self,
        seed: bytes | None,
        record: Path | None,
        once: bool,
        galleries: Sequence[tuple[int, SpectatorGallery]] = (),
    ) -> None:
        self._seed = seed
        self._record = record
        self.once = once
        self.galleries = galleries
        self._numbers = count()

    def __call__(self) -> NextMatch:
        seed = new_seed() if self._seed is None else seed_of(self._seed, next(self._numbers))
        watches: list[Watch] = [_tell_findings, *(gallery.watch(seed) for _, gallery in self.galleries)]

        def watch(match: Match[Any], out: Out) -> None:
            for each in watches:
                each(match, out)

        return NextMatch(seed, self._log(seed), watch)

    def _log(self, seed: bytes) -> FileLog | None:
        """Its file, which a folder has under the match's name, is created with the first line."""
        if self._record is None:
            return None
        return FileLog(self._record if self.once else self._record / f"{match_name(seed)}.jsonl", seed)

    async def open_galleries(self, address: str) -> None:
        for port, gallery in self.galleries:
            chosen = await gallery.listen(address, port)
            stderr.print(f"{gallery.title} on {address}:{chosen}", soft_wrap=True)

    async def close(self) -> None:
        for _, gallery in self.galleries:
            await gallery.close()


def _tell_findings(match: Match[Any], out: Out) -> None:
    """Print the findings of the game's own audits."""
    for notice in out.notices if match.game.rules.audits is not None else ():
        if isinstance(notice, Finding):
            for line in finding_lines(match, notice):
                stderr.print(line, soft_wrap=True)


async def serve(
    terms: Terms,
    seats: int,
    bots: Sequence[Spec],
    dialect: Callable[[], Dialect],
    address: str,
    port: int,
    tables: Tables,
    web_port: int | None,
) -> None:
    """Serve tables, and print the result of every match."""
    host = Host(terms, seats, bots, dialect, tables)
    host.joined = lambda name, missing: stderr.print(f"{name} sits down; {missing} to come")
    await tables.open_galleries(address)
    port = await host.listen(address, port)
    stderr.print(f"{terms.game.title} on {address}:{port}, {seats - len(bots)} to come; Ctrl-C ends it", soft_wrap=True)
    try:
        async with contextlib.AsyncExitStack() as stack:
            if web_port is not None:
                from parlour.cli.venue_hosting import host_web

                await stack.enter_async_context(host_web(host, terms.game, address, web_port))
            while True:
                try:
                    played = await host.next()
                except MISTAKES as e:
                    if tables.once:
                        raise
                    stderr.print(f"A match could not begin: {in_words(e)}")
                    continue
                print(msgspec.json.encode(summary(played)).decode(), flush=True)
                if tables.once:
                    return
    finally:
        await host.close()
        await tables.close()


def _entries(terms: Terms, seats: range, once: bool) -> int | None:
    """The number of players in the prepared position; None if there is none."""
    if terms.start is None:
        return None
    entries = len(terms.start.players)  # type: ignore[attr-defined]  # positions of games with a sign-up have players
    if entries < seats[0] and not once:
        words = f"--state: it has {entries} players, and a game needs {seats[0]}; with --once the result is [[],[]]"
        raise UserError(words)
    return entries


async def sign_up(
    terms: Terms,
    seats: range,
    bots: Sequence[Spec],
    waits: Waits,
    address: str,
    fronts: Sequence[tuple[int, Callable[[], Dialect]]],
    tables: Tables,
) -> None:
    """Let players sign up, and print the result of every match; with --once, in the format of the course's program."""
    lobby = Lobby(terms, seats, bots, tables, waits=waits, places=_entries(terms, seats, tables.once))
    lobby.joined = lambda name, missing: stderr.print(f"{name} signs up; {missing} more may come")
    await tables.open_galleries(address)
    ports = await lobby.listen(address, fronts)
    where = " and ".join(f"{address}:{port}" for port in ports)
    announced = f"{terms.game.title} on {where}; players sign up for {waits.period_s:g} s; Ctrl-C ends it"
    stderr.print(announced, soft_wrap=True)
    try:
        while True:
            try:
                signed = await lobby.play()
            except MISTAKES as e:
                if tables.once:
                    raise
                stderr.print(f"A match could not begin: {in_words(e)}", soft_wrap=True)
                await asyncio.sleep(waits.period_s)  # do not retry in a tight loop
                continue
            if tables.once:
                print(msgspec.json.encode([signed.winners(), signed.removed()] if signed else [[], []]).decode())
                return
            if signed is not None:
                print(msgspec.json.encode(summary(signed.played)).decode(), flush=True)
    finally:
        await lobby.close()
        await tables.close()
