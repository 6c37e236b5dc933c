"""Play one match of a tournament, and describe it for the journal."""

import sys
import time
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from parlour import plugins
from parlour.core import GONE, AnswerRefused, Asked, Dice, Result, Took, Void
from parlour.core.values import plain
from parlour.players.play import Played, play
from parlour.players.player_specs import ExecSpec, LocalSpec, Spec, load
from parlour.players.terms import CannotPlay
from parlour.protocol.v1 import V1
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match, Out
from parlour.referee.player import Resigned
from parlour.referee.transcript import AnyRecord, Line
from parlour.tournament.plan import TournamentPlan
from parlour.tournament.records import MatchResult
from parlour.tournament.schedules import Fixture, deal_seed

DID_NOT_START = "did_not_start"
_record: "msgspec.json.Decoder[AnyRecord]" = msgspec.json.Decoder(AnyRecord)


class Decisions(Struct, frozen=True):
    """The decisions of a match as columns, ordered by seat and ask."""

    seat: list[int] = []
    ask: list[int] = []
    action: list[str] = []
    """What was played, as JSON; empty if nothing was."""
    fault: list[str] = []
    """The code of the fault; empty if there was none."""
    refused: list[str] = []
    """The refused action as JSON, if it could be read."""


class SeatFault(Struct, frozen=True):
    """The first fault of a seat in a match."""

    seat: int
    ask: int
    """0 if the seat was not asked."""
    kind: str
    code: str
    words: str
    stderr: str = ""
    """The last line that a command wrote to stderr."""


class Outcome(Struct, frozen=True, kw_only=True):
    """A finished match: one line of the journal. `seconds` and `took` are the only timings."""

    result: MatchResult
    round: int = 0
    seating: int = 0
    void: str = ""
    """Why the match is void."""
    left: dict[int, str] = {}
    """By seat, why its player left before the end."""
    faults: list[SeatFault] = []
    decisions: Decisions = Decisions()
    seconds: list[float] = []
    """By decision."""
    took: float = 0.0
    """Seconds for the whole match."""


class DecisionLog:
    """Collects the decisions of a match from its output."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, int, int, str, str, str, float]] = []
        self.first: dict[int, SeatFault] = {}
        """By seat, its first fault."""
        self._asked_at: dict[int, float] = {}
        self._idle = time.perf_counter()
        """When the last output was complete. Bots in this process decide one after the other."""

    def __call__(self, match: Match[Any], out: Out) -> None:
        now = time.perf_counter()
        lines = [line for line in map(_record.decode, out.lines) if isinstance(line, Line) and _is_decision(line)]
        made = [notice for notice in out.notices if isinstance(notice, Took | AnswerRefused) and _is_recorded(notice)]
        for notice, line in zip(made, lines, strict=False):
            since = self._idle if match.header.limits is None else self._asked_at.get(notice.seat, now)
            self._add(notice, line, now - since)
        self._idle = time.perf_counter()
        for asked in out.notices:
            if isinstance(asked, Asked):
                self._asked_at[asked.seat] = self._idle

    def _add(self, notice: Took | AnswerRefused, line: Line, seconds: float) -> None:
        fault = notice.fault if isinstance(notice, AnswerRefused) else None
        row = (notice.seat, notice.n, len(self.rows), _text(line.do), fault.code if fault else "", _text(line.said))
        self.rows.append((*row, round(seconds, 6)))
        if fault and notice.seat not in self.first:
            self.first[notice.seat] = SeatFault(notice.seat, notice.n, fault.kind, fault.code, fault.words)

    def columns(self) -> tuple[Decisions, list[float]]:
        """The decisions, and the seconds that they took."""
        if not self.rows:
            return Decisions(), []
        seat, ask, _, action, fault, refused, seconds = map(list, zip(*sorted(self.rows), strict=True))
        return Decisions(seat, ask, action, fault, refused), seconds


def _is_recorded(notice: Took | AnswerRefused) -> bool:
    """Whether there is a line for it: an answer that nobody asked for is refused without one."""
    return isinstance(notice, Took) or notice.fault.kind != "unasked"


def _is_decision(line: Line) -> bool:
    """Whether a seat answered or made a fault; False for what the referee does for a seat that has left."""
    return line.fault != GONE if line.by is not None else line.fault is not None


def _text(raw: msgspec.Raw) -> str:
    return bytes(raw).decode()


def play_fixture(plan: TournamentPlan, fixture: Fixture) -> tuple[Outcome, bytes]:
    """Play a match: its outcome and its transcript. A player that cannot be started resigns."""
    began = time.perf_counter()
    seed = deal_seed(plan, fixture.deal)
    specs = [spec_for(plan, player, seed, seat) for seat, player in enumerate(fixture.players)]
    terms = plan.terms(timed=not all(isinstance(spec, LocalSpec) for spec in specs))
    absent: dict[int, SeatFault] = {}
    while True:
        log, decisions = MemoryLog(), DecisionLog()
        try:
            played = play(terms, specs, seed, log, decisions)
            break
        except CannotPlay as e:
            if e.seat is None or e.seat in absent:
                raise
            absent[e.seat] = SeatFault(e.seat, 0, "absent", DID_NOT_START, plain(str(e)))
            specs[e.seat] = LocalSpec(specs[e.seat].name, lambda: _resign)
    outcome = _outcome(fixture, played, decisions, absent)
    took = round(time.perf_counter() - began, 6)
    return msgspec.structs.replace(outcome, took=took), b"".join(line + b"\n" for line in log.lines)


def _resign(view: Any, ask: Any, dice: Dice) -> Any:
    raise Resigned


def _outcome(fixture: Fixture, played: Played, log: DecisionLog, absent: dict[int, SeatFault]) -> Outcome:
    match, end, seats = played.match, played.end, range(len(fixture.players))
    decisions, seconds = log.columns()
    left = {seat: why for seat, why in sorted(match.gone.items()) if seat not in absent}
    first = {**{seat: _left(seat, why, played) for seat, why in left.items()}, **log.first, **absent}
    ranked = isinstance(end, Result)
    return Outcome(
        result=MatchResult(
            match=fixture.match,
            deal=fixture.deal,
            lineup=fixture.lineup,
            players=fixture.players,
            ranks=end.ranks if isinstance(end, Result) else (),
            scores=tuple(map(float, end.scores)) if isinstance(end, Result) else (),
            faults=tuple(match.faults.get(seat, 0) + (seat in absent) for seat in seats),
            forfeits=tuple(seat in match.gone for seat in seats),
            void=not ranked,
            seatings=fixture.seatings,
        ),
        round=fixture.round,
        seating=fixture.seating,
        void=f"{end.code}: {end.words}" if isinstance(end, Void) else "",
        left={**left, **dict.fromkeys(absent, DID_NOT_START)},
        faults=[_with_stderr(fault, played) for _, fault in sorted(first.items())],
        decisions=decisions,
        seconds=seconds,
    )


def _left(seat: int, why: str, played: Played) -> SeatFault:
    return SeatFault(seat, 0, "left", why, played.endings.get(seat, f"left the match: {why}"))


def _with_stderr(fault: SeatFault, played: Played) -> SeatFault:
    last = played.stderr.get(fault.seat, "").strip().splitlines()[-1:]
    return msgspec.structs.replace(fault, stderr=plain(last[0])) if last else fault


def void_outcome(fixture: Fixture, why: str) -> Outcome:
    """A match that could not be played."""
    result = MatchResult(
        fixture.match, fixture.deal, fixture.lineup, fixture.players, void=True, seatings=fixture.seatings
    )
    return Outcome(result=result, round=fixture.round, seating=fixture.seating, void=why)


def spec_for(plan: TournamentPlan, player: int, seed: bytes, seat: int) -> Spec:
    """A player of the plan at a seat. Python bots that are not built in become programs that start for each match."""
    entrant = plan.players[player]
    if is_built_in(plan, player):
        return msgspec.structs.replace(_loaded(plan.game, entrant.player), name=entrant.name)
    game, name = plugins.game(plan.game), entrant.name
    if entrant.player.startswith("exec"):
        return msgspec.structs.replace(load(game, entrant.player), name=name)
    dice = blake2b(f"the bot at seat {seat}".encode(), key=seed, digest_size=32).hexdigest()
    argv = (sys.executable, "-m", f"{__package__}.bot_process", plan.game, entrant.player, name, dice)
    return ExecSpec(name, argv, lambda: V1(game, name))


def is_built_in(plan: TournamentPlan, player: int) -> bool:
    """Whether the player is a bot of its game: a pure function that may share a process with others."""
    return plan.players[player].player in plugins.game(plan.game).hosting.bots


@cache
def _loaded(game: str, text: str) -> Spec:
    return load(plugins.game(game), text)


def packed(outcome: Outcome, transcript: bytes) -> bytes:
    """A line of the journal and a transcript, as bytes that any process can send to another."""
    return msgspec.json.encode(outcome) + b"\n" + transcript


def play_packed(plan: TournamentPlan, fixture: Fixture, folder: Path | None = None) -> bytes:
    """Play a match, and pack it; with a folder, its transcript is written there. An error of ours voids the match."""
    try:
        outcome, transcript = play_fixture(plan, fixture)
    except Exception as e:
        outcome, transcript = void_outcome(fixture, f"{type(e).__name__}: {e}"), b""
    if folder is not None:
        withhold(folder, outcome.result, transcript)
    return packed(outcome, b"" if folder is not None or not plan.transcripts else transcript)


def withhold(folder: Path, result: MatchResult, transcript: bytes) -> None:
    """Write a transcript, or replace what a killed run has left of it, in the folder of its duplicate set."""
    path = folder / set_name(result) / match_file(result.match)
    try:
        path.write_bytes(transcript)
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(transcript)


def set_name(result: MatchResult) -> str:
    """The name of the folder of a duplicate set."""
    return f"deal-{result.deal:05}-lineup-{result.lineup:03}"


def match_file(match: int) -> str:
    """The name of a transcript."""
    return f"match-{match:06}.jsonl"
