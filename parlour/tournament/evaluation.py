"""Evaluate one player: how strong it is against opponents that are known, which faults and which blunders it makes.

A suite has a part for each game. A part is a gauntlet on duplicate deals, and its folder is that of a tournament.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from shlex import quote
from statistics import fmean

import msgspec
from msgspec import Struct

from parlour import plugins
from parlour.core.generated_text import text_of
from parlour.players.models.call_records import ModelUsage
from parlour.referee.action_json import decoder
from parlour.tournament.blunders import BlunderRule, JudgedDecision, JudgedMatch, judged_match
from parlour.tournament.executors import Executor, ProcessPool
from parlour.tournament.journal import Journal, JournalEntry, TranscriptFolder
from parlour.tournament.model_usage import PlayerUsage
from parlour.tournament.plan import TournamentPlan
from parlour.tournament.ratings import ratings
from parlour.tournament.records import MatchResult, collect
from parlour.tournament.resampling import Bootstrap, Interval
from parlour.tournament.results import PlayerResult, Results
from parlour.tournament.schedules import Fixture, Round

SUBJECT = 0
"""The number of the evaluated player in the plan of each part."""
JUDGED = "blunders.jsonl"
MOST_SHOWN = 20
"""Blunders that are listed."""


class SuitePart(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The matches of one game."""

    name: str
    plan: TournamentPlan
    known: dict[int, float] = {}
    """Ratings of opponents that are known already, by their number in the plan."""
    blunders: BlunderRule | None = None
    """None: no decision is judged."""

    @property
    def needs_judging(self) -> bool:
        """Whether its matches are looked at once more after they were played."""
        return self.blunders is not None or plugins.game(self.plan.game).counts is not None

    def anchors(self) -> list[int]:
        """The opponents that fix the scale: those whose ratings are known, or the game's random bot, or the first."""
        bots = [number for number, player in enumerate(self.plan.players) if player.player == "random" and number]
        return sorted(self.known) or bots[:1] or [SUBJECT + 1]

    def offset(self) -> float:
        """The mean rating of the anchors."""
        return fmean(self.known.values()) if self.known else 0.0


class Suite(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A player, and the parts of its evaluation."""

    name: str
    player: str
    """As `parlour match` names it."""
    parts: tuple[SuitePart, ...]


class Blunder(Struct, frozen=True):
    """A blunder as text, and the command that shows the position."""

    decision: JudgedDecision
    loss: float
    """In the share of opponents that the player is ranked before."""
    played: str
    best: str
    command: str


class BlunderCount(Struct, frozen=True, kw_only=True):
    """The judged decisions of the player."""

    rule: BlunderRule
    judged: int
    blunders: int
    mean_loss: float
    """Over all judged decisions: how much worse than the best choice that was found, at least 0."""
    worst: tuple[Blunder, ...]
    unjudged: tuple[str, ...]
    """Why matches could not be judged."""


class PartResult(Struct, frozen=True, kw_only=True):
    """The results of the player in one game."""

    part: str
    game: str
    seats: int
    results: PlayerResult
    """Its row in the results of the tournament."""
    matches: int
    rating: Interval | None
    """On the Elo scale on which the anchors have the mean rating `zero_rating`; None without a match that counts."""
    anchors: tuple[str, ...]
    zero_rating: float
    opponents: dict[str, float]
    """The ratings of the opponents in these matches, on the same scale."""
    decisions: int
    seconds: float
    """The mean time of a decision. Another run has other times; nothing else depends on time."""
    faults: dict[str, int]
    """By code, the most frequent first."""
    usage: ModelUsage | None = None
    """Requests, tokens and cost of the model, if the player is one."""
    counts: dict[str, int]
    """The counts of the game, such as offers made."""
    blunders: BlunderCount | None


class EvaluationResult(Struct, frozen=True):
    """The results of an evaluation: what `evaluation.json` has."""

    suite: str
    player: str
    parts: list[PartResult]


# Judging


def judge_packed(
    folder: Path, rule: BlunderRule | None, plan: TournamentPlan, fixture: Fixture, unused: Path | None
) -> bytes:
    """Judge the player's decisions in one match whose transcript is in the folder of a journal; packed as workers
    return it."""
    seats = [seat for seat, player in enumerate(fixture.players) if player == SUBJECT]
    try:
        judged = judged_match(plugins.game(plan.game), _transcript(folder, fixture), fixture.match, seats, rule)
    except Exception as e:  # a match that cannot be judged must not end the others
        judged = JudgedMatch(fixture.match, why=f"{type(e).__name__}: {e}")
    return msgspec.json.encode(judged) + b"\n"


def _transcript(folder: Path, fixture: Fixture) -> bytes:
    result = MatchResult(fixture.match, fixture.deal, fixture.lineup, fixture.players)
    return TranscriptFolder(folder).path(result).read_bytes()


def judging(journal: Journal, part: SuitePart, workers: int) -> Executor:
    """The executor that judges matches of a part."""
    return ProcessPool(part.plan, workers, play=partial(judge_packed, journal.folder, part.blunders))


class JudgedMatches:
    """The file of judged matches of a part. What is judged is kept if the run is killed."""

    def __init__(self, journal: Journal) -> None:
        self._path = journal.folder / JUDGED
        self._journal = journal
        self.found: dict[int, JudgedMatch] = {}
        lines = self._path.read_bytes().split(b"\n")[:-1] if self._path.exists() else []
        for line in lines:
            self._note(line)
        self._path.write_bytes(b"".join(line + b"\n" for line in lines))

    def missing(self, rounds: Iterable[Round]) -> list[Fixture]:
        """The matches that are finished and not judged."""
        void = {entry.result.match for entry in self._journal.entries() if entry.result.void}
        fixtures = (fixture for round in rounds for fixture in round.fixtures())
        return [it for it in fixtures if it.match not in self.found and it.match not in void]

    def judge(self, executor: Executor, fixtures: Sequence[Fixture]) -> Iterator[JudgedMatch]:
        """Judge these matches, and keep each at once."""
        with self._path.open("ab") as file:
            for packages in executor.play(fixtures):
                for package in packages:
                    line = package.partition(b"\n")[0]
                    judged = self._note(line)
                    file.write(msgspec.json.encode(judged) + b"\n")
                    file.flush()
                    yield judged

    def _note(self, line: bytes) -> JudgedMatch:
        try:
            judged = _judged.decode(line)
        except msgspec.ValidationError:  # the match has ended its worker several times
            void = _void.decode(line)
            judged = JudgedMatch(void.result.match, why=void.void)
        self.found[judged.match] = judged
        return judged


_judged = msgspec.json.Decoder(JudgedMatch)
_void = msgspec.json.Decoder(JournalEntry)


# Results


def part_result(
    journal: Journal,
    part: SuitePart,
    results: Results,
    judged: JudgedMatches | None,
    models: Sequence[PlayerUsage] = (),
) -> PartResult:
    """The results of a part whose matches are played and, if so wished, judged."""
    plan, names = part.plan, [player.name for player in part.plan.players]
    rated = anchored_ratings(journal, part)
    decisions, micros, faults = _counted(journal)
    own = [it for it in models if it.player == names[SUBJECT]]
    found = [] if judged is None else judged.found.values()
    return PartResult(
        part=part.name,
        game=plan.game,
        seats=plan.seats,
        results=next(player for player in results.players if player.standing.player == SUBJECT),
        matches=results.matches,
        rating=rated[SUBJECT] if rated else None,
        anchors=tuple(names[number] for number in part.anchors()),
        zero_rating=part.offset(),
        opponents={names[number]: rating.estimate for number, rating in enumerate(rated) if number != SUBJECT},
        decisions=decisions,
        seconds=micros / 1e6 / max(1, decisions),
        faults=dict(faults.most_common()),
        usage=sum((it.usage for it in own), ModelUsage()) if own else None,
        counts=_sums(match.counts for match in found),
        blunders=None if part.blunders is None or judged is None else blunder_count(journal, part.blunders, judged),
    )


def anchored_ratings(journal: Journal, part: SuitePart) -> list[Interval]:
    """The ratings of all players, on the scale on which the anchors have their known mean; empty without matches."""
    sample, _ = collect(journal.results(), len(part.plan.players))
    if not sample.size:
        return []
    offset = part.offset()
    rated = [it.rating for it in ratings(sample, Bootstrap(), zero=part.anchors())]
    return [Interval(it.estimate + offset, it.low + offset, it.high + offset) for it in rated]


def _sums(counts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in counts:
        total.update(each)
    return dict(total)


def _counted(journal: Journal) -> tuple[int, int, Counter[str]]:
    """The player's decisions, the microseconds that they took, and its faults by code."""
    decisions = micros = 0
    faults: Counter[str] = Counter()
    for outcome in journal.outcomes():
        own = {seat for seat, player in enumerate(outcome.result.players) if player == SUBJECT}
        rows = [row for row, seat in enumerate(outcome.decisions.seat) if seat in own]
        decisions += len(rows)
        micros += sum(outcome.micros[row] for row in rows if row < len(outcome.micros))
        faults.update(outcome.decisions.fault[row] for row in rows if row in outcome.decisions.fault)
    return decisions, micros, faults


def blunder_count(journal: Journal, rule: BlunderRule, judged: JudgedMatches) -> BlunderCount:
    """Count blunders; the worst come with the command that shows them."""
    matches = [judged.found[match] for match in sorted(judged.found)]
    decisions = [decision for match in matches for decision in match.decisions]
    blunders = sorted((it for it in decisions if it.is_blunder), key=lambda it: (-it.loss, it.match, it.frame))
    results = {entry.result.match: entry.result for entry in journal.entries()}
    return BlunderCount(
        rule=rule,
        judged=len(decisions),
        blunders=len(blunders),
        mean_loss=round(fmean(max(0.0, it.loss) for it in decisions), 4) if decisions else 0.0,
        worst=tuple(_blunder(journal, results[it.match], it) for it in blunders[:MOST_SHOWN]),
        unjudged=tuple(f"match {match.match}: {match.why}" for match in matches if match.why),
    )


def _blunder(journal: Journal, result: MatchResult, decision: JudgedDecision) -> Blunder:
    game, names = plugins.game(journal.plan.game), [journal.plan.players[player].name for player in result.players]
    read, render = decoder(game.rules.actions).decode, text_of(game).render
    played, best = (render(read(raw), names) for raw in (decision.played, decision.best))
    path = quote(str(journal.transcripts.path(result)))
    command = f"parlour replay {path} --seat {decision.seat} --at {decision.frame}"
    return Blunder(decision, round(decision.loss, 4), played, best, command)
