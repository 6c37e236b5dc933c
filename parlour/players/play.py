"""Play one whole match; without asyncio if all players are bots in this process."""

import asyncio
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from parlour.core import Result, Sitting, Void
from parlour.players.player_specs import ExecSpec, LocalSpec, Spec
from parlour.players.remote import RemotePlayer
from parlour.players.starter import Started, Starter, mind_of
from parlour.players.terms import Terms
from parlour.referee.driver import Watch, drive_minds
from parlour.referee.log import ImmediateLog, Log, done
from parlour.referee.match import Match, Out
from parlour.referee.replay import resume
from parlour.referee.shell import Shell
from parlour.referee.transcript import SeatBrief, header


class Played(Struct, frozen=True):
    """A match that has ended."""

    match: Match[Any]
    end: Result | Void
    stderr: dict[int, str]
    """By seat, the last part of the stderr of child processes."""
    endings: dict[int, str]
    """By seat, how child processes ended before the match did, except those that had finished and exited with 0."""


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
    end = drive_minds(begun.match, minds, begun.out, log, watch, begun.past)
    log.end(begun.match)
    return Played(begun.match, end, {}, {})


async def play_async(
    terms: Terms,
    specs: Sequence[Spec],
    seed: bytes,
    log: Log | None = None,
    watch: Watch | None = None,
    lines: Sequence[bytes] | None = None,
) -> Played:
    """`play` for async players."""
    starter, past = Starter(terms, seed), list[Out]()
    try:
        await starter.come_all(dict(enumerate(specs)), past)
        players, sittings = [*starter.players.values()], [*starter.sittings.values()]
        begun = Begun(terms, seed, sittings, lines, asyncio.get_running_loop().time(), briefs_of(players))
        past += begun.past
        match = begun.match
        shell = Shell(match, players, log=log, watch=watch, record=terms.record)
        end = await shell.run(begun.out)
        endings = await starter.endings(match)
    finally:
        await starter.close()
    await done(shell.log.end(match))
    return Played(match, end, starter.stderr, endings)


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


def briefs_of(players: Sequence[Spec | Started | None]) -> list[SeatBrief]:
    """The shorter limits that the dialects of clients and commands ask for."""
    return [
        SeatBrief(seat, ask, brief.limit_ms, brief.again_ms)
        for seat, player in enumerate(players)
        if isinstance(player, RemotePlayer | ExecSpec)
        for ask, brief in sorted((player.dialect() if isinstance(player, ExecSpec) else player.dialect).briefs.items())
    ]
