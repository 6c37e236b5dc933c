"""Limits by kind of ask, on a clock that is turned by hand."""

from typing import Any

import pytest

from parlour.core import BadMessage, Dice, Sitting
from parlour.games import game
from parlour.games.dominion.values import AnswerAttack, TakeTurn
from parlour.referee.clock import LimitClock
from parlour.referee.match import Match
from parlour.referee.replay import resume, verify
from parlour.referee.transcript import Limits, SeatBrief, check_header, header
from tests.referee.hand import SEED, asked, refused

DOMINION = game("dominion")
MILITIA = DOMINION.hosting.bots["militia"]
BRIEF = SeatBrief(1, "AnswerAttack", 1000, 100)


def new_match(limit_ms: int = 10_000, bank_ms: int = 5_000) -> Match[Any]:
    """Two players who attack each other; only the second is known to be silent under attack."""
    players = [Sitting("militia"), Sitting("militia")]
    return Match(DOMINION, header(DOMINION, players, SEED, limits=Limits(limit_ms, bank_ms), briefs=[BRIEF]), SEED)


def to_attack_on(match: Match[Any], seat: int, now: float, lines: list[bytes]) -> float | None:
    """Play until this seat is attacked, and tell when its answer is due; or to the end."""
    while match.end is None:
        [(turn, open)] = match.open.items()
        if type(open.ask).__name__ == "AnswerAttack" and turn == seat:
            return open.due
        lines += match.answer(turn, MILITIA(match.state.view(turn), open.ask, Dice(b"")), now).lines
    return None


def test_a_brief_ask_has_its_own_limit_and_after_a_silence_a_shorter_one() -> None:
    match = new_match()
    lines = match.begin(0.0).lines
    assert to_attack_on(match, 1, 0.0, lines) == 1.0
    assert not match.expire(0.999).notices
    out = match.expire(1.0)
    lines += out.lines
    [late] = refused(out)
    assert late.fault.facts == {"limit_ms": 1000, "bank_ms": 0, "elapsed_ms": 1000}
    assert to_attack_on(match, 1, 5.0, lines) == 5.1
    again, out = resume(DOMINION, lines, SEED, 100.0)
    [ask] = asked(out)
    assert (ask.seat, ask.due, ask.limit_ms, ask.bank_ms) == (1, 100.1, 100, 0)
    assert again.clock.bank(1, ask.ask) == 0, "a brief ask does not touch the bank"


def test_others_keep_the_usual_limit_and_their_bank() -> None:
    match = new_match()
    lines = match.begin(0.0).lines
    assert match.open[0].due == 15.0
    assert to_attack_on(match, 0, 0.0, lines) == 15.0


def test_a_brief_limit_is_never_longer_than_the_usual_one() -> None:
    match = new_match(limit_ms=50, bank_ms=0)
    assert to_attack_on(match, 1, 0.0, match.begin(0.0).lines) == 0.05


@pytest.mark.parametrize("said", [None, BadMessage("junk", "junk")])
def test_an_answer_that_comes_in_time_shortens_nothing(said: Any) -> None:
    match = new_match()
    lines = match.begin(0.0).lines
    to_attack_on(match, 1, 0.0, lines)
    ask = match.open[1].ask
    lines += match.answer(1, said or MILITIA(match.state.view(1), ask, Dice(b"")), 0.9).lines
    assert to_attack_on(match, 1, 20.0, lines) == 21.0


def test_a_brief_ask_never_costs_the_bank() -> None:
    clock = LimitClock(Limits(10, 5_000), [BRIEF])
    attack = AnswerAttack(card="militia", discard=2)
    clock.took(1, attack, 900, late=False)
    assert clock.bank(1, TakeTurn(actions=1, buys=1, money=0)) == 5_000


@pytest.mark.parametrize(
    "briefs",
    [
        [SeatBrief(2, "AnswerAttack", 1000, 100)],
        [SeatBrief(0, "Foo", 1000, 100)],
        [BRIEF, BRIEF],
        [BRIEF, SeatBrief(0, "AnswerAttack", 1000, 100)],
    ],
)
def test_a_header_with_other_briefs_was_never_written(briefs: list[SeatBrief]) -> None:
    players = [Sitting("militia"), Sitting("militia")]
    good, bad = (header(DOMINION, players, SEED, limits=Limits(1000), briefs=each) for each in ([BRIEF], briefs))
    check_header(DOMINION, good)
    with pytest.raises(ValueError, match="brief"):
        check_header(DOMINION, bad)
    with pytest.raises(ValueError, match="brief"):
        check_header(DOMINION, header(DOMINION, players, SEED, briefs=[BRIEF]))


def test_silences_on_brief_asks_replay() -> None:
    match = new_match()
    lines, now = match.begin(0.0).lines, 0.0
    while (due := to_attack_on(match, 1, now, lines)) is not None:
        lines += match.expire(due).lines
        now = due
    whole = b"".join(line + b"\n" for line in [*lines, match.reveal()])
    assert whole.count(b'"limit_ms":1000,') > 1 and whole.count(b'"limit_ms":100,') > 2
    assert verify(whole, game).holds == "yes"


def test_the_clock_counts_a_brief_ask_for_its_seat_and_kind_alone() -> None:
    match = new_match()
    match.begin(0.0)
    clock, turn = LimitClock(Limits(10_000, 5_000), [BRIEF]), match.open[0].ask
    assert clock.took(1, turn, 12_000, late=False) == 12_000
    assert (clock.limit(1, turn), clock.bank(1, turn), clock.bank(0, turn)) == (10_000, 3_000, 5_000)
