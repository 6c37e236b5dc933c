"""Draw the next round of a league. Everything here is pure and depends only on stored values."""

import random
from collections.abc import Mapping, Sequence
from math import comb

import msgspec
from msgspec import Struct

from parlour import plugins
from parlour.protocol.league_forms import LeagueFormat, LeagueTerms
from parlour.server.leagues.table import ranks_of
from parlour.store.league_values import Slot, StoredEntry, StoredLeague
from parlour.tournament.plan import Entrant, TournamentPlan
from parlour.tournament.records import MatchResult
from parlour.tournament.schedules import Round, next_round, seatings, usual_seatings

MOST_MATCHES = 20_000
"""How many matches a league may have."""
MOST_ENTRIES = 500


class Drawn(Struct, frozen=True):
    """A round that has been drawn."""

    round: int
    """From 0."""
    byes: tuple[str, ...]
    slots: tuple[Slot, ...]


def terms_of(league: StoredLeague) -> LeagueTerms:
    """How its matches are played."""
    return msgspec.json.decode(league.terms, type=LeagueTerms)


def most_matches(format: LeagueFormat, entries: int, seats: int, deals: int, rounds: int) -> int:
    """How many matches a league of so many entries has at most."""
    match format:
        case "round-robin":
            return comb(entries, seats) * deals
        case "gauntlet":
            return comb(max(0, entries - 1), seats - 1) * deals
        case "swiss":
            return entries // seats * deals * rounds
        case "knock-out":
            return entries * deals


def most_entries(format: LeagueFormat, seats: int, deals: int, rounds: int) -> int:
    """How many entries a league can have before it has too many matches."""
    fitting = range(seats, MOST_ENTRIES + 1)
    return max((n for n in fitting if most_matches(format, n, seats, deals, rounds) <= MOST_MATCHES), default=0)


def draw(
    league: StoredLeague, entries: Sequence[StoredEntry], slots: Sequence[Slot], byes: Sequence[Sequence[str]]
) -> Drawn | None:
    """The round after those in `slots`, all of which are settled; None if there is none."""
    placed = sorted((entry for entry in entries if entry.place is not None), key=lambda entry: entry.place or 0)
    numbers = {entry.id: number for number, entry in enumerate(placed)}
    plan = _plan(league, placed)
    rounds = [_round(plan, numbers, n, slots, away) for n, away in enumerate(byes)]
    gone = frozenset(numbers[entry.id] for entry in placed if not entry.takes_part)
    drawn = next_round(plan, rounds, [_result(slot, numbers) for slot in slots], gone)
    if drawn is None or not drawn.lineups:
        return None
    ids = [entry.id for entry in placed]
    return Drawn(
        drawn.number, tuple(ids[player] for player in drawn.byes), tuple(_slots(league, plan, drawn, ids, len(slots)))
    )


def _plan(league: StoredLeague, placed: Sequence[StoredEntry]) -> TournamentPlan:
    return TournamentPlan(
        game=league.game,
        rules=plugins.game(league.game).rules.version,
        format=league.format,
        players=tuple(Entrant(entry.id, entry.id) for entry in placed),
        seats=league.seats,
        deals=league.deals,
        seed="00",  # the arena draws the seeds of its tables
        seatings=usual_seatings(league.seats),
        duplicate=False,
        rounds=league.rounds,
    )


def _round(
    plan: TournamentPlan, numbers: Mapping[str, int], number: int, slots: Sequence[Slot], byes: Sequence[str]
) -> Round:
    """A round that is stored."""
    own = [slot for slot in slots if slot.round == number]
    lineups = dict.fromkeys(tuple(sorted(numbers[entry] for entry in slot.entries)) for slot in own)
    return Round(
        number=number,
        first_match=own[0].n - 1,
        first_lineup=0,
        first_deal=own[0].n - 1,
        lineups=tuple(lineups),
        deals=plan.deals,
        seatings=seatings(plan.seats, plan.seatings),
        duplicate=False,
        byes=tuple(numbers[entry] for entry in byes),
    )


def _slots(league: StoredLeague, plan: TournamentPlan, drawn: Round, ids: Sequence[str], before: int) -> list[Slot]:
    """The matches of a round. The seats rotate from match to match. If there is only one round, the matches are in
    random order, so that many can be played at the same time, and all entries have played about equally often."""
    orders = drawn.seatings
    numbered = [*enumerate(drawn.lineups)]
    if league.format in ("round-robin", "gauntlet"):
        random.Random(league.id).shuffle(numbered)
    made: list[Slot] = []
    for deal in range(plan.deals):
        for number, lineup in numbered:
            order = orders[(deal + number + drawn.number) % len(orders)]
            entries = tuple(ids[lineup[place]] for place in order)
            made.append(Slot(league.id, before + len(made) + 1, drawn.number, "planned", 1, 0, None, entries))
    return made


def _result(slot: Slot, numbers: Mapping[str, int]) -> MatchResult:
    players = tuple(numbers[entry] for entry in slot.entries)
    if slot.results is None:
        return MatchResult(slot.n - 1, slot.n, slot.n, players, void=True)
    ranks = tuple(ranks_of(slot, slot.results))
    return MatchResult(slot.n - 1, slot.n, slot.n, players, ranks, scores=(0.0,) * len(ranks))
