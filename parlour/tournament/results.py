"""The results of a tournament: what `results.json` has. Equal matches give equal results."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from shlex import quote

import msgspec
from msgspec import Struct

from parlour.tournament.comparisons import DuplicateGain, HeadToHead, duplicate_gain, head_to_head, sentence
from parlour.tournament.journal import Journal
from parlour.tournament.plan import TournamentPlan
from parlour.tournament.playing import SeatFault
from parlour.tournament.ratings import ratings, running_ratings
from parlour.tournament.records import MatchResult, PlayerCount, Sample, UsedMatches, collect
from parlour.tournament.resampling import Bootstrap, Interval
from parlour.tournament.runner import judged
from parlour.tournament.schedules import Round, ranked
from parlour.tournament.sequential import PairDecision
from parlour.tournament.skills import NEWCOMER, RunningRating
from parlour.tournament.standings import PlayerStanding, SeatStanding, seat_standings, standings

RESULTS = "results.json"


class FirstFault(Struct, frozen=True):
    """The first fault of a player, and the command that shows it."""

    match: int
    fault: SeatFault
    command: str | None
    """None if the match has no transcript."""


class PlayerResult(Struct, frozen=True):
    """All about a player. Players are ordered by rating, the best first."""

    name: str
    player: str
    rating: Interval
    """On the Elo scale; the mean of all players is 0."""
    standing: PlayerStanding
    skill: RunningRating
    counts: PlayerCount
    first_fault: FirstFault | None


class VoidMatch(Struct, frozen=True):
    """A match without a result."""

    match: int
    why: str


class Results(Struct, frozen=True, kw_only=True):
    """The results of a tournament."""

    tournament: TournamentPlan
    rounds: int
    matches: int
    counts: UsedMatches
    players: list[PlayerResult]
    head_to_head: list[HeadToHead]
    decisions: list[PairDecision]
    """Of until-decided: what the sequential test says about every pair. p-values are for a fixed number of deals."""
    sentences: list[str]
    seats: list[SeatStanding]
    duplicate: DuplicateGain | None
    """How much duplicate play narrowed the error; None without duplicate play."""
    winner: str | None
    """Of a knock-out: the player that won the final."""
    voids: list[VoidMatch]
    """The first of them."""


class FinishedMatches(Struct, frozen=True):
    """All finished matches of a tournament, in the order of the schedule, and what was noted about them."""

    played: list[MatchResult]
    sample: Sample
    counts: UsedMatches
    firsts: dict[int, FirstFault]
    """By player, its first fault."""
    voids: list[VoidMatch]


MOST_VOIDS = 100


def bootstrap(plan: TournamentPlan) -> Bootstrap:
    """How the intervals of this tournament are made."""
    return Bootstrap(stopping="sequential" if plan.format == "until-decided" else "fixed")


def results_of(plan: TournamentPlan, rounds: Sequence[Round], finished: FinishedMatches) -> Results:
    """Compute the results of all finished matches."""
    sequential = plan.format == "until-decided"
    how, sample, played = bootstrap(plan), finished.sample, finished.played
    names = [entrant.name for entrant in plan.players]
    decided = judged(plan, played) if sequential else []
    pairs = head_to_head(sample, how)
    return Results(
        tournament=plan,
        rounds=len(rounds),
        matches=len(played),
        counts=finished.counts,
        players=_players(plan, finished, how),
        head_to_head=pairs,
        decisions=decided,
        sentences=[verdict(it, names) for it in decided] if sequential else [sentence(pair, names) for pair in pairs],
        seats=seat_standings(sample, how) if sample.size else [],
        duplicate=duplicate_gain(sample) if sample.size and plan.duplicate else None,
        winner=_winner(plan, rounds, played),
        voids=finished.voids,
    )


def _players(plan: TournamentPlan, finished: FinishedMatches, how: Bootstrap) -> list[PlayerResult]:
    """All about every player, the best first. Without any match that counts, nothing is known."""
    sample, counts = finished.sample, finished.counts
    rated = {it.player: it.rating for it in ratings(sample, how)} if sample.size else {}
    stood = {it.player: it for it in standings(sample, how)} if sample.size else {}
    skills = _skills(finished.played, len(plan.players))
    unknown, nothing = Interval(0.0, float("-inf"), float("inf")), Interval(0.0, 0.0, 0.0)
    players = [
        PlayerResult(
            entrant.name,
            entrant.player,
            rated.get(number, unknown),
            stood.get(number, PlayerStanding(number, 0, nothing, nothing, nothing, nothing)),
            skills[number],
            counts.players[number],
            finished.firsts.get(number),
        )
        for number, entrant in enumerate(plan.players)
    ]
    return sorted(players, key=lambda player: (-player.rating.estimate, player.standing.player))


def verdict(pair: PairDecision, names: Sequence[str]) -> str:
    """The result of the sequential test for a pair, in words."""
    first, second = names[pair.first], names[pair.second]
    batches = f"{pair.batches} batches" if pair.batches != 1 else "1 batch"
    match pair.outcome:
        case "first":
            return f"{first} beats {second} (sequential test, decided after {batches})"
        case "second":
            return f"{second} beats {first} (sequential test, decided after {batches})"
        case "close":
            return f"{first} and {second}: no difference that matters (sequential test, decided after {batches})"
        case "open":
            return f"{first} and {second}: undecided after {batches}"


def _skills(played: Iterable[MatchResult], players: int) -> list[RunningRating]:
    """The openskill ratings after the last match."""
    last = None
    for _, after in running_ratings(played, players):
        last = after
    return last if last is not None else [NEWCOMER] * players


def _winner(plan: TournamentPlan, rounds: Sequence[Round], played: Sequence[MatchResult]) -> str | None:
    if plan.format != "knock-out" or not rounds or len(rounds[-1].lineups) > 1:
        return None
    final = [result for result in played if result.match >= rounds[-1].first_match]
    return plan.players[ranked(plan, final, rounds[-1].lineups[0])[0]].name


def finished_matches(journal: Journal) -> FinishedMatches:
    """Read the journal once."""
    played: list[MatchResult] = []
    firsts: dict[int, FirstFault] = {}
    voids: list[VoidMatch] = []
    for entry in journal.entries():
        played.append(entry.result)
        if entry.void and len(voids) < MOST_VOIDS:
            voids.append(VoidMatch(entry.result.match, entry.void))
        for fault in entry.faults:
            player = entry.result.players[fault.seat]
            if player not in firsts:
                firsts[player] = FirstFault(entry.result.match, fault, _command(journal, entry.result, fault.seat))
    sample, counts = collect(played, len(journal.plan.players))
    return FinishedMatches(played, sample, counts, firsts, voids)


def _command(journal: Journal, result: MatchResult, seat: int) -> str | None:
    """The command that shows what a seat did; None without a transcript."""
    path = journal.transcripts.path(result)
    return replay_command(path, seat) if path.exists() else None


def replay_command(path: Path, seat: int | None = None) -> str:
    """The command that replays a transcript, as a seat saw it or as spectators did."""
    return f"parlour replay {quote(str(path))}" + ("" if seat is None else f" --seat {seat}")


def write_results(folder: Path, results: Results) -> None:
    """Write `results.json`; it replaces an older one only when it is complete."""
    new = folder / f".{RESULTS}.new"
    new.write_bytes(msgspec.json.format(msgspec.json.encode(results), indent=2) + b"\n")
    new.replace(folder / RESULTS)
