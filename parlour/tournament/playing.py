"""Play one match of a tournament, and describe it for the journal."""

import os
import sys
import time
from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from operator import itemgetter
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Raw, Struct

from parlour import plugins
from parlour.core import GONE, AnswerRefused, Asked, Dice, Fault, Result, Took, Void
from parlour.core.values import plain
from parlour.players.models.call_records import CallFile
from parlour.players.models.options import is_model
from parlour.players.models.service import ModelService
from parlour.players.play import Played, play
from parlour.players.player_specs import ExecSpec, LocalSpec, ModelSpec, Spec, load
from parlour.players.terms import MODEL_LIMIT_S, CannotPlay, Terms
from parlour.protocol.v1 import V1
from parlour.referee.log import MemoryLog
from parlour.referee.match import Match, Out
from parlour.referee.player import Resigned
from parlour.referee.transcript import NOTHING, Limits
from parlour.tournament.plan import TournamentPlan
from parlour.tournament.records import MatchResult
from parlour.tournament.schedules import Fixture, deal_seed

DID_NOT_START = "did_not_start"
MODEL_CALLS = "PARLOUR_MODEL_CALLS"
"""A variable: the folder for what models were asked."""
NULL = Raw(b"null")


class Decisions(Struct, frozen=True, omit_defaults=True):
    """The decisions of a match as columns, ordered by seat and ask."""

    seat: list[int] = []
    ask: list[int] = []
    action: list[Raw] = []
    """The played action as JSON; null if there was none."""
    fault: dict[int, str] = {}
    """The codes of faults, by row."""
    refused: dict[int, Raw] = {}
    """The refused actions as JSON, by row, if they could be read."""


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
    """A finished match: one line of the journal. `micros` and `took` are the only timings."""

    result: MatchResult
    round: int = 0
    seating: int = 0
    void: str = ""
    """Why the match is void."""
    left: dict[int, str] = {}
    """By seat, why its player left before the end."""
    faults: list[SeatFault] = []
    decisions: Decisions = Decisions()
    micros: list[int] = []
    """The microseconds of every decision."""
    took: float = 0.0
    """Seconds for the whole match."""


class DecisionLine(Struct, frozen=True, gc=False):
    """The fields of a line of a transcript that are used here."""

    by: int | None = None
    do: Raw = NOTHING
    fault: Fault | None = None
    said: Raw = NOTHING

    def is_decision(self) -> bool:
        """Whether a seat answered or made a fault; False for what the referee does for a seat that has left."""
        return self.fault != GONE if self.by is not None else self.fault is not None


_lines = msgspec.json.Decoder(list[DecisionLine])


class DecisionLog:
    """Collects the decisions of a match. While it is played, only what its lines do not tell."""

    def __init__(self) -> None:
        self._made: list[tuple[Took | AnswerRefused, float]] = []
        """Answers and faults, and the seconds that each took."""
        self._asked_at: dict[int, float] = {}
        self._idle = time.perf_counter()
        """When the last output was complete. Bots in this process decide one after the other."""

    def __call__(self, match: Match[Any], out: Out) -> None:
        now = time.perf_counter()
        for notice in out.notices:
            if type(notice) is Took:
                self._made.append((notice, now - self._since(match, notice.seat)))
            elif type(notice) is AnswerRefused:
                if notice.fault.kind != "unasked":  # which is refused without a line
                    self._made.append((notice, now - self._since(match, notice.seat)))
            elif type(notice) is Asked:
                self._asked_at[notice.seat] = now
        self._idle = time.perf_counter()

    def _since(self, match: Match[Any], seat: int) -> float:
        return self._idle if match.header.limits is None else self._asked_at.get(seat, self._idle)

    def first_faults(self) -> dict[int, SeatFault]:
        """By seat, its first fault."""
        firsts: dict[int, SeatFault] = {}
        for it, _ in self._made:
            if isinstance(it, AnswerRefused):
                fault = it.fault
                firsts.setdefault(it.seat, SeatFault(it.seat, it.n, fault.kind, fault.code, fault.words))
        return firsts

    def columns(self, lines: Sequence[bytes]) -> tuple[Decisions, list[int]]:
        """The decisions, and the microseconds that they took."""
        played = [line for line in _lines.decode(b"[" + b",".join(lines) + b"]") if line.is_decision()]
        made = [(it.seat, it.n, row, line, s) for row, ((it, s), line) in enumerate(zip(self._made, played))]  # noqa: B905
        made.sort(key=itemgetter(0, 1, 2))
        faulty = [(row, line) for row, (_, _, _, line, _) in enumerate(made) if line.fault is not None]
        decisions = Decisions(
            [seat for seat, *_ in made],
            [ask for _, ask, *_ in made],
            [line.do if line.do else NULL for _, _, _, line, _ in made],
            {row: line.fault.code for row, line in faulty if line.fault is not None},
            {row: line.said for row, line in faulty if line.said},
        )
        return decisions, [int(seconds * 1e6) for *_, seconds in made]


def play_fixture(plan: TournamentPlan, fixture: Fixture) -> tuple[Outcome, bytes]:
    """Play a match: its outcome and its transcript. A player that cannot be started resigns."""
    began = time.perf_counter()
    seed = deal_seed(plan, fixture.deal)
    specs = [spec_for(plan, player, seed, seat) for seat, player in enumerate(fixture.players)]
    calls = model_records(fixture.match) if any(isinstance(spec, ModelSpec) for spec in specs) else None
    terms = _terms(plan, specs, calls)
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
    if calls is not None:
        calls.close()
    outcome = _outcome(fixture, played, decisions, log.lines, absent)
    took = round(time.perf_counter() - began, 6)
    return msgspec.structs.replace(outcome, took=took), b"".join(line + b"\n" for line in log.lines)


def _terms(plan: TournamentPlan, specs: Sequence[Spec], calls: CallFile | None) -> Terms:
    """The terms of a match. Models get more time, unless the plan sets a limit."""
    terms = plan.terms(timed=not all(isinstance(spec, LocalSpec) for spec in specs))
    if not any(isinstance(spec, ModelSpec) for spec in specs):
        return terms
    limits = terms.limits
    if limits is not None and plan.limit_s is None:
        limits = Limits(max(limits.limit_ms, round(MODEL_LIMIT_S * 1000)), limits.bank_ms)
    return msgspec.structs.replace(terms, limits=limits, models=ModelService(sink=calls))


def model_records(match: int) -> CallFile | None:
    """Where the requests of model players are recorded; None if the environment names no folder. What an attempt that
    was killed has left there is removed."""
    folder = os.environ.get(MODEL_CALLS)
    if not folder:
        return None
    path = Path(folder) / match_file(match)
    path.unlink(missing_ok=True)
    return CallFile(path)


def _resign(view: Any, ask: Any, dice: Dice) -> Any:
    raise Resigned


def _outcome(
    fixture: Fixture, played: Played, log: DecisionLog, lines: Sequence[bytes], absent: dict[int, SeatFault]
) -> Outcome:
    match, end, seats = played.match, played.end, range(len(fixture.players))
    decisions, micros = log.columns(lines)
    left = {seat: why for seat, why in sorted(match.gone.items()) if seat not in absent}
    first = {**{seat: _left(seat, why, played) for seat, why in left.items()}, **log.first_faults(), **absent}
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
        micros=micros,
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
    if entrant.player.startswith("exec") or is_model(entrant.player):
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
