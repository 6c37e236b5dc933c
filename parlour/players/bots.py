"""Bots and commands that join a running match."""

import asyncio
from collections.abc import Iterable

from parlour.core import Seat, Sitting
from parlour.players.local import LocalPlayer
from parlour.players.play import CannotPlay, Terms, introduction, mind_of, start
from parlour.players.player_specs import ExecSpec, LocalSpec, Spec
from parlour.players.remote import RemotePlayer
from parlour.referee.match import Out
from parlour.referee.player import Mind, place_of
from parlour.referee.shell import Shell
from parlour.transports.process import ProcessPeer


class Bots:
    """The bots and commands of one match."""

    def __init__(self, terms: Terms, seed: bytes) -> None:
        self._terms = terms
        self._seed = seed
        self._children: dict[Seat, ProcessPeer] = {}
        self._locals: list[LocalPlayer] = []
        self.stderr: dict[Seat, str] = {}
        """By seat, what commands wrote to stderr; set by `close`."""

    async def join(self, shell: Shell, spec: Spec) -> None:
        """Seat a bot or a command; CannotPlay if that fails."""
        player, sitting = await self.come(spec, len(shell.match.names))
        if await shell.join(player, lambda seat: sitting) is None:
            raise CannotPlay(f"there is no seat for {spec.name}")

    async def come(self, spec: Spec, seat: Seat) -> tuple[LocalPlayer | RemotePlayer, Sitting]:
        """Start a bot or a command for the expected seat; CannotPlay if that fails."""
        player: LocalPlayer | RemotePlayer
        if isinstance(spec, LocalSpec):
            player = self._local(mind_of(spec, self._seed, seat))
        else:
            player = await self._child(spec, seat)
        return player, await introduction(player, spec, self._terms.hello(self._seed, seat), self._terms)

    async def back(self, shell: Shell, seat: Seat, spec: Spec, past: Iterable[Out] = ()) -> None:
        """Restart a bot or command at its seat. A bot is told again what its seat was told."""
        if isinstance(spec, LocalSpec):
            mind = mind_of(spec, self._seed, seat)
            mind.sit(place_of(shell.match, seat))
            for out in past:
                mind.hear(out.to(seat))
            shell.back(seat, self._local(mind))
        else:
            player, _ = await self.come(spec, seat)
            shell.back(seat, player)

    def _local(self, mind: Mind) -> LocalPlayer:
        self._locals.append(LocalPlayer(mind))
        return self._locals[-1]

    async def _child(self, spec: ExecSpec, seat: Seat) -> RemotePlayer:
        dialect = spec.dialect()
        self._children[seat] = await start(spec, dialect, self._terms.cwd)
        return RemotePlayer(self._children[seat], dialect)

    async def close(self) -> None:
        """Stop them all."""
        children, self._children = self._children, {}
        await asyncio.gather(*(child.close() for child in children.values()))
        self.stderr.update({seat: child.stderr for seat, child in children.items()})
        for player in self._locals:
            player.close()
