"""Blunders are found by playing on, and only where a better choice is confirmed."""

from functools import partial
from typing import Any

import msgspec
import pytest

from parlour import plugins
from parlour.core import Dice, Result, Void
from parlour.games.forsale import GAME
from parlour.games.forsale.values import Bid, Sell
from parlour.players.play import play
from parlour.players.player_specs import LocalSpec, load
from parlour.players.terms import Terms
from parlour.referee.log import MemoryLog
from parlour.referee.lookahead import DecisionPoint, decision_points, played_on
from parlour.tournament.blunders import BlunderRule, judged_match, rank_share

SEED = b"blunders" * 4
MINIMUM = GAME.hosting.bots["minimum"]


def spender(view: Any, ask: Any, dice: Dice) -> Any:
    """Bids all coins at once in the first auction; otherwise the minimum."""
    bids = [choice for choice in ask.choices or () if isinstance(choice, Bid)]
    return max(bids, key=lambda bid: bid.amount) if bids and view.round == 1 else MINIMUM(view, ask, dice)


def played(*bots: Any) -> list[bytes]:
    log = MemoryLog()
    specs = [LocalSpec(f"bot {seat}", partial(_itself, bot)) for seat, bot in enumerate(bots)]
    play(Terms(game=GAME), specs, SEED, log)
    return log.lines


def _itself(bot: Any) -> Any:
    return bot


def judged(lines: list[bytes], rule: BlunderRule, seat: int = 0) -> Any:
    return judged_match(GAME, b"".join(line + b"\n" for line in lines), 7, [seat], rule)


def test_a_bid_of_everything_is_a_blunder_and_the_careful_players_bids_are_not() -> None:
    lines = played(spender, MINIMUM, MINIMUM)
    rule = BlunderRule(bot="minimum", decisions=1, worlds=24)
    [first] = judged(lines, rule).decisions
    assert first.is_blunder and first.loss >= rule.margin and msgspec.json.decode(first.played)["amount"] == 18
    assert bytes(first.best) != bytes(first.played) and (first.match, first.seat) == (7, 0)
    careful = judged(lines, rule, seat=1).decisions
    assert careful and not careful[0].is_blunder


def test_equal_matches_are_judged_equally_and_a_higher_margin_forgives() -> None:
    lines, rule = played(spender, MINIMUM, MINIMUM), BlunderRule(bot="minimum", decisions=3, worlds=6)
    assert judged(lines, rule) == judged(lines, rule)
    strict = judged(lines, msgspec.structs.replace(rule, margin=1.0))
    assert not any(decision.is_blunder for decision in strict.decisions)


def test_decisions_are_spread_over_the_match_and_those_without_a_choice_are_left_out() -> None:
    lines = played(MINIMUM, MINIMUM, MINIMUM)
    points = list(decision_points(GAME, lines, SEED, 0))
    last = [point for point in points if isinstance(point.action, Sell)][-1]
    assert last.ask.choices is not None and len(last.ask.choices) == 1
    found = judged(lines, BlunderRule(bot="random", decisions=len(points), worlds=2)).decisions
    assert last.frame not in {decision.frame for decision in found}
    few = judged(lines, BlunderRule(bot="random", decisions=3, worlds=2)).decisions
    assert {decision.frame for decision in few} == {points[len(points) * place // 3].frame for place in range(3)}


def test_a_match_without_a_seed_is_not_judged() -> None:
    assert judged(played(MINIMUM, MINIMUM, MINIMUM)[:-1], BlunderRule(bot="random")).why == "its transcript has no seed"


@pytest.mark.parametrize("name", plugins.names())
def test_every_game_can_be_played_on_from_every_decision(name: str) -> None:
    """The chosen action is played, and the end depends on the world, not on chance."""
    game = plugins.game(name)
    seats, log = max(2, game.table_seats()[0]), MemoryLog()
    bots = [load(game, "random")] * seats
    play(Terms(game=game, options=game.hosting.short), bots, SEED, log)
    points = list(decision_points(game, log.lines, SEED, 1))
    assert points
    for point in points[:: max(1, len(points) // 3)]:
        assert point.ask.default is None
        ends = [_end(game, log.lines, point, seats, world) for world in (b"1", b"1", b"2", b"3")]
        assert ends[0] == ends[1] and not any(isinstance(end, Void) for end in ends)


def _end(game: Any, lines: list[bytes], point: DecisionPoint, seats: int, world: bytes) -> Any:
    spec = load(game, "random")
    assert isinstance(spec, LocalSpec)
    return played_on(game, lines, SEED, point, point.action, [spec.make() for _ in range(seats)], world)


def test_a_tie_counts_half() -> None:
    assert rank_share(Result((3, 3, 1), (1, 1, 3)), 0) == 0.75
    assert rank_share(Result((3, 3, 1), (1, 1, 3)), 2) == 0.0
    assert rank_share(Void("bug", "x"), 0) == 0.5
