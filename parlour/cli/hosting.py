"""The command that serves one game: an arena with its own players and options, and without accounts."""

import asyncio
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct
from msgspec.structs import replace

from parlour import plugins
from parlour.cli.arguments import BankS, Bears, Cwd, GameName, LimitS, Seed, Settings, State, command_with, port_option
from parlour.cli.common import (
    MISTAKES,
    UserError,
    all_of,
    find_game,
    in_words,
    print_json,
    read_limits,
    read_players,
    read_seed,
    read_start,
    seats_of,
    seed_of,
    stderr,
)
from parlour.cli.match_screen import troubles
from parlour.cli.model_runs import CallFolder, ModelBudget, ModelCache
from parlour.cli.options import read_options, read_settings
from parlour.cli.play_commands import summary
from parlour.cli.scoreboard import fault_codes
from parlour.core import BadOptions, Dice, Game, Result, Seat, Sitting
from parlour.players.models.service import ModelService
from parlour.players.play import Played
from parlour.players.player_specs import ModelSpec, Spec, find_dialect
from parlour.players.terms import MODEL_LIMIT_S, Terms
from parlour.referee.log import FileLog, new_file
from parlour.referee.match import Match, Out
from parlour.referee.transcript import match_name, new_seed
from parlour.tables.house import HousePlan, NextMatch, Waits
from parlour.tables.spectators import SpectatorGallery, observed, spectated

if TYPE_CHECKING:  # slow to import
    from parlour.server.main import Serving

USUAL_WAITS = Waits()
COURSE = "course"
"""The dialect that can have another port, besides that of the game's default dialect."""


DialectName = Annotated[str | None, typer.Option(metavar="NAME", help="Another dialect of the game's own protocol.")]


class HostFlags(Struct, frozen=True, kw_only=True):
    """The arguments of the command."""

    game_name: GameName
    players: Annotated[
        list[str] | None, typer.Argument(metavar="[PLAYER]...", help="Players of this machine that take seats.")
    ] = None
    port: Annotated[int, port_option("P", "0: any free port.")] = 0
    address: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1"
    course_port: Annotated[
        int | None, port_option("Q", "Another port, for the dialect `course`, if the game has it.")
    ] = None
    seats: Annotated[int | None, typer.Option(metavar="N", help="How many seats the table has.")] = None
    once: Annotated[bool, typer.Option("--once", help="Play one match, then exit.")] = False
    state: State = None
    wait: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.1, help="Games with a sign-up: how long players may sign up.")
    ] = USUAL_WAITS.period_s
    name_within: Annotated[
        float,
        typer.Option(
            metavar="SECONDS", min=0.0, help="Games with a sign-up: how long a player may take to send its name."
        ),
    ] = USUAL_WAITS.name_s
    cap: Annotated[
        float,
        typer.Option(metavar="SECONDS", min=0.1, help="Games with a sign-up: when a match is stopped and scored."),
    ] = USUAL_WAITS.cap_s
    observe: Annotated[
        int | None, port_option("PORT", "A port for observers, who see everything, even what is hidden.")
    ] = None
    spectate: Annotated[int | None, port_option("PORT", "A port for spectators, who see what is public.")] = None
    record: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Write transcripts to this folder; with --once, to this file.")
    ] = None
    web_port: Annotated[int | None, port_option("PORT", "Page, HTTP and WebSocket; without it, any free port.")] = None
    admin_password: Annotated[
        str | None,
        typer.Option(
            envvar="PARLOUR_ADMIN_PASSWORD",
            show_envvar=True,
            metavar="WORD",
            help="Games in rooms: lets a client start, restart and delete rooms.",
        ),
    ] = None
    seed: Seed = None
    settings: Settings = None
    dialect: DialectName = None
    limit: LimitS = None
    bank: BankS = 0.0
    bears: Bears = None
    cwd: Cwd = None
    model_cache: ModelCache = None
    model_budget: ModelBudget = None


@command_with(HostFlags)
def host(flags: HostFlags) -> None:
    """Serve one game, in all its protocols, over TCP, WebSocket and HTTP. Prints each result as a line of JSON."""
    game = find_game(flags.game_name)
    bots = read_players(game, flags.players or ())
    hosted = (HostedVenue if game.hosting.seating == "open" else HostedTables)(game, bots, flags)
    from parlour.server.net.web_server import run  # slow to import

    run(hosted.serve())


class NewMatches:
    """Gives every match its seed, log and spectators."""

    def __init__(
        self,
        seed: str | None = None,
        record: Path | None = None,
        *,
        once: bool = False,
        galleries: Sequence[tuple[int, SpectatorGallery]] = (),
    ) -> None:
        self._seed = None if seed is None else read_seed(seed)
        self._numbers = count()
        self._record, self._once, self._galleries = record, once, galleries
        if record is not None and once:
            new_file(record)
        elif record is not None:
            record.mkdir(parents=True, exist_ok=True)
        self._faults: defaultdict[str, defaultdict[Seat, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
        """By match and seat, how often each fault was made."""
        self._calls = None if record is None else CallFolder(partial(self._path, record))
        """The records of model players."""

    def model_service(self) -> ModelService:
        """The service for the model players of all matches."""
        return ModelService(sink=self._calls)

    def __call__(self) -> NextMatch:
        seed = new_seed() if self._seed is None else seed_of(self._seed, next(self._numbers))
        watches = (gallery.watch(seed) for _, gallery in self._galleries)
        return NextMatch(seed, self._log(seed), all_of(self._count, _tell_troubles, *watches))

    def _log(self, seed: bytes) -> FileLog | None:
        """The log of a match, whose file is created with the first line; None if nothing is recorded."""
        if self._record is None:
            return None
        return FileLog(self._path(self._record, match_name(seed)), seed)

    def _path(self, record: Path, match: str) -> Path:
        return record if self._once else record / f"{match}.jsonl"

    def _count(self, match: Match[Any], out: Out) -> None:
        for seat, code in fault_codes(out):
            self._faults[match.header.match][seat][code] += 1

    def result(self, played: Played) -> dict[str, Any]:
        """The result of a match as JSON, with its faults counted as `parlour match --json` does."""
        match = played.match
        faults = self._faults.pop(match.header.match, defaultdict(Counter))
        if self._calls is not None:
            self._calls.ended(match.header.match)
        for seat, why in match.gone.items():
            faults[seat][f"left: {why}"] += 1
        return summary(played, [faults[seat] for seat in range(len(match.names))])

    @asynccontextmanager
    async def watched(self, address: str) -> AsyncIterator[None]:
        """Listen for spectators until the block ends."""
        try:
            for port, gallery in self._galleries:
                chosen = await gallery.listen(address, port)
                stderr.print(f"{gallery.title} on {address}:{chosen}", soft_wrap=True)
            yield
        finally:
            for _, gallery in self._galleries:
                await gallery.close()


def _galleries(game: Game[Any], observe: int | None, spectate: int | None) -> list[tuple[int, SpectatorGallery]]:
    if observe is not None and game.hosting.scribe is None:
        raise UserError(f"--observe: {game.title} has no format of its own for observers; see --spectate")
    wanted = ((observe, "Observers", observed(game)), (spectate, "Spectators", spectated))
    return [(port, SpectatorGallery(title, tells)) for port, title, tells in wanted if port is not None]


def _tell_troubles(match: Match[Any], out: Out) -> None:
    """Print faults, and the findings of the game's own audits."""
    for line in troubles(match, out):
        stderr.print(line, soft_wrap=True)


class HostedGame(ABC):
    """A game as requested on the command line."""

    def __init__(self, game: Game[Any], bots: Sequence[Spec], flags: HostFlags) -> None:
        self._game = game
        self._flags = flags
        self._bots = bots
        self._check()
        self._results: asyncio.Queue[Played | Exception | None] = asyncio.Queue()
        galleries = _galleries(game, flags.observe, flags.spectate)
        self._matches = NewMatches(flags.seed, flags.record, once=flags.once, galleries=galleries)
        tell = self._results.put_nowait
        self._plan = replace(self._planned(), specs=bots, is_once=flags.once, ended=tell, failed=tell)

    @abstractmethod
    def _check(self) -> None:
        """UserError if the flags are not for this kind of game."""

    @abstractmethod
    def _planned(self) -> HousePlan:
        """The plan of the host; UserError if there can be no match."""

    @abstractmethod
    def _ports(self) -> tuple[dict[str, int], int, int]:
        """The ports of the game's own protocols, by GAME or GAME/DIALECT, that of protocol 1 over TCP, and that of the
        web server."""

    async def serve(self) -> None:
        """Serve until the command is stopped or, with --once, the first match has ended."""
        from parlour.server.startup import hosted  # slow to import

        (listeners, tcp_port, web_port), address = self._ports(), self._flags.address
        async with (
            self._matches.watched(address),
            hosted(self._plan, listeners, address=address, tcp_port=tcp_port, web_port=web_port) as serving,
        ):
            here = f"[{address}]" if ":" in address else address
            for line in [*self._announced(serving, here), *(f"  {problem}" for problem in serving.problems)]:
                stderr.print(line, soft_wrap=True)
            while not self._told(await self._results.get()):
                pass

    @abstractmethod
    def _announced(self, serving: "Serving", here: str) -> list[str]:
        """The lines that announce where the game is played."""

    def _told(self, result: Played | Exception | None) -> bool:
        """Print a result; True if it was the last one."""
        if isinstance(result, Exception):
            raise result
        if result is not None:
            print_json(self._matches.result(result))
        return self._flags.once


class HostedVenue(HostedGame):
    """A game without tables, which is played in its venue."""

    def _check(self) -> None:
        for name in ("seats", "limit", "state", "observe", "spectate", "web_port"):
            if getattr(self._flags, name) is not None:
                flag = f"--{name.replace('_', '-')}"
                raise UserError(f"{flag}: this is for tables, and {self._game.title} has none; see --set")

    def _planned(self) -> HousePlan:
        flags, (fewest, most) = self._flags, seats_of(self._game)
        return HousePlan(
            terms=Terms(game=self._game),
            fewest=fewest,
            most=most,
            settings=self._settings(),
            admin_password=flags.admin_password,
            new_match=self._matches,
        )

    def _settings(self) -> dict[str, Any]:
        from parlour.server.venue import find_venue  # slow to import

        try:
            venue = find_venue(self._game.name)
        except plugins.BrokenPlugin as e:
            raise UserError(f"the venue {e}") from None
        if venue is None:
            raise UserError(f"{self._game.title} has no tables, and its venue is not installed")
        settings = read_settings(self._game, self._flags.settings or (), tuple(venue.host_options))
        try:
            venue.check_host(settings)
        except BadOptions as e:
            raise UserError(f"--set: {e}") from None
        return settings

    def _ports(self) -> tuple[dict[str, int], int, int]:
        return {}, 0, self._flags.port

    async def serve(self) -> None:
        """Matches that have not ended when the command is stopped end then, and are told, too."""
        try:
            await super().serve()
        finally:
            while not (self._flags.once or self._results.empty()):
                self._told(self._results.get_nowait())

    def _announced(self, serving: "Serving", here: str) -> list[str]:
        if not serving.venues:
            raise UserError("; ".join(serving.problems))
        here, name = f"{here}:{serving.port}", self._game.name
        lines = serving.venues[name].addresses(f"http://{here}", f"ws://{here}")
        if stderr.is_terminal:
            lines = [*lines, f"over protocol 1: ws://{here}/play/{name}", f"in a browser: http://{here}"]
        return [f"{self._game.title} on {here}; Ctrl-C ends it", *(f"  {line}" for line in lines)]


class HostedTables(HostedGame):
    """A game that is played at tables."""

    def _check(self) -> None:
        self._signs_up = self._game.hosting.seating == "sign_up"
        self._dialect = _dialect_of(self._game, self._flags.dialect)
        if self._flags.course_port is not None and COURSE not in self._game.hosting.dialects:
            raise UserError(f"--course-port: {self._game.title} is not played in a course")
        if self._flags.course_port is not None and self._dialect == COURSE:
            raise UserError("--course-port: with --dialect course, that protocol is on --port")

    def _planned(self) -> HousePlan:
        flags, (terms, fewest, most) = self._flags, self._terms(self._bots)
        doing = "signs up; {} more may come" if self._signs_up else "sits down; {} to come"
        return HousePlan(
            terms=terms,
            fewest=fewest,
            most=most,
            dialect=self._dialect,
            new_match=self._matches,
            waits=Waits(period_s=flags.wait, name_s=flags.name_within, cap_s=flags.cap, patient=not flags.once),
            joined=lambda name, missing: stderr.print(f"{name} {doing.format(missing)}", soft_wrap=True),
        )

    def _terms(self, bots: Sequence[Spec]) -> tuple[Terms, int, int]:
        """The terms of all matches, and the fewest and the most players; UserError if there can be no match."""
        game, flags = self._game, self._flags
        has_models = any(isinstance(spec, ModelSpec) for spec in bots)
        usual_s = max(game.hosting.limit_s, MODEL_LIMIT_S if has_models else 0.0)
        limits = read_limits(usual_s if flags.limit is None else flags.limit, flags.bank)
        few, many = seats_of(game)
        most = (many if self._signs_up else few) if flags.seats is None else flags.seats
        if not few <= most <= many or len(bots) >= most:
            raise UserError(f"{game.title} has {few} to {many} seats, and at least one must be open to connect to")
        options, start = read_options(game, flags.settings or ()), read_start(game, flags.state)
        resolved = game.rules.resolve(options, [Sitting("anybody")] * most)  # reports errors before the first match
        if not self._signs_up:
            game.rules.new(most, resolved, start, Dice(b"trial"))  # so does this
        cwd = None if flags.cwd is None else str(flags.cwd)
        models = self._matches.model_service() if has_models else None
        terms = Terms(game=game, options=options, start=start, limits=limits, bears=flags.bears, cwd=cwd, models=models)
        return (terms, few, _places(terms, few, most, flags.once)) if self._signs_up else (terms, most, most)

    def _ports(self) -> tuple[dict[str, int], int, int]:
        """Every dialect has a port: those without an option any free one. A game without a dialect has protocol 1 on
        --port."""
        flags, hosting = self._flags, self._game.hosting
        ports = {**dict.fromkeys(filter(hosting.lets_connect, hosting.dialects), 0), **self._chosen_ports()}
        listeners = {self._listener(dialect): port for dialect, port in ports.items()}
        return listeners, 0 if self._dialect else flags.port, flags.web_port or 0

    def _chosen_ports(self) -> dict[str, int]:
        """The ports with an option of their own, by dialect."""
        chosen = {} if self._dialect is None else {self._dialect: self._flags.port}
        return chosen if self._flags.course_port is None else {**chosen, COURSE: self._flags.course_port}

    def _listener(self, dialect: str) -> str:
        name = self._game.name
        return name if dialect == self._game.hosting.socket_dialect else f"{name}/{dialect}"

    def _announced(self, serving: "Serving", here: str) -> list[str]:
        """The first lines. Without a terminal, they have the addresses of other protocols only with --web-port."""
        own = [serving.listeners[self._listener(dialect)] for dialect in self._chosen_ports()]
        where = " and ".join(f"{self._flags.address}:{port}" for port in own or (serving.tcp_port,))
        to_come = self._plan.most - len(self._bots)
        how = f"; players sign up for {self._flags.wait:g} s" if self._signs_up else f", {to_come} to come"
        lines = [f"{self._game.title} on {where}{how}; Ctrl-C ends it"]
        if self._flags.web_port is not None or stderr.is_terminal:
            lines += [f"  {line}" for line in self._other_addresses(serving, here)]
        return lines

    def _other_addresses(self, serving: "Serving", here: str) -> Iterator[str]:
        name, hosting = self._game.name, self._game.hosting
        web, socket = f"http://{here}:{serving.port}", f"ws://{here}:{serving.port}"
        if self._dialect is not None:
            yield f"over WebSocket: {socket}/ws"
        for dialect in filter(hosting.lets_connect, hosting.dialects):
            if dialect != self._dialect:
                port = serving.listeners[self._listener(dialect)]
                yield f"in the dialect {dialect}: {socket}/ws/{name}/{dialect}, and TCP {here}:{port}"
        for venue in serving.venues.values():
            yield from venue.addresses(web, socket)
        yield f"over protocol 1: {socket}/play/{name}, and TCP {here}:{serving.tcp_port}"
        yield f"in a browser: {web}"

    def _told(self, result: Played | Exception | None) -> bool:
        once = self._flags.once
        if isinstance(result, MISTAKES) and not once:
            stderr.print(f"A match could not begin: {in_words(result)}", soft_wrap=True)
            return False
        if self._signs_up and once and not isinstance(result, Exception):
            print_json(_course_result(result))
            return True
        return super()._told(result)


def _dialect_of(game: Game[Any], name: str | None) -> str | None:
    """The dialect of --port; None if the game has none. UserError if clients cannot connect with it."""
    if name is None:
        return game.hosting.socket_dialect
    find_dialect(game, name)
    if not game.hosting.lets_connect(name):
        raise UserError(f"--dialect {name}: this dialect is for commands; it has no messages for clients that connect")
    return name


def _places(terms: Terms, fewest: int, most: int, once: bool) -> int:
    """How many players can sign up: no more than a prepared position has places. UserError if there can be no match,
    unless --once prints that as the result."""
    if terms.start is None:
        return most
    entries = len(terms.start.players)  # type: ignore[attr-defined]  # positions of games with a sign-up have players
    if entries < fewest and not once:
        words = f"--state: it has {entries} players, and a game needs {fewest}; with --once the result is [[],[]]"
        raise UserError(words)
    return min(most, entries)


def _course_result(played: Played | None) -> list[list[str]]:
    """Winners and removed players, in the format of the course's program."""
    if played is None:
        return [[], []]
    names, end = played.match.names, played.end
    ranks = end.ranks if isinstance(end, Result) else ()
    winners = sorted(names[seat] for seat, rank in enumerate(ranks) if rank == 1)
    return [winners, sorted(names[seat] for seat in played.match.gone)]
