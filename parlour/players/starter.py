"""Start and stop the players of a match: bots in this process, commands, which are child processes, and models."""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeAlias

from msgspec.structs import replace

from parlour.core import Hello, Seat, Sitting
from parlour.core.values import plain
from parlour.players.local import LocalPlayer
from parlour.players.models.model_player import ModelPlayer
from parlour.players.player_specs import MODEL, ExecSpec, LocalSpec, ModelSpec, Spec
from parlour.players.remote import NotIntroduced, RemotePlayer
from parlour.players.session import Dropped, Session
from parlour.players.terms import CannotPlay, Terms
from parlour.referee.match import Match, Out
from parlour.referee.player import Mind, bot_dice, crashed
from parlour.transports.peer import Peer
from parlour.transports.process import CannotStart, ProcessPeer
from parlour.transports.stream import SPLITTERS

STATUS_S = 0.5
"""How long to wait for the exit status of a child that has closed its output."""

Started: TypeAlias = LocalPlayer | RemotePlayer | ModelPlayer


class Starter:
    """Starts the bots, commands and models of one match, and stops them."""

    def __init__(self, terms: Terms, seed: bytes) -> None:
        self._terms = terms
        self._seed = seed
        self._locals: list[LocalPlayer] = []
        self._models: list[ModelPlayer] = []
        self.commands: dict[Seat, ProcessPeer] = {}
        """By seat, the child processes that were started."""
        self.players: dict[Seat, Started] = {}
        """By seat, those that were started and have introduced themselves."""
        self.sittings: dict[Seat, Sitting] = {}
        """Their introductions."""

    async def start(self, spec: Spec, seat: Seat, past: Iterable[Out] = ()) -> Started:
        """Start a bot, a command or a model; CannotPlay if that fails. Bots and models are told the past of their
        seat."""
        if isinstance(spec, LocalSpec):
            self._locals.append(LocalPlayer(mind_of(spec, self._seed, seat), self._terms.pace_s, past))
            return self._locals[-1]
        if isinstance(spec, ModelSpec):
            return await self._start_model(spec, past)
        with of_seat(seat):
            self.commands[seat], player = await start_command(spec, self._terms.cwd, self._terms.dropped)
        return player

    async def _start_model(self, spec: ModelSpec, past: Iterable[Out]) -> ModelPlayer:
        player = ModelPlayer(self._terms.game, spec.terms, self._terms.models, past)
        self._models.append(player)
        await connect_model(player, spec.name)
        return player

    async def _introduced(self, player: Started, spec: Spec, seat: Seat) -> Sitting:
        with of_seat(seat):
            return await introduction(player, spec, self._terms.hello(self._seed, seat), self._terms)

    async def come(self, spec: Spec, seat: Seat, past: Iterable[Out] = ()) -> tuple[Started, Sitting]:
        """Start a bot or a command and get its introduction; CannotPlay if that fails."""
        await self.come_all({seat: spec}, past)
        return self.players[seat], self.sittings[seat]

    async def come_all(self, specs: Mapping[Seat, Spec], past: Iterable[Out] = ()) -> None:
        """Start bots and commands by seat, and get their introductions; CannotPlay if one of them fails."""
        players = {seat: await self.start(spec, seat, past) for seat, spec in specs.items()}
        introductions = [self._introduced(players[seat], spec, seat) for seat, spec in specs.items()]
        self.sittings |= zip(specs, await asyncio.gather(*introductions), strict=True)
        self.players |= players

    async def take(self, spec: Spec, seat: Seat, past: Iterable[Out] = ()) -> Started:
        """`start` for a seat whose name is already recorded, so that the name in the introduction is ignored. A command
        that does not introduce itself leaves the match."""
        player = await self.start(spec, seat, past)
        if isinstance(player, RemotePlayer) and player.dialect.introduces:
            hello = replace(self._terms, salted=False).hello(self._seed, seat)
            try:
                await player.introduced(hello, self._terms.handshake_s)
            except NotIntroduced as e:
                player.excused = e.why
        return player

    async def endings(self, match: Match[object]) -> dict[Seat, str]:
        """The exit status of each command that ended before the match, or not with status 0."""
        ended = {seat: peer for seat, peer in self.commands.items() if peer.gone is not None}
        await asyncio.gather(*(peer.exited(STATUS_S) for peer in ended.values()))
        return {seat: peer.status for seat, peer in ended.items() if seat in match.gone or not peer.ended_well}

    @property
    def stderr(self) -> dict[Seat, str]:
        """By seat, the last part of the stderr of commands."""
        return {seat: peer.stderr for seat, peer in self.commands.items()}

    async def close(self) -> None:
        """Stop them all."""
        for player in self._locals:
            player.close()
        await asyncio.gather(
            *(peer.close() for peer in self.commands.values()), *(model.close() for model in self._models)
        )


@contextmanager
def of_seat(seat: Seat) -> Iterator[None]:
    """Name this seat in CannotPlay."""
    try:
        yield
    except CannotPlay as e:
        e.seat = seat
        raise


def mind_of(spec: LocalSpec, seed: bytes, seat: Seat) -> Mind:
    """Create a bot for its seat; CannotPlay if its constructor fails."""
    try:
        return Mind(spec.make(), bot_dice(seed, seat))
    except (Exception, SystemExit) as e:
        raise CannotPlay(f"{spec.name}: {crashed(e).words}") from None


async def start_command(
    spec: ExecSpec, cwd: str | None = None, dropped: Dropped | None = None
) -> tuple[ProcessPeer, RemotePlayer]:
    """Start a child process, which is a client with a session like any other. CannotPlay if that fails."""
    dialect = spec.dialect()
    try:
        peer = await ProcessPeer.start(spec.argv, cwd, SPLITTERS[dialect.frames]())
    except CannotStart as e:
        raise CannotPlay(str(e)) from None
    return peer, Session(peer, f"command {spec.name}", dropped=dropped).speak(dialect)


async def connect_model(player: ModelPlayer, name: str) -> None:
    """Load the client of a language model; CannotPlay if its package is broken."""
    try:
        await player.connect()
    except Exception as e:
        raise CannotPlay(f"{name}: cannot load the client: {type(e).__name__}: {plain(str(e))}") from None


async def introduction(player: Started, spec: Spec, hello: Hello, terms: Terms) -> Sitting:
    """Get a player's introduction. Without one the player forfeits if its protocol allows that; else CannotPlay."""
    if isinstance(player, ModelPlayer):
        return Sitting(spec.name, "", MODEL)
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


async def _last_words(peer: Peer) -> str:
    """How a child process ended, and the last line it wrote to stderr; empty if it runs."""
    if not isinstance(peer, ProcessPeer) or peer.gone is None:
        return ""
    await peer.exited(STATUS_S)
    return f"; it {peer.status}{complaint_in(peer.stderr)}"


def complaint_in(stderr: str) -> str:
    """The last line of stderr, as the end of a sentence; empty if there is none."""
    return "".join(f", saying: {plain(line)}" for line in stderr.strip().splitlines()[-1:])
