"""Find blunders: decisions that lose much against the best choice, judged by playing on in worlds that are dealt again.

A named bot plays all seats from there to the end. The best choice is looked for in some worlds and confirmed in others,
because the best of many noisy means looks better than it is.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from statistics import fmean, stdev
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw, Struct

from parlour.core import BadMessage, Dice, Event, Game, Result, Void
from parlour.players.player_specs import LocalSpec, load
from parlour.players.starter import mind_of
from parlour.referee.action_json import decoder
from parlour.referee.lookahead import DecisionPoint, decision_points, played_on
from parlour.referee.player import Resigned
from parlour.referee.replay import read_header, replay
from parlour.referee.transcript import Reveal, read_record, split

SURE = 2.0
"""A loss counts if it is this many standard errors above zero."""


class BlunderRule(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How blunders are looked for."""

    bot: str
    """The built-in bot that plays on, at all seats."""
    margin: Annotated[float, Meta(gt=0, le=1)] = 0.15
    """The smallest loss that is a blunder: in the share of opponents that the player is ranked before."""
    worlds: Annotated[int, Meta(ge=2, le=10_000)] = 16
    """How often the unknown is dealt for each choice, to find the best one, and again to confirm it."""
    choices: Annotated[int, Meta(ge=2, le=1000)] = 8
    """How many choices are compared, the one that was played included."""
    decisions: Annotated[int, Meta(ge=1, le=100_000)] = 12
    """How many decisions of a match are judged at most, spread evenly."""


class JudgedDecision(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A decision, and the best choice that was found."""

    match: int
    seat: int
    frame: int
    """The position in a replay of the match."""
    line: int
    played: Raw
    best: Raw
    mean_played: float
    """The share of opponents that the player is ranked before, when it is played on from here."""
    mean_best: float
    error: float
    """The standard error of the difference."""
    is_blunder: bool = False

    @property
    def loss(self) -> float:
        """How much worse the played choice is."""
        return self.mean_best - self.mean_played


class JudgedMatch(Struct, frozen=True, omit_defaults=True):
    """The judged decisions of a player in a match, and what its game counts."""

    match: int
    decisions: list[JudgedDecision] = []
    counts: dict[str, int] = {}
    why: str = ""
    """Why it could not be judged."""


def judged_match(
    game: Game[Any], transcript: bytes, match: int, seats: Sequence[int], rule: BlunderRule | None
) -> JudgedMatch:
    """Judge the decisions that were made at these seats of a finished match; without a rule, only count."""
    lines = split(transcript)
    last = read_record(lines[-1], len(lines))
    if not isinstance(last, Reveal):
        return JudgedMatch(match, why="its transcript has no seed")
    seed = bytes.fromhex(last.seed)
    judge = None if rule is None else BlunderJudge(game, lines, seed, match, rule)
    decisions = [] if judge is None else [decision for seat in seats for decision in judge.decisions(seat)]
    return JudgedMatch(match, decisions, dict(_counted(game, lines, seed, seats)))


def _counted(game: Game[Any], lines: Sequence[bytes], seed: bytes, seats: Sequence[int]) -> Counter[str]:
    """The counts of these seats, as the game defines them."""
    total: Counter[str] = Counter()
    if game.counts is None:
        return total
    before: list[Any] = []
    for step in replay(game, lines, seed):
        after = [step.match.state.view(seat) for seat in range(len(step.match.names))]
        for event in step.out.notices:
            if isinstance(event, Event) and before:
                added = game.counts(event, before, after)
                for seat in seats:
                    total.update(added.get(seat, {}))
        before = after
    return total


class BlunderJudge:
    """Judges decisions of one match."""

    def __init__(self, game: Game[Any], lines: Sequence[bytes], seed: bytes, match: int, rule: BlunderRule) -> None:
        self._game = game
        self._lines = lines
        self._seed = seed
        self._match = match
        self._rule = rule
        spec = load(game, rule.bot)
        assert isinstance(spec, LocalSpec), "the plan names a built-in bot"
        self._spec = spec
        self._count = len(read_header(lines[0]).players)
        self._read = decoder(game.rules.actions).decode

    def decisions(self, seat: int) -> Iterator[JudgedDecision]:
        """The judged decisions of a seat: some of all, spread evenly."""
        points = list(decision_points(self._game, self._lines, self._seed, seat))
        most = self._rule.decisions
        chosen = points if len(points) <= most else [points[len(points) * place // most] for place in range(most)]
        for point in chosen:
            if (judged := self.judged(point)) is not None:
                yield judged

    def judged(self, point: DecisionPoint) -> JudgedDecision | None:
        """Judge one decision; None if there was only one choice, or the rules cannot play on."""
        played, *others = self.choices(point)
        if not others:
            return None
        first, then = range(self._rule.worlds), range(self._rule.worlds, 2 * self._rule.worlds)
        means = {raw: self._mean(point, raw, first) for raw in (played, *others)}
        best = max(means, key=lambda raw: means[raw])
        if means[best] <= means[played]:
            return self._told(point, played, played, means[played], means[played], 0.0)
        own, better = ([self.share(point, raw, world) for world in then] for raw in (played, best))
        differences = [b - a for a, b in zip(own, better, strict=True)]
        error = stdev(differences) / len(differences) ** 0.5 if len(differences) > 1 else float("inf")
        return self._told(point, played, best, fmean(own), fmean(better), error)

    def _told(
        self, point: DecisionPoint, played: bytes, best: bytes, mean: float, mean_best: float, error: float
    ) -> JudgedDecision:
        loss = mean_best - mean
        return JudgedDecision(
            match=self._match,
            seat=point.seat,
            frame=point.frame,
            line=point.line,
            played=Raw(played),
            best=Raw(best),
            mean_played=round(mean, 4),
            mean_best=round(mean_best, 4),
            error=round(error, 4),
            is_blunder=loss >= self._rule.margin and loss > SURE * error,
        )

    def choices(self, point: DecisionPoint) -> list[bytes]:
        """The choice that was played, those of the built-in bots, and others at random, as JSON without repetition."""
        found = {msgspec.json.encode(point.action): None}
        dice = Dice(self._key(point, b"choices"))
        for name in self._game.hosting.bots:
            self._add(found, self._proposed(name, point, dice))
        if point.ask.choices is not None:
            listed = list(point.ask.choices)
            dice.shuffle(listed)
            for choice in listed:
                self._add(found, choice)
        else:
            for _ in range(self._rule.choices):
                self._add(found, self._proposed("random", point, dice))
        return [*found]

    def _add(self, found: dict[bytes, None], action: Any) -> None:
        if action is not None and len(found) < self._rule.choices:
            found.setdefault(msgspec.json.encode(action))

    def _proposed(self, name: str, point: DecisionPoint, dice: Dice) -> Any | None:
        """The action of a built-in bot; None if it fails."""
        spec = load(self._game, name)
        assert isinstance(spec, LocalSpec)
        try:
            said = mind_of(spec, bytes([dice.below(256) for _ in range(16)]), point.seat).decide(point.view, point.ask)
        except Resigned:
            return None
        return None if isinstance(said, BadMessage) else said

    def _mean(self, point: DecisionPoint, raw: bytes, worlds: Sequence[int]) -> float:
        return fmean(self.share(point, raw, world) for world in worlds)

    def share(self, point: DecisionPoint, raw: bytes, world: int) -> float:
        """The share of opponents that the seat is ranked before if it plays this; a tie counts half."""
        bots = [self._spec.make() for _ in range(self._count)]
        action, key = self._read(raw), self._key(point, b"world %d" % world)
        return rank_share(played_on(self._game, self._lines, self._seed, point, action, bots, key), point.seat)

    def _key(self, point: DecisionPoint, what: bytes) -> bytes:
        return blake2b(b"%d %d " % (point.line, point.seat) + what, key=self._seed[:64], digest_size=32).digest()


def rank_share(end: Result | Void, seat: int) -> float:
    """The share of the others that a seat is ranked before; a tie counts half, and so does a void match."""
    if isinstance(end, Void) or len(end.ranks) < 2:
        return 0.5
    own = end.ranks[seat]
    others = [*end.ranks[:seat], *end.ranks[seat + 1 :]]
    return sum(1.0 if own < rank else 0.5 if own == rank else 0.0 for rank in others) / len(others)
