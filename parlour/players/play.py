"""Play one whole match; without asyncio if all players are bots in this process."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from parlour.core import Dialect, Game, Hello, Result, Seat, Sitting, Value, Void
from parlour.core.values import plain
from parlour.players.local import LocalPlayer
from parlour.players.player_specs import ExecSpec, LocalSpec, Spec
from parlour.players.remote import NotIntroduced, RemotePlayer
from parlour.referee.driver import Watch, drive_minds
from parlour.referee.log import ImmediateLog, Log, done
from parlour.referee.match import Match, Out
from parlour.referee.player import Mind, bot_dice, crashed, place_of
from parlour.referee.replay import resume
from parlour.referee.shell import Shell
from parlour.referee.transcript import Limits, SeatBrief, commitment, header, match_name
from parlour.transports.framing import framing
from parlour.transports.peer import Peer
from parlour.transports.process import CannotStart, ProcessPeer

STATUS_S = 0.5
"""How long to wait for the exit status of a child that has closed its output."""


class CannotPlay(Exception):
    """A player could not be started or seated; the message names the player and the reason."""


class Terms(Struct, frozen=True, kw_only=True):
    """Game, options and limits of a match."""

    game: Game[Any]
    options: Value | None = None
    start: Value | None = None
    """A prepared position to begin from."""
    limits: Limits | None = None
    bears: int | None = None
    salted: bool = False
    """Whether players' salts are used. Without them a match can be repeated from its seed."""
    handshake_s: float = 10.0
    cwd: str | None = None
    """Working directory of commands."""
    record: str | None = None
    """The location of the transcript, as players are told at the end."""
    pace_s: float = 0.0
    """How long bots in this process take at least for an answer."""

    def hello(self, seed: bytes, seat: Seat) -> Hello:
        return Hello(self.game.name, self.game.rules.version, commitment(seed), self.salted, seat, match_name(seed))


class Played(Struct, frozen=True):
    """A match that has ended."""

    match: Match[Any]
    end: Result | Void
    stderr: dict[int, str]
    """By seat, the end of what child processes wrote to stderr."""
    endings: dict[int, str]
    """By seat, how child processes ended before the match did, except those that had finished and exited with 0."""


Guest: TypeAlias = tuple[RemotePlayer, Sitting]
"""A client that connected by a socket and has introduced itself."""


def play(
    terms: Terms,
    specs: Sequence[Spec],
    seed: bytes,
    log: ImmediateLog | None = None,
    watch: Watch | None = None,
    lines: Sequence[bytes] | None = None,
) -> Played:
    """Play a match, or resume it after these lines, and reveal its seed. Raises CannotPlay or BadOptions."""
    log = log or ImmediateLog()
    if not all(isinstance(spec, LocalSpec) for spec in specs) or terms.limits is not None or terms.pace_s:
        return asyncio.run(play_async(terms, specs, seed, log, watch, lines=lines))
    minds = [mind_of(spec, seed, seat) for seat, spec in enumerate(specs) if isinstance(spec, LocalSpec)]
    begun = Begun(terms, seed, [Sitting(spec.name) for spec in specs], lines, 0.0)
    for seat, mind in enumerate(minds):
        begun.seat(seat, mind)
    end = drive_minds(begun.match, minds, begun.out, log, watch)
    log.end(begun.match)
    return Played(begun.match, end, {}, {})


async def play_async(
    terms: Terms,
    specs: Sequence[Spec],
    seed: bytes,
    log: Log | None = None,
    watch: Watch | None = None,
    guests: Sequence[Guest] = (),
    lines: Sequence[bytes] | None = None,
    opened: Callable[[Shell], None] = lambda shell: None,
) -> Played:
    """`play` for async players. Guests have the first seats. `opened` gets the shell before the first move."""
    players: list[RemotePlayer | LocalPlayer] = [player for player, _ in guests]
    peers: dict[int, ProcessPeer] = {}
    minds: dict[int, Mind] = {}
    try:
        await _start_all(terms, specs, seed, players, peers, minds)
        introductions = [
            introduction(players[seat], spec, terms.hello(seed, seat), terms)
            for seat, spec in enumerate(specs, start=len(guests))
        ]
        sittings = [sitting for _, sitting in guests] + await asyncio.gather(*introductions)
        spoken = {seat: it.dialect for seat, it in enumerate(players) if isinstance(it, RemotePlayer)}
        begun = Begun(terms, seed, sittings, lines, asyncio.get_running_loop().time(), briefs_of(spoken))
        for seat, mind in minds.items():
            begun.seat(seat, mind)
        match = begun.match
        shell = Shell(match, players, log=log, watch=watch, record=terms.record)
        opened(shell)
        end = await shell.run(begun.out)
        await asyncio.gather(*(peer.exited(STATUS_S) for peer in peers.values() if peer.gone is not None))
        endings = _endings(match, peers)
    finally:
        await asyncio.gather(*(peer.close() for peer in peers.values()))
        for player in players:
            if isinstance(player, LocalPlayer):
                player.close()
    await done(shell.log.end(match))
    return Played(match, end, {seat: peer.stderr for seat, peer in peers.items()}, endings)


async def _start_all(
    terms: Terms,
    specs: Sequence[Spec],
    seed: bytes,
    players: list[RemotePlayer | LocalPlayer],
    peers: dict[int, ProcessPeer],
    minds: dict[int, Mind],
) -> None:
    """Start a player for each spec and append it. If one fails, the caller stops those already started."""
    for seat, spec in enumerate(specs, start=len(players)):
        if isinstance(spec, ExecSpec):
            dialect = spec.dialect()
            peers[seat] = await start(spec, dialect, terms.cwd)
            players.append(RemotePlayer(peers[seat], dialect))
        else:
            minds[seat] = mind_of(spec, seed, seat)
            players.append(LocalPlayer(minds[seat], terms.pace_s))


def _endings(match: Match[Any], peers: dict[int, ProcessPeer]) -> dict[int, str]:
    """The exit status of each command that ended before the match, or not with status 0."""
    return {
        seat: peer.status
        for seat, peer in peers.items()
        if peer.gone is not None and (seat in match.gone or not peer.ended_well)
    }


class Begun:
    """A match that has begun, or was resumed by replaying its lines."""

    def __init__(
        self,
        terms: Terms,
        seed: bytes,
        sittings: Sequence[Sitting],
        lines: Sequence[bytes] | None,
        now: float,
        briefs: Sequence[SeatBrief] = (),
    ) -> None:
        self.past: list[Out] = []
        """The output of a resumed match so far."""
        if lines is None:
            head = header(
                terms.game,
                sittings,
                seed,
                options=terms.options,
                start=terms.start,
                limits=terms.limits,
                briefs=briefs if terms.limits is not None else (),
                bears=terms.bears,
            )
            self.match: Match[Any] = Match(terms.game, head, seed)
            self.out = self.match.begin(now)
        else:
            self.match, self.out = resume(terms.game, lines, seed, now, past=self.past)

    def seat(self, seat: Seat, mind: Mind) -> None:
        """Tell a bot its place and the past events of its seat."""
        mind.sit(place_of(self.match, seat))
        for out in self.past:
            mind.hear(out.to(seat))


def briefs_of(dialects: Mapping[Seat, Dialect]) -> list[SeatBrief]:
    """The shorter limits that the dialects ask for."""
    return [
        SeatBrief(seat, ask, brief.limit_ms, brief.again_ms)
        for seat, dialect in sorted(dialects.items())
        for ask, brief in sorted(dialect.briefs.items())
    ]


def mind_of(spec: LocalSpec, seed: bytes, seat: Seat) -> Mind:
    """Create a bot for its seat; CannotPlay if its constructor fails."""
    try:
        return Mind(spec.make(), bot_dice(seed, seat))
    except (Exception, SystemExit) as e:
        raise CannotPlay(f"{spec.name}: {crashed(e).words}") from None


async def _last_words(peer: Peer) -> str:
    """How a child process ended, and the last line it wrote to stderr; empty if it runs."""
    if not isinstance(peer, ProcessPeer) or peer.gone is None:
        return ""
    await peer.exited(STATUS_S)
    complaint = peer.stderr.strip().splitlines()[-1:]
    return f"; it {peer.status}" + "".join(f", saying: {plain(line)}" for line in complaint)


async def start(spec: ExecSpec, dialect: Dialect, cwd: str | None) -> ProcessPeer:
    """Start the child process of a player, or raise CannotPlay."""
    try:
        return await ProcessPeer.start(spec.argv, cwd, framing(dialect.frames))
    except CannotStart as e:
        raise CannotPlay(str(e)) from None


async def introduction(player: RemotePlayer | LocalPlayer, spec: Spec, hello: Hello, terms: Terms) -> Sitting:
    """Get a player's introduction. Without one the player forfeits if its protocol allows that; else CannotPlay."""
    if isinstance(player, LocalPlayer) or not player.dialect.introduces:
        return Sitting(spec.name)
    try:
        sitting = await player.introduced(hello, terms.handshake_s)
    except NotIntroduced as e:
        absent = player.dialect.absent()
        if absent is not None:
            player.excused = e.why
            return absent
        raise CannotPlay(f"{spec.name}: {e}{await _last_words(player.peer)}") from None
    return sitting if terms.salted else Sitting(sitting.name, "", sitting.about)
